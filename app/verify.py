"""Compares a run with the truth of a session, by the rules of FORMATS: scores exactly, moves with few differences."""

import heapq
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.course import Course, Move, SeatScore

SAME_TIME_S = 0.5
"""A run's moves this close together, into one zone, may come in any order (FORMATS, `replay --verify`)."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where the run and the truth part: only `truth` is a missing move, only `run` an extra one."""

    truth: Move | None
    run: Move | None

    @property
    def t_s(self) -> float:
        """Seconds since the session's start where it shows, in the truth's time if it has one."""
        move = self.truth or self.run
        return move.t_s if move is not None else 0.0

    def __str__(self) -> str:
        if self.run is None:
            return f"missing: {self.truth}"
        return f"extra: {self.run}" if self.truth is None else f"wrong: {self.run}, truly {self.truth}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a comparison. `lags_s` are event time − truth time of the moves that agree."""

    moves: int
    differences: tuple[Difference, ...]
    score_differences: tuple[str, ...]
    lags_s: tuple[float, ...]
    max_moves: int

    @property
    def passed(self) -> bool:
        """Whether the run agrees with the truth as FORMATS asks."""
        return not self.score_differences and len(self.differences) <= self.max_moves

    def as_dict(self) -> dict[str, Any]:
        """The verdict for `--json`: lags in milliseconds."""
        return {
            "passed": self.passed,
            "moves": self.moves,
            "wrong_moves": len(self.differences),
            "max_moves": self.max_moves,
            "differences": [str(d) for d in self.differences],
            "score_differences": list(self.score_differences),
            "lag_ms": {"p50": _ms(percentile(self.lags_s, 50)), "p95": _ms(percentile(self.lags_s, 95))},
        }


def verify(run: Course, truth: Course, max_moves: int = 1) -> Verdict:
    """How far `run` agrees with `truth`."""
    pairs = tuple(align(run.moves, truth.moves))
    wrong = tuple(Difference(t, r) for t, r in pairs if t is None or r is None or t.token != r.token)
    lags = tuple(r.t_s - t.t_s for t, r in pairs if t is not None and r is not None and t.token == r.token)
    return Verdict(len(truth.moves), wrong, tuple(score_differences(run.scores, truth.scores)), lags, max_moves)


def align(run: Sequence[Move], truth: Sequence[Move]) -> Iterator[tuple[Move | None, Move | None]]:
    """Pairs (truth move, run move) of a cheapest alignment: each missing, extra or wrong move costs one.

    Truth moves of equal time are a set; run moves within `SAME_TIME_S` into one zone may come in any order. The
    search walks over what is left of both sides, cheapest first (of equal cost the newest), so it is exact.
    """
    start = _State(0, frozenset(), 0, frozenset())
    costs: dict[_State, int] = {start: 0}
    came: dict[_State, tuple[_State, int | None, int | None]] = {}
    order = itertools.count(0, -1)
    queue = [(_gap(start, run, truth), next(order), start)]
    goal = _State(len(truth), frozenset(), len(run), frozenset())
    done: set[_State] = set()
    while queue:
        _, _, state = heapq.heappop(queue)
        if state == goal:
            break
        if state in done:
            continue
        done.add(state)
        for cost, t, r in _steps(state, run, truth):
            after = _advanced(state, t, r)
            total = costs[state] + cost
            if total < costs.get(after, 1 << 30):
                costs[after] = total
                came[after] = (state, t, r)
                heapq.heappush(queue, (total + _gap(after, run, truth), next(order), after))
    path = []
    state = goal
    while state != start:
        state, t, r = came[state]
        path.append((None if t is None else truth[t], None if r is None else run[r]))
    return iter(reversed(path))


@dataclass(frozen=True, slots=True)
class _State:
    """What is used up: every truth move before `t` and those of `t_ahead`; likewise for the run."""

    t: int
    t_ahead: frozenset[int]
    r: int
    r_ahead: frozenset[int]


def _gap(state: _State, run: Sequence[Move], truth: Sequence[Move]) -> int:
    """At least this many differences are still to come: what is left differs in number."""
    left_truth = len(truth) - state.t - len(state.t_ahead)
    left_run = len(run) - state.r - len(state.r_ahead)
    return abs(left_truth - left_run)


def _steps(state: _State, run: Sequence[Move], truth: Sequence[Move]) -> Iterator[tuple[int, int | None, int | None]]:
    next_truth = list(_free(truth, state.t, state.t_ahead, lambda a, b: a.t_s == b.t_s))
    next_run = list(_free(run, state.r, state.r_ahead, _may_swap))
    for t, r in itertools.product(next_truth, next_run):
        yield (0 if truth[t].token == run[r].token else 1), t, r
    for t in next_truth:
        yield 1, t, None
    for r in next_run:
        yield 1, None, r


def _may_swap(a: Move, b: Move) -> bool:
    return (a.zone, a.seat) == (b.zone, b.seat) and abs(a.t_s - b.t_s) <= SAME_TIME_S


def _free(
    moves: Sequence[Move], start: int, ahead: frozenset[int], swaps: Callable[[Move, Move], bool]
) -> Iterator[int]:
    """Moves that may come next: every earlier one is used up or may swap with it."""
    waiting: list[int] = []
    for i in range(start, len(moves)):
        if i in ahead:
            continue
        if all(swaps(moves[j], moves[i]) for j in waiting):
            yield i
        elif len(waiting) > 0 and moves[i].t_s - moves[waiting[0]].t_s > SAME_TIME_S:
            return
        waiting.append(i)


def _advanced(state: _State, t: int | None, r: int | None) -> _State:
    t_next, t_ahead = _used(state.t, state.t_ahead, t)
    r_next, r_ahead = _used(state.r, state.r_ahead, r)
    return _State(t_next, t_ahead, r_next, r_ahead)


def _used(start: int, ahead: frozenset[int], i: int | None) -> tuple[int, frozenset[int]]:
    if i is None:
        return start, ahead
    ahead = ahead | {i}
    while start in ahead:
        ahead = ahead - {start}
        start += 1
    return start, ahead


def score_differences(run: Sequence[SeatScore], truth: Sequence[SeatScore]) -> Iterator[str]:
    """What differs in the scores of the seats, in words."""
    for seat in range(max(len(run), len(truth))):
        got = run[seat] if seat < len(run) else SeatScore()
        true = truth[seat] if seat < len(truth) else SeatScore()
        for name, a, b in (("points", got.points, true.points), ("total", got.total, true.total)):
            if a != b:
                yield f"seat {seat}: {name} {a}, truly {b}"
        if got.yaku != true.yaku:
            yield f"seat {seat}: yaku {_yaku(got)}, truly {_yaku(true)}"


def _yaku(score: SeatScore) -> str:
    return ", ".join(f"{name} {value}" for name, value in score.yaku) or "none"


def percentile(values: Sequence[float], percent: float) -> float | None:
    """The value that `percent` of `values` do not exceed (nearest rank); None for no values."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[max(0, -(-int(percent * len(ordered)) // 100) - 1)]


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 1)
