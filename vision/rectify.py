"""Rectified pictures of the table and poses of cards in them.

Angles are turns of a card's upright direction from the raster's up, counter-clockwise, in radians; positions are raster
px of the picture's own frame.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.correlate import Faces, Floats
from vision.raster import Box


@dataclass(frozen=True, slots=True)
class Found:
    """A card found in a picture: centre px, angle, score −1…1, visible share and the best other face's score."""

    card: Card | None
    u: float
    v: float
    angle_rad: float
    score: float
    visible: float = 1.0
    rival: Card | None = None
    rival_score: float = -1.0


class Picture:
    """A rectified picture at `scale` px a mm with smaller copies for searching, and what is visible and fresh in it.

    `fresh` (rows, columns) is 1 where the picture changed and nothing explains it yet; `open_` is 1 where a newly found
    card could show (not covered by a card known to lie on top). `lit` is 1 where our own light may fall, None where
    nobody knows. All uint8.
    """

    def __init__(self, image: NDArray[np.uint8], scale: float, fresh: NDArray[np.uint8], box: Box) -> None:
        self.image = image
        self.box = box
        self.scale = scale
        self.fresh = fresh
        self.open_ = np.ones(image.shape[:2], dtype=np.uint8)
        self.lit: NDArray[np.uint8] | None = None
        self._levels: dict[float, NDArray[np.uint8]] = {}

    def level(self, scale: float) -> NDArray[np.uint8]:
        """The picture at about `scale` px a mm."""
        if scale >= self.scale * 0.9:
            return self.image
        if scale not in self._levels:
            h, w = self.image.shape[:2]
            size = (max(1, round(w * scale / self.scale)), max(1, round(h * scale / self.scale)))
            self._levels[scale] = np.asarray(cv2.resize(self.image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        return self._levels[scale]

    def patches(self, poses: NDArray[np.float64], faces: Faces, scale: float) -> Floats:
        """Card patches at `poses` (N, 3: u, v, angle), float32 (N, 3, P) in the size of `faces`."""
        source = self.level(scale)
        grid = _grid(poses, faces.size_px, scale, self.scale)
        fx, fy = source.shape[1] / self.image.shape[1], source.shape[0] / self.image.shape[0]
        out = _remap(source, (grid[:, 0] + 0.5) * fx - 0.5, (grid[:, 1] + 0.5) * fy - 0.5)
        return np.ascontiguousarray(out.transpose(0, 2, 1), dtype=np.float32)

    def share(
        self, mask: NDArray[np.uint8], poses: NDArray[np.float64], size_px: tuple[int, int], scale: float
    ) -> Floats:
        """Values of `mask` under each card, float32 (N, P), outside the picture 0."""
        if not mask.any():
            return np.zeros((len(poses), size_px[0] * size_px[1]), dtype=np.float32)
        grid = _grid(poses, size_px, scale, self.scale)
        return _remap(mask, grid[:, 0], grid[:, 1], cv2.INTER_NEAREST, cv2.BORDER_CONSTANT).astype(np.float32)

    def all_open(self, poses: NDArray[np.float64]) -> bool:
        """Is nothing covered anywhere near `poses` (N, 3), cards of up to 34 mm from centre to corner?"""
        reach = 34.0 * self.scale
        low = np.maximum(poses[:, :2].min(axis=0) - reach, 0).astype(int)
        high = (poses[:, :2].max(axis=0) + reach).astype(int)
        return bool(self.open_[low[1] : high[1], low[0] : high[0]].all())

    def cover(self, found: Found, card_mm: tuple[float, float], grow_mm: float = 0.0) -> NDArray[np.bool_]:
        """True on the pixels of a card lying at `found`."""
        out = np.zeros(self.image.shape[:2], dtype=np.uint8)
        corners = card_corners(found, (card_mm[0] + 2 * grow_mm, card_mm[1] + 2 * grow_mm), self.scale)
        cv2.fillConvexPoly(out, np.rint(corners * 16).astype(np.int32), 1, shift=4)
        return out.astype(bool)


def card_corners(found: Found, card_mm: tuple[float, float], scale: float) -> NDArray[np.float64]:
    """Corners (4, 2) in picture px, clockwise from the card's own top-left."""
    c, s = math.cos(found.angle_rad), math.sin(found.angle_rad)
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(card_mm) / 2 * scale
    x = half[:, 0] * c - half[:, 1] * s
    y = half[:, 0] * s + half[:, 1] * c
    return np.stack([found.u + x, found.v - y], axis=1)


def wrapped(angle_rad: float) -> float:
    """The same angle in −π…π."""
    return math.remainder(angle_rad, 2 * math.pi)


def around(found: Found, scale: float, reach_mm: float, step_mm: float, turns: Sequence[float]) -> NDArray[np.float64]:
    """Poses (N, 3) on a grid around a found card, its angle turned by each of `turns` (rad)."""
    steps = np.arange(-reach_mm, reach_mm + step_mm / 2, step_mm) * scale
    du, dv, da = np.meshgrid(steps, steps, np.asarray(turns, dtype=np.float64))
    return np.stack([found.u + du.ravel(), found.v + dv.ravel(), found.angle_rad + da.ravel()], axis=1)


def _grid(
    poses: NDArray[np.float64], size_px: tuple[int, int], scale: float, picture_scale: float
) -> NDArray[np.float32]:
    """Picture px (N, 2, P), u then v, of the pixels of a card patch at each pose."""
    c = np.cos(poses[:, 2]) * picture_scale
    s = np.sin(poses[:, 2]) * picture_scale
    # one product for both turns and shifts: (N, 2, 3) by (3, P)
    turns = np.stack([c, -s, poses[:, 0], -s, -c, poses[:, 1]], axis=1).astype(np.float32).reshape(-1, 3)
    return (turns @ _points(size_px, scale)).reshape(len(poses), 2, size_px[0] * size_px[1])


@lru_cache(maxsize=32)
def _points(size_px: tuple[int, int], scale: float) -> NDArray[np.float32]:
    """A card's pixels on the card: x right and y up in mm from its centre, and 1; float32 (3, P)."""
    w, h = size_px
    x = ((np.arange(w) + 0.5 - w / 2) / scale).astype(np.float32)
    y = ((h / 2 - np.arange(h) - 0.5) / scale).astype(np.float32)
    gx, gy = np.meshgrid(x, y)
    return np.stack([gx.ravel(), gy.ravel(), np.ones(w * h, dtype=np.float32)])


def _remap(
    source: NDArray[np.uint8],
    u: NDArray[np.float32],
    v: NDArray[np.float32],
    how: int = cv2.INTER_LINEAR,
    border: int = cv2.BORDER_REPLICATE,
) -> NDArray[np.uint8]:
    """Samples (N, P[, 3]) of `source`; split so that no side passes OpenCV's limit of 32767."""
    out = np.empty((*u.shape, *source.shape[2:]), dtype=np.uint8)
    for start in range(0, len(u), 16000):
        part = slice(start, start + 16000)
        out[part] = cv2.remap(
            source,
            np.ascontiguousarray(u[part], dtype=np.float32),
            np.ascontiguousarray(v[part], dtype=np.float32),
            how,
            borderMode=border,
        )
    return out
