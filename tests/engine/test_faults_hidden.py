"""Illegal moves with hidden hands are named, say where the card belongs, and are cleared by putting it right."""

from typing import Any

import pytest

from engine.catalogue import load
from engine.events import Dealt, Event, Fault, Repaired, Signalled
from engine.guidance import Role
from engine.referee import Session, advance, begin, guide
from tests.engine.table import cards, move, place

DEALS = {
    "hana-awase": Dealt(0.0, cards("01-bright 03-bright 03-chaff-1 06-chaff-1 08-animal 10-animal"), (), 21, (7, 7, 7)),
    "junior-chotto": Dealt(0.0, (), (), 39, (3, 3, 3)),
    "hiyoko": Dealt(0.0, cards("07-animal"), (), 32, (6, 6)),
    "isuri": Dealt(0.0, cards("07-animal"), (), 33, (6, 6)),
}
OPENED = ["04-animal hand-0 select-0", "09-ribbon hand-1 select-1", "08-bright hand-2 select-2",
          "04-animal select-0 field", "09-ribbon select-1 field", "08-bright select-2 field"]  # fmt: skip
SHOWN = [*OPENED, "04-ribbon hand-0 select-0", "12-bright hand-1 select-1", "12-chaff-1 hand-2 select-2"]
RUN = ["08-animal hand-0 discard"]

CASES: dict[str, tuple[str, list[str], str, str, str, list[str]]] = {
    # name: (game, moves before, illegal move, code, belongs, repair)
    "hana: out of turn": (
        "hana-awase",
        [],
        "02-chaff-1 hand-1 field",
        "out_of_turn",
        "hand-1",
        ["02-chaff-1 field hand-1"],
    ),
    "hana: wrong match": (
        "hana-awase",
        ["01-ribbon hand-0 field", "01-ribbon field captured-0"],
        "08-animal field captured-0",
        "wrong_match",
        "field",
        ["08-animal captured-0 field"],
    ),
    "hana: match left when a card is turned": (
        "hana-awase",
        ["01-ribbon hand-0 field"],
        "07-ribbon draw field",
        "match_left",
        "captured-0",
        ["01-ribbon field captured-0", "01-bright field captured-0"],
    ),
    "hana: two cards played": (
        "hana-awase",
        ["02-ribbon hand-0 field"],
        "09-ribbon hand-0 field",
        "two_cards_played",
        "hand-0",
        ["09-ribbon field hand-0"],
    ),
    "hana: turned card kept": (
        "hana-awase",
        ["02-ribbon hand-0 field", "07-ribbon draw field", "02-animal hand-1 captured-1", "02-ribbon field captured-1"],
        "04-ribbon draw captured-1",
        "not_matching",
        "field",
        ["04-ribbon captured-1 field"],
    ),
    "hana: played card taken back": (
        "hana-awase",
        ["02-ribbon hand-0 field"],
        "02-ribbon field hand-0",
        "card_returned",
        "field",
        ["02-ribbon hand-0 field"],
    ),
    "junior: match left when the next is revealed": (
        "junior-chotto",
        SHOWN,
        "05-animal hand-0 select-0",
        "match_left",
        "captured-0",
        ["05-animal select-0 hand-0"],
    ),
    "junior: two cards revealed": (
        "junior-chotto",
        [*OPENED, "04-ribbon hand-0 select-0"],
        "05-animal hand-0 select-0",
        "two_cards_played",
        "hand-0",
        ["05-animal select-0 hand-0"],
    ),
    "junior: laid on the field unrevealed": (
        "junior-chotto",
        OPENED,
        "05-animal hand-0 field",
        "choose_first",
        "select-0",
        ["05-animal field hand-0"],
    ),
    "junior: another month taken": (
        "junior-chotto",
        SHOWN,
        "08-bright field captured-0",
        "field_card_taken",
        "field",
        ["08-bright captured-0 field"],
    ),
    "junior: a card out of play taken": (
        "junior-chotto",
        SHOWN,
        "12-bright select-1 captured-1",
        "nobody_takes",
        "removed",
        ["12-bright captured-1 removed"],
    ),
    "junior: somebody else takes the pair": (
        "junior-chotto",
        SHOWN,
        "04-animal field captured-1",
        "wrong_pile",
        "captured-0",
        ["04-animal captured-1 captured-0"],
    ),
    "junior: moved before all have revealed": (
        "junior-chotto",
        [*OPENED, "04-ribbon hand-0 select-0"],
        "04-ribbon select-0 captured-0",
        "reveal_waits",
        "select-0",
        ["04-ribbon captured-0 select-0"],
    ),
    "junior: the pile is turned": (
        "junior-chotto",
        OPENED,
        "05-animal draw field",
        "pile_turned",
        "draw",
        ["05-animal field draw"],
    ),
    "hiyoko: wrong first card": (
        "hiyoko",
        [],
        "09-ribbon hand-0 discard",
        "not_following",
        "hand-0",
        ["09-ribbon discard hand-0"],
    ),
    "hiyoko: wrong card in a run": (
        "hiyoko",
        RUN,
        "10-ribbon hand-0 discard",
        "not_following",
        "hand-0",
        ["10-ribbon discard hand-0"],
    ),
    "hiyoko: out of turn": (
        "hiyoko",
        [],
        "08-chaff-1 hand-1 discard",
        "out_of_turn",
        "hand-1",
        ["08-chaff-1 discard hand-1"],
    ),
    "hiyoko: a card turned too early": (
        "hiyoko",
        RUN,
        "05-animal draw discard",
        "turned_too_early",
        "draw",
        ["05-animal discard draw"],
    ),
    "hiyoko: the card laid taken back": (
        "hiyoko",
        RUN,
        "08-animal discard hand-0",
        "card_returned",
        "discard",
        ["08-animal hand-0 discard"],
    ),
    "hiyoko: played before a card was turned": (
        "hiyoko",
        ["pass 0", "pass 1"],
        "08-animal hand-0 discard",
        "turn_up_first",
        "hand-0",
        ["08-animal discard hand-0"],
    ),
    "hiyoko: January without its February": (
        "hiyoko",
        ["03-ribbon hand-0 discard", "01-chaff-1 hand-0 discard", "stop 0", "01-chaff-2 hand-1 discard"],
        "03-bright hand-1 discard",
        "february_first",
        "hand-1",
        ["03-bright discard hand-1"],
    ),
    "isuri: two of a month": (
        "isuri",
        [*RUN, "08-chaff-1 hand-0 discard"],
        "09-animal hand-0 discard",
        "third_first",
        "hand-0",
        ["09-animal discard hand-0"],
    ),
}


def played(name: str, *steps: str) -> tuple[Session[Any], tuple[Event, ...]]:
    deal = DEALS[name]
    session, _ = advance(begin(load(name), len(deal.hand_counts)), deal)
    return on(session, *steps)


def on(session: Session[Any], *steps: str) -> tuple[Session[Any], tuple[Event, ...]]:
    events: list[Event] = []
    for text in steps:
        t_s = float(len(session.facts))
        word, _, seat = text.partition(" ")
        fact: Event = Signalled(t_s, word, int(seat)) if seat.isdigit() else move(text, t_s)
        session, follow = advance(session, fact)
        events += follow
    return session, tuple(events)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_an_illegal_move_is_named_and_cleared(case: tuple[str, list[str], str, str, str, list[str]]) -> None:
    name, before, wrong, code, belongs, repair = case
    clean, quiet = played(name, *before)
    assert not [event for event in quiet if isinstance(event, Fault)]
    session, events = on(clean, wrong)
    (fault,) = (event for event in events if isinstance(event, Fault))
    assert (fault.code, fault.belongs) == (code, place(belongs))
    assert fault.message.en and fault.message.ja
    assert guide(session).cues[0].role is Role.FAULT
    assert guide(session).headline == fault.message
    session, events = on(session, *repair)
    assert [event.code for event in events if isinstance(event, Repaired)] == [code]
    assert session.fault is None
    assert all(session.lies.get(card) == where for card, where in session.game.places(session.state).items())
    if repair[0].split()[1:] == wrong.split()[:0:-1]:
        assert session.state == clean.state


def test_a_hidden_card_swapped_for_another_is_named_as_one_mistake() -> None:
    session, _ = played("hana-awase", "02-ribbon hand-0 field", "02-ribbon field hand-0", "09-ribbon hand-0 field")
    assert session.fault is not None and session.fault.code == "hand_card_swapped"
    session, _ = on(session, "09-ribbon field hand-0", "02-ribbon hand-0 field")
    assert session.fault is None
    assert session.state == played("hana-awase", "02-ribbon hand-0 field")[0].state


def test_hiyoko_may_be_played_on_over_a_wrong_card() -> None:
    session, _ = played("hiyoko", *RUN, "stop 0", "10-ribbon hand-1 discard", "06-animal hand-0 discard")
    assert session.fault is not None
    session, _ = on(session, "stop 0", "02-chaff-1 hand-1 discard")
    assert session.state is not None
    assert session.state.round.pile == cards("07-animal 08-animal 10-ribbon 06-animal 02-chaff-1")
    assert session.state.round.hand_counts == (4, 4)


def test_junior_is_played_on_over_a_card_in_a_wrong_pile() -> None:
    taken = ["04-ribbon select-0 captured-0", "04-animal field captured-0", "12-bright select-1 removed",
             "12-chaff-1 select-2 removed"]  # fmt: skip
    session, _ = played("junior-chotto", *SHOWN, *taken, "04-animal captured-0 captured-1")
    assert session.fault is not None and session.fault.code == "captured_taken"
    session, _ = on(session, "05-animal hand-0 select-0", "06-animal hand-1 select-1", "07-animal hand-2 select-2")
    assert session.state is not None
    assert [tally.points for tally in session.game.score(session.state)] == [5, 10, 0]
