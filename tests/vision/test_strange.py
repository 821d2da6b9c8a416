import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import DECK
from tests.vision.scenes import tsuki
from vision.photoscenes import make_photo
from vision.quads import overlap
from vision.strange import StrangeReader


@pytest.fixture(scope="module")
def reader() -> StrangeReader:
    return StrangeReader()


def test_cards_are_named_with_no_deck_given(reader: StrangeReader) -> None:
    right = false = cards = 0
    for seed in (1, 2):
        made = make_photo(tsuki(), "plain", seed)
        readings = reader.read(made.image)
        whole = [card for card in made.cards if card.visible > 0.97]
        cards += len(whole)
        for reading in readings:
            near = [c for c in made.cards if overlap(c.corners_px, np.array(reading.corners_px)) > 0.5]
            right += bool(near) and near[0].card.face == reading.card.face
            false += not near
    assert right >= 0.6 * cards
    assert false <= 1


def test_corners_start_at_the_cards_own_top_left(reader: StrangeReader) -> None:
    image: NDArray[np.uint8] = np.full((420, 700, 3), (60, 90, 40), np.uint8)
    face = cv2.resize(tsuki().faces[DECK[8]], (110, 180), interpolation=cv2.INTER_AREA)
    image[100:280, 100:210] = face
    image[100:280, 400:510] = cv2.resize(tsuki().faces[DECK[0]], (110, 180), interpolation=cv2.INTER_AREA)[::-1, ::-1]
    found = {reading.card.face: np.array(reading.corners_px) for reading in reader.read(image)}
    assert set(found) == {DECK[8].face, DECK[0].face}
    assert np.abs(found[DECK[8].face][0] - (100, 100)).max() < 8
    assert np.abs(found[DECK[0].face][0] - (510, 280)).max() < 8


def test_a_picture_without_cards_is_empty(reader: StrangeReader) -> None:
    rng = np.random.default_rng(1)
    assert reader.read(rng.integers(0, 256, (200, 300, 3), np.uint8)) == ()
    assert reader.read(np.full((200, 300, 3), 120, np.uint8)) == ()
    assert reader.read(np.zeros((1, 1, 3), np.uint8)) == ()


def test_no_card_is_read_more_often_than_there_is(reader: StrangeReader) -> None:
    image: NDArray[np.uint8] = np.full((420, 900, 3), (60, 90, 40), np.uint8)
    face = cv2.resize(tsuki().faces[DECK[0]], (110, 180), interpolation=cv2.INTER_AREA)
    for x in (100, 300, 500, 700):
        image[100:280, x : x + 110] = face
    readings = reader.read(image)
    assert [reading.card for reading in readings].count(DECK[0]) == 1
