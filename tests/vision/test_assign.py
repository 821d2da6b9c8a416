"""The cheapest assignment is found, and regret tells a toss-up from a sure choice."""

import itertools

import numpy as np
import pytest

from vision.assign import Assignment


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (4, 6), (6, 6)])
def test_no_other_assignment_is_cheaper(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(sum(shape))
    for _ in range(20):
        costs = rng.normal(0, 5, shape).round(1)
        found = Assignment(costs)
        best = min(
            sum(costs[i, c] for i, c in enumerate(columns))
            for columns in itertools.permutations(range(shape[1]), shape[0])
        )
        assert len(set(found.columns.tolist())) == shape[0]
        assert found.cost == pytest.approx(best)


def test_regret_is_the_cost_of_doing_without() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        costs = rng.normal(0, 5, (5, 7))
        found = Assignment(costs)
        for row in range(5):
            forbidden = {int(found.columns[row]), (int(found.columns[row]) + 1) % 7}
            without = costs.copy()
            without[row, list(forbidden)] = 1e6
            assert found.regret(row, forbidden) == pytest.approx(Assignment(without).cost - found.cost, abs=1e-6)


def test_a_toss_up_is_no_regret_and_no_choice_is_infinite() -> None:
    found = Assignment(np.array([[1.0, 1.0], [2.0, 2.0]]))
    assert found.regret(0, [int(found.columns[0])]) == pytest.approx(0)
    assert found.regret(0, [0, 1]) == float("inf")


@pytest.mark.parametrize("costs", [np.zeros((3, 2)), np.array([[np.nan]]), np.array([[np.inf]])])
def test_what_cannot_be_assigned_is_refused(costs: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    with pytest.raises(ValueError, match="cannot be assigned"):
        Assignment(costs)


def test_forty_eight_cards_are_quick() -> None:
    costs = np.random.default_rng(1).random((48, 48))
    found = Assignment(costs)
    assert sorted(found.columns.tolist()) == list(range(48))
    assert all(found.regret(row, [int(found.columns[row])]) >= 0 for row in range(48))
