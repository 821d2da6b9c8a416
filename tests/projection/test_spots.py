"""Spots on the mat: what a hand may cover is seen, read by its seat, and leaves the disc dark."""

import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.frames import Pose
from calibration.homography import Homography
from calibration.layout import builtin_layout
from calibration.spots import slots
from engine.cards import DECK, Card
from engine.events import Words
from engine.guidance import Cue, Guidance, Role
from projection.checks import problems
from projection.compose import compose
from projection.raster import rasterise
from projection.scene import Progress, Scene
from projection.spots import SpotMark

PASS = Words("Pass", "パス")
LONG = Words("Four of a month in hand: deal again", "手札に同じ月が4枚：配り直し")


def marks(seats: int, count: int = 2, words: Words = PASS, progress: float = 0.0) -> tuple[SpotMark, ...]:
    found = slots(builtin_layout(seats))
    return tuple(SpotMark(*found[seat][i], seat, words, progress) for seat in range(seats) for i in range(count))


def scene(
    seats: int, spots: tuple[SpotMark, ...], language: str = "both", poses: dict[Card, Pose] | None = None
) -> Scene:
    turn = Words("Player 1's turn", "プレイヤー1の番です")
    guidance = Guidance((Cue(Role.TURN, seat=0, words=turn),), turn, (turn,) * seats)
    return compose(guidance, poses or {}, builtin_layout(seats), language, spots=spots)


@pytest.mark.parametrize("language", ["both", "en", "ja"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("words", [(PASS, PASS), (PASS, LONG)], ids=["short", "long"])
def test_every_spot_has_its_ring_and_a_word_that_faces_its_seat(
    seats: int, language: str, words: tuple[Words, Words]
) -> None:
    spots = tuple(replace(mark, words=words[i % 2]) for i, mark in enumerate(marks(seats)))
    picture = scene(seats, spots, language)
    assert problems(picture, builtin_layout(seats), ()) == ()
    rings = [shape for shape in picture.shapes if isinstance(shape, Progress)]
    assert [(ring.x_mm, ring.y_mm) for ring in rings] == [(spot.x_mm, spot.y_mm) for spot in spots]
    for seat in range(seats):
        read = "".join(text.text for text in picture.texts if text.seat == seat).replace(" ", "")
        for said in words:
            assert said.of("en" if language == "en" else "ja").replace(" ", "")[:4] in read


def test_the_ring_fills_with_progress() -> None:
    (half,) = [s for s in scene(2, marks(2, 1, progress=0.5)[:1]).shapes if isinstance(s, Progress) and s.fraction < 1]
    assert half.fraction == 0.5


@pytest.mark.parametrize("progress", [0.0, 0.3, 1.0])
def test_no_light_falls_into_the_disc(progress: float) -> None:
    """The camera watches it there: a change of our own light must not look like a hand."""
    layout = builtin_layout(2)
    spots = marks(2, 4, progress=progress)
    width, height = layout.mat_mm
    above = Homography.from_rows("projector", "table", [1, 0, width / 2, 0, -1, height / 2, 0, 0, 1])
    picture = rasterise(scene(2, spots), above, (round(width), round(height)))
    y, x = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    for spot in spots:
        inside = np.hypot(x - width / 2 - spot.x_mm, height / 2 - y - spot.y_mm) < 0.8 * spot.radius_mm
        assert picture[inside].max() == 0


def test_a_spot_under_cards_is_not_drawn() -> None:
    spots = marks(2, 1)
    pose = Pose(spots[0].x_mm, spots[0].y_mm + 20.0, 0.3)
    picture = scene(2, spots, poses={DECK[0]: pose})
    assert problems(picture, builtin_layout(2), [pose]) == ()
    assert all(
        math.dist((s.x_mm, s.y_mm), (spots[0].x_mm, spots[0].y_mm)) > 1
        for s in picture.shapes
        if isinstance(s, Progress)
    )
