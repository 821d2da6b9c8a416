"""The mat of a layout: its zones, four markers beside it, and the distances to measure, as seen from above."""

from typing import Final

from app.printing.canvas import BLACK, GREY, PALE, WHITE, Canvas, Colour, Point
from app.printing.paper import Drawing
from calibration.layout import Layout, Zone
from calibration.mat_markers import QUIET_MM, STRIP_MM, distances_mm, mat_markers
from calibration.opencv import marker_cells
from engine.words import place_name

GROUNDS: Final[dict[str, Colour | None]] = {"plain": None, "green": (70, 105, 78)}
"""What the mat is printed on: bare paper, or a green that shows light and cards well (for a print shop)."""
_TEXT_MM: Final = 4.2
_PLACES: Final = ("near left · 手前左", "near right · 手前右", "far right · 奥右", "far left · 奥左")


def mat_drawing(layout: Layout, ground: str = "plain") -> Drawing:
    """The sheet to print for `layout`: the mat with a strip of `STRIP_MM` on its left and right for the markers."""
    width, height = layout.mat_mm
    title = f"花札 Hanafuda Table · {layout.name} · {width:g} x {height:g} mm"
    return Drawing(title, (width + 2 * STRIP_MM, height), lambda canvas: _draw(canvas, layout, ground, title))


def _draw(canvas: Canvas, layout: Layout, ground: str, title: str) -> None:
    width, height = layout.mat_mm
    colour = GROUNDS[ground]
    ink, faint = (GREY, GREY) if colour is None else (WHITE, (200, 215, 200))
    if colour is not None:
        canvas.rectangle(STRIP_MM, 0, width, height, fill=colour)
    for zone in layout.zones:
        _put_zone(canvas, layout, zone, ink, faint)
    _put_markers(canvas, layout)
    _put_distances(canvas, layout)
    canvas.rectangle(STRIP_MM, 0, width, height, line=ink)
    canvas.text((1.5 * STRIP_MM + width + 3, height / 2), title, 8, GREY, align=0.5, turn_deg=90)


def _page(layout: Layout, point_mm: Point) -> Point:
    """A point of the table frame on the sheet."""
    return STRIP_MM + layout.mat_mm[0] / 2 + point_mm[0], layout.mat_mm[1] / 2 - point_mm[1]


def _put_zone(canvas: Canvas, layout: Layout, zone: Zone, ink: Colour, faint: Colour) -> None:
    """Its outline, and its name small in its corner, turned to whom it belongs."""
    canvas.polygon([_page(layout, point) for point in zone.polygon_mm], ink, 0.35)
    facing = 0.0 if zone.place.seat is None else layout.seats[zone.place.seat].facing_deg
    left, low, right, high = zone.bounds_mm
    inset = 3.0
    corner = {
        0: (left + inset, low + inset),
        90: (right - inset, low + inset),
        180: (right - inset, high - inset),
        270: (left + inset, high - inset),
    }[round(facing / 90) % 4 * 90]
    name = place_name(zone.place)
    canvas.text(_page(layout, corner), f"{name.ja} · {name.en}", _TEXT_MM, faint, turn_deg=facing)


def _put_markers(canvas: Canvas, layout: Layout) -> None:
    markers = mat_markers(layout.mat_mm)
    size = markers.size_mm
    for number, centre in markers.centres_mm.items():
        x, y = _page(layout, centre)
        box = size + 2 * QUIET_MM
        canvas.rectangle(x - box / 2, y - box / 2, box, box, fill=WHITE)
        canvas.marker(marker_cells(markers.dictionary, number), x - size / 2, y - size / 2, size)
        near = centre[1] < 0
        y_text = y - box / 2 - 3 if near else y + box / 2 + 5
        canvas.text((x, y_text), f"{number} · {_PLACES[number]}", 3, GREY, align=0.5)


def _put_distances(canvas: Canvas, layout: Layout) -> None:
    """How far markers are apart, beside them: what the operator measures and types."""
    across, away = distances_mm(mat_markers(layout.mat_mm))
    height = layout.mat_mm[1]
    x, middle = STRIP_MM / 2, height / 2
    text = f"0 ↔ 3: {away:g} mm"
    gap = canvas.width_of(text, _TEXT_MM) / 2 + 4
    canvas.line((x, STRIP_MM + 12), (x, middle - gap), PALE)
    canvas.line((x, middle + gap), (x, height - STRIP_MM - 22), PALE)
    canvas.text((x + 1.5, middle), text, _TEXT_MM, BLACK, align=0.5, turn_deg=90)
    canvas.text((x, height - STRIP_MM - 14), f"0 ↔ 1: {across:g} mm", _TEXT_MM, BLACK, align=0.5)
