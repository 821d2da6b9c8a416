"""Known faces are found in a picture of the table: where, how turned, which, and how surely."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.frames import Pose
from engine.cards import Card
from tests.vision.table_scenes import Table, card, deck, raster, table_of
from vision.raster import Box
from vision.rectify import Found, Picture, around, card_corners, wrapped
from vision.search import Finder

CARDS = tuple(card(text) for text in ("01-bright", "03-ribbon", "08-chaff-1", "08-chaff-2", "11-animal", "12-bright"))
ANGLES = tuple(math.radians(turn) for turn in range(0, 180, 30))


def finder() -> Finder:
    images: dict[Card | None, NDArray[np.uint8]] = {one: deck().faces[one] for one in CARDS}
    back = deck().back
    assert back is not None
    return Finder(images | {None: back}, deck().card_mm)


def picture_of(table: Table, box: Box | None = None) -> Picture:
    """The whole table or a part of it, all of it fresh."""
    box = box or raster().whole
    image = raster().cut(table.picture(0), box)
    return Picture(image, 1.0, np.ones(image.shape[:2], np.uint8), box)


def at(name: str | None, x_mm: float, y_mm: float, turn_deg: float = 0.0) -> Found:
    u, v = raster().px(np.array([x_mm, y_mm])).tolist()
    return Found(None if name is None else card(name), u, v, math.radians(turn_deg), 0.0)


@pytest.mark.parametrize("turn", [0, 33, 90, 171, -120], ids="{}deg".format)
def test_a_card_is_found_however_it_is_turned(turn: float) -> None:
    picture = picture_of(Table().lay("11-animal", 42, -17, turn), Box(270, 150, 420, 290))
    eyes = finder()
    best = eyes.name(picture, eyes.refine(picture, eyes.whole(picture, CARDS, ANGLES, 0.4)[0]), CARDS)
    true = at("11-animal", 42, -17, turn)
    assert best.card == true.card
    assert math.hypot(best.u + 270 - true.u, best.v + 150 - true.v) < 0.7
    assert abs(wrapped(best.angle_rad - true.angle_rad)) < math.radians(2)
    assert best.score > 0.93


def test_a_back_is_found_like_a_face() -> None:
    picture = picture_of(Table().lay(None, 0, 0), Box(240, 140, 360, 260))
    eyes = finder()
    assert eyes.whole(picture, (*CARDS, None), (0.0,), 0.5)[0].card is None


def test_only_fresh_ground_is_searched() -> None:
    picture = picture_of(table_of({"01-bright": (-80, 0), "12-bright": (80, 0)}), Box(180, 140, 420, 260))
    picture.fresh[:, :120] = 0
    found = finder().whole(picture, CARDS, (0.0,), 0.5)
    assert found
    assert {one.card for one in found if one.score > 0.7} == {card("12-bright")}
    assert min(one.u for one in found) > 110
    picture.fresh[:] = 0
    assert finder().whole(picture, CARDS, (0.0,), 0.0) == []


def test_the_bare_table_is_passed_over_for_its_lack_of_contrast() -> None:
    picture = picture_of(Table(), Box(180, 140, 420, 260))
    assert finder().whole(picture, CARDS, (0.0,), -1.0, contrast=0.5) == []
    assert finder().whole(picture, CARDS, (0.0,), -1.0) != []


def test_only_cards_that_are_free_are_found() -> None:
    picture = picture_of(Table().lay("01-bright", 0, 0), Box(240, 140, 360, 260))
    found = finder().whole(picture, CARDS[1:], (0.0,), 0.75)
    assert found == []


def test_the_rival_is_the_best_other_face_and_no_twin() -> None:
    picture = picture_of(Table().lay("08-chaff-1", 0, 0))
    named = finder().name(picture, at(None, 0, 0), CARDS)
    assert named.card == card("08-chaff-1")
    assert named.rival is not None
    assert named.rival.month != 8
    assert named.rival_score < named.score - 0.2


def test_a_card_upside_down_is_named_with_the_turn() -> None:
    picture = picture_of(Table().lay("03-ribbon", 0, 0, 180))
    named = finder().name(picture, at(None, 0, 0), CARDS)
    assert named.card == card("03-ribbon")
    assert abs(wrapped(named.angle_rad - math.pi)) < 1e-9


def test_refining_moves_to_the_card_nearby() -> None:
    picture = picture_of(Table().lay("12-bright", 10, 5, 8))
    fine = finder().refine(picture, at("12-bright", 7.6, 6.8, 3))
    true = at("12-bright", 10, 5, 8)
    assert math.hypot(fine.u - true.u, fine.v - true.v) < 0.7
    assert abs(fine.angle_rad - true.angle_rad) < math.radians(1.5)


def test_a_card_half_under_another_is_named_by_what_shows() -> None:
    picture = picture_of(table_of({"03-ribbon": (0, 0), "12-bright": (17, 0)}))
    eyes = finder()
    hidden = eyes.name(picture, at(None, 0, 0), CARDS)
    picture.open_[picture.cover(at("12-bright", 17, 0), deck().card_mm)] = 0
    poses = around(at(None, 0, 0), 1.0, 6.0, 3.0, (0.0,))
    found = eyes.partial(picture, [one for one in CARDS if one != card("12-bright")], poses, 0.5, 0.3)
    assert found[0].card == card("03-ribbon")
    assert 0.4 < found[0].visible < 0.6
    shown = eyes.name(picture, at(None, 0, 0), CARDS)
    assert shown.card == card("03-ribbon")
    assert shown.score > 0.95 > hidden.score


def test_a_card_too_far_under_another_is_not_guessed() -> None:
    picture = picture_of(table_of({"03-ribbon": (0, 0), "12-bright": (3, 0)}))
    picture.open_[picture.cover(at("12-bright", 3, 0), deck().card_mm)] = 0
    here = np.array([[at(None, 0, 0).u, at(None, 0, 0).v, 0.0]])
    assert finder().partial(picture, CARDS, here, 0.0, 0.3) == []
    assert finder().score(picture, here, np.arange(4)).max() == -1


def test_contrast_tells_a_card_from_the_grain_of_the_table() -> None:
    picture = picture_of(Table().lay("01-bright", 0, 0))
    assert finder().contrast(picture, at("01-bright", 0, 0)) == pytest.approx(1.0, abs=0.15)
    assert finder().contrast(picture, at("01-bright", 150, 100)) < 0.2


@pytest.mark.parametrize("turn", [0, 40, -100])
def test_corners_are_those_of_the_pose_on_the_table(turn: float) -> None:
    pose = Pose(33, -21, math.radians(turn))
    corners = card_corners(at(None, 33, -21, turn), deck().card_mm, 1.0)
    np.testing.assert_allclose(raster().mm(corners), pose.corners_mm(*deck().card_mm), atol=1e-6)


def test_a_cover_is_as_large_as_the_card() -> None:
    picture = picture_of(Table())
    width, height = deck().card_mm
    assert picture.cover(at(None, 0, 0, 30), deck().card_mm).sum() == pytest.approx(width * height, rel=0.06)
    grown = picture.cover(at(None, 0, 0, 30), deck().card_mm, 5.0).sum()
    assert grown == pytest.approx((width + 10) * (height + 10), rel=0.06)


def test_masks_are_shared_out_under_each_card() -> None:
    picture = picture_of(Table())
    picture.open_[:, :300] = 0
    poses = np.array([[299.5, 199.5, 0.0], [400, 199.5, 0.0], [100, 199.5, 0.0]])
    shares = picture.share(picture.open_, poses, (33, 54), 1.0).mean(axis=1)
    np.testing.assert_allclose(shares, [0.5, 1.0, 0.0], atol=0.03)
    assert not picture.all_open(poses[:1])
    assert picture.all_open(poses[1:2])


def test_poses_around_a_card_reach_as_far_as_asked() -> None:
    poses = around(at(None, 0, 0), 2.0, 6.0, 3.0, (-0.1, 0.1))
    assert poses.shape == (5 * 5 * 2, 3)
    assert poses[:, 0].max() - poses[:, 0].min() == pytest.approx(24)


def test_angles_are_wrapped() -> None:
    assert wrapped(1.5 * math.pi) == pytest.approx(-0.5 * math.pi)
    assert wrapped(0.3) == pytest.approx(0.3)
