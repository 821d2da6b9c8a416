"""Layouts for every game: the zones it needs, room for its cards, and the ones that ship are the ones made."""

import pytest

from calibration import families
from calibration.layout import builtin_layout_for, builtin_layouts, dump_layout, load_layout, new_layout
from calibration.textareas import text_areas
from engine.catalogue import load, names
from engine.errors import ConfigError
from engine.events import Place

TABLES = [(name, seats) for name in names() for seats in sorted(load(name).book.deals)]
CARD = (33, 54)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_layout_ships_for_every_game(name: str, seats: int) -> None:
    game = load(name)
    layout = builtin_layout_for(game.zones(seats), seats)
    assert len(layout.seats) == seats
    areas = text_areas(layout)
    assert all(areas.panels) and all(areas.lines)


@pytest.mark.parametrize("name", builtin_layouts())
def test_the_layouts_that_ship_are_the_ones_made(name: str) -> None:
    layout = load_layout(builtin_layouts()[name])
    family = next((f for f in (families.JUNIOR, families.RUNS) if layout.name.startswith(f)), families.HANA_AWASE)
    made = new_layout(layout.mat_mm, len(layout.seats), family=family)
    assert dump_layout(made) == dump_layout(layout)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_junior_three_cards_and_the_chosen_one_have_room(seats: int) -> None:
    layout = builtin_layout_for(load("junior-chotto").zones(seats), seats)
    for seat in range(seats):
        for zone, cards in (("hand", 3), ("select", 1)):
            found = layout.zone(Place(zone, seat))
            assert found is not None
            left, low, right, high = found.bounds_mm
            sideways = layout.seats[seat].facing_deg in (90, 270)
            width, depth = (high - low, right - left) if sideways else (right - left, high - low)
            assert width >= cards * CARD[0] + (cards - 1) * 8 + 20
            assert depth >= CARD[1] + 10


@pytest.mark.parametrize(
    ("family", "seats", "problem"),
    [
        ("chess", 2, "there is no family of layouts 'chess'"),
        ("runs", 3, "the family runs is for at most 2 seats, not 3"),
        ("junior-chotto", 5, "the family junior-chotto is for at most 4 seats, not 5"),
    ],
)
def test_a_family_or_seats_there_are_not_are_named(family: str, seats: int, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        new_layout((1240.0, 640.0), seats, family=family)


def test_a_game_without_a_layout_is_named() -> None:
    with pytest.raises(ConfigError, match="no built-in layout for 5 seats has the zones removed, select-1"):
        builtin_layout_for(frozenset({Place("removed"), Place("select", 1)}), 5)
