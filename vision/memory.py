"""Where each known card lies, and whether it can still be seen there."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.glow import LIKE_LEAST, shows_under_light
from vision.raster import Box, TableRaster
from vision.rectify import Found, Picture, card_corners
from vision.search import FINE, Finder

SEEN_LEAST: Final = 0.5
SEEN_SHARE: Final = 0.72
"""A card is still at its place if it scores this, and this share of what it scored when it was found."""
SAME_SHARE: Final = 0.92
"""The same for a card that was taken away: another of its month may have been laid there."""
NOWHERE_NEAR: Final = 0.25
"""A card that scores less at its place is not there, lit or not."""
LIT_SHARE: Final = 0.9
"""The same without the light on it, which leaves less to go by."""
COVERED: Final = 0.15
"""A card of which less than this shows is covered: nothing can be said of it, so it stays as it is."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A known card at its place. `order` rises with what lies on top; `score` is its likeness when it was found.

    `pose` is in raster px. `lost_since_s` is None while it is seen or covered; `bare` is True where its place shows
    the bare table.
    """

    card: Card
    pose: Found
    order: float
    score: float
    since_s: float
    lost_since_s: float | None = None
    bare: bool = False

    @property
    def lost(self) -> bool:
        """Whether it was not seen at its place when last looked for."""
        return self.lost_since_s is not None


class Memory:
    """The known cards of one table. Poses are in raster px; a `Picture` is a cut out of the raster."""

    def __init__(self, raster: TableRaster, finder: Finder) -> None:
        self.raster = raster
        self.finder = finder
        self.card_mm = finder.card_mm
        self.cards: dict[Card, Lying] = {}
        self._top = 0.0

    def place(
        self, found: Found, picture: Picture, t_s: float, under: Card | None = None, over: Card | None = None
    ) -> None:
        """A card has been found in a picture, on top of all others or just under the card `under`, but above `over`."""
        assert found.card is not None
        if under is None:
            self._top += 1
        order = self._top if under is None else self.cards[under].order - 0.5
        if under is not None and over is not None and order <= self.cards[over].order < self.cards[under].order:
            order = (self.cards[over].order + self.cards[under].order) / 2
        at = replace(found, u=found.u + picture.box.u0, v=found.v + picture.box.v0)
        self.cards[found.card] = Lying(found.card, at, order, found.score, t_s)

    def forget(self, card: Card) -> None:
        """The card's place is not known any more."""
        self.cards.pop(card, None)

    def rename(self, was: Card, now: Card) -> None:
        """The card believed `was` is `now`, and the other way round."""
        one, other = self.cards.pop(was, None), self.cards.pop(now, None)
        for name, lying in ((now, one), (was, other)):
            if lying is not None:
                self.cards[name] = replace(lying, card=name, pose=replace(lying.pose, card=name))

    def lose(self, card: Card, t_s: float, bare: bool) -> None:
        """The card is not seen at its place; `bare`: the table shows there, and so the card is gone for good."""
        lying = self.cards[card]
        bare = bare or (lying.lost and lying.bare)
        since = t_s if lying.lost_since_s is None else lying.lost_since_s
        self.cards[card] = replace(lying, lost_since_s=since, bare=bare)

    def near(self, box: Box) -> list[Card]:
        """Cards that may reach into `box`."""
        reach = 32.0 * self.raster.scale
        return [
            card
            for card, lying in self.cards.items()
            if box.u0 - reach < lying.pose.u < box.u1 + reach and box.v0 - reach < lying.pose.v < box.v1 + reach
        ]

    def on(self, picture: Picture, mask: NDArray[np.uint8]) -> list[Card]:
        """Cards that lie at least partly on the set px of `mask`, a mask of the picture."""
        out = []
        for card in self.near(picture.box):
            cover = np.zeros(mask.shape, dtype=np.uint8)
            corners = card_corners(self.local(card, picture), self.card_mm, self.raster.scale)
            cv2.fillConvexPoly(cover, np.rint(corners).astype(np.int32), 1)
            if (cover & mask).any():
                out.append(card)
        return out

    def local(self, card: Card, picture: Picture) -> Found:
        """The card's pose in px of the picture."""
        pose = self.cards[card].pose
        return replace(pose, u=pose.u - picture.box.u0, v=pose.v - picture.box.v0)

    def cover(self, card: Card, picture: Picture, grow_mm: float = 0.0) -> NDArray[np.bool_]:
        """The px of the picture on which the card lies."""
        return picture.cover(self.local(card, picture), self.card_mm, grow_mm)

    def uncovered(
        self, card: Card, picture: Picture, away: Sequence[Card] = (), until_s: float = math.inf
    ) -> NDArray[np.uint8]:
        """1 where no known card that lay there at `until_s`, but those `away`, lies on top of `card`."""
        out = np.ones(picture.image.shape[:2], dtype=np.uint8)
        order = self.cards[card].order
        for other in self.near(picture.box):
            lying = self.cards[other]
            if lying.order > order and not lying.lost and other not in away and lying.since_s <= until_s:
                out[self.cover(other, picture)] = 0
        return out

    def under(self, card: Card, picture: Picture, unseen: Sequence[Card]) -> NDArray[np.bool_]:
        """The px of the picture on which known cards lie that lay under `card` and are not `unseen`."""
        out = np.zeros(picture.image.shape[:2], dtype=bool)
        for other in self.near(picture.box):
            lying = self.cards[other]
            if lying.order < self.cards[card].order and not lying.lost and other not in unseen:
                out |= self.cover(other, picture)
        return out

    def verify(
        self, picture: Picture, cards: Iterable[Card], follow: bool = True, t_s: float | None = None
    ) -> list[Card]:
        """Looks for known cards at their places, topmost first, and returns those that are not seen there.

        A card that was nudged a little is followed, unless that is not asked for; one that is covered stays as it is.
        Where a card was plainly gone, what lies there now must look just like it: it may be another of its month.
        If it is the same, it was laid there anew, at `t_s`.
        """
        lost: list[Card] = []
        everything = picture.open_.copy()
        for card in sorted(cards, key=lambda c: -self.cards[c].order):
            lying = self.cards[card]
            picture.open_ = everything & self.uncovered(card, picture, lost)
            local, score = self.local(card, picture), self._score(card, picture)
            away = lying.lost and lying.bare
            if score is None:
                if lying.lost and not away and self._lay_under(card, picture):
                    self.cards[card] = replace(lying, lost_since_s=None)
                continue
            if follow and score < 0.85 * lying.score:
                nudged = self.finder.refine(picture, local, 3.0, 0.08)
                if nudged.score > score + 0.05:
                    score, local = nudged.score, nudged
            least = SAME_SHARE * lying.score if away else self._least(lying)
            if score >= least or (not away and score >= NOWHERE_NEAR and self._lit(lying, local, picture)):
                at = replace(local, u=local.u + picture.box.u0, v=local.v + picture.box.v0, score=score)
                since_s = lying.since_s if t_s is None or not away else t_s
                self.cards[card] = replace(lying, pose=at, since_s=since_s, lost_since_s=None, bare=False)
            else:
                lost.append(card)
        picture.open_ = everything
        return lost

    def _lay_under(self, card: Card, picture: Picture) -> bool:
        """Is a lost card covered by what lay on it before? Then a hand hid both, and it is there again."""
        lost_s = self.cards[card].lost_since_s
        older = self.uncovered(card, picture, until_s=math.inf if lost_s is None else lost_s)
        cover = self.cover(card, picture)
        return float((cover & (older > 0)).sum()) < COVERED * float(cover.sum())

    def still_there(self, card: Card, image: NDArray[np.uint8]) -> bool:
        """Does a known card show at its place in a camera picture? True also where it is covered."""
        corners = self.raster.mm(card_corners(self.cards[card].pose, self.card_mm, self.raster.scale))
        box = self.raster.box_around(corners, 4.0)
        nothing = np.zeros((box.v1 - box.v0, box.u1 - box.u0), dtype=np.uint8)
        picture = Picture(self.raster.cut(image, box), self.raster.scale, nothing, box)
        picture.open_ = self.uncovered(card, picture)
        score = self._score(card, picture)
        lying = self.cards[card]
        return score is None or score >= self._least(lying) or self._lit(lying, self.local(card, picture), picture)

    def _least(self, lying: Lying) -> float:
        return max(SEEN_LEAST, SEEN_SHARE * lying.score)

    def _lit(self, lying: Lying, local: Found, picture: Picture) -> bool:
        """Does the card show at `local` but for light that falls on parts of it?"""
        least = max(LIKE_LEAST, LIT_SHARE * lying.score)
        return shows_under_light(self.finder, picture, local, lying.card) >= least

    def _score(self, card: Card, picture: Picture) -> float | None:
        """Likeness of the card at its place over what is open; None where it is covered."""
        local = self.local(card, picture)
        pose = np.array([[local.u, local.v, local.angle_rad]])
        shown = float(picture.share(picture.open_, pose, self.finder.fine.size_px, FINE).mean())
        if shown < COVERED:
            return None
        return float(self.finder.score(picture, pose, self.finder.fine.rows_of([card])[:1])[0, 0])
