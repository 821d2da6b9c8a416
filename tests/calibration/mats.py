"""Rendered pictures of a mat with printed markers under a camera whose place is known."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.opencv import marker_cells
from calibration.profile import Markers
from calibration.view import TableView
from tests.calibration.boards import Sheet, photograph, plane_mm
from tests.calibration.rigs import Rig

_PX_PER_MM = 4.0
_EDGE_MM = 60.0


@dataclass(frozen=True, slots=True)
class Print:
    """How the mat came out and lies: `turned` by quarters, `hidden` and `swapped` markers by number, `scale` of all.

    `moved_mm` shifts single markers, as laid by hand.
    """

    scale: tuple[float, float] = (1.0, 1.0)
    hidden: tuple[int, ...] = ()
    swapped: tuple[int, int] | None = None
    turned: Mapping[int, int] = field(default_factory=dict)
    moved_mm: Mapping[int, tuple[float, float]] = field(default_factory=dict)


PLAIN = Print()


def mat_picture(
    view: TableView,
    markers: Markers,
    size_px: tuple[int, int] = (1920, 1080),
    how: Print = PLAIN,
    seed: int = 0,
    noise: float = 2.0,
) -> NDArray[np.uint8]:
    """A grey picture, uint8 (H, W), of the mat as the camera of `view` sees it."""
    x, y = plane_mm(view.lens, view.table_from_camera.inverse.matrix, size_px)
    return photograph(sheet(markers, how), x, -y, size_px, seed, 0.7, noise)


def sheet(markers: Markers, how: Print = PLAIN) -> Sheet:
    """The mat from above, far edge at the top."""
    reach = [max(abs(c[axis]) for c in markers.centres_mm.values()) + markers.size_mm + _EDGE_MM for axis in (0, 1)]
    picture = np.full((round(2 * reach[1] * _PX_PER_MM), round(2 * reach[0] * _PX_PER_MM)), 90, dtype=np.uint8)
    names = dict(zip(how.swapped, how.swapped[::-1], strict=True)) if how.swapped else {}
    for number, (x, y) in markers.centres_mm.items():
        if number in how.hidden:
            continue
        cells = np.rot90(marker_cells(markers.dictionary, names.get(number, number)), how.turned.get(number, 0))
        shift = how.moved_mm.get(number, (0.0, 0.0))
        centre = np.array([x + shift[0], y + shift[1]]) * how.scale
        _put(picture, reach, cells, centre, markers.size_mm * how.scale[0])
    return Sheet(picture, _PX_PER_MM, (-reach[0], -reach[1]))


def _put(
    picture: NDArray[np.uint8],
    reach: list[float],
    cells: NDArray[np.bool_],
    centre: NDArray[np.float64],
    size_mm: float,
) -> None:
    """Prints a marker with white around it, exact to a fraction of a px."""
    white = np.where(np.pad(cells, 1, constant_values=False), 20, 235).astype(np.uint8)
    large = np.kron(white, np.ones((32, 32), dtype=np.uint8))
    cell = size_mm / cells.shape[0] * _PX_PER_MM / 32
    x = (centre[0] + reach[0]) * _PX_PER_MM - (large.shape[1] / 2) * cell
    y = (reach[1] - centre[1]) * _PX_PER_MM - (large.shape[0] / 2) * cell
    left, top = int(np.floor(x)), int(np.floor(y))
    size = int(np.ceil(large.shape[0] * cell)) + 2
    move = np.array([[cell, 0, x - left + cell / 2 - 0.5], [0, cell, y - top + cell / 2 - 0.5]])
    part = picture[top : top + size, left : left + size]
    patch = cv2.warpAffine(large, move, (size, size), part.copy(), cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    part[:] = patch


def seen_by(rig: Rig, markers: Markers, how: Print = PLAIN, seed: int = 0, count: int = 1) -> list[NDArray[np.uint8]]:
    """Pictures of the mat by a camera of `rigs`."""
    return [mat_picture(rig.view, markers, how=how, seed=seed * 10 + i) for i in range(count)]
