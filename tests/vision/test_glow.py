"""Light on parts of a card is taken out of the comparison; what is no card does not become one by it."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import Card
from tests.vision.table_scenes import Table, card, deck, raster, table_of
from vision.glow import LIKE_LEAST, named_beside_light, named_under_light, shows_under_light
from vision.rectify import Found, Picture
from vision.search import Finder

NAMES = ("01-bright", "03-ribbon", "07-chaff-2", "08-chaff-1", "11-animal", "12-bright")
CARDS = tuple(card(name) for name in NAMES)
Image = NDArray[np.uint8]
TABLE = table_of({"07-chaff-2": (0, 0)})


def finder() -> Finder:
    return Finder({one: deck().faces[one] for one in CARDS}, deck().card_mm)


def lit(image: Image, shape: str, level: int = 170) -> Image:
    """The picture with light of `level` grey levels added in a shape around the raster's middle."""
    light = np.zeros_like(image)
    u, v = (round(x) for x in raster().px(np.array([0.0, 0.0])))
    colour = (level, level * 0.6, level * 0.9)
    match shape:
        case "line":
            cv2.line(light, (u + 14, v - 60), (u + 14, v + 60), colour, 5)
        case "ring":
            cv2.circle(light, (u + 12, v), 14, colour, 4)
        case "third":
            cv2.rectangle(light, (u + 4, v - 60), (u + 60, v + 60), colour, -1)
        case "half":
            cv2.rectangle(light, (u - 2, v - 60), (u + 60, v + 60), colour, -1)
        case _:
            raise ValueError(shape)
    return np.asarray(cv2.add(image, cv2.GaussianBlur(light, (0, 0), 1.0)), np.uint8)


def picture(image: Image) -> Picture:
    return Picture(image, 1.0, np.zeros(image.shape[:2], np.uint8), raster().whole)


def plain(eyes: Finder, scene: Picture, x_mm: float = 0.0) -> Found:
    u, v = raster().px(np.array([x_mm, 0.0])).tolist()
    return eyes.name(scene, Found(None, u, v, 0.0, 0.0), CARDS)


@pytest.mark.parametrize("shape", ["line", "ring"])
def test_a_card_under_a_line_of_light_is_named_by_the_rest_of_it(shape: str) -> None:
    eyes, scene = finder(), picture(lit(raster().cut(TABLE.picture(1), raster().whole), shape))
    before = plain(eyes, scene)
    named = named_under_light(eyes, scene, before, CARDS, LIKE_LEAST)
    assert before.score < 0.85
    assert named is not None
    assert named.card == card("07-chaff-2")
    assert named.score > 0.92
    assert named.score - named.rival_score > 0.25


def test_without_light_nothing_is_taken_out() -> None:
    eyes, scene = finder(), picture(raster().cut(TABLE.picture(1), raster().whole))
    assert shows_under_light(eyes, scene, plain(eyes, scene), card("07-chaff-2")) == pytest.approx(
        plain(eyes, scene).score, abs=0.03
    )


def test_light_on_half_a_card_leaves_it_unread() -> None:
    eyes, scene = finder(), picture(lit(raster().cut(TABLE.picture(1), raster().whole), "half"))
    assert named_under_light(eyes, scene, plain(eyes, scene), CARDS, LIKE_LEAST) is None


@pytest.mark.parametrize("which", [one for one in CARDS if one != card("07-chaff-2")], ids=str)
def test_light_does_not_make_another_card_of_it(which: Card) -> None:
    eyes, scene = finder(), picture(lit(raster().cut(TABLE.picture(1), raster().whole), "line"))
    assert shows_under_light(eyes, scene, plain(eyes, scene), which) < LIKE_LEAST


@pytest.mark.parametrize("mat", ["felt", "white", "wood"])
def test_no_card_is_made_of_the_bare_table_beside_one(mat: str) -> None:
    table = Table(mat=mat).lay("07-chaff-2", 0, 0)
    eyes, scene = finder(), picture(lit(raster().cut(table.picture(1), raster().whole), "line"))
    for x_mm in range(24, 61, 4):
        assert named_under_light(eyes, scene, plain(eyes, scene, x_mm), CARDS, LIKE_LEAST) is None


def known_light(u0: int, u1: int) -> NDArray[np.uint8]:
    """Where light falls: columns beside the raster's middle."""
    mask = np.zeros((400, 600), np.uint8)
    middle = round(float(raster().px(np.array([0.0, 0.0]))[0]))
    mask[:, middle + u0 : middle + u1] = 1
    return mask


def test_where_our_own_light_is_known_little_more_than_half_a_card_beside_it_is_enough() -> None:
    eyes, scene = finder(), picture(lit(raster().cut(TABLE.picture(1), raster().whole), "third"))
    before = plain(eyes, scene)
    assert named_beside_light(eyes, scene, before, CARDS) is None  # nobody knows of light
    scene.lit = known_light(1, 62)
    named = named_beside_light(eyes, scene, before, CARDS)
    assert named is not None
    assert (named.card, named.visible) == (card("07-chaff-2"), 1.0)
    assert named.score > 0.9 and named.score - named.rival_score > 0.25
    assert scene.open_.all()


def test_where_light_falls_on_most_of_a_card_nothing_is_named_beside_it() -> None:
    eyes, scene = finder(), picture(lit(raster().cut(TABLE.picture(1), raster().whole), "third"))
    scene.lit = known_light(-12, 62)
    assert named_beside_light(eyes, scene, plain(eyes, scene), CARDS) is None


def test_a_card_known_to_lie_partly_under_our_light_is_still_seen() -> None:
    eyes, scene = finder(), picture(lit(raster().cut(TABLE.picture(1), raster().whole), "third"))
    found = plain(eyes, scene)
    assert shows_under_light(eyes, scene, found, card("07-chaff-2")) < LIKE_LEAST
    scene.lit = known_light(1, 62)
    assert shows_under_light(eyes, scene, found, card("07-chaff-2")) > LIKE_LEAST
    assert shows_under_light(eyes, scene, found, card("12-bright")) < LIKE_LEAST
