"""What lies on the table, remembered from frame to frame: each known card has a pose until it is seen elsewhere.

A frame is looked at only where it changed and has come to rest. There, known cards are checked at their places first;
what they do not explain is searched for the cards that are not accounted for. Hands hide cards, they never remove them.
"""

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frames import Pose
from calibration.homography import Homography
from calibration.layout import Layout
from calibration.view import TableView
from engine.cards import Card
from engine.events import Place
from vision.changes import BLOCK, Blocks, Change, ChangeWatcher, grown, patches, without_specks
from vision.deck import Deck
from vision.explained import Explained
from vision.facedown import FaceDown
from vision.ground import Ground, differs, quiet_zones, stands_out
from vision.later import HELD_S, SETTLE_S, Undecided
from vision.memory import Memory
from vision.raster import Box, TableRaster, px_per_mm, seen_from
from vision.reach import Reach
from vision.rectify import Found, Picture
from vision.search import FINE, Finder
from vision.seek import Seeker
from vision.shade import Shade
from vision.shine import Shine, unlit
from vision.values import Frame, Observation, SeenCard

PATIENCE_S: Final = 1.5
"""So long the first look waits for the whole table to be still; then it takes what is."""
HELD_MM2: Final = 2000.0
"""Unexplained change larger than this is a hand or a thing: what it touches is not yet decided."""
HIDDEN_MM2: Final = 100.0
"""Change larger than this beside an arm may be a card that a hand is just laying: it is looked at again soon."""
LIGHT_MM2: Final = 100_000.0
"""Change over a larger area than this is a change of the light."""
REST_LEAST: Final = 0.35
"""Where less of a card's place shows the table than this, the cards in view that lay under it tell that it is gone."""
SHADE_MM2: Final = 20_000.0
SHADE_MM: Final = 140.0
"""Where more than this is new at once, or what reaches in is wider, a shadow may have come over the table."""
LIGHT_EVERY_PX: Final = 8
"""Light that changes slowly is followed on so coarse a raster."""
FRESH_LEVEL: Final = 12.0
"""Grey levels by which a place must differ from what was explained to be searched."""


class Eyes:
    """Follows the cards of `cards` on one table, lit by the projector of `projector_from_table` if there is one."""

    def __init__(
        self,
        view: TableView,
        layout: Layout,
        deck: Deck,
        cards: Sequence[Card],
        projector_from_table: Homography | None = None,
    ) -> None:
        self.layout = layout
        self.raster = TableRaster(view, layout.mat_mm, FINE)
        self.watcher = ChangeWatcher(max(1, round(px_per_mm(view) * 1.2)))
        images: dict[Card | None, NDArray[np.uint8]] = {card: deck.faces[card] for card in cards}
        if deck.back is not None:
            images[None] = deck.back
        self.finder = Finder(images, deck.card_mm)
        self.memory = Memory(self.raster, self.finder)
        self.ground = Ground(self.raster, deck.card_mm, quiet_zones(self.raster, layout))
        self.shine = None if projector_from_table is None else Shine(self.raster, projector_from_table)
        self.reach = Reach(self.ground)
        self._reached_at: float | None = None
        self._shade = Shade(self.raster)
        self.down = FaceDown(self.ground, layout)
        self.seeker = Seeker(self.memory, self.finder, cards, _seat_angles(layout), self._in_pile)
        self.busy = False
        self._explained = Explained(self.watcher.divisor * BLOCK)
        self._frame: Frame | None = None
        self._waiting_since_s: float | None = None
        self._later = Undecided()

    @property
    def looked(self) -> bool:
        """Has the whole table been looked at?"""
        return self._explained.image is not None and not self.watcher.never.any()

    def look(self, frame: Frame) -> bool:
        """Takes in a frame; True where something was looked at anew."""
        self._frame = frame
        change = self.watcher.watch(frame.image, frame.t_s)
        self.busy = bool((change.moving & change.dirty).any())
        decided = False
        self._follow_light(frame, change)
        if self._later:
            decided |= self._look_later(frame, change)
        if change.never.any():
            decided |= self._look_first(frame, change)
        if change.dirty.any():
            restless = without_specks(change.still_s < SETTLE_S)
            quiet = [blocks for blocks in patches(grown(change.dirty, 3)) if not (restless & blocks).any()]
            for blocks in self._later.joined(quiet):
                decided |= self._read(frame, blocks)
            for blocks in quiet:
                self.watcher.looked_at(blocks)
        return decided

    def _follow_light(self, frame: Frame, change: Change) -> None:
        """Light that changes slowly becomes known without a look."""
        factor = self._explained.follow_light(frame, change)
        if factor is not None:
            self.watcher.looked_at(factor != 1)
            self.ground.brighten(self.raster.of_blocks(factor, self._explained.block_px, LIGHT_EVERY_PX))

    def _look_first(self, frame: Frame, change: Change) -> bool:
        """Looks where nothing is known yet: at the whole when it is still, after a while at what is still."""
        restless = without_specks(change.still_s < SETTLE_S)
        if self._waiting_since_s is None:
            self._waiting_since_s = frame.t_s
        if (restless & change.never).any() and frame.t_s - self._waiting_since_s < PATIENCE_S:
            return False
        decided = False
        for blocks in patches(change.never & ~grown(restless, 5)):
            decided |= self._read(frame, blocks, first=True)
            self.watcher.looked_at(blocks)
        if not self.watcher.never.any():
            self._waiting_since_s = None
        return decided

    def _look_later(self, frame: Frame, change: Change) -> bool:
        """Looks once more where something lay that nothing explained, if it has not moved since."""
        decided = False
        for later in self._later.due(frame.t_s):
            forced = later.forced(frame.t_s)
            moving = grown(without_specks(change.still_s < (HELD_S if forced else SETTLE_S)), 3)
            if not forced and (later.blocks & moving).any():
                moving = later.blocks  # a part of it would be taken for all there is
            for patch in patches(later.blocks & ~moving):
                decided |= self._read(frame, patch, again=forced, since_s=later.since_s)
            self._later.wait(later, later.blocks & moving, frame.t_s)
        return decided

    def look_last(self) -> None:
        """No frame will come: decides from the last one what was still waited for."""
        if self._frame is None:
            return
        for later in self._later.all():
            self._read(self._frame, later.blocks, again=True)

    def look_harder(self, place: Place) -> bool:
        """Searches a zone for cards that do not stand out from the table; True if one was found."""
        zone = self.layout.zone(place)
        if zone is None or self._frame is None or not self.looked or self.busy:
            return False
        corners = np.array(zone.polygon_mm)
        box = self.raster.box_around(corners, 25.0)
        inside = np.zeros((box.v1 - box.v0, box.u1 - box.u0), dtype=np.uint8)
        cv2.fillPoly(inside, [np.rint(self.raster.px(corners) - (box.u0, box.v0)).astype(np.int32)], 1)
        inside = np.asarray(cv2.dilate(inside, np.ones((31, 31), np.uint8)), dtype=np.uint8)
        image = self._frame.image
        fresh = inside & self.ground.quiet[box.rows, box.columns]
        picture = Picture(self.raster.cut(image, box), self.raster.scale, fresh, box)
        known = [card for card in self.memory.near(box) if not self.memory.cards[card].lost]
        for card in known:
            cover = self.memory.cover(card, picture)
            picture.fresh[cover] = 0
            picture.open_[cover] = 0
        return bool(self.seeker.search(picture, image, known, (), self._frame.t_s, strips=False))

    def look_again(self) -> None:
        """Looks at the whole table at the next frame in which it is still."""
        self.watcher.look_again()
        self._explained.forget()

    def aim(self, view: TableView, projector_from_table: Homography | None) -> None:
        """The camera, the mat or the projector was moved: cards lie where they lay on the mat, seen otherwise now."""
        before = self.raster.view
        if view is not before:
            self.raster = self.memory.raster = self.ground.raster = TableRaster(view, self.layout.mat_mm, FINE)
            self.reach, self._shade = Reach(self.ground), Shade(self.raster)
            self._reached_at = None
            if self._explained.image is not None:
                self._explained.image = seen_from(self._explained.image, before, view)
                self.watcher.moved(self._explained.image)
        if self.shine is not None and projector_from_table is not None:
            self.shine.aim(projector_from_table)

    def expect(self, cards: Sequence[Card]) -> None:
        """From now on only `cards` can turn up."""
        self.seeker.cards = tuple(cards)

    def _read(
        self, frame: Frame, blocks: Blocks, first: bool = False, again: bool = False, since_s: float | None = None
    ) -> bool:
        """Looks at one place that changed and came to rest; True if cards lie or lay there.

        `first`: nothing was known there. `again`: what rests there counts, a hand or not. It was undecided `since_s`.
        """
        box, inside = self.raster.region(blocks, self._explained.block_px)
        self._explained.doubt(blocks)
        if box.u1 - box.u0 < 8 or box.v1 - box.v0 < 8:
            return False
        now = self.raster.cut(frame.image, box)
        fresh = self._fresh(frame, now, box, first) & inside & self.ground.quiet[box.rows, box.columns]
        picture = Picture(now, self.raster.scale, fresh, box)
        picture.lit = None if self.shine is None else self.shine.on(box, frame.t_s)
        there = self.memory.on(picture, inside)
        lost = any(self.memory.cards[card].lost for card in there)
        if not (first or again or lost or fresh.any() or self.down.watches(box)):
            self._take_as_explained(frame, blocks, box, inside)
            return False
        stirred = there if first or again else self._stirred(picture, there)
        missing = self.memory.verify(picture, stirred, t_s=frame.t_s)
        kept = [card for card in there if card not in missing]
        self._explain(picture, [card for card in stirred if card not in missing], missing)
        hidden = np.zeros_like(fresh)
        arms = hidden if first else self.arms(frame).near(box)
        if not again:
            hidden = picture.fresh & arms
            picture.fresh[arms > 0] = 0
        self.seeker.patient = again
        placed = self.seeker.search(picture, frame.image, kept, missing, frame.t_s, strips=not first)
        picture.fresh |= hidden
        unseen = self.memory.verify(picture, [card for card in missing if card not in placed], follow=False)
        for card in unseen:
            self.memory.lose(card, frame.t_s, self._is_gone(picture, card, unseen))
        near_hand = float(hidden.sum()) > HIDDEN_MM2 * self.raster.scale**2
        held = near_hand or float(picture.fresh.sum()) > HELD_MM2 * self.raster.scale**2
        if (held or self.seeker.doubtful) and not first and not again:
            self._later.add(blocks, frame.t_s, since_s, soon=near_hand)
        if first or again or not held:
            self._take_as_explained(frame, blocks, box, inside & (1 - arms))
        seen = [lying.pose for lying in self.memory.cards.values() if not lying.lost]
        self.down.look(frame.image, box, None if again else arms, seen, frame.t_s)
        return bool(placed or there)

    def _is_gone(self, picture: Picture, card: Card, unseen: Sequence[Card]) -> bool:
        """Does the place of a card that is not seen show the table, or cards that lay under it?"""
        cover = self.memory.cover(card, picture)
        rest = cover & ~self.memory.under(card, picture, unseen)
        return bool(rest.sum() < REST_LEAST * cover.sum()) or self.ground.shows(picture, rest)

    def _stirred(self, picture: Picture, there: Sequence[Card]) -> list[Card]:
        """Of the cards `there` those at whose places something is new, and those that were not seen there."""
        changed = set(self.memory.on(picture, picture.fresh))
        return [card for card in there if card in changed or self.memory.cards[card].lost]

    def _fresh(self, frame: Frame, now: NDArray[np.uint8], box: Box, first: bool) -> NDArray[np.uint8]:
        """1 where the picture `now` of `box` is not yet explained."""
        image, t_s = frame.image, frame.t_s
        if not first and self._explained.image is not None:
            before = self.raster.cut(self._explained.image, box)
            fresh = self._beside_light(differs(now, before, FRESH_LEVEL), box, t_s)
            wide = self._shade.fell() or fresh.sum() > SHADE_MM2 * self.raster.scale**2
            if wide and (shades := self._shade.look(image, self._explained.image, t_s)) is not None:
                before = shades.fit(now, before, box, self.raster.size)
                fresh = self._beside_light(differs(now, before, FRESH_LEVEL), box, t_s)
            if fresh.sum() <= LIGHT_MM2 * self.raster.scale**2:
                return fresh
        # nothing is known, or more than hands and cards changed at once: then what stands out of the table counts
        out = stands_out(self.raster.cut(image, self.raster.whole))[box.rows, box.columns].copy()
        return out if self.shine is None else unlit(out, self.shine.on(box, t_s), self.raster.scale)

    def _beside_light(self, fresh: NDArray[np.uint8], box: Box, t_s: float) -> NDArray[np.uint8]:
        """What of a mask of `box` our own light, as it has changed, does not explain."""
        return fresh if self.shine is None else unlit(fresh, self.shine.changed(box, t_s), self.raster.scale)

    def arms(self, frame: Frame) -> Reach:
        """The arms over the table in this frame."""
        if self._explained.image is not None and self._reached_at != frame.t_s:
            whole, shine = self.raster.whole, self.shine
            lit = None if shine is None else shine.changed(whole, frame.t_s)
            shone_on = None if shine is None else shine.on(whole, frame.t_s)
            self.reach.look(frame.image, self._explained.image, lit, shone_on)
            wide = self._shade.fell() or self.reach.width_mm() > SHADE_MM
            if wide and (shades := self._shade.look(frame.image, self._explained.image, frame.t_s)) is not None:
                self.reach.look(frame.image, self._explained.image, lit, shone_on, shades)
            self._reached_at = frame.t_s
        return self.reach

    def _explain(self, picture: Picture, kept: Sequence[Card], missing: Sequence[Card]) -> None:
        """Takes what known cards and the bare table explain out of what is fresh."""
        for card in kept:
            lying = self.memory.cards[card]
            # what lies plainly there explains light and shadow on it; a card half covered since does not
            if lying.pose.score >= 0.9 * lying.score:
                picture.fresh[self.memory.cover(card, picture, 1.0) & (self.memory.uncovered(card, picture) > 0)] = 0
        for card in missing:
            if self.ground.shows(picture, self.memory.cover(card, picture)):
                picture.fresh[self.memory.cover(card, picture, 2.0)] = 0

    def _take_as_explained(self, frame: Frame, blocks: Blocks, box: Box, free: NDArray[np.uint8]) -> None:
        """Remembers the picture of what has been looked at, `blocks`, where no arm covers it: `free` in `box` is 1."""
        if self._explained.image is None:
            self._explained.begin(frame.image, blocks)
            self._shade.forget()
            self.ground.learn(frame.image, [lying.pose for lying in self.memory.cards.values()])
        else:
            x, y = self.raster.blocks(box, self._explained.block_px)
            covered = np.zeros_like(blocks)
            inner = (free == 0) & (x >= 0) & (x < blocks.shape[1]) & (y >= 0) & (y < blocks.shape[0])
            covered[y[inner], x[inner]] = True
            kept = blocks & ~covered
            self._explained.keep(frame.image, kept)
            self._ground_in_shade(frame.t_s, kept)
        if self.shine is not None:
            self.shine.explained(box, free, frame.t_s)

    def _ground_in_shade(self, t_s: float, kept: Blocks) -> None:
        """The bare table is seen in the light that fell on the blocks `kept`."""
        here = self.raster.of_blocks(kept.astype(np.float32), self._explained.block_px, LIGHT_EVERY_PX)
        if (factor := self._shade.keep(t_s, here > 0)) is not None:
            self.ground.brighten(factor)

    def _in_pile(self, card: Card) -> bool:
        pose = self._pose(self.memory.cards[card].pose)
        place = self.layout.place_at(pose.x_mm, pose.y_mm)
        return place is not None and place.zone == "captured"

    def _pose(self, found: Found) -> Pose:
        x_mm, y_mm = self.raster.mm(np.array([found.u, found.v])).tolist()
        return Pose(x_mm, y_mm, found.angle_rad)

    def observation(self, t_s: float) -> Observation:
        """What is known now."""
        seen = []
        known = tuple(self.memory.cards.values())
        places_mm = self.raster.mm(np.array([(lying.pose.u, lying.pose.v) for lying in known]).reshape(-1, 2)).tolist()
        for lying, (x_mm, y_mm) in zip(known, places_mm, strict=True):
            pose = Pose(x_mm, y_mm, lying.pose.angle_rad)
            place = self.layout.place_at(x_mm, y_mm)
            score = min(1.0, max(0.0, lying.score))
            card = SeenCard(lying.card, True, pose, place, score, visible=lying.pose.visible, since_s=lying.since_s)
            seen.append(card)
        for down in self.down.seen:
            seen.append(SeenCard(None, False, self._pose(down.pose), down.place, 0.5, since_s=down.since_s))
        lost = {card: lying for card, lying in self.memory.cards.items() if lying.lost}
        gone = frozenset(card for card, lying in lost.items() if lying.bare)
        return Observation(t_s, tuple(seen), gone, frozenset(lost) - gone, hands=self.busy, wants_dark=not self.looked)


def _seat_angles(layout: Layout) -> tuple[float, ...]:
    """How cards mostly lie: upright for a seat, give or take."""
    facing = sorted({round(seat.facing_deg) % 180 for seat in layout.seats})
    return tuple(math.radians(base + turn) for base in facing for turn in (0, -7.5, 7.5, -15, 15, 22.5, -22.5))
