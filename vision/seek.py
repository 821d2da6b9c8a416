"""Finding the cards that have come to lie somewhere new: whole ones, and strips of those that came under them."""

import math
from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.doubts import OPEN, Doubts, Ground, lay, seen_elsewhere
from vision.edges import edges
from vision.glow import LIKE_LEAST, may_be_lit, named_beside_light, named_under_light
from vision.memory import Memory
from vision.rectify import Found, Picture, around
from vision.search import Finder
from vision.second import Naming, SecondLook

WHOLE_LEAST: Final = 0.72
UNLIKE: Final = 0.12
"""A whole card may score this much less than cards on this table, in this light, usually do."""
LIT_LEAST: Final = 0.78
LIT_MARGIN: Final = 0.32
LIT_MARGIN_PATIENT: Final = 0.25
"""With light on its face a card scores less, but then no other face comes near it."""
GLOW_LEAST: Final = 0.5
GLOW_MARGIN: Final = 0.25
"""What scores this much is compared once more without the light on it; then no other face may come near it."""
MOST_FAILED: Final = 12
"""After so many candidates in a row that are no cards the others, which are less like one, are let go."""
_COARSE_LEAST: Final = 0.5
_REFINED_LEAST: Final = 0.55
"""A candidate that scores less at the best coarse pose is no card; most that are score 0.9."""
_STRIP_MM2: Final = 130.0
_AREA_MM2: Final = 500.0
_GLOW_MM2: Final = 50.0
"""Light on less of a fresh patch than this does not hide what the patch is like."""


class Seeker:
    """Looks for cards on fresh ground and tells `memory` where they lie.

    `angles` are tried first (rad; how cards lie for the seats), all others only where something is left unexplained.
    `in_pile` tells whether a card lies where captured cards are piled, so that its partner may lie under it.
    After a search `doubtful` tells whether something was nearly good enough; with `patient` a little less is enough.
    """

    def __init__(
        self,
        memory: Memory,
        finder: Finder,
        cards: Sequence[Card],
        angles: Sequence[float],
        in_pile: Callable[[Card], bool],
    ) -> None:
        self.memory = memory
        self.finder = finder
        self.cards = tuple(cards)
        self.patient = False
        self.doubtful = False
        self._angles = (tuple(angles), tuple(math.radians(turn) for turn in np.arange(0, 180, 7.5)))
        self._in_pile = in_pile
        self._doubts: Doubts | None = None
        self.name_by(Naming.BOTH)
        self._unlike: list[Found] = []
        self._contrast: float | None = None
        self._likeness: float | None = None

    def name_by(self, naming: Naming) -> None:
        """Doubtful cards are named so from now on."""
        second = None if naming is Naming.NONE else SecondLook(self.finder, naming)
        self._doubts = None if second is None else Doubts(self.memory, second, self._holds)

    def search(
        self,
        picture: Picture,
        image: NDArray[np.uint8],
        kept: Sequence[Card],
        missing: Sequence[Card],
        t_s: float,
        strips: bool,
    ) -> list[Card]:
        """Finds cards on the fresh ground of `picture`, a cut of the camera's `image`, and returns those placed.

        `kept` are seen at their places, `missing` are not. `strips`: also look for cards partly under those found.
        """
        self.doubtful = False
        self._unlike = []
        ground = Ground(picture, image, tuple(kept), tuple(missing), t_s)
        placed: list[Card] = []
        free = self._free(kept)
        scale = picture.scale**2

        def attempt(candidates: list[Found], tries: int, lit: bool = False) -> None:
            self._try(ground, candidates, free, placed, tries, lit)

        attempt(self._rectangles(picture, free), 60)
        for angles in self._angles:
            if picture.fresh.sum() < _AREA_MM2 * scale:
                break
            candidates = self.finder.whole(picture, free, angles, _COARSE_LEAST, 0.5 * (self._contrast or 0.0))
            attempt(candidates, min(60, 8 + int(picture.fresh.sum() / scale / _AREA_MM2)))
        attempt(self._beside_light(picture, free), 20, lit=True)
        if placed and strips:
            placed += self._strips(ground, placed, free)
        if self._doubts is not None:
            self._settle(self._doubts, ground, free, placed)
        return placed

    def _settle(self, doubts: Doubts, ground: Ground, free: Sequence[Card | None], placed: list[Card]) -> None:
        """Looks a second time at what is still in doubt: cards under those `placed`, then ones little like any face."""
        for sure in (True, False):
            if placed or self.patient:
                left = [card for card in free if card is not None and card not in placed]
                placed += doubts.hidden(ground, tuple(placed), left, sure)
            if sure and self._unlike:
                doubts.open(ground, self._unlike, [card for card in free if card not in placed], placed)

    def _free(self, kept: Sequence[Card]) -> list[Card | None]:
        """Faces that may turn up: all cards not seen in their places, and the back."""
        back: list[Card | None] = [None] if None in self.finder.fine.cards else []
        return [card for card in self.cards if card not in kept] + back

    def _rectangles(self, picture: Picture, free: Sequence[Card | None]) -> list[Found]:
        """Candidates where a fresh patch has the size of one card."""
        contours, _ = cv2.findContours(picture.fresh, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        width, height = self.finder.card_mm
        poses = []
        for contour in contours:
            if cv2.contourArea(contour) < 900 * picture.scale**2:
                continue
            (u, v), (a, b), turn = cv2.minAreaRect(contour)
            short, long = sorted((a / picture.scale, b / picture.scale))
            if abs(short - width) > 8 or abs(long - height) > 10:
                continue
            upright = -math.radians(turn) + (0.0 if b >= a else math.pi / 2)
            poses += [(u + du, v + dv, upright) for du in (-1.5, 0.0, 1.5) for dv in (-1.5, 0.0, 1.5)]
        return self.finder.at(picture, np.array(poses).reshape(-1, 3), free, _COARSE_LEAST)

    def _beside_light(self, picture: Picture, free: Sequence[Card | None]) -> list[Found]:
        """Candidates where a patch is still fresh and our own light falls on it, by what lies beside the light."""
        if picture.lit is None or (picture.fresh & picture.lit).sum() < _GLOW_MM2 * picture.scale**2:
            return []
        open_ = picture.open_
        picture.open_ = open_ & (1 - picture.lit)
        try:
            return self._rectangles(picture, free)
        finally:
            picture.open_ = open_

    def _try(
        self,
        ground: Ground,
        candidates: list[Found],
        free: list[Card | None],
        placed: list[Card],
        tries: int,
        lit: bool,
    ) -> None:
        """Refines candidates best first and places those that hold; `free` and `placed` are brought up to date.

        `lit`: the candidates were chosen by what lies beside our own light.
        """
        picture = ground.picture
        failed = 0
        while candidates and tries > 0 and failed < MOST_FAILED:
            tries, failed = tries - 1, failed + 1
            fine = self.finder.refine(picture, candidates[0], least=_REFINED_LEAST)
            if fine.score >= _REFINED_LEAST:
                fine = self.finder.name(picture, fine, free)
            like, least_edges = self._is_like(fine), 4 if fine.score < 0.9 else 3
            if not like:
                under = self._under_light(picture, candidates[0] if lit else fine, free)
                if under is None and fine.score >= _REFINED_LEAST and fine.visible >= OPEN[3]:
                    self._unlike.append(fine)
                like, least_edges, fine = under is not None, 4, under or fine
            reach = 6.0
            if like and self._holds(ground, fine, least_edges):
                picture.open_[picture.cover(fine, self.finder.card_mm)] = 0
                picture.fresh[picture.cover(fine, self.finder.card_mm, 1.5)] = 0
                reach, failed = 16.0, 0
                if fine.card is not None:
                    lay(self.memory, fine, picture, placed, ground.t_s)
                    placed.append(fine.card)
                    free.remove(fine.card)
            candidates = [
                c
                for c in candidates[1:]
                if math.hypot(c.u - fine.u, c.v - fine.v) > reach * picture.scale and c.card in free
            ]

    def _under_light(self, picture: Picture, fine: Found, free: Sequence[Card | None]) -> Found | None:
        """The card there as it is without the light on parts of it, if it is surely one."""
        if fine.score < GLOW_LEAST or not may_be_lit(self.finder, picture, fine):
            return None
        least = max(LIKE_LEAST, (self._likeness or 0.0) - UNLIKE / 2)
        beside = named_beside_light(self.finder, picture, fine, free)
        if beside is not None and beside.score >= least and beside.score - beside.rival_score >= GLOW_MARGIN:
            return beside
        named = named_under_light(self.finder, picture, fine, free, least)
        return named if named is not None and named.score - named.rival_score >= GLOW_MARGIN else None

    def _holds(self, ground: Ground, fine: Found, least_edges: int) -> bool:
        """Is what is like a card surely a whole one?"""
        picture = ground.picture
        contrast = self.finder.contrast(picture, fine)
        usual = self._contrast or contrast
        if not 0.5 * usual <= contrast <= 2.2 * usual and fine.score < 0.9:
            return False
        if edges(picture, fine, self.finder.card_mm) < least_edges:
            return False
        if seen_elsewhere(self.memory, fine, ground):
            return False
        self._contrast = contrast if self._contrast is None else 0.9 * self._contrast + 0.1 * contrast
        self._likeness = fine.score if self._likeness is None else 0.9 * self._likeness + 0.1 * fine.score
        return True

    def _is_like(self, fine: Found) -> bool:
        """Is the likeness that of a whole card on this table? Nearly good enough makes `doubtful`."""
        margin = fine.score - fine.rival_score
        if fine.score < WHOLE_LEAST or margin < (0.05 if fine.score >= 0.85 else 0.2):
            return False
        usual = WHOLE_LEAST if self._likeness is None else max(WHOLE_LEAST, self._likeness - UNLIKE)
        lit = fine.score >= LIT_LEAST and margin >= (LIT_MARGIN_PATIENT if self.patient else LIT_MARGIN)
        if fine.score < usual and not lit:
            self.doubtful = True
            return False
        return fine.visible >= 0.85 or fine.score >= 0.9

    def _strips(self, ground: Ground, over: list[Card], free: list[Card | None]) -> list[Card]:
        """Cards that came together with the cards `over` and lie partly under them."""
        picture = ground.picture
        placed: list[Card] = []
        known = self.memory.cards
        names: list[Card] | None = None
        solid = cv2.morphologyEx(picture.fresh, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        for top in over:
            if solid[self.memory.cover(top, picture, 26.0)].sum() < _STRIP_MM2 * picture.scale**2:
                continue
            if names is None:
                names = [card for card in free if card is not None and self._may_lie_under(card, over, ground.image)]
            turns = (-0.24, -0.12, 0.0, 0.12, 0.24)
            near = around(self.memory.local(top, picture), picture.scale, 30.0, 3.0, turns)
            # a capture brings a card of the same month; any other must be one that has left its place
            paired = any(card.month == top.month for card in over if card != top)
            mates = [] if paired or not self._in_pile(top) else [card for card in names if card.month == top.month]
            others = [card for card in names if card in known]
            for group, least, margin in ((mates, 0.55, 0.0), (others, 0.8, 0.15)):
                fine = self._strip(ground, near, group, least, margin)
                if fine is not None and fine.card is not None:
                    self.memory.place(fine, picture, ground.t_s, under=top)
                    placed.append(fine.card)
                    names = [card for card in names if card != fine.card]
                    picture.fresh[picture.cover(fine, self.finder.card_mm, 1.5)] = 0
                    break
        return placed

    def _may_lie_under(self, card: Card, over: Sequence[Card], image: NDArray[np.uint8]) -> bool:
        """Is a card none of those found, and not at a place where it is known to lie?"""
        known = self.memory.cards
        return card not in over and (card not in known or known[card].lost or not self.memory.still_there(card, image))

    def _strip(
        self, ground: Ground, near: NDArray[np.float64], names: Sequence[Card], least: float, margin: float
    ) -> Found | None:
        """The best partly covered card among `names` at one of the poses `near`, if no other face fits better."""
        picture = ground.picture
        good: list[Found] = []
        for best in self.finder.partial(picture, names, near, 0.4, 0.15)[:4]:
            fine = self.finder.name(picture, self.finder.refine(picture, best), names)
            if fine.score < least or fine.score < fine.rival_score + margin:
                continue
            if fine.score >= self.finder.name(picture, fine, self.cards).score - 0.03:
                good.append(fine)
        chosen = max(good, key=lambda found: found.score, default=None)
        if chosen is None or self._doubts is None or self._doubts.is_strip(ground, chosen, self.cards):
            return chosen
        return None
