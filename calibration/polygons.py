"""Small polygons in the plane, in plain Python: fast for the four corners that zones have."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

Point = tuple[float, float]


def inside(polygon: Sequence[Point], x: float, y: float) -> bool:
    """Whether the point lies in the polygon (either winding). Of two polygons that share an edge only one holds it."""
    within = False
    x1, y1 = polygon[-1]
    for x2, y2 in polygon:
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            within = not within
        x1, y1 = x2, y2
    return within


def area(polygon: Sequence[Point]) -> float:
    """The signed area: positive where the corners run anticlockwise (x right, y up)."""
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in edges(polygon)) / 2


def edges(polygon: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """Each side of the polygon as its two ends."""
    yield from zip(polygon, [*polygon[1:], polygon[0]], strict=True)


def crosses_itself(polygon: Sequence[Point]) -> bool:
    """Whether sides that are not neighbours meet, neighbours fold back, or the polygon has no area."""
    sides = list(edges(polygon))
    if abs(area(polygon)) < 1e-9:
        return True
    for i, (a, b) in enumerate(sides):
        if a == b:
            return True
        for j in range(i + 1, len(sides)):
            c, d = sides[j]
            if j == i + 1 or (i == 0 and j == len(sides) - 1):
                start, corner, end = (a, b, d) if j == i + 1 else (c, a, b)
                if _turn(start, corner, end) == 0 and _dot(start, corner, end) < 0:
                    return True
            elif _meet(a, b, c, d):
                return True
    return False


def overlap(first: Sequence[Point], second: Sequence[Point], slack: float = 0.0) -> bool:
    """Whether two simple polygons share area deeper than `slack`; touching along edges is no overlap."""
    if any(_cross(a, b, c, d, slack) for a, b in edges(first) for c, d in edges(second)):
        return True
    return any(_deep(second, p, slack) for p in _samples(first)) or any(
        _deep(first, p, slack) for p in _samples(second)
    )


def distance(polygon: Sequence[Point], x: float, y: float) -> float:
    """How far the point is from the polygon's outline, inside or out."""
    nearest = math.inf
    for (x1, y1), (x2, y2) in edges(polygon):
        dx, dy = x2 - x1, y2 - y1
        along = max(0.0, min(1.0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy or 1.0)))
        nearest = min(nearest, math.hypot(x - x1 - along * dx, y - y1 - along * dy))
    return nearest


def _deep(polygon: Sequence[Point], point: Point, slack: float) -> bool:
    """Whether the point lies inside, further than `slack` from the outline."""
    return inside(polygon, *point) and distance(polygon, *point) > slack


def _samples(polygon: Sequence[Point]) -> Iterator[Point]:
    """Points of the polygon's outline and one inside it."""
    yield from polygon
    for (x1, y1), (x2, y2) in edges(polygon):
        yield (x1 + x2) / 2, (y1 + y2) / 2
    yield _interior(polygon)


def _interior(polygon: Sequence[Point]) -> Point:
    """A point inside a simple polygon: the middle of the longest stretch of a level line through it."""
    ys = sorted({y for _, y in polygon})
    y = max(((high - low, (high + low) / 2) for low, high in pairwise(ys)))[1]
    cuts = sorted(
        x1 + (y - y1) * (x2 - x1) / (y2 - y1) for (x1, y1), (x2, y2) in edges(polygon) if (y1 > y) != (y2 > y)
    )
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    left, right = max(pairs, key=lambda pair: pair[1] - pair[0])
    return (left + right) / 2, y


def _turn(a: Point, b: Point, c: Point) -> float:
    """Above 0 where a → b → c turns left, 0 on a line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _dot(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1])


def _cross(a: Point, b: Point, c: Point, d: Point, slack: float = 0.0) -> bool:
    """Whether the segments ab and cd cross, every end more than `slack` from the other segment's line."""
    long, short = slack * math.dist(a, b), slack * math.dist(c, d)
    over = (_turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b))
    if min(abs(over[0]), abs(over[1])) <= long or min(abs(over[2]), abs(over[3])) <= short:
        return False
    return over[0] * over[1] < 0 and over[2] * over[3] < 0


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the closed segments ab and cd have a point in common."""
    if _cross(a, b, c, d):
        return True
    return any(_on(p, q, r) for p, q, r in ((a, b, c), (a, b, d), (c, d, a), (c, d, b)))


def _on(a: Point, b: Point, p: Point) -> bool:
    """Whether p lies on the closed segment ab."""
    return (
        _turn(a, b, p) == 0
        and min(a[0], b[0]) <= p[0] <= max(a[0], b[0])
        and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
    )
