"""The markers of a mat: where ours are printed, where those on one's own cloth lie, whether a print is true."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from calibration.profile import Markers, markers_from
from calibration.refusals import Reason, Refusal
from engine import yamlfile
from engine.errors import CalibrationError, ConfigError

DICTIONARY: Final = "DICT_4X4_50"
SIZE_MM: Final = 40.0
QUIET_MM: Final = 8.0
"""White around a marker: a little more than one of its cells, as finding it needs."""
STRIP_MM: Final = SIZE_MM + 2 * QUIET_MM
"""How much wider than the mat the printed sheet is on its left and on its right: there no card and no light falls."""
CORNERS: Final = ("near left", "near right", "far right", "far left")
_SLACK: Final = 0.005
_TRUE: Final = 0.001


@dataclass(frozen=True, slots=True)
class MarkerFile:
    """What a file says of markers; `mat_mm` is None where it does not say how large the mat is."""

    markers: Markers
    mat_mm: tuple[float, float] | None


def mat_markers(mat_mm: tuple[float, float]) -> Markers:
    """The markers as `hanafuda print mat` puts them: beside the mat's corners, 0 near left, on anticlockwise."""
    return _at(mat_mm[0] / 2 + STRIP_MM / 2, mat_mm[1] / 2 - STRIP_MM / 2)


def cloth_markers(width_mm: float, height_mm: float, size_mm: float = SIZE_MM) -> Markers:
    """Markers laid onto one's own cloth as a rectangle, their middles so far apart. Raises ConfigError."""
    if min(width_mm, height_mm) < 2 * size_mm:
        raise ConfigError(
            f"--measured {width_mm:g} {height_mm:g}: markers of {size_mm:g} mm must lie further apart than that"
        )
    return _at(width_mm / 2, height_mm / 2, size_mm)


def load_markers(path: Path) -> MarkerFile:
    """Markers in a file: the block `markers` of a profile, with or without its key, or a whole profile.

    Raises ConfigError naming file and key.
    """
    top = yamlfile.parse(_with_schema(path), str(path))
    if top.has("table"):
        table = top.section("table")
        width, height = table.numbers("mat_mm", 2)
        return MarkerFile(_checked(markers_from(table.section("markers")), path), (width, height))
    mat: tuple[float, float] | None = None
    if top.has("mat_mm"):
        width, height = top.numbers("mat_mm", 2)
        mat = width, height
    if top.has("markers"):
        return MarkerFile(_checked(markers_from(top.section("markers")), path), mat)
    values = {key: value for key, value in top.values.items() if key not in ("schema", "mat_mm")}
    return MarkerFile(_checked(markers_from(yamlfile.Section(top.file, "", values)), path), mat)


def mat_around(markers: Markers, usual_mm: tuple[float, float]) -> tuple[float, float]:
    """How large a mat is of which only the markers are known: `usual_mm` where they are that mat's, as we print it.

    Else the smallest mat about the table's origin that holds them all.
    """
    if dict(markers.centres_mm) == dict(mat_markers(usual_mm).centres_mm):
        return usual_mm
    places, half = markers.centres_mm.values(), markers.size_mm / 2
    return 2 * (max(abs(x) for x, _ in places) + half), 2 * (max(abs(y) for _, y in places) + half)


def corner_numbers(markers: Markers) -> tuple[int, int, int, int]:
    """The numbers of the markers furthest out near left, near right, far right and far left."""
    places = markers.centres_mm
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    a, b, c, d = (max((x * right + y * far, n) for n, (x, y) in places.items())[1] for right, far in signs)
    return a, b, c, d


def distances_mm(markers: Markers) -> tuple[float, float]:
    """What a ruler should show: between the middles of the two near markers, and of the two left ones."""
    places = markers.centres_mm
    a, b, _, d = (places[number] for number in corner_numbers(markers))
    across = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    away = ((d[0] - a[0]) ** 2 + (d[1] - a[1]) ** 2) ** 0.5
    return across, away


def check_print(markers: Markers, measured_mm: tuple[float, float]) -> tuple[str, ...]:
    """What to note about a print whose two distances were measured; nothing where it is true to a thousandth.

    Raises Refusal for a print more than half a percent off, CalibrationError for distances that cannot be.
    """
    told = distances_mm(markers)
    if min(measured_mm) <= 0:
        raise CalibrationError("--measured: distances are lengths in mm above 0")
    across, away = measured_mm[0] / told[0], measured_mm[1] / told[1]
    turned = measured_mm[1] / told[0], measured_mm[0] / told[1]
    if max(abs(across - 1), abs(away - 1)) <= _TRUE:
        return ()
    if max(abs(across - 1), abs(away - 1)) <= _SLACK:
        return (f"the print is {100 * across:.1f} % wide and {100 * away:.1f} % deep: good enough",)
    if max(abs(share - 1) for share in turned) <= _SLACK:
        raise CalibrationError(
            f"--measured {measured_mm[0]:g} {measured_mm[1]:g}: the two distances are swapped; first the one between "
            "the two near markers, then the one between the two left ones"
        )
    if abs(across - away) < 2 * _SLACK:
        raise Refusal(
            Reason.SCALED_PRINT,
            f"the mat was printed at {50 * (across + away):.1f} %: the near markers are {measured_mm[0]:g} mm apart, "
            f"not {told[0]:g}; print again at 100 % (`actual size`, never `fit to page`)",
        )
    raise Refusal(
        Reason.SCALED_PRINT,
        f"the markers are {measured_mm[0]:g} and {measured_mm[1]:g} mm apart, not {told[0]:g} and {told[1]:g}: measure "
        "again from middle to middle; else it is another mat (--layout), or its sheets are not joined at their marks",
    )


def _at(x_mm: float, y_mm: float, size_mm: float = SIZE_MM) -> Markers:
    places = ((-x_mm, -y_mm), (x_mm, -y_mm), (x_mm, y_mm), (-x_mm, y_mm))
    return Markers(DICTIONARY, size_mm, dict(enumerate(places)))


def _checked(markers: Markers, path: Path) -> Markers:
    places = list(markers.centres_mm.values())
    xs, ys = [x for x, _ in places], [y for _, y in places]
    if len(places) < 4 or len(set(corner_numbers(markers))) < 4:
        raise ConfigError(f"{path}: centres_mm needs four markers or more, one towards each corner of the mat")
    if max(xs) - min(xs) < 2 * markers.size_mm or max(ys) - min(ys) < 2 * markers.size_mm:
        raise ConfigError(f"{path}: centres_mm has the markers closer together than they are large")
    return markers


def _with_schema(path: Path) -> str:
    """The file's text; a bare block of markers needs no schema of its own."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror.lower() if isinstance(problem, OSError) and problem.strerror else "no text"
        raise ConfigError(f"{path}: cannot be read ({reason})") from problem
    if "schema" in text:
        return text
    start = text.lstrip()
    return "{schema: 1, " + start[1:] if start.startswith("{") else f"schema: 1\n{text}"
