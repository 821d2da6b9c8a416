"""Cards that the first look leaves in doubt: little like any face of the deck, or partly under others."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.memory import Memory
from vision.rectify import Found, Picture
from vision.second import Opinion, SecondLook
from vision.under import hidden_in, left_over, lies_over

WHOLE_SHOWN: Final = 0.97
"""A card of which less shows lies under one that was found before it."""
MOST_ASKED: Final = 6
"""So many doubtful cards are looked at a second time in one search."""
OPEN: Final = (0.95, 0.2, 0.8, 0.85)
"""What a second look must make of one that lies open: likeness and half its lead over other faces, that lead,
probability that it is a card, share in view. Right ones reach 1.05 and more, things that are no cards 0.9 and less.
"""
HIDDEN: Final = (0.98, 0.1, 0.6, 0.0)
HALF_HIDDEN: Final = (0.85, 0.15, 0.95, 0.5)
"""The same of one that lies under others, the latter where more than these may cover it."""
STRIP: Final = (0.6, 0.0, 0.5, 0.0)
"""The same of a strip under a card just laid that is not clearly what it seems by its own likeness."""
CLEAR_STRIP: Final = 0.85
MOST_HIDDEN: Final = 12
"""So many cards partly under others are looked for at most in one search."""
MOST_FAILED: Final = 2
"""In so many places more than there are cards on top they are looked for in vain."""
_STILL_FRESH: Final = 0.6
_APART_MM: Final = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What is being searched: `picture`, a cut of the camera's `image` at `t_s`.

    The cards `kept` are seen at their places, `missing` are not.
    """

    picture: Picture
    image: NDArray[np.uint8]
    kept: tuple[Card, ...]
    missing: tuple[Card, ...]
    t_s: float


class Doubts:
    """Settles doubts by a second look. `holds` tells whether what is like a card surely lies there as a whole one."""

    def __init__(self, memory: Memory, second: SecondLook, holds: Callable[[Ground, Found, int], bool]) -> None:
        self.memory = memory
        self.finder = memory.finder
        self.second = second
        self._holds = holds

    def hidden(self, ground: Ground, over: Sequence[Card], free: Sequence[Card], sure: bool) -> list[Card]:
        """Places those of `free` that came together with the cards `over` and lie partly under them or under others.

        Not `sure`: something unknown may lie on these in turn.
        """
        picture = ground.picture
        placed: list[Card] = []
        open_ = picture.open_.copy()
        for card in ground.kept:
            picture.open_[self.memory.cover(card, picture) & (picture.fresh == 0)] = 0
        failed, tries = np.zeros_like(picture.fresh), MOST_FAILED + len(over)
        while tries > 0 and len(placed) < MOST_HIDDEN:
            parts = [part for part in left_over(picture) if not (part & failed).any() and _touches(part, picture)]
            if not parts:
                break
            found = self._best_hidden(ground, [card for card in free if card not in placed], parts[0], sure)
            if found is None or found.card is None:
                failed |= parts[0]
                tries -= 1
                continue
            lay(self.memory, found, picture, (*ground.kept, *over, *placed), ground.t_s)
            placed.append(found.card)
            if sure:
                self._take(found, picture)
        picture.open_ = open_
        for card in placed:
            self._take(self.memory.local(card, picture), picture)
        return placed

    def open(self, ground: Ground, doubts: Sequence[Found], free: Sequence[Card | None], placed: list[Card]) -> None:
        """Looks a second time at `doubts`, which seem to lie open, and places what it surely knows then."""
        picture = ground.picture
        asked: list[Found] = []
        for found in sorted(doubts, key=lambda one: -one.score):
            cover = picture.cover(found, self.finder.card_mm)
            fresh = float((picture.fresh & picture.open_)[cover].mean()) if cover.any() else 0.0
            far = all(math.hypot(found.u - one.u, found.v - one.v) > _APART_MM * picture.scale for one in asked)
            if fresh >= _STILL_FRESH and far and len(asked) < MOST_ASKED:
                asked.append(found)
        for one in self.second.opinions(ground.image, self.memory.raster, picture, asked, free):
            found = one.found
            if found.card is None or found.card in placed or not _surely(one, OPEN):
                continue
            if self._holds(ground, found, 4):
                lay(self.memory, found, picture, placed, ground.t_s)
                placed.append(found.card)
                self._take(found, picture)

    def is_strip(self, ground: Ground, found: Found, cards: Sequence[Card]) -> bool:
        """Does a second look see the same of `cards` in a strip that is not clearly one?"""
        if found.score >= CLEAR_STRIP:
            return True
        one = self.second.opinions(ground.image, self.memory.raster, ground.picture, [found], cards)[0]
        return one.found.card == found.card and _surely(one, STRIP)

    def _best_hidden(self, ground: Ground, names: Sequence[Card], part: NDArray[np.uint8], sure: bool) -> Found | None:
        """The card that shows where `part` is 1; not `sure`: something unknown may lie over it."""
        candidates = hidden_in(self.finder, ground.picture, names, part)
        opinions = self.second.opinions(ground.image, self.memory.raster, ground.picture, candidates, names)
        least = HIDDEN if sure else HALF_HIDDEN
        for one in sorted(opinions, key=lambda one: -one.score):
            if _surely(one, least) and not seen_elsewhere(self.memory, one.found, ground):
                return one.found
        return None

    def _take(self, found: Found, picture: Picture) -> None:
        """The ground under `found` is explained and closed."""
        picture.open_[picture.cover(found, self.finder.card_mm)] = 0
        picture.fresh[picture.cover(found, self.finder.card_mm, 1.5)] = 0


def lay(memory: Memory, found: Found, picture: Picture, there: Sequence[Card], t_s: float) -> None:
    """Places a card among those that are `there`: under those that cover it, over those that it covers."""
    if found.visible >= WHOLE_SHOWN:
        memory.place(found, picture, t_s)
        return
    cover = picture.cover(found, memory.card_mm)
    near = [card for card in there if (memory.cover(card, picture) & cover).any()]
    below = [card for card in near if lies_over(memory.finder, picture, found, memory.local(card, picture))]
    order = {card: memory.cards[card].order for card in near}
    under = min((card for card in near if card not in below), key=order.__getitem__, default=None)
    memory.place(found, picture, t_s, under, max(below, key=order.__getitem__, default=None))


def seen_elsewhere(memory: Memory, found: Found, ground: Ground) -> bool:
    """Does the same card show at another place, about as well?"""
    known = None if found.card is None else memory.cards.get(found.card)
    if known is None or known.lost or known.card in ground.missing or found.score >= known.score + 0.05:
        return False
    return memory.still_there(known.card, ground.image)


def _surely(one: Opinion, least: tuple[float, float, float, float]) -> bool:
    """Whether an opinion reaches each of the limits `least`."""
    values = (one.score + 0.5 * one.lead, one.lead, one.is_card, one.found.visible)
    return all(value >= limit for value, limit in zip(values, least, strict=True))


def _touches(part: NDArray[np.uint8], picture: Picture) -> bool:
    """Whether a part of the picture lies beside ground that a card covers."""
    return bool((cv2.dilate(part, np.ones((7, 7), np.uint8))[picture.open_ == 0] > 0).any())
