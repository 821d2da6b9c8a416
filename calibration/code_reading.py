"""Reading Gray code: points of light over the whole mat, each from the many camera px around it."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import graycode, patterns
from calibration.board_reading import Reading
from calibration.photographs import Photographs

_CONTRAST: Final = 5.0
_LEAST_PX: Final = 60
_OUTLIER_PX: Final = 2.5
_WINDOW_SHARE: Final = 0.32  # of a square of the board


def is_complete(photos: Photographs) -> bool:
    """Whether all 44 stripes were photographed."""
    return all(name in photos.by_name for name in graycode.code_names())


def read_code(photos: Photographs, size_px: tuple[int, int]) -> Reading:
    """The places of the board's corners, read from Gray code: each by a local plane through the px around it.

    A decoded px is a whole number, off by up to half; some hundred of them give the place to a few hundredths.
    """
    pictures = {name: photos.by_name[name].grey for name in graycode.code_names()}
    decoded, certain = graycode.decode(pictures, _CONTRAST)
    inside = certain & (decoded[..., 0] < size_px[0]) & (decoded[..., 1] < size_px[1])
    inside = cv2.erode(inside.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    for left, top, right, bottom in patterns.token_boxes_px(size_px):
        x, y = decoded[..., 0], decoded[..., 1]
        inside &= ~((x > left - 4) & (x < right + 4) & (y > top - 4) & (y < bottom + 4))
    rows, columns = np.nonzero(inside)
    lamp = decoded[rows, columns]
    plan = patterns.board_plan(size_px)
    corners = plan.corners_px()
    reach = _WINDOW_SHARE * plan.square_px
    camera, projector = [], []
    cell = np.floor(lamp / plan.square_px).astype(np.int64)
    key = cell[:, 0] * 10_000 + cell[:, 1]
    order = np.argsort(key, kind="stable")
    sorted_key = key[order]
    for corner in corners:
        near = _around(corner, plan.square_px, reach, sorted_key, order)
        near = near[np.abs(lamp[near] - corner).max(axis=1) < reach]
        place = _place(corner, lamp[near], np.column_stack([columns[near], rows[near]]).astype(np.float64))
        if place is not None:
            camera.append(place)
            projector.append(corner)
    shape = (-1, 2)
    found = np.array(camera, dtype=np.float64).reshape(shape), np.array(projector, dtype=np.float64).reshape(shape)
    return Reading(*found, np.ones(len(camera)), {}, len(corners), "gray code")


def _around(
    corner: NDArray[np.float64], side: int, reach: float, sorted_key: NDArray[np.int64], order: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Indexes of decoded px in the cells that a window around the corner touches."""
    parts = []
    low, high = np.floor((corner - reach) / side).astype(int), np.floor((corner + reach) / side).astype(int)
    for i in range(low[0], high[0] + 1):
        for j in range(low[1], high[1] + 1):
            start, end = np.searchsorted(sorted_key, [i * 10_000 + j, i * 10_000 + j + 1])
            parts.append(order[start:end])
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _place(
    corner: NDArray[np.float64], lamp: NDArray[np.float64], camera: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Camera px of `corner` by a plane camera → projector through the px around it; None where they disagree."""
    if len(lamp) < _LEAST_PX:
        return None
    middle = camera.mean(axis=0)
    design = np.column_stack([camera - middle, np.ones(len(camera))])
    keep = np.linalg.norm(lamp - np.median(lamp, axis=0), axis=1) < 4 * np.median(
        np.linalg.norm(lamp - np.median(lamp, axis=0), axis=1)
    )
    solution = np.zeros((3, 2))
    for _ in range(4):
        if keep.sum() < _LEAST_PX:
            return None
        solution = np.linalg.lstsq(design[keep], lamp[keep], rcond=None)[0]
        keep = np.linalg.norm(lamp - design @ solution, axis=1) < _OUTLIER_PX
    if keep.mean() < 0.6 or abs(np.linalg.det(solution[:2])) < 1e-3:
        return None
    at = np.linalg.solve(solution[:2].T, corner - solution[2])
    return np.asarray(middle + at, dtype=np.float64) if np.abs(at).max() < 60 else None
