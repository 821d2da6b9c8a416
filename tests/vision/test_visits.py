"""A card laid by fingers that were on the draw pile came from there; what merely passes tells nothing."""

from collections.abc import Iterable

import pytest

from vision.reach import Touch
from vision.visits import PileVisits

AT = (0.0, -320.0)
ON = Touch(AT, 5.0, 10.0)
FAR = Touch(AT, 200.0, -100.0)
PASSING = Touch(AT, 2.0, 100.0)
ACROSS = Touch(AT, 2.0, 250.0)
BESIDE = Touch(AT, 45.0, 20.0)


def visits(*spells: tuple[float, float, Touch], seat: int = 1, fps: int = 15) -> PileVisits:
    """The arm of `seat` at `fps`: from, until, where."""
    seen = PileVisits()
    for frame in range(10 * fps):
        t_s = frame / fps
        seen.watch(t_s, [(seat, touch) for begin, end, touch in spells if begin <= t_s < end])
    return seen


def took(*spells: tuple[float, float, Touch], after_s: float = -1.0, seat: int = 1) -> bool | None:
    return visits(*spells).took(seat, 5.0, after_s)


@pytest.mark.parametrize("fps", [10, 15, 30])
def test_fingers_on_the_pile_took_the_card(fps: int) -> None:
    assert visits((3.5, 4.2, ON), (4.2, 5.0, FAR), fps=fps).took(1, 5.0, -1.0) is True


def test_an_arm_seen_all_the_time_that_was_not_there_took_none() -> None:
    assert took((3.5, 5.0, FAR)) is False


def test_an_arm_that_lies_across_the_pile_took_none() -> None:
    assert took((3.5, 5.0, ACROSS)) is False


@pytest.mark.parametrize("touch", [PASSING, BESIDE], ids=["a little beyond it", "beside it"])
def test_an_arm_near_the_pile_tells_nothing(touch: Touch) -> None:
    assert took((3.5, 4.2, touch), (4.2, 5.0, FAR)) is None


def test_an_arm_hardly_seen_tells_nothing() -> None:
    assert took((4.9, 5.0, FAR)) is None
    assert took() is None


def test_what_was_laid_already_does_not_count_again() -> None:
    spells = ((2.0, 2.6, ON), (3.5, 5.0, FAR))
    assert took(*spells) is True
    assert took(*spells, after_s=3.0) is False


def test_another_seat_at_the_pile_leaves_it_open() -> None:
    seen = PileVisits()
    for frame in range(75):
        t_s = frame / 15
        arms: Iterable[tuple[int, Touch]] = [(0, ON if t_s < 3.5 else FAR), (1, FAR)]
        seen.watch(t_s, arms)
    assert seen.took(1, 5.0, -1.0) is None
    assert seen.took(0, 5.0, -1.0) is True
    assert seen.took(1, 5.0, 4.0) is False


def test_what_is_long_past_is_forgotten() -> None:
    seen = visits((0.5, 1.0, ON), (8.5, 9.9, FAR))
    assert seen.took(1, 9.9, -1.0) is False
