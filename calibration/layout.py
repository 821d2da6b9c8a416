"""Where things lie on the mat: zones and seats, read from a layout file and checked before anything relies on them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from calibration import arrange, families
from calibration.polygons import Point, crosses_itself, inside, overlap
from engine import yamldump, yamlfile
from engine.errors import ConfigError
from engine.events import Place

SEAT_ZONES: Final = ("hand", "captured", "select")
"""Zones that carry a seat."""
SHARED_ZONES: Final = ("field", "draw", "removed", "discard", "box")
"""Zones of the table as a whole."""
_LAYOUTS: Final = Path(__file__).resolve().parent.parent / "models" / "layouts"
_TOUCH_MM: Final = 0.01


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place. `facing_deg` is the anticlockwise turn of a text that is upright for it: 0 at −y, 90 at +x."""

    facing_deg: float


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the mat: the place it is and its outline in table mm, at least three corners, either winding."""

    place: Place
    polygon_mm: tuple[Point, ...]
    _bounds: tuple[float, float, float, float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        xs, ys = [x for x, _ in self.polygon_mm], [y for _, y in self.polygon_mm]
        object.__setattr__(self, "_bounds", (min(xs), min(ys), max(xs), max(ys)))

    @property
    def bounds_mm(self) -> tuple[float, float, float, float]:
        """Least x, least y, largest x, largest y in table mm."""
        return self._bounds

    @property
    def centre_mm(self) -> Point:
        """The middle of the zone's bounds in table mm."""
        left, low, right, high = self._bounds
        return (left + right) / 2, (low + high) / 2

    def contains(self, x_mm: float, y_mm: float) -> bool:
        """Whether the point of the table lies in this zone."""
        left, low, right, high = self._bounds
        return left <= x_mm <= right and low <= y_mm <= high and inside(self.polygon_mm, x_mm, y_mm)


@dataclass(frozen=True, slots=True)
class Layout:
    """Zones and seats on a mat of `mat_mm` (width, height), the origin at its centre. Use `load_layout` or `check`."""

    name: str
    mat_mm: tuple[float, float]
    seats: tuple[Seat, ...]
    zones: tuple[Zone, ...]

    def place_at(self, x_mm: float, y_mm: float) -> Place | None:
        """The place that holds a card whose centre lies there, or None outside all zones."""
        for zone in self.zones:
            if zone.contains(x_mm, y_mm):
                return zone.place
        return None

    def zone(self, place: Place) -> Zone | None:
        """The zone of `place`, or None where this layout has none."""
        return next((zone for zone in self.zones if zone.place == place), None)


def load_layout(path: Path) -> Layout:
    """The layout in the file at `path`. Raises ConfigError naming file and key for anything that cannot be used."""
    return layout_from(yamlfile.read(path))


def builtin_layout(seats: int) -> Layout:
    """The layout that ships for `seats` seats. Raises ConfigError where there is none."""
    path = _LAYOUTS / f"{seats}-seats.yaml"
    if not path.is_file():
        raise ConfigError(f"there is no built-in layout for {seats} seats; there are {', '.join(builtin_layouts())}")
    return load_layout(path)


def builtin_layout_for(needed: frozenset[Place], seats: int) -> Layout:
    """The layout that ships for a game that needs these zones. Raises ConfigError where there is none."""
    for path in builtin_layouts().values():
        layout = load_layout(path)
        if len(layout.seats) == seats and all(layout.zone(place) is not None for place in needed):
            return layout
    raise ConfigError(f"no built-in layout for {seats} seats has the zones {', '.join(sorted(map(str, needed)))}")


def builtin_layouts() -> Mapping[str, Path]:
    """The files of the layouts that ship, by name."""
    return {path.stem: path for path in sorted(_LAYOUTS.glob("*.yaml"))}


def new_layout(
    mat_mm: tuple[float, float],
    seats: int,
    hand: int | None = None,
    name: str = "",
    family: str = families.HANA_AWASE,
) -> Layout:
    """A layout for a family of games on a mat of any size, seats around it anticlockwise from the operator.

    `hand` is the largest hand to make room for (default: the largest of the hana-awase family). Raises ConfigError for
    a mat that is too small, naming the smallest size, and for a family or seats there are not.
    """
    zones = families.arrange_family(family, mat_mm, seats, hand)
    own = f"{seats}-seats" if family == families.HANA_AWASE else f"{family}-{seats}-seats"
    return Layout(
        name=name or own,
        mat_mm=mat_mm,
        seats=tuple(Seat(float(facing)) for facing in arrange.FACINGS_DEG[seats]),
        zones=tuple(
            Zone(place, ((left, low), (right, low), (right, high), (left, high)))
            for place, (left, low, right, high) in zones.items()
        ),
    )


def dump_layout(layout: Layout) -> str:
    """The text of a layout file; `load_layout` reads it back to the same value."""
    zones = [
        yamldump.InlineMapping(
            {"name": zone.place.zone}
            | ({} if zone.place.seat is None else {"seat": zone.place.seat})
            | {"polygon_mm": zone.polygon_mm}
        )
        for zone in layout.zones
    ]
    return yamldump.dump(
        {
            "schema": 1,
            "name": layout.name,
            "mat_mm": yamldump.Inline(layout.mat_mm),
            "seats": yamldump.Inline({"facing_deg": seat.facing_deg} for seat in layout.seats),
            "zones": zones,
        }
    )


def check_for_game(layout: Layout, needed: frozenset[Place], seats: int, file: str = "") -> None:
    """Raises ConfigError where `layout` has other than `seats` seats or lacks a zone that the game needs.

    `file` is where the layout came from, for the sentence.
    """
    name = file or f"layout {layout.name!r}"
    if len(layout.seats) != seats:
        raise ConfigError(f"{name}: there are {len(layout.seats)} seats, but the game has {seats}")
    missing = sorted(str(place) for place in needed if layout.zone(place) is None)
    if missing:
        raise ConfigError(f"{name}: zones that the game needs are missing: {', '.join(missing)}")


def layout_from(top: yamlfile.Section) -> Layout:
    """The layout in a section that `yamlfile.read` or `parse` gave. Raises ConfigError."""
    top.only("schema", "name", "mat_mm", "seats", "zones")
    name = top.text("name")
    mat = _mat_mm(top)
    seats = tuple(Seat(section.only("facing_deg").number("facing_deg") % 360) for section in top.sections("seats"))
    if not seats:
        raise top.error("seats", "must name at least one seat")
    zones: list[Zone] = []
    for section in top.sections("zones"):
        zone = _zone(section, len(seats), mat)
        for other in zones:
            if other.place == zone.place:
                raise section.error("name", f"gives the zone {zone.place} a second time")
            if overlap(other.polygon_mm, zone.polygon_mm, _TOUCH_MM):
                raise section.error("polygon_mm", f"overlaps: zone {zone.place} lies over zone {other.place}")
        zones.append(zone)
    return Layout(name, mat, seats, tuple(zones))


def _mat_mm(top: yamlfile.Section) -> tuple[float, float]:
    width, height = top.numbers("mat_mm", 2)
    if width <= 0 or height <= 0:
        raise top.error("mat_mm", f"must be two lengths above 0, got {width:g} x {height:g}")
    return width, height


def _zone(section: yamlfile.Section, seats: int, mat: tuple[float, float]) -> Zone:
    """One zone of the file, checked by itself."""
    section.only("name", "seat", "polygon_mm")
    name = section.text("name")
    if name not in SEAT_ZONES + SHARED_ZONES:
        raise section.error("name", f"{name!r} is no zone; zones are {', '.join(SHARED_ZONES + SEAT_ZONES)}")
    if name in SEAT_ZONES and not section.has("seat"):
        raise section.error("seat", f"is missing; a {name} zone belongs to a seat")
    if name in SHARED_ZONES and section.has("seat"):
        raise section.error("seat", f"must not be given; the {name} zone belongs to nobody")
    seat = section.integer("seat") if section.has("seat") else None
    if seat is not None and not 0 <= seat < seats:
        raise section.error("seat", f"{seat} does not exist; the layout has seats 0 to {seats - 1}")
    return Zone(Place(name, seat), _polygon(section, mat))


def _polygon(section: yamlfile.Section, mat: tuple[float, float]) -> tuple[Point, ...]:
    polygon = section.points("polygon_mm")
    if len(set(polygon)) < 3:
        raise section.error("polygon_mm", f"needs at least 3 different points, got {len(set(polygon))}")
    if len(polygon) > 3 and polygon[0] == polygon[-1]:
        polygon = polygon[:-1]
    half_width, half_height = mat[0] / 2 + _TOUCH_MM, mat[1] / 2 + _TOUCH_MM
    for x, y in polygon:
        if math.fabs(x) > half_width or math.fabs(y) > half_height:
            raise section.error("polygon_mm", f"leaves the mat at [{x:g}, {y:g}]; mat_mm is {mat[0]:g} x {mat[1]:g}")
    if crosses_itself(polygon):
        raise section.error("polygon_mm", "crosses itself or has no area; give the corners in order around the zone")
    return polygon
