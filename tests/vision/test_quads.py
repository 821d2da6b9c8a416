"""Card-like quads are found in any picture, whichever way they lie."""

import cv2
import numpy as np
import pytest

from tests.vision.scenes import Lying, photograph, quad, tsuki
from vision.deck import Deck
from vision.quads import area, find_quads, flat_aspect, overlap
from vision.rescue import guess_quads

CARDS = tuple(tsuki().faces)


def lying(deck: Deck) -> tuple[Lying, ...]:
    turns = (0, 25, 90, 160, 230, 300)
    places = [(160, 170), (430, 160), (720, 180), (170, 500), (450, 500), (720, 500)]
    return tuple(
        Lying(CARDS[8 * i], quad(x, y, turn, 170)) for i, ((x, y), turn) in enumerate(zip(places, turns, strict=True))
    )


@pytest.mark.parametrize("slant", [0.0, 0.4], ids=["from above", "slanted"])
def test_every_card_on_a_table_has_a_quad(slant: float) -> None:
    image, truth = photograph(tsuki(), lying(tsuki()), slant=slant)
    quads = find_quads(image)
    for card in truth:
        assert max(overlap(card.corners_px, found) for found in quads) > 0.75, card.card
    assert np.all(area(quads) > 0)


def test_a_picture_without_outlines_has_no_quads() -> None:
    assert find_quads(np.full((300, 400, 3), 90, np.uint8)).shape == (0, 4, 2)


def test_the_first_side_of_a_quad_is_a_short_one() -> None:
    image = np.full((300, 400, 3), 200, np.uint8)
    cv2.fillConvexPoly(image, quad(200, 150, 90, 180).astype(np.int32), (20, 20, 20))
    best = find_quads(image)[0]
    assert np.linalg.norm(best[1] - best[0]) < np.linalg.norm(best[2] - best[1])


def test_things_of_another_shape_are_left_out() -> None:
    image = np.full((300, 400, 3), 200, np.uint8)
    cv2.rectangle(image, (30, 100), (370, 130), (20, 20, 20), -1)
    cv2.circle(image, (200, 220), 50, (20, 20, 20), -1)
    assert all(found[:, 1].min() > 140 for found in find_quads(image))


def test_the_shape_of_a_slanted_rectangle_is_recovered() -> None:
    focal, size = 1.1, (1600, 1200)
    card = np.array([[-33, -54, 0], [33, -54, 0], [33, 54, 0], [-33, 54, 0]], float)
    tilt = np.deg2rad(40)
    turned = card @ np.array([[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]])
    seen = turned + np.array([60, -30, 420])
    corners = seen[:, :2] / seen[:, 2:] * focal * size[0] + np.array(size) / 2
    assert flat_aspect(corners.astype(np.float32), size, focal) == pytest.approx(54 / 33, rel=0.01)


def test_overlap_is_intersection_over_union() -> None:
    first = quad(100, 100, 0, 108)
    assert overlap(first, first) == pytest.approx(1, abs=1e-3)
    assert overlap(first, first + np.array([33, 0])) == pytest.approx(1 / 3, abs=0.01)
    assert overlap(first, first + np.array([500, 0])) == 0


def test_single_edges_give_the_card_once_its_size_is_known() -> None:
    """A card whose outline runs into a dark area of the table on one side."""
    image = np.full((400, 600, 3), 190, np.uint8)
    image[:, 440:] = 40
    hidden = quad(440, 200, 90, 170)
    cv2.fillConvexPoly(image, hidden.astype(np.int32), (40, 40, 40))
    known = quad(150, 200, 10, 170)
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    guesses = guess_quads(grey, [known])
    assert max(overlap(hidden, guess) for guess in guesses) > 0.85
    assert guess_quads(grey, []).shape == (0, 4, 2)
