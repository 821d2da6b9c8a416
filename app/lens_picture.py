"""The live picture of the lens step: the board's corners as found, what of the picture is covered, how many views."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import BoardView
from calibration.coverage import COLUMNS, ENOUGH, ROWS, Coverage, cells_of, coverage
from calibration.gathering import Gathering

_DONE: Final = (120, 200, 90)
_OPEN: Final = (80, 160, 255)
_CORNER: Final = (0, 220, 255)


def lens_picture(state: Gathering, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """`image`, uint8 (H, W, 3) BGR, with a tick in every part that is covered and a ring in every part still open.

    A view just taken flashes as a white frame for that one picture.
    """
    picture = np.ascontiguousarray(image.copy())
    seen = coverage(state.views)
    _draw_cells(picture, seen, state.last)
    if state.last is not None:
        for x, y in state.last.points_px.tolist():
            cv2.circle(picture, (round(x), round(y)), _scaled(picture, 4), _CORNER, -1, cv2.LINE_AA)
    _draw_count(picture, len(state.views))
    if state.taken:
        height, width = picture.shape[:2]
        cv2.rectangle(picture, (0, 0), (width - 1, height - 1), (255, 255, 255), _scaled(picture, 24))
    return picture


def _draw_cells(picture: NDArray[np.uint8], seen: Coverage, now: BoardView | None) -> None:
    """The grid: thin lines, ticks in covered parts, rings in open ones, a thick ring where the board is now."""
    height, width = picture.shape[:2]
    here = np.zeros((ROWS, COLUMNS), dtype=bool) if now is None else cells_of(now)
    for column in range(1, COLUMNS):
        x = round(width * column / COLUMNS)
        cv2.line(picture, (x, 0), (x, height), (160, 160, 160), 1)
    for row in range(1, ROWS):
        y = round(height * row / ROWS)
        cv2.line(picture, (0, y), (width, y), (160, 160, 160), 1)
    for row in range(ROWS):
        for column in range(COLUMNS):
            centre = round(width * (column + 0.5) / COLUMNS), round(height * (row + 0.5) / ROWS)
            if seen.cells[row][column]:
                _tick(picture, centre)
            else:
                thick = _scaled(picture, 8 if here[row, column] else 3)
                cv2.circle(picture, centre, _scaled(picture, 26), (0, 0, 0), thick + 2, cv2.LINE_AA)
                cv2.circle(picture, centre, _scaled(picture, 26), _OPEN, thick, cv2.LINE_AA)


def _tick(picture: NDArray[np.uint8], centre: tuple[int, int]) -> None:
    size = _scaled(picture, 20)
    x, y = centre
    low = size * 2 // 3
    stroke = np.array([(x - size, y), (x - size // 3, y + low), (x + size, y - low)], dtype=np.int32)
    for colour, thick in (((0, 0, 0), 9), (_DONE, 5)):
        cv2.polylines(picture, [stroke], False, colour, _scaled(picture, thick), cv2.LINE_AA)


def _draw_count(picture: NDArray[np.uint8], views: int) -> None:
    """A bar along the lower edge that fills with the views taken."""
    height, width = picture.shape[:2]
    low, high = height - _scaled(picture, 14), height - 1
    cv2.rectangle(picture, (0, low), (width - 1, high), (0, 0, 0), -1)
    cv2.rectangle(picture, (0, low), (round((width - 1) * min(1.0, views / ENOUGH)), high), _DONE, -1)


def _scaled(picture: NDArray[np.uint8], px_at_1080: int) -> int:
    return max(1, round(px_at_1080 * int(picture.shape[0]) / 1080))
