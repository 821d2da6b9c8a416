"""The lens board: a chessboard with markers in its white squares (ChArUco), and finding it in a picture."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from engine.errors import ConfigError

_LARGEST_WINDOW_PX: Final = 9
_SMALLEST_WINDOW_PX: Final = 2
_LEAST_CORNERS: Final = 8


@dataclass(frozen=True, slots=True)
class Board:
    """A board of `columns` x `rows` squares. `legacy` is the pattern of OpenCV before 4.6, which some makers print.

    Raises ConfigError for a board that cannot be.
    """

    columns: int = 11
    rows: int = 8
    square_mm: float = 25.0
    marker_mm: float = 18.0
    dictionary: str = "DICT_5X5_100"
    legacy: bool = False

    def __post_init__(self) -> None:
        if not (3 <= self.columns <= 40 and 3 <= self.rows <= 40):
            raise ConfigError(f"a board has 3 to 40 squares each way, not {self.columns}x{self.rows}")
        if not 0 < self.marker_mm < self.square_mm < 1000:
            raise ConfigError(
                f"a board's marker ({self.marker_mm:g} mm) must be smaller than its square ({self.square_mm:g} mm)"
            )
        have, need = opencv.dictionary_size(self.dictionary), self.columns * self.rows // 2
        if need > have:
            raise ConfigError(f"{self.dictionary} has {have} markers; a board of {self} squares needs {need}")

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the squares together."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    @property
    def corners(self) -> int:
        """How many inner corners there are."""
        return (self.columns - 1) * (self.rows - 1)

    def is_black(self, column: int, row: int) -> bool:
        """Whether the square is black; the first is the top-left one."""
        odd_start = self.legacy and self.rows % 2 == 0
        return (column + row + odd_start) % 2 == 0

    def markers(self) -> tuple[tuple[int, int, int], ...]:
        """Number, column and row of every marker, counted along the rows of white squares."""
        white = [(c, r) for r in range(self.rows) for c in range(self.columns) if not self.is_black(c, r)]
        return tuple((i, c, r) for i, (c, r) in enumerate(white))

    def points_mm(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """Places of the inner corners `ids` on the board, float64 (N, 2): origin at its top-left, x right, y down."""
        row, column = np.divmod(ids, self.columns - 1)
        return np.stack([column + 1, row + 1], axis=-1) * self.square_mm

    def native(self) -> Any:
        """OpenCV's object for this board."""
        return opencv.charuco_board(
            self.columns, self.rows, self.square_mm, self.marker_mm, self.dictionary, self.legacy
        )


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """The board in one picture: corner numbers (N,), their px float64 (N, 2) and mm on the board float64 (N, 2).

    `edge_px` says how wide the steps from black to white are: about 2 where sharp, more where blurred. `name` is the
    picture's, for messages.
    """

    ids: NDArray[np.int64]
    points_px: NDArray[np.float64]
    points_mm: NDArray[np.float64]
    size_px: tuple[int, int]
    edge_px: float
    name: str = ""


@dataclass(frozen=True, slots=True)
class NoBoard:
    """Why no board was found: how many of its markers were read, so that a wrong board can be told from none."""

    markers: int


def find_board(grey: NDArray[np.uint8], board: Board, name: str = "") -> BoardView | NoBoard:
    """The board in a grey picture, uint8 (H, W); at least eight corners of it that do not lie in one line."""
    ids, rough, markers = opencv.detect_board(grey, board.native())
    if len(ids) < _LEAST_CORNERS or np.linalg.matrix_rank(np.diff(board.points_mm(ids), axis=0)) < 2:
        return NoBoard(markers)
    points = _refined(grey, board, ids, rough)
    return BoardView(
        ids, points, board.points_mm(ids), (grey.shape[1], grey.shape[0]), _edge_px(grey, points, board, ids), name
    )


def matching_board(pictures: Iterable[NDArray[np.uint8]], board: Board) -> Board:
    """The variant of `board` that is in the first picture where one is: as given, legacy, or turned by a quarter.

    Gives `board` back where none of them is in any picture.
    """
    turned = replace(board, columns=board.rows, rows=board.columns)
    variants = (board, replace(board, legacy=True), turned, replace(turned, legacy=True))
    for picture in pictures:
        for variant in variants:
            if isinstance(find_board(picture, variant), BoardView):
                return variant
    return board


def _spacing_px(points: NDArray[np.float64], board: Board, ids: NDArray[np.int64]) -> float:
    """The shortest distance in px between two neighbouring corners that were found."""
    at = {int(i): p for i, p in zip(ids, points, strict=True)}
    across = board.columns - 1
    shortest = math.inf
    for i, p in at.items():
        for other in (i + 1 if (i + 1) % across else -1, i + across):
            if other in at:
                shortest = min(shortest, float(np.linalg.norm(at[other] - p)))
    return shortest if math.isfinite(shortest) else 20.0


def _refined(
    grey: NDArray[np.uint8], board: Board, ids: NDArray[np.int64], rough: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Corners to a few hundredths of a px. The window stays clear of the markers, or it would be drawn to them."""
    clear = (board.square_mm - board.marker_mm) / 2 / board.square_mm
    window = round(clear * _spacing_px(rough, board, ids))
    window = min(max(window, _SMALLEST_WINDOW_PX), _LARGEST_WINDOW_PX)
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-3)
    points = np.ascontiguousarray(rough, dtype=np.float32).reshape(-1, 1, 2)
    found = cv2.cornerSubPix(grey, points, (window, window), (-1, -1), criteria)
    return np.asarray(found, dtype=np.float64).reshape(-1, 2)


def _edge_px(grey: NDArray[np.uint8], points: NDArray[np.float64], board: Board, ids: NDArray[np.int64]) -> float:
    """How wide an edge is, in px: contrast over the steepest slope, the median of the corners."""
    reach = max(3, round(0.3 * _spacing_px(points, board, ids)))
    widths = []
    for x, y in points.tolist():
        left, top = round(x) - reach, round(y) - reach
        patch = grey[max(top, 0) : top + 2 * reach + 1, max(left, 0) : left + 2 * reach + 1].astype(np.float32)
        if min(patch.shape) < 5:
            continue
        contrast = float(np.percentile(patch, 95) - np.percentile(patch, 5))
        slope = max(float(np.percentile(np.abs(np.gradient(patch, axis=axis)), 98)) for axis in (0, 1))
        widths.append(contrast / max(slope, 1e-3))
    return float(np.median(widths)) if widths else math.inf
