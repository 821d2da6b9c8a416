"""Listing, showing and making layouts: what the verb `layout` does."""

import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from app.output import answer, answer_json, progress
from calibration import arrange
from calibration.layout import (
    Layout,
    builtin_layouts,
    check_for_game,
    dump_layout,
    load_layout,
    new_layout,
)
from calibration.textareas import text_areas
from engine import catalogue, yamldump
from engine.errors import ConfigError

_COLUMNS = 76
_MARGIN_MM = 30
_PX_PER_MM = 1.0
_ZONE_BGR = {
    "field": (110, 130, 90),
    "draw": (120, 120, 120),
    "hand": (150, 110, 80),
    "captured": (90, 90, 150),
    "select": (150, 90, 130),
}


def show_all(as_json: bool) -> int:
    """Prints the layouts that ship."""
    found = [load_layout(path) for path in builtin_layouts().values()]
    if as_json:
        answer_json([_facts(layout) for layout in found])
    for layout in () if as_json else found:
        answer(f"{layout.name:<12} {len(layout.seats)} seats, mat {layout.mat_mm[0]:g} x {layout.mat_mm[1]:g} mm")
    return 0


def show(name: str, game: str | None, picture: str | None, as_json: bool) -> int:
    """Prints one layout; with `game` it is checked, with `picture` drawn. Raises ConfigError."""
    layout = find(name)
    if game is not None:
        check_for_game(layout, catalogue.load(game, {}).zones(len(layout.seats)), len(layout.seats), name)
    if picture is not None:
        _write_picture(Path(picture), draw(layout))
    if as_json:
        answer_json(_facts(layout))
        return 0
    answer(f"{layout.name}: {len(layout.seats)} seats, mat {layout.mat_mm[0]:g} x {layout.mat_mm[1]:g} mm")
    answer(sketch(layout))
    for zone in layout.zones:
        left, low, right, high = zone.bounds_mm
        answer(f"  {zone.place!s:<12} x {left:g} to {right:g}, y {low:g} to {high:g} mm")
    return 0


def make(seats: int, mat: str | None, hand: int | None, name: str, out: str | None) -> int:
    """Makes a layout and prints it or writes it to `out`, never over a file that is there. Raises ConfigError."""
    if seats not in arrange.DEFAULT_MAT_MM:
        raise ConfigError(f"--seats {seats}: a layout can be made for 2 to 5 seats")
    layout = new_layout(arrange.DEFAULT_MAT_MM[seats] if mat is None else mat_size(mat), seats, hand, name)
    if out is None:
        answer(dump_layout(layout).rstrip())
        return 0
    path = Path(out)
    if path.exists():
        raise ConfigError(f"{path}: is there already; choose another name or remove it first")
    yamldump.write(path, dump_layout(layout))
    progress(f"wrote {path}")
    return 0


def find(name: str) -> Layout:
    """The layout in the file `name`, or the built-in one of that name. Raises ConfigError."""
    built_in = builtin_layouts()
    if name in built_in and not Path(name).is_file():
        return load_layout(built_in[name])
    if not Path(name).exists():
        raise ConfigError(f"{name}: is neither a layout file nor a built-in layout ({', '.join(built_in)})")
    return load_layout(Path(name))


def mat_size(text: str) -> tuple[float, float]:
    """Width and height in mm of text such as `1000x640`. Raises ConfigError."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[x×,]\s*(\d+(?:\.\d+)?)\s*", text)
    if found is None or not all(0 < float(number) <= 10_000 for number in found.groups()):
        raise ConfigError(f"--mat {text!r}: must be width x height in mm, such as 1000x640")
    return float(found[1]), float(found[2])


def sketch(layout: Layout) -> str:
    """The mat in letters, seen from above, the operator's side below: each zone by its first letter and seat."""
    width, height = layout.mat_mm
    rows = max(8, round(_COLUMNS * height / width / 2))
    lines = []
    for row in range(rows):
        cells = []
        for column in range(_COLUMNS):
            x, y = (column + 0.5) / _COLUMNS - 0.5, 0.5 - (row + 0.5) / rows
            place = layout.place_at(x * width, y * height)
            cells.append(
                " " if place is None else place.zone[0] if place.seat is None else f"{place.zone[0]}{place.seat}"
            )
        lines.append(_filled(cells))
    frame = "+" + "-" * _COLUMNS + "+"
    return "\n".join([frame, *(f"|{line}|" for line in lines), frame])


def draw(layout: Layout) -> NDArray[np.uint8]:
    """The mat from above, uint8 (H, W, 3) BGR, the operator's side below: zones, and free areas for text (outlined)."""
    width, height = layout.mat_mm
    size = tuple(round((length + 2 * _MARGIN_MM) * _PX_PER_MM) for length in (height, width))
    picture = np.full((*size, 3), 35, dtype=np.uint8)
    half_w, half_h = width / 2, height / 2
    _fill(picture, layout, ((-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h)), (70, 95, 60))
    for zone in layout.zones:
        _fill(picture, layout, zone.polygon_mm, _ZONE_BGR.get(zone.place.zone, (80, 80, 80)))
        _label(picture, layout, zone.centre_mm, str(zone.place))
    areas = text_areas(layout)
    for name, area in [("panel", a) for a in areas.panels] + [("line", a) for a in areas.lines]:
        if area is not None:
            outline = _px(layout, area.corners_mm)
            cv2.polylines(picture, [outline], isClosed=True, color=(200, 200, 120), thickness=1, lineType=cv2.LINE_AA)
            cv2.line(picture, outline[0], outline[1], (255, 255, 255), 2, cv2.LINE_AA)
            _label(picture, layout, area.centre_mm, f"{name}-{area.seat}")
    return picture


def _filled(cells: list[str]) -> str:
    """One line of the sketch. Two letters take the place of two equal cells."""
    line = ""
    while len(line) < len(cells):
        cell = cells[len(line)]
        fits = len(line) + len(cell) <= len(cells) and cells[len(line) : len(line) + len(cell)] == [cell] * len(cell)
        line += cell if fits else cell[0]
    return line


def _px(layout: Layout, points_mm: tuple[tuple[float, float], ...]) -> NDArray[np.int32]:
    width, height = layout.mat_mm
    points = [(x + width / 2 + _MARGIN_MM, height / 2 - y + _MARGIN_MM) for x, y in points_mm]
    return np.round(np.array(points) * _PX_PER_MM).astype(np.int32)


def _fill(
    picture: NDArray[np.uint8], layout: Layout, points_mm: tuple[tuple[float, float], ...], bgr: tuple[int, int, int]
) -> None:
    cv2.fillPoly(picture, [_px(layout, points_mm)], bgr, cv2.LINE_AA)


def _label(picture: NDArray[np.uint8], layout: Layout, centre_mm: tuple[float, float], text: str) -> None:
    (x, y) = _px(layout, (centre_mm,))[0].tolist()
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.45, 1)
    origin = (x - width // 2, y + height // 2)
    cv2.putText(picture, text, origin, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (240, 240, 240), 1, cv2.LINE_AA)


def _write_picture(path: Path, picture: NDArray[np.uint8]) -> None:
    done, data = cv2.imencode(".png", picture)
    if path.suffix.lower() != ".png" or not done:
        raise ConfigError(f"{path}: a picture must be a .png file")
    try:
        path.write_bytes(data.tobytes())
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be written ({problem.strerror})") from problem
    progress(f"wrote {path}")


def _facts(layout: Layout) -> dict[str, Any]:
    return {
        "name": layout.name,
        "mat_mm": list(layout.mat_mm),
        "seats": [{"facing_deg": seat.facing_deg} for seat in layout.seats],
        "zones": [
            {"name": zone.place.zone, "seat": zone.place.seat, "polygon_mm": [list(p) for p in zone.polygon_mm]}
            for zone in layout.zones
        ],
    }
