import numpy as np

from vision.embedding import trust
from vision.training.trusting import Trials, fit_trust, reliability


def made_up(seed: int, weights: np.ndarray) -> Trials:
    rng = np.random.default_rng(seed)
    evidence = np.column_stack([np.ones(4000), rng.uniform(-1, 1, (4000, 5))])
    right = rng.random(4000) < 1 / (1 + np.exp(-evidence @ weights))
    return Trials(f"deck {seed}", "family", evidence, right)


def test_the_fit_finds_what_readings_are_worth() -> None:
    weights = np.array([0.5, 3.0, -1.0, 0.0, 2.0, 0.5])
    found = fit_trust([made_up(1, weights), made_up(2, weights)])
    assert np.abs(found - weights).max() < 0.3
    new = made_up(3, weights)
    for said, share, count in reliability(trust(new.evidence, found), new.right):
        assert count < 100 or abs(said - share) < 0.07


def test_reliability_leaves_empty_steps_out() -> None:
    rows = reliability(np.array([0.05, 0.05, 1.0], np.float32), np.array([False, True, True]))
    assert [(round(said, 2), share, count) for said, share, count in rows] == [(0.05, 0.5, 2), (1.0, 1.0, 1)]
