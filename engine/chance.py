"""Deals and rounds at random from a seed, by the same `expected` and `apply` that the referee uses."""

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.errors import RuleError
from engine.events import Dealt, Event
from engine.game import Game
from engine.places import DISCARD, FIELD, PILE, hand


def random_deal(game: Game[Any], seats: int, chance: Random) -> Dealt:
    """A shuffled deal that the game accepts; hidden hands are counts."""
    return _dealt(game, seats, chance)[0]


def _dealt(game: Game[Any], seats: int, chance: Random) -> tuple[Dealt, Any]:
    """A shuffled deal that the game accepts, and the state after it."""
    counts = game.deal(seats)
    start = game.start(seats)
    while True:
        deck = list(game.deck)
        chance.shuffle(deck)
        face_up = tuple(deck.pop() for _ in range(counts.get(FIELD, 0) + counts.get(DISCARD, 0)))
        sizes = tuple(counts[hand(seat)] for seat in range(seats))
        if game.hidden_hands:
            deal = Dealt(0.0, face_up, (), counts[PILE], sizes)
        else:
            hands = tuple(tuple(deck.pop() for _ in range(size)) for size in sizes)
            deal = Dealt(0.0, face_up, hands, counts[PILE])
        try:
            return deal, game.apply(start, deal)
        except RuleError:
            continue


def random_step(game: Game[Any], state: Any, chance: Random) -> Event:
    """A legal move, or now and then a signal; where only signals are left, one of them."""
    moves = game.expected(state)
    if moves and chance.random() < 0.9:
        return chance.choice(moves)
    signals: tuple[Event, ...] = game.expected_signals(state)
    return chance.choice(signals or moves)


def random_states(game: Game[Any], seats: int, chance: Random) -> Iterator[Any]:
    """The states of one round played at random from a shuffled deal: that after the deal, then one a move."""
    _, state = _dealt(game, seats, chance)
    yield state
    while game.to_act(state):
        state = game.apply(state, random_step(game, state, chance))
        yield state
