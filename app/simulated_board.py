"""A simulated person who holds the lens board into the picture of a simulated camera, here and there, tilted."""

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from calibration.board import Board
from calibration.lens import Lens

STEP_S: Final = 0.15
"""From picture to picture: a person waits for the computer, not the other way round."""
_HELD: Final = 3  # pictures at each place: the board comes, is seen still, is taken
_PX_PER_MM: Final = 8.0
_MARGIN_MM: Final = 12.0  # white paper around the squares
_COLUMNS, _ROWS = 4, 3  # of places over the picture
_KNOTS: Final = (49, 33)
_MOST_OFF_AXIS: Final = 1.15  # beyond, lens models bend back


class BoardHolder:
    """Gives the pictures of a camera with this lens over `background`, uint8 (H, W, 3) BGR. Deterministic by `seed`."""

    def __init__(self, board: Board, lens: Lens, background: NDArray[np.uint8], noise: float, seed: int) -> None:
        self._board, self._lens, self._background, self._noise = board, lens, background, noise
        self._rng = np.random.default_rng([seed, 907])
        self._sheets = _sheets(board)
        self._clean = background
        self._count = 0

    def look(self) -> tuple[NDArray[np.uint8], float]:
        """The next picture, uint8 (H, W, 3) BGR, and its time in seconds."""
        if self._count % _HELD == 0:
            self._clean = self._drawn(self._count // _HELD)
        self._count += 1
        grain = self._rng.normal(0, self._noise, (*self._clean.shape[:2], 1)).astype(np.float32)
        noisy = cv2.add(self._clean, np.repeat(grain, 3, axis=2), dtype=cv2.CV_8U)
        return np.asarray(noisy, dtype=np.uint8), self._count * STEP_S

    def _drawn(self, place: int) -> NDArray[np.uint8]:
        """The picture with the board at its next place."""
        matrix = self._pose(place)
        height, width = self._background.shape[:2]
        columns, rows = np.linspace(0, width - 1, _KNOTS[0]), np.linspace(0, height - 1, _KNOTS[1])
        ideal = self._lens.undistort(np.stack(np.meshgrid(columns, rows), axis=-1))
        mm = _mapped(np.asarray(np.linalg.inv(matrix), dtype=np.float64), ideal)
        at = [np.linspace(0, count - 1, side) for count, side in zip(_KNOTS, (width, height), strict=True)]
        u, v = (part.astype(np.float32) for part in np.meshgrid(*at))
        x, y = (cv2.remap(np.ascontiguousarray(mm[..., i].astype(np.float32)), u, v, cv2.INTER_LINEAR) for i in (0, 1))
        sheet, scale = self._sheet(matrix)
        across, down = (x + _MARGIN_MM) * scale - 0.5, (y + _MARGIN_MM) * scale - 0.5
        seen = cv2.remap(sheet, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
        inside = (across > 0) & (down > 0) & (across < sheet.shape[1] - 1) & (down < sheet.shape[0] - 1)
        front = np.linalg.norm((ideal - self._lens.K[:2, 2]) / self._lens.K[0, 0], axis=-1) < _MOST_OFF_AXIS
        inside &= cv2.remap(front.astype(np.float32), u, v, cv2.INTER_LINEAR) > 0.99
        level = np.asarray(20 + 0.75 * seen.astype(np.float32))
        picture = np.where(inside[..., None], level[..., None], self._background.astype(np.float32))
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.6).clip(0, 255), dtype=np.uint8)

    def _pose(self, place: int) -> NDArray[np.float64]:
        """Undistorted camera px from board mm, (3, 3), for the board at a place of the picture, tilted 10 to 40°."""
        rng, lens = self._rng, self._lens
        height, width = self._background.shape[:2]
        focal = float(lens.K[0, 0])
        distance = self._board.size_mm[1] * focal / (rng.uniform(0.45, 0.8) * height)
        u = (place % _COLUMNS + rng.uniform(0.2, 0.8)) / _COLUMNS - 0.5
        v = (place // _COLUMNS % _ROWS + rng.uniform(0.2, 0.8)) / _ROWS - 0.5
        middle = np.array([u * width / focal, v * height / focal, 1.0]) * distance
        tilt, towards = math.radians(rng.uniform(10, 40)), rng.uniform(0, 2 * math.pi)
        turn = cv2.Rodrigues(tilt * np.array([math.cos(towards), math.sin(towards), 0.0]))[0]
        turn = turn @ cv2.Rodrigues(np.array([0.0, 0.0, rng.uniform(-0.3, 0.3)]))[0]
        corner = middle - turn @ [self._board.size_mm[0] / 2, self._board.size_mm[1] / 2, 0]
        return np.asarray(lens.K @ np.column_stack([turn[:, 0], turn[:, 1], corner]), dtype=np.float64)

    def _sheet(self, matrix: NDArray[np.float64]) -> tuple[NDArray[np.uint8], float]:
        """The printed board at a resolution a little above the camera's, and its px a mm."""
        w, h = self._board.size_mm
        ends = _mapped(matrix, np.array([[w / 2 - 10, h / 2], [w / 2 + 10, h / 2]]))
        wanted = 1.5 * float(np.linalg.norm(ends[1] - ends[0])) / 20
        return min(self._sheets, key=lambda one: (one[1] < wanted, abs(one[1] - wanted)))


def _sheets(board: Board) -> tuple[tuple[NDArray[np.uint8], float], ...]:
    """The board as printed at several resolutions, uint8 (H, W), with px a mm."""
    known = opencv.charuco_board(
        board.columns, board.rows, board.square_mm, board.marker_mm, board.dictionary, board.legacy
    )
    size = (round(board.size_mm[0] * _PX_PER_MM), round(board.size_mm[1] * _PX_PER_MM))
    margin = round(_MARGIN_MM * _PX_PER_MM)
    full = np.pad(np.asarray(known.generateImage(size, None, 0, 1), dtype=np.uint8), margin, constant_values=255)
    found = [(full, _PX_PER_MM)]
    for share in (2, 3, 4, 6):
        small = cv2.resize(full, None, fx=1 / share, fy=1 / share, interpolation=cv2.INTER_AREA)
        found.append((np.asarray(small, dtype=np.uint8), _PX_PER_MM / share))
    return tuple(found)


def _mapped(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points, shape (..., 2), through a 3 x 3 matrix."""
    out = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1) @ matrix.T
    return np.asarray(out[..., :2] / out[..., 2:])
