"""What lies on the table, remembered from frame to frame: each known card has a pose until it is seen elsewhere.

A frame is looked at only where it changed and has come to rest. There, known cards are checked at their places first;
what they do not explain is searched for the cards that are not accounted for. Hands hide cards, they never remove them.
"""

import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frames import Pose
from calibration.layout import Layout
from calibration.view import TableView
from engine.cards import Card
from engine.events import Place
from vision.changes import BLOCK, Blocks, ChangeWatcher
from vision.deck import Deck
from vision.raster import CARD_TOP_MM, Box, TableRaster
from vision.search import FINE, Finder, Found, Picture, around, card_corners
from vision.values import Frame, Observation, SeenCard

logger = logging.getLogger(__name__)

SETTLE_S = 0.19
"""A place is looked at when nothing there has moved for this long."""
PATIENCE_S = 1.5
"""So long the first look waits for the whole table to be still; then it takes what is."""
WHOLE_LEAST = 0.72
UNLIKE = 0.12
"""A whole card may score this much less than cards on this table, in this light, usually do."""
HELD_MM2 = 2000.0
"""Unexplained change larger than this is a hand or a thing: what it touches is not yet decided."""
LIGHT_MM2 = 100_000.0
"""Change over a larger area than this is a change of the light."""
HELD_S = 0.9
"""After this long without motion such a place is looked at once more as if no hand were there."""
HAND_MM = 60.0
"""How far fingers reach beyond what is as wide as an arm."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A known card at its place. `order` rises with what lies on top; `score` is its usual likeness to its picture.

    `lost_since_s` is None while it is seen or known to be covered; `in_view` is False once its place shows the bare table.
    """

    card: Card
    pose: Found
    order: float
    score: float
    since_s: float
    firm: bool = True
    lost_since_s: float | None = None
    bare: bool = False


class Eyes:
    """Follows the cards of `cards` on one table. `size_px` is the camera's (width, height)."""

    def __init__(
        self, view: TableView, layout: Layout, deck: Deck, cards: Sequence[Card], size_px: tuple[int, int]
    ) -> None:
        self.layout = layout
        self.cards = tuple(cards)
        self.card_mm = deck.card_mm
        self.raster = TableRaster(view, layout.mat_mm, FINE)
        images: dict[Card | None, NDArray[np.uint8]] = {card: deck.faces[card] for card in cards}
        if deck.back is not None:
            images[None] = deck.back
        self.finder = Finder(images, deck.card_mm)
        native = _native_scale(view, layout.mat_mm)
        self.watcher = ChangeWatcher(max(1, round(native * 1.2)))
        self.lying: dict[Card, Lying] = {}
        self._explained: NDArray[np.uint8] | None = None
        self._ground: NDArray[np.uint8] | None = None
        self._order = 0.0
        facing = {round(seat.facing_deg) % 180 for seat in layout.seats}
        self.near_angles = tuple(
            math.radians(base + turn) for base in sorted(facing) for turn in (0, -7.5, 7.5, -15, 15, 22.5, -22.5)
        )
        self.all_angles = tuple(math.radians(turn) for turn in np.arange(0, 180, 7.5))
        self._quiet = np.ones((self.raster.size[1], self.raster.size[0]), dtype=np.uint8)
        for zone in layout.zones:
            if zone.place.zone in ("draw", "box"):
                polygon = self.raster.px(np.array(zone.polygon_mm))
                cv2.fillPoly(self._quiet, [np.rint(polygon).astype(np.int32)], 0)
        self.reads = 0
        self.busy = False
        self._contrast: float | None = None
        self._likeness: float | None = None
        self._doubted: set[Card] = set()
        self._frame: Frame | None = None
        self._waiting_since_s: float | None = None
        self._later: list[tuple[float, Blocks]] = []
        self._pile: Found | None = None
        self._patient = False
        self._doubtful = False

    def look(self, frame: Frame) -> bool:
        """Take in a frame; True where something was looked at anew."""
        self._frame = frame
        change = self.watcher.watch(frame.image, frame.t_s)
        self.busy = bool((change.moving & change.dirty).any())
        if not change.dirty.any() and not change.never.any() and not self._later:
            return False
        restless = _without_specks(change.still_s < SETTLE_S)
        decided = self._look_later(frame, _without_specks(change.still_s < HELD_S)) if self._later else False
        if change.never.any():
            # nothing is known there yet: what is still may be looked at while hands are elsewhere
            self._waiting_since_s = frame.t_s if self._waiting_since_s is None else self._waiting_since_s
            patience = frame.t_s - self._waiting_since_s < PATIENCE_S
            if not (restless & change.never).any() or not patience:
                for blocks in _patches(change.never & ~_grown(restless, 5)):
                    decided |= self._read(frame, blocks, first=True)
                    self.watcher.looked_at(blocks)
                if not self.watcher.never.any():
                    self._waiting_since_s = None
        for blocks in _patches(_grown(change.dirty, 3)):
            if (restless & blocks).any():
                continue
            decided |= self._read(frame, blocks)
            self.watcher.looked_at(blocks)
        return decided

    def _look_later(self, frame: Frame, restless: Blocks) -> bool:
        """Look once more where something lay that nothing explained, if it has not moved since."""
        due = [blocks for due_s, blocks in self._later if due_s <= frame.t_s]
        self._later = [(due_s, blocks) for due_s, blocks in self._later if due_s > frame.t_s]
        decided = False
        for blocks in due:
            if not (restless & blocks).any():
                decided |= self._read(frame, blocks, again=True)
        return decided

    def look_harder(self, place: Place) -> bool:
        """Search a zone for cards that did not stand out from the table; True if one was found."""
        zone = self.layout.zone(place)
        if zone is None or self._frame is None or self._explained is None or self.busy:
            return False
        corners = np.array(zone.polygon_mm)
        box = self.raster.box_around(corners, 25.0)
        now = self.raster.cut(self._frame.image, box)
        fresh = np.zeros(now.shape[:2], dtype=np.uint8)
        cv2.fillPoly(fresh, [np.rint(self.raster.px(corners) - (box.u0, box.v0)).astype(np.int32)], 1)
        fresh = np.asarray(cv2.dilate(fresh, np.ones((31, 31), np.uint8)), dtype=np.uint8)
        fresh &= self._quiet[box.rows, box.columns]
        picture = Picture(now, self.raster.scale, fresh)
        known = [card for card in self._touching(box) if self.lying[card].lost_since_s is None]
        for card in known:
            cover = picture.cover(self._local(card, box), self.card_mm)
            picture.fresh[cover] = 0
            picture.open_[cover] = 0
        return bool(self._search(picture, box, known, self._frame.t_s, strips=False, wary=False))

    def look_again(self) -> None:
        """Looks at the whole table at the next frame in which it is still."""
        self.watcher.look_again()
        self._explained = None

    def expect(self, cards: Sequence[Card]) -> None:
        """From now on only `cards` can turn up."""
        self.cards = tuple(cards)

    def forget(self, card: Card) -> None:
        """The card's place is not known any more."""
        self.lying.pop(card, None)

    def rename(self, was: Card, now: Card) -> None:
        """The card believed `was` is `now`, and the other way round."""
        one, other = self.lying.pop(was, None), self.lying.pop(now, None)
        if one is not None:
            self.lying[now] = replace(one, card=now, pose=replace(one.pose, card=now))
        if other is not None:
            self.lying[was] = replace(other, card=was, pose=replace(other.pose, card=was))

    # -- one place that changed and came to rest --------------------------------------------------------------------

    def _read(self, frame: Frame, blocks: Blocks, first: bool = False, again: bool = False) -> bool:
        self.reads += 1
        self._patient, self._doubtful = again, False
        box, inside = self._region(blocks)
        if box.u1 - box.u0 < 8 or box.v1 - box.v0 < 8:
            return False
        now = self.raster.cut(frame.image, box)
        if first or self._explained is None:
            whole = Box(0, 0, *self.raster.size)
            fresh = _foreground(self.raster.cut(frame.image, whole))[box.rows, box.columns].copy()
        else:
            fresh = _different(now, self.raster.cut(self._explained, box), 12.0)
            if fresh.sum() > LIGHT_MM2 * self.raster.scale**2:
                # more than hands and cards change at once: the light did, so look for what stands out of the table
                whole = Box(0, 0, *self.raster.size)
                fresh &= _foreground(self.raster.cut(frame.image, whole))[box.rows, box.columns]
        fresh &= inside
        picture = Picture(now, self.raster.scale, fresh & self._quiet[box.rows, box.columns])
        there = [card for card in self._touching(box) if self._touches(card, box, inside)]
        missing = self._verify(picture, box, there, frame.t_s)
        kept = [card for card in there if card not in missing]
        for card in kept:
            # what lies plainly there explains light and shadow on it; a card half covered since does not
            if self.lying[card].pose.score < 0.9 * self.lying[card].score:
                continue
            cover = picture.cover(self._local(card, box), self.card_mm, 1.0)
            picture.fresh[cover & (self._above(picture, box, self.lying[card].order) > 0)] = 0
        self._doubted = set(missing)
        for card in missing:
            cover = picture.cover(self._local(card, box), self.card_mm)
            if self._bare(picture, box, cover):
                picture.fresh[picture.cover(self._local(card, box), self.card_mm, 2.0)] = 0
        placed = self._search(picture, box, kept, frame.t_s, strips=not first, wary=not first and not again)
        for card in self._verify(picture, box, [c for c in missing if c not in placed], frame.t_s):
            cover = picture.cover(self._local(card, box), self.card_mm)
            bare = self._bare(picture, box, cover)
            lying = self.lying[card]
            since = frame.t_s if lying.lost_since_s is None else lying.lost_since_s
            self.lying[card] = replace(lying, lost_since_s=since, bare=bare)
        left = float(picture.fresh.sum()) / self.raster.scale**2
        held = left > HELD_MM2
        if (held or self._doubtful) and not first and not again:
            self._later.append((frame.t_s + HELD_S, blocks))
        if self._explained is None:
            self._explained = frame.image.copy()
            self._learn_ground(frame.image)
            self._pile = self._find_pile(frame.image)
        elif again or not held:
            self._paste(frame.image, blocks)
            if (inside & (self._quiet[box.rows, box.columns] == 0)).any():
                self._pile = self._find_pile(frame.image)
        return bool(placed or there)

    def _find_pile(self, image: NDArray[np.uint8]) -> Found | None:
        """Where the draw pile lies: what stands out of the table in its zone and is about as large as a card."""
        zone = self.layout.zone(Place("draw"))
        if zone is None:
            return None
        box = self.raster.box_around(np.array(zone.polygon_mm), 0.0)
        picture = Picture(self.raster.cut(image, box), self.raster.scale, np.ones((1, 1), np.uint8))
        stands_out = (self._off_ground(picture, box) > 16).astype(np.uint8)
        stands_out = np.asarray(cv2.morphologyEx(stands_out, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), dtype=np.uint8)
        contours, _ = cv2.findContours(stands_out, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        if not contours:
            return None
        (u, v), (a, b), turn = cv2.minAreaRect(max(contours, key=cv2.contourArea))
        short, long = sorted((a / self.raster.scale, b / self.raster.scale))
        if not (0.7 * self.card_mm[0] < short < 2 * self.card_mm[0] and 0.7 * self.card_mm[1] < long < 90):
            return None
        upright = -math.radians(turn) + (0.0 if b >= a else math.pi / 2)
        return Found(None, u + box.u0, v + box.v0, upright, 0.5)

    def _region(self, blocks: Blocks) -> tuple[Box, NDArray[np.uint8]]:
        """The raster box around changed blocks, and which of its px lie in them."""
        step = self.watcher.divisor * BLOCK
        rows, columns = np.nonzero(blocks)
        low = np.array([columns.min(), rows.min()]) * step
        high = np.array([columns.max() + 1, rows.max() + 1]) * step
        corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        box = self.raster.box_around(self.raster.view.table_mm(corners, CARD_TOP_MM), 40.0)
        x, y = self.raster.blocks(box, step)
        h, w = blocks.shape
        valid = (x >= 0) & (x < w) & (y >= 0) & (y < h)
        return box, (blocks[y.clip(0, h - 1), x.clip(0, w - 1)] & valid).astype(np.uint8)

    def _touching(self, box: Box) -> list[Card]:
        reach = 32.0 * self.raster.scale
        return [
            card
            for card, lying in self.lying.items()
            if box.u0 - reach < lying.pose.u < box.u1 + reach and box.v0 - reach < lying.pose.v < box.v1 + reach
        ]

    def _touches(self, card: Card, box: Box, inside: NDArray[np.uint8]) -> bool:
        pose = self._local(card, box)
        cover = np.zeros(inside.shape, dtype=np.uint8)
        cv2.fillConvexPoly(cover, np.rint(card_corners(pose, self.card_mm, self.raster.scale)).astype(np.int32), 1)
        return bool((cover & inside).any())

    def _local(self, card: Card, box: Box) -> Found:
        pose = self.lying[card].pose
        return replace(pose, u=pose.u - box.u0, v=pose.v - box.v0)

    def _verify(self, picture: Picture, box: Box, cards: Iterable[Card], t_s: float) -> list[Card]:
        """Check known cards at their places, topmost first; those not seen there any more are returned."""
        lost = []
        everything = picture.open_.copy()
        for card in sorted(cards, key=lambda c: -self.lying[c].order):
            lying = self.lying[card]
            local = self._local(card, box)
            picture.open_ = everything & self._above(picture, box, lying.order)
            row = self.finder.fine.rows_of([card])[:1]
            pose = np.array([[local.u, local.v, local.angle_rad]])
            shown = float(picture.share(picture.open_, pose, self.finder.fine.size_px, FINE).mean())
            if shown < 0.15:
                continue  # covered: as before, a lost card does not come back by being covered
            score = float(self.finder.score(picture, pose, row)[0, 0])
            if score < 0.85 * lying.score:
                moved = self.finder.refine(picture, local, 3.0, 0.08)
                if moved.score > score + 0.05:
                    score, local = moved.score, moved
            if score >= max(0.5, 0.72 * lying.score):
                at = replace(local, u=local.u + box.u0, v=local.v + box.v0, score=score)
                self.lying[card] = replace(lying, pose=at, lost_since_s=None, bare=False)
            else:
                lost.append(card)
        picture.open_ = everything
        return lost

    def _above(self, picture: Picture, box: Box, order: float) -> NDArray[np.uint8]:
        """1 where no known card of a higher order lies."""
        out = np.ones(picture.image.shape[:2], dtype=np.uint8)
        for card in self._touching(box):
            lying = self.lying[card]
            if lying.order > order and lying.lost_since_s is None:
                out[picture.cover(self._local(card, box), self.card_mm)] = 0
        return out

    def _search(
        self, picture: Picture, box: Box, kept: list[Card], t_s: float, strips: bool, wary: bool = True
    ) -> list[Card]:
        """Find cards on fresh ground: whole ones, then strips under them. Returns the cards placed."""
        placed: list[Card] = []
        free = self._free(kept)
        near_arms = self._near_arms(picture, box) if wary else np.zeros_like(picture.fresh)
        hidden = picture.fresh & near_arms
        picture.fresh[near_arms > 0] = 0
        self._try(picture, box, self._rectangles(picture, free), free, placed, t_s, 60)
        for angles in (self.near_angles, self.all_angles):
            if picture.fresh.sum() < 500 * self.raster.scale**2:
                break
            candidates = self.finder.whole(picture, free, angles, 0.5, 0.5 * (self._contrast or 0.0))
            tries = 8 + int(picture.fresh.sum() / self.raster.scale**2 / 500)
            self._try(picture, box, candidates, free, placed, t_s, min(60, tries))
        if placed and strips:
            placed += self._strips(picture, box, placed, free, t_s)
        picture.fresh |= hidden
        return placed

    def _try(
        self,
        picture: Picture,
        box: Box,
        candidates: list[Found],
        free: list[Card | None],
        placed: list[Card],
        t_s: float,
        tries: int,
    ) -> None:
        """Refine candidates best first and place those that hold; `free` and `placed` are brought up to date."""
        while candidates and tries > 0:
            tries -= 1
            fine = self.finder.refine(picture, candidates[0])
            fine = self.finder.name(picture, fine, free)
            reach = 6.0
            if self._holds(picture, fine):
                picture.open_[picture.cover(fine, self.card_mm)] = 0
                picture.fresh[picture.cover(fine, self.card_mm, 1.5)] = 0
                reach = 16.0
                if fine.card is not None:
                    self._place(fine, box, t_s, self._order + 1)
                    self._order += 1
                    placed.append(fine.card)
                    free.remove(fine.card)
            candidates = [
                c
                for c in candidates[1:]
                if math.hypot(c.u - fine.u, c.v - fine.v) > reach * self.raster.scale and c.card in free
            ]

    def _holds(self, picture: Picture, fine: Found) -> bool:
        """Is a whole card surely what lies there?"""
        margin = fine.score - fine.rival_score
        least = WHOLE_LEAST if self._likeness is None else max(WHOLE_LEAST, self._likeness - UNLIKE)
        if fine.score < WHOLE_LEAST or margin < (0.05 if fine.score >= 0.85 else 0.2):
            return False
        if fine.score < least and not (fine.score >= 0.78 and margin >= (0.25 if self._patient else 0.32)):
            self._doubtful = True
            return False
        if fine.visible < 0.85 and fine.score < 0.9:
            return False
        contrast = self.finder.contrast(picture, fine)
        usual = self._contrast or contrast
        if not 0.5 * usual <= contrast <= 2.2 * usual and fine.score < 0.9:
            return False
        if fine.card in self.lying:
            lying = self.lying[fine.card]
            doubted = fine.card in self._doubted or lying.lost_since_s is not None or not self._still_there(lying)
            if not doubted and fine.score < lying.score + 0.05:
                return False
        self._contrast = contrast if self._contrast is None else 0.9 * self._contrast + 0.1 * contrast
        self._likeness = fine.score if self._likeness is None else 0.9 * self._likeness + 0.1 * fine.score
        return True

    def _still_there(self, lying: Lying) -> bool:
        """Does a known card show at its place in the newest frame, wherever that is?"""
        assert self._frame is not None
        corners = self.raster.mm(card_corners(lying.pose, self.card_mm, self.raster.scale))
        box = self.raster.box_around(corners, 4.0)
        picture = Picture(self.raster.cut(self._frame.image, box), self.raster.scale, self._quiet[box.rows, box.columns])
        picture.open_ = self._above(picture, box, lying.order)
        local = self._local(lying.card, box)
        pose = np.array([[local.u, local.v, local.angle_rad]])
        if float(picture.share(picture.open_, pose, self.finder.fine.size_px, FINE).mean()) < 0.15:
            return True
        score = float(self.finder.score(picture, pose, self.finder.fine.rows_of([lying.card])[:1])[0, 0])
        return score >= max(0.5, 0.72 * lying.score)

    def _rectangles(self, picture: Picture, free: Sequence[Card | None]) -> list[Found]:
        """Candidates where a fresh patch has the size of one card."""
        contours, _ = cv2.findContours(picture.fresh, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        poses = []
        for contour in contours:
            if cv2.contourArea(contour) < 900 * self.raster.scale**2:
                continue
            (u, v), (a, b), turn = cv2.minAreaRect(contour)
            short, long = sorted((a / self.raster.scale, b / self.raster.scale))
            if abs(short - self.card_mm[0]) > 8 or abs(long - self.card_mm[1]) > 10:
                continue
            upright = -math.radians(turn) + (0.0 if b >= a else math.pi / 2)
            poses += [(u + du, v + dv, upright) for du in (-1.5, 0.0, 1.5) for dv in (-1.5, 0.0, 1.5)]
        return self.finder.at(picture, np.array(poses).reshape(-1, 3), free, 0.5)

    def _near_arms(self, picture: Picture, box: Box) -> NDArray[np.uint8]:
        """1 where an arm reaches in from the mat's edge, and around it: what lies there may still be in a hand.

        Arms are wider than a card; rings and words of projected light are thin.
        """
        scale = 0.25
        small = cv2.resize(picture.fresh, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        wide = max(3, round(40 * self.raster.scale * scale))
        thick = cv2.morphologyEx(small, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide)))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(thick, connectivity=8)
        arms = np.zeros_like(thick)
        edge = 14 * self.raster.scale
        for label in range(1, count):
            u, v, w, h = stats[label][:4] / scale
            if (
                box.u0 + u < edge or box.v0 + v < edge
                or box.u0 + u + w > self.raster.size[0] - edge or box.v0 + v + h > self.raster.size[1] - edge
            ):  # fmt: skip
                arms[labels == label] = 1
        reach = round(2 * HAND_MM * self.raster.scale * scale)
        grown = cv2.dilate(arms, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
        return np.asarray(
            cv2.resize(grown, picture.fresh.shape[1::-1], interpolation=cv2.INTER_NEAREST), dtype=np.uint8
        )

    def _learn_ground(self, image: NDArray[np.uint8]) -> None:
        """The table without its cards: what lies around is drawn over them."""
        whole = Box(0, 0, *self.raster.size)
        picture = self.raster.cut(image, whole)
        mask = _foreground(picture)
        for lying in self.lying.values():
            corners = card_corners(lying.pose, (self.card_mm[0] + 8, self.card_mm[1] + 8), self.raster.scale)
            cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
        mask[self._quiet == 0] = 1
        small = cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA).astype(np.float32)
        keep = (cv2.resize(mask, small.shape[1::-1], interpolation=cv2.INTER_AREA) == 0).astype(np.float32)
        weight = cv2.GaussianBlur(keep, (0, 0), 10) + 1e-6
        filled = cv2.GaussianBlur(small * keep[..., None], (0, 0), 10) / weight[..., None]
        ground = np.where(keep[..., None] > 0, small, filled)
        self._ground = (
            cv2.resize(ground, self.raster.size, interpolation=cv2.INTER_LINEAR).clip(0, 255).astype(np.uint8)
        )

    def _strips(self, picture: Picture, box: Box, over: list[Card], free: list[Card | None], t_s: float) -> list[Card]:
        """Cards that came together with the cards `over` and lie partly under them."""
        placed: list[Card] = []
        names = [
            card
            for card in free
            if card is not None
            and card not in over
            and (
                card not in self.lying
                or self.lying[card].lost_since_s is not None
                or not self._still_there(self.lying[card])
            )
        ]
        solid = cv2.morphologyEx(picture.fresh, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        for top in over:
            around_top = picture.cover(self._local(top, box), self.card_mm, 26.0)
            if solid[around_top].sum() < 130 * self.raster.scale**2:
                continue
            near = around(self._local(top, box), self.raster.scale, 30.0, 3.0, (-0.24, -0.12, 0.0, 0.12, 0.24))
            # a capture brings a card of the same month; any other must be one that has left its place
            paired = any(card.month == top.month for card in over if card != top)
            mates = [] if paired or not self._in_pile(top) else [card for card in names if card.month == top.month]
            others = [card for card in names if card in self.lying]
            for group, least, margin in ((mates, 0.55, 0.0), (others, 0.8, 0.15)):
                fine = self._strip(picture, near, group, least, margin)
                if fine is not None and fine.card is not None:
                    self._place(fine, box, t_s, self.lying[top].order - 0.5)
                    placed.append(fine.card)
                    names = [card for card in names if card != fine.card]
                    picture.fresh[picture.cover(fine, self.card_mm, 1.5)] = 0
                    break
        return placed

    def _in_pile(self, card: Card) -> bool:
        mm = self.raster.mm(np.array([self.lying[card].pose.u, self.lying[card].pose.v]))
        place = self.layout.place_at(float(mm[0]), float(mm[1]))
        return place is not None and place.zone == "captured"

    def _strip(
        self, picture: Picture, near: NDArray[np.float64], names: Sequence[Card], least: float, margin: float
    ) -> Found | None:
        """The best partly covered card among `names` at one of the poses `near`, if it is surely there."""
        good: list[Found] = []
        for best in self.finder.partial(picture, names, near, 0.4, 0.15)[:4]:
            fine = self.finder.name(picture, self.finder.refine(picture, best), names)
            if fine.score < least or fine.score < fine.rival_score + margin:
                continue
            if fine.score >= self.finder.name(picture, fine, self.cards).score - 0.03:
                good.append(fine)
        return max(good, key=lambda found: found.score, default=None)

    def _free(self, kept: Sequence[Card]) -> list[Card | None]:
        """Cards that may turn up: all but those now seen in their places."""
        out: list[Card | None] = [card for card in self.cards if card not in kept and True]
        if None in self.finder.fine.cards:
            out.append(None)
        return out

    def _place(self, found: Found, box: Box, t_s: float, order: float) -> None:
        assert found.card is not None
        at = replace(found, u=found.u + box.u0, v=found.v + box.v0)
        self.lying[found.card] = Lying(found.card, at, order, found.score, t_s)

    def _bare(self, picture: Picture, box: Box, cover: NDArray[np.bool_]) -> bool:
        """Does the table show at a card's place, as far as nothing else lies there?"""
        shown = cover & (picture.open_ > 0)
        if self._ground is None or shown.sum() < 0.3 * cover.sum():
            return False
        return float((self._off_ground(picture, box)[shown] < 16).mean()) > 0.7

    def _off_ground(self, picture: Picture, box: Box) -> NDArray[np.uint8]:
        """By how many grey levels the picture differs from the bare table, the most of the channels."""
        assert self._ground is not None
        smooth = cv2.blur(picture.image, (5, 5))
        return np.asarray(cv2.absdiff(smooth, self._ground[box.rows, box.columns]).max(axis=2), dtype=np.uint8)

    def _paste(self, image: NDArray[np.uint8], blocks: Blocks) -> None:
        """Take the newest picture of `blocks` as explained."""
        assert self._explained is not None
        step = self.watcher.divisor * BLOCK
        for y, x0, x1 in _runs(blocks):
            part = (slice(y * step, (y + 1) * step), slice(x0 * step, x1 * step))
            self._explained[part] = image[part]

    def observation(self, t_s: float) -> Observation:
        """What is known now."""
        seen = []
        for lying in self.lying.values():
            mm = self.raster.mm(np.array([lying.pose.u, lying.pose.v]))
            pose = Pose(float(mm[0]), float(mm[1]), lying.pose.angle_rad)
            place = self.layout.place_at(pose.x_mm, pose.y_mm)
            score = min(1.0, max(0.0, lying.score))
            seen.append(
                SeenCard(lying.card, True, pose, place, score, visible=lying.pose.visible, since_s=lying.since_s)
            )
        if self._pile is not None:
            mm = self.raster.mm(np.array([self._pile.u, self._pile.v]))
            pose = Pose(float(mm[0]), float(mm[1]), self._pile.angle_rad)
            seen.append(SeenCard(None, False, pose, Place("draw"), 0.5))
        lost = {card: lying for card, lying in self.lying.items() if lying.lost_since_s is not None}
        gone = frozenset(card for card, lying in lost.items() if lying.bare)
        return Observation(t_s, tuple(seen), gone, frozenset(lost) - gone, hands=self.busy, wants_dark=not self.looked)

    @property
    def looked(self) -> bool:
        """Has the whole table been looked at?"""
        return self._explained is not None and not self.watcher.never.any()


def _native_scale(view: TableView, mat_mm: tuple[float, float]) -> float:
    """Camera px a mm at the mat's centre."""
    px = view.camera_px(np.array([[-10.0, 0.0], [10.0, 0.0], [0.0, -10.0], [0.0, 10.0]]))
    return float((np.linalg.norm(px[0] - px[1]) + np.linalg.norm(px[2] - px[3])) / 40)


def _different(a: NDArray[np.uint8], b: NDArray[np.uint8], level: float) -> NDArray[np.uint8]:
    """1 where two pictures differ by more than `level` grey levels in some channel, after smoothing over 3 x 3."""
    difference = cv2.blur(cv2.absdiff(a, b), (3, 3)).max(axis=2)
    return np.asarray((difference > level).astype(np.uint8))


def _foreground(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """1 where a picture of the table differs from its wider surroundings (32 cm): cards, things."""
    small = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    quarter = cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    ground = cv2.resize(cv2.medianBlur(quarter, 81), small.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    difference = cv2.absdiff(small, ground).max(axis=2)
    mask = (difference > (0.2 * ground.max(axis=2)).clip(8, 20)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    solid = cv2.drawContours(np.zeros_like(mask), [c for c in contours if cv2.contourArea(c) > 60], -1, 1, cv2.FILLED)
    solid = cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.resize(solid, picture.shape[1::-1], interpolation=cv2.INTER_NEAREST), dtype=np.uint8)


def _grown(blocks: Blocks, size: int) -> Blocks:
    """`blocks` and their neighbours in a square of `size`."""
    return np.asarray(cv2.dilate(blocks.astype(np.uint8), np.ones((size, size), np.uint8)) > 0)


def _without_specks(blocks: Blocks) -> Blocks:
    """`blocks` but for single ones, which are noise: hands and cards cover several."""
    square = np.ones((2, 2), np.uint8)
    return np.asarray(cv2.morphologyEx(blocks.astype(np.uint8), cv2.MORPH_OPEN, square) > 0)


def _patches(blocks: Blocks) -> Iterable[Blocks]:
    """Each connected patch of blocks, diagonal neighbours included."""
    count, labels = cv2.connectedComponents(blocks.astype(np.uint8), connectivity=8)
    yield from (labels == label for label in range(1, count))


def _runs(blocks: Blocks) -> Iterable[tuple[int, int, int]]:
    """Rows of set blocks as (row, first column, column after the last)."""
    padded = np.pad(blocks.astype(np.int8), ((0, 0), (1, 1)))
    edges = np.diff(padded, axis=1)
    for y in np.nonzero(blocks.any(axis=1))[0]:
        starts, ends = np.nonzero(edges[y] == 1)[0], np.nonzero(edges[y] == -1)[0]
        yield from ((int(y), int(a), int(b)) for a, b in zip(starts, ends, strict=True))
