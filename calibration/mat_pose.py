"""Where the mat lies, from the markers printed on it, and what is wrong with them where they cannot be right."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from calibration.homography import Homography
from calibration.lens import Lens
from calibration.marker_edges import refine
from calibration.profile import Markers
from calibration.refusals import Reason, Refusal
from engine.errors import CalibrationError

_SWAPPED_MM: Final = 3.0
_SCALE_SLACK: Final = 0.015
_EDGES_PX: Final = 0.4  # so much a camera's tone curve and sharpening may make a marker larger or smaller
_SCALE_SPREAD: Final = 0.03
_LEFT_OUT_MM: Final = 4.0
_SMALL_PX: Final = 36.0  # markers with shorter sides foretell each other worse, by the square of it
_EXPLAINED: Final = 0.3  # of the residual is left where another size of the markers explains it
_ASKEW_MM: Final = 0.6
_FEWEST: Final = 4
_ENLARGED_PX: Final = 2000
"""Pictures up to this wide are enlarged."""


@dataclass(frozen=True, slots=True, eq=False)
class MatPose:
    """The mat in the camera's picture.

    `rms_mm` is the residual of the markers' corners; `left_out_mm` the largest error with which a marker's centre is
    foretold by the others; `marker_scale` how much larger the markers are than told, `scale_spread` how much that
    differs between them. `corners_px` holds the corners seen, distorted px, shape (4, 2), by number.
    """

    table_from_camera: Homography
    rms_mm: float
    left_out_mm: float
    marker_scale: float
    scale_spread: float
    corners_px: Mapping[int, NDArray[np.float64]]


def marker_corners_mm(markers: Markers, number: int) -> NDArray[np.float64]:
    """Corners of a marker in table mm, shape (4, 2): clockwise seen from above, from its far left one."""
    half = markers.size_mm / 2
    x, y = markers.centres_mm[number]
    return np.array([[x - half, y + half], [x + half, y + half], [x + half, y - half], [x - half, y - half]])


def see_markers(grey: NDArray[np.float32], markers: Markers, thorough: bool = False) -> dict[int, NDArray[np.float64]]:
    """Corners of the mat's markers in a picture float32 (H, W), distorted px, shape (4, 2), by number.

    A number that is there twice, or that is none of the mat's, is left out. With `thorough`, for calibrating, cells
    are sampled more densely and what is missing is looked for in the enlarged picture too, where cells of two px are
    read: that takes four times as long.
    """
    values = np.asarray(np.clip(np.rint(grey), 0, 255), dtype=np.uint8)
    seen = _detected(values, markers, thorough)
    if thorough and len(seen) < len(markers.centres_mm) and grey.shape[1] <= _ENLARGED_PX:
        large = np.asarray(cv2.resize(values, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
        more = _detected(large, markers, thorough)
        seen |= {n: [(quad + 0.5) / 2 - 0.5 for quad in quads] for n, quads in more.items() if n not in seen}
    found = {}
    for number, several in seen.items():
        if len(several) == 1:
            fine = refine(grey, several[0])
            found[number] = several[0] if fine is None else fine
    return found


def _detected(values: NDArray[np.uint8], markers: Markers, dense: bool) -> dict[int, list[NDArray[np.float64]]]:
    seen: dict[int, list[NDArray[np.float64]]] = {}
    for number, corners in opencv.detect_markers(values, markers.dictionary, dense=dense):
        if number in markers.centres_mm:
            seen.setdefault(number, []).append(corners)
    return seen


def check_scale(pose: MatPose, markers: Markers) -> None:
    """Raises Refusal where all markers are larger or smaller than told. A wrong lens can look so: judge it first."""
    if abs(pose.marker_scale - 1) > _scale_slack(pose.corners_px) and pose.scale_spread < _SCALE_SPREAD:
        raise Refusal(
            Reason.SCALED_PRINT,
            f"the markers are {pose.marker_scale * markers.size_mm:.1f} mm large by their distances, not "
            f"{markers.size_mm:g} mm: they were printed at {100 * pose.marker_scale:.0f} %; print at 100 % "
            "(no fitting to the page) or give the distances as measured",
        )


def find_mat(grey: NDArray[np.float32], markers: Markers, lens: Lens, judge_scale: bool = True) -> MatPose:
    """The mat's pose from a picture float32 (H, W) without projected light.

    Raises Refusal for a mirrored picture, covered or swapped markers, a scaled print and a lens that is another's.
    """
    seen = see_markers(grey, markers, thorough=True)
    wanted = sorted(markers.centres_mm)
    if len(seen) < min(_FEWEST, len(wanted)):
        _explain_missing(grey, markers, seen)
    seen = upright(seen, markers, lens)
    pose = fit_mat(seen, markers, lens)
    if pose.rms_mm > _SWAPPED_MM:
        _explain_swapped(seen, markers, lens)
    if judge_scale:
        check_scale(pose, markers)
    left_out_mm = _LEFT_OUT_MM * max(1.0, _SMALL_PX / _side_px(seen)) ** 2
    if pose.rms_mm > _SWAPPED_MM or pose.left_out_mm > left_out_mm:
        resized = fit_mat(seen, replace(markers, size_mm=markers.size_mm * pose.marker_scale), lens)
        if resized.rms_mm < _EXPLAINED * pose.rms_mm and resized.left_out_mm < left_out_mm:
            check_scale(pose, markers)
        raise Refusal(
            Reason.LENS,
            f"three markers put the fourth {pose.left_out_mm:.1f} mm off its place: the lens in the profile is not "
            "this camera's, or a marker is not where the layout says; run `hanafuda calibrate lens` with this camera",
        )
    if pose.rms_mm > _ASKEW_MM and len(seen) == _FEWEST:  # laid by hand, a little askew: only their middles count
        return replace(pose, table_from_camera=from_centres(seen, markers, lens))
    return pose


def upright(seen: Mapping[int, NDArray[np.float64]], markers: Markers, lens: Lens) -> dict[int, NDArray[np.float64]]:
    """The corners by number, each marker's begun at the corner that lies far left on the mat.

    A file says where markers are, not which way up they were printed: a square turned by a quarter is the same square.
    """
    if len(seen) < _FEWEST:
        return dict(seen)
    by_centres = from_centres(seen, markers, lens)
    found = {}
    for number, corners in seen.items():
        wanted, have = marker_corners_mm(markers, number), by_centres.map(lens.undistort(corners))
        turn = min(range(4), key=lambda k: float(np.linalg.norm(np.roll(have, k, axis=0) - wanted)))
        found[number] = np.roll(corners, turn, axis=0)
    return found


def from_centres(seen: Mapping[int, NDArray[np.float64]], markers: Markers, lens: Lens) -> Homography:
    """table_from_camera by the markers' middles alone. Raises CalibrationError where they lie in a line."""
    numbers = sorted(seen)
    px = np.array([crossing(lens.undistort(seen[n])) for n in numbers])
    mm = np.array([markers.centres_mm[n] for n in numbers])
    matrix = np.asarray(cv2.findHomography(mm, px, 0)[0], dtype=np.float64)
    if matrix.shape != (3, 3):
        raise CalibrationError("the markers lie in a line in the camera's picture; it must look down on the mat")
    return Homography.from_rows("camera", "table", matrix).inverse


def fit_mat(seen: Mapping[int, NDArray[np.float64]], markers: Markers, lens: Lens) -> MatPose:
    """The pose that fits the markers' corners best (px, distorted, by number), without judging it."""
    numbers = sorted(seen)
    table = {number: marker_corners_mm(markers, number) for number in numbers}
    flat = {number: lens.undistort(seen[number]) for number in numbers}
    found = _fitted(table, flat, numbers)
    away = {n: found.map(flat[n]) - table[n] for n in numbers}
    rms = float(np.sqrt(np.mean([(a**2).sum(axis=1).mean() for a in away.values()])))
    left_out = 0.0
    for number in numbers if len(numbers) >= _FEWEST else ():
        others = _fitted(table, flat, [n for n in numbers if n != number])
        miss = (others.map(flat[number]) - table[number]).mean(axis=0)
        left_out = max(left_out, float(np.hypot(*miss)))
    scales = _scales(seen, markers, lens)
    return MatPose(found, rms, left_out, float(np.median(scales)), float(np.ptp(scales)), dict(seen))


def _fitted(
    table: Mapping[int, NDArray[np.float64]], flat: Mapping[int, NDArray[np.float64]], numbers: list[int]
) -> Homography:
    """table_from_camera by least squares of px, which is where the noise is."""
    source = np.concatenate([table[n] for n in numbers])
    target = np.concatenate([flat[n] for n in numbers])
    matrix = np.asarray(cv2.findHomography(source, target, 0)[0], dtype=np.float64)
    return Homography.from_rows("camera", "table", matrix).inverse


def _scale_slack(seen: Mapping[int, NDArray[np.float64]]) -> float:
    """How far off a marker's size may seem: the fewer px it has, the more its two edges count."""
    return _SCALE_SLACK + _EDGES_PX / _side_px(seen)


def _side_px(seen: Mapping[int, NDArray[np.float64]]) -> float:
    """How long the markers' sides are in the picture, the median."""
    sides = [float(np.linalg.norm(np.diff(quad[[0, 1, 2, 3, 0]], axis=0), axis=1).mean()) for quad in seen.values()]
    return float(np.median(sides))


def _scales(seen: Mapping[int, NDArray[np.float64]], markers: Markers, lens: Lens) -> NDArray[np.float64]:
    """Size of each marker by the distances of all centres, over the size told, shape (N,); ones for less than four."""
    numbers = sorted(seen)
    if len(numbers) < _FEWEST:
        return np.ones(max(1, len(numbers)))
    flat = {n: lens.undistort(seen[n]) for n in numbers}
    by_centres = from_centres(seen, markers, lens)
    sides = [np.linalg.norm(np.diff(by_centres.map(flat[n])[[0, 1, 2, 3, 0]], axis=0), axis=1).mean() for n in numbers]
    return np.array(sides, dtype=np.float64) / markers.size_mm


def crossing(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the diagonals of a quadrilateral meet: the image of a square's centre."""
    a, b, c, d = quad
    system = np.column_stack([c - a, b - d])
    return np.asarray(a + (c - a) * np.linalg.solve(system, b - a)[0], dtype=np.float64)


def where(markers: Markers, number: int) -> str:
    """A marker by number and place, such as `2 (far right)`."""
    x, y = markers.centres_mm[number]
    return f"{number} ({'near' if y < 0 else 'far'} {'left' if x < 0 else 'right'})"


def _explain_missing(grey: NDArray[np.float32], markers: Markers, seen: Mapping[int, NDArray[np.float64]]) -> None:
    flipped = np.ascontiguousarray(grey[:, ::-1])
    if len(see_markers(flipped, markers, thorough=True)) > len(seen):
        raise Refusal(
            Reason.MIRRORED,
            "the camera's picture is mirrored: the mat's markers read only in its mirror image; turn mirroring off in "
            "the camera's settings",
        )
    if float(np.mean(grey >= 250)) > 0.1:
        raise Refusal(
            Reason.TOO_BRIGHT,
            "the camera's picture is white where the mat should be: the lamps are too bright for its exposure; dim "
            "them or shorten the exposure",
        )
    missing = [where(markers, n) for n in sorted(markers.centres_mm) if n not in seen]
    raise Refusal(
        Reason.COVERED_MARKERS,
        f"marker {', '.join(missing)} of the mat cannot be seen; uncover {'it' if len(missing) == 1 else 'them'}, or "
        "turn the camera so that the whole mat is in its picture",
    )


def _explain_swapped(seen: Mapping[int, NDArray[np.float64]], markers: Markers, lens: Lens) -> None:
    """Raises a Refusal where two markers in each other's place would explain what is seen."""
    numbers = sorted(seen)
    for a, b in itertools.combinations(numbers, 2):
        other = dict(seen) | {a: seen[b], b: seen[a]}
        if fit_mat(upright(other, markers, lens), markers, lens).rms_mm < _SWAPPED_MM / 2:
            raise Refusal(
                Reason.SWAPPED,
                f"markers {where(markers, a)} and {where(markers, b)} lie in each other's place; swap them",
            )
