"""The table that a picture is composed for: where cards lie, and where there is room for another one."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from calibration.frames import Pose
from calibration.layout import Layout, Zone
from engine.cards import Card
from engine.events import Place
from projection.scene import CARD_MM, Point
from projection.space import Turned, meet

_SLOT_MM = 9.0


@dataclass(frozen=True, slots=True)
class Table:
    """Known cards, other things that must stay dark, the draw pile, and the layout they lie on."""

    layout: Layout
    poses: Mapping[Card, Pose]
    occupied: tuple[Pose, ...] = ()
    draw_pile: Pose | None = None

    @property
    def all_poses(self) -> tuple[Pose, ...]:
        """Everything that lies on the mat, the draw pile too."""
        pile = () if self.draw_pile is None else (self.draw_pile,)
        return (*self.poses.values(), *self.occupied, *pile)

    def turned(self, seat: int | None) -> Turned:
        """The mat as the reader at `seat` sees it; shared things are turned to seat 0."""
        return Turned(self.layout.seats[seat or 0].facing_deg)

    def pose_for(self, place: Place, x_mm: float, y_mm: float) -> Pose:
        """A card at (x, y) as it would lie in `place`: upright for the place's seat."""
        return Pose(x_mm, y_mm, math.radians(self.turned(place.seat).facing_deg), 0.0)

    def middle(self, place: Place) -> Pose | None:
        """A card in the middle of `place`, whatever lies there, or None where the layout has no such zone."""
        zone = self.layout.zone(place)
        return None if zone is None else self.pose_for(place, *zone.centre_mm)

    def is_free(self, pose: Pose, gap_mm: float = 3.0) -> bool:
        """Whether a card laid there would keep `gap_mm` from everything on the mat (the draw pile counts)."""
        shape = pose.corners_mm(CARD_MM[0] + 2 * gap_mm, CARD_MM[1] + 2 * gap_mm)
        near = (p for p in self.all_poses if math.hypot(p.x_mm - pose.x_mm, p.y_mm - pose.y_mm) < 75.0 + gap_mm)
        return not any(meet(shape, p.corners_mm(*CARD_MM)) for p in near)

    def sees(self, one: Pose, other: Pose) -> bool:
        """Whether no third card lies on the straight line between two cards."""
        line = ((one.x_mm, one.y_mm), (other.x_mm, other.y_mm), (other.x_mm + 0.1, other.y_mm + 0.1))
        return not any(meet(line, pose.corners_mm(*CARD_MM)) for pose in self.all_poses if pose not in (one, other))

    def free_slot(self, place: Place, near: Point) -> Pose | None:
        """Where in `place` there is room for one more card, as near as possible to `near`, or None."""
        zone = self.layout.zone(place)
        if zone is None:
            return None
        if place.zone == "draw" and self.draw_pile is not None:
            return self.draw_pile
        left, low, right, high = zone.bounds_mm
        points = [
            (left + (right - left) * i / 14, low + (high - low) * j / 14) for i in range(1, 14) for j in range(1, 14)
        ]
        for x, y in sorted(points, key=lambda p: (math.dist(p, near), p)):
            pose = self.pose_for(place, x, y)
            if all(zone.contains(*corner) for corner in pose.corners_mm(*CARD_MM)) and self.is_free(pose):
                return pose
        return None

    def gaps(self, place: Place, wanted: int) -> tuple[Pose, ...]:
        """Free places for `wanted` more cards in `place`, in even rows around its middle; fewer if they do not fit."""
        zone = self.layout.zone(place)
        if zone is None or wanted < 1:
            return ()
        best: tuple[Pose, ...] = ()
        for rows in _grids(_bounds(zone, self.turned(place.seat))):
            free: list[Pose] = []
            for u, v in rows:
                pose = self.pose_for(place, *self.turned(place.seat).table(u, v))
                if len(free) < wanted and self.is_free(pose, 2.0):
                    free.append(pose)
            if len(free) > len(best):
                best = tuple(free)
            if len(best) == wanted:
                break
        return best


def _grids(bounds: tuple[float, float, float, float]) -> Iterator[tuple[Point, ...]]:
    """Even rows of card centres that fill the bounds, the middle first; then the same rows moved a little."""
    u0, v0, u1, v1 = bounds
    pitch_u, pitch_v = CARD_MM[0] + _SLOT_MM, CARD_MM[1] + _SLOT_MM
    middle = (u0 + u1) / 2, (v0 + v1) / 2
    steps = sorted(((i, j) for i in range(-2, 3) for j in range(-2, 3)), key=lambda step: (abs(step[1]), abs(step[0])))
    for i, j in steps:
        start = middle[0] + i * pitch_u / 5, middle[1] + j * pitch_v / 5
        points = (
            (start[0] + a * pitch_u, start[1] + b * pitch_v / 2)
            for a in range(-20, 21)
            for b in _rows(v1 - v0, pitch_v)
        )
        w, h = CARD_MM[0] / 2 + 2, CARD_MM[1] / 2 + 2
        inside = [p for p in points if u0 + w <= p[0] <= u1 - w and v0 + h <= p[1] <= v1 - h]
        yield tuple(sorted(inside, key=lambda p: (math.hypot(p[0] - middle[0], 2 * (p[1] - middle[1])), -p[1], p[0])))


def _rows(height: float, pitch: float) -> range:
    """Rows as half pitches from the middle: one row on it, two above and below, and so on."""
    count = max(1, int((height + _SLOT_MM) // pitch))
    return range(1 - count, count, 2)


def _bounds(zone: Zone, turned: Turned) -> tuple[float, float, float, float]:
    local: Sequence[Point] = [turned.local(*p) for p in zone.polygon_mm]
    return min(u for u, _ in local), min(v for _, v in local), max(u for u, _ in local), max(v for _, v in local)


def zone_bounds(table: Table, place: Place, seat: int | None = None) -> tuple[float, float, float, float] | None:
    """Least u, least v, largest u, largest v of a zone as the reader at `seat` sees it, or None without that zone."""
    zone = table.layout.zone(place)
    return None if zone is None else _bounds(zone, table.turned(place.seat if seat is None else seat))
