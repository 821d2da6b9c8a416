"""Cards that lie face down where the game has them: the draw pile, and what was chosen and is not revealed yet.

A back need not have a picture to be told by, and may be of any deck: what counts is that something of a card's size
stands out of the bare table and is no card that is known by its face.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from engine.events import Place
from vision.ground import Ground, Mask
from vision.raster import Box
from vision.rectify import Found

ZONES: Final = ("draw", "select")
"""Zones in which cards lie face down by the rules."""


@dataclass(frozen=True, slots=True)
class Down:
    """A face-down card or pile in `place` at `pose` (raster px), seen there since `since_s`."""

    place: Place
    pose: Found
    since_s: float


class FaceDown:
    """Watches the zones of face-down cards of `layout` on the raster of `ground`."""

    def __init__(self, ground: Ground, layout: Layout) -> None:
        self._ground = ground
        self._boxes: dict[Place, Box] = {}
        self._polygons: dict[Place, NDArray[np.float32]] = {}
        for zone in layout.zones:
            if zone.place.zone in ZONES:
                corners = np.array(zone.polygon_mm)
                self._boxes[zone.place] = ground.raster.box_around(corners, 0.0)
                self._polygons[zone.place] = ground.raster.px(corners).astype(np.float32)
        self._seen: dict[Place, Down] = {}

    @property
    def seen(self) -> tuple[Down, ...]:
        """What lies face down now."""
        return tuple(self._seen.values())

    def watches(self, box: Box) -> bool:
        """Whether a zone of face-down cards reaches into `box`."""
        return any(_meet(box, zone) for zone in self._boxes.values())

    def look(
        self,
        image: NDArray[np.uint8],
        box: Box,
        arms: Mask | None,
        known: Iterable[Found],
        t_s: float,
    ) -> None:
        """Takes in the camera's `image` where it was looked at, in `box`.

        `arms` (a mask of `box`) is 1 where arms may be: what they reach into stays as it is. `known` are the cards
        that are seen by their faces.
        """
        poses = tuple(known)
        for place, zone in self._boxes.items():
            if not _meet(box, zone) or (arms is not None and _within(arms, box, zone).any()):
                continue
            found = None
            if place.zone == "draw" or not self._holds_any(place, poses):
                found = self._ground.pile(image, zone)
            if found is None:
                self._seen.pop(place, None)
            elif place in self._seen:
                self._seen[place] = replace(self._seen[place], pose=found)
            else:
                self._seen[place] = Down(place, found, t_s)

    def _holds_any(self, place: Place, poses: Iterable[Found]) -> bool:
        polygon = self._polygons[place]
        return any(cv2.pointPolygonTest(polygon, (pose.u, pose.v), False) >= 0 for pose in poses)


def _meet(a: Box, b: Box) -> bool:
    return a.u0 < b.u1 and b.u0 < a.u1 and a.v0 < b.v1 and b.v0 < a.v1


def _within(mask: Mask, box: Box, zone: Box) -> Mask:
    """The part of a mask of `box` that lies in `zone`."""
    rows = slice(max(0, zone.v0 - box.v0), max(0, zone.v1 - box.v0))
    return mask[rows, max(0, zone.u0 - box.u0) : max(0, zone.u1 - box.u0)]
