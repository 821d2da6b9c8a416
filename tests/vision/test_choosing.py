"""That a seat has chosen is told by a card lying face down before it, and nothing else of that card."""

from typing import Any

from engine import referee
from engine.cards import Card
from engine.events import Moved, Place, Signalled
from engine.referee import Session
from tests.vision.test_hidden import POSE, begun, look, seen
from vision.choosing import EMPTY_S, LAID_S, Choosing
from vision.values import Observation, SeenCard


def down(seat: int, since_s: float) -> SeenCard:
    return SeenCard(None, False, POSE, Place("select", seat), 0.5, since_s=since_s)


def told(session: Session[Any], choosing: Choosing, observation: Observation) -> tuple[Session[Any], list[str]]:
    said = choosing.signals(observation, session)
    for signal in said:
        session, following = referee.advance(session, signal)
        assert not any(type(event).__name__ == "Fault" for event in following)
    return session, [f"{signal.name} {signal.seat}" for signal in said]


def test_a_card_that_has_lain_face_down_for_a_moment_is_chosen_once() -> None:
    session, choosing = begun("junior-chotto", 2), Choosing()
    session, said = told(session, choosing, look(1.0, down(1, 1.0 - LAID_S / 2)))
    assert said == []
    session, said = told(session, choosing, look(1.0 + LAID_S, down(1, 1.0 - LAID_S / 2)))
    assert said == ["selected 1"]
    session, said = told(session, choosing, look(2.0, down(1, 1.0)))
    assert said == []


def test_it_is_taken_back_when_its_place_has_been_empty_for_a_while() -> None:
    session, choosing = begun("junior-chotto", 2), Choosing()
    session, _ = told(session, choosing, look(1.0, down(0, 0.0)))
    session, said = told(session, choosing, look(1.1))
    assert said == []
    hands = Observation(1.0 + EMPTY_S, (), hands=True)
    session, said = told(session, choosing, hands)
    assert said == []
    session, said = told(session, choosing, look(1.0 + 2 * EMPTY_S + 0.01))
    assert said == ["unselected 0"]


def test_a_card_turned_over_is_not_taken_back() -> None:
    session, choosing = begun("junior-chotto", 2), Choosing()
    session, _ = told(session, choosing, look(1.0, down(0, 0.0)))
    for t_s in (1.5, 2.5, 3.5):
        session, said = told(session, choosing, look(t_s, seen("03-bright", Place("select", 0), 1.4)))
        assert said == []


def test_which_card_it_is_changes_nothing() -> None:
    said: list[tuple[Signalled, ...]] = []
    for name in ("03-bright", "12-chaff-1"):
        session, choosing = begun("junior-chotto", 2), Choosing()
        said.append(choosing.signals(look(1.0, down(0, 0.0), seen(name, Place("select", 1), 0.5)), session))
    assert said[0] == said[1] != ()


def test_once_a_card_is_revealed_nothing_more_is_said_of_its_seat() -> None:
    session, choosing = begun("junior-chotto", 2), Choosing()
    move = Moved(1.0, Card.parse("03-bright"), Place("hand", 0), Place("select", 0))
    session, _ = referee.advance(session, move)
    assert choosing.signals(look(9.0, down(0, 8.0)), session) == ()


def test_where_nothing_is_chosen_nothing_is_said() -> None:
    assert Choosing().signals(look(1.0, down(0, 0.0)), begun("hiyoko", 2, "05-animal")) == ()
