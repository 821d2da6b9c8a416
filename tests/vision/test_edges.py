"""A card has an outline; what only looks like one has none."""

import math

import cv2
import numpy as np
import pytest

from tests.vision.table_scenes import MATS, Table, deck, raster
from vision.edges import edges
from vision.raster import Box
from vision.rectify import Found, Picture


def shown(table: Table, x_mm: float, y_mm: float, turn_deg: float = 0.0, box: Box | None = None) -> int:
    box = box or raster().whole
    image = raster().cut(table.picture(0), box)
    u, v = raster().px(np.array([x_mm, y_mm])).tolist()
    found = Found(None, u - box.u0, v - box.v0, math.radians(turn_deg), 0.0)
    return edges(Picture(image, 1.0, np.ones(image.shape[:2], np.uint8), box), found, deck().card_mm)


@pytest.mark.parametrize("mat", MATS)
@pytest.mark.parametrize("turn", [0, 37])
def test_all_four_sides_of_a_card_show(mat: str, turn: float) -> None:
    assert shown(Table(mat=mat).lay("01-bright", 20, -30, turn), 20, -30, turn) == 4


def test_the_bare_table_has_no_edges() -> None:
    assert shown(Table(), 20, -30) == 0
    assert shown(Table(mottle=6.0), -90, 50, 20) == 0


def test_a_soft_shadow_has_no_edges() -> None:
    dark = np.zeros((400, 600), np.float32)
    cv2.rectangle(dark, (283, 173), (316, 226), 0.45, -1)
    image = Table().picture(0) * (1 - cv2.GaussianBlur(dark, (0, 0), 9))[..., None]
    picture = Picture(image.astype(np.uint8), 1.0, np.ones((400, 600), np.uint8), raster().whole)
    assert edges(picture, Found(None, 299.5, 199.5, 0.0, 0.0), deck().card_mm) == 0


def test_a_stripe_shows_two_sides_only() -> None:
    image = Table().picture(0)
    image[:, 283:316] = (200, 210, 220)
    picture = Picture(image, 1.0, np.ones((400, 600), np.uint8), raster().whole)
    assert edges(picture, Found(None, 299, 199.5, 0.0, 0.0), deck().card_mm) == 2


def test_a_side_out_of_the_picture_counts_as_shown() -> None:
    assert shown(Table(), 300 - 17, 0) == 1
    assert shown(Table(), 300 - 17, 200 - 27) == 4 - 2
