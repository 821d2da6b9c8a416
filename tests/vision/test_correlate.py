"""Likeness of patches and faces: light and tint do not matter, what is covered does not count."""

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import Card
from tests.vision.table_scenes import card, deck
from vision.correlate import Faces, masked_scores, normalised, scores

CARDS = tuple(card(text) for text in ("01-bright", "03-ribbon", "08-chaff-1", "11-animal"))


def faces() -> Faces:
    images: dict[Card | None, NDArray[np.uint8]] = {one: deck().faces[one] for one in CARDS}
    return Faces.of(images, deck().card_mm, 1.0)


def test_faces_hold_both_half_turns() -> None:
    known = faces()
    assert known.size_px == (33, 54)
    assert known.pixels.shape == (8, 3, 33 * 54)
    np.testing.assert_array_equal(known.pixels[1], known.pixels[0][:, ::-1])
    np.testing.assert_array_equal(known.rows_of([CARDS[2], CARDS[0]]), [4, 5, 0, 1])
    assert len(known.rows_of([card("12-bright")])) == 0


def test_every_card_is_most_like_itself_the_right_way_up() -> None:
    known = faces()
    table = scores(known.pixels, known, np.arange(8))
    np.testing.assert_allclose(np.diag(table), 1, atol=1e-3)
    np.testing.assert_array_equal(table.argmax(axis=1), np.arange(8))
    assert (table - 2 * np.eye(8)).max() < 0.9


@pytest.mark.parametrize("gain", [(0.4, 0.4, 0.4), (0.3, 0.6, 0.9)], ids=["dim", "tinted"])
def test_light_and_tint_leave_the_likeness(gain: tuple[float, float, float]) -> None:
    known = faces()
    lit = np.asarray(known.pixels * np.array(gain)[None, :, None] + 20, np.float32)
    rows = np.arange(8)
    np.testing.assert_allclose(scores(lit, known, rows), scores(known.pixels, known, rows), atol=5e-3)
    whole = np.ones((8, 33 * 54), np.float32)
    masked = masked_scores(lit, whole, known, rows)
    np.testing.assert_allclose(masked, scores(known.pixels, known, rows), atol=0.01)


def test_what_is_covered_does_not_count() -> None:
    known = faces()
    patches = known.pixels[::2].copy().reshape(4, 3, 54, 33)
    patches[:, :, 20:] = np.array([40, 150, 230], np.float32)[None, :, None, None]
    patches[:, 0, 20:, ::3] = 10
    mask = np.zeros((4, 54, 33), np.float32)
    mask[:, :20] = 1
    rows = np.arange(0, 8, 2)
    assert np.diag(masked_scores(patches.reshape(4, 3, -1), mask.reshape(4, -1), known, rows)).min() > 0.98
    assert np.diag(scores(patches.reshape(4, 3, -1), known, rows)).max() < 0.85


def test_flat_patches_are_like_nothing() -> None:
    known = faces()
    flat = np.full((1, 3, 33 * 54), 120, np.float32)
    assert not normalised(flat).any()
    assert np.abs(scores(flat, known, np.arange(8))).max() < 0.01
    assert np.abs(masked_scores(flat, np.ones((1, 33 * 54), np.float32), known, np.arange(8))).max() < 0.05
    assert np.abs(masked_scores(flat, np.zeros((1, 33 * 54), np.float32), known, np.arange(8))).max() < 0.05
