"""The simulated players play every game by its rules, physically: what lies on the table is what the truth says."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from app.simulator.ledger import Slip
from app.simulator.stage import SAID_AFTER_S, Habits
from app.simulator.table import SimulatedTable
from calibration.spots import spots
from engine import catalogue, referee
from engine.cards import Card
from engine.events import Dealt, Ended, Event, Fault, Moved, Place, Signalled
from vision.deck import Deck, find_deck, load_deck

NONE: Mapping[str, Any] = {}
THREE: Mapping[str, Any] = {"rounds": 3}


@cache
def deck() -> Deck:
    return load_deck(find_deck("tsuki"))


def a_table(name: str, seats: int, seed: int, options: Mapping[str, Any] = NONE, **more: Any) -> SimulatedTable:
    settings: dict[str, Any] = {"size_px": (160, 120), "fps": 5.0} | more
    return SimulatedTable(catalogue.load(name, options), seats, seed, deck(), **settings)


def played(name: str, seats: int, seed: int = 3, options: Mapping[str, Any] = NONE, **more: Any) -> SimulatedTable:
    """A table at which a whole game has been played, unwatched."""
    table = a_table(name, seats, seed, options, **more)
    while table.skip():
        assert table.clock < 3000, "the game does not end"
    return table


def events(table: SimulatedTable) -> list[Event]:
    return [event for event in table.truth if not isinstance(event, Slip)]


def deals(table: SimulatedTable) -> list[Dealt]:
    return [event for event in table.truth if isinstance(event, Dealt)]


def check(table: SimulatedTable) -> None:
    """The truth, told to the rules, leads to the end it says; each card lies where they have it."""
    game = table.game
    state = game.start(table.seats, table.dealer)
    for event in events(table):
        state = game.apply(state, event)
    assert game.over(state)
    ended = table.truth[-1]
    assert isinstance(ended, Ended)
    assert ended.seats == game.score(state)
    lies = {card: true.place for card, true in table.true_cards().items()}
    assert set(lies) == set(game.deck)
    known = game.places(state)
    assert {card: lies[card] for card in known} == known
    hidden: dict[Place, int] = {}
    for card in set(lies) - set(known):
        place = lies[card]
        assert place is not None
        hidden[place] = hidden.get(place, 0) + 1
    assert hidden == {place: count for place, count in game.unseen(state).items() if count}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_oyohen_is_played_to_its_end(seats: int) -> None:
    table = played("oyohen", seats)
    check(table)
    assert all(true.face_up for true in table.true_cards().values())
    assert table.progress[0] == table.progress[1] >= 40


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_series_of_hana_awase_is_played_with_hidden_hands(seats: int) -> None:
    table = played("hana-awase", seats, options=THREE)
    check(table)
    assert len(deals(table)) == 3
    assert all(not deal.hands and len(deal.hand_counts) == seats for deal in deals(table))


def test_eight_cards_each_leave_a_pile_to_turn_up_at_the_end() -> None:
    check(played("hana-awase", 2, options={"rounds": 3, "two_player_hand": 8}))


def test_hidden_cards_lie_face_down_in_the_hand_and_all_others_face_up() -> None:
    table = a_table("hana-awase", 2, 5, {"rounds": 3}, habits=Habits(slip=0.3, slip_kinds=("hand_card_swapped",)))
    seen = 0
    while table.skip() and len(deals(table)) == 1:
        if table.clock % 1 or table.hands_in_view:
            continue
        for true in table.true_cards().values():
            assert true.place is not None
            assert true.face_up == (true.place.zone not in ("hand", "draw"))
        seen += 1
    assert seen > 5


def test_the_next_round_is_said_with_a_hand_on_a_spot() -> None:
    habits = Habits(unsaid=0.0)
    first = played("hana-awase", 3, 4, {"rounds": 3}, habits=habits, size_px=(320, 180))
    said = next(event for event in first.truth if isinstance(event, Signalled))
    assert said.name == "next_round"
    (spot,) = spots(first.layout, {said.seat: ["next_round"]})
    table = a_table("hana-awase", 3, 4, {"rounds": 3}, habits=habits, size_px=(320, 180))
    while table.clock < said.t_s - 4:
        table.skip()
    bare, shares = table.read(), []
    assert bare is not None
    disc = np.zeros(bare.image.shape[:2], dtype=np.uint8)
    x, y = table.view.camera_px((spot.x_mm, spot.y_mm)).round().astype(int).tolist()
    cv2.circle(disc, (x, y), round(spot.radius_mm * table.rig.px_per_mm), 1, -1)
    while table.clock < said.t_s:
        frame = table.read()
        assert frame is not None
        changed = np.abs(frame.image.astype(int) - bare.image.astype(int)).max(axis=2) > 30
        if frame.t_s >= said.t_s - SAID_AFTER_S:
            shares.append(float(changed[disc > 0].mean()))
    assert len(shares) >= 4 and min(shares) > 0.9


def told(table: SimulatedTable) -> tuple[list[Event], referee.Session[Any]]:
    """What the referee says when it is told the truth, and how it stands at the end."""
    session, log = referee.begin(table.game, table.seats, table.dealer), list[Event]()
    for event in events(table):
        if isinstance(event, Dealt | Moved | Signalled):
            session, follow = referee.advance(session, event)
            log += follow
    return log, session


KINDS = {
    "chotto-hana-awase": (
        "out_of_turn",
        "wrong_match",
        "match_left",
        "two_cards_played",
        "drawn_card_kept",
        "turned_too_early",
        "hand_card_swapped",
    ),
    "hana-awase": (
        "out_of_turn",
        "wrong_match",
        "match_left",
        "two_cards_played",
        "turned_too_early",
        "hand_card_swapped",
    ),
}


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, kinds in KINDS.items() for kind in kinds])
def test_each_kind_of_slip_is_named_by_the_referee_and_put_right(name: str, kind: str) -> None:
    habits = Habits(slip=0.6, slip_kinds=("out_of_turn", kind) if kind == "out_of_turn" else (kind,))
    table = played(name, 2, 6, habits=habits, **({} if name == "chotto-hana-awase" else {"options": {"rounds": 3}}))
    check_slips(table, kind)


def check_slips(table: SimulatedTable, kind: str) -> None:
    slips = [event for event in table.truth if isinstance(event, Slip)]
    assert slips and {slip.kind for slip in slips} == {kind}
    log, session = told(table)
    faults = [event for event in log if isinstance(event, Fault)]
    for slip in slips:
        assert slip.kind in {fault.code for fault in faults if slip.t_s <= fault.t_s <= slip.until_s}
    assert all(any(slip.t_s <= fault.t_s <= slip.until_s for slip in slips) for fault in faults)
    assert not session.faults and session.ended
    ended, truly = log[-1], table.truth[-1]
    assert isinstance(ended, Ended) and isinstance(truly, Ended)
    assert ended.seats == truly.seats


def test_cards_of_a_pair_are_where_the_truth_says_between_rounds() -> None:
    table = a_table("hana-awase", 2, 8, {"rounds": 3})
    while len(deals(table)) < 2 and table.skip():
        pass
    deal = deals(table)[1]
    lies: dict[Card, Place | None] = {card: true.place for card, true in table.true_cards().items()}
    assert {card for card, place in lies.items() if place == Place("field")} == set(deal.field)
    assert sum(place == Place("draw") for place in lies.values()) == deal.draw
    assert [sum(p == Place("hand", s) for p in lies.values()) for s in (0, 1)] == list(deal.hand_counts)
