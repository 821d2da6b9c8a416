"""A table with real hidden cards: who holds what, and what of it everybody gets to see."""

from copy import copy
from random import Random
from typing import Any

from engine.cards import Card
from engine.errors import RuleError
from engine.events import Dealt, Event, Moved, Place
from engine.game import Game

PILE = Place("draw")


class World:
    """One deal played with real hands and a real pile; `log` holds the public events only."""

    def __init__(self, game: Game[Any], seats: int, random: Random) -> None:
        self.game, self.seats, self.random = game, seats, random
        counts = game.deal(seats)
        face_up = counts.get(Place("field"), 0) + counts.get(Place("discard"), 0)
        while True:
            deck = list(game.deck)
            random.shuffle(deck)
            shown = tuple(deck.pop() for _ in range(face_up))
            sizes = [counts[Place("hand", seat)] for seat in range(seats)]
            self.hands: list[set[Card]] = [{deck.pop() for _ in range(size)} for size in sizes]
            self.pile = deck
            deal = Dealt(0.0, shown, (), len(deck), tuple(len(hand) for hand in self.hands))
            try:
                self.state = game.apply(game.start(seats), deal)
            except RuleError:
                continue
            self.log: list[Event] = [deal]
            return

    def choices(self) -> list[Event]:
        """What the players can really do now."""
        moves = [move for move in self.game.expected(self.state) if self._can(move)]
        return [*moves, *self.game.expected_signals(self.state)]

    def _can(self, move: Moved) -> bool:
        if move.source == PILE:
            return bool(self.pile) and self.pile[-1] == move.card
        if move.source.zone == "hand" and move.source.seat is not None:
            return move.card in self.hands[move.source.seat]
        return True

    def play(self, event: Event) -> None:
        """One public event; cards drawn unseen into hands are drawn."""
        if isinstance(event, Moved) and event.source == PILE:
            self.pile.pop()
        if isinstance(event, Moved) and event.source.zone == "hand" and event.source.seat is not None:
            self.hands[event.source.seat].remove(event.card)
        self.state = self.game.apply(self.state, event)
        self.log.append(event)
        for seat in range(self.seats):
            while len(self.hands[seat]) < self.game.unseen(self.state)[Place("hand", seat)]:
                self.hands[seat].add(self.pile.pop())

    def step(self) -> bool:
        """One random event; False where the deal is over or nobody can go on."""
        choices = self.choices() if self.game.to_act(self.state) else []
        if choices:
            self.play(self.random.choice(choices))
        return bool(choices)

    def copy(self) -> "World":
        """The same deal, to go on with apart from this one."""
        other = copy(self)
        other.hands, other.pile, other.log = [set(hand) for hand in self.hands], [*self.pile], [*self.log]
        return other

    def exchange_hidden(self) -> None:
        """Every card that nobody has seen trades its place with another one."""
        hidden = sorted(set(self.pile).union(*self.hands))
        self.random.shuffle(hidden)
        self.hands = [{hidden.pop() for _ in hand} for hand in self.hands]
        self.pile = hidden
