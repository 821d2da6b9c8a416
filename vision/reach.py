"""Arms that reach in over the table's edge: what lies under them or near their fingers may still be in a hand."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ground import Ground, Mask, brightest, differs
from vision.raster import Box, TableRaster
from vision.shade import Shades

ARM_MM: Final = 40.0
"""Arms are wider than this; cards and the lines and words of projected light are not."""
WRIST_MM: Final = 24.0
"""What of an arm is wide may hang together by no more than this."""
ARM_MM2: Final = 2000.0
"""So much of an arm shows at least; a card at the mat's edge, which may go on beyond it, shows less."""
HAND_MM: Final = 60.0
"""How far fingers reach beyond what is as wide as an arm."""
UNLIT_LEAST: Final = 0.5
"""Of an arm at least this share lies where our own light has not changed."""
FRESH_LEVEL: Final = 9.0
"""Grey levels by which an arm differs from what was there before; a hand over tatami hardly does."""
GROUND_LEVEL: Final = 10.0
"""Grey levels by which an arm differs from the bare table."""
HOLE_MM2: Final = 1600.0
"""Parts of an arm up to this large may look like the table."""
LINE_MM: Final = 28.0
"""Our light may cut an arm in parts that are so far from each other."""
APART_MM: Final = 150.0
"""Arms of two people come in at least so far apart; what comes in nearer to each other is one, cut by our light."""
_EDGE_MM: Final = 14.0
_SCALE: Final = 0.25
"""px a mm at which arms are looked for."""


Arm = tuple[tuple[float, float], Mask]
"""Where an arm comes in over the mat's edge (table mm), and 1 where it is."""


@dataclass(frozen=True, slots=True)
class Touch:
    """An arm that comes in at `from_mm`: `gap_mm` from a point, and reaching `beyond_mm` farther from there than it."""

    from_mm: tuple[float, float]
    gap_mm: float
    beyond_mm: float


Touching = Callable[[float, float], tuple[Touch, ...]]


class Reach:
    """Finds arms over the table of `ground`."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        full = ground.raster
        self._raster = TableRaster(full.view, full.mat_mm, _SCALE)
        self._whole: Mask = np.zeros((0, 0), np.uint8)
        self._arms: list[Arm] = []
        self._bare_arms: list[Arm] = []

    def look(
        self,
        image: NDArray[np.uint8],
        explained: NDArray[np.uint8],
        lit: Mask | None = None,
        shone_on: Mask | None = None,
        shades: Shades | None = None,
    ) -> None:
        """Takes in the camera's `image`; `explained` is the picture of what was there before arms came.

        The masks are of the whole raster: `lit` is 1 where only our own light may have changed, `shone_on` wherever
        it falls. A bright line looks alike on a pale sleeve and on the table, and must not cut an arm in two.
        A shadow of `shades` is no arm.
        """
        box = self._raster.whole
        now = self._raster.cut(image, box)
        before = self._raster.cut(explained, box)
        if shades is not None:
            before = shades.fit(now, before, box, self._raster.size)
        new = differs(now, before, FRESH_LEVEL)
        there = new
        ground = self._ground.picture
        if ground is not None:  # where an arm has just left, the table shows again
            bare = cv2.resize(ground, self._raster.size, interpolation=cv2.INTER_AREA)
            there = new & (brightest(cv2.absdiff(cv2.blur(now, (3, 3)), bare)) > GROUND_LEVEL).astype(np.uint8)
        unlit = np.ones_like(there)
        if lit is not None:
            unlit[cv2.resize(lit, self._raster.size, interpolation=cv2.INTER_AREA) > 0] = 0
        bridged = _closed(there, round(LINE_MM * _SCALE))
        closed = _closed(there, 3) | (bridged & new)  # here and there an arm may look like the table
        if shone_on is not None:
            light = cv2.resize(shone_on * np.uint8(255), self._raster.size, interpolation=cv2.INTER_AREA)
            closed[light > 0] |= bridged[light > 0]
        _fill(closed, HOLE_MM2 * _SCALE**2)
        reach = round(2 * HAND_MM * _SCALE)
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
        self._bare_arms = list(self._from_edge(closed, unlit))
        self._arms = [(from_mm, np.asarray(cv2.dilate(arm, disc), np.uint8)) for from_mm, arm in self._bare_arms]
        self._whole = np.zeros_like(closed)
        for _, arm in self._arms:
            self._whole |= arm

    def width_mm(self) -> float:
        """How wide the widest place of all arms of the last look is."""
        framed = (cv2.copyMakeBorder(arm, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0) for _, arm in self._bare_arms)
        inner = (cv2.distanceTransform(arm, cv2.DIST_L2, 3).max() for arm in framed)
        return 2 * max((float(px) for px in inner), default=0.0) / _SCALE

    def near(self, box: Box) -> Mask:
        """1 in `box` of the full raster where an arm was at the last look, and around it."""
        full = self._ground.raster
        if not self._whole.any():
            return np.zeros((box.v1 - box.v0, box.u1 - box.u0), np.uint8)
        whole = cv2.resize(self._whole, full.size, interpolation=cv2.INTER_NEAREST)
        return np.asarray(whole[box.rows, box.columns], np.uint8)

    def now(self) -> Callable[[float, float], tuple[tuple[float, float], ...]]:
        """Tells where the arms come in over the mat's edge that are at or near a point at this look, all table mm."""
        arms, raster = tuple(self._arms), self._raster

        def over(x_mm: float, y_mm: float) -> tuple[tuple[float, float], ...]:
            u, v = np.rint(raster.px(np.array([x_mm, y_mm]))).astype(int).clip(0, np.array(raster.size) - 1)
            return tuple(from_mm for from_mm, arm in arms if arm[v, u])

        return over

    def touching(self) -> Touching:
        """Tells how near each arm of this look is to a point of the table, all table mm."""
        arms, raster = tuple(self._bare_arms), self._raster

        def touching(x_mm: float, y_mm: float) -> tuple[Touch, ...]:
            point, found = np.array([x_mm, y_mm]), []
            for from_mm, arm in arms:
                rows, columns = np.nonzero(arm)
                mm = raster.mm(np.stack([columns, rows], axis=1).astype(np.float64))
                start = np.array(from_mm)
                longest = float(np.hypot(*(mm - start).T).max())
                gap = float(np.hypot(*(mm - point).T).min())
                found.append(Touch(from_mm, gap, longest - float(np.hypot(*(point - start)))))
            return tuple(found)

        return touching

    def _from_edge(self, there: Mask, unlit: Mask) -> Iterator[Arm]:
        """What is as wide as an arm, begins at the mat's edge and is not made of light; with where it begins."""
        wide, narrow = (_opened(there, width_mm) for width_mm in (ARM_MM, WRIST_MM))
        count, labels = cv2.connectedComponents(narrow | wide)
        before = self._bare_arms
        for label in range(1, count):
            for from_mm, whole in self._apart((labels == label).astype(np.uint8), before):
                arm = np.asarray(whole & wide, np.uint8)
                if (arm & unlit).sum() >= max(ARM_MM2 * _SCALE**2, UNLIT_LEAST * arm.sum()):
                    yield from_mm, arm

    def _apart(self, whole: Mask, before: Sequence[Arm]) -> Iterator[Arm]:
        """The arms of which `whole` consists: one for each place where it comes in over the edge.

        Two that touch are parted halfway between their edges; what was one's alone `before` stays its own.
        """
        border = whole.copy()
        edge = math.ceil(_EDGE_MM * _SCALE)
        border[edge:-edge, edge:-edge] = 0
        count, pieces = cv2.connectedComponents(border)
        starts: list[Arm] = []
        for piece in range(1, count):
            at = pieces == piece
            rows, columns = np.nonzero(at)
            x_mm, y_mm = self._raster.mm(np.array([columns.mean(), rows.mean()])).tolist()
            near = next((i for i, (other, _) in enumerate(starts) if math.dist(other, (x_mm, y_mm)) < APART_MM), None)
            if near is None:
                starts.append(((x_mm, y_mm), at.astype(np.uint8)))
            else:
                starts[near][1][at] = 1
        if len(starts) == 1:
            rows, columns = np.nonzero(border)
            x_mm, y_mm = self._raster.mm(np.array([columns.mean(), rows.mean()])).tolist()
            yield (x_mm, y_mm), whole
        elif starts:
            places = [from_mm for from_mm, _ in starts]
            parts = _grown([start for _, start in starts], whole)
            known = [_any([arm for other, arm in before if math.dist(other, at) < APART_MM], whole) for at in places]
            once = np.add.reduce(known) == 1
            alone = [np.asarray(own & once, np.uint8) for own in known]
            taken = _any(alone, whole)
            for at, part, own in zip(places, parts, alone, strict=True):
                yield at, np.asarray((part & (1 - taken)) | own, np.uint8)


def _any(masks: Sequence[Mask], within: Mask) -> Mask:
    """The px of `within` that are set in any of the masks."""
    return np.asarray(np.maximum.reduce([np.zeros_like(within), *masks]) & within, np.uint8)


def _grown(seeds: Sequence[Mask], whole: Mask) -> list[Mask]:
    """Each of the seeds grown within `whole` until it meets another."""
    parts = [seed.copy() for seed in seeds]
    free = np.asarray(whole & (1 - np.maximum.reduce(parts)), np.uint8)
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    left = -1
    while free.any() and (now := int(free.sum())) != left:
        left = now
        for part in parts:
            more = np.asarray(cv2.dilate(part, cross), np.uint8) & free
            part |= more
            free &= 1 - more
    return parts


def _closed(there: Mask, size: int) -> Mask:
    return np.asarray(cv2.morphologyEx(there, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8)), np.uint8)


def _opened(there: Mask, width_mm: float) -> Mask:
    """What of a mask is as wide as that."""
    wide = max(3, round(width_mm * _SCALE) + 3)  # smoothing has made everything wider, by a px or two on each side
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    return np.asarray(cv2.morphologyEx(there, cv2.MORPH_OPEN, disc), np.uint8)


def _fill(mask: Mask, largest: float) -> None:
    """Sets the holes of a mask that have at most `largest` px, in place."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(1 - mask, connectivity=4)
    small = np.flatnonzero(stats[:, cv2.CC_STAT_AREA] <= largest)
    if count > 1 and small.size:
        mask[np.isin(labels, small)] = 1
