"""The table that a picture is composed for: where cards lie, and where there is room for another one."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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

    def gaps(self, place: Place, count: int, wanted: int) -> tuple[Pose, ...]:
        """Free places for `wanted` of the `count` cards of `place`: in its rows, else anywhere in the zone."""
        table, found = self, []
        rows = self.slots(place, count)
        for _ in range(wanted):
            pose = next((slot for slot in rows if table.is_free(slot, 1.0)), None)
            if pose is None and rows:
                pose = table.free_slot(place, (rows[-1].x_mm, rows[-1].y_mm))
            if pose is None:
                break
            found.append(pose)
            table = replace(table, occupied=(*table.occupied, pose))
        return tuple(found)

    def slots(self, place: Place, count: int) -> tuple[Pose, ...]:
        """Places for `count` cards in rows in the middle of `place`, upright for its seat; fewer if they do not fit."""
        zone = self.layout.zone(place)
        if zone is None or count < 1:
            return ()
        turned = self.turned(place.seat)
        u0, v0, u1, v1 = _bounds(zone, turned)
        pitch_u, pitch_v = CARD_MM[0] + _SLOT_MM, CARD_MM[1] + _SLOT_MM
        most = max(1, int((u1 - u0) // pitch_u))
        rows = min(max(1, int((v1 - v0) // pitch_v)), 2 if count > most or count >= 8 else 1)
        columns = min(most, math.ceil(count / rows))
        poses = []
        for i in range(min(count, rows * columns)):
            row, column = divmod(i, columns)
            u = (u0 + u1) / 2 + (column - (columns - 1) / 2) * pitch_u
            v = (v0 + v1) / 2 - (row - (rows - 1) / 2) * pitch_v
            poses.append(self.pose_for(place, *turned.table(u, v)))
        return tuple(poses)


def _bounds(zone: Zone, turned: Turned) -> tuple[float, float, float, float]:
    local: Sequence[Point] = [turned.local(*p) for p in zone.polygon_mm]
    return min(u for u, _ in local), min(v for _, v in local), max(u for u, _ in local), max(v for _, v in local)


def zone_bounds(table: Table, place: Place, seat: int | None = None) -> tuple[float, float, float, float] | None:
    """Least u, least v, largest u, largest v of a zone as the reader at `seat` sees it, or None without that zone."""
    zone = table.layout.zone(place)
    return None if zone is None else _bounds(zone, table.turned(place.seat if seat is None else seat))
