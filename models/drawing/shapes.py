"""The values that a drawing is made of, and the curves and placements that make them.

Everything is in millimetres of the card, x right, y down; angles are degrees, clockwise as seen. A motif is drawn
around its own origin and then put in place with `moved`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""Shape (N, 2), mm."""

Course = str | Points | Sequence[tuple[float, float]]
"""A path as it is written in a drawing: `"x,y x,y ..."`, or the same as an array or pairs."""

Colour = tuple[int, int, int]
"""Blue, green, red, 0-255."""


def _bgr(code: int) -> Colour:
    return code & 255, code >> 8 & 255, code >> 16


PAPER: Final = _bgr(0xF3E9D2)
WHITE: Final = _bgr(0xFFFCF2)
BLACK: Final = _bgr(0x1A181B)
LEAF: Final = _bgr(0x1F3329)
RED: Final = _bgr(0xC8261F)
PINK: Final = _bgr(0xEE9FA6)
OCHRE: Final = _bgr(0xE7AE2E)
BROWN: Final = _bgr(0xA8622A)
VIOLET: Final = _bgr(0x54459B)
MAUVE: Final = _bgr(0xA79AD0)
GREEN: Final = _bgr(0x6F9340)
WATER: Final = _bgr(0x7FB2BF)

LINE: Final = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """An area with a flat colour (None: only its outline) and an outline of `line` mm (0: none)."""

    points: Points
    fill: Colour | None
    line: float = LINE
    ink: Colour = BLACK
    closed: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """A brush stroke: a path with a width in mm at each of its points."""

    points: Points
    widths: NDArray[np.float64]
    ink: Colour = BLACK


Art = tuple[Shape | Stroke, ...]
"""Shapes in painter's order: a later one covers an earlier one."""


def points(course: Course) -> Points:
    """Rows of numbers as an array: `"0,0 1.5,-2"` gives shape (2, 2)."""
    if isinstance(course, str):
        return np.array([[float(value) for value in row.split(",")] for row in course.split()])
    return np.asarray(course, dtype=np.float64)


def smooth(path: Course, *, closed: bool = False, steps: int = 8) -> Points:
    """A Catmull-Rom curve through every point of `path`, `steps` points a span."""
    knots = points(path)
    around = (
        np.vstack([knots[-1:], knots, knots[:2]])
        if closed
        else np.vstack([2 * knots[:1] - knots[1:2], knots, 2 * knots[-1:] - knots[-2:-1]])
    )
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    spans = []
    for a, b, c, d in zip(around, around[1:], around[2:], around[3:], strict=False):
        spans.append(b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))))
    curve = np.vstack(spans)
    return curve if closed else np.vstack([curve, knots[-1:]])


def ellipse(
    x: float, y: float, rx: float, ry: float, *, angle: float = 0, start: float = 0, end: float = 360
) -> Points:
    """An ellipse around (x, y), or the part of it from `start` to `end` degrees (0 = +x, clockwise)."""
    turn = np.radians(np.linspace(start, end, 49))
    around: Points = turned(np.column_stack([rx * np.cos(turn), ry * np.sin(turn)]), angle)
    return shifted(around, x, y)


def disc(x: float, y: float, r: float, fill: Colour | None, *, line: float = LINE, ink: Colour = BLACK) -> Shape:
    """A filled circle."""
    return Shape(ellipse(x, y, r, r), fill, line, ink)


def turned(path: Points, angle: float) -> Points:
    """`path` turned around the origin, clockwise."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    result: Points = path @ np.array([[c, s], [-s, c]])
    return result


def shifted(path: Points, x: float, y: float) -> Points:
    """`path` moved by (x, y)."""
    result: Points = path + np.array((x, y))
    return result


def moved(art: Art, x: float, y: float, *, angle: float = 0, scale: float = 1, flip: bool = False) -> Art:
    """`art` mirrored left to right if `flip`, scaled, turned and then put with its origin at (x, y)."""

    def move(path: Points) -> Points:
        return shifted(turned(path * ((-scale if flip else scale), scale), angle), x, y)

    def one(item: Shape | Stroke) -> Shape | Stroke:
        if isinstance(item, Stroke):
            return replace(item, points=move(item.points), widths=item.widths * scale)
        return replace(item, points=move(item.points), line=item.line * min(1.0, scale))

    return tuple(one(item) for item in art)


def area(outline: Course, fill: Colour | None, *, line: float = LINE, ink: Colour = BLACK) -> Shape:
    """A smooth closed area through the points of `outline`."""
    return Shape(smooth(outline, closed=True), fill, line, ink)


def polygon(corners: Course, fill: Colour | None, *, line: float = LINE, ink: Colour = BLACK) -> Shape:
    """An area with straight sides."""
    return Shape(points(corners), fill, line, ink)


def brush(path: Course, widths: Sequence[float], ink: Colour = BLACK) -> Stroke:
    """A smooth stroke through `path`; `widths` (two or more) are spread evenly over its length."""
    curve = smooth(path)
    even = np.interp(np.linspace(0, 1, len(curve)), np.linspace(0, 1, len(widths)), widths)
    return Stroke(curve, even, ink)


def tube(path: Course, widths: Sequence[float], fill: Colour, *, line: float = LINE) -> Art:
    """A stroke of colour `fill` with a black outline."""
    return brush(path, [w + 2 * line for w in widths]), brush(path, widths, fill)


def line(path: Course, width: float = 0.25, ink: Colour = BLACK) -> Shape:
    """A thin smooth line of even width."""
    return Shape(smooth(path), None, width, ink, closed=False)


def along(path: Points, t: float) -> tuple[float, float, float]:
    """x, y and heading (degrees clockwise from straight up) at the fraction `t` of the length of `path`."""
    steps = np.hypot(*np.diff(path, axis=0).T)
    done = np.concatenate([[0.0], np.cumsum(steps)])
    x, y = (float(np.interp(t * done[-1], done, path[:, k])) for k in (0, 1))
    i = min(int(np.searchsorted(done, t * done[-1], side="right")) - 1, len(steps) - 1)
    dx, dy = path[i + 1] - path[i]
    return x, y, float(np.degrees(np.arctan2(dx, -dy)))


def joined(arts: Sequence[Art]) -> Art:
    """Several pieces as one."""
    return tuple(item for art in arts for item in art)


def ring(piece: Art, count: int, *, radius: float = 0, start: float = 0) -> Art:
    """`piece` (pointing up) repeated around the origin, its own origin `radius` away from it."""
    return joined([moved(moved(piece, 0, -radius), 0, 0, angle=start + 360 * i / count) for i in range(count)])


def lens(length: float, width: float, fill: Colour, *, line: float = LINE, belly: float = 0.5) -> Shape:
    """A pointed leaf from the origin straight up, widest at the fraction `belly` of its length."""
    t = np.linspace(0, 1, 15)
    half = width / 2 * np.sin(np.pi * t ** (np.log(0.5) / np.log(belly)))
    side = np.column_stack([half, -length * t])
    return Shape(np.vstack([side, side[::-1] * (-1, 1)]), fill, line)


def scattered(piece: Art, spots: str) -> Art:
    """`piece` put at each "x,y,angle,scale"."""
    return joined([moved(piece, x, y, angle=a, scale=s) for x, y, a, s in points(spots)])


def leafy(path: Course, width: float, leaf: Art, leaves: str) -> Art:
    """A dark stem along `path` with `leaf` at each "t,turn,scale": how far along, and turned from its heading."""
    curve = smooth(path)
    grown: list[Art] = []
    for t, turn, scale in points(leaves):
        x, y, heading = along(curve, t)
        grown.append(
            moved(
                (brush("0,0 0,-1.6", [0.6, 0.5], LEAF), *moved(leaf, 0, -1.2)), x, y, angle=heading + turn, scale=scale
            )
        )
    return (brush(curve, [width, width * 0.75], LEAF), *joined(grown))


def around(piece: Art, x: float, y: float, radius: float, places: str) -> Art:
    """`piece` growing outwards from a circle around (x, y) at each "angle,scale"."""
    return joined([moved(moved(piece, 0, -radius, scale=scale), x, y, angle=angle) for angle, scale in points(places)])
