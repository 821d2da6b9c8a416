"""Which physical moves a fishing game allows now. Asked again and again by the tracker, so every move is made once."""

from collections.abc import Sequence
from typing import Final

from engine.cards import Card, twins
from engine.events import Moved, Place
from engine.fishing_state import FishingState, Phase, in_order
from engine.places import FIELD, PILE, captured, hand

Offer = Sequence[Moved | None]
"""One kind of move for every card of the deck, at the card's `order`."""


class Moves:
    """The legal moves of a fishing game with this deck; `capture_all`: the fourth card of a month takes all three."""

    def __init__(self, deck: tuple[Card, ...], capture_all: bool) -> None:
        self._deck: Final = deck
        self._capture_all: Final = capture_all
        self._offers: Final[dict[tuple[bool, int], tuple[Offer, Offer, Offer, Offer]]] = {}

    def expected(self, state: FishingState) -> tuple[Moved, ...]:
        """Every physical move that would be legal now, taking back a part of a capture included."""
        take, back, lay, straight = self._offers_to(state)
        taken = state.taken
        moves = [back[card.order] for card in taken]
        if state.active is not None:
            fits = in_order(state.of_month(state.active.month))
            moves += [take[card.order] for card in fits if self.may_take(state, card)]
        elif taken:
            month = taken[0].month
            playable = [card for card in in_order(state.playable()) if card.month == month]
            for card in playable:
                moves += (lay[card.order], straight[card.order])
            if playable and len(taken) + 1 < state.needed(self._capture_all):
                moves += [take[card.order] for card in in_order(state.of_month(month))]
        elif state.phase is Phase.PLAY or state.phase is Phase.DRAW:
            moves += self._fresh(state, take, lay, straight)
        return tuple(moves)  # type: ignore[arg-type]  # None stands only where the deck has no card

    def _fresh(self, state: FishingState, take: Offer, lay: Offer, straight: Offer) -> list[Moved | None]:
        """The moves with no capture under way: play or turn a card, or take first what it will match."""
        playable, field = in_order(state.playable()), in_order(state.field)
        matched = {card.month for card in field}
        moves: list[Moved | None] = []
        for card in playable:
            moves.append(lay[card.order])
            if card.month in matched:
                moves.append(straight[card.order])
        months = {card.month for card in playable}
        if state.played is not None:
            months.discard(state.played.month)  # as in may_take
        moves += [take[card.order] for card in field if card.month in months]
        return moves

    def _offers_to(self, state: FishingState) -> tuple[Offer, Offer, Offer, Offer]:
        """For the seat in turn: field to pile, pile to field, hand or draw pile to field, and straight to the pile."""
        key = (state.phase is Phase.PLAY, state.turn)
        offers = self._offers.get(key)
        if offers is None:
            pile, source = captured(state.turn), hand(state.turn) if key[0] else PILE
            ways = ((FIELD, pile), (pile, FIELD), (source, FIELD), (source, pile))
            one, two, three, four = (self._offer(*way) for way in ways)
            offers = self._offers[key] = (one, two, three, four)
        return offers

    def _offer(self, source: Place, target: Place) -> Offer:
        offer: list[Moved | None] = [None] * (max(card.order for card in self._deck) + 1)
        for card in self._deck:
            offer[card.order] = Moved(0.0, card, source, target)
        return offer

    def may_lay(self, state: FishingState, move: Moved) -> bool:
        """Whether the seat in turn may play or turn this card now, to the field or straight to the pile."""
        if move.source != (hand(state.turn) if state.phase is Phase.PLAY else PILE):
            return False
        if state.active is not None or move.card not in state.playable():
            return False
        if state.taken:
            fits = state.taken[0].month == move.card.month
        else:
            fits = move.target == FIELD or bool(state.of_month(move.card.month))
        return fits and move.target in (FIELD, captured(state.turn))

    def may_take(self, state: FishingState, card: Card) -> bool:
        """Whether a field card may go to the pile of the seat in turn, as the first or a further card of a capture."""
        month, active = card.month, state.active
        if active is None:
            if month not in [c.month for c in state.playable()]:
                return False
            if not state.taken:
                # before a card is turned, one of the month just played looks like a wrong match, not like a first half
                return state.played is None or month != state.played.month
            return state.taken[0].month == month and len(state.taken) + 1 < state.needed(self._capture_all)
        if month != active.month:
            return False
        if state.needed(self._capture_all) - len(state.taken) > 1 or card is active or active in state.taken:
            return True
        return any(c == active or c in twins(active) for c in (*state.taken, card))
