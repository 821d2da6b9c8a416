"""Marks of light by which a watch tells what moved: what they look like, and seeing them where they are expected."""

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import opencv

DICTIONARY: Final = "DICT_5X5_1000"
FIRST: Final = 900
"""The number of the mark beside printed marker 0."""
_FINE: Final = 4  # samples a cell
REACH: Final = 5
"""Cells to each side: so far a mark may have moved."""
_ALIKE: Final = 0.6
"""Least correlation with the mark that should be there; cloth and other marks reach about 0.4."""


def find_near(
    grey: NDArray[np.float32], expected_px: NDArray[np.float64], number: int, reach: int = REACH
) -> NDArray[np.float64] | None:
    """Corners of a mark, px (4, 2), in a picture float32 (H, W), by its likeness to the mark that is expected there.

    It is found where it is faint or small, or where a part of it is hidden, and detecting markers fails. The whole of
    the mark says how far it lies from where it is expected, so the same mark is found at the same place again, to some
    hundredths of a px; its shape is taken as expected. `expected_px` are its corners as foreseen, clockwise from its
    own top left; `number` is its number in the dictionary. None where nothing within `reach` of its cells looks
    like it.
    """
    template, cells = _template(number)
    unit = np.array([[0, 0], [cells, 0], [cells, cells], [0, cells]], dtype=np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(unit, expected_px.astype(np.float32)), dtype=np.float64)
    low, size = -1.0 - reach, (cells + 2 + 2 * reach) * _FINE
    at = low + (np.arange(size) + 0.5) / _FINE
    grid = np.stack(np.meshgrid(at, at), axis=-1).reshape(1, -1, 2)
    px = cv2.perspectiveTransform(grid, matrix)[0].astype(np.float32).reshape(size, size, 2)
    warped = cv2.remap(grey, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = np.asarray(warped, dtype=np.float32)
    alike = np.asarray(cv2.matchTemplate(seen, template, cv2.TM_CCOEFF_NORMED), dtype=np.float64)
    row, column = (int(i) for i in np.unravel_index(int(np.argmax(alike)), alike.shape))
    if not np.isfinite(alike).all() or alike[row, column] < _ALIKE:
        return None
    if not (0 < row < alike.shape[0] - 1 and 0 < column < alike.shape[1] - 1):
        return None
    down, across = _peak(alike[row - 1 : row + 2, column]), _peak(alike[row, column - 1 : column + 2])
    shift = np.array([column + across, row + down]) / _FINE - reach
    if _inner(seen, row, column, number) < _ALIKE:
        return None
    return np.asarray(cv2.perspectiveTransform((unit.astype(np.float64) + shift)[None], matrix)[0], dtype=np.float64)


def _inner(seen: NDArray[np.float32], row: int, column: int, number: int) -> float:
    """Correlation of the cells within the border, which tell one mark from another, and from a printed marker."""
    light = (~opencv.marker_cells(DICTIONARY, number)).astype(np.float64)[1:-1, 1:-1]
    side, low = len(light), 2 * _FINE
    part = seen[row + low : row + low + side * _FINE, column + low : column + low + side * _FINE]
    cells = part.reshape(side, _FINE, side, _FINE).mean(axis=(1, 3), dtype=np.float64)
    spread = float(cells.std() * light.std())
    return float(np.mean((cells - cells.mean()) * (light - light.mean()))) / spread if spread > 1e-6 else 0.0


def _peak(values: NDArray[np.float64]) -> float:
    """Where a parabola through three values is highest, -0.5 to 0.5 of a step from the middle one."""
    bend = values[0] - 2 * values[1] + values[2]
    return 0.0 if bend >= 0 else float(np.clip(0.5 * (values[0] - values[2]) / bend, -0.5, 0.5))


@lru_cache(maxsize=64)
def _template(number: int) -> tuple[NDArray[np.float32], int]:
    """A mark on its light ground, one cell of it around, `_FINE` samples a cell and a little soft; and its cells."""
    black = opencv.marker_cells(DICTIONARY, number)
    light = np.pad(~black, 1, constant_values=True).astype(np.float32)
    large = np.kron(light, np.ones((_FINE, _FINE), dtype=np.float32))
    return np.asarray(cv2.GaussianBlur(large, (0, 0), 0.35 * _FINE), dtype=np.float32), len(black)
