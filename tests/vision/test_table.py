"""Frames in, facts out: a small table played at, read as the app reads it."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine import catalogue, referee
from engine.cards import DECK, Card
from engine.errors import CalibrationError
from engine.events import Corrected, Dealt, Event, Moved, Place
from engine.game import Game
from engine.referee import Session
from tests.engine.table import CHOTTO, FIELD, HANDS, cards, deal, move
from tests.vision.table_scenes import FPS, SIZE_PX, Table, card, deck, layout, table_of, view
from vision.table import DARK_S, LOOK_HARDER_S, TableReader
from vision.values import Fact, Frame, Observation

SOME = table_of({"03-bright": (-100, 40), "10-animal": (0, 40), "03-ribbon": (-60, -160), "07-animal": (0, 160, 180)})
"""Some of the cards of the deal; those that are not in the picture are not missed."""


class Play:
    """A reader and a referee at one table, as in the app: every fact is passed on."""

    def __init__(self, game: Game[Any] = CHOTTO, dealt: Dealt | None = None, t_s: float = 0.0) -> None:
        self.reader = TableReader(view(), layout(), deck(), game, 2, SIZE_PX)
        self.session = referee.begin(game, 2)
        self.facts: list[Event] = []
        self.observation = Observation(0.0, ())
        self.t_s = t_s
        if dealt is not None:
            self.session, _ = referee.advance(self.session, dealt)
            self.reader.restore(self.session)

    def show(self, table: Table, seconds: float = 0.7) -> list[str]:
        """The facts told while `table` is shown."""
        found: list[Fact] = []
        for _ in range(round(seconds * FPS)):
            self.t_s = round(self.t_s + 1 / FPS, 3)
            seed = round(self.t_s * FPS)
            reading = self.reader.read(Frame(table.picture(seed), self.t_s, seed), self.session)
            self.observation = reading.observation
            found += reading.facts
            for fact in reading.facts:
                self.session, _ = referee.advance(self.session, fact)
        self.facts += found
        return texts(found)

    def since(self, which: Card) -> float:
        return next(seen.since_s for seen in self.observation.cards if seen.card == which)

    def known(self) -> set[Card]:
        away = self.observation.gone | self.observation.hidden
        return {seen.card for seen in self.observation.cards if seen.card is not None} - away


def texts(facts: list[Fact]) -> list[str]:
    return [
        f"{fact.card} {fact.source} {fact.target}" if isinstance(fact, Moved) else fact.__class__.__name__.lower()
        for fact in facts
    ]


def playing() -> Play:
    """A game under way, its table looked at; nothing to tell."""
    play = Play(dealt=deal())
    assert play.show(SOME) == []
    return play


def whole_deal() -> Table:
    """All cards of the deal, in rows."""
    table = Table().lay(None, 255, 0)
    for i, one in enumerate(cards(FIELD)):
        table = table.lay(str(one), -110 + 60 * (i % 4), 50 - 80 * (i // 4), 3 * (i % 3))
    for i, one in enumerate(cards(HANDS[0])):
        table = table.lay(str(one), -120 + 45 * i, -160)
    for i, one in enumerate(cards(HANDS[1])):
        table = table.lay(str(one), -120 + 45 * i, 160, 180)
    return table


@pytest.mark.parametrize("size", [(300, 200), (400, 600)])
def test_frames_of_another_size_are_refused(size: tuple[int, int]) -> None:
    reader = TableReader(view(), layout(), deck(), CHOTTO, 2, SIZE_PX)
    image = np.zeros((size[1], size[0], 3), np.uint8)
    with pytest.raises(CalibrationError, match=f"frame 7 is {size[0]}x{size[1]} px.*600x400"):
        reader.read(Frame(image, 1.0, 7), referee.begin(CHOTTO, 2))


def test_a_deal_is_told_once_when_it_is_complete() -> None:
    play = Play()
    assert play.show(whole_deal().take("03-bright"), 0.5) == []
    assert play.show(whole_deal()) == ["dealt"]
    assert isinstance(play.facts[0], Dealt)
    assert replace(play.facts[0], t_s=0.0) == deal()
    assert play.show(whole_deal()) == []
    assert play.reader.eyes.seeker.cards == CHOTTO.deck


def test_moves_are_told_once_each_as_the_rules_order_them() -> None:
    play = playing()
    taken = SOME.lay("03-bright", 235, -130).lay("03-ribbon", 235, -112)
    assert play.show(SOME.reach(-100, 60)) == []
    assert sorted(play.show(taken, 1.0)) == ["03-bright field captured-0", "03-ribbon hand-0 captured-0"]
    assert play.show(taken) == []
    assert play.show(taken.lay("07-ribbon", 80, -20)) == ["07-ribbon draw field"]
    assert play.session.fault is None


def test_a_card_lying_where_nothing_is_dealt_is_still_told() -> None:
    play = playing()
    assert play.show(SOME.lay("07-animal", 60, -160)) == ["07-animal hand-1 hand-0"]
    assert play.session.fault is not None


HANDS_0 = Place("hand", 0)


def undone(play: Play) -> None:
    """The operator takes the last move back."""
    play.session, _ = referee.advance(play.session, Corrected(play.t_s, "operator", undo=1))


def test_undo_is_not_told_again() -> None:
    play = playing()
    laid = SOME.lay("03-ribbon", 80, -20)
    assert play.show(laid) == ["03-ribbon hand-0 field"]
    undone(play)
    assert play.session.lies[card("03-ribbon")] == HANDS_0
    assert play.show(laid, 1.5) == []
    assert play.show(laid.reach(80, 0), 0.4) + play.show(laid) == []


def test_after_undo_a_card_that_moves_anew_is_told() -> None:
    play = playing()
    play.show(SOME.lay("03-ribbon", 80, -20))
    undone(play)
    assert play.show(SOME) == []
    assert play.show(SOME.lay("03-ribbon", 120, -60)) == ["03-ribbon hand-0 field"]


def test_a_corrected_card_keeps_its_place_under_its_new_name() -> None:
    play = playing()
    play.reader.correct(card("10-animal"), card("10-ribbon"))
    play.show(SOME, 0.2)
    assert card("10-ribbon") in play.known()
    assert card("10-animal") not in play.known()


def test_a_correction_exchanges_two_cards() -> None:
    play = playing()
    play.reader.correct(card("10-animal"), card("03-bright"))
    play.show(SOME, 0.2)
    where = {seen.card: seen.pose.x_mm for seen in play.observation.cards}
    assert where[card("03-bright")] == pytest.approx(0, abs=1)
    assert where[card("10-animal")] == pytest.approx(-100, abs=1)


def test_looking_again_finds_what_was_overlooked() -> None:
    play = playing()
    play.reader.eyes.memory.forget(card("10-animal"))
    play.show(SOME)
    assert card("10-animal") not in play.known()
    play.reader.look_again()
    assert play.show(SOME) == []
    assert card("10-animal") in play.known()


def test_a_restored_session_goes_on_with_what_changed_meanwhile() -> None:
    play = Play(dealt=deal(), t_s=50.0)
    assert play.reader.eyes.seeker.cards == CHOTTO.deck
    assert play.show(SOME.lay("03-ribbon", 80, -20)) == ["03-ribbon hand-0 field"]


def test_before_the_deal_any_card_may_turn_up() -> None:
    play = Play()
    play.reader.restore(play.session)
    play.show(Table().lay("12-bright", 0, 0))
    assert play.known() == {card("12-bright")}
    assert set(play.reader.eyes.seeker.cards) == set(DECK)


def test_at_the_end_of_a_recording_what_is_pending_is_told() -> None:
    play = playing()
    laid = SOME.lay("03-ribbon", 80, -20)
    told: list[str] = []
    while play.t_s < 2 and not told and play.since(card("03-ribbon")) < play.t_s:
        told += play.show(laid, 0.1)
    assert told == []
    assert texts(list(play.reader.finish(play.session, play.t_s))) == ["03-ribbon hand-0 field"]


def test_a_match_nowhere_to_be_seen_is_told_at_the_end_and_forgotten() -> None:
    play = playing()
    taken = SOME.take("03-bright").lay("03-ribbon", 235, -130)
    assert play.show(taken) == ["03-ribbon hand-0 captured-0"]
    assert texts(list(play.reader.finish(play.session, play.t_s))) == ["03-bright field captured-0"]
    assert card("03-bright") not in play.reader.eyes.memory.cards


def test_when_the_game_has_ended_no_other_deal_is_told() -> None:
    play = Play()
    play.session = _ended()
    assert play.show(whole_deal()) == []
    play.session = referee.begin(CHOTTO, 2)
    assert play.show(whole_deal(), 0.1) == ["dealt"]


def _ended() -> Session[Any]:
    """A game over because cards were played, whichever the rules allow."""
    session, _ = referee.advance(referee.begin(CHOTTO, 2), deal())
    choose = random.Random(3)
    for _ in range(400):
        if session.ended:
            break
        assert session.state is not None
        session, _ = referee.advance(session, choose.choice(CHOTTO.expected(session.state)))
    assert session.ended
    return session


def test_a_card_that_does_not_stand_out_is_looked_for_when_the_deal_lacks_it() -> None:
    play = Play()
    play.show(whole_deal().take("03-bright"), 0.5)
    play.reader.eyes.memory.forget(card("09-ribbon"))
    assert play.show(whole_deal(), LOOK_HARDER_S - 0.6) == []
    assert card("09-ribbon") not in play.known()
    assert play.show(whole_deal(), 0.4) == ["dealt"]


def test_light_is_turned_off_for_a_moment_when_a_card_cannot_be_found() -> None:
    play = Play(t_s=60.0)
    wanted = []
    for _ in range(16):
        play.show(whole_deal().take("09-ribbon"), 0.1)
        wanted.append(play.reader.eyes.looked and play.observation.wants_dark)
    assert sum(wanted) == pytest.approx(DARK_S * FPS, abs=1)
    assert not wanted[-1]


def test_cards_seen_in_a_hidden_hand_are_dropped_and_forgotten() -> None:
    play = Play(catalogue.load("hana-awase"))
    play.show(SOME, 0.5)
    hidden = {card("03-ribbon"), card("07-animal")}
    assert play.known() == {card("03-bright"), card("10-animal")}
    assert not hidden & set(play.reader.eyes.memory.cards)


def test_a_card_that_moves_from_a_hidden_hand_is_told_from_there() -> None:
    play = Play(catalogue.load("hana-awase"), Dealt(0.0, cards(FIELD), (), 20, (10, 10)))
    assert play.show(SOME) == []
    assert play.show(SOME.lay("03-ribbon", 80, -20), 1.0) == ["03-ribbon hand-0 field"]
    assert play.session.fault is None
    assert move("03-ribbon hand-0 field").target == play.session.lies[card("03-ribbon")]
