"""Whose arm reaches over the table: seen at the mat's edge, to tell whose hidden hand a card came from."""

from collections import Counter, deque
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from calibration.view import TableView
from engine.events import Place
from vision.reach import Touching
from vision.spots import differs, means
from vision.values import Frame, Laid
from vision.visits import PileVisits

_INSIDE_MM: Final = 2.0
"""So far inside the mat's edge: nothing is projected there, and hardly a card lies there."""
_STEP_MM: Final = 10.0
_ARM_STEPS: Final = 3
_LEARN_S: Final = 2.0
_REMEMBER_S: Final = 4.0
_LOOK_BACK_S: Final = 1.0
_CAME_S: Final = (0.9, 0.5)
"""The arm that laid a card was there at some time between these before the card was seen."""
_SURE_FRAMES: Final = 2
_MORE: Final = 2.0
_STILL: Final = 12.0

Reaches = Callable[[float, float], tuple[tuple[float, float], ...]]


class ArmWatcher:
    """Remembers for some seconds which seats' arms were over the mat's edge. `size_px` is the camera's."""

    def __init__(self, view: TableView, layout: Layout, size_px: tuple[int, int]) -> None:
        points, seats = _edge(layout)
        near = np.array([(-2.0, -0.7), (2.0, -0.7), (-0.7, 2.0), (0.7, -2.0)]) / 2
        px = np.rint(view.camera_px((points[:, None] + near).reshape(-1, 2))).astype(np.intp).reshape(-1, 4, 2)
        inside = ((px >= 0) & (px < size_px)).all(axis=(1, 2))
        self._index = px[inside, :, 1] * size_px[0] + px[inside, :, 0]
        self._seats = seats[inside]
        self._bare: NDArray[np.float32] | None = None
        self._last = np.zeros((0, 3), dtype=np.float32)
        self._since_s = np.zeros(0)
        self._points = points
        self._all_seats = seats
        self._seen: deque[tuple[float, frozenset[int]]] = deque()
        self._reaches: deque[tuple[float, Reaches]] = deque()
        self._visits = PileVisits()

    def watch(self, frame: Frame) -> frozenset[int]:
        """The seats whose arms are over the edge now."""
        now = means(frame.image.reshape(-1, 3), self._index)
        if self._bare is None:
            self._bare, self._last, self._since_s = now.copy(), now, np.full(len(now), frame.t_s)
        changed = np.abs(now - self._last).max(axis=1) > _STILL
        self._since_s[changed] = frame.t_s
        self._last = np.where(changed[:, None], now, self._last)
        gain = np.median((now + 4) / (self._bare + 4), axis=0).astype(np.float32)
        covered = differs(now, self._bare, gain)
        settled = frame.t_s - self._since_s >= _LEARN_S
        np.copyto(self._bare, now, where=settled[:, None])
        run = covered.copy()
        for step in range(1, _ARM_STEPS):
            run[step:] &= covered[:-step] & (self._seats[step:] == self._seats[:-step])
            run[:step] = False
        arms = frozenset(np.unique(self._seats[run]).tolist())
        self._seen.append((frame.t_s, arms))
        while self._seen[0][0] < frame.t_s - _REMEMBER_S:
            self._seen.popleft()
        return arms

    def reach(self, t_s: float, reaches: Reaches) -> None:
        """Arms are over the table: `reaches` tells where those come in that are over a point (all table mm)."""
        self._reaches.append((t_s, reaches))
        while self._reaches[0][0] < t_s - _REMEMBER_S:
            self._reaches.popleft()

    def touch(self, t_s: float, pile_mm: tuple[float, float], touching: Touching) -> None:
        """`touching` tells how near the arms over the table are to a point; the draw pile lies at `pile_mm`."""
        self._visits.watch(t_s, pile_mm, touching, self._seat_at)

    def laid(self, t_s: float, at_mm: tuple[float, float], likely: int | None, drawn_s: float) -> Laid:
        """How a card came to `at_mm` just before `t_s`; what was taken off the pile before `drawn_s` is accounted for.

        `likely` is the seat whose turn it is.
        """
        seat = self.laid_by(t_s, at_mm, likely)
        if seat is None:
            return Laid(None)
        there_s = [when_s for when_s, seats in self._seen if seat in seats]
        return Laid(seat, self._visits.took(seat, t_s, at_mm, drawn_s, there_s))

    def laid_by(self, t_s: float, at_mm: tuple[float, float] | None = None, likely: int | None = None) -> int | None:
        """The seat whose arm was over `at_mm` just before `t_s`, or else over the table at all.

        `likely` is whose turn it is: that seat, where its arm came in time and was the last to leave. None where no
        arm was seen, or several alike.
        """
        if likely is not None and self._came_and_left_last(likely, t_s):
            return likely
        if at_mm is not None:
            near = [reaches(*at_mm) for when_s, reaches in self._reaches if _just_before(when_s, t_s)]
            alone = [self._seat_at(points[0]) for points in near if len(points) == 1]
            if len(alone) >= _SURE_FRAMES:
                return _most(alone)
        return _most([seat for when_s, arms in self._seen if _just_before(when_s, t_s) for seat in arms])

    def _came_and_left_last(self, seat: int, t_s: float) -> bool:
        in_time = any(seat in arms for when_s, arms in self._seen if t_s - _CAME_S[0] <= when_s <= t_s - _CAME_S[1])
        last = next((arms for when_s, arms in reversed(self._seen) if arms and _just_before(when_s, t_s)), frozenset())
        return in_time and seat in last

    def _seat_at(self, point_mm: tuple[float, float]) -> int:
        """The seat that sits where an arm comes in."""
        return int(self._all_seats[np.hypot(*(self._points - point_mm).T).argmin()])


def _just_before(when_s: float, t_s: float) -> bool:
    return t_s - _LOOK_BACK_S <= when_s <= t_s


def _most(seats: list[int]) -> int | None:
    """The seat that is named much more often than any other."""
    ranked = Counter(seats).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] < _MORE * ranked[1][1]):
        return None
    return ranked[0][0]


def _edge(layout: Layout) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Points along the mat's edge in table mm, shape (N, 2), and the seat that sits there, shape (N,).

    Each side belongs to the seats that face it; one that nobody faces is left out.
    """
    width, height = (length / 2 - _INSIDE_MM for length in layout.mat_mm)
    points: list[tuple[float, float]] = []
    seats: list[int] = []
    for facing, along, at in ((0, width, -height), (90, height, width), (180, width, height), (270, height, -width)):
        sitting = [i for i, seat in enumerate(layout.seats) if round(seat.facing_deg / 90) % 4 * 90 == facing]
        for t in np.arange(-along, along, _STEP_MM).tolist() if sitting else ():
            point = (t, at) if facing in (0, 180) else (at, t)
            points.append(point)
            seats.append(min(sitting, key=lambda seat: _away(layout, seat, point)))
    return np.array(points, dtype=np.float64).reshape(-1, 2), np.array(seats, dtype=np.intp)


def _away(layout: Layout, seat: int, point: tuple[float, float]) -> float:
    hand = layout.zone(Place("hand", seat))
    centre = (0.0, 0.0) if hand is None else hand.centre_mm
    return float(np.hypot(centre[0] - point[0], centre[1] - point[1]))
