"""Undecided places come up again in time: soon beside a hand, by force after a while, and not for ever."""

import numpy as np
import pytest

from vision.changes import Blocks
from vision.later import HELD_S, LATEST_S, SETTLE_S, Undecided


def blocks(*columns: int) -> Blocks:
    out = np.zeros((4, 20), dtype=bool)
    out[1, list(columns)] = True
    return out


def test_what_nearly_held_is_looked_at_once_more_by_force() -> None:
    later = Undecided()
    assert not later
    later.add(blocks(1), 1.0)
    assert later and later.due(1.0 + HELD_S - 0.05) == []
    (due,) = later.due(1.0 + HELD_S)
    assert due.forced(1.0 + HELD_S) and not later


def test_beside_a_hand_it_is_looked_at_every_moment_until_it_counts() -> None:
    later, t_s, looks = Undecided(), 1.0, []
    later.add(blocks(1), t_s, soon=True)
    for _ in range(100):
        t_s += 0.05
        for due in later.due(t_s):
            looks.append(round(t_s - 1.0, 2))
            if not due.forced(t_s):
                later.add(due.blocks, t_s, due.since_s, soon=True)
    assert looks[0] == pytest.approx(SETTLE_S, abs=0.05)
    assert HELD_S - 0.01 <= looks[-1] <= HELD_S + SETTLE_S + 0.06
    assert len(looks) >= 4


def test_what_keeps_moving_is_waited_for_but_not_for_ever() -> None:
    later, t_s = Undecided(), 0.0
    later.add(blocks(1), t_s)
    while later:
        t_s += 0.05
        for due in later.due(t_s):
            later.wait(due, due.blocks, t_s)
        assert t_s < 2 * LATEST_S
    assert t_s >= LATEST_S
    later.add(blocks(1), t_s)
    (due,) = later.due(t_s + HELD_S)
    later.wait(due, blocks(), t_s + HELD_S)
    assert not later


def test_a_fresh_change_takes_what_it_touches_along_and_leaves_the_rest() -> None:
    later = Undecided()
    later.add(blocks(3, 4), 1.0)
    later.add(blocks(15), 1.0)
    joined = later.joined([blocks(4, 5), blocks(9)])
    assert sorted(np.nonzero(one[1])[0].tolist() for one in joined) == [[3, 4, 5], [9]]
    assert [np.nonzero(one.blocks[1])[0].tolist() for one in later.all()] == [[15]]
    assert later.joined([]) == []


def test_two_patches_that_touch_one_undecided_place_become_one() -> None:
    later = Undecided()
    later.add(blocks(4, 5, 6), 1.0)
    joined = later.joined([blocks(3, 4), blocks(6, 7)])
    assert [np.nonzero(one[1])[0].tolist() for one in joined] == [[3, 4, 5, 6, 7]]
