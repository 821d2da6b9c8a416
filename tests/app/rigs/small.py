"""A small simulated rig: pictures of 960 x 540, so that a whole calibration takes a second or two."""

import math
from dataclasses import replace

from app.rigs.optics import Aim, aimed, lens_of
from app.rigs.rig import SimulatedRig
from app.rigs.setup import profile_before
from app.rigs.spec import Faults, RigSpec, corner_markers
from calibration.profile import Profile

SIZE = (960, 540)
MAT = (600.0, 400.0)


def small_spec(look: str = "white", faults: Faults | None = None) -> RigSpec:
    """A rig with a bent lens and a tilted projector over a mat of 600 x 400 mm."""
    camera = aimed(lens_of(SIZE, 760, -0.15, (4, -3)), SIZE, Aim(760, 0.12, 1.0, 0.03))
    beam = aimed(lens_of(SIZE, 1150, -0.01, (8, 5), k2=0.0), SIZE, Aim(950, 0.15, 2.0, 0.02))
    return RigSpec(
        seed=5,
        mat_mm=MAT,
        camera=camera,
        projector=beam,
        camera_id="small",
        look=look,
        ambient=0.2,
        exposure=0.4,
        noise=1.5,
        blur_px=0.5,
        delay_frames=2,
        markers=corner_markers(MAT),
        faults=faults or Faults(),
    )


def small_rig(faults: Faults | None = None, look: str = "white") -> tuple[SimulatedRig, Profile]:
    """The rig, and the profile that the steps before left when nothing was wrong yet."""
    spec = small_spec(look)
    profile = profile_before(spec, lens=spec.camera.lens)
    return SimulatedRig(replace(spec, faults=faults or Faults())), profile


def turned(spec: RigSpec, degrees: float) -> RigSpec:
    """The rig with its camera tilted further."""
    aim = replace(spec.camera.aim, tilt_rad=spec.camera.aim.tilt_rad + math.radians(degrees))
    return replace(spec, camera=aimed(spec.camera.lens, spec.camera.size_px, aim))
