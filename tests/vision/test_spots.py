"""Hands on spots, and all that is not a hand on a spot."""

from collections.abc import Callable, Iterable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.homography import Homography
from calibration.lens import Lens
from calibration.spots import Spot
from calibration.view import TableView
from vision.spots import HOLD_S, SpotWatcher
from vision.values import Frame

Paint = Callable[[NDArray[np.float32]], None]

SIZE_PX = (450, 300)
MM = 2
"""Table mm for a px."""
FPS = 12
MAT = {"felt": (70, 95, 60), "wood": (90, 130, 175), "white": (190, 196, 200)}
SKIN = {"dark": (58, 78, 122), "light": (150, 178, 226)}
TABLES = MAT | {"dim": (22, 40, 20), "brown": (33, 61, 98)}
HANDS = SKIN | {"brown": (33, 55, 98)}
HERE = Spot("pass", 0, -200.0, -150.0)
THERE = Spot("stop", 0, -120.0, -150.0)
FAR = Spot("pass", 1, 200.0, 150.0)


def view() -> TableView:
    """A camera straight above, the mat's middle in the picture's."""
    camera = np.array([[1000.0, 0, 225], [0, 1000.0, 150], [0, 0, 1]])
    rows = [MM, 0, -450, 0, -MM, 300, 0, 0, 1]
    return TableView(Lens(camera, np.zeros(5)), Homography.from_rows("table", "camera", rows))


def px(x_mm: float, y_mm: float) -> tuple[int, int]:
    return round(225 + x_mm / MM), round(150 - y_mm / MM)


def hand(tip: tuple[float, float], skin: str = "light", sleeve: tuple[int, int, int] = (92, 52, 30)) -> Paint:
    """An arm that comes in from below, its palm just behind `tip` (table mm)."""

    def paint(image: NDArray[np.float32]) -> None:
        x, y = px(*tip)
        cv2.line(image, (x, 400), (x, y + 90), sleeve, 45)
        cv2.line(image, (x, y + 100), (x, y + 50), HANDS[skin], 25)
        cv2.ellipse(image, (x, y + 35), (21, 31), 0, 0, 360, HANDS[skin], -1)

    return paint


def ring(spot: Spot) -> Paint:
    """Our own light: a filling ring around the spot and words beside it."""

    def paint(image: NDArray[np.float32]) -> None:
        light = np.zeros_like(image)
        cv2.circle(light, px(spot.x_mm, spot.y_mm), 13, (160, 160, 160), 2)
        cv2.rectangle(
            light, px(spot.x_mm - 30, spot.y_mm - 34), px(spot.x_mm + 30, spot.y_mm - 44), (160, 160, 160), -1
        )
        image += light

    return paint


def shadow(spot: Spot) -> Paint:
    """A soft shadow that lies over the spot and all around it."""

    def paint(image: NDArray[np.float32]) -> None:
        dark = np.zeros(image.shape[:2], dtype=np.float32)
        cv2.line(dark, px(spot.x_mm, spot.y_mm), (px(spot.x_mm, 0)[0], 400), 0.45, 65)
        image *= (1 - cv2.GaussianBlur(dark, (0, 0), 7))[..., None]

    return paint


def card(spot: Spot) -> Paint:
    """A pile of cards laid onto the spot."""

    def paint(image: NDArray[np.float32]) -> None:
        low, high = px(spot.x_mm - 25, spot.y_mm - 30), px(spot.x_mm + 25, spot.y_mm + 30)
        cv2.rectangle(image, low, high, (40, 40, 190), -1)

    return paint


def lamp(level: float) -> Paint:
    def paint(image: NDArray[np.float32]) -> None:
        image *= level

    return paint


def dark_beside(spot: Spot) -> Paint:
    """The deep shadow of an arm, beside the spot and beyond it."""

    def paint(image: NDArray[np.float32]) -> None:
        dark = np.zeros(image.shape[:2], dtype=np.float32)
        x, y = px(spot.x_mm, spot.y_mm)
        cv2.line(dark, (x + 10, y + 40), (x + 10, 0), 0.53, 60)
        image *= (1 - cv2.GaussianBlur(dark, (0, 0), 5))[..., None]

    return paint


class Film:
    """A table filmed at FPS; everything covered is kept with its time."""

    def __init__(self, mat: str = "felt", offered: tuple[Spot, ...] = (HERE, THERE, FAR), noise: str = "grey") -> None:
        self.offered = offered
        self.watcher = SpotWatcher(view(), (HERE, THERE, FAR), SIZE_PX)
        self.covered: list[tuple[float, Spot]] = []
        self.progress: tuple[float, ...] = ()
        self.most = 0.0
        self._noise = (
            np.random.default_rng(7).normal(0, 2.0, (4, 300, 450, 1 if noise == "grey" else 3)).astype(np.float32)
        )
        self._mat = np.full((300, 450, 3), TABLES[mat], dtype=np.float32)
        self._index = 0

    @property
    def t_s(self) -> float:
        return self._index / FPS

    def shoot(self, seconds: float, *things: Paint) -> "Film":
        """Films what does not move for a while."""
        picture = self._painted(things)
        return self._watch([picture] * round(seconds * FPS))

    def _painted(self, things: Iterable[Paint]) -> NDArray[np.float32]:
        image = self._mat.copy()
        for paint in things:
            paint(image)
        return image

    def _watch(self, pictures: Iterable[NDArray[np.float32]]) -> "Film":
        for picture in pictures:
            image = np.clip(picture + self._noise[self._index % 4], 0, 255).astype(np.uint8)
            reading = self.watcher.watch(Frame(image, self.t_s, self._index), self.offered)
            self.progress = reading.progress
            self.most = max((self.most, *reading.progress))
            self.covered += [(self.t_s, spot) for spot in reading.covered]
            self._index += 1
        return self

    def move(self, seconds: float, start: tuple[float, float], end: tuple[float, float]) -> "Film":
        """Films a hand on its way."""
        count = round(seconds * FPS)
        way = [
            (start[0] + (end[0] - start[0]) * i / count, start[1] + (end[1] - start[1]) * i / count)
            for i in range(count)
        ]
        return self._watch(self._painted([hand(tip)]) for tip in way)


OVER_HERE = (HERE.x_mm, HERE.y_mm + 60)
AWAY = (HERE.x_mm, -420.0)


@pytest.mark.parametrize("mat", MAT)
@pytest.mark.parametrize("skin", SKIN)
def test_a_hand_on_a_spot_covers_it_once(mat: str, skin: str) -> None:
    film = Film(mat).shoot(3.0)
    start = film.t_s
    film.shoot(4.0, hand(OVER_HERE, skin)).shoot(1.0)
    assert [spot for _, spot in film.covered] == [HERE]
    assert HOLD_S <= film.covered[0][0] - start <= 1.2


def test_a_hand_nearly_of_the_tables_colour_is_not_taken_for_it_after_a_while() -> None:
    film = Film("brown").shoot(25.0).shoot(2.0, hand(OVER_HERE, "brown"))
    assert [spot for _, spot in film.covered] == [HERE]


def test_noise_in_a_deep_shadow_beside_a_hand_is_not_another_arm() -> None:
    film = Film("dim", noise="colour").shoot(3.0)
    start = film.t_s
    film.shoot(2.0, dark_beside(HERE), hand(OVER_HERE))
    assert [spot for _, spot in film.covered] == [HERE]
    assert film.covered[0][0] - start <= 1.2


def test_the_ring_fills_while_the_hand_lies_there() -> None:
    film = Film().shoot(3.0).shoot(0.55, hand(OVER_HERE))
    here, *others = film.progress
    assert 0.4 < here < 0.8
    assert others == [0.0, 0.0]
    film.shoot(0.5)
    assert film.progress == (0.0, 0.0, 0.0)
    assert not film.covered


def test_it_can_be_covered_again_once_it_was_bare() -> None:
    film = Film().shoot(3.0)
    for _ in range(3):
        film.shoot(1.2, hand(OVER_HERE)).shoot(0.6)
    assert [spot for _, spot in film.covered] == [HERE] * 3


def test_our_own_light_on_and_off_covers_nothing() -> None:
    film = Film().shoot(3.0)
    for _ in range(3):
        film.shoot(1.5, ring(HERE), ring(FAR)).shoot(1.5)
    assert film.most == 0.0


def test_a_hand_is_seen_in_our_own_light() -> None:
    film = Film().shoot(3.0).shoot(2.0, ring(HERE))
    film.shoot(0.4, hand(OVER_HERE), ring(HERE)).shoot(0.9, hand(OVER_HERE), ring(HERE), ring(THERE))
    assert [spot for _, spot in film.covered] == [HERE]


def test_an_arm_that_passes_over_covers_nothing() -> None:
    film = Film().shoot(3.0)
    beyond = (HERE.x_mm, HERE.y_mm + 230)
    film.move(0.5, AWAY, beyond).shoot(0.3, hand(beyond)).move(0.5, beyond, AWAY)
    assert not film.covered


def test_an_arm_that_rests_across_a_spot_covers_nothing() -> None:
    beyond = (HERE.x_mm, HERE.y_mm + 230)
    film = Film().shoot(3.0).move(0.5, AWAY, beyond).shoot(5.0, hand(beyond)).move(0.5, beyond, AWAY).shoot(1.0)
    assert not film.covered


def test_a_hand_that_keeps_moving_covers_nothing() -> None:
    film = Film().shoot(3.0)
    left, right = (OVER_HERE[0] - 60, OVER_HERE[1]), (OVER_HERE[0] + 60, OVER_HERE[1])
    for _ in range(4):
        film.move(0.4, left, right).move(0.4, right, left)
    assert not film.covered


def test_cards_laid_onto_a_spot_are_no_hand() -> None:
    film = Film().shoot(3.0).shoot(5.0, card(HERE)).shoot(2.0)
    assert film.most == 0.0


@pytest.mark.parametrize("level", [0.5, 0.8, 1.25], ids=["darker", "a little darker", "brighter"])
def test_a_lamp_turned_up_or_down_covers_nothing(level: float) -> None:
    film = Film().shoot(3.0).shoot(3.0, lamp(level)).shoot(3.0)
    assert film.most == 0.0


@pytest.mark.parametrize("mat", MAT)
def test_a_shadow_covers_nothing(mat: str) -> None:
    film = Film(mat).shoot(3.0).shoot(3.0, shadow(HERE)).shoot(1.0)
    assert film.most == 0.0


def test_a_hand_that_stays_does_not_cover_what_is_offered_next() -> None:
    film = Film().shoot(3.0).shoot(1.2, hand(OVER_HERE))
    film.offered = (Spot("stop", 0, HERE.x_mm, HERE.y_mm), FAR)
    film.shoot(3.0, hand(OVER_HERE))
    assert [spot.name for _, spot in film.covered] == ["pass"]
    film.shoot(0.6).shoot(1.2, hand(OVER_HERE))
    assert [spot.name for _, spot in film.covered] == ["pass", "stop"]


def test_of_two_spots_under_one_arm_the_further_is_meant() -> None:
    near = Spot("pass", 0, -200.0, -150.0)
    further = Spot("stop", 0, -200.0, -72.0)
    film = Film(offered=(near, further))
    film.shoot(3.0).shoot(1.3, hand((further.x_mm, further.y_mm + 50)))
    assert [spot for _, spot in film.covered] == [further]


def test_a_hand_forgotten_on_the_table_covers_nothing_when_it_leaves() -> None:
    film = Film().shoot(3.0).shoot(26.0, hand(OVER_HERE)).shoot(4.0)
    assert [spot for _, spot in film.covered] == [HERE]


def test_nothing_is_offered_nothing_is_covered() -> None:
    film = Film(offered=()).shoot(3.0).shoot(2.0, hand(OVER_HERE))
    assert film.progress == ()
    assert not film.covered
