"""The state of Junior's Chotto as a frozen value: hidden hands as counts, what was revealed, where it lies now."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from engine.cards import Card
from engine.events import Moved, Place
from engine.places import FIELD, PILE, REMOVED, captured, select
from engine.reveal import Group, groups

HAND: Final = 3


class Phase(Enum):
    """What everybody does: choose and reveal a card, or move the revealed ones where they belong."""

    DEAL = "deal"
    SELECT = "select"
    RESOLVE = "resolve"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class JuniorState:
    """One moment of the game.

    `field` is as it was before this reveal; `revealed` are this sequence's cards by seat, `moved` where those of them
    and of the field that no longer lie where they were lie now. `selected` are seats whose card lies there face down.
    """

    seats: int
    dealer: int
    hand_counts: tuple[int, ...]
    field: frozenset[Card]
    captured: tuple[frozenset[Card], ...]
    removed: frozenset[Card]
    unseen: frozenset[Card]
    draw: int
    phase: Phase
    opening: bool = True
    selected: frozenset[int] = frozenset()
    revealed: tuple[tuple[int, Card], ...] = ()
    moved: tuple[tuple[Card, Place], ...] = ()

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have a card to reveal in this sequence."""
        shown = {seat for seat, _ in self.revealed}
        return tuple(seat for seat in range(self.seats) if seat not in shown and self.hand_counts[seat] > 0)

    def groups(self, settings: Mapping[str, Any]) -> tuple[Group, ...]:
        """The months revealed and what may become of them."""
        return groups(self.field, self.revealed, settings, self.opening)

    def unsettled(self, settings: Mapping[str, Any]) -> tuple[Group, ...]:
        """The months whose cards do not lie where they belong yet."""
        moved = dict(self.moved)
        return tuple(group for group in self.groups(settings) if not group.settled(moved))

    def places(self) -> dict[Card, Place]:
        """Where each card that can be seen lies."""
        lies = dict.fromkeys(self.field, FIELD) | dict.fromkeys(self.removed, REMOVED)
        for seat, cards in enumerate(self.captured):
            lies.update(dict.fromkeys(cards, captured(seat)))
        lies.update((card, select(seat)) for seat, card in self.revealed)
        lies.update(self.moved)
        return lies

    def laid_out(self, lies: Mapping[Card, Place]) -> "JuniorState":
        """This state with the cards taken as they lie, nothing revealed; in selection zones they count as field."""

        def at(*places: Place) -> frozenset[Card]:
            return frozenset(card for card, place in lies.items() if place in places)

        seats = range(self.seats)
        return replace(
            self,
            field=at(FIELD, *(select(seat) for seat in seats)),
            captured=tuple(at(captured(seat)) for seat in seats),
            removed=at(REMOVED),
            selected=frozenset(),
            revealed=(),
            moved=(),
        )

    def next_sequence(self) -> "JuniorState":
        """The next sequence: each draws a card while the pile lasts; over when no hand holds any."""
        drawn = min(self.draw // self.seats, 1)
        counts = tuple(count + drawn for count in self.hand_counts)
        phase = Phase.SELECT if any(counts) else Phase.OVER
        return replace(
            self,
            hand_counts=counts,
            draw=self.draw - drawn * self.seats,
            phase=phase,
            opening=False,
            selected=frozenset(),
            revealed=(),
            moved=(),
        )


def put(state: JuniorState, move: Moved) -> JuniorState:
    """The state with one card at `move.target`, whatever the rules say."""
    lies = state.places()
    lies.pop(move.card, None)
    counts, draw, unseen = list(state.hand_counts), state.draw, state.unseen
    hidden = move.card in state.unseen
    if hidden and move.source.zone == "hand" and move.source.seat is not None:
        counts[move.source.seat] -= 1
    elif hidden:
        draw -= 1
    if move.target.zone == "hand" and move.target.seat is not None:
        counts[move.target.seat] += 1
    elif move.target == PILE:
        draw += 1
    else:
        lies[move.card] = move.target
    unseen = unseen | {move.card} if move.card not in lies else unseen - {move.card}
    kept = tuple((seat, card) for seat, card in state.revealed if card != move.card)
    in_place = {card for _, card in kept}
    bare = {card: place for card, place in lies.items() if card not in in_place}
    after = state.laid_out(bare)
    moved = tuple((card, place) for card, place in state.moved if card in in_place)
    return replace(
        after, hand_counts=tuple(counts), draw=draw, unseen=unseen, revealed=kept, moved=moved, selected=state.selected
    )
