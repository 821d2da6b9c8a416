"""Whose fingers were on the draw pile, and when: a card laid after that came from there, any other from a hand.

Where hands are hidden nothing else tells a card that was turned up too early from one that was played. Where an arm was
not well seen, or only passed near the pile, nothing is said, and the rules decide.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from vision.reach import Touching

_ON_MM: Final = 30.0
"""An arm whose fingers end this near to the pile's middle may be taking a card."""
_NEAR_MM: Final = 60.0
_BEYOND_MM: Final = 60.0
"""An arm that reaches this much farther than the pile lies over it on its way to something else."""
_STAYS_S: Final = 0.19
"""Fingers that take or lay a card stay at least for this long; those that only pass do not."""
_PASSES_S: Final = 0.12
"""An arm that was near the pile for less than this only passed over it."""
_BLINK_S: Final = 0.14
"""An arm that is not seen for less than this has been there all the time."""
_LOST_S: Final = 0.5
"""An arm over the mat's edge that is not seen within for so long may have been at the pile meanwhile."""
_REMEMBER_S: Final = 6.0
_CARRIES_S: Final = 4.0
"""A card is carried from the pile to its place within this time."""
_LAYS_S: Final = 1.2
_LAYS_MM: Final = 60.0
"""An arm that was well seen has shown so near to the card that it laid, this shortly before."""


class PileVisits:
    """Remembers for some seconds how near each seat's arm was to the draw pile, and to everything else."""

    def __init__(self) -> None:
        self._on: deque[tuple[float, int]] = deque()
        self._near: deque[tuple[float, int]] = deque()
        self._looks: deque[tuple[float, Touching]] = deque()

    def watch(
        self,
        t_s: float,
        pile_mm: tuple[float, float],
        touching: Touching,
        seat_at: Callable[[tuple[float, float]], int],
    ) -> None:
        """Takes in how near the arms are at `t_s` (table mm); `seat_at` tells whose arm comes in at a point."""
        self._looks.append((t_s, touching))
        for touch in touching(*pile_mm):
            if touch.gap_mm <= _NEAR_MM and touch.beyond_mm <= 2 * _BEYOND_MM:
                self._near.append((t_s, seat_at(touch.from_mm)))
                if touch.gap_mm <= _ON_MM and touch.beyond_mm <= _BEYOND_MM:
                    self._on.append(self._near[-1])
        for kept in (self._on, self._near, self._looks):
            while kept and kept[0][0] < t_s - _REMEMBER_S:
                kept.popleft()

    def took(
        self, seat: int, t_s: float, at_mm: tuple[float, float], after_s: float, there_s: Sequence[float] = ()
    ) -> bool | None:
        """Whether the arm of `seat` that laid a card at `at_mm` at `t_s` had taken it off the pile.

        What it took off before `after_s` has been laid already. At the times `there_s` it was over the mat's edge.
        None where that cannot be told.
        """
        begin = max(after_s, t_s - _CARRIES_S)
        if _longest(when for when, who in self._on if who == seat and begin < when <= t_s) >= _STAYS_S:
            return True
        for other in {who for _, who in self._near}:
            if _longest(when for when, who in self._near if who == other and begin < when <= t_s) >= _PASSES_S:
                return None
        looked = {when for when, touching in self._looks if touching(*at_mm)}
        missed = _longest(when for when in there_s if begin < when <= t_s and when not in looked)
        return False if missed < _LOST_S and self._well_seen(t_s, at_mm) else None

    def _well_seen(self, t_s: float, at_mm: tuple[float, float]) -> bool:
        """Whether an arm was seen to reach as far as the card that it laid, and not only now and then."""
        reached = (
            when
            for when, touching in self._looks
            if t_s - _LAYS_S <= when <= t_s and any(touch.gap_mm <= _LAYS_MM for touch in touching(*at_mm))
        )
        return _longest(reached) >= _STAYS_S


def _longest(times: Iterable[float]) -> float:
    """For how long something seen at these times was there without a break, at most."""
    since = last = -math.inf
    longest = 0.0
    for when in times:
        since = since if when - last <= _BLINK_S else when
        last = when
        longest = max(longest, when - since)
    return longest
