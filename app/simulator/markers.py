"""Markers printed beside the simulated mat, as the camera sees them."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from calibration.profile import Markers

_PAPER: Final = (228, 232, 234)
_INK: Final = (30, 28, 28)
_SLEEVE: Final = (96, 62, 48)
_QUIET: Final = 0.2  # white around a marker, of its side
_SLEEVE_MM: Final = 42.0
_FINE: Final = 4.0  # px a mm of the sheet that is looked at


def print_markers(
    picture: NDArray[np.uint8],
    markers: Markers,
    table_mm: tuple[NDArray[np.float32], NDArray[np.float32]],
    px_per_mm: float,
    hidden: frozenset[int] = frozenset(),
) -> None:
    """Draws the markers into a camera picture, uint8 (H, W, 3) BGR; `table_mm` are x and y of every px, float32 (H, W).

    Those in `hidden` have a sleeve on them.
    """
    for number, (x, y) in markers.centres_mm.items():
        if number in hidden:
            picture[(table_mm[0] - x) ** 2 + (table_mm[1] - y) ** 2 < _SLEEVE_MM**2] = _SLEEVE
            continue
        sheet = _sheet(markers, number, px_per_mm)
        half = sheet.shape[0] / 2 / _FINE
        near = (np.abs(table_mm[0] - x) < half) & (np.abs(table_mm[1] - y) < half)
        rows, columns = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
        if rows.size == 0:
            continue
        here = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        u = ((table_mm[0][here] - np.float32(x - half)) * np.float32(_FINE) - np.float32(0.5)).astype(np.float32)
        v = ((np.float32(y + half) - table_mm[1][here]) * np.float32(_FINE) - np.float32(0.5)).astype(np.float32)
        seen = cv2.remap(sheet, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        np.copyto(picture[here], np.asarray(seen, dtype=np.uint8), where=near[here][..., None])


def _sheet(markers: Markers, number: int, px_per_mm: float) -> NDArray[np.uint8]:
    """A marker with the white around it, uint8 (N, N, 3), as soft as the camera's px make it."""
    cells = opencv.marker_cells(markers.dictionary, number)
    side = round(markers.size_mm * _FINE)
    quiet = round(_QUIET * side)
    black = cv2.resize(cells.astype(np.uint8), (side, side), interpolation=cv2.INTER_NEAREST)
    whole = np.pad(black, quiet)[..., None]
    sheet = np.where(whole > 0, np.array(_INK, np.uint8), np.array(_PAPER, np.uint8))
    return np.asarray(cv2.GaussianBlur(sheet, (0, 0), max(0.4, 0.4 * _FINE / px_per_mm)), dtype=np.uint8)
