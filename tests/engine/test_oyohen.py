"""Oyohen case by case (`cases/oyohen.yaml`): deals, sixteen yaku, what excludes what, both value tables."""

from typing import Any

import pytest

from engine.catalogue import load
from engine.events import Place
from engine.yaku import tally
from tests.engine.table import cards
from tests.engine.tables import by_name, read

CASES = read("oyohen")


@pytest.mark.parametrize("case", CASES["deals"], ids=lambda case: f"{case['seats']} seats")
def test_the_deal(case: dict[str, int]) -> None:
    deal = load("oyohen").deal(case["seats"])
    assert deal[Place("field")] == case["field"]
    assert deal[Place("draw")] == case["draw"]
    assert all(deal[Place("hand", seat)] == case["hand"] for seat in range(case["seats"]))


@by_name(CASES, "yaku")
def test_yaku(case: dict[str, Any]) -> None:
    book = load("oyohen", case.get("options", {})).book
    found = tally(frozenset(cards(case["cards"])), book.points, book.yaku)
    assert {y.id: y.value for y in found.yaku} == case["yaku"]
    assert found.total == found.points + sum(case["yaku"].values())


@pytest.mark.parametrize(
    ("options", "total"),
    [
        ({}, CASES["whole_deck"]["fudawiki"]),
        ({"yaku_values": "ja_common"}, CASES["whole_deck"]["ja_common"]),
        ({"spring_in_bright_group": False}, CASES["whole_deck"]["spring_stacks"]),
    ],
)
def test_the_whole_deck(options: dict[str, Any], total: int) -> None:
    book = load("oyohen", options).book
    assert tally(frozenset(book.deck), book.points, book.yaku).total == total


def test_there_are_sixteen_yaku() -> None:
    assert len(load("oyohen").book.yaku) == 16
