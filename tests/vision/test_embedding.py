from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import DECK
from engine.errors import ConfigError
from vision.deck import find_deck, load_deck
from vision.embedding import CROP_PX, FACES, MODEL, Embedding, embedding
from vision.training.prints import print_of
from vision.training.scenes import Conditions, Painter, scans

PRINT = print_of(load_deck(find_deck("tsuki")), "tsuki")
TRUTH = [FACES.index(card.face) for card in DECK]


def half_covered(seed: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """All 48 cards, each about half under something."""
    painter = Painter(PRINT, np.random.default_rng(seed))
    views = [painter.view(card, Conditions(hidden=(0.4, 0.5), covered=1.0)) for card in range(48)]
    return np.stack([view.crop for view in views]), np.stack([view.seen for view in views])


def test_flat_pictures_are_named_with_nothing_enrolled() -> None:
    look = embedding().look(scans(PRINT))
    assert (look.faces.argmax(axis=1) == TRUTH).mean() > 0.95
    assert np.allclose(look.faces.sum(axis=1), 1, atol=1e-4)
    assert np.allclose(np.linalg.norm(look.vectors, axis=1), 1, atol=1e-4)


def test_a_card_on_its_head_is_the_same_card() -> None:
    crops = scans(PRINT)
    up, down = embedding().look(crops), embedding().look(crops[:, ::-1, ::-1])
    assert (up.vectors * down.vectors).sum(axis=1).mean() > 0.8
    assert (up.faces.argmax(axis=1) == down.faces.argmax(axis=1)).mean() > 0.95
    assert (up.turned < 0.5).mean() > 0.8
    assert (down.turned > 0.5).mean() > 0.8
    half = np.ones(crops.shape[:3], np.bool_)
    half[:, 50:] = False
    one, other = embedding().look(crops, half), embedding().look(crops[:, ::-1, ::-1], half[:, ::-1, ::-1])
    assert np.abs(one.vectors - other.vectors).max() < 1e-3
    assert np.abs(one.turned + other.turned - 1).max() < 1e-3


def test_views_are_found_among_enrolled_pictures_of_any_size() -> None:
    painter = Painter(PRINT, np.random.default_rng(3))
    crops = np.stack([painter.view(card, Conditions(covered=0, height_px=(60, 120))).crop for card in range(48)])
    large = np.repeat(np.repeat(crops, 2, axis=1), 2, axis=2)
    enrolled = embedding().look(PRINT.faces).vectors
    for views in (crops, large.astype(np.float32)):
        found = (embedding().look(views).vectors @ enrolled.T).argmax(axis=1)
        assert np.mean([DECK[i].face == card.face for i, card in zip(found, DECK, strict=True)]) > 0.9


def test_what_the_mask_hides_has_no_say() -> None:
    crops, seen = half_covered(4)
    other = np.where(seen[..., None], crops, np.uint8(255) - crops)
    one, two = embedding().look(crops, seen), embedding().look(other, seen)
    assert np.abs(one.vectors - two.vectors).max() < 1e-4
    assert np.abs(one.confidence - two.confidence).max() < 1e-4


def test_a_mask_helps_with_covered_cards() -> None:
    crops, seen = half_covered(5)
    told, untold = embedding().look(crops, seen), embedding().look(crops)
    assert (told.faces.argmax(axis=1) == TRUTH).sum() > (untold.faces.argmax(axis=1) == TRUTH).sum()


def test_nothing_visible_is_an_abstention() -> None:
    crops = scans(PRINT)[:2]
    look = embedding().look(crops, np.zeros(crops.shape[:3], np.bool_))
    assert look.confidence.tolist() == [0, 0]
    assert look.names() == (None, None)


def test_table_and_noise_are_not_believed() -> None:
    rng = np.random.default_rng(6)
    noise = rng.integers(0, 256, (8, CROP_PX[1], CROP_PX[0], 3), dtype=np.uint8)
    plain = np.full_like(noise, 90) + rng.integers(0, 4, noise.shape, dtype=np.uint8)
    assert embedding().look(np.concatenate([noise, plain])).names() == (None,) * 16


def test_no_crops_give_no_readings() -> None:
    look = embedding().look(np.zeros((0, 104, 64, 3), np.uint8))
    assert look.vectors.shape == (0, 128)
    assert look.faces.shape == (0, len(FACES))
    assert look.names() == ()


def test_a_missing_or_broken_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.onnx is missing"):
        Embedding(tmp_path / "gone.onnx")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no network")
    with pytest.raises(ConfigError, match=r"broken\.onnx is no embedding"):
        Embedding(broken)


def test_the_model_is_small_and_its_facts_lie_beside_it() -> None:
    assert MODEL.stat().st_size <= 6_000_000
    assert "How unseen decks are read" in MODEL.with_suffix(".md").read_text(encoding="utf-8")


def test_many_looks_are_the_same_as_few() -> None:
    crops = np.concatenate([scans(PRINT), scans(PRINT)])
    many = embedding().look(crops)
    assert np.abs(many.vectors[:48] - many.vectors[48:]).max() < 1e-4
    assert np.abs(many.vectors[90:] - embedding().look(crops[90:]).vectors).max() < 1e-4
