"""Where there is still room on the mat: nothing that is read may lie on a card or under another text."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from projection.scene import Point

MARGIN_MM: Final = 4.0
"""No text and no badge comes nearer to the mat's edge."""
_CELL_MM: Final = 4.0


@dataclass(frozen=True, slots=True)
class Turned:
    """The mat as one reader sees it: u to the reader's right, v away from the reader, mm, the same origin."""

    facing_deg: float

    def table(self, u: float, v: float) -> Point:
        """The point of the table at (u, v) of the reader."""
        c, s = math.cos(math.radians(self.facing_deg)), math.sin(math.radians(self.facing_deg))
        return (u * c - v * s, u * s + v * c)

    def local(self, x_mm: float, y_mm: float) -> Point:
        """What the reader sees of the table point (x, y)."""
        c, s = math.cos(math.radians(self.facing_deg)), math.sin(math.radians(self.facing_deg))
        return (x_mm * c + y_mm * s, -x_mm * s + y_mm * c)

    def box(self, u: float, v: float, width_mm: float, height_mm: float) -> tuple[Point, ...]:
        """The corners in table mm of a box centred on (u, v) of the reader, anticlockwise from the lower left."""
        w, h = width_mm / 2, height_mm / 2
        return tuple(self.table(u + a, v + b) for a, b in ((-w, -h), (w, -h), (w, h), (-w, h)))


class Room:
    """The free parts of a mat. What is placed is blocked, so the next finds other room."""

    def __init__(self, mat_mm: tuple[float, float]) -> None:
        self._half = mat_mm[0] / 2 - MARGIN_MM, mat_mm[1] / 2 - MARGIN_MM
        self._blocked: list[tuple[tuple[Point, ...], Point, float]] = []

    def block(self, polygon: Iterable[Point]) -> None:
        """Keep this polygon of the table free of what comes later."""
        points = tuple(polygon)
        x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
        self._blocked.append((points, (x, y), max(math.dist((x, y), p) for p in points)))

    def is_free(self, polygon: Sequence[Point]) -> bool:
        """Whether a convex polygon lies on the mat and touches nothing that is blocked (blocked ones convex, too)."""
        w, h = self._half
        if any(abs(x) > w or abs(y) > h for x, y in polygon):
            return False
        x, y = sum(p[0] for p in polygon) / len(polygon), sum(p[1] for p in polygon) / len(polygon)
        reach = max(math.dist((x, y), p) for p in polygon)
        return not any(
            math.dist((x, y), centre) < reach + radius and meet(polygon, points)
            for points, centre, radius in self._blocked
        )

    def mask(self, layout: Layout, seat: int, strict: bool = True, keep: Iterable[Sequence[Point]] = ()) -> "Mask":
        """The free cells as a reader sees them, without `keep`.

        `strict`: outside all zones and on the seat's own part of the mat.
        """
        cells = _ground(layout, seat, strict).copy()
        turned = Turned(layout.seats[seat].facing_deg)
        low = -cells.shape[0] * _CELL_MM / 2
        for points in (*(blocked for blocked, _, _ in self._blocked), *keep):
            _paint(cells, turned, points, low)
        return Mask(cells, low)


@dataclass(frozen=True, slots=True, eq=False)
class Mask:
    """Cells of the mat as a reader sees them, uint8 (V, U): 0 is free; `low` is the least u and v in mm."""

    cells: NDArray[np.uint8]
    low: float

    def find(self, width_mm: float, height_mm: float, near: Point) -> Point | None:
        """The centre (u, v) of the free box of this size that lies nearest to `near`, or None."""
        w, h = math.ceil(width_mm / _CELL_MM), math.ceil(height_mm / _CELL_MM)
        n = self.cells.shape[0]
        if w > n or h > n or w < 1 or h < 1:
            return None
        total = cv2.integral(self.cells)
        taken = total[h:, w:] - total[:-h, w:] - total[h:, :-w] + total[:-h, :-w]
        rows, columns = np.nonzero(taken == 0)
        if rows.size == 0:
            return None
        u = self.low + (columns + w / 2) * _CELL_MM
        v = self.low + (rows + h / 2) * _CELL_MM
        best = int(np.argmin(np.hypot(u - near[0], v - near[1])))
        return float(u[best]), float(v[best])


def meet(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """Whether two convex polygons have a common inner point (separating axes)."""
    for polygon in (a, b):
        for i, (x, y) in enumerate(polygon):
            nx, ny = y - polygon[i - 1][1], polygon[i - 1][0] - x
            one = [nx * p[0] + ny * p[1] for p in a]
            two = [nx * p[0] + ny * p[1] for p in b]
            if max(one) <= min(two) + 1e-9 or max(two) <= min(one) + 1e-9:
                return False
    return True


@lru_cache(maxsize=32)
def _ground(layout: Layout, seat: int, strict: bool) -> NDArray[np.uint8]:
    """Cells of the bare mat as the reader at `seat` sees them, uint8 (V, U): 0 is free for this reader's text."""
    turned = Turned(layout.seats[seat].facing_deg)
    width, height = layout.mat_mm[0] / 2 - MARGIN_MM, layout.mat_mm[1] / 2 - MARGIN_MM
    n = 2 * math.ceil(math.hypot(width, height) / _CELL_MM) + 2
    low = -n * _CELL_MM / 2
    axis = low + (np.arange(n) + 0.5) * _CELL_MM
    u, v = np.meshgrid(axis, axis)
    c, s = math.cos(math.radians(turned.facing_deg)), math.sin(math.radians(turned.facing_deg))
    half = _CELL_MM / 2 * (abs(c) + abs(s)) - 1e-6
    cells: NDArray[np.uint8] = (
        (np.abs(u * c - v * s) > width - half) | (np.abs(u * s + v * c) > height - half)
    ).astype(np.uint8)
    if not strict:
        return cells
    away = []
    for other in range(len(layout.seats)):
        distance = np.ones((n, n), dtype=np.uint8)
        for zone in layout.zones:
            if zone.place.seat == other:
                _paint(distance, turned, zone.polygon_mm, low, 0)
        away.append(cv2.distanceTransform(distance, cv2.DIST_L2, 5) if not distance.all() else None)
    mine = away[seat]
    for other, rival in enumerate(away):
        if other != seat and mine is not None and rival is not None:
            cells[rival < mine] = 1
    for zone in layout.zones:
        _paint(cells, turned, zone.polygon_mm, low)
    return cells


def _paint(cells: NDArray[np.uint8], turned: Turned, polygon: Iterable[Point], low: float, value: int = 1) -> None:
    """Set the cells that a polygon of the table touches."""
    points = np.array([turned.local(*p) for p in polygon])
    fixed = np.round(((points - low) / _CELL_MM - 0.5) * 16).astype(np.int32)
    cv2.fillPoly(cells, [fixed], value, cv2.LINE_8, 4)
