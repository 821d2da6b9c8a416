"""Moves the sides of a card's outline onto the edge that shows there: the outermost, not a printed frame."""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

_REACH: Final = 0.06  # of the card's width: so far to either side an edge is looked for
_STEPS: Final = 31
_CLEAR: Final = 0.35  # share of the greatest step from which one further out is the edge
_LEAST: Final = 3.0  # levels a step must have at least
_PARTS: Final = ((0.10, 0.36), (0.37, 0.63), (0.64, 0.90))  # of each side, each giving a point of its line


def settled(image: NDArray[np.uint8], quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """`quad` (4, 2) px, clockwise, with each side on the outermost clear step of `image`, uint8 (H, W, 3) BGR, near it.

    As it was where no edge shows, or what shows makes no card of it.
    """
    width = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
    reach = _REACH * width
    lines = [_line(image, quad[k].astype(np.float64), quad[(k + 1) % 4].astype(np.float64), reach) for k in range(4)]
    corners = []
    for (a, p), (b, q) in zip((lines[-1], *lines[:-1]), lines, strict=True):
        across = a[0] * b[1] - a[1] * b[0]
        if abs(across) < 0.2:
            return quad
        t = ((q[0] - p[0]) * b[1] - (q[1] - p[1]) * b[0]) / across
        corners.append(p + t * a)
    out = np.asarray(np.stack(corners), np.float32)
    return out if float(np.linalg.norm(out - quad, axis=1).max()) < 1.6 * reach else quad


def _line(
    image: NDArray[np.uint8], start: NDArray[np.float64], end: NDArray[np.float64], reach: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Direction (of length 1) of a side's edge and a point on it."""
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    outward = np.array([along[1], -along[0]])
    offsets = np.linspace(-reach, reach, _STEPS)
    points = []
    for low, high in _PARTS:
        spots = start + np.linspace(low, high, 12)[:, None] * (end - start)
        grid = (spots[:, None] + offsets[None, :, None] * outward).astype(np.float32)
        seen = cv2.remap(image, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        points.append(spots.mean(axis=0) + _edge(seen.astype(np.float32).mean(axis=0), offsets) * outward)
    line: Any = cv2.fitLine(np.asarray(points, np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).reshape(-1)
    direction = np.asarray(line[:2], np.float64)
    return direction if direction @ along > 0 else -direction, np.asarray(line[2:], np.float64)


def _edge(profile: NDArray[np.float32], offsets: NDArray[np.float64]) -> float:
    """Where along `offsets` (N,) the outermost clear step of a profile (N, 3) is; 0 if there is none."""
    smooth = cv2.GaussianBlur(profile[None], (5, 1), 1.0)[0].reshape(len(offsets), -1)
    steps = np.abs(np.diff(smooth, axis=0)).max(axis=1)
    if float(steps.max()) * 4 < _LEAST:
        return 0.0
    peaks = [
        i
        for i in range(1, len(steps) - 1)
        if steps[i] >= steps[i - 1] and steps[i] >= steps[i + 1] and steps[i] >= _CLEAR * float(steps.max())
    ]
    return float((offsets[max(peaks)] + offsets[max(peaks) + 1]) / 2) if peaks else 0.0
