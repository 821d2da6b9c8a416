"""Our own light on the table: where it has changed, a change of the camera's picture is no card and no hand.

What is projected is known; when the camera sees it is not, exactly: light counts as possible from when it is shown
until a while after other light has taken its place.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import Homography
from vision.ground import Mask
from vision.raster import Box, TableRaster

DELAY_S: Final = 0.5
"""So long after it was taken away light may still be seen: projector and camera hold frames back."""
SHINES: Final = 12
"""Levels of 255 by which projected light must differ to show on the table."""
SPREAD_MM: Final = 2.5
"""How far beside its place light may fall: the calibration's error, and what lies higher than the mat."""

ACROSS_MM: Final = 8.0
"""What has come may lie across our light: light so near to it is taken as part of it."""
COME_MM2: Final = 100.0
"""So much must have changed beside the light for something to have come."""

Levels = NDArray[np.uint8]


class Shine:
    """The light that `projector_from_table` throws onto `raster`, as it is shown from moment to moment."""

    def __init__(self, raster: TableRaster, projector_from_table: Homography) -> None:
        self._raster = raster
        w, h = raster.size
        scale = raster.scale
        self.aim(projector_from_table)
        self._recent: list[tuple[float, Levels]] = [(0.0, np.zeros((h, w), np.uint8))]
        reach = 2 * round(SPREAD_MM * scale) + 1
        self._spread = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
        self._on = np.zeros((h, w), np.uint8)
        self._on_for: tuple[float, ...] = ()
        self._least = np.zeros((h, w), np.uint8)
        self._most = np.zeros((h, w), np.uint8)

    def aim(self, projector_from_table: Homography) -> None:
        """From now on the light falls so."""
        w, h = self._raster.size
        scale = self._raster.scale
        rows = [scale, 0, w / 2 - 0.5, 0, -scale, h / 2 - 0.5, 0, 0, 1]
        raster_from_table = Homography.from_rows("raster", "table", rows)
        self._raster_from_projector = raster_from_table @ projector_from_table.inverse

    def show(self, picture: NDArray[np.uint8], t_s: float) -> None:
        """`picture` (uint8 RGB, projector px) is projected from `t_s` on."""
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)
        matrix = self._raster_from_projector.matrix
        levels = cv2.warpPerspective(grey, matrix, self._raster.size, flags=cv2.INTER_LINEAR)
        self._recent = [*self._still_seen(t_s), (t_s, np.asarray(levels, np.uint8))]

    def changed(self, box: Box, t_s: float) -> Mask:
        """1 in `box` where our light may differ from what it was when the place was last `explained`."""
        part = (box.rows, box.columns)
        least, most = self._least[part], self._most[part]
        for _, levels in self._still_seen(t_s):
            least, most = np.minimum(least, levels[part]), np.maximum(most, levels[part])
        return np.asarray(cv2.dilate((most - least > SHINES).astype(np.uint8), self._spread), np.uint8)

    def on(self, box: Box, t_s: float) -> Mask:
        """1 in `box` where our light may fall now."""
        seen = self._still_seen(t_s)
        shown = tuple(start for start, _ in seen)
        if shown != self._on_for:
            most = np.maximum.reduce([levels for _, levels in seen])
            self._on_for = shown
            self._on = np.asarray(cv2.dilate((most > SHINES).astype(np.uint8), self._spread), np.uint8)
        return self._on[box.rows, box.columns]

    def explained(self, box: Box, inside: Mask, t_s: float) -> None:
        """The px of `box` that are set in `inside` are taken as they look now, with the light that may be on them."""
        part = (box.rows, box.columns)
        seen = [levels[part] for _, levels in self._still_seen(t_s)]
        np.copyto(self._least[part], np.minimum.reduce(seen), where=inside > 0)
        np.copyto(self._most[part], np.maximum.reduce(seen), where=inside > 0)

    def _still_seen(self, t_s: float) -> list[tuple[float, Levels]]:
        """What is shown at `t_s`, and what was until a moment ago."""
        ends = [start for start, _ in self._recent[1:]]
        return [one for one, end in zip(self._recent, [*ends, float("inf")], strict=True) if end > t_s - DELAY_S]


def unlit(fresh: Mask, lit: Mask, scale: float) -> Mask:
    """`fresh` without what only our own `lit` light has changed; light across what has come stays. `scale`: px a mm."""
    if not (fresh & lit).any():
        return fresh
    beside = fresh & (1 - lit)
    solid = np.asarray(cv2.morphologyEx(beside, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid)
    large = [i for i in range(1, count) if stats[i][cv2.CC_STAT_AREA] >= COME_MM2 * scale**2]
    come = np.isin(labels, large).astype(np.uint8)
    reach = 2 * round(ACROSS_MM * scale) + 1
    near = np.asarray(cv2.dilate(come, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))), np.uint8)
    return np.asarray(beside | (fresh & near), np.uint8)
