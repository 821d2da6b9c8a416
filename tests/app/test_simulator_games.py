"""The simulated players play every game by its rules, physically: what lies on the table is what the truth says."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from app.simulator import choosing_slips, fishing_slips, running_slips
from app.simulator.dealing import Setup
from app.simulator.ledger import Slip
from app.simulator.stage import SAID_AFTER_S, Habits
from app.simulator.table import SimulatedTable
from calibration.spots import spots
from engine import catalogue, referee
from engine.cards import Card
from engine.errors import ConfigError
from engine.events import Dealt, Ended, Event, Fault, Moved, Place, Signalled
from engine.runs_state import Phase
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
    told = events(table)
    refused = {i for i, e in enumerate(told[1:]) if isinstance(e, Signalled) and e.name == "redeal"}
    for i, event in enumerate(told):
        if i in refused or i - 1 in refused:
            continue
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


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hiyoko", {"target": 2}),
        ("hiyoko", {"target": 2, "draw_rule": "fudawiki_2025"}),
        ("hiyoko", {"target": 2, "after_turn": "turn_until_playable"}),
        ("isuri", {"deals": 3}),
        ("isuri", {"deals": 3, "june_in_sequence": False}),
    ],
    ids=str,
)
def test_runs_are_laid_passed_and_turned_up_to_the_end_of_the_series(name: str, options: Mapping[str, Any]) -> None:
    table = played(name, 2, 5, options)
    check(table)
    said = {event.name for event in table.truth if isinstance(event, Signalled)}
    assert {"pass", "stop"} <= said
    assert any(event.source == Place("draw") for event in table.truth if isinstance(event, Moved))
    assert len(deals(table)) >= 2


def test_only_the_top_of_the_discard_pile_can_be_read() -> None:
    table = a_table("hiyoko", 2, 5)
    while sum(isinstance(event, Moved) for event in table.truth) < 8:
        table.skip()
    pile = [true for true in table.true_cards().values() if true.place == Place("discard")]
    top = max(pile, key=lambda true: true.order)
    assert len(pile) >= 8 and all(true.face_up for true in pile)
    assert top.hidden == 0 and all(true.hidden > 0.8 for true in pile if true is not top)


@pytest.mark.parametrize("unsaid", [0.0, 1.0], ids=["said", "unsaid"])
def test_the_discards_but_the_top_become_the_pile_when_it_is_used_up(unsaid: float) -> None:
    table = a_table("hiyoko", 2, 5, habits=Habits(unsaid=unsaid, fidget=0.0))
    discards = use_up_the_pile(table)
    while not any(isinstance(event, Moved) for event in table.truth):
        table.skip()
    assert any(isinstance(e, Signalled) and e.name == "reshuffled" for e in table.truth) == (unsaid == 0.0)
    turned = next(event for event in table.truth if isinstance(event, Moved))
    assert turned.source == Place("draw") and turned.card in discards[:-1]
    lies = table.true_cards()
    assert {c for c, true in lies.items() if true.place == Place("discard")} == {discards[-1], turned.card}
    assert max(lies[discards[-1]].order, lies[turned.card].order) == lies[turned.card].order
    pile = {c for c, true in lies.items() if true.place == Place("draw")}
    assert pile == set(discards[:-1]) - {turned.card}
    assert not any(lies[card].face_up for card in pile)
    while table.skip():
        pass
    assert isinstance(table.truth[-1], Ended)


def use_up_the_pile(table: SimulatedTable) -> list[Card]:
    """Discard the whole draw pile at once, and let the seat in turn turn up a card; the discards, the top one last."""
    ledger = table._ledger
    cards, ledger.pile = ledger.pile, []
    top = table.true_cards()[ledger.field[0]].pose
    for card in cards:
        table.world.lay(card, top.x_mm, top.y_mm, top.angle_rad, True)
        ledger.where[card] = Place("discard")
    now = ledger.state.round
    pile = (*now.pile, *cards)
    used_up = replace(now, pile=pile, unseen=now.unseen - set(cards), draw=0, phase=Phase.TURN_UP)
    ledger.state = replace(ledger.state, round=used_up)
    return list(pile)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_choose_and_reveal_together_in_juniors_chotto(seats: int) -> None:
    table = played("junior-chotto", seats, 2, THREE)
    check(table)
    chosen: set[int] = set()
    for event in events(table):
        match event:
            case Signalled(name="selected", seat=seat):
                chosen.add(seat)
            case Signalled(name="unselected", seat=seat):
                chosen.remove(seat)
            case Moved(source=Place("hand")):
                assert chosen == set(range(seats)) or event.target.seat in chosen
            case Moved():
                chosen = set()
            case _:
                pass
    kinds = {event.target.zone for event in table.truth if isinstance(event, Moved)}
    assert kinds == {"select", "field", "captured", "removed"}


def test_chosen_cards_lie_face_down_until_all_have_chosen() -> None:
    table = a_table("junior-chotto", 3, 4, {"rounds": 1})
    chosen = 0
    while table.skip() and table.clock < 120:
        if table.clock % 0.6 > 0.1:
            continue
        true_cards = [true for true in table.true_cards().values() if not true.held]
        selected = [true.face_up for true in true_cards if true.place and true.place.zone == "select"]
        waiting = any(signal.name == "selected" for signal in table.game.expected_signals(table.state))
        assert not (waiting and any(selected))
        chosen += selected == [False] * 3
        assert not any(true.face_up for true in true_cards if true.place and true.place.zone in ("hand", "draw"))
    assert chosen > 3


def test_three_of_a_month_lie_as_a_stack_each_showing_a_strip() -> None:
    table = a_table("junior-chotto", 4, 2, {"rounds": 3})
    stacks = 0
    while table.skip():
        if table.clock % 2 or table.hands_in_view:
            continue
        months: dict[int, list[float]] = {}
        for card, true in table.true_cards().items():
            if true.place == Place("field"):
                months.setdefault(card.month, []).append(true.hidden)
        for hidden in months.values():
            if len(hidden) == 3 and max(hidden) > 0.1:
                stacks += 1
                assert max(hidden) < 0.8
    assert stacks > 0


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


@pytest.mark.parametrize(("name", "seats"), [("hana-awase", 3), ("hana-awase", 4), ("hiyoko", 2), ("isuri", 2)])
def test_everybody_turns_up_a_card_to_find_the_dealer(name: str, seats: int) -> None:
    table = played(name, seats, 1, OPTIONS[name], setup=Setup.DRAW)
    check(table)
    first = events(table).index(deals(table)[0])
    drawn = [event for event in events(table)[:first] if isinstance(event, Moved)]
    assert len(drawn) == first >= seats
    assert {event.source for event in drawn} == {Place("draw")}
    log, session = told(table)
    assert not [event for event in log if isinstance(event, Fault)] and session.ended


def test_there_is_no_draw_where_players_agree_on_the_dealer() -> None:
    with pytest.raises(ConfigError, match=r"chotto-hana-awase: .*nobody draws for it"):
        a_table("chotto-hana-awase", 2, 1, setup=Setup.DRAW)


@pytest.mark.parametrize(("name", "seats"), [("chotto-hana-awase", 2), ("oyohen", 5), ("hana-awase", 3)])
def test_a_misdeal_is_noticed_and_dealt_again(name: str, seats: int) -> None:
    table = played(name, seats, 2, OPTIONS[name], habits=Habits(misdeal=1.0))
    check(table)
    again = [event for event in table.truth if isinstance(event, Signalled) and event.name == "redeal"]
    assert len(deals(table)) == 2 * len(again)
    log, session = told(table)
    assert [event.code for event in log if isinstance(event, Fault)] == ["misdeal"] * len(again)
    assert session.ended and isinstance(log[-1], Ended) and isinstance(table.truth[-1], Ended)
    assert log[-1].seats == table.truth[-1].seats


def told(table: SimulatedTable) -> tuple[list[Event], referee.Session[Any]]:
    """What the referee says when it is told the truth, and how it stands at the end."""
    session, log = referee.begin(table.game, table.seats, table.dealer), list[Event]()
    for event in events(table):
        if isinstance(event, Dealt | Moved | Signalled):
            session, follow = referee.advance(session, event)
            log += follow
    return log, session


KINDS = {
    "chotto-hana-awase": fishing_slips.KINDS,
    "hana-awase": ("out_of_turn", "match_left", "hand_card_swapped"),
    "hiyoko": running_slips.KINDS,
    "isuri": running_slips.KINDS,
    "junior-chotto": choosing_slips.KINDS,
}
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "chotto-hana-awase": NONE,
    "oyohen": NONE,
    "hana-awase": THREE,
    "hiyoko": {"target": 2},
    "isuri": {"deals": 3},
    "junior-chotto": {"rounds": 3},
}


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name in KINDS if name != "isuri" for kind in KINDS[name]])
def test_each_kind_of_slip_is_named_by_the_referee_and_put_right(name: str, kind: str) -> None:
    habits = Habits(slip=0.6, slip_kinds=("out_of_turn", kind) if kind == "out_of_turn" else (kind,))
    table = played(name, 2, 6, OPTIONS[name], habits=habits)
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


def test_a_kind_of_slip_that_the_game_has_not_is_named() -> None:
    with pytest.raises(ConfigError, match="junior-chotto: nobody slips in the way 'wrong_match'; the kinds"):
        a_table("junior-chotto", 2, 1, habits=Habits(slip=0.1, slip_kinds=("wrong_match",)))


@pytest.mark.parametrize("name", ["junior-chotto", "hiyoko"])
def test_there_is_no_misdeal_without_a_dealt_field(name: str) -> None:
    table = a_table(name, 2, 1, habits=Habits(misdeal=1.0))
    while table.clock < 30:
        table.skip()
    assert not any(isinstance(event, Signalled) and event.name == "redeal" for event in table.truth)


@pytest.mark.parametrize(("name", "seats"), [("hana-awase", 3), ("junior-chotto", 4), ("isuri", 2)])
def test_the_same_seed_plays_the_same_game(name: str, seats: int) -> None:
    habits = Habits(slip=0.2, slip_kinds=KINDS[name], misdeal=0.3)

    def played_to(limit_s: float) -> SimulatedTable:
        table = a_table(name, seats, 7, habits=habits)
        while table.clock < limit_s:
            table.skip()
        return table

    one, two = played_to(90), played_to(90)
    assert one.truth == two.truth and one.true_cards() == two.true_cards()


def test_cards_lie_where_the_next_deal_says() -> None:
    table = a_table("hana-awase", 2, 8, {"rounds": 3})
    while len(deals(table)) < 2 and table.skip():
        pass
    deal = deals(table)[1]
    lies: dict[Card, Place | None] = {card: true.place for card, true in table.true_cards().items()}
    assert {card for card, place in lies.items() if place == Place("field")} == set(deal.field)
    assert sum(place == Place("draw") for place in lies.values()) == deal.draw
    assert [sum(p == Place("hand", s) for p in lies.values()) for s in (0, 1)] == list(deal.hand_counts)
