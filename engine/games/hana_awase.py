"""Hana-Awase, the full game: hidden hands, capture of four, par, yaku paid by all, several rounds (section 5)."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from types import MappingProxyType

from engine.events import Signalled, Tally
from engine.fishing import Fishing
from engine.fishing_state import FishingState, Phase
from engine.payments import best_of, settle
from engine.rulebook import Deal, Rulebook
from engine.series import Drawing, Length, Series


def build(book: Rulebook) -> Series[FishingState]:
    """The series with the options bound in `book`."""
    settings = book.settings
    deals = {**book.deals, 2: Deal(settings["two_player_hand"], book.deals[2].field)}
    points = {**book.points, "chaff": settings["chaff_value"]}
    bound = replace(book, deals=MappingProxyType(deals), points=MappingProxyType(points))
    step = -1 if settings["direction"] == "clockwise" else 1
    round_ = Fishing(bound, hidden_hands=True, counting=_Payments(bound, step))
    return Series(round_, Length(rounds=settings["rounds"]), Drawing(by_rank=settings["dealer_tie"] != "redraw"))


class _Payments:
    """Counts a round as the others pay it, and hears what players announce."""

    def __init__(self, book: Rulebook, step: int) -> None:
        self._book = book
        self._step = step
        self._settle = lru_cache(maxsize=100)(partial(settle, book))

    def _order(self, state: FishingState) -> tuple[int, ...]:
        """The seats in this round's turn order, from the dealer."""
        return tuple((state.dealer + i * self._step) % state.seats for i in range(state.seats))

    def score(self, state: FishingState) -> tuple[Tally, ...]:
        """What the round brings as it lies; nothing before the deal."""
        if state.phase is Phase.DEAL:
            return (Tally(0, (), 0),) * state.seats
        return self._settle(state.captured, self._order(state), state.claims, state.phase is Phase.OVER)

    def next_dealer(self, state: FishingState) -> int:
        """The best of the round; of equals the earliest in its turn order."""
        if state.phase is Phase.DEAL:
            return state.dealer
        return best_of(self._order(state), {seat: tally.total for seat, tally in enumerate(self.score(state))})

    def signals(self, state: FishingState) -> tuple[Signalled, ...]:
        """What may be announced while a hand is whole: fuke, that it is to be paid for, or to be dealt again."""
        if state.phase in (Phase.DEAL, Phase.OVER):
            return ()
        settings, full = self._book.settings, self._book.deal(state.seats).hand
        said = set(state.claims)
        names: Mapping[str, bool] = {
            "fuke": settings["fuke"] == "announced",
            "teyaku_6": settings["teyaku"] is True and full >= 6,
            "teyaku_7": settings["teyaku"] is True and full >= 7,
            "redeal": settings["hand_four"] == "redeal" and self._untouched(state, full),
        }
        return tuple(
            Signalled(0.0, name, seat)
            for name, may in names.items()
            if may
            for seat in range(state.seats)
            if (name, seat) not in said
            and state.hand_counts[seat] == full
            and not (name.startswith("teyaku") and any(n.startswith("teyaku") and s == seat for n, s in said))
        )

    @staticmethod
    def _untouched(state: FishingState, full: int) -> bool:
        """Whether nobody has played a card yet."""
        return all(count == full for count in state.hand_counts)
