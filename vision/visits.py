"""Whose fingers were on the draw pile, and when: a card laid after that came from there, any other from a hand.

Where hands are hidden nothing else tells a card that was turned up too early from one that was played. What lies
between the two, an arm that passed near the pile, says nothing, and the rules decide.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final

from vision.reach import Touch

_ON_MM: Final = 30.0
"""An arm whose fingers end this near to the pile's middle may be taking a card."""
_NEAR_MM: Final = 60.0
_BEYOND_MM: Final = 60.0
"""An arm that reaches this much farther than the pile lies over it on its way to something else."""
_STAYS_S: Final = 0.05
"""Fingers that take a card stay for this long."""
_REMEMBER_S: Final = 8.0
_CARRIES_S: Final = 4.0
"""A card is carried from the pile to its place within this time."""
_WATCHED_S: Final = 0.3
"""A card that has not been taken off the pile was laid by an arm seen at least this long before the card."""


class PileVisits:
    """Remembers for some seconds which seats' fingers were on or near the draw pile."""

    def __init__(self) -> None:
        self._on: deque[tuple[float, int]] = deque()
        self._near: deque[tuple[float, int]] = deque()
        self._arms: deque[tuple[float, int]] = deque()

    def watch(self, t_s: float, touches: Iterable[tuple[int, Touch]]) -> None:
        """Takes in how near each seat's arm is to the pile at `t_s`."""
        for seat, touch in touches:
            self._arms.append((t_s, seat))
            if touch.gap_mm <= _NEAR_MM and touch.beyond_mm <= 2 * _BEYOND_MM:
                self._near.append((t_s, seat))
            if touch.gap_mm <= _ON_MM and touch.beyond_mm <= _BEYOND_MM:
                self._on.append((t_s, seat))
        for kept in (self._on, self._near, self._arms):
            while kept and kept[0][0] < t_s - _REMEMBER_S:
                kept.popleft()

    def took(self, seat: int, t_s: float, after_s: float) -> bool | None:
        """Whether the arm of `seat` that laid a card at `t_s` had taken it off the pile.

        What it took off before `after_s` has been laid already. None where that cannot be told.
        """
        begin = max(after_s, t_s - _CARRIES_S)
        on = [when for when, who in self._on if who == seat and begin < when <= t_s]
        if on and on[-1] - on[0] >= _STAYS_S:
            return True
        if any(begin < when <= t_s for when, _ in self._near):
            return None
        watched = [when for when, who in self._arms if who == seat and t_s - _CARRIES_S < when <= t_s]
        return False if watched and watched[-1] - watched[0] >= _WATCHED_S else None
