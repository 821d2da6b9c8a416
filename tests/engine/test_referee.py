"""Facts and what follows from them: turns, scores, the end, corrections, twins mistaken for each other."""

import pytest

from engine.events import Corrected, Dealt, Ended, Event, Moved, Place, Scored, Turn
from engine.referee import advance, begin, finish, next_dealer, replay
from tests.engine.table import CHOTTO, cards, deal, dealt, move, play

TURN_OF_0 = ("01-ribbon hand-0 field", "01-ribbon field captured-0", "01-bright field captured-0")


def test_the_deal_gives_the_turn_to_the_dealer() -> None:
    session, events = advance(begin(CHOTTO, 2, 1), deal())
    assert events == (Turn(0.0, 1),)
    assert session.state is not None
    assert session.unseen[Place("draw")] == 12


def test_a_capture_scores_and_the_turned_card_passes_the_turn() -> None:
    session, events = play(dealt(), *TURN_OF_0)
    assert [type(event) for event in events] == [Scored]
    session, events = play(session, "07-ribbon draw field")
    assert [type(event) for event in events] == [Turn]
    assert events[0] == Turn(5.0, 1)


def test_logged_consequences_change_nothing() -> None:
    session = dealt()
    for event in (Turn(1.0, 1), Scored(1.0, ()), Ended(1.0, "", (), ())):
        assert advance(session, event) == (session, ())


def test_undo_is_a_shorter_log() -> None:
    before, _ = play(dealt(), *TURN_OF_0)
    after, _ = play(before, "07-ribbon draw field", "02-chaff-1 hand-1 field")
    undone, events = advance(after, Corrected(9.0, "key", undo=2))
    assert undone == before
    assert events == (Turn(9.0, 0),)


def test_undo_never_takes_back_the_deal() -> None:
    session, _ = play(dealt(), *TURN_OF_0)
    undone, _ = advance(session, Corrected(9.0, "key", undo=50))
    assert undone == dealt()


def test_undo_of_the_last_capture_opens_the_game_again() -> None:
    log: list[Event] = [deal()]
    state = CHOTTO.apply(CHOTTO.start(2), deal())
    while CHOTTO.to_act(state):
        chosen = next(m for m in reversed(CHOTTO.expected(state)) if m.source.zone != "captured")
        state = CHOTTO.apply(state, chosen)
        log.append(Moved(float(len(log)), chosen.card, chosen.source, chosen.target))
    session = begin(CHOTTO, 2)
    for event in log:
        session, follow = advance(session, event)
    assert session.ended
    assert isinstance(follow[-1], Ended)
    again, _ = advance(session, Corrected(99.0, "key", undo=1))
    assert not again.ended
    assert again.state is not None and CHOTTO.to_act(again.state)


def test_a_misread_card_is_exchanged_from_its_first_appearance() -> None:
    session, _ = play(dealt(), "02-ribbon hand-0 field", "07-ribbon draw field")
    wrong, right = cards("07-ribbon 07-chaff-2")
    session, _ = advance(session, Corrected(9.0, "key", wrong, right))
    clean, _ = play(dealt(), "02-ribbon hand-0 field", "07-chaff-2 draw field")
    assert session.state == clean.state
    assert session.lies == clean.lies


def test_two_cards_mistaken_for_each_other_are_exchanged_everywhere() -> None:
    session, _ = play(dealt(), *TURN_OF_0)
    one, other = cards("01-bright 08-animal")
    session, events = advance(session, Corrected(9.0, "key", one, other))
    field = "08-animal 03-bright 03-chaff-1 06-chaff-1 01-bright 10-animal 10-chaff-1 10-chaff-2"
    clean, _ = play(dealt(event=deal(field)), *(m.replace("01-bright", "08-animal") for m in TURN_OF_0))
    assert session.state == clean.state
    assert session.fault == clean.fault is not None
    assert [type(event).__name__ for event in events] == ["Fault", "Scored"]


def test_corrections_are_replayed_from_the_log() -> None:
    session, log = dealt(), [*dealt().facts]
    steps: list[Event] = [
        move("02-ribbon hand-0 field", 1.0),
        move("07-ribbon draw field", 2.0),
        Corrected(3.0, "key", cards("07-ribbon")[0], cards("07-chaff-2")[0]),
        move("02-chaff-1 hand-1 field", 4.0),
        Corrected(5.0, "key", undo=1),
        move("09-chaff-1 hand-1 field", 6.0),
    ]
    for step in steps:
        session, follow = advance(session, step)
        log += [step, *follow]
    assert replay(CHOTTO, log) == session


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("03-chaff-1 draw field", "03-chaff-2"),  # the twin in the pile, believed to be the one on the field
        ("01-chaff-2 hand-1 field", "01-chaff-1"),
    ],
)
def test_chaff_of_a_month_mistaken_for_each_other_are_the_same_move(text: str, there: str) -> None:
    before = ("02-ribbon hand-0 field",) if "draw" in text else ("02-ribbon hand-0 field", "07-ribbon draw field")
    session, _ = play(dealt(), *before, text)
    clean, _ = play(dealt(), *before, text.replace(text.split()[0], there))
    assert session.fault is None
    assert session.lies[cards(text.split()[0])[0]] == Place("field")
    faces = [sorted((card.face, str(at)) for card, at in s.lies.items()) for s in (session, clean)]
    assert faces[0] == faces[1]


def test_a_move_seen_twice_counts_once() -> None:
    once, _ = play(dealt(), "02-ribbon hand-0 field")
    twice, events = play(once, "02-ribbon hand-0 field")
    assert twice == once
    assert events == ()


def last_capture() -> tuple[Event, ...]:
    """Facts up to the end of a game in which the last turned card takes a pair."""
    state, log = CHOTTO.apply(CHOTTO.start(2), deal()), [deal()]
    events: list[Event] = [*log]
    while CHOTTO.to_act(state):
        moves = [m for m in CHOTTO.expected(state) if m.source.zone != "captured"]
        laid = [m for m in moves if m.source.zone != "field" and m.target.zone == "field"]
        chosen = (laid if laid and state.active is None else moves)[-1]
        state = CHOTTO.apply(state, chosen)
        events.append(Moved(float(len(events)), chosen.card, chosen.source, chosen.target))
    return tuple(events)


def test_finish_completes_a_capture_half_of_which_was_seen() -> None:
    facts = last_capture()
    assert str(facts[-1].target if isinstance(facts[-1], Moved) else "").startswith("captured")
    whole, half = (replay(CHOTTO, part) for part in (facts, facts[:-1]))
    assert whole.ended and not half.ended
    session, events = finish(half, 99.0)
    assert session.ended
    assert [type(event).__name__ for event in events] == ["Moved", "Scored", "Ended"]
    assert whole.state is not None and session.state is not None
    assert CHOTTO.score(session.state) == CHOTTO.score(whole.state)


def test_finish_does_not_end_a_game_that_is_not_over() -> None:
    facts = last_capture()
    for stop in (1, 5, len(facts) - 2):
        session = replay(CHOTTO, facts[:stop])
        after, events = finish(session, 99.0)
        assert not after.ended
        assert not [event for event in events if isinstance(event, Ended)]
    assert finish(begin(CHOTTO, 2), 1.0) == (begin(CHOTTO, 2), ())


def test_the_first_player_goes_round_from_game_to_game() -> None:
    assert next_dealer(begin(CHOTTO, 3, 2)) == 0
    assert next_dealer(dealt()) == 1


def test_an_incomplete_deal_is_a_fault_until_it_is_complete() -> None:
    short = Dealt(0.0, deal().field[:7], deal().hands, 12)
    session, _ = advance(begin(CHOTTO, 2), short)
    assert session.state is None
    assert session.fault is not None
    assert (session.fault.code, session.fault.belongs) == ("bad_deal", Place("field"))
    session, _ = advance(session, deal())
    assert session.fault is None
