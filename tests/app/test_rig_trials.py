"""Trials of a watch on simulated rigs: the culprit is named in time, the light put right, and silence otherwise."""

import pytest

from app.knock_trials import KnockOutcome, try_knocks
from app.quiet_trials import quiet_hour
from calibration.watch import Culprit


@pytest.mark.parametrize(
    ("wanted_mm", "culprit", "said", "after_s", "right"),
    [
        (1.0, "mat", "mat", 9.5, True),
        (1.0, "mat", "mat", 10.5, False),
        (3.0, "mat", "mat", 2.5, False),
        (3.0, "mat", "camera", 1.0, False),
        (1.0, "covered", "covered", 3.0, False),
        (1.0, "projector", None, None, False),
    ],
)
def test_a_knock_counts_as_named_only_rightly_and_in_time(
    wanted_mm: float, culprit: str, said: str | None, after_s: float | None, right: bool
) -> None:
    assert KnockOutcome(1, culprit, wanted_mm, said, after_s, 1.0).right is right


def test_a_rig_left_alone_for_a_minute_gives_no_alarm() -> None:
    found = quiet_hour((1, 1 / 60))
    assert found.checks == 60
    assert found.alarms == ()


@pytest.mark.slow
def test_every_knock_of_a_rig_with_faint_small_marks_is_named_and_followed() -> None:
    outcomes = try_knocks(3)
    assert all(outcome.right for outcome in outcomes)
    moved = [outcome for outcome in outcomes if outcome.culprit != Culprit.COVERED.value]
    assert all(outcome.left_mm is not None and outcome.left_mm < 1.0 for outcome in moved)
