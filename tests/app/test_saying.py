"""What players say by spots and by keys reaches the referee, and only what may be said."""

from typing import Any

import numpy as np

from app.follow import OPERATOR, Follower
from app.orders import Say, parse
from app.saying import Spots, offered
from calibration.layout import builtin_layout_for
from engine import catalogue, referee
from engine.cards import Card
from engine.events import Dealt, Event, Place, Signalled
from engine.referee import Session
from tests.app.fakes import SIZE, ToldReader, profile
from vision.values import Frame

HIYOKO = catalogue.load("hiyoko")
LAYOUT = builtin_layout_for(HIYOKO.zones(2), 2)
DEAL = Dealt(0.5, (Card.parse("05-animal"),), (), 32, (6, 6))


def frame(t_s: float) -> Frame:
    return Frame(np.full((SIZE[1], SIZE[0], 3), 90, dtype=np.uint8), t_s, round(4 * t_s))


def dealt() -> tuple[Follower, list[Event]]:
    log: list[Event] = []
    spots = Spots(profile().view(), LAYOUT, SIZE)
    follower = Follower(HIYOKO, 2, 0, ToldReader((DEAL,)), log.append, spots)
    follower.begin()
    return follower, log


def test_the_spots_offered_are_what_may_be_said_now() -> None:
    follower, _ = dealt()
    assert follower.step(frame(0.25)).offers == ()
    offers = follower.step(frame(0.5)).offers
    assert [(o.spot.name, o.spot.seat, o.words.en, o.progress) for o in offers] == [("pass", 0, "Pass", 0.0)]


def test_a_key_says_what_the_spot_with_its_number_says() -> None:
    follower, log = dealt()
    follower.step(frame(0.5))
    follower.obey(Say(number=1), 1.0)
    assert log[-2] == Signalled(1.0, "pass", 0, by=OPERATOR)
    assert [(o.spot.name, o.spot.seat) for o in follower.step(frame(1.25)).offers] == [("pass", 1)]
    assert follower.obey(Say(number=2), 1.5) == ()


def test_what_may_not_be_said_now_is_not_logged() -> None:
    follower, log = dealt()
    follower.step(frame(0.5))
    before = list(log)
    assert follower.obey(Say("stop", 0), 1.0) == ()
    assert follower.obey(Say("pass", 1), 1.0) == ()
    assert log == before


def test_a_line_of_text_says_it_too() -> None:
    assert parse("say pass") == Say("pass")
    assert parse("say stop 1") == Say("stop", 1)
    assert parse("say 2") == Say(number=2)


def test_chosen_cards_speak_for_themselves() -> None:
    game = catalogue.load("junior-chotto")
    session: Session[Any] = referee.begin(game, 2)
    counts = game.deal(2)
    deal = Dealt(0.0, (), (), counts[Place("draw")], (3, 3))
    session, _ = referee.advance(session, deal)
    assert referee.expected_signals(session)
    assert offered(session) == ()
