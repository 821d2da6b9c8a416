"""Cards spread on a table are found without knowing their faces, and named all at once."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import DECK, Card
from tests.vision.scenes import tsuki
from vision.classify import Matcher
from vision.flatness import find_plane
from vision.learn import likeness, name_all
from vision.photoscenes import make_spread
from vision.quads import overlap
from vision.spread import face_of, find_spread


@cache
def matcher() -> Matcher:
    return Matcher(tsuki())


CARDS = tuple(
    Card.parse(name) for name in ("01-bright", "04-chaff-2", "08-bright", "11-chaff-1", "06-ribbon", "12-bright")
)


def faces(cards: tuple[Card, ...] = DECK, turn: bool = False) -> list[NDArray[np.uint8]]:
    return [np.ascontiguousarray(tsuki().faces[card][::-1, ::-1] if turn else tsuki().faces[card]) for card in cards]


def test_cards_side_by_side_are_found_at_their_edge() -> None:
    made = make_spread(tsuki(), CARDS, 3, (800, 600))
    found = find_spread(made.image)
    assert len(found) == len(CARDS)
    best = [max(overlap(card.corners_px, one.corners_px) for one in found) for card in made.cards]
    assert min(best) > 0.85 and np.mean(best) > 0.93
    named = name_all(likeness([face_of(made.image, one, (33, 54)) for one in found], [matcher()]))
    assert {name.card for name in named} == set(CARDS)
    assert [name.card for name in named] == [card.card for card in made.cards], "row by row"


def test_nothing_is_found_where_no_card_lies() -> None:
    assert find_spread(np.full((300, 400, 3), 120, np.uint8)) == ()
    assert find_spread(np.zeros((4, 4, 3), np.uint8)) == ()


def test_the_plane_is_found_among_outlines_that_are_no_cards() -> None:
    rng = np.random.default_rng(4)
    tilted = np.array([[5.0, 0.4, 300], [0.2, 4.6, 250], [0.0003, 0.0009, 1]])
    card = np.array([[-16.5, -27], [16.5, -27], [16.5, 27], [-16.5, 27]])
    quads = []
    for i in range(9):
        turn, middle = rng.uniform(-3, 3), np.array([(i % 3 - 1) * 60.0, (i // 3 - 1) * 80.0])
        c, s = np.cos(turn), np.sin(turn)
        mm = card @ np.array([[c, s], [-s, c]]) + middle
        px = np.concatenate([mm, np.ones((4, 1))], axis=1) @ tilted.T
        quads.append(px[:, :2] / px[:, 2:] + rng.normal(0, 0.7, (4, 2)))
    wrong = [quads[0] + rng.normal(0, 25, (4, 2)) for _ in range(6)]
    plane = find_plane(np.asarray(quads + wrong, np.float32), [1.0] * 15, (33, 54))
    assert plane is not None
    assert set(plane.kept) == set(range(9))
    assert max(np.abs(plane.quads[k] - quads[i]).max() for k, i in enumerate(plane.kept)) < 4
    assert find_plane(np.zeros((0, 4, 2), np.float32), [], (33, 54)) is None


@pytest.mark.parametrize("turn", [False, True])
def test_all_cards_of_a_known_deck_are_named_without_doubt(turn: bool) -> None:
    named = name_all(likeness(faces(turn=turn), [matcher()]))
    assert [name.card for name in named] == list(DECK)
    assert not any(name.doubtful for name in named)
    assert sum(name.turned == turn for name in named) >= 46


def test_a_double_and_what_is_no_card_are_left() -> None:
    rng = np.random.default_rng(2)
    blot = rng.integers(0, 255, (162, 99, 3), np.uint8)
    named = name_all(likeness([*faces(), tsuki().faces[DECK[3]], blot], [matcher()]))
    assert {name.card for name in named} == {*DECK, None}
    assert sum(name.card is None for name in named) == 2
    assert named[-1].card is None


def test_a_persons_word_holds_and_the_others_make_way() -> None:
    found = likeness(faces(), [matcher()])
    first, second = DECK.index(Card.parse("01-bright")), DECK.index(Card.parse("08-bright"))
    named = name_all(found, {first: DECK[second], second: DECK[first], 5: None})
    assert named[first].card == DECK[second] and named[second].card == DECK[first]
    assert named[5].card is None
    assert not named[first].doubtful
    assert name_all(likeness([], [matcher()])) == ()


def test_two_faces_alike_are_doubtful() -> None:
    pictures = faces()
    crane, curtain = DECK.index(Card.parse("01-bright")), DECK.index(Card.parse("03-bright"))
    half = ((pictures[crane].astype(np.uint16) + pictures[curtain]) // 2).astype(np.uint8)
    pictures[crane] = pictures[curtain] = half
    named = name_all(likeness(pictures, [matcher()]))
    assert named[crane].doubtful and named[curtain].doubtful
    assert {DECK[crane], DECK[curtain]} <= set(named[crane].choices)
