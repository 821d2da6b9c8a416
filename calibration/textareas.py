"""Free parts of the mat where words can be projected without lying on a zone: found for any layout, not only ours."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from calibration import polygons
from calibration.layout import Layout
from calibration.polygons import Point, overlap
from engine.events import Place

_MARGIN_MM: Final = 6.0
_GRID_MM: Final = 25.0
_REACH_MM: Final = 100.0
_LEFTWARDS: Final = 0.2  # of the height looked for: of two equal places each seat takes the one to its left
_PANEL_MM: Final = (260.0, 200.0)
_LINE_MM: Final = (420.0, 44.0)
_LEAST_LINE_MM: Final = 240.0
_CENTRE_MM: Final = (420.0, 120.0)
_LEAST_MM: Final = (60.0, 18.0)


Rectangle = tuple[float, float, float, float]
Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class TextArea:
    """A free rectangle for text that faces a reader. `width_mm` runs to the reader's right, `height_mm` away from it.

    `centre_mm` is in the table frame; `facing_deg` is the anticlockwise turn of a text upright for the reader;
    `seat` is None for the area that belongs to all.
    """

    seat: int | None
    centre_mm: Point
    width_mm: float
    height_mm: float
    facing_deg: float

    @property
    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """Corners in table mm, clockwise from the reader's top-left."""
        w, h = self.width_mm / 2, self.height_mm / 2
        x0, y0 = self.centre_mm
        turned = [_turn(p, self.facing_deg) for p in ((-w, h), (w, h), (w, -h), (-w, -h))]
        a, b, c, d = ((x0 + x, y0 + y) for x, y in turned)
        return a, b, c, d


@dataclass(frozen=True, slots=True)
class TextAreas:
    """Where to write: for each seat a `panel` (score, yaku) and a flat `line` near its hand (a sentence); one `centre`.

    None where the layout leaves no room of at least 60 x 18 mm. No two areas overlap, none lies on a zone.
    """

    panels: tuple[TextArea | None, ...]
    lines: tuple[TextArea | None, ...]
    centre: TextArea | None


@dataclass(frozen=True, slots=True)
class _Shape:
    """A polygon with its extent along x and y and whether it is a rectangle along the axes."""

    polygon: Sequence[Point]
    spans: tuple[Span, Span]
    upright: bool


def text_areas(layout: Layout) -> TextAreas:
    """The free areas of `layout`, as large as useful, near their readers, 6 mm clear of zones and the mat's edge.

    Some tenths of a second of work: call it once for a layout.
    """
    seats = range(len(layout.seats))
    homes = tuple(_home(layout, seat) for seat in seats)
    plans = [_areas_in_order(layout, homes, order) for order in (tuple(seats), tuple(reversed(seats)))]
    return max(plans, key=lambda plan: min(_worth(a, home) for a, home in zip(plan.panels, homes, strict=True)))


def _worth(area: TextArea | None, home: Point) -> float:
    """How useful an area is to a reader at `home`: its size, less with distance."""
    if area is None:
        return 0.0
    return area.width_mm * area.height_mm / (1 + (math.dist(area.centre_mm, home) / _REACH_MM) ** 2)


def _areas_in_order(layout: Layout, homes: Sequence[Point], order: Sequence[int]) -> TextAreas:
    """The areas where the seats choose in `order`, first their lines, then their panels."""
    taken = [zone.polygon_mm for zone in layout.zones]
    lines: dict[int, TextArea | None] = {}
    panels: dict[int, TextArea | None] = {}
    for found in (lines, panels):
        for seat in order:
            facing = layout.seats[seat].facing_deg
            size = _line_mm(layout, seat) if found is lines else _PANEL_MM
            best = _best(layout, taken, facing, homes[seat], homes, size)
            found[seat] = area = best and TextArea(seat, *best, facing)
            taken += [area.corners_mm] if area else []
    centre = _best(layout, taken, 0.0, (0.0, 0.0), (), _CENTRE_MM)
    return TextAreas(
        panels=tuple(panels[seat] for seat in sorted(order)),
        lines=tuple(lines[seat] for seat in sorted(order)),
        centre=centre and TextArea(None, *centre, 0.0),
    )


def _line_mm(layout: Layout, seat: int) -> tuple[float, float]:
    """The size of a seat's line: as wide as its hand, so that it leaves the rest to the panel."""
    hand = layout.zone(Place("hand", seat))
    if hand is None:
        return _LINE_MM
    xs = [_turn(p, -layout.seats[seat].facing_deg)[0] for p in hand.polygon_mm]
    return min(max(max(xs) - min(xs), _LEAST_LINE_MM), _LINE_MM[0]), _LINE_MM[1]


def _home(layout: Layout, seat: int) -> Point:
    """Where the seat looks first: its hand, else the middle of its zones, else its side of the mat."""
    own = [zone for zone in layout.zones if zone.place.seat == seat]
    hands = [zone for zone in own if zone.place.zone == "hand"] or own
    if hands:
        xs, ys = zip(*(zone.centre_mm for zone in hands), strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)
    x, y = _turn((0.0, -1.0), layout.seats[seat].facing_deg)
    return x * layout.mat_mm[0] / 2, y * layout.mat_mm[1] / 2


def _best(
    layout: Layout,
    taken: Sequence[Sequence[Point]],
    facing_deg: float,
    home: Point,
    homes: Sequence[Point],
    size: tuple[float, float],
) -> tuple[Point, float, float] | None:
    """Centre (table mm), width and height of the most useful free rectangle: large up to `size`, near `home`.

    One that lies nearer to another of the `homes` is worth a quarter, much nearer nothing.
    """
    blocked = [tuple(_turn(p, -facing_deg) for p in polygon) for polygon in taken]
    half_w, half_h = layout.mat_mm[0] / 2, layout.mat_mm[1] / 2
    corners = ((-half_w, half_h), (half_w, half_h), (half_w, -half_h), (-half_w, -half_h))
    mat = tuple(_turn(p, -facing_deg) for p in corners)
    target = _turn(home, -facing_deg)
    best, best_value = None, 0.0
    for left, low, right, high in _free(mat, blocked):
        width, height = min(right - left, size[0]), min(high - low, size[1])
        if width < _LEAST_MM[0] or height < _LEAST_MM[1] or width * height <= best_value:
            continue
        x = min(max(target[0], left + width / 2), right - width / 2)
        y = min(max(target[1], low + height / 2), high - height / 2)
        aside = abs(x - target[0] + _LEFTWARDS * size[1])
        away = math.hypot(max(0.0, aside - width / 2), max(0.0, abs(y - target[1]) - height / 2))
        value = width * height / (1 + (away / _REACH_MM) ** 2)
        centre = _turn((x, y), facing_deg)
        if any(math.dist(centre, other) < 0.5 * math.dist(centre, home) for other in homes):
            continue
        if any(math.dist(centre, other) < 0.75 * math.dist(centre, home) for other in homes):
            value /= 4
        if value > best_value:
            best, best_value = (centre, width, height), value
    return best


def _free(mat: Sequence[Point], blocked: Sequence[Sequence[Point]]) -> Iterator[Rectangle]:
    """Rectangles inside the mat and clear of `blocked` that cannot grow to any side (and some that could).

    The lines beside all corners cut the plane into cells; a row of cells is an int whose bits are the free ones.
    """
    shapes = [mat, *blocked]
    measured = [_Shape(shape, (_span(shape, 0), _span(shape, 1)), _upright(shape)) for shape in shapes]
    slanted = not all(shape.upright for shape in measured)
    xs = _cuts([x for shape in shapes for x, _ in shape], slanted)
    ys = _cuts([y for shape in shapes for _, y in shape], slanted)
    rows = [_free_columns(pair, xs, measured[0], measured[1:]) for pair in pairwise(ys)]
    for low in range(len(rows)):
        bits = rows[low]
        for high in range(low, len(rows)):
            bits &= rows[high]
            if bits == 0:
                break
            taller = bits & rows[high + 1] if high + 1 < len(rows) else 0
            lower = bits & rows[low - 1] if low > 0 else 0
            if bits not in (taller, lower):
                yield from ((xs[first], ys[low], xs[last], ys[high + 1]) for first, last in _runs(bits))


def _free_columns(row: Span, xs: Sequence[float], mat: _Shape, blocked: Sequence[_Shape]) -> int:
    """The cells of one row that lie on the mat and touch nothing, both with the margin; bit i is the i-th column."""
    near = [shape for shape in blocked if _meet(shape.spans[1], row)]
    bits = 0
    for i, column in enumerate(pairwise(xs)):
        hit = [shape for shape in near if _meet(shape.spans[0], column)]
        if any(shape.upright for shape in hit):
            continue
        grown = _grown(column, row)
        if not any(_outside(mat.polygon, p) for p in grown) and not any(overlap(grown, s.polygon, 0.02) for s in hit):
            bits |= 1 << i
    return bits


def _runs(bits: int) -> Iterator[tuple[int, int]]:
    """First and one past the last of each run of ones."""
    first = 0
    while bits:
        zeros = (bits & -bits).bit_length() - 1
        bits >>= zeros
        ones = (~bits & (bits + 1)).bit_length() - 1
        yield first + zeros, first + zeros + ones
        bits >>= ones
        first += zeros + ones


def _cuts(values: Sequence[float], slanted: bool) -> list[float]:
    """Where a free rectangle may end: beside every corner by the margin, and on a grid where shapes are slanted."""
    cuts = {v + d for v in values for d in (-_MARGIN_MM, _MARGIN_MM)}
    if slanted:
        steps = int((max(values) - min(values)) / _GRID_MM)
        cuts |= {min(values) + i * _GRID_MM for i in range(steps + 1)}
    merged: list[float] = []
    for cut in sorted(cuts):
        if not merged or cut - merged[-1] > 0.01:
            merged.append(cut)
    return merged


def _grown(column: Span, row: Span) -> tuple[Point, ...]:
    """The cell with the margin around it."""
    left, right = column[0] - _MARGIN_MM, column[1] + _MARGIN_MM
    low, high = row[0] - _MARGIN_MM, row[1] + _MARGIN_MM
    return (left, low), (right, low), (right, high), (left, high)


def _outside(mat: Sequence[Point], point: Point) -> bool:
    """Whether the point lies beyond a side of the mat, given clockwise, by more than rounding."""
    px, py = point
    for (x1, y1), (x2, y2) in zip(mat, [*mat[1:], mat[0]], strict=True):
        if (x2 - x1) * (py - y1) - (y2 - y1) * (px - x1) > 0.02 * math.hypot(x2 - x1, y2 - y1):
            return True
    return False


def _span(polygon: Sequence[Point], axis: int) -> Span:
    values = [p[axis] for p in polygon]
    return min(values), max(values)


def _meet(shape: Span, cell: Span) -> bool:
    """Whether two spans come closer than the margin, by more than rounding."""
    return shape[0] < cell[1] + _MARGIN_MM - 0.02 and cell[0] - _MARGIN_MM + 0.02 < shape[1]


def _upright(polygon: Sequence[Point]) -> bool:
    """Whether the polygon is a rectangle along the axes."""
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    box = (max(xs) - min(xs)) * (max(ys) - min(ys))
    return abs(box - abs(polygons.area(polygon))) < 1e-6 * max(box, 1.0)


def _turn(point: Point, degrees: float) -> Point:
    """The point turned anticlockwise around the origin; exact for quarter turns."""
    x, y = point
    match degrees % 360:
        case 0:
            return x, y
        case 90:
            return -y, x
        case 180:
            return -x, -y
        case 270:
            return y, -x
        case turn:
            c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            return x * c - y * s, x * s + y * c
