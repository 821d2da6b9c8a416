"""How fishing games are counted: what a state is worth to each seat, who begins next, what may be announced."""

from functools import lru_cache, partial
from typing import Protocol

from engine.events import Signalled, Tally
from engine.fishing_state import FishingState
from engine.rulebook import Rulebook
from engine.yaku import tally


class Counting(Protocol):
    """How a fishing game is counted and what its players may announce."""

    def score(self, state: FishingState) -> tuple[Tally, ...]:
        """Each seat's score."""
        ...

    def next_dealer(self, state: FishingState) -> int:
        """Who begins the next game or round."""
        ...

    def signals(self, state: FishingState) -> tuple[Signalled, ...]:
        """What may be announced now."""
        ...


class Additive:
    """Card points plus yaku of complete captures; the first player goes round; nothing is announced (section 3)."""

    def __init__(self, book: Rulebook, step: int) -> None:
        self._step = step
        self._tally = lru_cache(maxsize=100)(partial(tally, points=book.points, yaku=book.yaku))

    def score(self, state: FishingState) -> tuple[Tally, ...]:
        """Card points plus yaku."""
        return tuple(self._tally(cards) for cards in state.captured)

    def next_dealer(self, state: FishingState) -> int:
        """The next seat."""
        return (state.dealer + self._step) % state.seats

    def signals(self, state: FishingState) -> tuple[Signalled, ...]:  # noqa: ARG002  (as in Counting)
        """Nothing: cards say all there is to say."""
        return ()
