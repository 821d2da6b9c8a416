"""The camera's picture with what the eyes believe drawn into it: zones, cards, confidence."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from calibration.view import TableView
from projection.overlay import Outline, overlay
from projection.theme import GREEN, ORANGE, RED, SOFT
from vision.values import Observation, SeenCard

_ZONE: Final = (90, 150, 210)
_BACK: Final = (220, 130, 220)
SURE: Final = 0.9
"""From this probability on a reading is drawn as sure."""


def draw_overlay(
    image: NDArray[np.uint8],
    observation: Observation,
    view: TableView,
    layout: Layout,
    card_mm: tuple[float, float],
    lines: Sequence[str] = (),
) -> NDArray[np.uint8]:
    """The camera's `image`, uint8 (H, W, 3) BGR, as RGB with what is believed in it, `lines` of text in a corner.

    Drawn are the zones, the outline of each card where it is believed to lie with its name and probability (`back` if
    face down), and what hands hide.
    """
    outlines = (*_zones(view, layout), *_hidden(observation, view), *_cards(observation, view, card_mm))
    return overlay(np.ascontiguousarray(image[..., ::-1]), outlines, lines)


def _zones(view: TableView, layout: Layout) -> Iterator[Outline]:
    for zone in layout.zones:
        yield Outline(_px(view, zone.polygon_mm, 0.0), str(zone.place), _ZONE, width_px=1, dashed=True)


def _hidden(observation: Observation, view: TableView) -> Iterator[Outline]:
    for polygon in observation.hidden_mm:
        yield Outline(_px(view, polygon, 0.0), "", SOFT, width_px=1, dashed=True)


def _cards(observation: Observation, view: TableView, card_mm: tuple[float, float]) -> Iterator[Outline]:
    for seen in observation.cards:
        corners = _px(view, seen.pose.corners_mm(*card_mm), seen.pose.height_mm)
        name = "back" if not seen.face_up else f"{seen.card or '?'} {seen.probability:.2f}"
        yield Outline(corners, name, _colour(seen), seen.probability if seen.face_up else None)


def _colour(seen: SeenCard) -> tuple[int, int, int]:
    if not seen.face_up:
        return _BACK
    if seen.card is None:
        return RED
    return GREEN if seen.probability >= SURE else ORANGE


def _px(view: TableView, points_mm: Sequence[tuple[float, float]], height_mm: float) -> tuple[tuple[float, float], ...]:
    points = view.camera_px(np.array(points_mm, dtype=np.float64).reshape(-1, 2), height_mm)
    return tuple((float(x), float(y)) for x, y in points)
