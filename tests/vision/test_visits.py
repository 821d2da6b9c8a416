"""A card laid by fingers that were on the draw pile came from there; what merely passes tells nothing."""

import pytest

from vision.reach import Touch, Touching
from vision.visits import PileVisits

Point = tuple[float, float]
PILE = (0.0, 0.0)
CARD = (200.0, 0.0)
NEAR_SEAT = (0.0, -320.0)
FAR_SEAT = (0.0, 320.0)

ON = Touch(NEAR_SEAT, 5.0, 10.0)
FAR = Touch(NEAR_SEAT, 200.0, -100.0)
PASSING = Touch(NEAR_SEAT, 2.0, 100.0)
ACROSS = Touch(NEAR_SEAT, 2.0, 250.0)
BESIDE = Touch(NEAR_SEAT, 45.0, 20.0)
Spell = tuple[float, float, Touch]


def seat_at(point: Point) -> int:
    return int(point == NEAR_SEAT)


def arms(*at_pile: Touch, lays: bool = True) -> Touching:
    """Arms that are so near to the pile, and lay a card at CARD or do not reach it."""

    def touching(x_mm: float, y_mm: float) -> tuple[Touch, ...]:
        if (x_mm, y_mm) == PILE:
            return at_pile
        return tuple(Touch(touch.from_mm, 10.0 if lays else 150.0, 0.0) for touch in at_pile)

    return touching


def took(*spells: Spell, after_s: float = -1.0, t_s: float = 5.0, fps: int = 15, lays: bool = True) -> bool | None:
    """From, until, where: what is told of the card that is laid at `t_s`."""
    seen = PileVisits()
    for frame in range(round(t_s * fps) + 1):
        now = frame / fps
        there = [touch for begin, end, touch in spells if begin <= now < end]
        if there:
            seen.watch(now, PILE, arms(*there, lays=lays), seat_at)
    return seen.took(1, t_s, CARD, after_s)


@pytest.mark.parametrize("fps", [10, 15, 30])
def test_fingers_on_the_pile_took_the_card(fps: int) -> None:
    assert took((3.5, 4.2, ON), (4.2, 6, FAR), fps=fps) is True


def test_an_arm_seen_all_the_time_that_was_not_there_took_none() -> None:
    assert took((3.5, 6, FAR)) is False


def test_an_arm_that_is_over_the_edge_and_not_seen_within_may_have_been_anywhere() -> None:
    seen = PileVisits()
    there_s = [frame / 15 for frame in range(45, 76)]
    for now in there_s[15:]:
        seen.watch(now, PILE, arms(FAR), seat_at)
    assert seen.took(1, 5.0, CARD, -1.0) is False
    assert seen.took(1, 5.0, CARD, -1.0, there_s[15:]) is False
    assert seen.took(1, 5.0, CARD, -1.0, there_s) is None


def test_an_arm_that_lies_across_the_pile_took_none() -> None:
    assert took((3.5, 6, ACROSS)) is False


@pytest.mark.parametrize("touch", [PASSING, BESIDE], ids=["a little beyond it", "beside it"])
def test_an_arm_near_the_pile_tells_nothing(touch: Touch) -> None:
    assert took((3.5, 4.2, touch), (4.2, 6, FAR)) is None


def test_an_arm_hardly_seen_tells_nothing() -> None:
    assert took((4.9, 6, FAR)) is None
    assert took((3.5, 6, FAR), lays=False) is None
    assert took() is None


def test_an_arm_that_passes_the_pile_out_and_back_tells_nothing() -> None:
    assert took((3.0, 3.15, ON), (3.15, 3.6, ACROSS), (3.6, 3.75, ON), (3.75, 6, FAR)) is None


def test_an_arm_on_its_way_across_the_pile_took_none() -> None:
    assert took((3.0, 3.1, ON), (3.1, 5.0, ACROSS), (5.0, 6, FAR)) is False


def test_an_arm_seen_now_and_then_tells_nothing() -> None:
    blinks = tuple((begin / 10, begin / 10 + 0.1, FAR) for begin in range(30, 52, 3))
    assert took(*blinks) is None


def test_what_was_laid_already_does_not_count_again() -> None:
    spells = ((2.0, 2.6, ON), (3.5, 6, FAR))
    assert took(*spells) is True
    assert took(*spells, after_s=3.0) is False


def test_another_seat_at_the_pile_leaves_it_open() -> None:
    other = Touch(FAR_SEAT, 5.0, 10.0)
    assert took((3.0, 3.5, other), (3.0, 6, FAR)) is None
    assert took((3.0, 3.5, other), (3.0, 6, FAR), after_s=4.0) is False


def test_what_is_long_past_is_forgotten() -> None:
    assert took((0.5, 1.0, ON), (8.5, 10, FAR), t_s=9.9) is False
