"""The kinds of rig on which no calibration should succeed, each made from a good one, and what should be said."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from app.rigs.spec import RigSpec
from calibration.lens import Lens
from calibration.profile import Profile
from calibration.refusals import Reason


@dataclass(frozen=True, slots=True, eq=False)
class Spoiled:
    """A rig with a fault, the profile the calibration is given, and the reason it should name."""

    spec: RigSpec
    profile: Profile
    reason: Reason


def spoil(kind: Reason, spec: RigSpec, profile: Profile) -> Spoiled:
    """The rig with a fault of that kind. Raises KeyError for a reason that no rig is made for."""
    rng = np.random.default_rng([spec.seed, 71])
    made, given = KINDS[kind](spec, profile, rng)
    return Spoiled(made, given, kind)


Pair = tuple[RigSpec, Profile]


def _mirrored(spec: RigSpec, profile: Profile, rng: np.random.Generator) -> Pair:
    faults = replace(spec.faults, mirrored=True) if rng.random() < 0.6 else replace(spec.faults, mirrored_light=True)
    return replace(spec, faults=faults), profile


def _swapped(spec: RigSpec, profile: Profile, rng: np.random.Generator) -> Pair:
    a, b = rng.choice(4, 2, replace=False).tolist()
    return replace(spec, faults=replace(spec.faults, swapped=(a, b))), profile


def _scaled(spec: RigSpec, profile: Profile, rng: np.random.Generator) -> Pair:
    """Markers printed to fit the page: 90–97 % or 103–106 %, while their places are as told."""
    scale = float(rng.choice([rng.uniform(0.90, 0.97), rng.uniform(1.03, 1.06)]))
    return replace(spec, faults=replace(spec.faults, marker_scale=scale)), profile


def _other_size(spec: RigSpec, profile: Profile, rng: np.random.Generator) -> Pair:
    size = ((1280, 720), (640, 480), (2560, 1440))[int(rng.integers(3))]
    return spec, replace(profile, camera=replace(profile.camera, size_px=size))


def _other_camera(spec: RigSpec, profile: Profile, rng: np.random.Generator) -> Pair:
    """The profile is another camera's: its name, and its lens."""
    lens = _bent_lens(profile.camera.lens, rng)
    return spec, replace(profile, camera=replace(profile.camera, id="another-camera", lens=lens))


def _late(spec: RigSpec, profile: Profile, rng: np.random.Generator) -> Pair:
    return replace(spec, delay_frames=int(rng.integers(30, 120))), profile


def _covered_board(spec: RigSpec, profile: Profile, rng: np.random.Generator) -> Pair:
    """A folded coat over the far or the near half of the mat, the markers left free."""
    x, y = spec.mat_mm[0] / 2 - 86, spec.mat_mm[1] / 2
    side = 1 if rng.random() < 0.5 else -1
    cover = ((-x, -side * 0.2 * y), (x, -side * 0.2 * y), (x, side * y), (-x, side * y))
    return replace(spec, faults=replace(spec.faults, cover_mm=cover, cover_height_mm=20.0)), profile


def _covered_markers(spec: RigSpec, profile: Profile, rng: np.random.Generator) -> Pair:
    count = int(rng.integers(1, 4))
    hidden = frozenset(int(n) for n in rng.choice(4, count, replace=False))
    return replace(spec, faults=replace(spec.faults, covered=hidden)), profile


def _too_bright(spec: RigSpec, profile: Profile, rng: np.random.Generator) -> Pair:
    """Lamps two and a half to eight times the projector's white; sometimes too much for the camera as well."""
    exposure = spec.exposure if rng.random() < 0.75 else 4.0
    return replace(spec, ambient=rng.uniform(2.5, 8.0), exposure=exposure), profile


def _lens(spec: RigSpec, profile: Profile, rng: np.random.Generator) -> Pair:
    """A lens out of a fit gone wrong, or of another make under the same name."""
    lens, size = profile.camera.lens, profile.camera.size_px
    matrix = lens.K.copy()
    match int(rng.integers(4)):
        case 0:
            matrix[1, 2] = -2791.0
            made = Lens(matrix, lens.dist)
        case 1:
            matrix[0, 0] = matrix[1, 1] = size[0] * float(rng.choice([0.1, 0.2, 8.0, 12.0]))
            made = Lens(matrix, lens.dist)
        case 2:
            made = Lens(matrix, np.array([rng.uniform(500, 4000), -rng.uniform(1e4, 1e5), 0, 0, 0]))
        case _:
            made = _bent_lens(lens, rng)
    return spec, replace(profile, camera=replace(profile.camera, lens=made))


def _scales(spec: RigSpec, profile: Profile, rng: np.random.Generator) -> Pair:
    return replace(spec, faults=replace(spec.faults, keystone=float(rng.uniform(0.03, 0.15)))), profile


def _bent_lens(lens: Lens, rng: np.random.Generator) -> Lens:
    """The lens with its distortion off by 0.08 or more."""
    dist = lens.dist.copy()
    dist[0] += float(rng.choice([-1.0, 1.0])) * rng.uniform(0.08, 0.25)
    return Lens(lens.K, dist)


KINDS: Final[Mapping[Reason, Callable[[RigSpec, Profile, np.random.Generator], Pair]]] = {
    Reason.MIRRORED: _mirrored,
    Reason.SWAPPED: _swapped,
    Reason.SCALED_PRINT: _scaled,
    Reason.OTHER_SIZE: _other_size,
    Reason.OTHER_CAMERA: _other_camera,
    Reason.LATE: _late,
    Reason.COVERED_BOARD: _covered_board,
    Reason.COVERED_MARKERS: _covered_markers,
    Reason.TOO_BRIGHT: _too_bright,
    Reason.LENS: _lens,
    Reason.SCALES: _scales,
}
"""The eleven kinds. A projector that scales is no reason to refuse: it must be named in the report."""
