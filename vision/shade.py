"""Shadows and patches of light that come over a part of the table: what lies there looks the same, darker or brighter.

A small cell whose picture is the explained one times one factor, for all channels alike, is such a place. A sleeve on a
plain table may look so too, and the plain part of a card; a shadow that matters is wider than those, so that only large
patches count. Their edge is known to about a cell.
"""

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.raster import Box, TableRaster

_MOST_OF_CELL: Final = 0.5
Factors = NDArray[np.float32]
Picture = NDArray[np.uint8]

CELL_PX: Final = 4
"""Side of a cell, px of a raster of `SCALE`: 8 mm."""
SCALE: Final = 0.5
"""px a mm at which shades are looked for."""
WIDTH_MM: Final = 150.0
"""A patch of shade is somewhere at least so wide; a brown arm on brown wood with its own shadow is not."""
NOTICED: Final = 0.05
"""A factor that differs from 1 by less than this is no shade."""
LIMITS: Final = (0.4, 2.0)
"""What is darker or brighter by more than these factors is no shade."""
LIKE: Final = 6.0
"""Grey levels, beyond a share of the cell's own, by which a cell in the shade may differ from the explained one."""
LIKE_SHARE: Final = 0.06
TINT: Final = 0.12
"""The factors of the channels may differ by so much."""
DARKEST: Final = 12.0
"""A channel with less light than this tells nothing of its factor."""


@dataclass(frozen=True, slots=True, eq=False)
class Shades:
    """By what factors the light has changed at least and at most around each cell, float32 (rows, columns)."""

    least: Factors
    most: Factors

    def fit(self, now: Picture, before: Picture, box: Box, size: tuple[int, int]) -> Picture:
        """`before` in the light of `now`, as far as a shade may have changed it; both uint8 BGR pictures of `box`.

        `size` is the (width, height) of the whole raster that `box` is a part of.
        """
        least, most = (self._part(factor, box, size) for factor in (self.least, self.most))
        if least.min() == most.max() == 1:
            return before
        old, new = cv2.blur(before, (3, 3)).astype(np.float32), cv2.blur(now, (3, 3)).astype(np.float32)
        factor = (old * new).sum(axis=2) / np.maximum((old * old).sum(axis=2), 1.0)
        return np.asarray((before * factor.clip(least, most)[..., None]).clip(0, 255).round(), np.uint8)

    @staticmethod
    def _part(factor: Factors, box: Box, size: tuple[int, int]) -> Factors:
        return np.asarray(cv2.resize(factor, size, interpolation=cv2.INTER_LINEAR)[box.rows, box.columns], np.float32)


class Shade:
    """Finds by what factor which part of the table of `raster` has become darker or brighter.

    What was explained in a shade is known to have been so: the edge of a shadow may move on little by little, the whole
    of it still counts as one patch.
    """

    def __init__(self, raster: TableRaster) -> None:
        self._raster = TableRaster(raster.view, raster.mat_mm, SCALE)
        width, height = self._raster.size
        self._known: Factors = np.ones((height // CELL_PX, width // CELL_PX), np.float32)
        self._total: Factors = self._known
        self._looked: tuple[float, Shades | None] = (-math.inf, None)

    def fell(self) -> bool:
        """Whether part of what is explained lay in a shade."""
        return bool((self._known != 1).any())

    def look(self, image: Picture, explained: Picture, t_s: float) -> Shades | None:
        """What shade has come or gone since; None if none. `image` and `explained` are camera pictures, uint8 BGR.

        Those of the first look at `t_s` hold for all later ones.
        """
        if self._looked[0] != t_s:
            self._looked = (t_s, self._shades(image, explained))
        return self._looked[1]

    def keep(self, t_s: float, kept: NDArray[np.bool_]) -> Factors | None:
        """What is `kept` (rows, columns, of the whole table at any scale) has been explained as it was seen at `t_s`.

        Returns by what factor the light on each cell of it has changed, 1 elsewhere; None where it has not.
        """
        if self._looked[0] != t_s or self._looked[1] is None:
            return None
        size = self._known.shape[::-1]
        cells = cv2.resize(kept.astype(np.float32), size, interpolation=cv2.INTER_AREA) >= _MOST_OF_CELL
        factor = np.where(cells, self._total / self._known, 1).astype(np.float32)
        self._known = np.where(cells, self._total, self._known).astype(np.float32)
        return factor if (factor != 1).any() else None

    def forget(self) -> None:
        """All that is explained is so anew, in whatever light."""
        self._known = np.ones_like(self._known)

    def _shades(self, image: Picture, explained: Picture) -> Shades | None:
        whole = self._raster.whole
        now, before = (_smooth(self._raster.cut(one, whole)) for one in (image, explained))
        factor, like = _factors(now, before / _large(self._known)[..., None])
        shaded = (like & (np.abs(factor - 1) > NOTICED)).astype(np.uint8)
        shaded = np.asarray(cv2.morphologyEx(shaded, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
        core = _wide(shaded, round(WIDTH_MM * SCALE / CELL_PX))
        _, labels = cv2.connectedComponents(shaded)
        patch = np.isin(labels, np.unique(labels[core > 0]))
        self._total = _filled(factor, like, patch)
        change = (self._total / self._known).astype(np.float32)
        if (np.abs(change - 1) <= NOTICED / 2).all():
            return None
        around = np.ones((5, 5), np.uint8)
        least, most = cv2.erode(change, around), cv2.dilate(change, around)
        return Shades(np.minimum(least, 1).astype(np.float32), np.maximum(most, 1).astype(np.float32))


def _smooth(picture: Picture) -> NDArray[np.float32]:
    rows, columns = (side // CELL_PX * CELL_PX for side in picture.shape[:2])
    return np.asarray(cv2.blur(picture[:rows, :columns], (3, 3)), np.float32)


def _factors(now: NDArray[np.float32], before: NDArray[np.float32]) -> tuple[Factors, NDArray[np.bool_]]:
    """By what factor each cell has become brighter, and whether that is all that has happened to it."""
    height, width = now.shape[0] // CELL_PX, now.shape[1] // CELL_PX

    def mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.resize(values, (width, height), interpolation=cv2.INTER_AREA), np.float32)

    across, own = mean(now * before), mean(before * before)
    channels = across / np.maximum(own, 1.0)
    factor = np.asarray(across.sum(axis=2) / np.maximum(own.sum(axis=2), 1.0), np.float32)
    off = np.sqrt(mean((now - _large(factor)[..., None] * before) ** 2)).max(axis=2)
    level = np.sqrt(own)
    tint = np.where(level > DARKEST, np.abs(channels / np.maximum(factor, 0.01)[..., None] - 1), 0).max(axis=2)
    like = (off < LIKE + LIKE_SHARE * level.max(axis=2)) & (tint < TINT)
    return factor, like & (factor > LIMITS[0]) & (factor < LIMITS[1])


def _filled(factor: Factors, like: NDArray[np.bool_], patch: NDArray[np.bool_]) -> Factors:
    """The factors in a patch, with those of cells that hold something new filled in from around them; 1 elsewhere."""
    known = (like & patch).astype(np.float32)
    weight = cv2.GaussianBlur(known, (0, 0), 3.0)
    filled = cv2.GaussianBlur(factor * known, (0, 0), 3.0) / np.maximum(weight, 1e-3)
    return np.where(patch, np.where(known > 0, factor, filled), 1.0).astype(np.float32)


def _wide(cells: NDArray[np.uint8], width: int) -> NDArray[np.uint8]:
    """What of a mask is so wide; beyond the table there is nothing."""
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    framed = cv2.copyMakeBorder(cells, width, width, width, width, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(cv2.morphologyEx(framed, cv2.MORPH_OPEN, disc)[width:-width, width:-width], np.uint8)


def _large(cells: Factors) -> Factors:
    return np.repeat(np.repeat(cells, CELL_PX, axis=0), CELL_PX, axis=1)
