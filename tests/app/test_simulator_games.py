"""The simulated players play every game by its rules, physically: what lies on the table is what the truth says."""

from functools import cache
from typing import Any

import pytest

from app.simulator.ledger import Slip
from app.simulator.table import SimulatedTable
from engine import catalogue
from engine.events import Ended, Event
from engine.game import Game
from vision.deck import Deck, find_deck, load_deck


@cache
def deck() -> Deck:
    return load_deck(find_deck("tsuki"))


def played(name: str, seats: int, seed: int = 3, options: dict[str, Any] | None = None, **more: Any) -> SimulatedTable:
    """A table at which a whole game has been played, unwatched."""
    table = SimulatedTable(
        catalogue.load(name, options or {}), seats, seed, deck(), size_px=(160, 120), fps=5.0, **more
    )
    while table.skip():
        assert table.clock < 3000, "the game does not end"
    return table


def events(table: SimulatedTable) -> list[Event]:
    return [event for event in table.truth if not isinstance(event, Slip)]


def check(table: SimulatedTable, game: Game[Any]) -> None:
    """The truth, told to the rules, leads to the end it says."""
    state = game.start(table.seats, table.dealer)
    for event in events(table):
        state = game.apply(state, event)
    assert game.over(state)
    ended = table.truth[-1]
    assert isinstance(ended, Ended)
    assert ended.seats == game.score(state)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_oyohen_is_played_to_its_end(seats: int) -> None:
    table = played("oyohen", seats)
    check(table, table.game)
    assert all(true.face_up and true.place is not None for true in table.true_cards().values())
    assert len(table.true_cards()) == 48
    assert table.progress[0] == table.progress[1] >= 40
