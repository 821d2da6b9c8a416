"""Plants without wood: wisteria, iris, peony, bush clover, susuki grass, chrysanthemum."""

import numpy as np
from shapes import (
    LEAF,
    MAUVE,
    OCHRE,
    PAPER,
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


def wisteria_raceme(length: float, sway: float = 0) -> Art:
    """A hanging cluster of petals, broad at the origin, its tip `length` below and `sway` to the side."""
    stem = smooth([(0, 0), (sway * 0.2, length * 0.5), (sway, length)])
    petal = (lens(2.9, 2.0, VIOLET, line=0.18, belly=0.62), disc(0, -2.1, 0.42, MAUVE, line=0))
    rows = round(length / 1.75)
    pieces: list[Art] = [(Stroke(stem, np.full(len(stem), 0.3)),)]
    for i in range(rows):
        t = (i + 0.5) / rows
        x, y, heading = along(stem, t)
        size = 1.2 * (1 - 0.55 * t)
        for s in (-1, 1):
            pieces.append(moved(petal, x, y, angle=heading + s * (74 - 34 * t), scale=size))
    x, y, heading = along(stem, 1)
    pieces.append(moved(petal, x, y - 0.4, angle=heading, scale=0.55))
    return joined(pieces)


def wisteria_leaves(path: Course, *, size: float = 3.8) -> Art:
    """A feathered leaf: dark leaflets in pairs along `path`."""
    curve = smooth(path)
    length = float(np.hypot(*np.diff(curve, axis=0).T).sum())
    count = max(2, round(length / 2.1))
    leaflet = (lens(size, 1.7, LEAF, line=0.14, belly=0.45), line([(0, -0.4), (0, -size * 0.8)], 0.12, PAPER))
    leaves: list[Art] = [(Stroke(curve, np.full(len(curve), 0.4)),)]
    for i in range(1, count + 1):
        x, y, heading = along(curve, i / count)
        leaves += [moved(leaflet, x, y, angle=heading + s * 52) for s in (-1, 1)]
    x, y, heading = along(curve, 1)
    return (*joined(leaves), *moved(leaflet, x, y, angle=heading))


def iris_flower() -> Art:
    """Three hanging and three upright violet petals, about 12 mm wide; the stem meets the origin."""
    fall = area("0,0 1.7,0.3 2.9,2.2 2.6,4.6 1.2,6 0,6.3 -1.2,6 -2.6,4.6 -2.9,2.2 -1.7,0.3", VIOLET)
    streak = area("0,0.6 0.55,1.6 0,3.9 -0.55,1.6", OCHRE, line=0.15)
    veins = tuple(line([(s * 0.7, 2.2), (s * 1.3, 4.6)], 0.16, MAUVE) for s in (-1, 1))
    petal = (fall, streak, *veins)
    upright = (lens(5.6, 2.8, VIOLET, belly=0.6), line("0,-1 0,-4.2", 0.16, MAUVE))
    return (
        *moved(upright, 0, -0.6, angle=-24),
        *moved(upright, 0, -0.6, angle=24),
        *moved(upright, 0, -0.6),
        *moved(petal, -0.5, -1.2, angle=62),
        *moved(petal, 0.5, -1.2, angle=-62),
        *moved(petal, 0, -1.0, scale=0.95),
    )


def iris_bud() -> Art:
    """A closed flower on the tip of a stem at the origin."""
    return (*iris_flower()[:6], lens(2.6, 1.6, LEAF, line=0.2))


def iris_blades(blades: str, *, width: float = 2.2) -> Art:
    """Sword leaves: each (foot x, foot y, tip x, tip y)."""
    pieces: list[Shape] = []
    for x, y, tip_x, tip_y in points(blades):
        mid_x, mid_y = x + (tip_x - x) * 0.3, y + (tip_y - y) * 0.55
        left = smooth([(x - width / 2, y), (mid_x - width / 2, mid_y), (tip_x, tip_y)])
        right = smooth([(x + width / 2, y), (mid_x + width / 2, mid_y), (tip_x, tip_y)])
        pieces.append(Shape(np.vstack([left, right[::-1]]), LEAF, 0.2))
        pieces.append(
            line([(x + 0.1, y), (mid_x + 0.1, mid_y), ((mid_x + tip_x) / 2, (mid_y + tip_y) / 2)], 0.16, PAPER)
        )
    return tuple(pieces)


def peony() -> Art:
    """A full flower of frilled red petals, about 17 mm wide, around the origin."""
    frill = area(
        ("0,0 2.4,-2.2 3.3,-5 2.6,-6.4 1.7,-6.3 1.2,-7.3 0,-6.9 -1.2,-7.3 -1.7,-6.3 -2.6,-6.4 -3.3,-5 -2.4,-2.2"), RED
    )
    folds = tuple(line([(s * 0.3, -3.4), (s * 1.1, -5.6)], 0.18) for s in (-1, 0, 1))
    petal = (frill, *folds)
    back = ring(moved(petal, 0, 0, scale=1.12), 8)
    middle = ring(moved(petal, 0, 0, scale=0.82), 6, start=22)
    heart = ring(moved(petal, 0, 0, scale=0.52), 5, start=8)
    stamens = ring((line("0,0 0,-1.1", 0.18, OCHRE), disc(0, -1.25, 0.32, OCHRE, line=0.12)), 7)
    return (*back, *middle, *heart, *stamens, disc(0, 0, 0.55, OCHRE, line=0.15))


def peony_bud() -> Art:
    """A half-open flower on a short calyx at the origin, opening upwards, 8 mm wide."""
    side = area("0,0 2.6,-0.8 4.2,-3.2 3.6,-5.6 2.4,-5.4 1.6,-3.2", RED)
    middle = area("0,0 2.2,-1.6 2.4,-4.8 1.2,-6.6 0,-6 -1.2,-6.6 -2.4,-4.8 -2.2,-1.6", RED)
    calyx = (lens(3.2, 1.6, LEAF, line=0.15),)
    return (
        side,
        *moved((side,), 0, 0, flip=True),
        middle,
        line("-0.6,-1.5 -0.9,-4.6", 0.18),
        line("0.6,-1.5 0.9,-4.6", 0.18),
        *moved(calyx, 0, 0.6, angle=-64),
        *moved(calyx, 0, 0.6, angle=64),
        *moved(calyx, 0, 0.6, scale=0.8),
    )


def peony_leaf() -> Art:
    """A pointed leaf of three lobes growing up from the origin, about 9 mm wide and 11 mm tall."""
    half = points("0,0 1.4,-1.2 4.6,-2.4 6.2,-5.2 4.3,-4.9 3,-5.6 3.4,-8 1.8,-10 0,-12.5")
    right = np.vstack([smooth(half[a:b]) for a, b in ((0, 4), (3, 6), (5, 9))])
    outline = np.vstack([right, right[::-1] * (-1, 1)])
    veins = [line("0,-0.6 0,-11", 0.22, PAPER)]
    for s in (-1, 1):
        veins += [
            line([(0, -1.6), (s * 2.8, -2.8), (s * 5.0, -4.5)], 0.18, PAPER),
            line([(0, -4.8), (s * 1.6, -6.6), (s * 2.4, -8.0)], 0.18, PAPER),
        ]
    return (Shape(outline, LEAF, 0.2), *veins)


def clover_spray(path: Course, *, size: float = 1.0, flowers: float = 0.4) -> Art:
    """An arched twig of bush clover: dark leaves low on it, red flower buds from the fraction `flowers` on."""
    curve = smooth(path)
    length = float(np.hypot(*np.diff(curve, axis=0).T).sum())
    count = round(length / (1.75 * size))
    leaf = (Shape(ellipse(0, -2.5, 1.15, 1.9), LEAF, 0.15), line("0,0 0,-3.6", 0.14, PAPER), line("0,0 0,-0.9", 0.3))
    bud = (line("0,0 0,-1.2", 0.3), Shape(ellipse(0, -2.2, 0.95, 1.45), RED, 0.26), line("0,-1.2 0,-2.2", 0.2))
    pieces: list[Art] = [(Stroke(curve, np.linspace(0.8, 0.35, len(curve)) * size),)]
    for i in range(1, count):
        t = i / count
        x, y, heading = along(curve, t)
        turn = (42 if t > flowers else 56) * (1 if i % 2 else -1)
        pieces.append(moved(bud if t > flowers else leaf, x, y, angle=heading + turn, scale=size))
    x, y, heading = along(curve, 1)
    pieces.append(moved(bud, x, y, angle=heading, scale=size * 0.9))
    return joined(pieces)


def susuki_hill(ridge: Course, *, bottom: float = 54) -> Art:
    """A dark grassy hill under `ridge`, combed with pale blades in tufts."""
    top = smooth(ridge)
    hill = Shape(np.vstack([top, [(top[-1, 0], bottom), (top[0, 0], bottom)]]), LEAF, 0.3)
    tuft = (
        line("0,0 -1.4,-3.2 -4.2,-4.6", 0.18, PAPER),
        line("0,0 -0.5,-3.4 -1.8,-5.6", 0.18, PAPER),
        line("0,0 0.6,-3.4 1.7,-5.6", 0.18, PAPER),
        line("0,0 1.5,-3.0 4.2,-4.4", 0.18, PAPER),
    )
    tufts: list[Art] = []
    for row in range(7):
        for i in range(6):
            x, y, _ = along(top, (i + 0.5 * (row % 2)) / 5.5 if row % 2 == 0 or i < 5 else 1.0)
            tufts.append(moved(tuft, x, y + 7.4 + row * 4.6, scale=0.95))
    return (hill, *joined(tufts))


def susuki_plume(path: Course, *, fill: Colour = OCHRE, size: float = 1.0) -> Art:
    """A grass stalk along `path`; its last part hangs over and carries the feathered plume."""
    curve = smooth(path)
    hair = (lens(5.0, 1.25, fill, line=0.22, belly=0.6),)
    hairs: list[Art] = []
    for i in range(9):
        x, y, heading = along(curve, 0.55 + 0.45 * i / 8)
        hairs += [moved(hair, x, y, angle=heading + side * (30 - i), scale=size * (1.0 - 0.03 * i)) for side in (-1, 1)]
    x, y, heading = along(curve, 1)
    return (Stroke(curve, np.linspace(0.8, 0.4, len(curve)), LEAF), *joined(hairs), *moved(hair, x, y, angle=heading))


def chrysanthemum(first: Colour = OCHRE, second: Colour = RED) -> Art:
    """A round flower of slim petals in two colours, about 14 mm wide, around the origin."""
    outer = ring((lens(7.2, 1.9, first, line=0.2, belly=0.68),), 18)
    middle = ring((lens(5.2, 1.7, second, line=0.2, belly=0.66),), 14, start=10)
    inner = ring((lens(3.4, 1.4, first, line=0.2, belly=0.64),), 10)
    return (*outer, *middle, *inner, disc(0, 0, 0.9, second, line=0.2))


def chrysanthemum_side(first: Colour = OCHRE, second: Colour = RED) -> Art:
    """The flower seen from its side, petals fanned upwards from the origin, about 12 mm wide."""
    pieces: list[Art] = []
    for k, (count, spread, length) in enumerate(points("11,84,6.6 8,62,5 5,38,3.4")):
        fill = first if k % 2 == 0 else second
        petal = (lens(length, 1.75, fill, line=0.2, belly=0.68),)
        for i in range(int(count)):
            pieces.append(moved(petal, 0, 0, angle=-spread + 2 * spread * i / (count - 1)))
    pieces.append((area("-2,-0.2 0,-1.2 2,-0.2 0,1.2", LEAF, line=0.2),))
    return joined(pieces)


def chrysanthemum_leaf() -> Art:
    """A round-lobed leaf growing up from the origin, about 8 mm wide and 9 mm tall."""
    half = "0,0 1.2,-0.7 3.4,-0.9 4.4,-2.5 3.5,-3.7 4.6,-5 4.1,-6.7 2.6,-6.8 2,-8.6 0,-9.6"
    right = smooth(half)
    outline = np.vstack([right, right[::-1] * (-1, 1)])
    veins = [line("0,-0.4 0,-8.4", 0.22, PAPER)]
    for s in (-1, 1):
        veins += [line([(0, -1.0), (s * 3.2, -2.3)], 0.18, PAPER), line([(0, -3.4), (s * 3.2, -5.7)], 0.18, PAPER)]
    return (Shape(outline, LEAF, 0.2), *veins)


def stem(path: Course, width: float = 0.9) -> Art:
    """A dark stem."""
    return (brush(path, [width, width * 0.75], LEAF),)
