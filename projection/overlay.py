"""Marks on a picture in its own px: what was detected, how sure, and the zones, drawn on what the camera sees."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from projection.scene import BLACK, RGB
from projection.text import shorten, tile
from projection.theme import GREEN, WHITE

_SHIFT = 4


@dataclass(frozen=True, slots=True)
class Outline:
    """A polygon in px of the picture, with a label at its first point and, if given, a bar for its confidence (0–1)."""

    points_px: tuple[tuple[float, float], ...]
    label: str = ""
    colour: RGB = GREEN
    confidence: float | None = None
    width_px: int = 2
    dashed: bool = False


def overlay(picture: NDArray[np.uint8], outlines: Iterable[Outline], lines: Sequence[str] = ()) -> NDArray[np.uint8]:
    """A copy of `picture`, uint8 (H, W, 3) RGB, with the outlines and with `lines` of text in its upper left corner."""
    image = picture.copy()
    for outline in outlines:
        _draw(image, outline)
    size = max(12, image.shape[0] // 40)
    for i, line in enumerate(lines):
        label(image, line, 8, 8 + round(i * size * 1.3), size, WHITE)
    return image


def label(
    image: NDArray[np.uint8], text: str, x: int, y: int, size_px: int, colour: RGB, room_px: float | None = None
) -> int:
    """Write `text` into `image` on a dark ground, its upper left corner at (x, y); the width in px that it took."""
    room = image.shape[1] - x if room_px is None else room_px
    light = tile(shorten(text, float(size_px), room), size_px, False)
    h = min(light.shape[0], image.shape[0] - max(0, y))
    w = min(light.shape[1], image.shape[1] - max(0, x))
    if h <= 0 or w <= 0 or x < 0 or y < 0:
        return 0
    part = image[y : y + h, x : x + w]
    share = light[:h, :w, None].astype(np.float32) / 255
    part[:] = (part * 0.35 * (1 - share) + np.array(colour, dtype=np.float32) * share).astype(np.uint8)
    return int(w)


def _draw(image: NDArray[np.uint8], outline: Outline) -> None:
    points = np.asarray(outline.points_px, dtype=np.float64).reshape(-1, 2)
    if len(points) < 2 or not np.isfinite(points).all() or np.abs(points).max() > 30_000:
        return
    for a, b in zip(points, np.roll(points, -1, axis=0), strict=True):
        for p, q in _dashes(a, b) if outline.dashed else ((a, b),):
            start, end = (tuple(int(v) for v in np.round(point * (1 << _SHIFT))) for point in (p, q))
            cv2.line(image, start, end, BLACK, outline.width_px + 2, cv2.LINE_AA, _SHIFT)
            cv2.line(image, start, end, outline.colour, outline.width_px, cv2.LINE_AA, _SHIFT)
    x, y = (round(float(v)) for v in points[0])
    size = max(11, image.shape[0] // 64)
    if outline.label:
        label(image, outline.label, max(0, x), max(0, y - round(size * 1.2)), size, outline.colour)
    if outline.confidence is not None:
        _bar(image, x, y, outline)


def _bar(image: NDArray[np.uint8], x: int, y: int, outline: Outline) -> None:
    """A bar of 40 px under the label, filled as far as the confidence goes."""
    share = min(1.0, max(0.0, outline.confidence or 0.0))
    cv2.rectangle(image, (x, y + 2), (x + 40, y + 6), BLACK, cv2.FILLED)
    cv2.rectangle(image, (x, y + 2), (x + round(40 * share), y + 6), outline.colour, cv2.FILLED)


def _dashes(
    a: NDArray[np.float64], b: NDArray[np.float64]
) -> Iterable[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    length = float(np.hypot(*(b - a)))
    count = max(1, round(length / 14))
    return ((a + (b - a) * i / count, a + (b - a) * (i + 0.55) / count) for i in range(count))
