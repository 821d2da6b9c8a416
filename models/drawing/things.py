"""What is neither plant nor animal: ribbons and their writing, sun, moon, clouds, curtain, bridge, cup, stream."""

from collections.abc import Sequence
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
    Shape,
    area,
    brush,
    disc,
    ellipse,
    joined,
    line,
    moved,
    points,
    ring,
    smooth,
)

_GLYPHS: Final[dict[str, tuple[tuple[tuple[float, float], ...], ...]]] = {
    "あ": (
        ((-1.6, -1.5), (0, -1.6), (1.5, -1.9)),
        ((-0.3, -2.4), (-0.4, -0.6), (0.2, 1.7)),
        ((0.9, -0.9), (0.2, 0.8), (-1.1, 1.7), (-1.8, 0.9), (-0.6, -0.3), (1.2, -0.2), (1.9, 0.9), (1.2, 2.0), (0.4, 2.3)),
    ),
    "か": (
        ((-1.8, -0.9), (-0.2, -1.3), (0.8, -0.7), (0.5, 1.5), (-0.1, 1.9), (-0.6, 1.3)),
        ((-0.4, -2.2), (-0.8, -0.2), (-1.7, 2.0)),
        ((1.4, -1.6), (2.1, -0.4)),
    ),
    "よ": (
        ((0.1, -0.9), (1.5, -1.2)),
        ((0.0, -2.3), (0.1, 0.2), (0.0, 1.6), (-1.0, 2.1), (-1.5, 1.4), (-0.5, 0.9), (0.9, 1.5), (1.7, 2.2)),
    ),
    "ろ": (((-1.3, -1.9), (1.0, -2.1), (-0.2, -0.7), (-1.6, 0.7), (0.4, -0.5), (1.6, 0.5), (1.2, 1.7), (-0.2, 2.3)),),
    "し": (((-0.6, -2.3), (-0.8, 0.4), (-0.5, 1.9), (0.5, 2.2), (1.6, 1.1)),),
    "み": (
        ((-1.4, -1.8), (0.4, -2.0), (-0.2, 0.2), (-1.2, 1.8), (-1.9, 1.1), (-0.8, 0.3), (0.9, 0.9), (2.0, 1.3)),
        ((1.3, -0.6), (1.2, 1.0), (0.5, 2.3)),
    ),
    "の": (((0.2, -1.5), (-0.3, 0.5), (-1.3, 1.6), (-1.9, 0.6), (-1.1, -1.1), (0.5, -1.8), (1.8, -0.7), (1.6, 1.0), (0.4, 2.1)),),
}  # fmt: skip


def ribbon(fill: Colour, *, text: str = "", bend: float = 1.6) -> Art:
    """A paper strip 7.6 × 33 mm around the origin, bowed to the left by `bend`, with brush writing if `text`."""
    y = np.linspace(-16.5, 16.5, 25)
    bow = -bend * (1 - (y / 16.5) ** 2)
    outline = np.vstack([np.column_stack([bow - 3.8, y]), np.column_stack([bow + 3.8, y])[::-1]])
    strip = Shape(outline, fill, 0.4)
    step = 28.0 / max(1, len(text))
    writing: list[Art] = []
    for i, letter in enumerate(text):
        at = -14.0 + step * (i + 0.5)
        strokes = tuple(brush(path, [0.5, 0.75, 0.3], BLACK) for path in _GLYPHS[letter])
        writing.append(moved(strokes, -bend * (1 - (at / 16.5) ** 2), at, scale=min(1.25, step / 5.2)))
    return (strip, *joined(writing))


def cloud(x: float, y: float, size: float = 1.0, fill: Colour = RED) -> Art:
    """A bank of curled cloud around (x, y), 14 mm wide at size 1."""
    lobes = ((-5.2, 0.4, 2.0), (-2.4, -0.9, 2.6), (1.2, -0.6, 3.0), (4.6, 0.4, 2.2))
    back = tuple(disc(lx, ly, r, fill) for lx, ly, r in lobes)
    body = Shape(ellipse(0, 1.0, 6.0, 1.9), fill, 0)
    curls = tuple(
        Shape(smooth([(lx - r * 0.1, ly + r * 0.5), (lx - r * 0.55, ly), (lx, ly - r * 0.5), (lx + r * 0.5, ly)]), None, 0.25, BLACK, closed=False)
        for lx, ly, r in lobes
    )
    foot = line([(-6.2, 2.0), (-2, 3.0), (2, 2.6), (6.2, 2.2)], 0.3)
    return moved((*back, body, *curls, foot), x, y, scale=size)


def mist(y: float, x: float, width: float, fill: Colour = OCHRE, height: float = 2.6) -> Art:
    """A flat band of mist with round ends, its left end at x."""
    r = height / 2
    left = ellipse(x + r, y, r, r, start=90, end=270)
    right = ellipse(x + width - r, y, r, r, start=-90, end=90)
    return (Shape(np.vstack([left, right]), fill, 0.2),)


def curtain() -> Art:
    """The blossom viewers' curtain over the lower part of the card, hung on a rope."""
    top = smooth([(-1, 28.6), (9, 31.8), (22, 31.2), (34, 27.4)])
    bands: list[Art] = []
    for depth, fill in ((0.0, VIOLET), (7.4, WHITE), (11.2, RED), (18.4, BLACK)):
        edge = top + (0, depth)
        bands.append((Shape(np.vstack([edge, [(34, 56), (-1, 56)]]), fill, 0.35),))
    crest = (*(disc(1.9 * np.sin(a), -1.9 * np.cos(a), 1.25, WHITE, line=0) for a in np.radians(range(0, 360, 72))), disc(0, 0, 0.9, VIOLET, line=0))
    crests = joined([moved(crest, x, y) for x, y in ((8, 35.3), (24.6, 34.6))])
    rope = brush([(-1, 28.2), (9, 31.4), (22, 30.8), (34, 27.0)], [1.2, 1.2], OCHRE)
    cord = brush([(-1, 28.2), (9, 31.4), (22, 30.8), (34, 27.0)], [1.8, 1.8], BLACK)
    loops = tuple(Shape(points((x - 0.9, y), (x + 0.9, y), (x + 0.9, y + 2.4), (x - 0.9, y + 2.4)), OCHRE, 0.25) for x, y in ((4.0, 29.4), (13, 31.2), (20, 30.4), (29, 28.4)))
    return (*joined(bands), *crests, *loops, cord, rope)


def bridge() -> Art:
    """Plank bridges in a zigzag over the lower part of the card, on red-topped posts, over water."""
    water = Shape(points((0, 42), (33, 42), (33, 54), (0, 54)), WATER, 0)
    ripples = tuple(line([(x, y), (x + 2, y - 0.5), (x + 4, y), (x + 6, y - 0.5)], 0.25, WHITE) for x, y in ((2, 44), (22, 43.6), (1.5, 51.5), (13, 52), (25, 48)))
    plank_low = ((0.0, 51.0), (23.0, 41.5), (25.5, 44.6), (2.0, 54.6), (0.0, 54.6))
    plank_high = ((7.0, 33.2), (34.0, 43.6), (34.0, 47.6), (5.8, 36.6))
    parts: list[Art] = []
    for outline in (plank_low, plank_high):
        parts.append((Shape(points(*outline), OCHRE, 0.4),))
    grain = (
        line([(0.5, 52.8), (24.2, 43.0)], 0.3),
        line([(6.4, 34.9), (34, 45.6)], 0.3),
    )
    posts: list[Art] = []
    for x, y, h in ((9.5, 33.4, 6.5), (24.4, 41.2, 9.0), (4.6, 48.2, 8.0)):
        posts.append((Shape(points((x - 1.4, y), (x + 1.4, y), (x + 1.4, y + h), (x - 1.4, y + h)), OCHRE, 0.35), Shape(ellipse(x, y, 1.4, 0.7), RED, 0.3)))
    return (water, *ripples, *joined(parts), *grain, *joined(posts))


def sake_cup() -> Art:
    """A wide red cup seen a little from above, 17 mm wide, around the origin, with the sign for long life."""
    bowl = area([(-8.5, -2.0), (-6.6, 2.4), (-2.6, 4.8), (2.6, 4.8), (6.6, 2.4), (8.5, -2.0)], RED, line=0.4)
    foot = Shape(points((-2.6, 4.2), (2.6, 4.2), (3.2, 6.6), (-3.2, 6.6)), RED, 0.4)
    rim = Shape(ellipse(0, -2.2, 8.6, 3.1), OCHRE, 0.4)
    inside = Shape(ellipse(0, -2.0, 7.4, 2.4), RED, 0.25)
    sign = joined([(brush(path, [0.55, 0.45], OCHRE),) for path in (
        ((-2.4, 1.5), (2.4, 1.3)), ((0, 0.7), (-0.3, 2.4), (-2.0, 4.2)), ((-1.9, 2.6), (2.1, 2.5)), ((0.5, 3.6), (1.2, 4.3)),
    )])  # fmt: skip
    return (foot, bowl, rim, inside, *sign)


def stream(path: Sequence[tuple[float, float]], width: float = 3.4) -> Art:
    """Running water along `path` with white ripples."""
    curve = smooth(path)
    ripples = tuple(line(curve + (0, dy), 0.22, WHITE) for dy in (-width * 0.2, width * 0.2))
    return (brush(curve, [width + 0.6] * 2, BLACK), brush(curve, [width] * 2, WATER), *ripples)


def umbrella() -> Art:
    """An oiled-paper umbrella, ribs outward, its handle's end at the origin and its top 17 mm above."""
    canopy = Shape(np.vstack([smooth([(-8.6, -10.6), (-5.6, -14.4), (0, -16.6), (5.6, -14.4), (8.6, -10.6)]), smooth([(8.6, -10.6), (4.3, -11.8), (0, -10.4), (-4.3, -11.8), (-8.6, -10.6)])]), OCHRE, 0.4)
    ribs = tuple(line([(0, -16.4), (x * 0.62, -14.2), (x, -11.2)], 0.22, BLACK) for x in (-6.4, -4.3, -2.1, 0, 2.1, 4.3, 6.4))
    hem = area([(-8.2, -11.2), (-5.0, -14.4), (0, -16.0), (5.0, -14.4), (8.2, -11.2), (5.0, -13.2), (0, -14.2), (-5.0, -13.2)], BROWN, line=0)
    knob = disc(0, -16.9, 0.7, BLACK)
    handle = brush([(0, -11), (0, 0)], [0.7, 0.7], BLACK)
    return (handle, canopy, hem, *ribs, knob)


def speckle(spots: Sequence[tuple[float, float]], r: float = 0.35, ink: Colour = BLACK) -> Art:
    """Small dots, as printed around ribbons."""
    return tuple(disc(x, y, r, ink, line=0) for x, y in spots)


BACK_COLOUR: Final = (30, 24, 96)


def back() -> Art:
    """The back: a pale wheel of six drops inside a thin line, the same after half a turn."""
    drop = area([(0, -1.6), (1.5, -4.6), (1.1, -6.8), (0, -7.8), (-1.1, -6.8), (-1.5, -4.6)], OCHRE, line=0.3)
    edge = Shape(points((3.2, 3.2), (29.8, 3.2), (29.8, 50.8), (3.2, 50.8)), None, 0.35, OCHRE)
    return (edge, *moved(ring((drop,), 6), 16.5, 27))
