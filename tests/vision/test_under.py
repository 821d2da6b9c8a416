"""Cards partly under others that came with them are found, named and put in order."""

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import Card
from tests.vision.table_scenes import Table, card, deck, raster, table_of
from vision.memory import Memory
from vision.rectify import Found, Picture
from vision.search import Finder
from vision.second import Naming
from vision.seek import Seeker
from vision.under import hidden_in, left_over, lies_over

CARDS = tuple(
    card(text)
    for text in (
        "01-bright",
        "01-ribbon",
        "03-bright",
        "03-chaff-1",
        "08-chaff-1",
        "08-chaff-2",
        "11-animal",
        "05-ribbon",
    )
)
CRANE, PINE, CURTAIN = CARDS[:3]
SWALLOW, IRIS = CARDS[6:]


def finder() -> Finder:
    images: dict[Card | None, NDArray[np.uint8]] = {one: deck().faces[one] for one in CARDS}
    return Finder(images, deck().card_mm)


def picture_of(table: Table) -> Picture:
    """A picture on which all that differs from the bare table is fresh."""
    now = table.picture(0)
    differs = np.abs(now.astype(int) - Table().picture(1)).max(axis=2) > 14
    return Picture(now, 1.0, differs.astype(np.uint8), raster().whole)


def seeker() -> Seeker:
    return Seeker(Memory(raster(), finder()), finder(), CARDS, (0.0,), lambda _: False)


def searched(table: Table, naming: Naming = Naming.BOTH) -> Seeker:
    one, picture = seeker(), picture_of(table)
    one.name_by(naming)
    one.search(picture, picture.image, (), (), 1.0, strips=True)
    return one


HEAP = Table().lay("01-bright", 0, 0, 20).lay("11-animal", 13, 9, -30).lay("05-ribbon", 36, 2, 15)
"""The first lies half under the second, that partly under the third."""


@pytest.mark.parametrize("naming", [Naming.BOTH, Naming.CORRELATION, Naming.EMBEDDING])
def test_a_heap_thrown_down_is_read_card_by_card(naming: Naming) -> None:
    cards = searched(HEAP, naming).memory.cards
    assert set(cards) == {CRANE, SWALLOW, IRIS}
    assert cards[CRANE].order < cards[SWALLOW].order < cards[IRIS].order
    for which, (x, y) in ((CRANE, (0, 0)), (SWALLOW, (13, 9)), (IRIS, (36, 2))):
        pose = cards[which].pose
        assert raster().mm(np.array([pose.u, pose.v])) == pytest.approx((x, y), abs=1.0)


def test_without_a_second_look_the_cards_below_stay_unknown() -> None:
    assert CRANE not in searched(HEAP, Naming.NONE).memory.cards


def test_what_is_no_card_beside_a_card_is_none() -> None:
    table = Table().lay("01-bright", 0, 0)
    picture = picture_of(table)
    picture.image[170:200, 310:350] = (90, 60, 160)
    picture.fresh[170:200, 310:350] = 1
    one = seeker()
    assert one.search(picture, picture.image, (), (), 1.0, strips=True) == [CRANE]


def test_left_over_ground_of_the_size_of_a_part_counts() -> None:
    picture = picture_of(Table())
    for at, size in ((20, 30), (100, 10), (200, 120)):
        picture.fresh[at : at + size, at : at + size] = 1
    parts = left_over(picture)
    assert [int(part.sum()) for part in parts] == [900]


def test_nothing_is_hidden_in_ground_without_cards() -> None:
    picture = picture_of(table_of({}))
    part = np.zeros_like(picture.fresh)
    part[100:130, 100:130] = 1
    assert hidden_in(finder(), picture, CARDS, part) == []  # nothing of it is fresh
    assert hidden_in(finder(), picture, (), part) == []


@pytest.mark.parametrize("first_below", [True, False])
def test_what_lies_on_top_is_seen_where_both_lie(first_below: bool) -> None:
    lower, upper = ("01-bright", "11-animal") if first_below else ("11-animal", "01-bright")
    where = {"01-bright": (0.0, 0.0), "11-animal": (18.0, 10.0)}
    picture = picture_of(Table().lay(lower, *where[lower]).lay(upper, *where[upper]))

    def found(text: str) -> Found:
        u, v = raster().px(np.array(where[text])).tolist()
        return Found(card(text), u, v, 0.0, 0.9)

    assert lies_over(finder(), picture, found(upper), found(lower)) is True
    assert lies_over(finder(), picture, found(lower), found(upper)) is False


def test_cards_apart_tell_no_order() -> None:
    picture = picture_of(table_of({"01-bright": (0, 0), "11-animal": (60, 0)}))
    u, v = raster().px(np.array([0.0, 0.0])).tolist()
    one, other = Found(CRANE, u, v, 0.0, 0.9), Found(SWALLOW, u + 60, v, 0.0, 0.9)
    assert lies_over(finder(), picture, one, other) is None
