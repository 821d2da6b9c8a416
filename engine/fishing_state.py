"""The state of a fishing game as a frozen value: what lies where, whose turn it is, which capture is under way."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter
from typing import Any, Final

from engine.cards import Card
from engine.events import Moved, Place
from engine.places import FIELD, PILE, captured, hand


class Phase(Enum):
    """What the seat in turn has to do: play a hand card, or turn one up. Each lasts until its capture is complete."""

    DEAL = "deal"
    PLAY = "play"
    DRAW = "draw"
    OVER = "over"


@dataclass(frozen=True)  # no slots: a dictionary is copied at once, and every move copies a state
class FishingState:
    """One moment of a fishing game.

    `captured` holds complete captures only; the cards in `taken` lie in the pile of `turn`, but their capture is under
    way. With open hands `hands` holds cards; with hidden ones `hand_counts` holds numbers and `hands` stays empty.
    `unseen` are the cards nobody can see, `draw` how many of them are the draw pile. `played` is this turn's hand card.
    `claims` are the names of what seats have announced in this round.
    """

    seats: int
    dealer: int
    hands: tuple[frozenset[Card], ...]
    hand_counts: tuple[int, ...]
    field: frozenset[Card]
    captured: tuple[frozenset[Card], ...]
    unseen: frozenset[Card]
    draw: int
    turn: int
    phase: Phase
    active: Card | None = None
    taken: tuple[Card, ...] = ()
    played: Card | None = None
    claims: tuple[tuple[str, int], ...] = ()

    @property
    def under_way(self) -> bool:
        """Whether a capture has begun and is not complete."""
        return self.active is not None or bool(self.taken)

    def left_in_hand(self, seat: int) -> int:
        """How many cards `seat` holds."""
        return self.hand_counts[seat] if self.hand_counts else len(self.hands[seat])

    def of_month(self, month: int) -> list[Card]:
        """The field cards of `month`, unordered."""
        return [card for card in self.field if card.month == month]

    def playable(self) -> frozenset[Card]:
        """The cards one of which is played or turned next, as far as can be known; empty when none is."""
        if self.phase is Phase.PLAY:
            return self.unseen if self.hand_counts else self.hands[self.turn]
        return self.unseen if self.phase is Phase.DRAW else frozenset()

    def candidates(self) -> tuple[Card, ...]:
        """The field cards that the active card may take, in standard order; empty without an active card."""
        if self.active is None:
            return ()
        return in_order(card for card in self.of_month(self.active.month) if card != self.active)

    def needed(self, capture_all: bool) -> int:
        """How many cards the capture under way takes: two, or all four where three lay and `capture_all` holds."""
        if not capture_all:
            return 2
        first = self.active or self.taken[0]
        beside = len(self.of_month(first.month)) + len(self.taken) - (self.active is not None)
        return 4 if beside >= 3 else 2

    def dead(self) -> tuple[Card, ...]:
        """Field cards that can no longer be captured: no card of their month is left to play (RULES section 2)."""
        if self.phase is Phase.DEAL:
            return ()
        alive = {card.month for cards in (self.unseen, *self.hands) for card in cards}
        if self.active is not None or self.taken:
            alive.add((self.active or self.taken[0]).month)
        return in_order(card for card in self.field if card.month not in alive)


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """`cards` in standard order."""
    return tuple(sorted(cards, key=_order))


_order: Final = attrgetter("order")


def changed(state: FishingState, **changes: Any) -> FishingState:
    """`state` with some fields changed, as `dataclasses.replace` would, but five times as fast: every move needs it."""
    assert changes.keys() <= state.__dict__.keys()
    after = object.__new__(FishingState)
    after.__dict__.update(state.__dict__, **changes)
    return after


def put(state: FishingState, move: Moved, hidden_hands: bool) -> FishingState:
    """The state with one card at `move.target`, whatever the rules say; its capture under way is settled as it lies."""
    card, target = move.card, move.target
    if card == state.active or card in state.taken:
        piles = [cards.union(state.taken) if s == state.turn else cards for s, cards in enumerate(state.captured)]
        state = changed(state, active=None, taken=(), captured=tuple(piles))
    from_hand = hidden_hands and move.source.zone == "hand" and card in state.unseen
    to_hand = hidden_hands and target.zone == "hand"
    counts = (
        n - (from_hand and s == move.source.seat) + (to_hand and s == target.seat)
        for s, n in enumerate(state.hand_counts)
    )

    def laid(cards: frozenset[Card], place: Place) -> frozenset[Card]:
        return cards | {card} if place == target else cards - {card}

    return changed(
        state,
        hands=state.hands if hidden_hands else tuple(laid(cards, hand(s)) for s, cards in enumerate(state.hands)),
        hand_counts=tuple(counts),
        field=laid(state.field, FIELD),
        captured=tuple(laid(cards, captured(s)) for s, cards in enumerate(state.captured)),
        unseen=state.unseen | {card} if to_hand or target == PILE else state.unseen - {card},
        draw=state.draw - (card in state.unseen and not from_hand) + (target == PILE),
    )
