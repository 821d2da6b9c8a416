"""Tables, worn cards, hands, shadows and our own light in made-up views."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.covers import WIDE
from vision.training.prints import Image


def ground(rng: np.random.Generator) -> Image:
    """A piece of table, uint8 (360, 360, 3): plain, felt, wood or straw in some colour."""
    size = 360
    base = rng.uniform(10, 250, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(10, 250))
    out = np.full((size, size, 3), base, np.float32)
    kind = rng.integers(4)
    if kind == 1:
        out += cv2.GaussianBlur(rng.normal(0, 1, (size, size, 1)).astype(np.float32), (0, 0), 0.8)[..., None] * 18
    elif kind == 2:
        grain = cv2.GaussianBlur(rng.normal(0, 1, (size, size)).astype(np.float32), (0, 0), sigmaX=25, sigmaY=1.2)
        out += grain[..., None] * 220 * rng.uniform(0.5, 1.5)
    elif kind == 3:
        line = np.sin(np.arange(size) * rng.uniform(0.5, 1.6) + rng.uniform(0, 6)) * rng.uniform(4, 16)
        out += line[:, None, None]
    out += cv2.resize(rng.normal(0, 9, (4, 4)).astype(np.float32), (size, size))[..., None]
    turned = np.rot90(out, int(rng.integers(4)))
    return np.clip(turned, 0, 255).astype(np.uint8)


def projected(width: int, height: int, card_px: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """What our projector adds: a ring, text or a glow, up to 30 % of full, float32 (H, W, 3)."""
    light = np.zeros((height, width, 3), np.uint8)
    inks = ((255, 255, 255), (60, 220, 60), (60, 60, 255), (255, 160, 40), (40, 200, 255), (240, 90, 220))
    ink = np.array(inks[int(rng.integers(len(inks)))]) * rng.uniform(0.06, 0.32)
    thick = max(1, round(card_px * rng.uniform(0.02, 0.07)))
    middle = np.array([width, height]) * rng.uniform(0.3, 0.7, 2)
    kind = rng.integers(4)
    colour = ink.tolist()
    if kind == 0:
        half = np.array([WIDE, 1]) * card_px * rng.uniform(0.42, 0.62)
        low, high = np.rint(middle - half).astype(int).tolist(), np.rint(middle + half).astype(int).tolist()
        cv2.rectangle(light, low, high, colour, thick, cv2.LINE_AA)
    elif kind == 1:
        size = max(3, round(card_px * rng.uniform(0.15, 0.6)))
        cv2.circle(light, np.rint(middle).astype(int).tolist(), size, colour, thick, cv2.LINE_AA)
    elif kind == 2:
        text = "".join(rng.choice(list("ABCDEFGHKMNPRSTXYZ0123456789"), 6))
        at = np.rint(middle - [card_px * 0.4, 0]).astype(int).tolist()
        cv2.putText(light, text, at, cv2.FONT_HERSHEY_SIMPLEX, card_px / 110, colour, max(1, thick // 2), cv2.LINE_AA)
    else:
        half = np.array([WIDE, 1]) * card_px * rng.uniform(0.2, 0.9, 2)
        low, high = np.rint(middle - half).astype(int).tolist(), np.rint(middle + half).astype(int).tolist()
        cv2.rectangle(light, low, high, colour, -1)
    return np.asarray(cv2.GaussianBlur(light.astype(np.float32), (0, 0), float(rng.uniform(0.5, 2.0))), np.float32)


def shaken(image: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """The picture blurred along a line, as by a camera or card in motion."""
    size = int(rng.integers(2, 5))
    way = rng.uniform(0, np.pi)
    kernel = np.zeros((size * 2 + 1,) * 2, np.float32)
    tip = np.array([np.cos(way), np.sin(way)]) * size * 0.7
    ends = [np.rint(size + tip * k).astype(int).tolist() for k in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)


def worn(face: Image, rng: np.random.Generator) -> Image:
    """A card much played: faded, dirty, scratched, its edge white."""
    height, width = face.shape[:2]
    image = face.astype(np.float32)
    image += (rng.uniform(90, 200) - image) * rng.uniform(0, 0.3)
    stain = cv2.resize(rng.normal(0, 1, (6, 4)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    image *= (1 - 0.12 * np.clip(stain, 0, 2))[..., None]
    for _ in range(int(rng.integers(0, 6))):
        ends = (rng.uniform(0, 1, (2, 2)) * [width, height]).astype(int).tolist()
        cv2.line(image, ends[0], ends[1], rng.uniform(100, 255, 3).tolist(), 1, cv2.LINE_AA)
    if rng.random() < 0.5:
        tone = rng.uniform(150, 230, 3).tolist()
        cv2.rectangle(image, (0, 0), (width - 1, height - 1), tone, int(rng.integers(1, 4)))
    return np.clip(image, 0, 255).astype(np.uint8)


def cast_shadow(canvas: NDArray[np.float32], outline: NDArray[np.float32], rng: np.random.Generator) -> None:
    """Darkens the surroundings of an outline a little, as what lies higher does."""
    mask = np.zeros(canvas.shape[:2], np.float32)
    moved = outline + rng.normal(0, 0.03, 2) * canvas.shape[0]
    cv2.fillConvexPoly(mask, np.rint(moved * 16).astype(np.int32), rng.uniform(0.15, 0.5), cv2.LINE_8, 4)
    canvas *= 1 - cv2.GaussianBlur(mask, (0, 0), 0.025 * canvas.shape[0])[..., None]


def shadow_edge(x: NDArray[np.float32], y: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Factors (len(y), len(x)) of a shadow with one straight edge, sharp or soft."""
    way = rng.uniform(0, 2 * np.pi)
    far = np.cos(way) * x[None] + np.sin(way) * y[:, None] - rng.uniform(-0.6, 0.6)
    return np.asarray(1 - rng.uniform(0.15, 0.55) / (1 + np.exp(-far * rng.uniform(4, 30))), np.float32)


def skin(rng: np.random.Generator) -> NDArray[np.float64]:
    """A colour of a hand, BGR."""
    tone = rng.uniform(0.35, 1.0)
    return np.array([150, 180, 230]) * tone * np.exp(rng.normal(0, 0.06, 3))
