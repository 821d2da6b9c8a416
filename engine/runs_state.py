"""The state of Hiyoko and Isuri as a frozen value: the discard pile with its history, hands as counts, the run laid."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from engine.cards import Card
from engine.events import Moved, Place
from engine.nagoya import Step, in_hand
from engine.places import DISCARD, PILE, hand


class Phase(Enum):
    """What the seat in turn has to do: turn up a card first, or lay a run or pass."""

    DEAL = "deal"
    TURN_UP = "turn_up"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class RunsState:
    """One moment of a deal.

    `pile` is the discard pile, its top last; `tops` are the months it counted as when the turn began, `steps` the ways
    to read what has been laid in this turn (empty: nothing yet). `held` is how many cards the seat had then. `last` has
    discarded or turned last, `passes` counts passes since a card was laid or turned. `turned` says that the seat in
    turn has turned up a card, `money` and `pot` are what has been paid in this deal (Isuri).
    """

    dealer: int
    hand_counts: tuple[int, ...]
    pile: tuple[Card, ...]
    unseen: frozenset[Card]
    draw: int
    turn: int
    phase: Phase
    tops: frozenset[int] = frozenset()
    steps: frozenset[Step] = frozenset()
    held: int = 0
    last: int = 0
    passes: int = 0
    turned: bool = False
    money: tuple[int, ...] = (0, 0)
    pot: int = 0

    @property
    def other(self) -> int:
        """The seat not in turn."""
        return 1 - self.turn

    @property
    def may_end(self) -> bool:
        """Whether the seat in turn has laid cards and may leave it at that."""
        return any(step.complete for step in self.steps)

    @property
    def counted(self) -> frozenset[int]:
        """The months that the pile counts as now, for the next card of the run or of the other seat."""
        ends = [step.after for step in self.steps if step.complete]
        return frozenset().union(*ends) if self.steps else self.tops

    def places(self) -> dict[Card, Place]:
        """Where each card that has been seen lies."""
        return dict.fromkeys(self.pile, DISCARD)


def put(state: RunsState, move: Moved) -> RunsState:
    """The state with one card at `move.target`, whatever the rules say; the pile counts as its top card does."""
    card = move.card
    counts, draw = list(state.hand_counts), state.draw
    hidden = card in state.unseen
    if hidden and move.source.zone == "hand" and move.source.seat is not None:
        counts[move.source.seat] -= 1
    elif hidden:
        draw -= 1
    if move.target.zone == "hand" and move.target.seat is not None:
        counts[move.target.seat] += 1
    elif move.target == PILE:
        draw += 1
    pile = tuple(c for c in state.pile if c != card) + ((card,) if move.target == DISCARD else ())
    back = move.target.zone in ("hand", "draw")
    return replace(
        state,
        hand_counts=tuple(counts),
        draw=draw,
        pile=pile,
        unseen=state.unseen | {card} if back else state.unseen - {card},
        tops=in_hand(pile[-1]) if pile else state.tops,
        steps=frozenset(),
    )


def as_it_lies(
    state: RunsState, lies: Mapping[Card, Place], unseen: Mapping[Place, int], deck: frozenset[Card]
) -> RunsState:
    """The state with pile and counts as on the table, its turn just begun."""
    older = [card for card in state.pile if lies.get(card) == DISCARD]
    newer = [card for card, place in lies.items() if place == DISCARD and card not in older]
    pile = (*older, *newer)
    counts = tuple(unseen.get(hand(seat), 0) for seat in range(2))
    top = pile[-1] if pile else None
    same = top is not None and state.pile[-1:] == (top,)
    return replace(
        state,
        hand_counts=counts,
        pile=pile,
        unseen=deck - frozenset(lies),
        draw=unseen.get(PILE, 0),
        tops=state.counted if same or top is None else in_hand(top),
        steps=frozenset(),
        held=counts[state.turn],
    )
