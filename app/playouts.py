"""How fast the rules are: every game played at random, beside the rules of another game measured the same way."""

import importlib
import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine import catalogue
from engine.chance import random_states
from engine.errors import ConfigError
from engine.game import Game

PEER: Final = "python-chess"
SEATS: Final = 2
"""Every game can be played by two."""
Playout = Callable[[random.Random], int]
"""Plays one round to its end; the number of its moves."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Rounds and moves a second of one core, the best of several turns of measuring."""

    what: str
    rounds: float
    moves: float


def playout(game: Game[Any], seats: int = SEATS) -> Playout:
    """Random rounds of `game`, by the same `expected` and `apply` that the referee uses."""
    return lambda chance: sum(1 for _ in random_states(game, seats, chance)) - 1


def chess_playout() -> Playout:
    """Random games of python-chess: all legal moves listed, one made. Raises ConfigError where it is not installed."""
    try:
        chess: Any = importlib.import_module("chess")
    except ImportError as problem:
        raise ConfigError(f"--peer: {PEER} is not installed; `pip install chess` does it") from problem

    def play(chance: random.Random) -> int:
        board = chess.Board()
        while not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
        return len(board.move_stack)

    return play


def measure_all(seconds: float, peer: bool) -> Iterator[Rate]:
    """Every game by two players, then the peer if asked for. Each is measured in three turns of `seconds`, in turn."""
    playouts = {name: playout(catalogue.load(name)) for name in catalogue.names()}
    if peer:
        playouts[PEER] = chess_playout()
    yield from measure(playouts, seconds)


def measure(playouts: Mapping[str, Playout], seconds: float, turns: int = 3) -> Iterator[Rate]:
    """The best rate of each, all measured in turn, so that a busy machine slows all of them."""
    best = {name: Rate(name, 0.0, 0.0) for name in playouts}
    for turn in range(turns):
        for name, play in playouts.items():
            rate = _rate(name, play, seconds, random.Random(7 + turn))
            best[name] = max(best[name], rate, key=lambda one: one.moves)
    yield from best.values()


def _rate(name: str, play: Playout, seconds: float, chance: random.Random) -> Rate:
    play(chance)  # whatever is worked out once
    start, rounds, moves = time.process_time(), 0, 0
    while (took := time.process_time() - start) < seconds or rounds == 0:
        moves += play(chance)
        rounds += 1
    return Rate(name, rounds / took, moves / took)
