"""What of ArUco and ChArUco is used, in one place: OpenCV changed names and shapes with version 5 and may again."""

from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import ConfigError

_SAMPLES: Final = 8
"""Samples a cell, each way, by which a printed marker is read: twice OpenCV's, or noise hides dense dictionaries."""


def dictionary_names() -> tuple[str, ...]:
    """The names of all marker dictionaries, such as `DICT_4X4_50`."""
    return tuple(sorted({name for name in dir(cv2.aruco) if name.startswith("DICT_") and name == name.upper()}))


def dictionary(name: str) -> Any:
    """OpenCV's dictionary of that name, as `DICT_APRILTAG_36h11`, in small letters or capitals. Raises ConfigError."""
    if name.upper() not in dictionary_names():
        raise ConfigError(f"marker dictionary {name!r} is not known; there are DICT_4X4_50, DICT_5X5_100 and the like")
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name.upper()))


def dictionary_size(name: str) -> int:
    """How many markers a dictionary holds."""
    return len(dictionary(name).bytesList)


def marker_cells(name: str, marker: int) -> NDArray[np.bool_]:
    """The marker's cells with its black border, bool (n, n), True where black, row 0 at the top."""
    known = dictionary(name)
    if not 0 <= marker < len(known.bytesList):
        raise ConfigError(f"{name} has markers 0 to {len(known.bytesList) - 1}, not {marker}")
    side = int(known.markerSize) + 2
    return np.asarray(cv2.aruco.generateImageMarker(known, marker, side), dtype=np.uint8) < 128


def detect_markers(
    grey: NDArray[np.uint8], name: str, windows_px: tuple[int, int, int] | None = None, dense: bool = False
) -> tuple[tuple[int, NDArray[np.float64]], ...]:
    """Markers in a grey picture: id and corners in px, float64 (4, 2), clockwise from the marker's own top-left.

    Corners are found to a few hundredths of a px. An id may come more than once where it is there more than once.
    `windows_px` are least, largest and step of the windows over which light and dark are told apart, odd and even.
    `dense` reads small markers of large dictionaries too, and with them some that a hand hides in part, whose corners
    are not where they seem: for calibrating, not for a watch.
    """
    corners, ids, *_ = _marker_detector(name, windows_px, dense).detectMarkers(grey)
    if ids is None or len(ids) == 0:
        return ()
    numbers = np.asarray(ids).ravel().tolist()
    return tuple((int(i), np.asarray(c, dtype=np.float64).reshape(4, 2)) for i, c in zip(numbers, corners, strict=True))


def detect_some(
    grey: NDArray[np.uint8], name: str, first: int, count: int
) -> tuple[tuple[int, NDArray[np.float64]], ...]:
    """Like `detect_markers` for `first` to `first + count - 1` only: much quicker where a dictionary is large."""
    corners, ids, *_ = _some_detector(name, first, count).detectMarkers(grey)
    if ids is None or len(ids) == 0:
        return ()
    numbers = (np.asarray(ids).ravel() + first).tolist()
    return tuple((int(i), np.asarray(c, dtype=np.float64).reshape(4, 2)) for i, c in zip(numbers, corners, strict=True))


def charuco_board(
    columns: int, rows: int, square: float, marker: float, dictionary_name: str, legacy: bool = False
) -> Any:
    """OpenCV's board of `columns` x `rows` squares; `legacy` is the pattern of OpenCV before 4.6 (calib.io)."""
    board = cv2.aruco.CharucoBoard((columns, rows), square, marker, dictionary(dictionary_name))
    board.setLegacyPattern(legacy)
    return board


def detect_board(grey: NDArray[np.uint8], board: Any) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Inner corners of a ChArUco board: their numbers (N,), px float64 (N, 2), and how many markers were read."""
    corners, ids, _, marker_ids = cv2.aruco.CharucoDetector(board).detectBoard(grey)
    markers = 0 if marker_ids is None else len(marker_ids)
    if ids is None or len(ids) == 0:
        return np.zeros(0, dtype=np.int64), np.zeros((0, 2)), markers
    return np.asarray(ids, np.int64).ravel(), np.asarray(corners, np.float64).reshape(-1, 2), markers


@lru_cache(maxsize=8)
def _marker_detector(name: str, windows_px: tuple[int, int, int] | None, dense: bool) -> Any:
    settings = cv2.aruco.DetectorParameters()
    if windows_px is not None:
        settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = windows_px[:2]
        settings.adaptiveThreshWinSizeStep = windows_px[2]
    if dense:
        settings.perspectiveRemovePixelPerCell = _SAMPLES
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(dictionary(name), settings)


@lru_cache(maxsize=8)
def _some_detector(name: str, first: int, count: int) -> Any:
    known = dictionary(name)
    some = cv2.aruco.Dictionary(known.bytesList[first : first + count], known.markerSize, known.maxCorrectionBits)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(some, settings)
