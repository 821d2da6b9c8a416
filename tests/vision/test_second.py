"""A second look names doubtful cards: of a worn print, under a mask, and knows what is no card."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import Card
from tests.vision.table_scenes import Table, card, deck, raster
from vision.memory import Memory
from vision.rectify import Found, Picture
from vision.search import Finder
from vision.second import Naming, SecondLook
from vision.seek import Seeker

CARDS = tuple(card(text) for text in ("01-bright", "03-bright", "05-ribbon", "08-chaff-1", "11-animal"))
CRANE, CURTAIN, IRIS = CARDS[:3]


def finder() -> Finder:
    images: dict[Card | None, NDArray[np.uint8]] = {one: deck().faces[one] for one in CARDS}
    return Finder(images, deck().card_mm)


def lying(table: Table) -> Picture:
    nothing = np.zeros((raster().size[1], raster().size[0]), np.uint8)
    return Picture(table.picture(0), 1.0, nothing, raster().whole)


def at(which: Card | None, x: float, y: float) -> Found:
    u, v = raster().px(np.array([x, y])).tolist()
    return Found(which, u, v, 0.0, 0.5)


@pytest.mark.parametrize("naming", [Naming.BOTH, Naming.CORRELATION, Naming.EMBEDDING])
def test_whole_cards_are_named_whatever_they_were_taken_for(naming: Naming) -> None:
    picture = lying(Table().lay("01-bright", 0, 0).lay("05-ribbon", 80, 20, 180))
    second = SecondLook(finder(), naming)
    one, other = second.opinions(picture.image, raster(), picture, [at(CURTAIN, 0, 0), at(CRANE, 80, 20)], CARDS)
    assert one.found.card == CRANE and other.found.card == IRIS
    assert one.lead > 0.1 and one.found.visible == 1 and one.found.rival != CRANE
    assert abs(other.found.angle_rad) == pytest.approx(np.pi)


def test_the_table_is_no_card() -> None:
    picture = lying(Table().lay("01-bright", 0, 0))
    one, table = SecondLook(finder()).opinions(
        picture.image, raster(), picture, [at(CRANE, 0, 0), at(CRANE, 120, 0)], CARDS
    )
    assert one.is_card > 0.8 > 0.3 > table.is_card


def test_what_covers_a_card_is_masked() -> None:
    picture = lying(Table().lay("01-bright", 0, 0).lay("05-ribbon", 18, 0))
    picture.open_[picture.cover(at(IRIS, 18, 0), deck().card_mm)] = 0
    (one,) = SecondLook(finder()).opinions(picture.image, raster(), picture, [at(CURTAIN, 0, 0)], CARDS)
    assert one.found.card == CRANE and one.found.visible == pytest.approx(0.54, abs=0.05)


def test_without_masks_what_covers_a_card_counts_as_part_of_it() -> None:
    picture = lying(Table().lay("01-bright", 0, 0).lay("05-ribbon", 18, 0))
    picture.open_[picture.cover(at(IRIS, 18, 0), deck().card_mm)] = 0
    with_masks, without = finder(), finder()
    without.masked = False
    scores = [
        SecondLook(one).opinions(picture.image, raster(), picture, [at(CRANE, 0, 0)], [CRANE])[0].found.score
        for one in (with_masks, without)
    ]
    assert scores[0] > scores[1] + 0.2


def test_nothing_asked_is_nothing_loaded() -> None:
    second = SecondLook(finder())
    assert second.opinions(lying(Table()).image, raster(), lying(Table()), [], CARDS) == []
    assert "_eyes" not in vars(second)


def faded(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same drawing printed otherwise: its lines softer, its hues others."""
    soft = cv2.GaussianBlur(image, (0, 0), image.shape[0] / 28).astype(np.float32)
    hsv = cv2.cvtColor(soft.astype(np.uint8), cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + 40) % 180
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)


@pytest.mark.parametrize(("naming", "found"), [(Naming.NONE, False), (Naming.BOTH, True)])
def test_cards_of_another_print_are_placed_after_a_second_look(naming: Naming, found: bool) -> None:
    images: dict[Card | None, NDArray[np.uint8]] = {one: faded(deck().faces[one]) for one in CARDS}
    search = Finder(images, deck().card_mm)
    seeker = Seeker(Memory(raster(), search), search, CARDS, (0.0,), lambda _: False)
    seeker.name_by(naming)
    picture = lying(Table().lay("05-ribbon", 10, -20, 4))
    picture.fresh[picture.cover(at(IRIS, 10, -20), deck().card_mm, 1.0)] = 1
    assert (seeker.search(picture, picture.image, (), (), 1.0, strips=True) == [IRIS]) is found
