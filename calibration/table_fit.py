"""Where the mat lies under the camera, from some pictures of its markers: the `table` of a profile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.mat_pose import (
    MatPose,
    crossing,
    find_mat,
    fit_mat,
    from_centres,
    marker_corners_mm,
    see_markers,
    upright,
)
from calibration.profile import Markers, Table
from calibration.refusals import Reason, Refusal
from engine.errors import CalibrationError

_FEWEST: Final = 4
_REACHES: Final = 0.8
_MOVED_PX: Final = 1.0
_POSE_NOTE_MM: Final = 1.5
_POSE_MM: Final = 5.0
_ODD_MM: Final = 5.0
_ODD_CORNERS_MM: Final = 2.0
_SMALL_PX: Final = 24.0
_CARD_MM: Final = 54.0
_CARD_PX: Final = 55.0


@dataclass(frozen=True, slots=True, eq=False)
class TableFit:
    """The table found. `rms_mm` is the residual of the markers' corners, `pose_mm` how far the camera's lens and the
    markers disagree, `pictures` how many were averaged; `notes` are sentences to show."""  # fmt: skip

    table: Table
    rms_mm: float
    pose_mm: float
    pictures: int
    notes: tuple[str, ...]


def steady_picture(pictures: Sequence[NDArray[np.uint8]], markers: Markers) -> tuple[NDArray[np.float32], int]:
    """The mean of the grey pictures, uint8 (H, W), in which the markers lie at the same px, and how many these are.

    Raises CalibrationError where there are none, or where camera or mat moved meanwhile.
    """
    if not pictures:
        raise CalibrationError("no picture of the table; at least one is needed")
    seen = [see_markers(np.asarray(picture, dtype=np.float32), markers, thorough=True) for picture in pictures]
    best = max(range(len(seen)), key=lambda i: len(seen[i]))
    good, moved = [], 0
    for picture, corners in zip(pictures, seen, strict=True):
        away = _apart_px(corners, seen[best])
        if away is not None and away > _MOVED_PX:
            moved += 1
        elif len(corners) == len(seen[best]):
            good.append(picture)
    if moved > len(pictures) / 3:
        raise CalibrationError(
            f"camera or mat moved: in {moved} of {len(pictures)} pictures the markers lie elsewhere; fix both, again"
        )
    return np.mean(good, axis=0, dtype=np.float32), len(good)


def fit_table(
    pictures: Sequence[NDArray[np.uint8]], markers: Markers, lens: Lens, mat_mm: tuple[float, float]
) -> TableFit:
    """The table from grey pictures, uint8 (H, W), of a mat with printed markers.

    Raises Refusal (a CalibrationError) with its reason: mirrored, covered, swapped, scaled, another lens.
    """
    grey, count = steady_picture(pictures, markers)
    seen = see_markers(grey, markers, thorough=True)
    missing = sorted(set(markers.centres_mm) - set(seen))
    enough = not missing or (len(seen) >= _FEWEST and _reaches(seen, markers))
    pose = fit_mat(upright(seen, markers, lens), markers, lens) if enough else None
    if pose is None or pose.rms_mm > _ODD_CORNERS_MM:
        pose = find_mat(grey, markers, lens)  # which says what is wrong
    if not enough:
        raise Refusal(
            Reason.COVERED_MARKERS,
            f"marker {', '.join(map(str, missing))} of the mat cannot be seen; uncover it, or turn the camera so that "
            "the whole mat is in its picture",
        )
    away_mm, position = camera_position(pose.corners_px, markers, lens)
    if away_mm > _POSE_MM:
        raise Refusal(
            Reason.LENS,
            f"lens and mat do not fit together: the markers are {away_mm:.1f} mm off where this lens should see them; "
            "is it the mat of this layout, and the lens of this camera (`hanafuda calibrate lens`)?",
        )
    table = Table(mat_mm, pose.table_from_camera, position, markers)
    notes = list(_notes(pose, away_mm))
    if missing:
        notes.append(
            f"marker {', '.join(map(str, missing))} was not seen; the {len(seen)} others say where the mat lies"
        )
    return TableFit(table, pose.rms_mm, away_mm, count, tuple(notes))


def fit_cloth(
    pictures: Sequence[NDArray[np.uint8]], markers: Markers, lens: Lens, mat_mm: tuple[float, float]
) -> TableFit:
    """As `fit_table` for markers laid by hand onto one's own cloth: only their middles count.

    Raises CalibrationError where they make no rectangle as measured.
    """
    grey, count = steady_picture(pictures, markers)
    seen = see_markers(grey, markers, thorough=True)
    if len(seen) < len(markers.centres_mm):
        find_mat(grey, markers, lens)
        raise CalibrationError("not all four markers are seen; uncover them")
    by_centres = from_centres(seen, markers, lens)
    away_mm, position = camera_position(seen, markers, lens, centres_only=True)
    if away_mm > _ODD_MM:
        across, away = (2 * abs(length) for length in markers.centres_mm[0])
        raise CalibrationError(
            f"the four markers make no rectangle of {across:g} x {away:g} mm (they are {away_mm:.0f} mm off): lay them "
            "square, 0 near left, 1 near right, 2 far right, 3 far left, and measure from middle to middle"
        )
    pose = fit_mat(upright(seen, markers, lens), markers, lens)
    table = Table(mat_mm, by_centres, position, markers)
    return TableFit(table, pose.rms_mm, away_mm, count, _notes(pose, away_mm))


def camera_position(
    corners_px: Mapping[int, NDArray[np.float64]], markers: Markers, lens: Lens, centres_only: bool = False
) -> tuple[float, tuple[float, float, float]]:
    """How far, in mm on the table, the markers lie from where a camera with this lens can see them, and where it is.

    `corners_px` are distorted px (4, 2) by number; the position is in table mm. Raises CalibrationError.
    """
    numbers = sorted(corners_px)
    if centres_only:
        mm = np.array([markers.centres_mm[n] for n in numbers])
        px = np.array([crossing(lens.undistort(corners_px[n])) for n in numbers])
    else:
        turned = upright(corners_px, markers, lens)
        mm = np.concatenate([marker_corners_mm(markers, n) for n in numbers])
        px = np.concatenate([lens.undistort(turned[n]) for n in numbers])
    space = np.column_stack([mm, np.zeros(len(mm))])
    found, turn, shift = cv2.solvePnP(space, px[:, None], lens.K, np.zeros(5), flags=cv2.SOLVEPNP_ITERATIVE)
    if not found:
        raise CalibrationError("the camera's place over the table cannot be worked out from the markers")
    rotation, moved = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64), np.asarray(shift, np.float64).ravel()
    x, y, z = (-rotation.T @ moved).tolist()
    if z <= 0:
        raise CalibrationError("the markers put the camera below the table; is its picture mirrored?")
    seen = (space @ rotation.T + moved) @ lens.K.T
    away_px = float(np.sqrt(np.mean(np.sum((seen[:, :2] / seen[:, 2:] - px) ** 2, axis=1))))
    return away_px * float(np.linalg.norm(moved)) / float(lens.K[0, 0]), (x, y, z)


def _reaches(seen: Mapping[int, NDArray[np.float64]], markers: Markers) -> bool:
    """Whether the markers seen lie towards all four corners and reach over nearly the whole of what all markers do."""
    own, whole = np.array([markers.centres_mm[n] for n in seen]), np.array(list(markers.centres_mm.values()))
    away = own - (whole.max(axis=0) + whole.min(axis=0)) / 2
    corners = {(x > 0, y > 0) for x, y in away.tolist()}
    return len(corners) == _FEWEST and bool((np.ptp(own, axis=0) >= _REACHES * np.ptp(whole, axis=0)).all())


def _apart_px(one: Mapping[int, NDArray[np.float64]], other: Mapping[int, NDArray[np.float64]]) -> float | None:
    """How far the markers seen in both are apart, the largest mean of a marker; None where none is."""
    both = one.keys() & other.keys()
    return max((float(np.linalg.norm(one[n] - other[n], axis=1).mean()) for n in both), default=None)


def _notes(pose: MatPose, away_mm: float) -> tuple[str, ...]:
    notes = []
    sides = {n: float(np.linalg.norm(q - np.roll(q, 1, axis=0), axis=1).min()) for n, q in pose.corners_px.items()}
    if min(sides.values()) < _SMALL_PX:
        notes.append(
            f"the markers are only {min(sides.values()):.0f} px large in the picture: choose a larger picture or "
            "print larger markers"
        )
    if away_mm > _POSE_NOTE_MM:
        notes.append(f"lens and markers disagree by {away_mm:.1f} mm: measure the print; is the lens this camera's?")
    centre = pose.table_from_camera.inverse.map(np.array([[0.0, 0.0], [0.0, _CARD_MM]]))
    height = float(np.linalg.norm(centre[1] - centre[0]))
    if height < _CARD_PX:
        notes.append(
            f"a card is only about {height:.0f} px high in the picture; reading is good from {_CARD_PX:.0f} px: move "
            "the camera nearer or choose a larger picture"
        )
    return tuple(notes)
