"""Knocks in mid-game: the simulated camera, projector or mat moved by some millimetres, or a marker hidden."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.simulator.rig import Rig
from calibration.homography import Homography
from calibration.view import TableView
from engine.errors import ConfigError

KINDS: Final = ("camera", "projector", "mat", "covered")
USUAL_MM: Final = 4.0
COVERED_S: Final = 8.0
"""So long a hidden marker stays hidden."""
_LAMP_FOCAL: Final = 1.3  # of a projector's picture width
_ROUNDS: Final = 6


@dataclass(frozen=True, slots=True)
class Knock:
    """At `at_s` of the game `what` is moved so that the mat's corners, as seen or as lit, move by `mm` at most.

    `covered` hides marker 2, whatever `mm` says.
    """

    what: str
    at_s: float
    mm: float = USUAL_MM

    def __str__(self) -> str:
        return f"{self.what}@{self.at_s:g}" if self.what == "covered" else f"{self.what}@{self.at_s:g}:{self.mm:g}"


def parse(text: str) -> Knock:
    """The knock of a text such as `camera@20` or `mat@35:12`. Raises ConfigError."""
    found = re.fullmatch(r"([a-z]+)@(\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?", text)
    if found is None or found[1] not in KINDS:
        raise ConfigError(f"--knock {text!r}: must be WHAT@SECONDS or WHAT@SECONDS:MM, WHAT one of {', '.join(KINDS)}")
    return Knock(found[1], float(found[2]), float(found[3] or USUAL_MM))


def knocked(rig: Rig, knock: Knock, seed: int) -> Rig:
    """The rig after the knock; a covered marker moves nothing."""
    rng = np.random.default_rng([seed, 149, round(knock.at_s * 1000)])
    match knock.what:
        case "camera":
            return _grown(rig, knock.mm, _camera_ways(rig, rng))
        case "projector":
            return _grown(rig, knock.mm, _lamp_ways(rig, rng))
        case "mat":
            return _grown(rig, knock.mm, _mat_ways(rig, rng))
        case _:
            return rig


def moved_mm(before: Rig, after: Rig) -> tuple[float, float]:
    """How far the mat's corners moved at most, mm: as the camera sees the mat, and as the light falls onto it."""
    corners = _corners(before)
    seen = after.view.table_mm(before.view.camera_px(corners)) - corners
    lit = after.projector_from_table.inverse.map(before.projector_from_table.map(corners)) - corners
    return float(np.linalg.norm(seen, axis=1).max()), float(np.linalg.norm(lit, axis=1).max())


def _corners(rig: Rig) -> NDArray[np.float64]:
    x, y = rig.mat_mm[0] / 2, rig.mat_mm[1] / 2
    return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])


def _grown(rig: Rig, wanted_mm: float, way: Callable[[float], Rig]) -> Rig:
    """The rig so far along `way` that something moved by `wanted_mm`."""
    size = 1.0
    for _ in range(_ROUNDS):
        size *= wanted_mm / max(1e-6, *moved_mm(rig, way(size)))
    return way(size)


def _camera_ways(rig: Rig, rng: np.random.Generator) -> Callable[[float], Rig]:
    """Somebody bumps the camera: it tilts, turns and shifts a little."""
    eye = rig.view.camera_mm
    assert eye is not None
    tilt, shift = rng.normal(size=3) * 1e-3, rng.normal(size=3)
    lens = rig.view.lens
    turn = _rotation(rig.view.table_from_camera.inverse, lens.K)

    def way(size: float) -> Rig:
        rotation, position = _turned(tilt * size) @ turn, eye + shift * size
        columns = np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ position])
        camera = Homography("camera", "table", lens.K @ columns)
        return replace(rig, view=TableView(lens, camera.inverse, position))

    return way


def _lamp_ways(rig: Rig, rng: np.random.Generator) -> Callable[[float], Rig]:
    """Somebody bumps the projector: its picture turns about its own axes."""
    tilt = rng.normal(size=3) * 1e-3
    width, height = rig.projector_px
    pinhole = np.array([[_LAMP_FOCAL * width, 0, width / 2], [0, _LAMP_FOCAL * width, height / 2], [0, 0, 1]])

    def way(size: float) -> Rig:
        turn = Homography("projector", "projector", pinhole @ _turned(tilt * size) @ np.linalg.inv(pinhole))
        return replace(rig, projector_from_table=turn @ rig.projector_from_table)

    return way


def _mat_ways(rig: Rig, rng: np.random.Generator) -> Callable[[float], Rig]:
    """Somebody pulls at the mat: seen from it camera and projector move the other way, what lies on it stays."""
    direction, turn = rng.uniform(0, 2 * math.pi), rng.normal() * 1e-3

    def way(size: float) -> Rig:
        c, s = math.cos(turn * size), math.sin(turn * size)
        x, y = size * math.cos(direction), size * math.sin(direction)
        room = Homography("table", "table", np.array([[c, -s, x], [s, c, y], [0, 0, 1]]))
        eye = rig.view.camera_mm
        if eye is not None:
            eye = np.array([*room.inverse.map(eye[:2]), eye[2]])
        view = TableView(rig.view.lens, room.inverse @ rig.view.table_from_camera, eye)
        return replace(rig, view=view, projector_from_table=rig.projector_from_table @ room)

    return way


def _rotation(camera_from_table: Homography, pinhole: NDArray[np.float64]) -> NDArray[np.float64]:
    """How the camera is turned, (3, 3) camera from table."""
    columns = np.linalg.inv(pinhole) @ camera_from_table.matrix
    columns = columns / np.linalg.norm(columns[:, 0])
    if columns[2, 2] < 0:
        columns = -columns
    return np.column_stack([columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])])


def _turned(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rotation about `vector` by its length in rad, (3, 3)."""
    angle = float(np.linalg.norm(vector))
    if angle == 0:
        return np.eye(3)
    x, y, z = (vector / angle).tolist()
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross)
