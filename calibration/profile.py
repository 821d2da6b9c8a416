"""The calibration profile: what joins camera, table and projector, as one checked file (FORMATS has its fields)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from calibration.homography import Homography
from calibration.lens import Lens
from calibration.projector_map import Bend, ProjectorMap
from calibration.view import TableView
from engine import yamldump, yamlfile
from engine.errors import CalibrationError, ConfigError

T = TypeVar("T")
PARTS: Final = ("schema", "made_at", "camera", "table", "projector", "validation")
"""The keys at the top of a profile."""
KEPT: Final = 5
"""How many former profiles `save_profile` keeps beside the new one."""


@dataclass(frozen=True, slots=True)
class LensFit:
    """How well the lens was fitted: number of `views`, residual and hold-out error in px."""

    views: int
    rms_px: float
    holdout_px: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """The camera as calibrated. `mode` and `locked` are what to set; `fit` is None where the lens is a guess."""

    id: str
    size_px: tuple[int, int]
    lens: Lens
    mode: Mapping[str, str | float]
    locked: Mapping[str, float]
    fit: LensFit | None = None


@dataclass(frozen=True, slots=True)
class Markers:
    """Markers printed on the mat: ArUco dictionary, side length, and centre in table mm by marker id."""

    dictionary: str
    size_mm: float
    centres_mm: Mapping[int, tuple[float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The mat in the camera's picture. `camera_position_mm` is None where unknown: heights are then ignored."""

    mat_mm: tuple[float, float]
    table_from_camera: Homography
    camera_position_mm: tuple[float, float, float] | None = None
    markers: Markers | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Projector:
    """The projector: picture size, the display it is, and the map from table mm to its px.

    `bent` adds the radial terms of the projector's lens where they were found worth it; `projector_from_table` is the
    best homography without them.
    """

    size_px: tuple[int, int]
    projector_from_table: Homography
    display: Mapping[str, str | float]
    bent: ProjectorMap | None = None

    @property
    def map(self) -> ProjectorMap:
        """Table mm to projector px as exactly as it is known."""
        return self.bent or ProjectorMap(self.projector_from_table)


@dataclass(frozen=True, slots=True)
class Validation:
    """The overlay error measured on points that were not fitted, in mm."""

    points: int
    rms_mm: float
    p95_mm: float
    max_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A whole calibration. `projector` is None for a table without one."""

    made_at: str
    camera: Camera
    table: Table
    projector: Projector | None = None
    validation: Validation | None = None

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the camera picture that this profile is for."""
        return self.camera.size_px

    @property
    def mat_mm(self) -> tuple[float, float]:
        """Width and height of the mat."""
        return self.table.mat_mm

    def view(self) -> TableView:
        """Camera px ↔ table mm."""
        position = self.table.camera_position_mm
        return TableView(
            self.camera.lens, self.table.table_from_camera, None if position is None else np.array(position, float)
        )


def load_profile(path: Path) -> Profile:
    """The profile in the file at `path`. Raises ConfigError naming file and key for anything that cannot be used."""
    return profile_from(yamlfile.read(path))


def save_profile(path: Path, profile: Profile) -> None:
    """Writes `profile` to `path` in one step; the last five stay beside it as `.bak1` (newest) … `.bak5`."""
    text = dump_profile(profile)
    profile_from(yamlfile.parse(text, str(path)))  # never replace a good profile by one that cannot be read
    yamldump.write(path, text, keep=KEPT)


def check_size(profile: Profile, size_px: tuple[int, int], file: str = "the profile") -> None:
    """Raises CalibrationError where the camera's picture has not the size the profile was made at."""
    made, got = profile.size_px, size_px
    if made != got:
        raise CalibrationError(
            f"{file}: camera.size_px is {made[0]}x{made[1]}, but the camera gives {got[0]}x{got[1]}; "
            "set the camera to that size or calibrate again"
        )


def check_mat(profile: Profile, mat_mm: tuple[float, float], file: str = "the profile") -> None:
    """Raises CalibrationError where a layout's `mat_mm` is not the mat of the profile (more than 0.5 mm apart)."""
    made = profile.mat_mm
    if any(abs(a - b) > 0.5 for a, b in zip(made, mat_mm, strict=True)):
        raise CalibrationError(
            f"{file}: table.mat_mm is {made[0]:g} x {made[1]:g}, but the layout's mat_mm is "
            f"{mat_mm[0]:g} x {mat_mm[1]:g}; choose a layout for this mat or calibrate again"
        )


def dump_profile(profile: Profile) -> str:
    """The text of a profile file; `load_profile` reads it back to the same numbers."""
    table, projector = profile.table, profile.projector
    line = yamldump.InlineMapping
    markers = table.markers
    values: dict[str, Any] = {
        "schema": 1,
        "made_at": profile.made_at,
        "camera": camera_values(profile.camera),
        "table": {
            "mat_mm": yamldump.Inline(table.mat_mm),
            "table_from_camera": yamldump.Inline(table.table_from_camera.matrix.ravel().tolist()),
            "camera_position_mm": table.camera_position_mm and yamldump.Inline(table.camera_position_mm),
            "markers": markers
            and {"dictionary": markers.dictionary, "size_mm": markers.size_mm, "centres_mm": line(markers.centres_mm)},
        },
        "projector": projector
        and {
            "size_px": yamldump.Inline(projector.size_px),
            "display": line(projector.display),
            "projector_from_table": yamldump.Inline(projector.projector_from_table.matrix.ravel().tolist()),
            **_bend_values(projector.bent),
        },
        "validation": profile.validation
        and line(
            points=profile.validation.points,
            rms_mm=profile.validation.rms_mm,
            p95_mm=profile.validation.p95_mm,
            max_mm=profile.validation.max_mm,
        ),
    }
    return yamldump.dump(values)


def camera_values(camera: Camera) -> dict[str, Any]:
    """What a profile file holds under `camera`."""
    fit = camera.fit
    return {
        "id": camera.id,
        "size_px": yamldump.Inline(camera.size_px),
        "mode": yamldump.InlineMapping(camera.mode),
        "locked": yamldump.InlineMapping(camera.locked),
        "K": yamldump.Inline(camera.lens.K.ravel().tolist()),
        "dist": yamldump.Inline(camera.lens.dist.tolist()),
        "fit": fit and yamldump.InlineMapping(views=fit.views, rms_px=fit.rms_px, holdout_px=fit.holdout_px),
    }


def profile_from(top: yamlfile.Section) -> Profile:
    """The profile in a section that `yamlfile.read` or `parse` gave. Raises ConfigError."""
    top.only(*PARTS)
    if top.has("camera") and not top.has("table"):
        raise top.error("table", "is missing: the mat has not been found yet; run `hanafuda calibrate table`")
    return Profile(
        made_at=top.text("made_at"),
        camera=camera_from(top.section("camera")),
        table=_table(top.section("table")),
        projector=_if_given(top, "projector", _projector),
        validation=_if_given(top, "validation", _validation),
    )


def _if_given(section: yamlfile.Section, key: str, reader: Callable[[yamlfile.Section], T]) -> T | None:
    """What `reader` makes of the mapping at `key`, or None where it is null or absent."""
    inner = section.optional_section(key)
    return None if inner is None else reader(inner)


def camera_from(section: yamlfile.Section) -> Camera:
    """The camera in the section `camera` of a profile. Raises ConfigError."""
    section.only("id", "size_px", "mode", "locked", "K", "dist", "fit")
    matrix, dist = section.numbers("K", 9), section.numbers("dist")
    if len(dist) not in (0, 4, 5):
        raise section.error("dist", f"needs 5 numbers k1 k2 p1 p2 k3, got {len(dist)}")
    if matrix[0] <= 0 or matrix[4] <= 0:
        raise section.error("K", f"has a focal length that is not positive: {min(matrix[0], matrix[4]):g}")
    if (matrix[3], *matrix[6:]) != (0, 0, 0, 1):
        raise section.error("K", "must look like [fx, 0, cx, 0, fy, cy, 0, 0, 1]")
    return Camera(
        id=section.text("id", ""),
        size_px=_size_px(section),
        lens=Lens(np.array(matrix), np.array((*dist, 0, 0, 0, 0, 0)[:5])),
        mode=_settings(section, "mode"),
        locked={key: float(value) for key, value in _settings(section, "locked", numbers_only=True).items()},
        fit=_if_given(section, "fit", _fit),
    )


def _fit(section: yamlfile.Section) -> LensFit:
    section.only("views", "rms_px", "holdout_px")
    holdout = section.number("holdout_px") if section.has("holdout_px") else None
    return LensFit(section.integer("views", least=0), section.number("rms_px"), holdout)


def _table(section: yamlfile.Section) -> Table:
    section.only("mat_mm", "table_from_camera", "camera_position_mm", "markers")
    width, height = section.numbers("mat_mm", 2)
    if width <= 0 or height <= 0:
        raise section.error("mat_mm", f"must be two lengths above 0, got {width:g} x {height:g}")
    position: tuple[float, float, float] | None = None
    if section.has("camera_position_mm"):
        x, y, z = section.numbers("camera_position_mm", 3)
        if z <= 0:
            raise section.error("camera_position_mm", f"must be above the mat (z > 0), got z = {z:g}")
        position = x, y, z
    return Table(
        (width, height), _homography(section, "table", "camera"), position, _if_given(section, "markers", markers_from)
    )


def markers_from(section: yamlfile.Section) -> Markers:
    """The markers in the section `markers` of a profile. Raises ConfigError."""
    section.only("dictionary", "size_mm", "centres_mm")
    inner = section.section("centres_mm")
    centres: dict[int, tuple[float, float]] = {}
    for key, place in inner.values.items():
        number = int(key) if isinstance(key, str) and key.isascii() and key.isdigit() else key  # JSON has no other keys
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise inner.error(key, "must be the number of a marker")
        x, y = yamlfile.Section(inner.file, inner.key, {str(number): place}).numbers(str(number), 2)
        centres[number] = (x, y)
    return Markers(section.text("dictionary"), section.number("size_mm", above=0), centres)


def _projector(section: yamlfile.Section) -> Projector:
    section.only("size_px", "display", "projector_from_table", "bend")
    plain = _homography(section, "projector", "table")
    bent = _if_given(section, "bend", lambda inner: _bent(inner, plain))
    return Projector(_size_px(section), plain, _settings(section, "display"), bent)


def _bent(section: yamlfile.Section, plain: Homography) -> ProjectorMap:
    section.only("projector_from_table", "k", "centre_px", "radius_px")
    (k1, k2), (x, y) = section.numbers("k", 2), section.numbers("centre_px", 2)
    bend = Bend((k1, k2), (x, y), section.number("radius_px", above=0))
    return ProjectorMap(plain, _homography(section, "projector", "table"), bend)


def _bend_values(bent: ProjectorMap | None) -> dict[str, Any]:
    """What a profile file holds under `projector.bend`: a homography and the radial terms that go with it."""
    if bent is None or bent.bend is None or bent.pinhole is None:
        return {}
    return {
        "bend": {
            "projector_from_table": yamldump.Inline(bent.pinhole.matrix.ravel().tolist()),
            "k": yamldump.Inline(bent.bend.k),
            "centre_px": yamldump.Inline(bent.bend.centre_px),
            "radius_px": bent.bend.radius_px,
        }
    }


def _validation(section: yamlfile.Section) -> Validation:
    section.only("points", "rms_mm", "p95_mm", "max_mm")
    return Validation(
        section.integer("points", least=0),
        section.number("rms_mm"),
        section.number("p95_mm"),
        section.number("max_mm"),
    )


def _homography(section: yamlfile.Section, target: str, source: str) -> Homography:
    key = f"{target}_from_{source}"
    rows = section.numbers(key, 9)
    try:
        return Homography.from_rows(target, source, rows)
    except CalibrationError as problem:
        raise ConfigError(f"{section.file}: {section.key}.{problem}") from problem


def _size_px(section: yamlfile.Section) -> tuple[int, int]:
    width, height = section.numbers("size_px", 2)
    if not (width.is_integer() and height.is_integer() and 1 <= width <= 20_000 and 1 <= height <= 20_000):
        raise section.error("size_px", f"must be two whole numbers of px, got {width:g} x {height:g}")
    return int(width), int(height)


def _settings(section: yamlfile.Section, key: str, numbers_only: bool = False) -> dict[str, str | float]:
    """The free mapping at `key` (empty where null or absent) with texts and numbers as values."""
    inner = section.optional_section(key)
    if inner is None:
        return {}
    found: dict[str, str | float] = {}
    for name, value in inner.values.items():
        if not isinstance(name, str):
            raise inner.error(name, "must be a name")
        match value:
            case None:
                continue
            case bool():
                found[name] = float(value)
            case str() if not numbers_only:
                found[name] = value
            case _:
                found[name] = inner.number(name)
    return found
