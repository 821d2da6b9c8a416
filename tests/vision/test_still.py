"""Photographs are read: cards named where they lie, nothing named where none lies."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import DECK, Card
from engine.errors import ConfigError
from tests.vision.scenes import Lying, photograph, quad, tsuki
from vision.photogrounds import paint_ground, paint_things
from vision.picture import load_image
from vision.quads import overlap
from vision.still import PhotoReader, Reading, read_photo


@cache
def reader() -> PhotoReader:
    return PhotoReader(tsuki())


def right(readings: tuple[Reading, ...], truth: tuple[Lying, ...]) -> int:
    """How many cards are read with their month and rank where they lie."""
    return sum(
        any(r.card.face == t.card.face and overlap(t.corners_px, np.array(r.corners_px)) > 0.8 for r in readings)
        for t in truth
    )


def spread(cards: tuple[Card, ...], height: float = 150) -> tuple[Lying, ...]:
    return tuple(
        Lying(card, quad(130 + 160 * (i % 5), 150 + 200 * (i // 5), 47 * i, height)) for i, card in enumerate(cards)
    )


@pytest.mark.parametrize(("first", "slant"), [(0, 0.0), (3, 0.4)], ids=["from above", "slanted"])
def test_cards_on_a_table_are_read(first: int, slant: float) -> None:
    image, truth = photograph(tsuki(), spread(DECK[first::5][:9]), slant=slant, seed=first)
    readings = reader().read(image)
    assert right(readings, truth) >= len(truth) - 1
    assert len(readings) <= len(truth)
    assert min(reading.confidence for reading in readings) > 0.5


def test_corners_start_at_the_cards_own_top_left() -> None:
    crane = Lying(Card.parse("01-bright"), quad(300, 250, 200, 200))
    image, truth = photograph(tsuki(), [crane], (600, 500))
    (reading,) = reader().read(image)
    assert reading.card == crane.card
    assert np.abs(np.array(reading.corners_px) - truth[0].corners_px).max() < 4


def test_a_large_photograph_is_read_at_its_own_scale() -> None:
    image, truth = photograph(tsuki(), spread(DECK[:3]), (900, 500))
    large = cv2.resize(image, None, fx=3, fy=3, interpolation=cv2.INTER_LINEAR)
    readings = reader().read(np.asarray(large, np.uint8))
    assert right(readings, tuple(Lying(t.card, t.corners_px * 3 + 1) for t in truth)) == 3


def test_cards_under_other_cards_are_read() -> None:
    fan = tuple(Lying(card, quad(180 + 105 * i, 250, -20 + 12 * i, 300)) for i, card in enumerate(DECK[4:32:7]))
    image, truth = photograph(tsuki(), fan, (900, 500), seed=4)
    readings = reader().read(image)
    assert right(readings, truth) >= 3
    assert right(readings, truth[-1:]) == 1
    assert all(any(r.card.face == t.card.face for t in truth) for r in readings)


def test_small_cards_are_searched_for_finer() -> None:
    lying = tuple(
        Lying(card, quad(60 + 95 * (i % 6), 60 + 95 * (i // 6), 31 * i, 38)) for i, card in enumerate(DECK[::4][:12])
    )
    image, truth = photograph(tsuki(), lying, (620, 260), seed=8)
    look = reader().look(image)
    assert look.scale > 1.1
    assert right(look.readings, truth) >= 11


def test_all_that_was_considered_is_told_with_what_became_of_it() -> None:
    image, truth = photograph(tsuki(), spread(DECK[:2], 150), (460, 320), seed=2)
    look = reader().look(image)
    assert right(look.readings, truth) == 2
    assert look.fates.count("believed") == len(look.readings) <= len(look.candidates) == len(look.fates)
    assert set(look.fates) <= {"believed", "too unsure", "another fits better"}
    assert [one.confidence for one in look.candidates] == sorted((c.confidence for c in look.candidates), reverse=True)


def test_things_that_are_no_hanafuda_are_not_read() -> None:
    rng = np.random.default_rng(5)
    flat = np.array([[3.0, 0, 400], [0, -3.0, 300], [0, 0, 1]])
    canvas = paint_things(paint_ground((800, 600), flat, rng), flat, (33, 54), rng)
    assert reader().read(np.clip(canvas, 0, 255).astype(np.uint8)) == ()


def test_each_card_of_the_deck_is_read_once() -> None:
    twice = [Lying(DECK[9], quad(200, 250, 5, 200)), Lying(DECK[9], quad(600, 250, 60, 200))]
    image, _ = photograph(tsuki(), twice, (800, 500))
    assert [reading.card for reading in reader().read(image)] == [DECK[9]]


def shapes() -> NDArray[np.uint8]:
    """A cluttered table without cards: rectangles of a card's shape among other things."""
    rng = np.random.default_rng(8)
    image = np.full((700, 900, 3), (60, 90, 70), np.uint8)
    for _ in range(25):
        corners = quad(float(rng.uniform(80, 820)), float(rng.uniform(80, 620)), float(rng.uniform(0, 360)), 140)
        cv2.fillConvexPoly(image, corners.astype(np.int32), rng.integers(0, 255, 3).tolist(), cv2.LINE_AA)
        cv2.circle(image, corners.mean(axis=0).astype(int).tolist(), 25, rng.integers(0, 255, 3).tolist(), -1)
    return image


@pytest.mark.parametrize(
    "image",
    [
        np.full((600, 800, 3), 128, np.uint8),
        np.random.default_rng(1).integers(0, 255, (500, 700, 3), dtype=np.uint8),
        shapes(),
        np.zeros((1, 1, 3), np.uint8),
        np.zeros((2000, 20, 3), np.uint8),
    ],
    ids=["plain", "noise", "clutter", "one pixel", "strip"],
)
def test_a_picture_without_cards_has_none(image: NDArray[np.uint8]) -> None:
    assert reader().read(image) == ()


def test_read_photo_needs_only_picture_and_deck() -> None:
    assert read_photo(np.zeros((40, 40, 3), np.uint8), tsuki()) == ()


def picture() -> NDArray[np.uint8]:
    image = np.zeros((40, 60, 3), np.uint8)
    image[:20, :30] = (250, 10, 10)
    return image


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".bmp"])
def test_pictures_of_every_kind_are_loaded(tmp_path: Path, suffix: str) -> None:
    cv2.imwrite(str(tmp_path / f"a{suffix}"), picture())
    assert np.abs(load_image(tmp_path / f"a{suffix}").astype(int) - picture()).mean() < 6


def test_grey_deep_and_transparent_pictures_become_bgr(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), picture()[..., 0])
    cv2.imwrite(str(tmp_path / "deep.png"), picture().astype(np.uint16) * 257)
    cv2.imwrite(str(tmp_path / "clear.png"), np.dstack([picture(), np.zeros((40, 60), np.uint8)]))
    assert load_image(tmp_path / "grey.png").shape == (40, 60, 3)
    assert np.array_equal(load_image(tmp_path / "deep.png"), picture())
    assert load_image(tmp_path / "clear.png").min() == 255


def test_a_photograph_is_turned_as_its_camera_says(tmp_path: Path) -> None:
    """EXIF orientation 6: the camera was turned, the picture is to be shown a quarter clockwise."""
    data = cv2.imencode(".jpg", picture())[1].tobytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    block = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    (tmp_path / "turned.jpg").write_bytes(data[:2] + block + data[2:])
    image = load_image(tmp_path / "turned.jpg")
    assert image.shape == (60, 40, 3)
    assert image[5, 35, 0] > 200


@pytest.mark.parametrize("content", [b"", b"nothing", None], ids=["empty", "text", "missing"])
def test_what_is_no_picture_is_named(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "x.jpg").write_bytes(content)
    with pytest.raises(ConfigError, match=r"x\.jpg"):
        load_image(tmp_path / "x.jpg")
