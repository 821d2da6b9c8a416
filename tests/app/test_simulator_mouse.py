"""A person plays at the simulated table with the mouse."""

from functools import cache
from typing import Any

import pytest

from app.simulator.stage import Habits
from app.simulator.table import SimulatedTable
from calibration.spots import spots
from engine import catalogue
from engine.cards import Card
from engine.events import Dealt, Moved, Place, Scored, Signalled
from vision.deck import Deck, find_deck, load_deck


@cache
def deck() -> Deck:
    return load_deck(find_deck("tsuki"))


def a_table(name: str = "chotto-hana-awase", **options: Any) -> SimulatedTable:
    game = catalogue.load(name)
    settings: dict[str, Any] = {"size_px": (320, 180), "fps": 5.0, "human_seats": frozenset({0})} | options
    return SimulatedTable(game, 2, 4, deck(), **settings)


def centre(table: SimulatedTable, card: Card) -> tuple[float, float]:
    pose = table.true_cards()[card].pose
    return pose.x_mm, pose.y_mm


def put(table: SimulatedTable, card: Card, place: Place, shift_mm: float = 0.0) -> None:
    """Drag `card` to the middle of a zone, `shift_mm` to the right of it."""
    zone = table.layout.zone(place)
    assert zone is not None
    assert table.pick(*centre(table, card))
    table.drag(zone.centre_mm[0] + shift_mm, zone.centre_mm[1])
    table.read()
    assert table.drop() == place


def moves(table: SimulatedTable) -> list[tuple[Card, str]]:
    return [(event.card, event.target.zone) for event in table.truth if isinstance(event, Moved)]


def test_a_human_seat_waits_and_its_moves_are_the_truth() -> None:
    table = a_table()
    for _ in range(60):
        table.read()
    assert not moves(table)
    field = sorted(c for c, true in table.true_cards().items() if true.place == Place("field"))
    hand = sorted(c for c, true in table.true_cards().items() if true.place == Place("hand", 0))
    card, match = next((c, f) for c in hand for f in field if f.month == c.month)
    put(table, card, Place("captured", 0))
    put(table, match, Place("captured", 0), 40)
    assert moves(table) == [(card, "captured"), (match, "captured")]
    assert isinstance(table.truth[-1], Scored)


def test_the_drawn_card_is_turned_up_when_it_is_laid() -> None:
    table = a_table()
    hand = sorted(c for c, true in table.true_cards().items() if true.place == Place("hand", 0))
    months = {c.month for c, true in table.true_cards().items() if true.place == Place("field")}
    put(table, next(c for c in hand if c.month not in months), Place("field"), 180)
    zone = table.layout.zone(Place("draw"))
    assert zone is not None
    assert table.pick(*zone.centre_mm)
    target = table.layout.zone(Place("field"))
    assert target is not None
    table.drag(target.centre_mm[0] - 150, target.centre_mm[1])
    assert table.drop() == Place("field")
    drawn = moves(table)[-1][0]
    assert table.true_cards()[drawn].face_up


def test_a_move_against_the_rules_is_made_and_others_wait_until_it_is_put_back() -> None:
    table = a_table()
    field = sorted(c for c, true in table.true_cards().items() if true.place == Place("field"))
    put(table, field[0], Place("hand", 1), 60)
    before = table.state
    for _ in range(40):
        table.read()
    assert moves(table) == [(field[0], "hand")]
    assert table.astray == {field[0]: Place("field")}
    put(table, field[0], Place("field"), 200)
    assert not table.astray
    assert table.state == before


def test_others_play_on_after_the_human_turn() -> None:
    table = a_table(human_seats=frozenset({1}))
    while 0 in table.game.to_act(table.state):
        assert table.read() is not None
    count = len(moves(table))
    assert count >= 2
    for _ in range(60):
        table.read()
    assert len(moves(table)) == count


def test_picking_up_where_nothing_lies_does_nothing() -> None:
    table = a_table()
    assert not table.pick(-table.layout.mat_mm[0] / 2 + 3, table.layout.mat_mm[1] / 2 - 3)
    table.drag(0, 0)
    table.turn_over()
    table.rotate(1.0)
    assert table.drop() is None
    assert len(table.truth) == 1


def test_a_card_can_be_turned_over_and_round_in_the_hand() -> None:
    table = a_table(mouse_hand=True)
    card = next(c for c, true in sorted(table.true_cards().items()) if true.place == Place("hand", 0))
    before = table.true_cards()[card]
    assert table.pick(*centre(table, card))
    assert table.hands_in_view == 1
    assert table.true_cards()[card].held
    table.turn_over()
    table.rotate(0.5)
    table.drop()
    after = table.true_cards()[card]
    assert not after.face_up
    assert abs(after.pose.angle_rad - before.pose.angle_rad - 0.5) < 1e-9
    assert table.hands_in_view == 0


def test_a_card_of_a_hidden_hand_is_turned_up_when_it_is_played_and_down_when_it_is_taken_back() -> None:
    table = a_table("hana-awase")
    card = min(c for c, true in table.true_cards().items() if true.place == Place("hand", 0))
    assert not table.true_cards()[card].face_up
    put(table, card, Place("field"), 160)
    assert table.true_cards()[card].face_up
    put(table, card, Place("hand", 0))
    assert not table.true_cards()[card].face_up
    assert moves(table) == [(card, "field"), (card, "hand")]


def test_a_card_laid_face_down_is_a_choice_and_turning_it_over_reveals_it() -> None:
    table = a_table("junior-chotto")
    first, second = sorted(c for c, true in table.true_cards().items() if true.place == Place("hand", 0))[:2]
    home = centre(table, first)
    put(table, first, Place("select", 0))
    assert table.pick(*centre(table, first))
    table.drag(*home)
    assert table.drop() == Place("hand", 0)
    put(table, second, Place("select", 0))
    said = [(event.name, event.seat) for event in table.truth if isinstance(event, Signalled)]
    assert [name for name, seat in said if seat == 0] == ["selected", "unselected", "selected"]
    for _ in range(60):
        table.read()
    assert [zone for _, zone in moves(table)] == ["select"]
    assert table.pick(*centre(table, second))
    table.turn_over()
    assert table.drop() == Place("select", 0)
    assert moves(table)[-1] == (second, "select")
    while len(moves(table)) < 4:
        assert not table.astray
        card, target = next((m.card, m.target) for m in table.game.expected(table.state) if m.card == second)
        put(table, card, target, 180)
        for _ in range(40):
            table.read()
    drawn = max(table.true_cards().items(), key=lambda pair: pair[1].order * (pair[1].place == Place("draw")))[0]
    assert table.pick(*centre(table, drawn))
    table.drag(*home)
    assert table.drop() == Place("hand", 0)
    assert not table.true_cards()[drawn].face_up
    assert all(card != drawn for card, _ in moves(table))


def test_a_press_on_a_spot_says_what_it_says_once() -> None:
    table = a_table("hiyoko")
    offered: dict[int, list[str]] = {}
    for signal in table.game.expected_signals(table.state):
        offered.setdefault(signal.seat, []).append(signal.name)
    (spot,) = (spot for spot in spots(table.layout, offered) if spot.seat == 0)
    assert spot.name == "pass"
    assert table.pick(spot.x_mm, spot.y_mm)
    for _ in range(3):
        table.read()
    assert table.hands_in_view == 1
    assert not any(isinstance(event, Signalled) for event in table.truth)
    for _ in range(3):
        table.read()
    table.drop()
    assert sum(isinstance(event, Signalled) and event.seat == 0 for event in table.truth) == 1


def test_what_is_said_by_a_key_is_heard_only_when_it_may_be_said() -> None:
    table = a_table("hiyoko")
    assert not table.say("stop", 0)
    assert not table.say("pass", 1)
    assert table.say("pass", 0)
    assert [event.name for event in table.truth if isinstance(event, Signalled)] == ["pass"]


@pytest.mark.parametrize("speaks", [True, False], ids=["said", "unsaid"])
def test_a_misdeal_by_a_person_is_dealt_again_when_they_say_so_or_after_a_while(speaks: bool) -> None:
    table = a_table(habits=Habits(misdeal=1.0))
    while table.clock < 5:
        table.read()
    assert not any(isinstance(event, Signalled) for event in table.truth)
    assert not speaks or table.say("redeal", 0)
    while sum(isinstance(event, Dealt) for event in table.truth) < 2:
        assert table.read() is not None
    said = [event for event in table.truth if isinstance(event, Signalled)]
    assert [(event.name, event.seat) for event in said] == [("redeal", 0)]
    assert (said[0].t_s < 6) == speaks
    assert 0 in table.game.to_act(table.state) and not table.astray
