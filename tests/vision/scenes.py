"""Builders of decks and photographs for tests: small, seeded, drawn from the built-in deck."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.deck import BUILT_IN, Deck, load_deck

YAML = "schema: 1\nname: test\ntitle: {en: Test, ja: 試し}\nlicence: none\ncard_mm: [33, 54]\nback: false\n"


@cache
def tsuki() -> Deck:
    """The built-in deck."""
    return load_deck(BUILT_IN / "tsuki")


def write_deck(folder: Path, yaml: str = YAML, skip: Sequence[str] = ()) -> Path:
    """A small deck in `folder`: every card a number of blots in colours of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deck.yaml").write_text(yaml, encoding="utf-8")
    for i, card in enumerate(DECK):
        if str(card) not in skip:
            (folder / f"{card}.png").write_bytes(_encoded(i))
    return folder


def blots(seed: int) -> NDArray[np.uint8]:
    """A picture of a made-up card, uint8 (162, 99, 3) BGR."""
    rng = np.random.default_rng(seed)
    picture = np.full((162, 99, 3), 235, np.uint8)
    for _ in range(9):
        centre = (int(rng.integers(10, 90)), int(rng.integers(10, 150)))
        cv2.circle(picture, centre, int(rng.integers(6, 24)), rng.integers(0, 220, 3).tolist(), -1, cv2.LINE_AA)
    cv2.rectangle(picture, (0, 0), (98, 161), (30, 30, 30), 5)
    return picture


@cache
def _encoded(seed: int) -> bytes:
    return cv2.imencode(".png", blots(seed))[1].tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A card in a photograph: its corners (4, 2) px, clockwise from its own top-left."""

    card: Card
    corners_px: NDArray[np.float32]


def quad(x: float, y: float, turn_deg: float, height: float) -> NDArray[np.float32]:
    """Corners (4, 2) px of a card `height` px high around (x, y), turned clockwise by `turn_deg`."""
    half = np.array([[-33, -54], [33, -54], [33, 54], [-33, 54]]) / 108 * height
    c, s = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + [x, y], np.float32)


def photograph(
    deck: Deck, cards: Sequence[Lying], size_px: tuple[int, int] = (900, 700), seed: int = 0, slant: float = 0.0
) -> tuple[NDArray[np.uint8], tuple[Lying, ...]]:
    """A photograph of `cards` (painted in order) on a cloth, and where they are in it.

    `slant` 0–0.4 is how far the table's far edge is squeezed. Light is uneven, tinted and noisy.
    """
    rng = np.random.default_rng(seed)
    width, height = size_px
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = flat + np.array(
        [[slant * width / 3, slant * height / 3], [-slant * width / 3, slant * height / 3]] + [[0, 0]] * 2
    )
    slanted = cv2.getPerspectiveTransform(flat, seen.astype(np.float32))
    image: NDArray[Any] = np.empty((height, width, 3), np.float32)
    image[:] = rng.uniform(60, 150, 3)
    image += cv2.GaussianBlur(rng.normal(0, 30, image.shape).astype(np.float32), (0, 0), 1.5)
    placed = []
    for lying in cards:
        corners = cv2.perspectiveTransform(lying.corners_px[None], slanted)[0]
        face = deck.faces[lying.card]
        shrink = max(1.0, face.shape[0] / float(np.linalg.norm(corners[0] - corners[3])))
        small = cv2.resize(face, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA).astype(np.float32)
        h, w = small.shape[:2]
        source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(source, corners - 0.5)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        share = (mask.astype(np.float32) / 255)[..., None]
        card = cv2.warpPerspective(small, warp, (width, height), borderMode=cv2.BORDER_REPLICATE)
        image = image * (1 - share) + card * share
        placed.append(Lying(lying.card, np.asarray(corners, np.float32)))
    light = np.linspace(0.8, 1.05, width, dtype=np.float32)[None, :, None] * np.array([0.85, 0.95, 1.0], np.float32)
    image = cv2.GaussianBlur(image * light, (0, 0), 0.8) + rng.normal(0, 3, image.shape)
    return np.clip(np.rint(image), 0, 255).astype(np.uint8), tuple(placed)
