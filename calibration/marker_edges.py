"""Corners of a printed marker to a few hundredths of a px, by its edges and not by its corners."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

_EDGE_MARGIN: Final = 0.14
"""Share of an edge at either end that is left out: corners are rounded by blur."""


def refine(grey: NDArray[np.uint8] | NDArray[np.float32], quad_px: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The corners of a dark marker to a few hundredths of a px, shape (4, 2), from rough ones; None where unclear.

    Each edge is a line through the places of steepest change across it; corners are where lines meet, so that neither
    blur nor noise at the corner itself counts.
    """
    lines = [_edge(grey, quad_px[i], quad_px[(i + 1) % 4]) for i in range(4)]
    out = np.empty((4, 2))
    for i in range(4):
        before, after = lines[i - 1], lines[i]
        if before is None or after is None:
            return None
        normals = np.stack([before[0], after[0]])
        if abs(np.linalg.det(normals)) < 0.1:
            return None
        out[i] = np.linalg.solve(normals, np.array([before[1], after[1]]))
    return out if np.abs(out - quad_px).max() < 0.12 * np.abs(np.ptp(quad_px, axis=0)).max() + 1.5 else None


def _edge(
    grey: NDArray[np.uint8] | NDArray[np.float32], start: NDArray[np.float64], end: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float] | None:
    """The line n·p = d along an edge whose right side (as it runs, y down) is the dark marker; None where unclear."""
    along = end - start
    length = float(np.hypot(*along))
    if length < 8:
        return None
    along = along / length
    normal = np.array([along[1], -along[0]])  # to the left of the way: out of a marker that runs clockwise
    reach = float(np.clip(length / 14, 2.0, 4.0))
    places = np.linspace(_EDGE_MARGIN * length, (1 - _EDGE_MARGIN) * length, max(6, int(length)))
    across = np.arange(-reach - 1, reach + 1.01, 0.5)
    points = start + places[:, None, None] * along + across[None, :, None] * normal
    seen = cv2.remap(grey, points[..., 0].astype(np.float32), points[..., 1].astype(np.float32), cv2.INTER_LINEAR)
    light = (seen.astype(np.float64) / 16) ** 2  # about linear: where a camera's curve is left in, dark edges creep in
    slope = np.clip(np.diff(light, axis=1), 0, None)
    middle = (across[:-1] + across[1:]) / 2
    weight = slope.sum(axis=1)
    if np.median(weight) < 2:
        return None
    good = weight > 0.4 * np.median(weight)
    offset = (slope[good] @ middle) / weight[good]
    at = places[good]
    keep = np.abs(offset - np.median(offset)) < 1.5
    for _ in range(3):
        if keep.sum() < 5:
            return None
        tilt, shift = np.polyfit(at[keep], offset[keep], 1)
        left = np.abs(offset - (tilt * at + shift))
        keep = left <= max(0.1, 2.5 * float(np.sqrt(np.mean(left[keep] ** 2))))
    a, b = start + shift * normal, start + length * along + (shift + tilt * length) * normal
    way = (b - a) / np.hypot(*(b - a))
    perpendicular = np.array([way[1], -way[0]])
    return perpendicular, float(perpendicular @ a)
