"""The bare table: what it looks like without cards, and what stands out of it."""

import math
from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.layout import Layout
from vision.raster import Box, TableRaster
from vision.rectify import Found, Picture, card_corners

Mask = NDArray[np.uint8]

LIKE_GROUND: Final = 16.0
"""Grey levels by which a place may differ from the bare table and still be taken for it."""
FILLED: Final = 0.7
"""So much of what a card covers differs from the table; of a frame of light with words in it far less does."""


class Ground:
    """The table without its cards, as it was at the first look: what lies around them is drawn over the cards.

    `quiet` (rows, columns) of the raster is 0 where nothing is searched: the draw pile and the box of unused cards.
    """

    def __init__(self, raster: TableRaster, card_mm: tuple[float, float], quiet: Mask) -> None:
        self.raster = raster
        self.card_mm = card_mm
        self.quiet = quiet
        self._picture: NDArray[np.uint8] | None = None
        self._learned: NDArray[np.float32] | None = None
        self._light = np.ones((1, 1), np.float32)

    def learn(self, image: NDArray[np.uint8], cards: Iterable[Found]) -> None:
        """Takes a camera picture of the table on which `cards` (raster px) lie."""
        picture = self.raster.cut(image, self.raster.whole)
        mask = stands_out(picture)
        for found in cards:
            corners = card_corners(found, (self.card_mm[0] + 8, self.card_mm[1] + 8), self.raster.scale)
            cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
        mask[self.quiet == 0] = 1
        small = cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA).astype(np.float32)
        keep = (cv2.resize(mask, small.shape[1::-1], interpolation=cv2.INTER_AREA) == 0).astype(np.float32)
        weight = cv2.GaussianBlur(keep, (0, 0), 10) + 1e-6
        filled = cv2.GaussianBlur(small * keep[..., None], (0, 0), 10) / weight[..., None]
        ground = np.where(keep[..., None] > 0, small, filled)
        self._learned = np.asarray(ground, np.float32)
        self._light = np.ones(ground.shape[:2], np.float32)
        self._draw()

    def brighten(self, factor: NDArray[np.float32]) -> None:
        """The light on the table has changed by `factor`, float (rows, columns) over the raster at any scale."""
        if self._learned is not None:
            self._light *= cv2.resize(factor, self._light.shape[1::-1], interpolation=cv2.INTER_AREA)
            self._draw()

    def _draw(self) -> None:
        assert self._learned is not None
        lit = self._learned * self._light[..., None]
        large = cv2.resize(lit, self.raster.size, interpolation=cv2.INTER_LINEAR)
        self._picture = np.asarray(large.clip(0, 255), np.float32).astype(np.uint8)

    @property
    def picture(self) -> NDArray[np.uint8] | None:
        """The bare table, uint8 BGR of the raster's size; None before it was learned."""
        return self._picture

    def shows(self, picture: Picture, cover: NDArray[np.bool_]) -> bool:
        """Does the bare table show on `cover`, as far as nothing else lies there? False where that is little."""
        shown = cover & (picture.open_ > 0)
        if self._picture is None or shown.sum() < 0.3 * cover.sum():
            return False
        return float((self._off(picture)[shown] < LIKE_GROUND).mean()) > 0.7

    def pile(self, image: NDArray[np.uint8], box: Box) -> Found | None:
        """Where a pile lies in `box`: what stands out of the table there and is about as large as a card."""
        picture = Picture(self.raster.cut(image, box), self.raster.scale, np.ones((1, 1), np.uint8), box)
        off = (self._off(picture) > LIKE_GROUND).astype(np.uint8)
        out = np.asarray(cv2.morphologyEx(off, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), dtype=np.uint8)
        contours, _ = cv2.findContours(out, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        if not contours:
            return None
        (u, v), (a, b), turn = cv2.minAreaRect(max(contours, key=cv2.contourArea))
        short, long = sorted((a / self.raster.scale, b / self.raster.scale))
        if not (0.7 * self.card_mm[0] < short < 2 * self.card_mm[0] and 0.7 * self.card_mm[1] < long < 90):
            return None
        upright = -math.radians(turn) + (0.0 if b >= a else math.pi / 2)
        inside = np.zeros_like(off)
        cv2.fillConvexPoly(inside, np.rint(cv2.boxPoints(((u, v), (a, b), turn))).astype(np.int32), 1)
        if off[inside > 0].mean() < FILLED:
            return None
        return Found(None, u + box.u0, v + box.v0, upright, 0.5)

    def _off(self, picture: Picture) -> NDArray[np.uint8]:
        """By how many grey levels the picture differs from the bare table, the most of the channels."""
        assert self._picture is not None
        smooth = cv2.blur(picture.image, (5, 5))
        ground = self._picture[picture.box.rows, picture.box.columns]
        return brightest(cv2.absdiff(smooth, ground))


def quiet_zones(raster: TableRaster, layout: Layout) -> Mask:
    """0 on the px of the raster that lie in zones in which nothing is searched."""
    out = np.ones((raster.size[1], raster.size[0]), dtype=np.uint8)
    for zone in layout.zones:
        if zone.place.zone in ("draw", "box"):
            cv2.fillPoly(out, [np.rint(raster.px(np.array(zone.polygon_mm))).astype(np.int32)], 0)
    return out


def brightest(picture: MatLike) -> Mask:
    """The most of the three channels of each px, uint8 (rows, columns)."""
    one, two, three = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(one, two), three), dtype=np.uint8)


def differs(a: NDArray[np.uint8], b: NDArray[np.uint8], level: float) -> Mask:
    """1 where two pictures differ by more than `level` grey levels in some channel, after smoothing over 3 x 3."""
    difference = brightest(cv2.blur(cv2.absdiff(a, b), (3, 3)))
    return np.asarray((difference > level).astype(np.uint8))


def stands_out(picture: NDArray[np.uint8]) -> Mask:
    """1 where a picture of the whole table differs from its wider surroundings (32 cm): cards, things."""
    small = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    quarter = cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    around = cv2.resize(cv2.medianBlur(quarter, 81), small.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    difference = brightest(cv2.absdiff(small, around))
    mask = (difference > (0.2 * brightest(around)).clip(8, 20)).astype(np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), dtype=np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    large = [contour for contour in contours if cv2.contourArea(contour) > 60]
    solid = cv2.drawContours(np.zeros_like(mask), large, -1, 1, cv2.FILLED)
    solid = cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.resize(solid, picture.shape[1::-1], interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
