"""Hiyoko and Isuri case by case (`cases/runs.yaml`): what follows, runs, cards turned up, payments, reshuffling."""

from dataclasses import replace
from typing import Any

import pytest

from engine.cards import Card
from engine.catalogue import load
from engine.errors import RuleError
from engine.events import Dealt, Event, Fault, Moved, Place, Signalled
from engine.nagoya import in_hand, when_turned
from engine.places import DISCARD, PILE, hand
from engine.referee import advance, begin
from engine.runs_state import Phase, RunsState
from tests.engine.table import cards
from tests.engine.tables import by_name, read

CASES = read("runs")
SEATS = {"D": 0, "O": 1}


def table(case: dict[str, Any], default: str = "hiyoko") -> tuple[Any, RunsState]:
    """The game and a state with the case's top card, the dealer holding as many cards as the case's hand."""
    game: Any = load(case.get("game", default), case.get("options", {})).game  # type: ignore[attr-defined]
    (top,) = cards(case["top"])
    size = len(cards(case["hand"]))
    state = game.apply(game.start(2), Dealt(0.0, (top,), (), len(game.deck) - 13, (6, 6)))
    tops = when_turned(top) if case.get("turned") else in_hand(top)
    return game, replace(state, tops=tops, hand_counts=(size, 6), held=size)


def lay(card: Card, seat: int = 0) -> Moved:
    return Moved(0.0, card, hand(seat), DISCARD)


@by_name(CASES, "follows")
def test_what_may_follow(case: dict[str, Any]) -> None:
    game, state = table(case)
    expected = set(game.expected(state))
    assert {card for card in cards(case["hand"]) if lay(card) in expected} == set(cards(case["may"]))


@by_name(CASES, "runs")
def test_a_run(case: dict[str, Any]) -> None:
    game, state = table(case)
    try:
        for card in cards(case["run"]):
            state = game.apply(state, lay(card))
    except RuleError as problem:
        assert problem.en and problem.ja
        legal = False
    else:
        legal = state.phase is Phase.OVER or Signalled(0.0, "stop", 0) in game.expected_signals(state)
    assert legal is case["legal"]


@by_name(CASES, "turns")
def test_when_a_card_is_turned_up(case: dict[str, Any]) -> None:
    hand_of_six = "01-bright 02-ribbon 04-ribbon 05-ribbon 06-ribbon 07-ribbon"
    game, state = table({"hand": hand_of_six, "top": "07-animal", **case})
    for part in case["turns"].split():
        who, what = part.split("-")
        seat = SEATS[who]
        assert game.to_act(state) == {seat}
        if what == "pass":
            state = game.apply(state, Signalled(0.0, "pass", seat))
        elif what == "up":
            state = game.apply(state, game.expected(state)[0])
        else:
            laid = (game.apply(state, m) for m in game.expected(state) if m.source == hand(seat))
            state = game.apply(next(after for after in laid if after.may_end), Signalled(0.0, "stop", seat))
    turns_up = state.phase is Phase.TURN_UP
    assert ("DO"[state.turn] if turns_up else "") == case["turns_up"]
    assert all(move.source == PILE for move in game.expected(state)) is turns_up


@by_name(CASES, "payments")
def test_payments(case: dict[str, Any]) -> None:
    game, state = table(case, "isuri")
    for card in cards(case["run"]):
        state = game.apply(state, lay(card))
    assert [tally.total for tally in game.score(state)] == [case["pay"], -case["pay"]]


def test_a_pass_pays_the_pot_and_the_empty_hand_takes_it() -> None:
    game, state = table({"game": "isuri", "hand": "08-animal", "top": "07-animal"})
    state = game.apply(state, Signalled(0.0, "pass", 0))
    state = game.apply(state, Signalled(1.0, "pass", 1))
    assert ([tally.total for tally in game.score(state)], state.pot) == ([-1, -1], 2)
    state = game.apply(state, Moved(2.0, cards("07-ribbon")[0], PILE, DISCARD))
    state = game.apply(state, lay(cards("08-animal")[0]))
    assert ([tally.total for tally in game.score(state)], state.pot) == ([-1 + 8 + 2, -1 - 8], 0)
    assert game.over(state) and game.next_dealer(state) == 0


def test_the_bank_may_pay() -> None:
    options = {"payer": "bank"}
    game, state = table({"game": "isuri", "options": options, "hand": "08-animal 01-bright", "top": "07-animal"})
    state = game.apply(state, lay(cards("08-animal")[0]))
    assert [tally.total for tally in game.score(state)] == [8, 0]


def test_the_other_seat_may_play_without_a_word_that_the_run_is_over() -> None:
    game, state = table({"hand": "08-animal 04-ribbon", "top": "07-animal"})
    with pytest.raises(RuleError):
        game.apply(state, lay(cards("08-chaff-1")[0], 1))
    state = game.apply(state, lay(cards("08-animal")[0]))
    after = game.apply(state, lay(cards("09-animal")[0], 1))
    assert (after.turn, after.hand_counts) == (1, (1, 5))
    passed = game.apply(state, Signalled(0.0, "pass", 1))
    assert (passed.turn, passed.phase) == (0, Phase.TURN_UP)


def test_an_empty_pile_is_shuffled_from_all_discards_but_the_top() -> None:
    game, state = table({"hand": "08-animal 04-ribbon", "top": "07-animal"})
    hidden = frozenset(sorted(state.unseen)[:8])
    older = tuple(sorted(state.unseen - hidden))
    state = replace(state, pile=(*older, *state.pile), unseen=hidden, draw=0, phase=Phase.TURN_UP)
    assert game.expected_signals(state) == (Signalled(0.0, "reshuffled", 0),)
    line = game.guide(state).seat_lines[0]
    assert line is not None and "shuffle all discards but the top" in line.en
    shuffled = game.apply(state, Signalled(0.0, "reshuffled", 0))
    assert (shuffled.pile, shuffled.draw) == (state.pile[-1:], len(older))
    silently = game.apply(state, Moved(0.0, older[0], PILE, DISCARD))
    assert silently == game.apply(shuffled, Moved(0.0, older[0], PILE, DISCARD))


def test_whoever_turns_up_may_have_to_go_on_until_a_card_can_be_laid() -> None:
    case = {"options": {"after_turn": "turn_until_playable"}, "hand": "08-animal 04-ribbon", "top": "07-animal"}
    game, state = table(case)
    for seat in (0, 1):
        state = game.apply(state, Signalled(0.0, "pass", seat))
    state = game.apply(state, Moved(0.0, cards("01-chaff-1")[0], PILE, DISCARD))
    assert game.expected_signals(state) == ()
    again = game.apply(state, Moved(0.0, cards("03-chaff-1")[0], PILE, DISCARD))
    assert again.pile[-1:] == cards("03-chaff-1")


def test_the_first_card_may_count_as_laid_from_a_hand() -> None:
    deal = Dealt(0.0, cards("12-bright"), (), 32, (6, 6))
    wanted = lay(cards("07-animal")[0])
    for turned in (True, False):
        game = load("hiyoko", {"upcard_is_turned": turned})
        assert (wanted in game.expected(game.apply(game.start(2), deal))) is not turned


def test_the_decks_and_the_deal() -> None:
    assert [len(load(name).deck) for name in ("hiyoko", "isuri")] == [45, 46]
    assert load("isuri").deal(2) == {DISCARD: 1, PILE: 33, Place("hand", 0): 6, Place("hand", 1): 6}
    kept = {str(card) for card in load("isuri", {"isuri_chaff": "12-chaff-3"}).deck}
    assert "12-chaff-3" in kept and "12-chaff-1" not in kept


def test_a_pile_shuffled_anew_without_a_word_is_taken_as_said() -> None:
    game = load("hiyoko")
    session, _ = advance(begin(game, 2), Dealt(0.0, cards("07-animal"), (), 32, (6, 6)))
    said = [Signalled(1.0, "pass", 0), Signalled(1.0, "pass", 1)]
    turned: list[Card] = []
    for card in [c for c in game.deck if str(c) != "07-animal"][:32]:
        events: tuple[Event, ...] = (*said, Moved(2.0, card, PILE, DISCARD))
        for event in events:
            session, follow = advance(session, event)
            assert not [fault for fault in follow if isinstance(fault, Fault)]
        turned.append(card)
    for signal in said:
        session, _ = advance(session, signal)
    again, follow = advance(session, Moved(9.0, turned[3], PILE, DISCARD))
    assert not follow and again.fault is None
    assert again.lies == dict.fromkeys((turned[-1], turned[3]), DISCARD)
    assert again.unseen[PILE] == 31
    told, _ = advance(session, Signalled(9.0, "reshuffled", 0))
    assert advance(told, Moved(9.0, turned[3], PILE, DISCARD))[0] == again


def test_nothing_is_turned_up_once_a_hand_is_empty() -> None:
    case = {"options": {"after_turn": "turn_until_playable"}, "hand": "08-animal", "top": "01-chaff-1"}
    game, state = table({"game": "isuri", **case})
    for seat in (0, 1):
        state = game.apply(state, Signalled(0.0, "pass", seat))
    state = game.apply(state, Moved(0.0, cards("07-animal")[0], PILE, DISCARD))
    over = game.apply(state, lay(cards("08-animal")[0]))
    assert game.over(over)
    with pytest.raises(RuleError):
        game.apply(over, Moved(0.0, cards("09-animal")[0], PILE, DISCARD))


def test_a_run_is_paid_for_where_play_goes_on_over_a_fault() -> None:
    game = load("isuri")
    session, _ = advance(begin(game, 2), Dealt(0.0, cards("07-chaff-1"), (), 33, (6, 6)))
    laid = [lay(card) for card in cards("08-animal 09-ribbon")]
    wrong, on = lay(cards("05-animal")[0], 1), lay(cards("12-bright")[0], 0)
    for move in (*laid, wrong):
        session, _ = advance(session, move)
    assert session.fault is not None and session.fault.code == "not_following"
    session, _ = advance(session, on)
    assert session.state is not None
    assert [tally.total for tally in game.score(session.state)] == [17 + 6, -17 - 6]
