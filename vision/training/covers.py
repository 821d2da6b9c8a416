"""Where cards lie in made-up views, where the eyes would have them, and what lies over them."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

WIDE: Final = 33 / 54
"""Width of a card over its height."""


def displaced(quad: NDArray[np.float32], height: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """A place where no card lies as cut: far off, turned by a quarter, much too large or much too small."""
    middle = quad.mean(axis=0)
    kind = rng.integers(3)
    if kind == 0:
        way = rng.uniform(0, 2 * np.pi)
        shift = np.array([np.cos(way) * WIDE, np.sin(way)]) * height * rng.uniform(0.4, 0.6)
        return np.asarray(quad + shift, np.float32)
    if kind == 1:
        return spun(quad, np.pi / 2 + rng.normal(0, 0.2))
    grown = rng.uniform(1.45, 1.8) if rng.random() < 0.5 else rng.uniform(0.4, 0.6)
    return np.asarray((quad - middle) * grown + middle, np.float32)


def spun(quad: NDArray[np.float32], angle_rad: float) -> NDArray[np.float32]:
    """`quad` turned about its middle."""
    middle = quad.mean(axis=0)
    spin = np.array([[np.cos(angle_rad), -np.sin(angle_rad)], [np.sin(angle_rad), np.cos(angle_rad)]])
    return np.asarray((quad - middle) @ spin.T + middle, np.float32)


def _hidden_share(quad: NDArray[np.float32], cover: NDArray[np.float32]) -> float:
    common, _ = cv2.intersectConvexConvex(quad, cover.astype(np.float32))
    return float(common) / max(float(cv2.contourArea(quad)), 1.0)


def _slid(
    quad: NDArray[np.float32],
    cover: NDArray[np.float32],
    wanted: float,
    share: Sequence[float],
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """`cover` (convex) moved outwards over `quad` in a random direction until it hides about `wanted` of it."""
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    for _ in range(6):
        way = rng.choice([0.0, 0.5, 1.0, 1.5]) * np.pi + rng.normal(0, 0.3)
        step = np.cos(way) * across + np.sin(way) * down
        low, high = 0.0, 1.3
        for _ in range(9):
            at = (low + high) / 2
            low, high = (at, high) if _hidden_share(quad, cover + at * step) > wanted else (low, at)
        moved = np.asarray(cover + low * step, np.float32)
        if share[0] - 0.02 <= _hidden_share(quad, moved) <= share[1] + 0.02:
            return moved
    return moved


def card_over(
    quad: NDArray[np.float32], wanted: float, share: Sequence[float], rng: np.random.Generator
) -> NDArray[np.float32]:
    """Corners of a card of the same size that hides about `wanted` of the one at `quad`."""
    turn = rng.normal(0, 0.15) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi)
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    shift = rng.normal(0, 0.10) * across + rng.normal(0, 0.10) * down
    cover = spun(quad + shift, float(turn))
    return _slid(quad, np.roll(cover, 2, axis=0) if rng.random() < 0.5 else cover, wanted, share, rng)


def round_over(
    quad: NDArray[np.float32], wanted: float, share: Sequence[float], rng: np.random.Generator
) -> NDArray[np.float32]:
    """A round outline, as of a hand or finger, that hides about `wanted` of the card."""
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    angle = np.linspace(0, 2 * np.pi, 18, endpoint=False)
    a, b = rng.uniform(0.5, 1.3), rng.uniform(0.5, 1.3)
    rough = 1 + rng.normal(0, 0.05, 18)
    outline = (
        quad.mean(axis=0) + np.outer(np.cos(angle) * a * rough, across) + np.outer(np.sin(angle) * b * rough, down)
    )
    convex = cv2.convexHull(outline.astype(np.float32))[:, 0]
    return _slid(quad, convex, wanted, share, rng)


def misplaced(
    quad: NDArray[np.float32], height: float, rng: np.random.Generator, size: float = 1.0
) -> NDArray[np.float32]:
    """`quad` as the eyes would have it: a little off at every corner, as a whole, and too large or too small."""
    middle = quad.mean(axis=0)
    grown = 1 + (rng.uniform(-0.05, 0.04) if rng.random() < 0.5 else rng.normal(0, 0.01)) * size
    loose = rng.normal(0, 0.011 * height * size, (4, 2)) + rng.normal(0, 0.011 * height * size, 2)
    return np.asarray((quad - middle) * grown + middle + loose, np.float32)
