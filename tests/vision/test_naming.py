from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import DECK
from tests.vision.scenes import tsuki
from vision.naming import Namer, confidence
from vision.training.prints import print_of
from vision.training.scenes import Conditions, Painter


@pytest.fixture(scope="module")
def namer() -> Namer:
    return Namer(tsuki())


def views(conditions: Conditions, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_], list[bool]]:
    painter = Painter(print_of(tsuki(), "tsuki"), np.random.default_rng(seed))
    made = [painter.view(card, conditions) for card in range(48)]
    return np.stack([v.crop for v in made]), np.stack([v.seen for v in made]), [v.turned for v in made]


def test_whole_cards_are_named_with_the_way_they_lie(namer: Namer) -> None:
    crops, _, turned = views(Conditions(covered=0, height_px=(60, 140)), 1)
    matches = namer.best(crops)
    right = [m.card is not None and m.card.face == c.face for m, c in zip(matches, DECK, strict=True)]
    assert np.mean(right) > 0.97
    assert np.mean([m.half_turn == t for m, t in zip(matches, turned, strict=True)]) > 0.9
    assert np.mean([m.confidence for m in matches]) > 0.9


def test_half_hidden_cards_are_named_under_a_mask_and_less_surely(namer: Namer) -> None:
    crops, seen, _ = views(Conditions(hidden=(0.45, 0.55), covered=1), 2)
    matches = namer.best(crops, seen)
    assert np.mean([m.card is not None and m.card.face == c.face for m, c in zip(matches, DECK, strict=True)]) > 0.93
    whole = namer.best(views(Conditions(covered=0), 2)[0])
    assert np.mean([m.confidence for m in matches]) < np.mean([m.confidence for m in whole])


def test_the_back_is_a_label_of_its_own(namer: Namer) -> None:
    deck = tsuki()
    assert deck.back is not None and namer.labels[-1] is None
    assert namer.best(deck.back[None])[0].card is None
    assert None not in Namer(replace(deck, back=None)).labels


def test_scores_agree_with_the_best(namer: Namer) -> None:
    crops, seen, _ = views(Conditions(), 3)
    scores = namer.scores(crops[:5], seen[:5])
    assert scores.shape == (5, 49)
    assert [namer.labels[i] for i in scores.argmax(axis=1)] == [m.card for m in namer.best(crops[:5], seen[:5])]


def test_no_patches_have_no_names(namer: Namer) -> None:
    assert namer.best(np.zeros((0, 10, 6, 3), np.uint8)) == ()
    assert namer.scores(np.zeros((0, 10, 6, 3), np.uint8)).shape == (0, 49)


def test_confidence_grows_with_score_and_lead() -> None:
    assert confidence(0.9, 0.3) > confidence(0.7, 0.3) > confidence(0.7, 0.1)
    assert confidence(0.6, 0.0) < 0.6
