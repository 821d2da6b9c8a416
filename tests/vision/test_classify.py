"""Patches are named whatever the light, upright or half-turned, whole or partly hidden."""

from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import DECK, Card
from tests.vision.scenes import tsuki
from vision.classify import Matcher, confidence


def patches(cards: tuple[Card, ...] = DECK, seed: int = 0) -> NDArray[np.uint8]:
    """The cards as a camera may show them: small, blurred, noisy, slightly displaced."""
    rng = np.random.default_rng(seed)
    out = []
    for card in cards:
        small = cv2.resize(tsuki().faces[card], (36, 59), interpolation=cv2.INTER_AREA).astype(np.float32)
        shift = np.array([[1, 0, rng.uniform(-0.7, 0.7)], [0, 1, rng.uniform(-0.7, 0.7)]], np.float32)
        moved = cv2.warpAffine(small, shift, (36, 59), borderMode=cv2.BORDER_REPLICATE)
        noisy = cv2.GaussianBlur(moved, (0, 0), 0.7) * 0.8 + rng.normal(0, 4, small.shape)
        out.append(np.clip(np.rint(noisy), 0, 255).astype(np.uint8))
    return np.stack(out)


@cache
def matcher() -> Matcher:
    return Matcher(tsuki())


def right(matches: Any, cards: tuple[Card, ...] = DECK) -> int:
    return sum(m.card is not None and m.card.face == c.face for m, c in zip(matches, cards, strict=True))


def test_every_card_of_the_deck_is_named() -> None:
    matches = matcher().best(patches())
    assert right(matches) == 48
    assert not any(match.half_turn for match in matches)
    assert np.median([match.confidence for match in matches]) > 0.9


def test_a_card_on_its_head_is_named_and_said_to_be() -> None:
    matches = matcher().best(patches()[:, ::-1, ::-1])
    assert right(matches) == 48
    assert all(match.half_turn for match in matches)


@pytest.mark.parametrize("tint", [(0.5, 0.8, 1.0), (1.0, 0.7, 0.5), (0.35, 0.35, 0.35)], ids=["warm", "blue", "dim"])
def test_the_colour_of_the_lamp_does_not_matter(tint: tuple[float, float, float]) -> None:
    seen = (patches().astype(np.float32) * np.array(tint, np.float32)).astype(np.uint8)
    assert right(matcher().best(seen)) >= 47


def test_a_gain_and_an_offset_of_each_channel_leave_the_scores_alone() -> None:
    eyes = matcher()
    seen = patches().astype(np.float32)
    lit = seen * np.array([0.6, 0.8, 0.9], np.float32) + np.array([20, 5, 10], np.float32)
    assert np.abs(eyes.scores(seen) - eyes.scores(lit)).max() < 0.06


def test_half_a_card_is_named_when_the_mask_says_what_is_hidden() -> None:
    seen, masks = patches(), np.ones((48, 59, 36), bool)
    masks[:, 30:] = False
    seen[~masks] = 90
    eyes = matcher()
    assert right(eyes.best(seen, masks)) >= 46
    assert right(eyes.best(seen, masks)) > right(eyes.best(seen))


def test_what_lies_under_the_mask_does_not_change_the_scores() -> None:
    seen, masks = patches(), np.ones((48, 59, 36), bool)
    masks[:, :25] = False
    other = seen.copy()
    other[~masks] = np.random.default_rng(3).integers(0, 255, other[~masks].shape, dtype=np.uint8)
    eyes = matcher()
    assert np.abs(eyes.scores(seen, masks) - eyes.scores(other, masks)).max() < 0.12


def test_a_full_mask_scores_as_none() -> None:
    eyes = matcher()
    seen = patches()
    assert np.allclose(eyes.scores(seen), eyes.scores(seen, np.ones((48, 59, 36), bool)), atol=1e-3)


def test_an_empty_mask_and_a_plain_patch_score_nothing() -> None:
    eyes = matcher()
    hidden = eyes.scores(patches()[:1], np.zeros((1, 59, 36), bool))
    plain = eyes.scores(np.full((1, 59, 36, 3), 128, np.uint8))
    assert np.all(np.isfinite(hidden))
    assert np.abs(hidden).max() < 0.05
    assert np.abs(plain).max() < 0.05


def test_no_patches_give_no_scores() -> None:
    eyes = matcher()
    assert eyes.scores(np.zeros((0, 54, 33, 3), np.uint8)).shape == (0, 2, len(eyes.labels))
    assert eyes.best(np.zeros((0, 54, 33, 3), np.uint8)) == ()


def test_the_back_is_a_class_of_its_own() -> None:
    back = tsuki().back
    assert back is not None
    match = matcher().best(cv2.resize(back, (40, 66), interpolation=cv2.INTER_AREA)[None])[0]
    assert match.card is None


def test_chaff_of_a_month_are_one_class_among_the_alternatives() -> None:
    for match in matcher().best(patches()):
        faces = [card.face for card, _ in ((match.card, 0.0), *match.alternatives) if card is not None]
        assert len(faces) == len(set(faces))


def test_only_the_asked_cards_are_considered() -> None:
    some = (Card.parse("01-bright"), Card.parse("12-chaff-3"))
    eyes = Matcher(tsuki(), some)
    assert eyes.labels == (*some, None)
    assert right(eyes.best(patches(some)), some) == 2


def test_noise_is_not_believed() -> None:
    noise = np.random.default_rng(5).integers(0, 255, (30, 59, 36, 3), dtype=np.uint8)
    blurred = np.stack([cv2.GaussianBlur(patch, (0, 0), 5.0) for patch in noise])
    assert max(match.confidence for match in matcher().best(blurred)) < 0.8


def test_confidence_grows_with_score_and_lead() -> None:
    assert confidence(0.9, 0.3) > confidence(0.9, 0.05) > confidence(0.5, 0.05) > confidence(0.5, 0.0)
    assert confidence(0.9, 0.3) > 0.99
    assert confidence(0.4, 0.01) < 0.3
