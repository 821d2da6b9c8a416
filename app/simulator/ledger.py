"""What really happens in a simulated game: the deal, every move as it is made, the state by the rules, the end."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import Card
from engine.errors import RuleError
from engine.events import Dealt, Ended, Event, Moved, Place, Scored
from engine.game import Game

FIELD: Final = Place("field")
DRAW: Final = Place("draw")


@dataclass(frozen=True, slots=True)
class Slip:
    """A player did wrong at `t_s` and has put it right by `until_s`."""

    t_s: float
    kind: str
    until_s: float
    seat: int


class Ledger:
    """The truth of one game. `field`, `hands` (by seat) and `pile` (top card last) are the deal that will be made.

    `truth` holds events with the time at which each card came to rest, `where` the place of each card, `state` the
    game's state by the rules, `astray` the cards that were moved against them, with the place where each belongs.
    """

    def __init__(self, game: Game[Any], seats: int, dealer: int, rng: random.Random) -> None:
        self.game = game
        self.seats = seats
        self.dealer = dealer
        self.truth: list[Event | Slip] = []
        self.where: dict[Card, Place] = {}
        self.astray: dict[Card, Place] = {}
        self.now_s = 0.0
        self.field, self.hands, self.pile, self.state = self._shuffle(rng)

    @property
    def over(self) -> bool:
        """Whether nobody is to act any more."""
        return any(isinstance(event, Ended) for event in self.truth[-2:])

    def _shuffle(self, rng: random.Random) -> tuple[list[Card], list[list[Card]], list[Card], Any]:
        """Field, hands, draw pile (last = top) and the game's state after a deal that the rules accept."""
        counts = self.game.deal(self.seats)
        while True:
            cards = list(self.game.deck)
            rng.shuffle(cards)
            field = [cards.pop() for _ in range(counts.get(FIELD, 0))]
            hands = [
                sorted(cards.pop() for _ in range(counts.get(Place("hand", seat), 0))) for seat in range(self.seats)
            ]
            for hand in hands:
                rng.shuffle(hand)
            deal = Dealt(0.0, tuple(field), tuple(tuple(hand) for hand in hands), len(cards))
            try:
                state = self.game.apply(self.game.start(self.seats, self.dealer), deal)
            except RuleError:
                continue
            return field, hands, cards, state

    def dealt(self) -> None:
        """Write down that the deal is complete."""
        hands = tuple(tuple(hand) for hand in self.hands)
        self.where.update(dict.fromkeys(self.pile, DRAW) | dict.fromkeys(self.field, FIELD))
        for seat, hand in enumerate(hands):
            self.where.update(dict.fromkeys(hand, Place("hand", seat)))
        self.truth.append(Dealt(self.now_s, tuple(self.field), hands, len(self.pile)))

    def moved(self, cards: Sequence[Card], target: Place, ruled: bool = True) -> None:
        """Write down that `cards` came to rest in `target`; a move against the rules leads astray until put back."""
        captured = False
        for card in cards:
            move = Moved(self.now_s, card, self.where[card], target)
            if move.source == target:
                continue
            self.where[card] = target
            self.truth.append(move)
            if card in self.astray:
                if self.astray[card] == target:
                    del self.astray[card]
                continue
            try:
                if not ruled:
                    raise RuleError("slip", "", "")
                self.state = self.game.apply(self.state, move)
            except RuleError:
                self.astray[card] = move.source
                continue
            captured = captured or target.zone == "captured"
            if move.source == DRAW and card in self.pile:
                self.pile.remove(card)
        if captured and not self.pending:
            self.truth.append(Scored(self.now_s, tuple(self.game.score(self.state))))

    @property
    def pending(self) -> bool:
        """Whether a capture has begun and is not complete: then only field and captured cards may move."""
        expected = self.game.expected(self.state)
        return bool(expected) and all(move.source.zone in ("field", "captured") for move in expected)

    def finish(self) -> None:
        """Write down the end of the game."""
        scores = self.game.score(self.state)
        best = max((tally.total for tally in scores), default=0)
        winner = tuple(seat for seat, tally in enumerate(scores) if tally.total == best)
        self.truth.append(Ended(self.now_s, "hands and draw pile empty", tuple(scores), winner))
