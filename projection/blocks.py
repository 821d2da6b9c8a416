"""Blocks of text and signs for one reader, laid out from their own lower left corner and then put on the mat."""

from collections.abc import Callable
from dataclasses import dataclass

from projection.scene import BLACK, RGB, Disc, Fill, Path, Point, Shape, Stroke, Text
from projection.space import Turned
from projection.text import shorten, width_mm


@dataclass(frozen=True, slots=True)
class Block:
    """Shapes in a box of `width_mm` × `height_mm`: u to the right, v up, (0, 0) the lower left corner, upright."""

    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]


def write(
    line: str, left: float, middle: float, size: float, colour: RGB, strong: bool = False, room: float = 1e9
) -> Text:
    """One line that starts at u = `left`, centred on v = `middle`, shortened to `room` mm."""
    line = shorten(line, size, room)
    width = width_mm(line, size)
    return Text(line, left + width / 2, middle, size, width, 0.0, colour, None, strong)


def write_right(line: str, right: float, middle: float, size: float, colour: RGB, strong: bool = False) -> Text:
    """One line that ends at u = `right`."""
    return write(line, right - width_mm(line, size), middle, size, colour, strong)


def put(
    block: Block, turned: Turned, centre: Point, seat: int | None, scale: float = 1.0, backing: bool = True
) -> tuple[Shape, ...]:
    """The block on the table around `centre` (u, v) for the reader; `backing` darkens its box first."""
    box = turned.box(centre[0], centre[1], block.width_mm * scale + 3, block.height_mm * scale + 3)
    dark: tuple[Shape, ...] = (Fill(box, BLACK),) if backing else ()
    u0, v0 = centre[0] - block.width_mm * scale / 2, centre[1] - block.height_mm * scale / 2

    def move(u: float, v: float) -> Point:
        x, y = turned.table(u0 + u * scale, v0 + v * scale)
        return round(x, 3), round(y, 3)

    return dark + tuple(_moved(shape, move, scale, turned.facing_deg, seat) for shape in block.shapes)


def shifted(shape: Shape, du: float, dv: float, scale: float = 1.0) -> Shape:
    """A shape of a block, `scale` times as large and then moved by (du, dv) mm."""
    return _moved(shape, lambda u, v: (u * scale + du, v * scale + dv), scale, 0.0, None)


def _moved(
    shape: Shape, move: Callable[[float, float], Point], scale: float, facing_deg: float, seat: int | None
) -> Shape:
    match shape:
        case Text(text=text, x_mm=u, y_mm=v, size_mm=size, width_mm=width, colour=colour, strong=strong):
            return Text(text, *move(u, v), size * scale, width * scale, facing_deg, colour, seat, strong)
        case Fill(points_mm=points, colour=colour):
            return Fill(tuple(move(*p) for p in points), colour)
        case Path(points_mm=points, stroke=stroke, closed=closed, head_mm=head):
            thin = Stroke(stroke.colour, stroke.width_mm * scale, stroke.line)
            return Path(tuple(move(*p) for p in points), thin, closed, head * scale)
        case Disc(x_mm=u, y_mm=v, radius_mm=radius, colour=colour):
            return Disc(*move(u, v), radius * scale, colour)
        case _:
            raise TypeError(f"a block cannot hold {type(shape).__name__}")
