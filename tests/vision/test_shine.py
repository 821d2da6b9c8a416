"""What changes where our own light has changed is not taken for something on the table."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.homography import Homography
from engine.cards import Card
from tests.vision.table_scenes import FPS, MAT_MM, Film, Table, card, deck, layout, px, raster, view
from vision.eyes import Eyes
from vision.raster import Box
from vision.rectify import Picture
from vision.shine import DELAY_S, SPREAD_MM, Shine, unlit

PROJECTOR_PX = (1200, 800)
ROWS = [2, 0, 599.5, 0, -2, 399.5, 0, 0, 1]
TO_PROJECTOR = Homography.from_rows("projector", "table", ROWS)
DARK = np.zeros((800, 1200, 3), np.uint8)
WHOLE = raster().whole


def square(x_mm: float, y_mm: float, half_mm: float = 30.0, level: int = 200) -> NDArray[np.uint8]:
    """A picture in which a square of light falls around a point of the table."""
    picture = DARK.copy()
    (x0, y0), (x1, y1) = TO_PROJECTOR.map([[x_mm - half_mm, y_mm + half_mm], [x_mm + half_mm, y_mm - half_mm]])
    cv2.rectangle(picture, (round(x0), round(y0)), (round(x1), round(y1)), (level, level, level), -1)
    return picture


def lit_at(shine: Shine, t_s: float, *points_mm: tuple[float, float]) -> list[int]:
    u, v = np.rint(raster().px(np.array(points_mm))).astype(int).T
    return [int(x) for x in shine.changed(WHOLE, t_s)[v, u]]


def explain(shine: Shine, t_s: float) -> None:
    shine.explained(WHOLE, np.ones((400, 600), np.uint8), t_s)


def test_light_counts_where_it_falls_and_a_little_around() -> None:
    shine = Shine(raster(), TO_PROJECTOR)
    shine.show(square(100, -50), 1.0)
    edge = 30 + SPREAD_MM
    assert lit_at(shine, 1.0, (100, -50), (100 + edge - 1, -50), (100 + edge + 2, -50), (0, 0)) == [1, 1, 0, 0]


def test_light_that_was_there_when_the_place_was_looked_at_has_not_changed() -> None:
    shine = Shine(raster(), TO_PROJECTOR)
    shine.show(square(0, 0), 1.0)
    explain(shine, 1.0 + 2 * DELAY_S)
    assert lit_at(shine, 3.0, (0, 0)) == [0]
    shine.show(DARK, 4.0)
    assert lit_at(shine, 4.0, (0, 0)) == [1]
    assert lit_at(shine, 9.0, (0, 0)) == [1]
    explain(shine, 9.0)
    assert lit_at(shine, 9.1, (0, 0)) == [0]


def test_light_just_taken_away_may_still_be_seen() -> None:
    shine = Shine(raster(), TO_PROJECTOR)
    explain(shine, 0.0)
    shine.show(square(0, 0), 1.0)
    shine.show(DARK, 1.1)
    assert lit_at(shine, 1.1 + DELAY_S / 2, (0, 0)) == [1]
    assert lit_at(shine, 1.1 + 2 * DELAY_S, (0, 0)) == [0]
    shine.show(square(0, 0), 3.0)
    explain(shine, 3.1)  # just come: nobody knows whether it was seen yet
    assert lit_at(shine, 5.0, (0, 0)) == [1]


def test_only_the_part_looked_at_is_explained() -> None:
    shine = Shine(raster(), TO_PROJECTOR)
    shine.show(square(0, 0), 1.0)
    half = np.zeros((400, 300), np.uint8)
    half[:, :] = 1
    shine.explained(Box(0, 0, 300, 400), half, 3.0)
    assert lit_at(shine, 3.0, (-20, 0), (20, 0)) == [0, 1]
    assert shine.changed(Box(300, 0, 600, 400), 3.0).shape == (400, 300)


@pytest.mark.parametrize("level", [8, 60])
def test_light_too_faint_to_show_does_not_count(level: int) -> None:
    shine = Shine(raster(), TO_PROJECTOR)
    shine.show(square(0, 0, level=level), 1.0)
    assert lit_at(shine, 1.0, (0, 0)) == [int(level > 12)]


def projected(image: NDArray[np.uint8], picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The camera's picture with a projected one on it: both see the mat from straight above."""
    light = cv2.resize(picture, (600, 400), interpolation=cv2.INTER_AREA)[..., ::-1]
    return np.asarray(cv2.add(image, np.asarray(light * 0.35, np.uint8)), np.uint8)


def test_a_panel_of_light_is_not_searched_for_cards_and_a_card_beside_it_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert MAT_MM == (600.0, 400.0)
    eyes = Eyes(view(), layout(), deck(), tuple(deck().faces), TO_PROJECTOR)
    searched: list[float] = []
    search = eyes.seeker.search

    def counted(picture: Picture, *rest: Any, **named: Any) -> list[Card]:
        searched.append(float(picture.fresh.sum()))
        return search(picture, *rest, **named)

    monkeypatch.setattr(eyes.seeker, "search", counted)
    film = Film(eyes)
    table = Table().lay("01-bright", -100, 60)
    film.show(table, 1.0)
    assert card("01-bright") in eyes.memory.cards
    panel = square(60, -20, 45)
    cv2.putText(panel, "Player 2", tuple(round(x) for x in TO_PROJECTOR.map([20, -20])), 0, 1.0, (255, 90, 90), 3)
    assert eyes.shine is not None
    eyes.shine.show(panel, film.t_s)
    searched.clear()
    for _ in range(FPS * 2):
        frame = film.frame(table)
        eyes.look(replace(frame, image=projected(frame.image, panel)))
    assert max(searched, default=0.0) < 100
    laid = table.lay("03-bright", -20, -60)
    for _ in range(FPS * 2):
        frame = film.frame(laid)
        eyes.look(replace(frame, image=projected(frame.image, panel)))
    assert card("03-bright") in eyes.memory.cards
    assert px(0, 0) == (299.5, 199.5)


def test_light_across_what_has_come_stays_part_of_it_and_light_alone_goes() -> None:
    fresh, lit = np.zeros((200, 300), np.uint8), np.zeros((200, 300), np.uint8)
    fresh[60:120, 40:75] = 1  # a card
    fresh[85:92, 20:95] = lit[85:92, 20:95] = 1  # a line of light across it and beyond
    fresh[60:120, 180:260] = lit[60:120, 180:260] = 1  # a panel of light
    left = unlit(fresh, lit, 1.0)
    assert left[60:120, 40:75].all()
    assert not left[:, 130:].any()
    assert left[85:92, 20:30].sum() < 7 * 10
    assert (unlit(fresh, np.zeros_like(lit), 1.0) == fresh).all()


def test_specks_beside_the_light_do_not_keep_it() -> None:
    lit = np.zeros((100, 100), np.uint8)
    lit[20:80, 20:80] = 1
    fresh = lit.copy()
    fresh[18:20, 30:34] = 1
    assert unlit(fresh, lit, 1.0).sum() == 8
