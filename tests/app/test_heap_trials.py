"""Heaps on a simulated table are laid as their seed says, and what the eyes know of them is counted."""

from pathlib import Path

import pytest

from app.heap_trials import HeapTally, HeapTrial, try_heaps
from app.worst import Worst
from tests.vision.scenes import tsuki
from vision.second import Naming

SMALL = (960, 540)


@pytest.fixture(scope="module")
def with_second_look() -> HeapTally:
    return try_heaps(HeapTrial("thrown", 2, "felt", SMALL), tsuki(), tsuki())


def test_a_second_look_finds_more_of_what_lies_under_others(with_second_look: HeapTally, tmp_path: Path) -> None:
    worst = Worst(tmp_path / "worst")
    without = try_heaps(HeapTrial("thrown", 2, "felt", SMALL), tsuki(), tsuki(), Naming.NONE, worst)
    assert without.asked.cards == with_second_look.asked.cards > 5
    assert without.asked.found < with_second_look.asked.found == with_second_look.asked.right
    assert len(worst.save()) == 1 and without.slowest_s > 0


def test_cards_without_others_over_them_are_all_found(with_second_look: HeapTally) -> None:
    whole = with_second_look.cards.bands["whole"]
    assert whole.cards >= 8 and whole.found == whole.right == whole.cards


def test_tallies_add_up(with_second_look: HeapTally) -> None:
    twice = with_second_look + with_second_look
    assert twice.asked.cards == 2 * with_second_look.asked.cards
    assert twice.in_order == 2 * with_second_look.in_order > 0
    assert twice.slowest_s == with_second_look.slowest_s
    assert twice.as_dict()["under_others"] == twice.asked.as_dict()
