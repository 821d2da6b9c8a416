"""What the players are shown at each moment of a game."""

from random import Random

import pytest

from engine.catalogue import load, names
from engine.chance import random_deal, random_step
from engine.events import Place
from engine.guidance import Cue, Guidance, Role
from engine.referee import advance, begin, expected_signals, guide, replay, signal_words
from tests.engine.table import CHOTTO, cards, dealt, place, play
from tests.engine.test_referee import last_capture


def shown(*moves: str) -> Guidance:
    return guide(play(dealt(), *moves)[0])


def only(guidance: Guidance, role: Role) -> Cue:
    (cue,) = [cue for cue in guidance.cues if cue.role is role]
    return cue


def roles(guidance: Guidance) -> set[Role]:
    return {cue.role for cue in guidance.cues}


def test_before_the_deal_it_says_so() -> None:
    hint = guide(begin(CHOTTO, 2))
    assert hint.headline is not None and hint.headline.ja == "よく混ぜて配ってください"


def test_open_hands_show_what_matches() -> None:
    start = shown()
    matches = {cue.cards for cue in start.cues if cue.role is Role.MATCH}
    assert matches == {
        cards("01-ribbon 01-bright"),
        cards("03-ribbon 03-bright 03-chaff-1"),
        cards("10-ribbon 10-animal 10-chaff-1 10-chaff-2"),
    }
    assert only(start, Role.TURN).seat == 0
    assert start.headline is not None and start.headline.en == "Player 1's turn"
    assert start.seat_lines[0] is not None and start.seat_lines[1] is None


def test_a_pair_is_to_be_taken() -> None:
    cue = only(shown("01-ribbon hand-0 field"), Role.TAKE)
    assert (cue.cards, cue.place, cue.origin) == (
        cards("01-ribbon 01-bright"),
        Place("captured", 0),
        cards("01-ribbon")[0],
    )
    half = only(shown("01-ribbon hand-0 captured-0"), Role.TAKE)
    assert half.cards == cards("01-bright")
    assert half.words is not None and half.words.en == "Take Crane as well"


@pytest.mark.parametrize("target", ["field", "captured-0"])
def test_two_matches_are_a_choice(target: str) -> None:
    guidance = shown(f"03-ribbon hand-0 {target}")
    cue = only(guidance, Role.CHOICE)
    assert (cue.cards, cue.origin) == (cards("03-ribbon 03-bright 03-chaff-1"), cards("03-ribbon")[0])
    assert Role.TAKE not in roles(guidance)


def test_after_the_choice_only_the_rest_is_to_be_taken() -> None:
    guidance = shown("03-ribbon hand-0 field", "03-chaff-1 field captured-0")
    assert only(guidance, Role.TAKE).cards == cards("03-ribbon")
    assert Role.CHOICE not in roles(guidance)


def test_then_a_card_is_turned_up() -> None:
    guidance = shown("02-ribbon hand-0 field")
    assert only(guidance, Role.DRAW).place == Place("draw")
    assert Role.MATCH not in roles(guidance)


def test_each_move_is_echoed_and_a_pair_together() -> None:
    session, _ = play(dealt(), "01-ribbon hand-0 captured-0", "01-bright field captured-0")
    echoes = [cue for cue in guide(session).cues if cue.role is Role.ECHO]
    assert [(cue.cards, cue.place) for cue in echoes] == [
        (cards("01-ribbon"), place("captured-0")),
        (cards("01-bright"), place("captured-0")),
    ]
    session, _ = play(session, "07-ribbon draw field")
    assert [cue.words.en for cue in guide(session).cues if cue.role is Role.ECHO and cue.words][-1:] == [
        "Bush Clover Ribbon → field"
    ]


def test_dead_cards_are_marked() -> None:
    guidance = shown("10-ribbon hand-0 captured-0", "10-animal field captured-0")
    assert only(guidance, Role.DEAD).cards == cards("10-chaff-1 10-chaff-2")
    blue = next(way for way in guidance.progress[1] if way.id == "blue_ribbons")
    assert not blue.possible


def test_yaku_that_others_have_broken_are_impossible() -> None:
    guidance = shown("01-ribbon hand-0 captured-0", "01-bright field captured-0")
    own, other = ({way.id: way for way in ways} for ways in guidance.progress)
    assert own["spring"].held == cards("01-bright")
    assert own["spring"].possible and not other["spring"].possible
    assert own["poetry_ribbons"].held == cards("01-ribbon")
    assert guidance.scores[0].total == 25


def test_the_end_shows_who_has_won() -> None:
    session = replay(CHOTTO, last_capture())
    guidance = guide(session)
    best = max(score.total for score in guidance.scores)
    winners = [cue.seat for cue in guidance.cues if cue.role is Role.WINNER]
    assert winners == [seat for seat, score in enumerate(guidance.scores) if score.total == best]
    assert guidance.headline is not None and str(best) in guidance.headline.en
    assert all(line is not None for line in guidance.seat_lines)


@pytest.mark.parametrize("name", names())
def test_every_sentence_of_every_game_is_short_enough_to_project(name: str) -> None:
    game, random = load(name), Random(7)
    for seats in game.book.deals:
        session, _ = advance(begin(game, seats), random_deal(game, seats, random))
        while session.state is not None and game.to_act(session.state):
            guidance = guide(session)
            told = [guidance.headline, *guidance.seat_lines, *(cue.words for cue in guidance.cues)]
            told += [signal_words(session, signal) for signal in expected_signals(session)]
            assert all(len(words.en) <= 80 and len(words.ja) <= 45 for words in told if words)
            session, _ = advance(session, random_step(game, session.state, random))
        assert all(signal_words(session, signal).ja for signal in expected_signals(session))


def test_every_sentence_is_short_enough_to_project() -> None:
    moves = ["03-ribbon hand-0 field", "07-ribbon draw field", "06-ribbon hand-1 field"]
    for stop in range(len(moves) + 1):
        guidance = shown(*moves[:stop])
        told = [guidance.headline, *guidance.seat_lines, *(cue.words for cue in guidance.cues)]
        assert all(len(words.en) <= 80 and len(words.ja) <= 45 for words in told if words)
