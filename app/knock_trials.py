"""Watching simulated rigs that are knocked: whether the culprit is named, how fast, and false alarms over hours."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.rigs.knocks import knock
from app.rigs.rig import SimulatedRig
from app.rigs.spec import RigSpec, random_spec
from calibration import marks
from calibration.mat_pose import find_mat
from calibration.photographs import photo
from calibration.projector_map import ProjectorMap, fit_projector_map
from calibration.watch import Alarm, Culprit, Reference, Watching, compare, reference, watch

KNOCKS: Final = (Culprit.CAMERA, Culprit.PROJECTOR, Culprit.MAT, Culprit.COVERED)
SIZES_MM: Final = (1.0, 3.0)
_CHECKS: Final = 10
_STILL: Final = 6
_HIDDEN_SHARE: Final = 0.02  # of checks: a hand begins to cover a marker


@dataclass(frozen=True, slots=True)
class KnockOutcome:
    """One knock: what was moved by how much, what was said after how many seconds (None: nothing within ten)."""

    seed: int
    culprit: str
    wanted_mm: float
    said: str | None
    after_s: float | None
    said_mm: float | None

    @property
    def right(self) -> bool:
        """Whether the right culprit was named in time: 1 mm within 10 s, 3 mm and covered markers within 2 s."""
        limit = 10.0 if self.wanted_mm < 3 and self.culprit != Culprit.COVERED.value else 2.0
        return self.said == self.culprit and self.after_s is not None and self.after_s <= limit


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """A rig under watch: the reference, where its markers are, and the noise of corners from frame to frame, px."""

    rig: SimulatedRig
    known: Reference
    near_px: dict[int, NDArray[np.float64]]
    lights_px: dict[int, NDArray[np.float64]]
    noise_px: float


def begin(spec: RigSpec) -> Watched:
    """A rig with its marks lit, calibrated as its truth says."""
    rig = SimulatedRig(spec)
    rig.show(marks.marks_picture(spec.markers, true_map(spec), spec.projector.size_px))
    for _ in range(spec.delay_frames + 2):
        rig.read()
    dark = photo([rig.read().image for _ in range(_STILL)]).grey
    printed, lights = marks.look(dark, spec.markers)
    pose = find_mat(dark, spec.markers, spec.camera.lens)
    known = reference(printed, lights, pose.table_from_camera, spec.camera.lens, spec.mat_mm)
    away = []
    for _ in range(_STILL):
        own, light = marks.look(_grey(rig), spec.markers, printed)
        away += [own[n] - printed[n] for n in own] + [light[n] - lights[n] for n in light if n in lights]
    return Watched(rig, known, printed, lights, float(np.std(np.concatenate(away))))


def true_map(spec: RigSpec) -> ProjectorMap:
    """The projector's map as a perfect calibration finds it."""
    x, y = (np.linspace(-side / 2, side / 2, 12) for side in spec.mat_mm)
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    return fit_projector_map(points, spec.projector.px(points), spec.projector.size_px).map


def try_knocks(seed: int) -> tuple[KnockOutcome, ...]:
    """Every kind of knock, small and large, on the rig of that seed; a check a second."""
    spec = random_spec(seed)
    rng = np.random.default_rng([seed, 19])
    watched = begin(spec)
    done = []
    for culprit in KNOCKS:
        for size in SIZES_MM if culprit is not Culprit.COVERED else SIZES_MM[:1]:
            watched.rig.change(knock(culprit, spec, size, rng))
            alarm = _first_alarm(watched)
            said = None if alarm is None else alarm.culprit.value
            far = None if alarm is None else round(alarm.moved_mm, 2)
            done.append(KnockOutcome(seed, culprit.value, size, said, None if alarm is None else alarm.t_s, far))
    return tuple(done)


def false_alarms(seed: int, hours: float, noise_px: float) -> int:
    """Alarms in hours of checks of a rig that nobody moves: noisy corners, hands that cover a marker for a while."""
    spec = random_spec(seed)
    rng = np.random.default_rng([seed, 23])
    watched = begin(spec)
    state, count = Watching(), 0
    hidden: dict[int, int] = {}
    for second in range(round(hours * 3600)):
        hidden = {n: left - 1 for n, left in hidden.items() if left > 1}
        if rng.random() < _HIDDEN_SHARE:
            hidden[int(rng.integers(4))] = int(rng.integers(1, 8))
        printed = {n: q + rng.normal(0, noise_px, q.shape) for n, q in watched.near_px.items() if n not in hidden}
        lights = {n: q + rng.normal(0, noise_px, q.shape) for n, q in watched.lights_px.items() if n not in hidden}
        state, alarm = watch(state, float(second), compare(watched.known, printed, lights))
        count += alarm is not None and alarm.culprit is not Culprit.COVERED and not alarm.over
    return count


def _first_alarm(watched: Watched) -> Alarm | None:
    state = Watching()
    for second in range(1, _CHECKS + 1):
        seen = marks.look(_grey(watched.rig), watched.rig.spec.markers, watched.near_px)
        state, alarm = watch(state, float(second), compare(watched.known, *seen))
        if alarm is not None:
            return alarm
    return None


def _grey(rig: SimulatedRig) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(rig.read().image, cv2.COLOR_BGR2GRAY), dtype=np.float32)
