"""What a simulated rig is: camera, projector, mat, light and faults as one value, drawn at random from a seed."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from app.rigs.optics import Aim, Optics, aimed, lens_of
from calibration.profile import Markers

Point = tuple[float, float]

DICTIONARY: Final = "DICT_4X4_50"
MARKER_MM: Final = 40.0
_INSET_MM: Final = 32.0
_LARGEST: Final = 1.33
_MAT_MM: Final = (900.0, 600.0)


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with a rig; the defaults are a rig as it should be.

    `swapped` are two markers in each other's place, `covered` hidden ones; `marker_scale` and `print_scale` how much
    larger markers alone or the whole mat came out of the printer; `cover_mm` a rectangular thing on the
    mat, `cover_height_mm` high; `keystone` how much narrower (0–1) the projector squeezes its far edge by resampling;
    `brightening` lets the camera set its exposure itself; `mirrored_light` is a projector set for a screen seen from
    behind.
    """

    mirrored: bool = False
    mirrored_light: bool = False
    swapped: tuple[int, int] | None = None
    covered: frozenset[int] = frozenset()
    marker_scale: float = 1.0
    print_scale: float = 1.0
    cover_mm: tuple[Point, ...] = ()
    cover_height_mm: float = 60.0
    keystone: float = 0.0
    brightening: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RigSpec:
    """A rig. Lengths in mm of the table, sizes in px, light relative to the projector's white, `noise` in grey values.

    `ambient` is the room's light as a share of the projector's white; `exposure` what white paper under room light
    alone gives, linear 0–1. `mat` is where the mat lies: x, y in mm and its turn in rad; knocks move it, `camera` and
    `projector`.
    """

    seed: int
    mat_mm: tuple[float, float]
    camera: Optics
    projector: Optics
    camera_id: str
    look: str
    ambient: float
    exposure: float
    noise: float
    blur_px: float
    delay_frames: int
    markers: Markers
    mat: tuple[float, float, float] = (0.0, 0.0, 0.0)
    fps: float = 30.0
    faults: Faults = field(default_factory=Faults)
    about: Mapping[str, float] = field(default_factory=dict)


def random_spec(seed: int) -> RigSpec:
    """A rig as venues build them: camera 0.8–1.6 m high, tilted up to 30°, k1 −0.3 to 0.05, focal length ± 20 %.

    Noise 1–4 grey values, ambient light 5–40 % of the projector's white, delay 1–6 frames, the projector tilted up to
    20° with slight barrel distortion. The mat is the largest of 3:2, up to 1200 × 800 mm, that camera and seed allow.
    """
    rng = np.random.default_rng([seed, 907])
    size_px = (1920, 1080)
    height, tilt, towards = rng.uniform(800, 1600), math.radians(rng.uniform(0, 30)), rng.uniform(0, 2 * math.pi)
    focal = 0.78 * size_px[0] * rng.uniform(0.8, 1.2)
    k1 = rng.uniform(-0.3, 0.05)
    lens = lens_of(
        size_px, focal, k1, (rng.uniform(-12, 12), rng.uniform(-10, 10)), tangential=rng.uniform(-6e-4, 6e-4, 2)
    )
    look_at = (rng.uniform(-20, 20), rng.uniform(-20, 20))
    camera = aimed(lens, size_px, Aim(height, tilt, towards, math.radians(rng.uniform(-4, 4)), look_at))
    mat_mm = _largest_mat(camera)
    projector_px = ((1920, 1080), (1920, 1080), (1920, 1080), (1280, 800), (1920, 1200))[int(rng.integers(5))]
    lamp = Aim(
        rng.uniform(1000, 1900), math.radians(rng.uniform(0, 20)), rng.uniform(0, 2 * math.pi),
        math.radians(rng.uniform(-3, 3)) + (math.pi if rng.random() < 0.3 else 0.0), (0.0, 0.0),
    )  # fmt: skip
    projector = _filling(lamp, projector_px, mat_mm, rng.uniform(-0.03, 0.0), rng.uniform(-0.03, 0.03, 2))
    ambient = rng.uniform(0.05, 0.40)
    about = {
        "height_mm": height, "tilt_deg": math.degrees(tilt), "k1": k1, "focal_px": focal, "ambient": ambient,
        "projector_tilt_deg": math.degrees(lamp.tilt_rad), "projector_k1": float(projector.lens.dist[0]),
    }  # fmt: skip
    return RigSpec(
        seed=seed,
        mat_mm=mat_mm,
        camera=camera,
        projector=projector,
        camera_id=f"simulated-{seed}",
        look=("felt", "blue", "white", "tatami", "wood")[int(rng.integers(5))],
        ambient=ambient,
        exposure=rng.uniform(0.3, 0.6),
        noise=rng.uniform(1.0, 4.0),
        blur_px=rng.uniform(0.45, 0.8),
        delay_frames=int(rng.integers(1, 7)),
        markers=corner_markers(mat_mm),
        about=about,
    )


def corner_markers(mat_mm: tuple[float, float]) -> Markers:
    """Four markers inside the corners of the mat: 0 near left, then anticlockwise."""
    x, y = mat_mm[0] / 2 - _INSET_MM, mat_mm[1] / 2 - _INSET_MM
    return Markers(DICTIONARY, MARKER_MM, {0: (-x, -y), 1: (x, -y), 2: (x, y), 3: (-x, y)})


def knocked(
    spec: RigSpec, camera: Aim | None = None, projector: Aim | None = None, mat: tuple[float, float, float] = (0, 0, 0)
) -> RigSpec:
    """The rig after a knock: camera or projector at another aim, the mat moved on by x, y (mm) and turn (rad)."""
    moved = (spec.mat[0] + mat[0], spec.mat[1] + mat[1], spec.mat[2] + mat[2])
    return replace(
        spec,
        camera=spec.camera if camera is None else aimed(spec.camera.lens, spec.camera.size_px, camera),
        projector=spec.projector
        if projector is None
        else aimed(spec.projector.lens, spec.projector.size_px, projector),
        mat=moved,
    )


def _largest_mat(camera: Optics) -> tuple[float, float]:
    """The largest mat of 3:2, in steps of 10 mm of its width, that lies in the picture with some room around it."""
    width, height = camera.size_px
    for w in range(round(_MAT_MM[0] * _LARGEST), 300, -10):
        mat = (float(w), float(round(w * _MAT_MM[1] / _MAT_MM[0])))
        x, y = mat[0] / 2 + 15, mat[1] / 2 + 15
        edge = [(-x, -y), (0, -y), (x, -y), (x, 0), (x, y), (0, y), (-x, y), (-x, 0)]
        px = camera.px(edge)
        if (px > 4).all() and (px[:, 0] < width - 5).all() and (px[:, 1] < height - 5).all():
            return mat
    return (300.0, 200.0)


def _filling(
    aim: Aim,
    size_px: tuple[int, int],
    mat_mm: tuple[float, float],
    k1: float,
    shift: "np.ndarray[tuple[int], np.dtype[np.float64]]",
) -> Optics:
    """A projector whose picture covers the mat with a few percent to spare; `shift` of its axis in picture widths."""
    x, y = mat_mm[0] / 2, mat_mm[1] / 2
    corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
    offset = (float(shift[0]) * size_px[0], float(shift[1]) * size_px[0])
    low, high = 0.3, 8.0
    for _ in range(40):
        focal = (low + high) / 2 * size_px[0]
        optics = aimed(lens_of(size_px, focal, k1, offset, k2=0.0), size_px, aim)
        px = optics.px(corners)
        inside = (px > 12).all() and (px[:, 0] < size_px[0] - 13).all() and (px[:, 1] < size_px[1] - 13).all()
        low, high = ((low + high) / 2, high) if inside else (low, (low + high) / 2)
    return aimed(lens_of(size_px, low * size_px[0], k1, offset, k2=0.0), size_px, aim)
