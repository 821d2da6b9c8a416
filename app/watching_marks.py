"""Marks of light towards the mat's corners, by which a moved projector is seen: where they go, and their shapes."""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from calibration.layout import Layout
from calibration.marks import DICTIONARY, FIRST
from calibration.mat_markers import corner_numbers
from calibration.mat_pose import marker_corners_mm
from calibration.profile import Markers
from calibration.spots import slots
from projection.scene import BLACK, RGB, Fill, Point

Places = Mapping[int, NDArray[np.float64]]
"""Corners of marks in table mm by the number of the printed marker in the same corner, each (4, 2), far left first."""

_LIGHT: Final[RGB] = (210, 210, 210)
_SIDE_MM: Final = 28.0
_GROUND_MM: Final = 36.0
_ROOM_MM: Final = 22.0  # from its middle to what must stay clear
_STEP_MM: Final = 8.0


def mark_places(layout: Layout, markers: Markers) -> dict[int, NDArray[np.float64]]:
    """Where the marks go: for each corner of the mat the nearest place outside all zones and spots.

    A corner without such a place has none.
    """
    width, height = layout.mat_mm
    found = {}
    for number, (right, far) in zip(corner_numbers(markers), ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        across = np.arange(width / 2 - _ROOM_MM, _ROOM_MM, -_STEP_MM)
        away = np.arange(height / 2 - _ROOM_MM, _ROOM_MM, -_STEP_MM)
        nearest = sorted((math.hypot(width / 2 - x, height / 2 - y), right * x, far * y) for x in across for y in away)
        centre = next(((float(x), float(y)) for _, x, y in nearest if _is_free(layout, float(x), float(y))), None)
        if centre is not None:
            found[number] = marker_corners_mm(Markers(DICTIONARY, _SIDE_MM, {number: centre}), number)
    return found


def _is_free(layout: Layout, x: float, y: float) -> bool:
    """Whether neither a zone nor a spot comes near."""
    steps = np.linspace(-_ROOM_MM, _ROOM_MM, 7).tolist()
    if any(layout.place_at(x + a, y + b) is not None for a in steps for b in steps):
        return False
    return all(math.dist((sx, sy), (x, y)) > reach + _ROOM_MM * 1.42 for own in slots(layout) for sx, sy, reach in own)


def mark_shapes(places: Places) -> tuple[Fill, ...]:
    """The marks: of each its light ground, the dark mark on it, its light cells in rows."""
    shapes: list[Fill] = []
    for number, corners in places.items():
        black = opencv.marker_cells(DICTIONARY, FIRST + number)
        side = len(black)
        left, far = corners[0].tolist()
        cell = float(np.ptp(corners[:, 0])) / side

        def box(
            u0: float, v0: float, u1: float, v1: float, at: Point = (left, far), size: float = cell
        ) -> tuple[Point, ...]:
            """Cells u0 to u1 from the left, v0 to v1 from the far side."""
            x0, x1, y0, y1 = at[0] + u0 * size, at[0] + u1 * size, at[1] - v0 * size, at[1] - v1 * size
            return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))

        shapes += [Fill(box(-1, -1, side + 1, side + 1), _LIGHT), Fill(box(0, 0, side, side), BLACK)]
        for row in range(side):
            column = 0
            while column < side:
                if black[row, column]:
                    column += 1
                    continue
                start = column
                while column < side and not black[row, column]:
                    column += 1
                shapes.append(Fill(box(start, row, column, row + 1), _LIGHT))
    return tuple(shapes)


def mark_grounds(places: Places) -> tuple[tuple[Point, ...], ...]:
    """The ground of each mark, which stays free of other light: corners in table mm."""
    found = []
    for corners in places.values():
        middle = corners.mean(axis=0)
        grown = middle + (corners - middle) * _GROUND_MM / _SIDE_MM
        found.append(tuple((float(x), float(y)) for x, y in grown))
    return tuple(found)
