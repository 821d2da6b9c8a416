"""Yaku of every shape: exact sets, any n of a set, groups of which the best counts, tables of values."""

from typing import Any

import pytest

from engine.cards import DECK
from engine.errors import ConfigError
from engine.yaku import Yaku, made_yaku, progress, read_yaku
from engine.yamlfile import parse
from tests.engine.table import cards

BOOK = """
schema: 1
yaku:
  five:
    {title: {en: Five, ja: 五光}, cards: [01-bright, 03-bright, 08-bright, 11-bright, 12-bright],
     value: {low: 100, high: 200}, group: brights}
  four:
    {title: {en: Four, ja: 四光}, cards: [01-bright, 03-bright, 08-bright, 12-bright], value: 60, group: brights}
  spring:
    {title: {en: Spring, ja: 表菅原}, cards: [01-bright, 02-animal, 03-bright], value: 30, group: brights,
     group_when: {spring_in_group: true}}
  six:
    {title: {en: Six, ja: 六短}, value: 30, any: 6, group: ribbons,
     cards: [01-ribbon, 02-ribbon, 03-ribbon, 04-ribbon, 05-ribbon, 06-ribbon, 07-ribbon, 09-ribbon, 10-ribbon]}
  seven:
    {title: {en: Seven, ja: 七短}, value: 40, any: 7, group: ribbons,
     cards: [01-ribbon, 02-ribbon, 03-ribbon, 04-ribbon, 05-ribbon, 06-ribbon, 07-ribbon, 09-ribbon, 10-ribbon]}
  row:
    {title: {en: Row, ja: 桐島}, value: 10, cards: [12-bright, 12-chaff-1, 12-chaff-2, 12-chaff-3]}
"""


def book(text: str = BOOK, **options: Any) -> tuple[Yaku, ...]:
    settings = {"yaku_values": "low", "spring_in_group": True, **options}
    return read_yaku(parse(text, "book.yaml").section("yaku"), settings)


@pytest.mark.parametrize(
    ("held", "options", "made"),
    [
        ("01-bright 03-bright 08-bright 11-bright 12-bright", {}, {"five": 100}),
        ("01-bright 03-bright 08-bright 11-bright 12-bright", {"yaku_values": "high"}, {"five": 200}),
        ("01-bright 03-bright 08-bright 12-bright", {}, {"four": 60}),
        ("01-bright 03-bright 08-bright 11-bright", {}, {}),
        ("01-bright 02-animal 03-bright", {}, {"spring": 30}),
        ("01-bright 02-animal 03-bright 08-bright 12-bright", {}, {"four": 60}),
        (
            "01-bright 02-animal 03-bright 08-bright 12-bright",
            {"spring_in_group": False},
            {"four": 60, "spring": 30},
        ),
        ("01-ribbon 02-ribbon 04-ribbon 05-ribbon 06-ribbon 11-ribbon", {}, {}),
        ("01-ribbon 02-ribbon 04-ribbon 05-ribbon 06-ribbon 07-ribbon", {}, {"six": 30}),
        ("01-ribbon 02-ribbon 03-ribbon 04-ribbon 05-ribbon 06-ribbon 07-ribbon", {}, {"seven": 40}),
        ("12-bright 12-chaff-1 12-chaff-2 12-chaff-3", {}, {"row": 10}),
    ],
)
def test_what_cards_make(held: str, options: dict[str, Any], made: dict[str, int]) -> None:
    found = made_yaku(book(**options), frozenset(cards(held)))
    assert {y.id: y.value for y in found} == made


def test_progress_tells_what_is_held_made_and_still_possible() -> None:
    ways = progress(
        book(), frozenset(cards("01-bright 03-bright 12-bright")), frozenset(cards("08-bright")), frozenset(DECK)
    )
    four, spring = ways[1], ways[2]
    assert (four.held, four.needed, four.made, four.possible) == (
        cards("01-bright 03-bright 12-bright"),
        4,
        False,
        False,
    )
    assert (spring.held, spring.made, spring.possible) == (cards("01-bright 03-bright"), False, True)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("any: 6", "any: 10", "yaku.six.any is 10, but there are only 9 cards"),
        ("any: 6", "any: 0", "yaku.six.any must be at least 1"),
        ("low: 100", "lower: 100", "yaku.five.value.low is missing"),
        ("value: 10", "value: ten", "yaku.row.value must be a whole number"),
        ("12-chaff-3", "13-chaff-3", "yaku.row.cards names '13-chaff-3'"),
    ],
)
def test_a_wrong_entry_is_named(old: str, new: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        book(BOOK.replace(old, new))
    assert str(caught.value).startswith("book.yaml: ")
    assert problem in str(caught.value)
