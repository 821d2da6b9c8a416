"""Rounds one after the other: carried scores, dealers, signals, the table cleared between rounds, the draw for deal."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.cards import DECK
from engine.catalogue import load
from engine.chance import random_deal, random_step
from engine.errors import RuleError
from engine.events import Corrected, Dealt, Ended, Event, Fault, Moved, Place, Repaired, Signalled, Turn
from engine.fishing_state import Phase
from engine.guidance import Role
from engine.referee import Session, advance, begin, expected_signals, guide, next_dealer, replay
from engine.setup import deal_complete, guide_deal
from tests.engine.table import cards, move

NEXT = Signalled(500.0, "next_round", 0)


def one_round(session: Session[Any], random: Random) -> Session[Any]:
    """The session after one more round, dealt and played at random."""
    session, _ = advance(session, random_deal(session.game, session.seats, random))
    while session.game.to_act(session.state):
        session, _ = advance(session, random_step(session.game, session.state, random))
    return session


@pytest.fixture(params=[("hana-awase", 3), ("junior-chotto", 3), ("isuri", 2)], ids=lambda param: str(param[0]))
def after_one(request: pytest.FixtureRequest) -> Session[Any]:
    name, seats = request.param
    options = {"deals": 3} if name == "isuri" else {"rounds": 3}
    return one_round(begin(load(name, options), seats, 1), Random(seats))


def test_after_a_round_the_table_may_be_cleared(after_one: Session[Any]) -> None:
    assert after_one.closed and not after_one.ended
    card = next(iter(after_one.lies))
    swept, events = advance(after_one, Moved(501.0, card, after_one.lies[card], Place("draw")))
    assert (swept, events) == (after_one, ())
    assert [signal.name for signal in expected_signals(after_one)] == ["next_round"]


def test_the_next_round_carries_the_scores_over(after_one: Session[Any]) -> None:
    totals = [tally.total for tally in after_one.game.score(after_one.state)]
    dealer = next_dealer(after_one)
    ready, events = advance(after_one, NEXT)
    assert ready.state is None and events == ()
    assert [tally.total for tally in ready.game.score(ready.base)] == totals
    assert ready.base.dealer == dealer
    headline = guide(ready).headline
    assert headline is not None and "Round 2 of 3" in headline.en and f"Player {dealer + 1} deals" in headline.en
    dealt, events = advance(ready, random_deal(ready.game, ready.seats, Random(5)))
    assert state_of(dealt).carried == tuple(totals)
    if ready.game.name != "junior-chotto":
        assert [event for event in events if isinstance(event, Turn)] == [Turn(0.0, dealer)]


def test_the_next_deal_needs_no_word(after_one: Session[Any]) -> None:
    deal = random_deal(after_one.game, after_one.seats, Random(5))
    said, _ = advance(advance(after_one, NEXT)[0], deal)
    silent, _ = advance(after_one, deal)
    assert (said.state, said.lies, said.base) == (silent.state, silent.lies, silent.base)


def test_the_last_round_ends_the_game(after_one: Session[Any]) -> None:
    random, session = Random(8), after_one
    for _ in range(2):
        assert not session.ended
        session = one_round(session, random)
    assert session.ended
    assert expected_signals(session) == ()
    assert advance(session, NEXT) == (session, ())
    assert {cue.role for cue in guide(session).cues} >= {Role.WINNER}
    assert replay(session.game, session.facts) == session


def test_undo_takes_back_that_the_next_round_begins_but_no_deal(after_one: Session[Any]) -> None:
    ready, _ = advance(after_one, NEXT)
    undone, _ = advance(ready, Corrected(502.0, "key", undo=1))
    assert undone.closed and undone.state == after_one.state
    dealt, _ = advance(ready, random_deal(ready.game, ready.seats, Random(5)))
    assert advance(dealt, Corrected(503.0, "key", undo=3))[0] == dealt


def test_a_card_misread_in_this_round_does_not_change_the_last_one(after_one: Session[Any]) -> None:
    ready, _ = advance(after_one, NEXT)
    session, _ = advance(ready, random_deal(ready.game, ready.seats, Random(5)))
    one, other = cards("01-bright 08-animal")
    corrected, _ = advance(session, Corrected(600.0, "key", one, other))
    assert state_of(corrected).carried == state_of(session).carried


def test_a_word_that_nobody_expects_changes_nothing(after_one: Session[Any]) -> None:
    start = begin(after_one.game, after_one.seats)
    for session in (start, one_deal(start)):
        for name in ("next_round", "redeal", "hello"):
            assert advance(session, Signalled(1.0, name, 0)) == (session, ())


def state_of(session: Session[Any]) -> Any:
    """The state of a session that has been dealt."""
    assert session.state is not None
    return session.state


def one_deal(session: Session[Any]) -> Session[Any]:
    return advance(session, random_deal(session.game, session.seats, Random(2)))[0]


def test_hiyoko_ends_with_three_points_and_the_winner_deals() -> None:
    random, session = Random(4), begin(load("hiyoko"), 2)
    while not session.ended:
        session = one_round(session, random)
        totals = [tally.total for tally in session.game.score(session.state)]
        assert sum(totals) == state_of(session).number
        assert session.ended is (max(totals) == 3)
        assert state_of(session).round.hand_counts[next_dealer(session)] == 0


def test_the_best_of_a_round_deals_the_next_and_of_equals_the_earliest() -> None:
    game: Any = load("hana-awase", {"yaku": "none"}).game  # type: ignore[attr-defined]
    piles = ["01-bright 01-ribbon", "03-bright 03-ribbon", ""]
    base = replace(game.start(3, 1), captured=tuple(frozenset(cards(pile)) for pile in piles))
    assert game.next_dealer(replace(base, phase=Phase.OVER)) == 1
    assert game.next_dealer(replace(base, phase=Phase.OVER, dealer=2)) == 0


def test_each_turns_up_a_card_and_the_earliest_month_deals() -> None:
    session = begin(load("hana-awase"), 3)
    assert session.game.to_act(session.base) == {0, 1, 2}
    assert "earliest month deals" in str(guide(session).headline)
    for text in ("05-ribbon draw captured-0", "02-chaff-1 draw captured-1", "09-animal draw captured-2"):
        session, events = advance(session, move(text))
        assert events == ()
    assert session.base.dealer == 1 and session.base.draw is None
    assert [line and line.en for line in guide(session).seat_lines] == [None, "You deal", None]
    session, events = advance(session, random_deal(session.game, 3, Random(1)))
    assert events == (Turn(0.0, 1),)


def test_those_who_drew_alike_draw_again() -> None:
    session = begin(load("hana-awase"), 3)
    for text in ("06-chaff-1 draw captured-0", "06-chaff-2 draw captured-1", "08-bright draw captured-2"):
        session, _ = advance(session, move(text))
    assert session.game.to_act(session.base) == {0, 1}
    line = guide(session).headline
    assert line is not None and line.en == "Player 1 & Player 2 turn up another card"
    with pytest.raises(RuleError):
        session.game.apply(session.base, move("08-bright draw captured-0"))
    for text in ("07-chaff-1 draw captured-0", "01-chaff-2 draw captured-1"):
        session, _ = advance(session, move(text))
    assert session.base.dealer == 1


def test_without_a_draw_the_dealer_is_as_agreed() -> None:
    session, events = advance(begin(load("hiyoko"), 2, 1), random_deal(load("hiyoko"), 2, Random(1)))
    assert events == (Turn(0.0, 1),)
    assert state_of(session).draw is None


def test_in_hiyoko_the_cards_drawn_for_the_deal_lie_on_the_discard_pile() -> None:
    session = begin(load("hiyoko"), 2)
    for text in ("12-bright draw discard", "11-chaff-1 draw discard"):
        session, _ = advance(session, move(text))
    assert session.base.dealer == 1  # the willow is February, the paulownia June


def four_on_the_field() -> Dealt:
    return Dealt(0.0, cards("03-bright 03-ribbon 03-chaff-1 03-chaff-2 01-bright 02-animal"), (), 21, (7, 7, 7))


def test_a_misdeal_is_dealt_again_by_the_same_dealer() -> None:
    session, events = advance(begin(load("hana-awase"), 3, 2), four_on_the_field())
    assert [event.code for event in events if isinstance(event, Fault)] == ["misdeal"]
    assert [signal.name for signal in expected_signals(session)] == ["redeal"]
    ready, events = advance(session, Signalled(2.0, "redeal", 2))
    assert [type(event) for event in events] == [Repaired]
    assert ready.fault is None and ready.base.dealer == 2
    _, events = advance(ready, random_deal(ready.game, 3, Random(1)))
    assert events == (Turn(0.0, 2),)


def test_a_hand_of_four_may_be_dealt_again_until_a_card_is_played() -> None:
    game = load("hana-awase", {"hand_four": "redeal"})
    session, _ = advance(begin(game, 3), random_deal(game, 3, Random(1)))
    ready, _ = advance(session, Signalled(1.0, "redeal", 2))
    assert ready.state is None and ready.facts[-1] == Signalled(1.0, "redeal", 2)
    played, _ = advance(session, next(m for m in game.expected(session.state) if m.target == Place("field")))
    assert advance(played, Signalled(1.0, "redeal", 2)) == (played, ())


def test_an_ended_game_is_followed_by_a_new_one() -> None:
    session = one_round(begin(load("junior-chotto", {"rounds": 1}), 2), Random(3))
    assert session.ended
    fresh, _ = advance(session, random_deal(session.game, 2, Random(4)))
    assert not fresh.ended and state_of(fresh).number == 1 and state_of(fresh).carried == (0, 0)


def test_the_next_game_is_begun_by_the_next_seat() -> None:
    session, firsts = begin(load("chotto-hana-awase"), 3, 2), []
    for _ in range(3):
        session = one_round(session, Random(3))
        firsts.append(state_of(session).dealer)
    assert firsts == [2, 0, 1]


def test_the_end_is_logged_once_with_all_rounds_in_the_totals() -> None:
    game, random = load("isuri", {"deals": 3}), Random(6)
    session, log = begin(game, 2), list[Event]()
    for _ in range(3):
        session, follow = advance(session, random_deal(game, 2, random))
        log += follow
        while game.to_act(session.state):
            session, follow = advance(session, random_step(game, session.state, random))
            log += follow
    (ended,) = (event for event in log if isinstance(event, Ended))
    assert ended.reason == "a hand is empty"
    assert sum(tally.total for tally in ended.seats) == 0


def test_cards_of_the_last_round_are_gathered_before_the_deal() -> None:
    game = load("junior-chotto")
    lies = {card: Place("captured", card.month % 2) for card in DECK[:40]} | {DECK[40]: Place("removed")}
    shown = guide_deal(game, 2, lies, 0)
    (cue,) = [cue for cue in shown.cues if cue.role is Role.TAKE]
    assert (cue.place, cue.cards) == (Place("draw"), DECK[:41])
    assert shown.headline is not None and shown.headline.en == "Gather these cards and shuffle"
    assert not deal_complete(game, 2, lies, 42)
    assert deal_complete(game, 2, {}, 42)


def test_a_deck_laid_open_names_what_is_missing() -> None:
    game = load("hana-awase")
    lies = {card: Place("field") for card in DECK if str(card) != "09-animal"}
    names = [cue.words.en for cue in guide_deal(game, 3, lies, 0).cues if cue.role is Role.MISSING and cue.words]
    assert names == ["Not found: Sake Cup"]


@pytest.mark.parametrize(
    ("name", "seats", "headline"),
    [
        ("hana-awase", 3, "Deal 4 each, 3 to the field; 3 each, 3 to the field"),
        ("hiyoko", 2, "Take out all 3 Paulownia chaff. Shuffle and deal"),
        ("isuri", 2, "Take out all 2 Paulownia chaff. Shuffle and deal"),
    ],
)
def test_how_to_deal(name: str, seats: int, headline: str) -> None:
    shown = guide_deal(load(name), seats, {}, None).headline
    assert shown is not None and shown.en == headline
