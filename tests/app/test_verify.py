"""`replay --verify` by cases: what counts as the same game, and what does not."""

import random

import pytest

from app.course import Course, Move, SeatScore, course_of
from app.verify import percentile, verify
from engine.cards import DECK, Card


def move(t_s: float, card: str, zone: str = "captured", seat: int | None = 0) -> Move:
    return Move(t_s, Card.parse(card), zone, seat)


def wrong(run: list[Move], truth: list[Move]) -> int:
    return len(verify(Course(tuple(run)), Course(tuple(truth))).differences)


A, B, C, D = "01-bright", "02-animal", "03-ribbon", "03-chaff-1"
CASES = {
    "equal": ([move(1, A), move(2, B)], [move(1, A), move(2, B)], 0),
    "both empty": ([], [], 0),
    "missing": ([move(1, A)], [move(1, A), move(2, B)], 1),
    "extra": ([move(1, A), move(1.5, C), move(2, B)], [move(1, A), move(2, B)], 1),
    "wrong card counts once": ([move(1, A), move(2, C)], [move(1, A), move(2, B)], 1),
    "wrong zone": ([move(1, A, "field", None)], [move(1, A)], 1),
    "wrong seat": ([move(1, A, seat=1)], [move(1, A)], 1),
    "chaff of a month are one": ([move(1, "03-chaff-2")], [move(1, D)], 0),
    "truth at one time is a set": ([move(1.1, B), move(1.9, A)], [move(1, A), move(1, B)], 0),
    "truth at two times is in order": ([move(1.1, B, seat=1), move(1.2, A)], [move(1, A), move(1.1, B, seat=1)], 2),
    "run within half a second into one zone": ([move(1.1, B), move(1.6, A)], [move(1, A), move(1.4, B)], 0),
    "run more than half a second apart": ([move(1.1, B), move(1.61, A)], [move(1, A), move(1.4, B)], 2),
    "run into two zones is in order": ([move(1.1, B, seat=1), move(1.2, A)], [move(1, A), move(1.05, B, seat=1)], 2),
    "swap round a third": (
        [move(1.0, C), move(1.2, A), move(1.4, B)],
        [move(1.0, A), move(1.1, B), move(1.2, C)],
        0,
    ),
    "set beside a missing one": ([move(1, B), move(3, C)], [move(1, A), move(1, B), move(3, C)], 1),
}


@pytest.mark.parametrize(("run", "truth", "expected"), CASES.values(), ids=CASES)
def test_moves_are_compared_as_formats_says(run: list[Move], truth: list[Move], expected: int) -> None:
    assert wrong(run, truth) == expected


def test_one_wrong_move_passes_and_two_do_not() -> None:
    truth = Course((move(1, A), move(2, B), move(3, C)))
    assert verify(Course((move(1, A), move(2, B))), truth).passed
    assert not verify(Course((move(1, A),)), truth).passed
    assert verify(Course((move(1, A),)), truth, max_moves=2).passed
    assert not verify(Course((move(1, A), move(2, B))), truth, max_moves=0).passed


@pytest.mark.parametrize(
    ("run", "truth", "expected"),
    [
        pytest.param(SeatScore(10, (), 10), SeatScore(10, (), 10), True, id="equal"),
        pytest.param(SeatScore(10, (), 10), SeatScore(11, (), 11), False, id="points"),
        pytest.param(SeatScore(10, (("spring", 30),), 40), SeatScore(10, (), 10), False, id="yaku"),
        pytest.param(
            SeatScore(10, (("spring", 30),), 40), SeatScore(10, (("spring", 20),), 30), False, id="yaku value"
        ),
        pytest.param(SeatScore(10, (), 40), SeatScore(10, (), 10), False, id="total"),
    ],
)
def test_final_scores_must_be_exact(run: SeatScore, truth: SeatScore, expected: bool) -> None:
    assert verify(Course(scores=(run,)), Course(scores=(truth,))).passed is expected


def test_a_run_that_scored_nothing_equals_a_truth_of_zeros() -> None:
    assert verify(Course(), Course(scores=(SeatScore(), SeatScore()))).passed
    assert not verify(Course(), Course(scores=(SeatScore(1, (), 1),))).passed


def test_lag_is_event_time_minus_truth_time_of_moves_that_agree() -> None:
    verdict = verify(Course((move(1.25, A), move(2.75, C))), Course((move(1, A), move(2, B))))
    assert verdict.lags_s == (0.25,)
    assert verdict.as_dict()["lag_ms"] == {"p50": 250.0, "p95": 250.0}


def test_percentile_is_the_nearest_rank() -> None:
    assert percentile([], 95) is None
    assert percentile([3.0, 1.0, 2.0], 50) == 2.0
    assert percentile([float(i) for i in range(1, 101)], 95) == 95.0


def test_random_damage_costs_no_more_than_what_was_done() -> None:
    chance = random.Random(1)
    cards = [card for card in DECK if card.month < 12]
    for _ in range(30):
        truth = [Move(float(i // 2), card, "captured", i % 2) for i, card in enumerate(chance.sample(cards, 30))]
        run = [m for m in truth if chance.random() > 0.1]
        missing = len(truth) - len(run)
        run.insert(chance.randrange(len(run)), move(chance.random() * 15, "12-bright"))
        assert max(missing, 1) <= wrong(run, truth) <= missing + 1


def test_corrections_are_applied_before_comparing() -> None:
    captured = {"zone": "captured", "seat": 0}
    lines = [
        {"event": "moved", "t_s": 1, "card": A, "source": {"zone": "field"}, "target": captured},
        {"event": "moved", "t_s": 2, "card": B, "source": {"zone": "field"}, "target": captured},
        {"event": "corrected", "t_s": 3, "by": "operator", "undo": 1},
        {"event": "corrected", "t_s": 4, "by": "operator", "was": A, "now": C},
    ]
    assert [str(m.card) for m in course_of(lines).moves] == [C]
