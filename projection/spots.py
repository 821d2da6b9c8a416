"""Spots that a hand can cover: a ring that fills, a small hand and a word beside it, for the seat that may say it.

The disc itself stays dark: the camera watches it, and our own light must not look like a hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from engine.events import Words
from projection.badges import box
from projection.blocks import Block, put, shifted, write
from projection.panels import both
from projection.scene import BLACK, RGB, Disc, Path, Point, Progress, Shape, Stroke
from projection.space import Room, Turned, meet
from projection.table import Table
from projection.text import width_mm, wrap
from projection.theme import GOLD, SIZES, WHITE

_RING_MM: Final = 2.6
_FILLED_MM: Final = 4.4
_ICON_MM: Final = 10.0
_GAP_MM: Final = 3.5
_ROOMS_MM: Final = (110.0, 75.0, 54.0)
_SCALES: Final = (1.0, 0.8, 0.64)


@dataclass(frozen=True, slots=True)
class SpotMark:
    """A spot to show, centre and radius in table mm, what covering it says, and how far it is filled (0–1)."""

    x_mm: float
    y_mm: float
    radius_mm: float
    seat: int
    words: Words
    progress: float = 0.0


def spot_shapes(spots: Sequence[SpotMark], room: Room, table: Table, language: str) -> tuple[Shape, ...]:
    """Rings, icons and words; no ring where cards lie on the spot, and no word where there is no room for it."""
    shown = [spot for spot in spots if _takes_its_place(spot, room, table)]
    rings = [shape for spot in shown for shape in _ring(spot, table.turned(spot.seat))]
    return (*rings, *(shape for spot in shown for shape in _label(spot, room, table, language)))


def _takes_its_place(spot: SpotMark, room: Room, table: Table) -> bool:
    side = 2 * spot.radius_mm + _FILLED_MM - _RING_MM
    turned = table.turned(spot.seat)
    shape = turned.box(*turned.local(spot.x_mm, spot.y_mm), side, side)
    if not room.is_free(shape):
        return False
    room.block(shape)
    return True


def _ring(spot: SpotMark, turned: Turned) -> tuple[Shape, ...]:
    """The rim just inside the spot's edge: all of it thin, what is filled thick and golden; within it no light."""
    x, y, radius = spot.x_mm, spot.y_mm, spot.radius_mm
    rim = Progress(x, y, radius - _RING_MM / 2, 1.0, Stroke(WHITE, _RING_MM), turned.facing_deg)
    dark = Disc(x, y, radius - _FILLED_MM + 0.5, BLACK)
    if spot.progress <= 0:
        return rim, dark
    filled = Stroke(GOLD, _FILLED_MM)
    return rim, Progress(x, y, radius - _RING_MM / 2, spot.progress, filled, turned.facing_deg), dark


def _label(spot: SpotMark, room: Room, table: Table, language: str) -> tuple[Shape, ...]:
    """The icon and the word at the first free side, outside all zones if that can be."""
    turned = table.turned(spot.seat)
    u, v = turned.local(spot.x_mm, spot.y_mm)
    colour = GOLD if spot.progress > 0 else WHITE
    for strict, scale, wide in product((True, False), _SCALES, _ROOMS_MM):
        block = _words(both(spot.words, language), wide, SIZES.line * scale, colour)
        for du, dv in _beside(spot, block):
            shape = turned.box(u + du, v + dv, block.width_mm + 2, block.height_mm + 2)
            if room.is_free(shape) and not (strict and any(meet(shape, z.polygon_mm) for z in table.layout.zones)):
                room.block(shape)
                return put(block, turned, (u + du, v + dv), spot.seat, backing=False)
    return ()


def _beside(spot: SpotMark, block: Block) -> tuple[Point, ...]:
    """Where the middle of the label may lie, from the spot's, as its reader sees it: below, above, beside."""
    down = spot.radius_mm + _GAP_MM + block.height_mm / 2
    aside = spot.radius_mm + _GAP_MM + block.width_mm / 2
    slide = max(0.0, block.width_mm / 2 - spot.radius_mm)
    rows = tuple((du, dv) for dv in (-down, down) for du in (0.0, slide, -slide))
    return (*rows, (aside, 0.0), (-aside, 0.0))


def _words(text: str, room_mm: float, size: float, colour: RGB) -> Block:
    """A small hand, and the text right of it in as many lines as the room asks for."""
    lines = wrap(text, size, room_mm)
    height = max(_ICON_MM, len(lines) * size * 1.25)
    left = _ICON_MM + 2.0
    shapes = [shifted(shape, 0.0, (height - _ICON_MM) / 2) for shape in _hand(colour)]
    for number, line in enumerate(lines):
        middle = height / 2 + (len(lines) / 2 - number - 0.5) * size * 1.25
        shapes.append(write(line, left, middle, size, colour, strong=True))
    return Block(left + max(width_mm(line, size) for line in lines), height, tuple(shapes))


def _hand(colour: RGB) -> tuple[Shape, ...]:
    """A flat hand, fingers up, in a box of `_ICON_MM`."""
    finger = Stroke(colour, 1.5)
    ends = ((2.4, 7.4), (4.2, 9.0), (6.0, 9.2), (7.8, 8.0))
    fingers = tuple(Path(((u, 4.0), (u, top)), finger) for u, top in ends)
    return (*fingers, Path(((2.2, 2.6), (0.7, 5.2)), finger), box(5.0, 2.6, 6.2, 4.2, colour))
