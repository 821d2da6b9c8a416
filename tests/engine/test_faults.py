"""Every kind of illegal move is named, says where the card belongs, and is cleared by putting it right."""

from dataclasses import replace
from typing import Any

import pytest

from engine.events import Ended, Event, Fault, Place, Repaired, Scored, Turn
from engine.guidance import Role
from engine.reconcile import Reading
from engine.referee import Session, advance, finish, guide
from tests.engine.table import CHOTTO, cards, deal, dealt, place, play

CASES: dict[str, tuple[list[str], str, list[str], str, str, list[str]]] = {
    # name: (moves before, illegal move, more moves, code, belongs, repair)
    "next seat plays out of turn": (
        [],
        "02-chaff-1 hand-1 field",
        [],
        "out_of_turn",
        "hand-1",
        ["02-chaff-1 field hand-1"],
    ),
    "seat takes a pair out of turn": (
        [],
        "01-chaff-1 hand-1 captured-1",
        [],
        "out_of_turn",
        "hand-1",
        ["01-chaff-1 captured-1 hand-1"],
    ),
    "next card turned before the pair is taken": (
        ["01-ribbon hand-0 field"],
        "07-ribbon draw field",
        [],
        "match_left",
        "captured-0",
        ["01-ribbon field captured-0", "01-bright field captured-0"],
    ),
    "next card turned while the choice is open": (
        ["03-ribbon hand-0 field"],
        "07-ribbon draw field",
        [],
        "match_left",
        "captured-0",
        ["03-ribbon field captured-0", "03-bright field captured-0"],
    ),
    "next seat plays before the pair is taken": (
        ["07-chaff-1 hand-0 field", "07-ribbon draw field"],
        "06-ribbon hand-1 field",
        [],
        "match_left",
        "captured-0",
        ["07-chaff-1 field captured-0", "07-ribbon field captured-0"],
    ),
    "a card of another month taken": (
        ["01-ribbon hand-0 field", "01-ribbon field captured-0"],
        "08-animal field captured-0",
        [],
        "wrong_match",
        "field",
        ["08-animal captured-0 field"],
    ),
    "a card of another month taken before its partner": (
        ["01-ribbon hand-0 field"],
        "08-animal field captured-0",
        ["01-ribbon field captured-0"],
        "wrong_match",
        "field",
        ["08-animal captured-0 field"],
    ),
    "a third card of the month taken": (
        ["03-ribbon hand-0 captured-0", "03-bright field captured-0"],
        "03-chaff-1 field captured-0",
        [],
        "not_matching",
        "field",
        ["03-chaff-1 captured-0 field"],
    ),
    "both candidates taken without the played card": (
        ["03-ribbon hand-0 field", "03-bright field captured-0"],
        "03-chaff-1 field captured-0",
        [],
        "wrong_match",
        "field",
        ["03-chaff-1 captured-0 field"],
    ),
    "a hand card kept that matches nothing": (
        [],
        "02-ribbon hand-0 captured-0",
        [],
        "not_matching",
        "field",
        ["02-ribbon captured-0 field"],
    ),
    "a played card taken that matches nothing": (
        ["02-ribbon hand-0 field"],
        "02-ribbon field captured-0",
        [],
        "not_matching",
        "field",
        ["02-ribbon captured-0 field"],
    ),
    "a turned card taken that matches nothing": (
        ["02-ribbon hand-0 field"],
        "07-ribbon draw captured-0",
        [],
        "not_matching",
        "field",
        ["07-ribbon captured-0 field"],
    ),
    "two cards played": (
        ["02-ribbon hand-0 field"],
        "09-ribbon hand-0 field",
        [],
        "two_cards_played",
        "hand-0",
        ["09-ribbon field hand-0"],
    ),
    "a second card played over a match": (
        ["01-ribbon hand-0 field"],
        "09-ribbon hand-0 field",
        [],
        "two_cards_played",
        "hand-0",
        ["09-ribbon field hand-0"],
    ),
    "a card turned before one is played": (
        [],
        "09-animal draw field",
        [],
        "turned_too_early",
        "draw",
        ["09-animal field draw"],
    ),
    "the turned card kept in hand": (
        ["02-ribbon hand-0 field"],
        "07-ribbon draw hand-0",
        [],
        "drawn_card_kept",
        "field",
        ["07-ribbon hand-0 field"],
    ),
    "the played card taken back": (
        ["02-ribbon hand-0 field"],
        "02-ribbon field hand-0",
        [],
        "card_returned",
        "field",
        ["02-ribbon hand-0 field"],
    ),
    "a field card taken into the hand": (
        [],
        "08-animal field hand-0",
        [],
        "field_card_taken",
        "field",
        ["08-animal hand-0 field"],
    ),
    "a captured card taken": (
        ["01-ribbon hand-0 captured-0", "01-bright field captured-0"],
        "01-bright captured-0 captured-1",
        [],
        "captured_taken",
        "captured-0",
        ["01-bright captured-1 captured-0"],
    ),
    "a capture laid to the other player's pile": (
        ["01-ribbon hand-0 field", "01-ribbon field captured-0"],
        "01-bright field captured-1",
        [],
        "wrong_pile",
        "captured-0",
        ["01-bright captured-1 captured-0"],
    ),
    "a hand card given away": (
        [],
        "02-ribbon hand-0 hand-1",
        [],
        "card_given",
        "hand-0",
        ["02-ribbon hand-1 hand-0"],
    ),
    "a card that this game does not use": (
        [],
        "11-bright box field",
        [],
        "not_in_deck",
        "",
        ["11-bright field box"],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_an_illegal_move_is_named_and_cleared(case: tuple[list[str], str, list[str], str, str, list[str]]) -> None:
    before, wrong, more, code, belongs, repair = case
    session, quiet = play(dealt(), *before)
    assert not [event for event in quiet if isinstance(event, Fault)]
    session, events = play(session, wrong)
    faults = [event for event in events if isinstance(event, Fault)]
    assert [fault.code for fault in faults] == [code]
    assert faults[0].belongs == (place(belongs) if belongs else None)
    assert faults[0].message.en and faults[0].message.ja
    assert session.fault == faults[0]
    assert guide(session).cues[0].role is Role.FAULT
    assert guide(session).headline == faults[0].message
    session, events = play(session, *more, *repair)
    assert [event.code for event in events if isinstance(event, Repaired)] == [code]
    assert not [event for event in events if isinstance(event, Fault)]
    assert session.fault is None
    assert all(session.lies.get(card) == where for card, where in CHOTTO.places(session.state).items())


def test_the_right_pair_after_a_wrong_match_scores_as_if_nothing_had_happened() -> None:
    wrong = ["01-ribbon hand-0 field", "01-ribbon field captured-0", "08-animal field captured-0"]
    session, _ = play(dealt(), *wrong, "08-animal captured-0 field", "01-bright field captured-0")
    clean, _ = play(dealt(), "01-ribbon hand-0 field", "01-ribbon field captured-0", "01-bright field captured-0")
    assert session.state == clean.state
    assert CHOTTO.score(session.state)[0].points == 25


def test_the_right_card_may_be_taken_before_the_wrong_one_is_put_back() -> None:
    wrong = ["01-ribbon hand-0 field", "01-ribbon field captured-0", "08-animal field captured-0"]
    session, _ = play(dealt(), *wrong, "01-bright field captured-0")
    assert session.fault is not None
    assert CHOTTO.score(session.state)[0].points == 25
    session, events = play(session, "08-animal captured-0 field")
    assert session.fault is None
    assert [event.code for event in events if isinstance(event, Repaired)] == ["wrong_match"]


def test_the_match_left_is_completed_after_the_next_seat_has_played_too() -> None:
    moves = ["01-ribbon hand-0 field", "07-ribbon draw field", "02-chaff-1 hand-1 field"]
    session, _ = play(dealt(), *moves)
    assert session.fault is not None
    session, _ = play(session, "01-bright field captured-0", "01-ribbon field captured-0")
    clean, _ = play(
        dealt(),
        "01-ribbon hand-0 field",
        "01-ribbon field captured-0",
        "01-bright field captured-0",
        "07-ribbon draw field",
        "02-chaff-1 hand-1 field",
    )
    assert session.fault is None
    assert session.state == clean.state


def test_a_hand_card_swapped_for_another_is_named_as_one_mistake() -> None:
    session, _ = play(dealt(), "02-ribbon hand-0 field", "02-ribbon field hand-0", "09-ribbon hand-0 field")
    assert session.fault is not None
    assert session.fault.code == "hand_card_swapped"
    assert session.fault.cards == cards("02-ribbon 09-ribbon")
    session, _ = play(session, "09-ribbon field hand-0", "02-ribbon hand-0 field")
    assert session.fault is None
    clean, _ = play(dealt(), "02-ribbon hand-0 field")
    assert session.state == clean.state


def test_a_swap_that_nobody_mends_is_played_on_as_it_lies() -> None:
    swap = ["02-ribbon hand-0 field", "02-ribbon field hand-0", "09-ribbon hand-0 field", "07-ribbon draw field"]
    session, _ = play(dealt(), *swap, "09-chaff-1 hand-1 field")
    assert CHOTTO.choices(session.state) == ()
    assert session.state is not None
    assert session.state.active == cards("09-chaff-1")[0]
    session, events = play(session, "09-chaff-1 field captured-1", "09-ribbon field captured-1")
    assert not [event for event in events if isinstance(event, Fault)]
    assert CHOTTO.score(session.state)[1].points == 6


def test_play_may_go_on_over_a_match_that_is_never_taken() -> None:
    moves = ["01-ribbon hand-0 field", "07-ribbon draw field", "02-chaff-1 hand-1 field", "09-animal draw field"]
    session, _ = play(dealt(), *moves)
    assert CHOTTO.to_act(session.state) == {0}
    assert session.fault is not None
    more = [
        "09-ribbon hand-0 field",
        "09-ribbon field captured-0",
        "09-animal field captured-0",
        "02-animal draw field",
    ]
    session, _ = play(session, *more, "02-animal field captured-0", "02-chaff-1 field captured-0")
    assert CHOTTO.score(session.state)[0].points == 26
    more = [
        "08-chaff-1 hand-1 captured-1",
        "08-animal field captured-1",
        "08-bright draw field",
        "02-ribbon hand-0 field",
    ]
    session, _ = play(session, *more)
    assert session.fault is None
    assert CHOTTO.score(session.state)[1].points == 11


def test_an_illegal_capture_that_is_never_mended_counts_as_it_lies() -> None:
    wrong = ["02-ribbon hand-0 captured-0", "08-animal field captured-0"]
    session, _ = play(dealt(), *wrong)
    assert CHOTTO.score(session.state)[0].total == 0
    session, events = play(session, "07-ribbon draw field", "02-chaff-1 hand-1 field")
    assert [event for event in events if isinstance(event, Scored)]
    assert CHOTTO.score(session.state)[0].points == 15
    assert CHOTTO.to_act(session.state) == {1}


def test_another_choice_may_be_made_until_the_next_card_is_turned() -> None:
    moves = ["03-ribbon hand-0 captured-0", "03-chaff-1 field captured-0", "03-chaff-1 captured-0 field"]
    session, events = play(dealt(), *moves)
    assert session.fault is None
    assert CHOTTO.choices(session.state) == cards("03-bright 03-chaff-1")
    session, events = play(session, "03-bright field captured-0")
    assert session.fault is None
    assert CHOTTO.score(session.state)[0].points == 25
    session, _ = play(session, "07-ribbon draw field")
    session, events = play(session, "03-bright captured-0 field")
    assert [event.code for event in events if isinstance(event, Fault)] == ["captured_taken"]


def test_changing_the_choice_by_taking_the_other_first_is_fine_in_the_end() -> None:
    moves = ["03-ribbon hand-0 captured-0", "03-chaff-1 field captured-0", "03-bright field captured-0"]
    session, _ = play(dealt(), *moves)
    assert session.fault is not None
    session, _ = play(session, "03-chaff-1 captured-0 field")
    assert session.fault is None
    assert CHOTTO.score(session.state)[0].points == 25


def test_dead_cards_stay_on_the_field() -> None:
    session, _ = play(dealt(), "10-ribbon hand-0 captured-0", "10-animal field captured-0")
    assert session.state is not None
    assert session.state.dead() == cards("10-chaff-1 10-chaff-2")
    session, _ = play(session, "10-chaff-1 field captured-0")
    assert session.fault is not None
    assert session.fault.code == "dead_card_taken"
    session, _ = play(session, "10-chaff-1 captured-0 field")
    assert session.fault is None


def test_whoever_begins_instead_of_the_first_player_is_followed() -> None:
    session, events = play(dealt(), "02-chaff-1 hand-1 field")
    assert session.fault is not None
    session, events = play(session, "07-ribbon draw field")
    assert session.fault is None
    assert [event for event in events if isinstance(event, Turn)] == []
    assert CHOTTO.to_act(session.state) == {0}
    session, events = play(session, "02-ribbon hand-0 field")
    assert session.fault is None


def test_a_fault_that_play_goes_on_over_is_let_stand() -> None:
    session, events = play(dealt(), "02-ribbon hand-0 field", "09-ribbon hand-0 field", *LONG_PLAY)
    assert session.fault is None
    assert [event.code for event in events if isinstance(event, Repaired)] == ["two_cards_played"]
    assert CHOTTO.to_act(session.state) == {0}


LONG_PLAY = (
    "07-ribbon draw field",
    "09-chaff-1 hand-1 captured-1",
    "09-ribbon field captured-1",
    "09-animal draw field",
    "01-ribbon hand-0 captured-0",
    "01-bright field captured-0",
    "06-animal draw captured-0",
    "06-chaff-1 field captured-0",
    "02-chaff-1 hand-1 captured-1",
    "02-ribbon field captured-1",
    "08-bright draw captured-1",
    "08-animal field captured-1",
)


def test_a_misdeal_asks_for_a_new_deal_and_the_new_deal_clears_it() -> None:
    four = deal(
        "03-bright 03-ribbon 03-chaff-1 03-chaff-2 01-bright 02-animal 06-animal 07-animal",
        (
            "01-ribbon 02-ribbon 06-ribbon 07-chaff-1 09-ribbon 10-ribbon",
            "01-chaff-1 02-chaff-1 06-chaff-1 07-ribbon 08-chaff-1 09-chaff-1",
        ),
    )
    session = dealt(event=four)
    assert session.state is None
    assert session.fault is not None and session.fault.code == "misdeal"
    assert session.fault.cards == cards("03-bright 03-ribbon 03-chaff-1 03-chaff-2")
    shown = guide(session)
    assert shown.headline is not None and shown.headline.en == "All four Cherry on the field: shuffle and deal again"
    session, events = advance(session, deal())
    assert [type(event) for event in events] == [Repaired, Turn]
    assert session.fault is None and session.state is not None


def test_finish_lets_faults_stand_when_everything_is_played() -> None:
    session = nearly_over()
    session, events = play(session, "08-chaff-2 draw captured-1")
    assert session.fault is not None and not session.ended
    session, events = finish(session, 99.0)
    assert session.ended
    assert [type(event) for event in events] == [Repaired, Scored, Ended]


def nearly_over() -> Session[Any]:
    """A game in which only the last card of the pile, 08-chaff-2, is left to turn, and matches nothing."""
    session = dealt()
    rest = [card for card in CHOTTO.deck if card.month != 8]
    piles: dict[str, list[Any]] = {"captured-0": rest[:14], "captured-1": rest[14:]}
    piles["captured-0"] += cards("08-bright 08-animal")
    piles["captured-1"] += cards("08-chaff-1")
    lies = {card: place(where) for where, held in piles.items() for card in held}
    state = CHOTTO.adopt(session.state, lies, {Place("draw"): 1}, None)
    assert state is not None
    state = replace(state, turn=1)
    return replace(session, lies=lies, unseen={Place("draw"): 1}, readings=(Reading(state),))


def test_events_after_the_end_change_nothing() -> None:
    session, events = play(nearly_over(), "08-chaff-2 draw field")
    assert session.ended
    swept, follow = play(session, "08-chaff-2 field captured-0")
    assert swept is session
    assert follow == ()
    assert _kinds(events) == ["Ended"]


def _kinds(events: tuple[Event, ...]) -> list[str]:
    return [type(event).__name__ for event in events]
