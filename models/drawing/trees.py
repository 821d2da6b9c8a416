"""Plants with wood: pine, plum, cherry, maple, willow, paulownia."""

from collections.abc import Sequence

import numpy as np
from shapes import (
    BLACK,
    LEAF,
    OCHRE,
    PAPER,
    PINK,
    RED,
    VIOLET,
    Art,
    Colour,
    Course,
    Shape,
    Stroke,
    along,
    area,
    brush,
    disc,
    ellipse,
    joined,
    lens,
    line,
    moved,
    points,
    ring,
    smooth,
)


def pine_bough(height: float, width: float) -> Art:
    """A spiked dome of needles, its foot at the origin, with a yellow bud on its tip."""

    def half(t: float) -> float:
        return width / 2 * float(max(0.0, 1 - t**2.4) ** 0.75)

    rows = max(6, round(height / 1.5))
    side: list[tuple[float, float]] = []
    needles: list[Art] = []
    for i in range(rows):
        t = i / rows
        side += [(half(t) + 0.75, -height * t - 0.5), (half(t + 0.5 / rows) - 0.15, -height * (t + 0.5 / rows))]
        inner, outer = 0.35, half(min(1.0, t + 1.1 / rows)) - 0.5
        if outer > inner + 0.5:
            for s in (-1.0, 1.0):
                needles.append(
                    (line([(s * inner, -height * t + 0.6), (s * outer, -height * t - outer * 0.42)], 0.16, PAPER),)
                )
    right = points([*side, (0.0, -height - 0.4)])
    outline = np.vstack([right, right[::-1] * (-1, 1)])
    bud = area(
        [(-0.65, -height), (-0.45, -height - 1.7), (0, -height - 2.3), (0.45, -height - 1.7), (0.65, -height)], OCHRE
    )
    spine = line([(0, 0), (0, -height * 0.93)], 0.2, PAPER)
    return (bud, Shape(outline, LEAF, 0.2), *joined(needles), spine)


def branch(*paths: tuple[Course, Sequence[float]]) -> Art:
    """Bare dark wood: each path with its widths, with a light grain line on thick parts."""
    wood = tuple(brush(path, widths) for path, widths in paths)
    grain = tuple(
        Stroke(stroke.points - np.array((stroke.widths.max() * 0.12, 0)), stroke.widths * 0.07, PAPER)
        for stroke in wood
        if stroke.widths.max() > 2
    )
    return wood + grain


def plum_blossom() -> Art:
    """Five round red petals, about 6 mm wide."""
    petal = (disc(0, -1.75, 1.45, RED),)
    stamens = ring((line("0,0 0,-1.5", 0.16, BLACK), disc(0, -1.6, 0.2, OCHRE, line=0.1)), 10, start=18)
    return (*ring(petal, 5), *ring((disc(0, -1.2, 0.9, RED, line=0),), 5), *stamens, disc(0, 0, 0.75, OCHRE, line=0.2))


def plum_bud() -> Art:
    """A closed bud on a dark calyx, 2 mm wide."""
    return disc(0, 0, 1.1, RED), line("-1,0.2 0,0.7 1,0.2", 0.2), disc(0, 1.0, 0.5, BLACK)


def cherry_blossom(fill: Colour = PINK, heart: Colour = RED) -> Art:
    """Five notched petals, about 7 mm wide."""
    half = "0,0 0.95,-1 1.5,-2.3 1,-3.2 0.45,-3.4 0,-2.9"
    right = points(half)
    petal = (Shape(np.vstack([right, right[::-1] * (-1, 1)]), fill),)
    stamens = ring((line("0,0 0,-1.5", 0.16, heart), disc(0, -1.6, 0.2, heart, line=0)), 10, start=18)
    return (*ring(petal, 5), *stamens, disc(0, 0, 0.55, heart, line=0))


def maple_leaf(fill: Colour) -> Art:
    """A seven-pointed leaf around the origin, about 11 mm tall, its stalk down."""
    tips = points("-140,3.2 -98,5 -50,6 0,6.6 50,6 98,5 140,3.2")
    outline: list[tuple[float, float]] = [(0.0, 2.2)]
    for i, (turn, length) in enumerate(tips):
        for bend, reach in points("-13,0.62 0,1 13,0.62"):
            a = np.radians(turn + bend * (1.15 if reach < 1 else 1))
            outline.append((length * reach * float(np.sin(a)), -length * reach * float(np.cos(a))))
        if i + 1 < len(tips):
            a = np.radians((turn + tips[i + 1][0]) / 2)
            outline.append((2.0 * float(np.sin(a)), -2.0 * float(np.cos(a))))
    veins = []
    ink = PAPER if fill in (LEAF, BLACK) else BLACK
    for turn, length in tips:
        a = np.radians(turn)
        tip = (length * 0.85 * float(np.sin(a)), -length * 0.85 * float(np.cos(a)))
        veins.append(line([(0, 1.2), tip], 0.2, ink))
    return (brush("0,1 0.3,3.4 1.1,5.6", [0.35, 0.6]), Shape(points(outline), fill), *veins)


def willow_frond(path: Course, *, leaf: float = 5.0, gap: float = 1.35) -> Art:
    """A hanging twig along `path`, thick with narrow leaves that point down it."""
    curve = smooth(path)
    length = float(np.hypot(*np.diff(curve, axis=0).T).sum())
    blade = (lens(leaf, 1.25, LEAF, line=0.14, belly=0.4), line([(0, -0.4), (0, -leaf * 0.8)], 0.1, PAPER))
    leaves: list[Art] = []
    for i in range(round(length / gap)):
        x, y, heading = along(curve, i * gap / length)
        leaves += [moved(blade, x, y, angle=heading + side * 24) for side in (-1, 1)]
    x, y, heading = along(curve, 1.0)
    return (*joined(leaves), Stroke(curve, np.full(len(curve), 0.4)), *moved(blade, x, y, angle=heading))


def paulownia_leaf() -> Art:
    """A broad leaf of three lobes hanging from the origin, about 15 mm wide and 13 mm tall."""
    half = "0,0.9 2.2,-0.9 5,-0.6 7.4,1.3 8.1,4.2 7.2,6.6 5.2,6.6 4.7,8.6 3.2,11 1.4,12 0,13.6"
    right = smooth(half)
    outline = np.vstack([right, right[::-1] * (-1, 1)])
    veins: list[Shape] = [line("0,1 0,12.2", 0.24, PAPER)]
    for s in (-1, 1):
        veins += [
            line([(0, 1.6), (s * 3.4, 2.6), (s * 6.8, 5.2)], 0.22, PAPER),
            line([(s * 2.6, 2.2), (s * 4.6, 1.2), (s * 6.0, 1.7)], 0.18, PAPER),
            line([(0, 4.6), (s * 2.0, 6.8), (s * 3.2, 9.2)], 0.22, PAPER),
            line([(0, 8.0), (s * 1.0, 9.4), (s * 1.4, 10.8)], 0.18, PAPER),
            line([(s * 3.8, 3.0), (s * 4.6, 4.8), (s * 4.6, 5.9)], 0.18, PAPER),
        ]
    return (Shape(outline, LEAF), *veins)


def paulownia_spike(height: float, *, pairs: int = 3) -> Art:
    """An upright stem with bell flowers, its foot at the origin."""
    bell = (
        area("0,0.2 1,-0.6 1.2,-2 1.9,-3.2 0.7,-3 0,-3.7 -0.7,-3 -1.9,-3.2 -1.2,-2 -1,-0.6", VIOLET),
        line("0,-0.6 0,-2.6", 0.2, PAPER),
    )
    bud = (Shape(ellipse(0, -1.1, 0.75, 1.1), VIOLET),)
    flowers: list[Art] = [(brush([(0, 0), (0, -height)], [0.5, 0.3]),)]
    for i in range(pairs):
        t = 0.3 + 0.6 * i / max(1, pairs - 1)
        flower = bell if t < 0.55 else bud
        for s in (-1, 1):
            out = 2.4 * (1.15 - t)
            flowers.append((line([(0, -height * t + 1.2), (s * out, -height * t)], 0.3),))
            flowers.append(moved(flower, s * out, -height * t, angle=s * (38 - 20 * t)))
    flowers.append(moved(bud, 0, -height + 0.3))
    return joined(flowers)
