"""Round places on the mat that a hand covers to say what no card shows: found for any layout, near each seat.

A seat has a few *slots* that depend on the layout alone, so what is said at one seat never moves another's spots.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout, Zone
from calibration.polygons import Point, edges
from calibration.textareas import TextAreas, text_areas
from engine.events import Place

RADIUS_MM: Final = 26.0
LEAST_RADIUS_MM: Final = 22.0
SLOTS: Final = 4
"""Most things that one seat can be offered to say at once."""
_GAP_MM: Final = 5.0
_APART_MM: Final = 78.0
"""Least distance of two spots: a hand on one does not lie on the other."""
_STEP_MM: Final = 6.0
_EDGE_MM: Final = 5.0
_ON_LINE_MM: Final = 180.0
_ON_PANEL_MM: Final = 90.0
_ON_LANE_MM: Final = 110.0
_ON_ZONE_MM: Final = 5000.0
_BEHIND: Final = 1.5
"""How much more a mm away from the reader counts than one beside the hand: a row of spots, not a column."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A round place in table mm where covering it by hand says `name` for `seat`."""

    name: str
    seat: int
    x_mm: float
    y_mm: float
    radius_mm: float = RADIUS_MM


def spots(layout: Layout, names_by_seat: Mapping[int, Sequence[str]]) -> tuple[Spot, ...]:
    """A spot for each name that a seat may say now, in the seat's slots in the order given; at most `SLOTS` a seat."""
    found = slots(layout)
    return tuple(
        Spot(name, seat, *found[seat][i][:2], found[seat][i][2])
        for seat, names in sorted(names_by_seat.items())
        for i, name in enumerate(names[: len(found[seat])])
    )


@lru_cache(maxsize=16)
def slots(layout: Layout) -> tuple[tuple[tuple[float, float, float], ...], ...]:
    """Centre and radius (table mm) of the places for each seat's spots, best first.

    They keep clear of zones; of text areas and of the way from the hand to the field where that is possible. On a mat
    without any other room they lie on zones.
    """
    areas = text_areas(layout)
    costs = [
        {radius: _cost(layout, seat, areas, radius) for radius in (RADIUS_MM, LEAST_RADIUS_MM)}
        for seat in range(len(layout.seats))
    ]
    taken: list[Point] = []
    found: dict[int, list[tuple[float, float, float]]] = {seat: [] for seat in range(len(layout.seats))}
    for _ in range(SLOTS):
        for seat, own in found.items():
            place = _best(layout, costs[seat], taken)
            if place is not None:
                own.append(place)
                taken.append(place[:2])
    return tuple(tuple(own) for own in found.values())


def _best(
    layout: Layout, costs: Mapping[float, NDArray[np.float64]], taken: Sequence[Point]
) -> tuple[float, float, float] | None:
    best, least = None, math.inf
    for radius, cost in costs.items():
        x, y = _grid(layout, radius)
        free = cost.copy()
        for other in taken:
            free[np.hypot(x - other[0], y - other[1]) < _APART_MM] = math.inf
        i = int(np.argmin(free)) if free.size else -1
        if i >= 0 and free[i] < least:
            best, least = (float(x[i]), float(y[i]), radius), float(free[i])
    return best


def _cost(layout: Layout, seat: int, areas: TextAreas, radius: float) -> NDArray[np.float64]:
    """How little each place of the grid suits a spot of `seat`, mm of way, shape (N,); inf nearer to another seat."""
    x, y = _grid(layout, radius)
    cost = _away(layout, seat, x, y) + (RADIUS_MM - radius) * 10
    homes = [_home(layout, other) for other in range(len(layout.seats))]
    mine = np.hypot(x - homes[seat][0], y - homes[seat][1])
    for other, home in enumerate(homes):
        if other != seat:
            cost[np.hypot(x - home[0], y - home[1]) < mine - 1.0] = math.inf
    for zone in layout.zones:
        cost += _ON_ZONE_MM * _weight(zone) * (_distance(zone.polygon_mm, x, y) < radius + _GAP_MM)
    for penalty, texts in ((_ON_LINE_MM, areas.lines), (_ON_PANEL_MM, areas.panels)):
        for area in texts:
            if area is not None:
                cost += penalty * (_distance(area.corners_mm, x, y) < radius + _GAP_MM)
    lane = _lane(layout, seat)
    if lane:
        cost += _ON_LANE_MM * (_distance(lane, x, y) < radius)
    return cost


def _weight(zone: Zone) -> float:
    """How bad a spot on this zone is, where it must be on one: worst where cards are played."""
    return {"box": 1.0, "removed": 2.0, "captured": 3.0}.get(zone.place.zone, 10.0)


def _grid(layout: Layout, radius: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """x and y of centres at which a spot lies on the mat, shape (N,) each: mirror images about the mat's middle."""
    columns, rows = (int((length / 2 - radius - _EDGE_MM) // _STEP_MM) for length in layout.mat_mm)
    x, y = np.meshgrid(np.arange(-columns, columns + 1) * _STEP_MM, np.arange(-rows, rows + 1) * _STEP_MM)
    return x.ravel(), y.ravel()


def _distance(polygon: Sequence[Point], x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far each point is from the polygon, shape (N,); 0 inside."""
    nearest = np.full(x.shape, math.inf)
    within = np.zeros(x.shape, dtype=bool)
    for (x1, y1), (x2, y2) in edges(polygon):
        dx, dy = x2 - x1, y2 - y1
        along = np.clip(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy or 1.0), 0.0, 1.0)
        nearest = np.minimum(nearest, np.hypot(x - x1 - along * dx, y - y1 - along * dy))
        if y1 != y2:
            within ^= ((y1 > y) != (y2 > y)) & (x < x1 + (y - y1) * dx / dy)
    return np.where(within, 0.0, nearest)


def _home(layout: Layout, seat: int) -> Point:
    """The middle of the seat's hand, else of its side of the mat."""
    hand = layout.zone(Place("hand", seat))
    if hand is not None:
        return hand.centre_mm
    turn = math.radians(layout.seats[seat].facing_deg)
    return math.sin(turn) * layout.mat_mm[0] / 2, -math.cos(turn) * layout.mat_mm[1] / 2


def _away(layout: Layout, seat: int, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far each point is from the seat's hand, in mm, shape (N,): beyond its ends, and more so across the table."""
    turn = math.radians(layout.seats[seat].facing_deg)
    c, s = math.cos(turn), math.sin(turn)
    hand = layout.zone(Place("hand", seat))
    corners = [_home(layout, seat)] if hand is None else list(hand.polygon_mm)
    us, vs = [px * c + py * s for px, py in corners], [-px * s + py * c for px, py in corners]
    u, v = x * c + y * s, -x * s + y * c
    aside = np.maximum(np.maximum(min(us) - u, u - max(us)), 0.0)
    middle = 0.02 * np.abs(u - (min(us) + max(us)) / 2)
    return np.asarray(np.hypot(aside, _BEHIND * (v - (min(vs) + max(vs)) / 2)) + middle)


def _lane(layout: Layout, seat: int) -> tuple[Point, ...]:
    """The ground that arms cross on their way from the seat to where it plays and draws: a triangle, or nothing."""
    targets = [zone for name in ("field", "discard", "draw") if (zone := layout.zone(Place(name))) is not None]
    if not targets:
        return ()
    hx, hy = _home(layout, seat)
    far = [corner for zone in targets for corner in zone.polygon_mm]
    centre = targets[0].centre_mm
    middle = math.atan2(centre[1] - hy, centre[0] - hx)
    turns = [((math.atan2(y - hy, x - hx) - middle + math.pi) % (2 * math.pi) - math.pi, (x, y)) for x, y in far]
    return (hx, hy), min(turns)[1], max(turns)[1]
