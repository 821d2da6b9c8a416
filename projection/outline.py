"""Shapes as convex polygons in table mm: every line has its width on the mat, whatever the projector's angle."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from calibration.frames import Pose
from projection.scene import (
    BLACK,
    LINE_HEIGHT,
    RGB,
    Brackets,
    Dark,
    Disc,
    Fill,
    Line,
    Path,
    Point,
    Progress,
    Ring,
    Shape,
    Stroke,
    Text,
)

Polygon = tuple[Point, ...]
Piece = tuple[Polygon, RGB]


@lru_cache(maxsize=4096)
def pieces(shape: Shape) -> tuple[Piece, ...]:
    """Convex polygons (points in table mm, with their colours) that paint `shape` in order; none for a text."""
    match shape:
        case Fill(points_mm=points, colour=colour):
            return ((points, colour),) if len(points) >= 3 else ()
        case Disc(x_mm=x, y_mm=y, radius_mm=radius, colour=colour):
            return ((circle(x, y, radius), colour),)
        case Dark(pose=pose, margin_mm=margin, card_mm=card):
            return ((rounded(pose, margin, card), BLACK),)
        case Path():
            return tuple(_path(shape))
        case Ring():
            return tuple(_ring(shape))
        case Brackets():
            return tuple(_brackets(shape))
        case Progress():
            return tuple(_progress(shape))
        case Text():
            return ()


def text_box(text: Text) -> Polygon:
    """The four corners of a text's box in table mm, anticlockwise from the reader's lower left."""
    c, s = math.cos(math.radians(text.facing_deg)), math.sin(math.radians(text.facing_deg))
    w, h = text.width_mm / 2, text.size_mm * LINE_HEIGHT / 2
    corners = ((-w, -h), (w, -h), (w, h), (-w, h))
    return tuple((text.x_mm + u * c - v * s, text.y_mm + u * s + v * c) for u, v in corners)


def circle(x_mm: float, y_mm: float, radius_mm: float, steps: int = 28) -> Polygon:
    """A regular polygon that passes for a circle at table scale."""
    turns = (2 * math.pi * i / steps for i in range(steps))
    return tuple((x_mm + radius_mm * math.cos(a), y_mm + radius_mm * math.sin(a)) for a in turns)


def rounded(pose: Pose, margin_mm: float, card_mm: tuple[float, float]) -> Polygon:
    """The outline at `margin_mm` outside a card, with round corners, anticlockwise, convex."""
    w, h = card_mm[0] / 2, card_mm[1] / 2
    c, s = math.cos(pose.angle_rad), math.sin(pose.angle_rad)
    points = []
    for corner, (x, y) in enumerate(((w, h), (-w, h), (-w, -h), (w, -h))):
        for step in range(4):
            a = math.pi / 2 * (corner + step / 3)
            u, v = x + margin_mm * math.cos(a), y + margin_mm * math.sin(a)
            points.append((pose.x_mm + u * c - v * s, pose.y_mm + u * s + v * c))
    return tuple(points)


def _ring(ring: Ring) -> Iterator[Piece]:
    stroke, width = ring.stroke, ring.stroke.width_mm
    outer = ring.guard_mm + width

    def at(margin: float) -> Polygon:
        return rounded(ring.pose, margin, ring.card_mm)

    match stroke.line:
        case Line.SOLID:
            yield at(outer), stroke.colour
            yield at(ring.guard_mm), BLACK
        case Line.DOUBLE:
            yield at(outer), stroke.colour
            yield at(outer - width / 3), BLACK
            yield at(outer - width * 2 / 3), stroke.colour
            yield at(ring.guard_mm), BLACK
        case _:
            yield at(outer), BLACK
            yield from _path(Path(at(ring.guard_mm + width / 2), stroke, closed=True))


def _brackets(brackets: Brackets) -> Iterator[Piece]:
    middle = brackets.guard_mm + brackets.stroke.width_mm / 2
    yield rounded(brackets.pose, brackets.guard_mm, brackets.card_mm), BLACK
    w, h = brackets.card_mm[0] / 2 + middle, brackets.card_mm[1] / 2 + middle
    c, s = math.cos(brackets.pose.angle_rad), math.sin(brackets.pose.angle_rad)
    for x, y in ((w, h), (-w, h), (-w, -h), (w, -h)):
        arm_x, arm_y = math.copysign(brackets.arm_mm, x), math.copysign(brackets.arm_mm, y)
        corner = ((x - arm_x, y), (x, y), (x, y - arm_y))
        points = tuple((brackets.pose.x_mm + u * c - v * s, brackets.pose.y_mm + u * s + v * c) for u, v in corner)
        yield from _path(Path(points, brackets.stroke))


def _progress(progress: Progress) -> Iterator[Piece]:
    fraction = min(1.0, max(0.0, progress.fraction))
    steps = max(2, math.ceil(40 * fraction))
    start = math.pi / 2 + math.radians(progress.facing_deg)
    turns = (start - 2 * math.pi * fraction * i / steps for i in range(steps + 1))
    r = progress.radius_mm
    arc = tuple((progress.x_mm + r * math.cos(a), progress.y_mm + r * math.sin(a)) for a in turns)
    faint = Stroke(progress.stroke.colour, progress.stroke.width_mm / 4)
    yield from _path(Path(circle(progress.x_mm, progress.y_mm, r), faint, closed=True))
    if fraction > 0:
        yield from _path(Path(arc, progress.stroke))


def _path(path: Path) -> Iterator[Piece]:
    points = list(path.points_mm)
    if path.closed and points:
        points.append(points[0])
    stroke = path.stroke
    if path.head_mm > 0 and len(points) >= 2:
        points, head = _cut_head(points, path.head_mm)
        yield head, stroke.colour
    turn = 0.0 if not path.closed else math.copysign(1.0, _area(points))
    for polygon in _strokes(points, stroke, turn):
        yield polygon, stroke.colour


def _area(points: Sequence[Point]) -> float:
    """Twice the signed area inside a closed path: positive where it runs anticlockwise."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(points))


def _strokes(points: list[Point], stroke: Stroke, turn: float) -> Iterator[Polygon]:
    """Bars along a path; `turn` is 1 for a path closed anticlockwise, -1 clockwise, 0 open."""
    width = stroke.width_mm
    match stroke.line:
        case Line.SOLID:
            yield from (_bar(a, b, width, width / 2) for a, b in _segments(points))
        case Line.DOUBLE:
            for side in (-width / 3, width / 3):
                overhang = width / 6 - turn * side  # the outer line is longer, so that corners meet
                yield from (_bar(a, b, width / 3, overhang, side) for a, b in _segments(points))
        case Line.DASHED:
            for a, b in _dashes(points, max(6.0, 2.6 * width), max(4.0, 1.8 * width)):
                if math.dist(a, b) > 1e-9:  # a dash may end exactly at a corner
                    yield _bar(a, b, width, 0.0)
        case Line.DOTTED:
            for a, _ in _dashes(points, 0.0, max(3.2, 2.1 * width)):
                yield circle(a[0], a[1], width / 2, 10)


def _segments(points: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    return ((a, b) for a, b in pairwise(points) if a != b)


def _bar(a: Point, b: Point, width: float, overhang: float, side: float = 0.0) -> Polygon:
    """A straight stroke from a to b, longer by `overhang` at both ends, moved `side` mm to the left."""
    length = math.dist(a, b)
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    ax, ay = a[0] - ux * overhang - uy * side, a[1] - uy * overhang + ux * side
    bx, by = b[0] + ux * overhang - uy * side, b[1] + uy * overhang + ux * side
    nx, ny = -uy * width / 2, ux * width / 2
    return ((ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny))


def _dashes(points: Sequence[Point], dash: float, gap: float) -> Iterator[tuple[Point, Point]]:
    """Straight pieces of about `dash` mm along a path, `gap` apart; both are stretched to come out even."""
    segments = list(_segments(points))
    total = sum(math.dist(a, b) for a, b in segments)
    if total <= 0:
        return
    count = max(1, round(total / (dash + gap)))
    stretch = total / (count * (dash + gap))
    starts = [i * (dash + gap) * stretch for i in range(count)]
    walked = 0.0
    for a, b in segments:
        length = math.dist(a, b)
        for start in starts:
            low, high = max(start - walked, 0.0), min(start + dash * stretch - walked, length)
            if low < high or (dash == 0 and 0 <= start - walked < length):
                yield _along(a, b, low / length), _along(a, b, max(low, high) / length)
        walked += length


def _along(a: Point, b: Point, share: float) -> Point:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def _cut_head(points: list[Point], head_mm: float) -> tuple[list[Point], Polygon]:
    """The path shortened by its arrowhead, and the head as a triangle whose tip is the path's end."""
    tip = points[-1]
    before = next((p for p in reversed(points[:-1]) if math.dist(p, tip) > 1e-6), None)
    if before is None:
        return points, (tip, tip, tip)
    length = math.dist(before, tip)
    base = _along(tip, before, min(1.0, head_mm / length))
    ux, uy = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
    half = head_mm * 0.5
    head = (tip, (base[0] - uy * half, base[1] + ux * half), (base[0] + uy * half, base[1] - ux * half))
    return [*points[:-1], base], head
