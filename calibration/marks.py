"""Marks of light beside the printed markers, by which a watch tells what moved, and seeing both in a picture."""

from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from calibration.marker_edges import refine
from calibration.mat_pose import marker_corners_mm, see_markers
from calibration.profile import Markers
from calibration.projector_map import ProjectorMap

DICTIONARY: Final = "DICT_5X5_1000"
FIRST: Final = 900
"""The number of the mark beside printed marker 0."""
_SIDE_MM: Final = 28.0
_GAP_MM: Final = 6.0
_FINE: Final = 8  # px a module of the picture that is warped
_AROUND: Final = 1.7  # sides of a marker: so far around it the mark beside it is looked for

Corners = dict[int, NDArray[np.float64]]


def marks_mm(markers: Markers) -> Corners:
    """Corners of the mark beside each printed marker, towards the mat's middle, table mm, shape (4, 2), by number."""
    away = markers.size_mm * 0.7 + _GAP_MM + _SIDE_MM * 0.7
    places = {}
    for number, (x, y) in markers.centres_mm.items():
        centre = (x - away * float(np.sign(x)), y)
        places[number] = marker_corners_mm(Markers(markers.dictionary, _SIDE_MM, {number: centre}), number)
    return places


def marks_picture(
    markers: Markers, fitted: ProjectorMap, size_px: tuple[int, int], value: int = 255
) -> NDArray[np.uint8]:
    """What to project so that the marks lie where `marks_mm` says, uint8 (H, W), each on a light ground."""
    picture = np.zeros((size_px[1], size_px[0]), dtype=np.uint8)
    for number, corners in marks_mm(markers).items():
        light = np.pad(~opencv.marker_cells(DICTIONARY, FIRST + number), 1, constant_values=True)
        side = light.shape[0]
        tile = np.kron(light.astype(np.uint8) * np.uint8(value), np.ones((_FINE, _FINE), dtype=np.uint8))
        middle = corners.mean(axis=0)
        outer = fitted.map(middle + (corners - middle) * side / (side - 2))
        end = side * _FINE - 0.5
        edge = np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], dtype=np.float32)
        matrix = cv2.getPerspectiveTransform(edge, outer.astype(np.float32))
        warped = cv2.warpPerspective(tile, matrix, size_px, flags=cv2.INTER_AREA)
        picture = np.maximum(picture, np.asarray(warped, dtype=np.uint8))
    return picture


def look(
    grey: NDArray[np.float32], markers: Markers, near_px: Mapping[int, NDArray[np.float64]] | None = None
) -> tuple[Corners, Corners]:
    """Printed markers and marks of light in a picture float32 (H, W): corners in distorted px (4, 2) by number.

    With `near_px` (corners as last seen) only the surroundings of each marker are searched, which takes a few ms; what
    is not found there is searched everywhere.
    """
    if near_px:
        printed: Corners = {}
        projected: Corners = {}
        for number, quad in near_px.items():
            reach = int(_AROUND * np.ptp(quad, axis=0).max())
            low = np.maximum(quad.min(axis=0).astype(int) - reach, 0)
            high = quad.max(axis=0).astype(int) + reach
            part = np.ascontiguousarray(grey[low[1] : high[1], low[0] : high[0]])
            if min(part.shape) < 16:
                continue
            own, light = look(part, markers)
            printed |= {n: q + low for n, q in own.items() if n == number}
            projected |= {n: q + low for n, q in light.items() if n == number}
        if len(printed) >= 2:
            return printed, projected
    values = np.asarray(np.clip(np.rint(grey), 0, 255), dtype=np.uint8)
    lights: Corners = {}
    for number, corners in opencv.detect_some(values, DICTIONARY, FIRST, max(markers.centres_mm) + 1):
        if number - FIRST in markers.centres_mm:
            fine = refine(grey, corners)
            lights[number - FIRST] = corners if fine is None else fine
    return see_markers(grey, markers), lights
