"""Small signs beside cards: drawn as lines and discs, upright for their reader."""

from typing import Final

from projection.blocks import Block, write
from projection.scene import BLACK, RGB, Disc, Fill, Path, Point, Shape, Stroke
from projection.text import width_mm
from projection.theme import Badge

SIZE_MM: Final = 11.0


def badge(kind: Badge, colour: RGB, letter: str = "") -> Block:
    """A sign `SIZE_MM` high and wide. A letter stands dark on a disc; the others are told apart by their outline."""
    return Block(SIZE_MM, SIZE_MM, _sign(kind, colour, letter))


def _sign(kind: Badge, colour: RGB, letter: str) -> tuple[Shape, ...]:
    match kind:
        case Badge.LETTER:
            left = 5.5 - width_mm(letter, 9.0) / 2
            return Disc(5.5, 5.5, 5.5, colour), write(letter, left, 5.5, 9.0, BLACK, strong=True)
        case Badge.BANG:
            triangle = ((0.0, 0.3), (11.0, 0.3), (5.5, 10.7))
            return Fill(triangle, colour), box(5.5, 5.2, 1.5, 3.6, BLACK), box(5.5, 1.9, 1.5, 1.4, BLACK)
        case Badge.CROSS:
            stroke = Stroke(colour, 2.2)
            return Path(((1.3, 1.3), (9.7, 9.7)), stroke), Path(((1.3, 9.7), (9.7, 1.3)), stroke)
        case Badge.QUESTION:
            hook = ((2.9, 7.4), (3.4, 9.1), (5.5, 9.9), (7.6, 9.1), (8.1, 7.4), (7.2, 5.9), (5.5, 4.8), (5.5, 3.5))
            return Path(hook, Stroke(colour, 1.7)), box(5.5, 1.2, 2.0, 2.0, colour)
        case Badge.CHECK:
            return (Path(((1.5, 5.0), (4.3, 2.2), (9.5, 8.8)), Stroke(colour, 1.9)),)
        case Badge.BAR:
            return Disc(5.5, 5.5, 5.2, colour), box(5.5, 5.5, 6.6, 2.0, BLACK)
        case Badge.NONE:
            return ()


def box(u: float, v: float, width: float, height: float, colour: RGB) -> Fill:
    """An upright rectangle centred on (u, v)."""
    return Fill(corners(u, v, width, height), colour)


def corners(u: float, v: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of an upright rectangle centred on (u, v), anticlockwise from the lower left."""
    w, h = width / 2, height / 2
    return ((u - w, v - h), (u + w, v - h), (u + w, v + h), (u - w, v + h))
