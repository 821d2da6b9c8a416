"""The bare table is known although cards lie on it; arms are known by where they come from."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.table_scenes import MATS, Table, deck, raster, table_of
from vision.ground import Ground, differs, stands_out
from vision.rectify import Found, Picture

CARDS = table_of({"01-bright": (0, 0), "03-ribbon": (100, 50, 20)})


def at(x_mm: float, y_mm: float, turn_deg: float = 0.0) -> Found:
    u, v = raster().px(np.array([x_mm, y_mm])).tolist()
    return Found(None, u, v, math.radians(turn_deg), 1.0)


def picture_of(table: Table, fresh: NDArray[np.uint8] | None = None) -> Picture:
    image = table.picture(3)
    return Picture(image, 1.0, np.ones(image.shape[:2], np.uint8) if fresh is None else fresh, raster().whole)


def ground_of(table: Table) -> Ground:
    ground = Ground(raster(), deck().card_mm, np.ones((400, 600), np.uint8))
    ground.learn(table.picture(0), [at(p.x_mm, p.y_mm, math.degrees(p.angle_rad)) for _, p in table.cards])
    return ground


def cover(x_mm: float, y_mm: float, turn_deg: float = 0.0) -> NDArray[np.bool_]:
    return picture_of(Table()).cover(at(x_mm, y_mm, turn_deg), deck().card_mm)


@pytest.mark.parametrize("mat", MATS)
def test_the_table_under_a_card_is_known_when_the_card_has_gone(mat: str) -> None:
    cards = CARDS.lay("12-bright", -80, 30)
    table = Table(cards.cards, mat=mat, mottle=4.0)
    ground = ground_of(table)
    assert not ground.shows(picture_of(table), cover(0, 0))
    assert ground.shows(picture_of(table.take("01-bright")), cover(0, 0))


def test_another_card_or_an_arm_there_is_not_the_bare_table() -> None:
    ground = ground_of(CARDS)
    assert not ground.shows(picture_of(CARDS.take("01-bright").lay("12-bright", 6, 4)), cover(0, 0))
    assert not ground.shows(picture_of(CARDS.take("01-bright").reach(0, 40)), cover(0, 0))


def test_where_little_is_open_nothing_is_said_of_the_table() -> None:
    ground = ground_of(CARDS)
    picture = picture_of(CARDS.take("01-bright"))
    picture.open_[:, 295:] = 0
    assert ground.shows(picture, cover(0, 0))
    picture.open_[:, 288:] = 0
    assert not ground.shows(picture, cover(0, 0))


def test_before_the_first_look_the_table_is_not_known() -> None:
    ground = Ground(raster(), deck().card_mm, np.ones((400, 600), np.uint8))
    assert not ground.shows(picture_of(Table()), cover(0, 0))


@pytest.mark.parametrize("turn", [0, 25, 90])
def test_the_pile_is_found_where_it_lies(turn: float) -> None:
    ground = ground_of(Table())
    box = raster().box_around(np.array([[210, -50], [300, 50]]), 0.0)
    pile = ground.pile(Table().lay(None, 252, 3, turn).picture(1), box)
    assert pile is not None
    assert raster().mm(np.array([pile.u, pile.v])) == pytest.approx([252, 3], abs=2)
    assert abs(math.sin(pile.angle_rad - math.radians(turn))) < 0.06


def test_no_pile_is_seen_on_the_bare_table_or_where_an_arm_lies() -> None:
    ground = ground_of(Table())
    box = raster().box_around(np.array([[210, -50], [300, 50]]), 0.0)
    assert ground.pile(Table().picture(1), box) is None
    assert ground.pile(Table().reach(250, 60, 85).picture(1), box) is None


@pytest.mark.parametrize("mat", MATS)
def test_cards_stand_out_of_the_table_and_its_grain_does_not(mat: str) -> None:
    table = Table(CARDS.lay("08-chaff-1", -120, 60).cards, mat=mat, mottle=3.0)
    out = stands_out(table.picture(0))
    for _, pose in table.cards:
        lying = cover(pose.x_mm, pose.y_mm, math.degrees(pose.angle_rad))
        assert out[lying].mean() > 0.8
        out[picture_of(table).cover(at(pose.x_mm, pose.y_mm, math.degrees(pose.angle_rad)), deck().card_mm, 5.0)] = 0
    assert out.mean() < 0.002


def test_pictures_differ_where_something_was_laid_and_not_by_noise() -> None:
    assert not differs(Table().picture(0), Table().picture(1), 12.0).any()
    difference = differs(CARDS.picture(0), Table().picture(1), 12.0)
    assert difference[cover(0, 0)].mean() > 0.9
