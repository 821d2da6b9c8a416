"""Decks as training material: the pictures of a deck, and made-up prints of it in other colours, lines and frames."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from engine.cards import DECK
from vision.deck import Deck, load_deck

Image = NDArray[np.uint8]

FACE_PX: Final = (110, 180)
"""Width and height at which faces are kept: a little more than a camera shows."""


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """48 faces in the order of `DECK`, uint8 (48, 180, 110, 3) BGR, and what may lie about: `back` (180, 110, 3).

    Decks of one `family` share one drawing: training and testing are split by it.
    """

    name: str
    family: str
    faces: Image
    back: Image


def load_prints(folders: Sequence[Path]) -> tuple[Print, ...]:
    """The decks in `folders` (each a deck or a folder of decks), by name. Raises ConfigError for a broken one."""
    found: list[Path] = []
    for folder in folders:
        found += [folder] if (folder / "deck.yaml").is_file() else sorted(p.parent for p in folder.glob("*/deck.yaml"))
    return tuple(print_of(load_deck(path), family_of(path)) for path in found)


def family_of(folder: Path) -> str:
    """The key `family` of a deck's facts, the deck's own name where there is none."""
    facts = yaml.safe_load((folder / "deck.yaml").read_text(encoding="utf-8"))
    return str(facts.get("family", facts["name"]))


def print_of(deck: Deck, family: str) -> Print:
    """The pictures of `deck` at the size of training."""
    faces = np.stack([sized(deck.faces[card]) for card in DECK])
    back = np.full_like(faces[0], (40, 30, 120)) if deck.back is None else sized(deck.back)
    return Print(deck.name, family, faces, back)


def sized(picture: Image, size_px: tuple[int, int] = FACE_PX) -> Image:
    """`picture` at `size_px` (width, height)."""
    shrinks = picture.shape[0] >= size_px[1]
    how = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size_px, interpolation=how), np.uint8)


def redrawn(source: Print, rng: np.random.Generator) -> Print:
    """Another print of the same drawing: other inks, paper, lines, frame, and every card bent a little."""
    look = _look(rng)
    faces = np.stack([_redraw(face, look, rng) for face in source.faces])
    turned = cv2.cvtColor(source.back, cv2.COLOR_BGR2HSV)
    turned[..., 0] = (turned[..., 0].astype(int) + int(rng.integers(0, 180))) % 180
    return Print(source.name, source.family, faces, np.asarray(cv2.cvtColor(turned, cv2.COLOR_HSV2BGR), np.uint8))


def _look(rng: np.random.Generator) -> Mapping[str, Any]:
    """What all cards of a made-up print share."""
    wild = rng.random() < 0.3
    return {
        "hues": rng.normal(0, 14 if wild else 5, 6),
        "saturation": rng.uniform(0.5, 1.3, 6) if wild else rng.uniform(0.8, 1.15, 6),
        "values": rng.normal(0, 22 if wild else 10, 6),
        "dark": rng.uniform(0, (90, 110, 90)) if rng.random() < 0.45 else None,
        "paper": np.array([rng.uniform(0.72, 1), rng.uniform(0.86, 1), rng.uniform(0.92, 1)]),
        "lines": rng.choice([-1, 0, 0, 0, 1]),
        "bend": rng.uniform(0, 3.2) if rng.random() < 0.75 else 0.0,
        "frame": _frame(rng),
        "inset": rng.uniform(0, 0.075) if rng.random() < 0.6 else 0.0,
        "small": rng.uniform(0.42, 0.8) if rng.random() < 0.25 else 1.0,
        "grain": rng.uniform(2, 9) if rng.random() < 0.3 else 0.0,
    }


def _frame(rng: np.random.Generator) -> tuple[float, tuple[int, int, int]]:
    """Width of a new frame as a share of the card's width (0: none) and its colour."""
    if rng.random() < 0.35:
        return 0.0, (0, 0, 0)
    inks = [(15, 15, 15), (30, 30, 30), (20, 20, 150), (30, 40, 90), (60, 60, 60), (30, 20, 220), (240, 240, 240)]
    b, g, r = inks[int(rng.integers(len(inks)))]
    return float(rng.uniform(0.01, 0.075)), (b, g, r)


def _redraw(face: Image, look: Mapping[str, Any], rng: np.random.Generator) -> Image:
    height, width = face.shape[:2]
    inset = look["inset"]
    dx, dy = round(width * inset), round(height * inset * width / height)
    image = face[dy : height - dy, dx : width - dx] if dx else face
    image = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    if look["lines"]:
        kernel = np.ones((2, 2), np.uint8)
        image = np.asarray((cv2.erode if look["lines"] > 0 else cv2.dilate)(image, kernel), np.uint8)
    if look["bend"]:
        image = _bent(image, look["bend"], rng)
    image = _inked(image, look)
    share, ink = look["frame"]
    if share and inset:
        thick = max(1, round(share * width))
        cv2.rectangle(image, (0, 0), (width - 1, height - 1), ink, 2 * thick - 1)
    if look["small"] < 1:
        low = cv2.resize(image, None, fx=look["small"], fy=look["small"], interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(low, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    if look["grain"]:
        noise = cv2.GaussianBlur(rng.normal(0, 2 * look["grain"], (height, width, 1)).astype(np.float32), (0, 0), 0.9)
        image = np.clip(image + noise[..., None], 0, 255).astype(np.uint8)
    return image


def _bent(image: Image, most_px: float, rng: np.random.Generator) -> Image:
    """The picture under a smooth random displacement, shift, scale and slant: the same motif by another hand."""
    height, width = image.shape[:2]
    coarse = rng.normal(0, 1, (2, 7, 5)).astype(np.float32)
    field = [cv2.resize(plane, (width, height), interpolation=cv2.INTER_CUBIC) * most_px for plane in coarse]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    sx, sy = rng.normal(1, 0.012 * most_px, 2)
    slant = rng.normal(0, 0.01 * most_px)
    shift = rng.normal(0, 0.9 * most_px, 2)
    u = (x - width / 2) * sx + (y - height / 2) * slant + width / 2 + shift[0] + field[0]
    v = (y - height / 2) * sy + height / 2 + shift[1] + field[1]
    bent = cv2.remap(image, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(bent, np.uint8)


def _inked(image: Image, look: Mapping[str, Any]) -> Image:
    """The picture in other inks: each sixth of the hues moved, black areas lightened or tinted, paper toned."""
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
    hue, saturation, value = (hsv[..., k].astype(np.float32) for k in range(3))
    near = (hue / 30).astype(int) % 6
    hsv[..., 0] = (hue + look["hues"][near]) % 180
    hsv[..., 1] = np.clip(saturation * look["saturation"][near], 0, 255)
    hsv[..., 2] = np.clip(value + look["values"][near] * saturation / 255, 0, 255)
    out = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR).astype(np.float32)
    if look["dark"] is not None:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        area = cv2.GaussianBlur((cv2.erode((grey < 70).astype(np.uint8), np.ones((2, 2), np.uint8)) * 1.0), (0, 0), 0.7)
        out += area[..., None] * look["dark"]
    return np.asarray(np.clip(out * look["paper"], 0, 255), np.uint8)
