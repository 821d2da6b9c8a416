"""The plane on which cards of one size lie, found from their outlines alone: no camera, no calibration."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

_LOOSE: Final = 0.16  # deviation of an outline's corners, in widths of a card, while the plane is still rough
_TIGHT: Final = 0.07  # the same in the end
_ROUNDS: Final = 8
_MOST_SEEDS: Final = 60


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """`mm_from_image` maps px to mm of the table, up to where the origin lies and how it is turned, (3, 3).

    `kept` are the outlines that are cards in it, `quads` (N, 4, 2) px the same as exact rectangles of a card's size.
    """

    mm_from_image: NDArray[np.float64]
    kept: tuple[int, ...]
    quads: NDArray[np.float32]
    deviations: NDArray[np.float64]


def find_plane(quads: NDArray[np.float32], weights: Sequence[float], card_mm: tuple[float, float]) -> Plane | None:
    """The plane on which most of `quads` (N, 4, 2) px, short side first, are rectangles as large as a card.

    `weights` (N,) say how much each counts. None where no two agree.
    """
    if len(quads) == 0:
        return None
    shape = _rectangle(card_mm)
    weight = np.asarray(weights, np.float64)
    best, most = None, 0.0
    for i in np.argsort(-weight, kind="stable")[:_MOST_SEEDS].tolist():
        start = _affine(quads[i], shape)
        agree = _deviations(quads, start, shape) < _LOOSE
        if float(weight[agree].sum()) > most:
            best, most = start, float(weight[agree].sum())
    if best is None:
        return None
    matrix = best
    for step in range(_ROUNDS):
        limit = _LOOSE + (_TIGHT - _LOOSE) * step / (_ROUNDS - 1)
        off = _deviations(quads, matrix, shape)
        inside = np.flatnonzero(off < limit)
        if len(inside) < 3:
            break
        target = np.concatenate([_fitted(_map(quads[i], matrix), shape) for i in inside])
        fit, _ = cv2.findHomography(quads[inside].reshape(-1, 2).astype(np.float64), target, 0)
        if fit is None or not np.all(np.isfinite(fit)):
            break
        matrix = np.asarray(fit, np.float64)
    off = _deviations(quads, matrix, shape)
    kept = np.flatnonzero(off < _TIGHT)
    back = np.asarray(np.linalg.inv(matrix), np.float64)
    exact = [_map(_fitted(_map(quads[i], matrix), shape), back) for i in kept]
    return Plane(
        matrix,
        tuple(kept.tolist()),
        np.asarray(np.stack(exact) if exact else np.zeros((0, 4, 2)), np.float32),
        off[kept],
    )


def resized(
    quads: NDArray[np.float32], plane: Plane, card_mm: tuple[float, float], grow_mm: float
) -> NDArray[np.float32]:
    """`quads` (N, 4, 2) px as rectangles larger than a card by `grow_mm` on each side."""
    shape = _rectangle(card_mm)
    larger = np.asarray(shape * (1 + 2 * grow_mm / np.array(card_mm)), np.float64)
    back = np.asarray(np.linalg.inv(plane.mm_from_image), np.float64)
    out = [_map(_fitted(_map(quad, plane.mm_from_image), shape, larger), back) for quad in quads]
    return np.asarray(np.stack(out) if out else np.zeros((0, 4, 2)), np.float32)


def _rectangle(card_mm: tuple[float, float]) -> NDArray[np.float64]:
    """A card's corners (4, 2) mm around its middle, clockwise where y points down."""
    return np.asarray(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(card_mm) / 2, np.float64)


def _map(points: NDArray[Any], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[None], matrix)[0], np.float64)


def _affine(quad: NDArray[np.float32], shape: NDArray[np.float64]) -> NDArray[np.float64]:
    """The affine map, as (3, 3), that brings `quad` nearest to a card's rectangle."""
    source = np.concatenate([quad.astype(np.float64), np.ones((4, 1))], axis=1)
    solved, *_ = np.linalg.lstsq(source, shape, rcond=None)
    return np.asarray(np.vstack([solved.T, [0.0, 0.0, 1.0]]), np.float64)


def _fitted(
    corners: NDArray[np.float64], shape: NDArray[np.float64], drawn: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """`shape` (or `drawn` in its stead) turned and moved onto `corners` (4, 2) mm as well as possible."""
    middle = corners.mean(axis=0)
    u, _, v = np.linalg.svd(shape.T @ (corners - middle))
    turn = u @ np.diag([1.0, np.sign(np.linalg.det(u @ v))]) @ v
    return np.asarray((shape if drawn is None else drawn) @ turn + middle, np.float64)


def _deviations(
    quads: NDArray[np.float32], matrix: NDArray[np.float64], shape: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How far the corners of each quad are from a card's, in widths of a card, (N,); inf behind the horizon."""
    flat = _map(quads.reshape(-1, 2), matrix).reshape(-1, 4, 2)
    w = quads.astype(np.float64) @ matrix[2, :2] + matrix[2, 2]
    out = np.full(len(quads), np.inf)
    for i in range(len(quads)):
        if np.all(w[i] > 0) and np.all(np.isfinite(flat[i])):
            out[i] = np.linalg.norm(flat[i] - _fitted(flat[i], shape), axis=1).max() / (2 * shape[1, 0])
    return out
