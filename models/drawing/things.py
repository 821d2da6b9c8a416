"""What is neither plant nor animal: ribbons and their writing, clouds, curtain, bridge, cup, umbrella, storm, back."""

from typing import Final

import numpy as np
from shapes import (
    BLACK,
    BROWN,
    OCHRE,
    RED,
    VIOLET,
    WATER,
    WHITE,
    Art,
    Colour,
    Course,
    Points,
    Shape,
    area,
    brush,
    disc,
    ellipse,
    joined,
    line,
    moved,
    points,
    polygon,
    ring,
    smooth,
)

_GLYPHS: Final[dict[str, tuple[str, ...]]] = {
    "あ": (
        "-1.6,-1.5 0,-1.6 1.5,-1.9",
        "-0.3,-2.4 -0.4,-0.6 0.2,1.7",
        "0.9,-0.9 0.2,0.8 -1.1,1.7 -1.8,0.9 -0.6,-0.3 1.2,-0.2 1.9,0.9 1.2,2 0.4,2.3",
    ),
    "か": (
        "-1.8,-0.9 -0.2,-1.3 0.8,-0.7 0.5,1.5 -0.1,1.9 -0.6,1.3",
        "-0.4,-2.2 -0.8,-0.2 -1.7,2",
        "1.4,-1.6 2.1,-0.4",
    ),
    "よ": (
        "0.1,-0.9 1.5,-1.2",
        "0,-2.3 0.1,0.2 0,1.6 -1,2.1 -1.5,1.4 -0.5,0.9 0.9,1.5 1.7,2.2",
    ),
    "ろ": ("-1.3,-1.9 1,-2.1 -0.2,-0.7 -1.6,0.7 0.4,-0.5 1.6,0.5 1.2,1.7 -0.2,2.3",),
    "し": ("-0.6,-2.3 -0.8,0.4 -0.5,1.9 0.5,2.2 1.6,1.1",),
    "み": (
        "-1.4,-1.8 0.4,-2 -0.2,0.2 -1.2,1.8 -1.9,1.1 -0.8,0.3 0.9,0.9 2,1.3",
        "1.3,-0.6 1.2,1 0.5,2.3",
    ),
    "の": ("0.2,-1.5 -0.3,0.5 -1.3,1.6 -1.9,0.6 -1.1,-1.1 0.5,-1.8 1.8,-0.7 1.6,1 0.4,2.1",),
}


def ribbon(fill: Colour, *, text: str = "", bend: float = 1.6) -> Art:
    """A paper strip 7.6 × 33 mm around the origin, bowed to the left by `bend`, with brush writing if `text`."""
    y = np.linspace(-16.5, 16.5, 25)
    bow = -bend * (1 - (y / 16.5) ** 2)
    outline = np.vstack([np.column_stack([bow - 3.8, y]), np.column_stack([bow + 3.8, y])[::-1]])
    step = 28.0 / max(1, len(text))
    writing: list[Art] = []
    for i, letter in enumerate(text):
        at = -14.0 + step * (i + 0.5)
        strokes = tuple(brush(path, [0.5, 0.75, 0.3], BLACK) for path in _GLYPHS[letter])
        writing.append(moved(strokes, -bend * (1 - (at / 16.5) ** 2), at, scale=min(1.25, step / 5.2)))
    return (Shape(outline, fill, 0.4), *joined(writing))


def _spiral(turns: float, r: float) -> Points:
    """A curl around the origin that grows to radius `r`."""
    t = np.linspace(0.15, 1, 24)
    return np.column_stack([r * t * np.cos(t * turns * 2 * np.pi), r * t * np.sin(t * turns * 2 * np.pi)])


def cloud(x: float, y: float, size: float = 1.0, fill: Colour = RED, *, ink: Colour = BLACK) -> Art:
    """A bank of curled cloud around (x, y), 16 mm wide at size 1."""
    lobes = points("-5.6,0.6,2.2 -2.2,-0.8,2.8 2.0,-0.5,3.2 5.8,0.8,2.0")
    rims = tuple(disc(lx, ly, r, fill, line=0.35, ink=ink) for lx, ly, r in lobes)
    body = Shape(ellipse(0, 1.2, 6.6, 1.9), fill, 0)
    curls = joined([moved((line(_spiral(1.3, r * 0.62), 0.26, ink),), lx, ly, angle=200) for lx, ly, r in lobes])
    return moved((*rims, body, *curls, line("-7.2,1.8 -3,3 2,2.8 7.2,2", 0.35, ink)), x, y, scale=size)


def crescent(x: float, y: float, r: float) -> Art:
    """A red crescent open to the upper right, part of the disc of radius `r` around (x, y)."""
    outer, inner = ellipse(0, 0, r, r), ellipse(r * 0.34, -r * 0.4, r * 0.86, r * 0.86)
    horn = outer[np.hypot(*(outer - (r * 0.34, -r * 0.4)).T) > r * 0.86]
    order = np.argsort((np.degrees(np.arctan2(horn[:, 1], horn[:, 0])) + 50) % 360)
    hollow = inner[np.hypot(*inner.T) < r]
    back = np.argsort(-((np.degrees(np.arctan2(hollow[:, 1] + r * 0.4, hollow[:, 0] - r * 0.34)) + 50) % 360))
    return moved((Shape(np.vstack([horn[order], hollow[back]]), RED),), x, y)


def curtain() -> Art:
    """The blossom viewers' curtain over the lower part of the card, hung on a rope."""
    top = smooth("-1,28.6 9,31.8 22,31.2 34,27.4")
    bands = tuple(
        Shape(np.vstack([top + np.array((0, depth)), points("34,56 -1,56")]), fill, 0.35)
        for depth, fill in ((0.0, VIOLET), (7.4, WHITE), (11.2, RED), (18.4, BLACK))
    )
    crest = (*ring((disc(0, -1.9, 1.25, WHITE, line=0),), 5), disc(0, 0, 0.9, VIOLET, line=0))
    crests = joined([moved(crest, x, y) for x, y in points("8,35.3 24.6,34.6")])
    rope = "-1,28.2 9,31.4 22,30.8 34,27"
    loops = tuple(
        polygon([(x - 0.9, y), (x + 0.9, y), (x + 0.9, y + 2.4), (x - 0.9, y + 2.4)], OCHRE, line=0.25)
        for x, y in points("4,29.4 13,31.2 20,30.4 29,28.4")
    )
    return (*bands, *crests, *loops, brush(rope, [1.8, 1.8], BLACK), brush(rope, [1.2, 1.2], OCHRE))


def bridge() -> Art:
    """Plank bridges in a zigzag over the lower part of the card, on red-topped posts, over water."""
    water = (
        polygon("0,42 33,42 33,54 0,54", WATER, line=0.3),
        *(
            line([(x, y), (x + 2, y - 0.5), (x + 4, y), (x + 6, y - 0.5)], 0.28, WHITE)
            for x, y in points("1,44.4 8.5,45.4 26,44 1.5,51.5 13,51.4 25.5,50.6 17,48.8")
        ),
    )
    planks = (
        polygon("0,50 24,40.8 26.5,44.4 2,54.6 0,54.6", OCHRE, line=0.4),
        line("0.5,52.3 25,42.6", 0.3),
        polygon("5.6,33 34,43.4 34,47.8 4.4,36.8", OCHRE, line=0.4),
        line("5,34.9 34,45.6", 0.3),
    )
    posts: list[Art] = []
    for x, y, h in points("9.5,32.6,7.5 25.2,40.6,10.5 5.4,47.2,8"):
        shaft = polygon([(x - 1.5, y), (x + 1.5, y), (x + 1.5, y + h), (x - 1.5, y + h)], OCHRE, line=0.35)
        posts.append((shaft, Shape(ellipse(x, y, 1.5, 0.75), RED, 0.3)))
    return (*water, *planks, *joined(posts))


def sake_cup() -> Art:
    """A wide red cup seen a little from above, 17 mm wide, around the origin, with the sign for long life."""
    bowl = area("-8.5,-2 -6.6,2.6 -2.6,5.2 2.6,5.2 6.6,2.6 8.5,-2", RED, line=0.4)
    foot = polygon("-2.6,4.6 2.6,4.6 3.2,7 -3.2,7", RED, line=0.4)
    rim = Shape(ellipse(0, -2.2, 8.6, 3.1), OCHRE, 0.4)
    inside = Shape(ellipse(0, -2.0, 7.4, 2.4), RED, 0.25)
    sign = tuple(brush(path, [0.42, 0.36], OCHRE) for path in (
        "-2,1.5 2,1.4", "-1.6,2.2 1.6,2.1", "-2.4,2.9 2.4,2.8", "0.1,0.9 -0.4,2.8 -2.2,4.8",
        "-1.4,3.7 2.2,3.6", "1,3.1 1,4.8 0.4,5", "-0.5,4.1 -0.1,4.6",
    ))  # fmt: skip
    return (foot, bowl, rim, inside, *sign)


def stream(path: Course, width: float = 3.4) -> Art:
    """Running water along `path` with white ripples."""
    curve = smooth(path)
    ripples = tuple(line(curve + np.array((0, dy)), 0.22, WHITE) for dy in (-width * 0.2, width * 0.2))
    return (brush(curve, [width + 0.6] * 2, BLACK), brush(curve, [width] * 2, WATER), *ripples)


def umbrella() -> Art:
    """An oiled-paper umbrella, its handle's end at the origin and its top 17 mm above."""
    top = smooth("-8.6,-10.6 -5.6,-14.4 0,-16.6 5.6,-14.4 8.6,-10.6")
    scallops = smooth("8.6,-10.6 4.3,-11.8 0,-10.4 -4.3,-11.8 -8.6,-10.6")
    canopy = Shape(np.vstack([top, scallops]), OCHRE, 0.4)
    band = area("-7.6,-11.8 -5,-14.4 0,-16 5,-14.4 7.6,-11.8 5,-13.2 0,-14.2 -5,-13.2", BROWN, line=0)
    ribs = tuple(line([(0, -16.4), (x * 0.62, -14.2), (x, -11.2)], 0.22) for x in (-6.4, -4.3, -2.1, 0, 2.1, 4.3, 6.4))
    return (brush("0,-11 0,0", [0.7, 0.7]), canopy, band, *ribs, disc(0, -16.9, 0.7, BLACK))


def thunder_drum() -> Art:
    """The thunder god's drum with three commas, 18 mm wide, around the origin."""
    comma = area("0.4,-0.6 2.6,-0.8 3.8,-2.8 2.8,-5 0.4,-5.8 -2.6,-5 -5,-2.4 -2.2,-3.6 0,-3.2", BLACK, line=0)
    nails = ring((disc(0, -8.2, 0.5, OCHRE, line=0),), 14)
    return (disc(0, 0, 9.0, BLACK), disc(0, 0, 7.4, RED), *nails, *ring((comma,), 3))


def lightning() -> Art:
    """A jagged bolt with its tip at the origin, 32 mm tall."""
    return (polygon("6,-33 13,-33 7,-20 12.5,-21 0,0 2.5,-12 -2.5,-10.5", OCHRE, line=0.5),)


BACK_COLOUR: Final[Colour] = (38, 26, 104)


def back() -> Art:
    """The back: a wheel of six drops between two curls of cloud inside a thin line, the same after half a turn."""
    drop = area("0,-1.6 1.5,-4.6 1.1,-6.8 0,-7.8 -1.1,-6.8 -1.5,-4.6", OCHRE, line=0.3)
    edge = polygon("3.2,3.2 29.8,3.2 29.8,50.8 3.2,50.8", None, line=0.35, ink=OCHRE)
    corner = (
        line(_spiral(1.4, 2.6) + np.array((7.2, 7.2)), 0.4, OCHRE),
        line(_spiral(1.4, 2.6) * (-1, 1) + np.array((25.8, 7.2)), 0.4, OCHRE),
    )
    half = (*corner, *moved(corner, 33, 54, angle=180))
    return (edge, *half, *moved(ring((drop,), 6), 16.5, 27))
