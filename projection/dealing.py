"""The deal guide: rings that fill as cards are dealt, and the names of the zones that stay empty until then."""

from engine.events import Place
from engine.words import place_name
from projection.blocks import Block, put, write
from projection.marks import Count
from projection.panels import both
from projection.scene import Progress, Shape, Stroke
from projection.space import Room
from projection.table import Table, zone_bounds
from projection.text import width_mm
from projection.theme import FAINT, RED, SIZES, SOFT, WHITE

_RADIUS_MM = 12.5
_STEP_MM = 2 * _RADIUS_MM + 6


def count_rings(count: Count, room: Room, table: Table) -> tuple[Shape, ...]:
    """A ring with "4/6" inside, once for each seat that should read it: the zone's own seat, or all of them."""
    seats = range(len(table.layout.seats)) if count.place.seat is None else (count.place.seat,)
    shapes: list[Shape] = []
    for seat in seats:
        bounds = zone_bounds(table, count.place, seat)
        if bounds is None:
            continue
        turned, half = table.turned(seat), _STEP_MM / 2
        left, low, right, high = bounds[0] + half, bounds[1] + half, bounds[2] - half, bounds[3] - half
        middle = (left + right) / 2
        for u, v in ((right, low), (left, low), (middle, low), (right, high), (left, high)):
            shape = turned.box(u, v, _STEP_MM, _STEP_MM)
            if room.is_free(shape):
                room.block(shape)
                colour = RED if count.have > count.count else WHITE if count.have == count.count else SOFT
                label = f"{count.have}/{count.count}"
                size = min(10.5, 19.0 / width_mm(label, 1.0))
                number = write(label, _RADIUS_MM - width_mm(label, size) / 2, _RADIUS_MM, size, colour, strong=True)
                share = count.have / count.count if count.count else 1.0
                ring = Stroke(colour, 2.4)
                shapes.append(Progress(*turned.table(u, v), _RADIUS_MM, share, ring, turned.facing_deg))
                shapes += put(Block(2 * _RADIUS_MM, 2 * _RADIUS_MM, (number,)), turned, (u, v), seat, backing=False)
                break
    return tuple(shapes)


def zone_names(room: Room, table: Table, language: str) -> tuple[Shape, ...]:
    """The names of the zones that stay empty while cards are dealt, turned to whom they belong to."""
    shapes: list[Shape] = []
    for zone in table.layout.zones:
        if zone.place.zone not in ("captured", "box", "removed", "discard"):
            continue
        turned, size = table.turned(zone.place.seat), SIZES.line
        name = both(place_name(Place(zone.place.zone)), language)
        block = Block(width_mm(name, size), size, (write(name, 0.0, size / 2, size, FAINT),))
        centre = turned.local(*zone.centre_mm)
        shape = turned.box(*centre, block.width_mm, block.height_mm * 1.2)
        if room.is_free(shape) and all(zone.contains(*corner) for corner in shape):
            room.block(shape)
            shapes += put(block, turned, centre, zone.place.seat or 0, backing=False)
    return tuple(shapes)
