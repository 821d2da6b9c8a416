"""The camera's picture with what the eyes believe drawn into it: zones, cards, confidence."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from calibration.view import TableView
from vision.values import Observation, SeenCard

Point = tuple[float, float]
BGR = tuple[int, int, int]

_ZONE: BGR = (200, 160, 60)
_SURE: BGR = (80, 220, 80)
_DOUBTFUL: BGR = (0, 190, 255)
_UNKNOWN: BGR = (60, 60, 255)
_BACK: BGR = (230, 120, 230)
_HIDDEN: BGR = (160, 160, 160)
SURE = 0.9
"""From this probability on a reading is drawn as sure."""


def draw_overlay(
    image: NDArray[np.uint8], observation: Observation, view: TableView, layout: Layout, card_mm: tuple[float, float]
) -> NDArray[np.uint8]:
    """A copy of the camera's `image`, uint8 (H, W, 3) BGR, with zones, the outline of each card as it is believed to
    lie, its name and probability (a face-down one as `back`), and what hands hide."""
    picture = image.copy()
    scale = picture.shape[1] / 1280
    for zone in layout.zones:
        _outline(picture, view, zone.polygon_mm, _ZONE, 0.0, 1)
        _write(picture, str(zone.place), _px(view, [zone.centre_mm], 0.0)[0], _ZONE, scale * 0.9)
    for polygon in observation.hidden_mm:
        _outline(picture, view, polygon, _HIDDEN, 0.0, 1)
    for seen in observation.cards:
        colour = _colour(seen)
        _outline(picture, view, seen.pose.corners_mm(*card_mm), colour, seen.pose.height_mm, 2)
        centre = _px(view, [(seen.pose.x_mm, seen.pose.y_mm)], seen.pose.height_mm)[0]
        name = "back" if not seen.face_up else str(seen.card or "?")
        _write(picture, name, centre + np.array([0, -7 * scale]), colour, scale)
        _write(picture, f"{seen.probability:.2f}", centre + np.array([0, 9 * scale]), colour, scale)
    return picture


def _colour(seen: SeenCard) -> BGR:
    if not seen.face_up:
        return _BACK
    if seen.card is None:
        return _UNKNOWN
    return _SURE if seen.probability >= SURE else _DOUBTFUL


def _px(view: TableView, points_mm: Sequence[Point], height_mm: float) -> NDArray[np.float64]:
    return view.camera_px(np.array(points_mm, dtype=np.float64).reshape(-1, 2), height_mm)


def _outline(
    picture: NDArray[np.uint8], view: TableView, points_mm: Sequence[Point], colour: BGR, height_mm: float, width: int
) -> None:
    points = _px(view, points_mm, height_mm)
    if len(points) and np.isfinite(points).all() and (np.abs(points) < 30_000).all():
        cv2.polylines(picture, [np.rint(points * 8).astype(np.int32)], True, colour, width, cv2.LINE_AA, 3)


def _write(picture: NDArray[np.uint8], text: str, centre: NDArray[np.float64], colour: BGR, scale: float) -> None:
    if not np.isfinite(centre).all():
        return
    size = 0.38 * scale
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    at = (int(centre[0] - width / 2), int(centre[1] + height / 2))
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
