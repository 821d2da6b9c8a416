"""Watching while people play: what moved (camera, projector, mat, a marker), how far, with tolerance and hysteresis.

Four printed markers belong to the mat, four projected ones to the projector; both are seen by the camera. What moves
together tells what moved: all of them when the camera did, the printed ones alone when the mat did, the projected ones
alone when the projector did.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import Homography
from calibration.lens import Lens

FAR_MM: Final = 1.6
"""A move as large as this is said after two checks in a row."""
NEAR_MM: Final = 0.6
"""A move as large as this is said after the median of the last checks shows it."""
BACK_MM: Final = 0.4
"""Below this what had moved counts as back in its place."""
_MEDIAN_OF: Final = 5
_ALIKE: Final = 0.35
"""Two groups moved as one where their shifts differ by less than this share of them."""
_LEAST_ALIKE_MM: Final = 0.5

Corners = Mapping[int, NDArray[np.float64]]


class Culprit(StrEnum):
    """What moved or is hidden."""

    NOTHING = "nothing"
    CAMERA = "camera"
    PROJECTOR = "projector"
    MAT = "mat"
    MARKER = "marker"
    COVERED = "covered"
    SEVERAL = "several"


_WHOLE: Final = 3
"""Of so many markers both the print and the light beside it must be seen to do without one of which a half is."""
_MOVING: Final = (Culprit.CAMERA, Culprit.PROJECTOR, Culprit.MAT, Culprit.MARKER, Culprit.SEVERAL)


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """What a check compares with, as calibrated: corners in undistorted px (4, 2) by number, printed and projected.

    `table_from_camera` turns px into mm of the mat.
    """

    printed: Corners
    projected: Corners
    table_from_camera: Homography
    lens: Lens
    mat_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shift:
    """One check: who moved and how far at the mat's corners, mm. `markers` are those hidden, or the one that moved.

    `mat` and `light` are how far these moved at the mat's corners, mm (4, 2), by which several checks are taken
    together; None where too little of them was seen.
    """

    culprit: Culprit
    moved_mm: float
    markers: tuple[int, ...] = ()
    mat: NDArray[np.float64] | None = field(default=None, compare=False, repr=False)
    light: NDArray[np.float64] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Alarm:
    """What is said: at `t_s` the culprit was found to have moved by `moved_mm`, or (`over`) to be back."""

    t_s: float
    culprit: Culprit
    moved_mm: float
    markers: tuple[int, ...] = ()
    over: bool = False


@dataclass(frozen=True, slots=True)
class Watching:
    """The state between checks: the last shifts and what has been said and not been mended."""

    recent: tuple[Shift, ...] = ()
    said: Alarm | None = None
    hidden: tuple[int, ...] = ()


def reference(
    printed_px: Corners, projected_px: Corners, table_from_camera: Homography, lens: Lens, mat_mm: tuple[float, float]
) -> Reference:
    """The reference from corners seen, distorted px (4, 2) by number, right after calibrating."""
    flat = {n: lens.undistort(quad) for n, quad in printed_px.items()}
    light = {n: lens.undistort(quad) for n, quad in projected_px.items()}
    return Reference(flat, light, table_from_camera, lens, mat_mm)


def compare(known: Reference, printed_px: Corners, projected_px: Corners) -> Shift:
    """What one look at the markers (distorted px by number; what is hidden is left out) says."""
    printed = {n: known.lens.undistort(quad) for n, quad in printed_px.items() if n in known.printed}
    projected = {n: known.lens.undistort(quad) for n, quad in projected_px.items() if n in known.projected}
    hidden = tuple(sorted(set(known.printed) - set(printed)))
    _leave_out_half_hidden(known, printed, projected)
    odd = _odd_marker(known, printed)
    if odd is not None:
        return Shift(Culprit.MARKER, odd[1], (odd[0],))
    mat = _moved(known, known.printed, printed)
    light = _moved(known, known.projected, projected)
    if mat is None or light is None:
        return _one_group(mat, light, hidden)
    return replace(_judged(mat, light, hidden), mat=mat, light=light)


def _leave_out_half_hidden(
    known: Reference, printed: dict[int, NDArray[np.float64]], projected: dict[int, NDArray[np.float64]]
) -> None:
    """Takes out a marker whose mark of light is hidden, or the other way round, where enough others are seen whole.

    A hand lies there, and what is read beside it is not to be trusted: half a millimetre of an edge is soon gone.
    """
    both = set(known.printed) & set(known.projected)
    if len(both & set(printed) & set(projected)) >= _WHOLE:
        for number in both & (set(printed) ^ set(projected)):
            printed.pop(number, None)
            projected.pop(number, None)


def _judged(mat: NDArray[np.float64], light: NDArray[np.float64], hidden: tuple[int, ...]) -> Shift:
    """Who moved where mat and light moved by so much at the mat's corners, mm (4, 2)."""
    size_mat, size_light = _size(mat), _size(light)
    if max(size_mat, size_light) < (NEAR_MM if hidden else BACK_MM):  # a hidden marker is sure, half a mm is not
        return Shift(Culprit.COVERED if hidden else Culprit.NOTHING, max(size_mat, size_light), hidden)
    apart = _size(mat - light)
    slack = max(_LEAST_ALIKE_MM, _ALIKE * max(size_mat, size_light))
    if apart < slack and min(size_mat, size_light) > 0.5 * max(size_mat, size_light):
        return Shift(Culprit.CAMERA, max(size_mat, size_light), hidden)
    if size_light < max(BACK_MM, 0.25 * size_mat):
        return Shift(Culprit.MAT, size_mat, hidden)
    if size_mat < max(BACK_MM, 0.25 * size_light):
        return Shift(Culprit.PROJECTOR, size_light, hidden)
    return Shift(Culprit.SEVERAL, max(size_mat, size_light), hidden)


def watch(state: Watching, t_s: float, shift: Shift) -> tuple[Watching, Alarm | None]:
    """The next state and what is to be said, or None. Checks are expected about once a second.

    A far move is said by the second check, a near one by the third of five; a hidden marker by the second. What has
    been said is not said again until it is over or has grown to twice as far.
    """
    recent = (*state.recent, shift)[-_MEDIAN_OF:]
    now = replace(state, recent=recent)
    if state.said is not None and _is_over(state.said, recent):
        return replace(now, said=None), replace(state.said, t_s=t_s, over=True)
    alarm = _alarm(t_s, recent)
    if alarm is None:
        return now, None
    before = state.said
    if before is not None and before.culprit is alarm.culprit and alarm.moved_mm < 2 * before.moved_mm + NEAR_MM:
        return now, None
    return replace(now, said=alarm), alarm


def _alarm(t_s: float, recent: tuple[Shift, ...]) -> Alarm | None:
    last = recent[-2:]
    if len(last) == 2 and all(s.culprit is Culprit.COVERED for s in last) and last[0].markers == last[1].markers:
        return Alarm(t_s, Culprit.COVERED, 0.0, last[1].markers)
    if len(last) == 2 and all(s.moved_mm >= FAR_MM and s.culprit in _MOVING for s in last):
        if last[0].culprit is last[1].culprit and last[0].markers == last[1].markers:
            return Alarm(t_s, last[1].culprit, last[1].moved_mm, last[1].markers)
        return None
    near = [s for s in recent if s.moved_mm >= NEAR_MM and s.culprit in _MOVING]
    if len(near) >= 3:
        together = _together(near)
        if together is not None:
            return Alarm(t_s, together.culprit, together.moved_mm, together.markers)
        names = [s.culprit for s in near]
        usual = max(set(names), key=names.count)
        if names.count(usual) >= 3:
            own = [s for s in near if s.culprit is usual]
            return Alarm(t_s, usual, float(np.median([s.moved_mm for s in own])), own[-1].markers)
    return None


def _together(near: Sequence[Shift]) -> Shift | None:
    """What checks say together of a near move, of which each alone may err about the culprit; None where they do not.

    The middle of three or more is a quarter less noisy than one, and one that errs widely does not count.
    """
    mats = [s.mat for s in near if s.mat is not None and s.light is not None]
    lights = [s.light for s in near if s.mat is not None and s.light is not None]
    if len(mats) < 3:
        return None
    middle = np.median(mats, axis=0), np.median(lights, axis=0)
    found = _judged(np.asarray(middle[0], dtype=np.float64), np.asarray(middle[1], dtype=np.float64), near[-1].markers)
    return found if found.moved_mm >= NEAR_MM and found.culprit in _MOVING else None


def _is_over(said: Alarm, recent: tuple[Shift, ...]) -> bool:
    last = recent[-3:]
    if said.culprit is Culprit.COVERED:
        return len(last) >= 2 and all(s.culprit is not Culprit.COVERED for s in last[-2:])
    return len(last) == 3 and all(s.moved_mm < BACK_MM for s in last)


def _moved(known: Reference, before: Corners, now: Corners) -> NDArray[np.float64] | None:
    """How far the mat's corners would move with a group of markers, mm, shape (4, 2); None with less than two seen.

    A camera, mat or lamp that is knocked moves a plane's picture by a homography; a few markers near each other tell
    no more than a similarity, so that one is used unless all four are there.
    """
    numbers = sorted(set(before) & set(now))
    if len(numbers) < 2:
        return None
    old = np.concatenate([known.table_from_camera.map(before[n]) for n in numbers])
    new = np.concatenate([known.table_from_camera.map(now[n]) for n in numbers])
    x, y = known.mat_mm[0] / 2, known.mat_mm[1] / 2
    corners = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    shift = new - old
    if len(numbers) >= 4:
        design = np.column_stack([np.ones(len(old)), old / x, old[:, :1] * old[:, 1:] / (x * y)])
        at = np.column_stack([np.ones(4), corners / x, corners[:, :1] * corners[:, 1:] / (x * y)])
        return np.asarray(at @ np.linalg.lstsq(design, shift, rcond=None)[0], dtype=np.float64)
    matrix = np.asarray(cv2.estimateAffinePartial2D(old, new, method=cv2.LMEDS)[0], dtype=np.float64)
    if matrix.shape != (2, 3):
        return np.tile(shift.mean(axis=0), (4, 1))
    return np.asarray(corners @ matrix[:, :2].T + matrix[:, 2] - corners, dtype=np.float64)


def _odd_marker(known: Reference, printed: Corners) -> tuple[int, float] | None:
    """A printed marker that moved while the other three did not: it came loose. Its number and shift in mm."""
    if len(printed) < 4:
        return None
    shifts = {n: _centre_shift(known, n, printed[n]) for n in printed}
    far = [n for n, shift in shifts.items() if float(np.hypot(*shift)) >= NEAR_MM]
    still = [n for n, shift in shifts.items() if float(np.hypot(*shift)) < BACK_MM]
    if len(far) == 1 and len(still) == len(printed) - 1:
        return far[0], float(np.hypot(*shifts[far[0]]))
    return None


def _centre_shift(known: Reference, number: int, quad: NDArray[np.float64]) -> NDArray[np.float64]:
    old, new = known.table_from_camera.map(known.printed[number]), known.table_from_camera.map(quad)
    return np.asarray(new.mean(axis=0) - old.mean(axis=0), dtype=np.float64)


def _size(shifts: NDArray[np.float64]) -> float:
    """The largest of the shifts of the mat's corners, mm."""
    return float(np.linalg.norm(shifts, axis=1).max())


def _one_group(mat: NDArray[np.float64] | None, light: NDArray[np.float64] | None, hidden: tuple[int, ...]) -> Shift:
    """With only one group in view nobody can say what moved, only that something did."""
    seen = mat if mat is not None else light
    moved = 0.0 if seen is None else _size(seen)
    if moved < NEAR_MM:
        return Shift(Culprit.COVERED if hidden else Culprit.NOTHING, moved, hidden)
    return Shift(Culprit.SEVERAL, moved, hidden)
