"""Knocks on simulated rigs: camera, projector or mat moved by some millimetres, or a marker covered."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.rigs.optics import Aim, aimed
from app.rigs.spec import RigSpec, knocked
from calibration.watch import Culprit


def knock(culprit: Culprit, spec: RigSpec, wanted_mm: float, rng: np.random.Generator) -> RigSpec:
    """The rig after `culprit` was moved so that the mat's corners move by about `wanted_mm` at most.

    Raises KeyError for what cannot be knocked.
    """
    return _KNOCKS[culprit](spec, wanted_mm, rng)


def _camera(spec: RigSpec, wanted_mm: float, rng: np.random.Generator) -> RigSpec:
    return knocked(
        spec, camera=_nudged(spec, spec.camera.aim, wanted_mm, rng, lambda s, a: knocked(s, camera=a).camera.mm)
    )


def _projector(spec: RigSpec, wanted_mm: float, rng: np.random.Generator) -> RigSpec:
    def seen(s: RigSpec, aim: Aim) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
        return knocked(s, projector=aim).projector.mm

    return knocked(spec, projector=_nudged(spec, spec.projector.aim, wanted_mm, rng, seen, projector=True))


def _mat(spec: RigSpec, wanted_mm: float, rng: np.random.Generator) -> RigSpec:
    direction, turn = rng.uniform(0, 2 * math.pi), rng.uniform(-1, 1) * 0.5 * wanted_mm / spec.mat_mm[0]
    far = wanted_mm - abs(turn) * float(np.hypot(*spec.mat_mm)) / 2
    return knocked(spec, mat=(far * math.cos(direction), far * math.sin(direction), turn))


def _covered(spec: RigSpec, _wanted_mm: float, rng: np.random.Generator) -> RigSpec:
    hidden = frozenset({int(rng.integers(len(spec.markers.centres_mm)))})
    return replace(spec, faults=replace(spec.faults, covered=hidden))


_KNOCKS: Final[Mapping[Culprit, Callable[[RigSpec, float, np.random.Generator], RigSpec]]] = {
    Culprit.CAMERA: _camera,
    Culprit.PROJECTOR: _projector,
    Culprit.MAT: _mat,
    Culprit.COVERED: _covered,
}


def _nudged(
    spec: RigSpec,
    aim: Aim,
    wanted_mm: float,
    rng: np.random.Generator,
    table_of: Callable[[RigSpec, Aim], Callable[[NDArray[np.float64]], NDArray[np.float64]]],
    projector: bool = False,
) -> Aim:
    """An aim nearby at which the mat's corners are seen, or lit, `wanted_mm` from where they were, at most."""
    ways = rng.normal(size=5)
    x, y = spec.mat_mm[0] / 2, spec.mat_mm[1] / 2
    corners = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    optics = spec.projector if projector else spec.camera
    px = aimed(optics.lens, optics.size_px, aim).px(corners)
    size, moved = 1.0, aim
    for _ in range(6):
        moved = Aim(
            aim.height_mm + size * ways[0],
            max(0.0, aim.tilt_rad + size * 1e-3 * ways[1]),
            aim.towards_rad + size * 1e-3 * ways[2],
            aim.roll_rad + size * 1e-3 * ways[3],
            (aim.look_mm[0] + size * ways[4], aim.look_mm[1] - size * ways[2]),
        )
        away = float(np.linalg.norm(table_of(spec, moved)(px) - corners, axis=1).max())
        size *= wanted_mm / max(away, 1e-6)
    return moved
