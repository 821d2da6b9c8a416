"""The lens from views of the board: bad views dropped, checked on views left out, refused where it cannot be true."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import BoardView
from calibration.lens import Lens
from calibration.lens_check import halves_mm, implausible
from calibration.profile import LensFit
from engine.errors import CalibrationError

LEAST_VIEWS: Final = 8
"""Fewer pictures of the board than this tell no lens."""
_FOLDS: Final = 5
_JUDGED: Final = 14  # corners of a view
_BAD_TIMES: Final = 3.0  # of the median view's error
_BAD_PX: Final = 0.4
_WILD_PX: Final = 1.5  # a single corner further off than this and six times the rms was misread
_MOST_DROPPED: Final = 1 / 3
_LARGEST_RMS_PX: Final = 1.0
_LARGEST_FOCAL_DOUBT: Final = 0.01
_LARGEST_HALVES_MM: Final = 2.0
_GAIN: Final = 0.98  # a third radial term must bring the hold-out error below this share
_HALVES: Final = 12
_CRITERIA: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 60, 1e-9)


@dataclass(frozen=True, slots=True, eq=False)
class LensResult:
    """A lens that passed. `dropped` names the pictures left out as bad, with their error in px.

    `focal_doubt` is the standard deviation of the focal length as a share of it. `halves_mm` is how far the lenses of
    two halves of the pictures disagree over a table of one metre: rms and largest; None with fewer than 12 pictures.
    """

    lens: Lens
    fit: LensFit
    dropped: tuple[tuple[str, float], ...]
    focal_doubt: float
    halves_mm: tuple[float, float] | None


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    lens: Lens
    rms_px: float
    view_rms_px: NDArray[np.float64]
    errors_px: tuple[NDArray[np.float64], ...]
    focal_doubt: float


def fit_lens(views: Sequence[BoardView]) -> LensResult:
    """The lens that made these views of one camera.

    Raises CalibrationError with what to do next for too few views, views of different sizes, a residual that no flat
    board gives, a focal length that the views leave open, or a lens that cannot be.
    """
    if len(views) < LEAST_VIEWS:
        raise CalibrationError(
            f"only {len(views)} usable pictures of the board; at least {LEAST_VIEWS} are needed, better 20, each with "
            "the board elsewhere and tilted another way"
        )
    sizes = {view.size_px for view in views}
    if len(sizes) > 1:
        told = ", ".join(f"{w}x{h}" for w, h in sorted(sizes))
        raise CalibrationError(f"the pictures have different sizes ({told}); take all with the same camera setting")
    kept, dropped = _without_bad(views)
    model, (held, focals) = _best_model(kept)
    solved = _solve(kept, model)
    doubt = max(solved.focal_doubt, _jackknife(focals), _restarted(kept, model, solved))
    worst = kept[int(np.argmax(solved.view_rms_px))].name or "one view"
    problem = implausible(solved.lens, kept[0].size_px)
    if problem is not None:
        raise CalibrationError(f"{problem}; the worst picture is {worst}: take new ones, tilting the board more")
    if solved.rms_px > _LARGEST_RMS_PX or held > 1.5 * _LARGEST_RMS_PX:
        raise CalibrationError(
            f"the pictures do not fit together: corners are off by {solved.rms_px:.1f} px ({held:.1f} px on pictures "
            f"left out), worst in {worst}; glue the board to something flat, turn the camera's autofocus off, check "
            "the board's size"
        )
    halves = _halves(kept, solved.lens, model)
    if doubt > _LARGEST_FOCAL_DOUBT or (halves is not None and halves[0] > _LARGEST_HALVES_MM):
        raise CalibrationError(
            f"the pictures leave the focal length open to {100 * doubt:.1f} %; take more with the board tilted by 20 "
            "to 40 degrees to all sides"
        )
    fit = LensFit(len(kept), round(solved.rms_px, 4), round(held, 4))
    return LensResult(solved.lens, fit, dropped, doubt, halves)


def pose_of(view: BoardView, lens: Lens) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rotation (3, 3) and translation in mm (3,) of the board in the camera's frame (x right, y down, z forward).

    A few corners in a strip have more than one place that nearly fits: search begins at both of a plane's, the best
    one counts. Raises CalibrationError where there is none.
    """
    space, seen = _space(view.points_mm), np.ascontiguousarray(view.points_px[:, None])
    best: tuple[float, NDArray[np.float64], NDArray[np.float64]] | None = None
    for way in (cv2.SOLVEPNP_ITERATIVE, cv2.SOLVEPNP_IPPE):
        found, turns, shifts, _ = cv2.solvePnPGeneric(space, seen, lens.K, lens.dist, flags=way)
        for turn, shift in zip(turns, shifts, strict=True) if found else ():
            turn, shift = cv2.solvePnPRefineLM(space, seen, lens.K, lens.dist, turn, shift)
            rotation, moved = _place(turn, shift)
            away = float(np.linalg.norm(_seen(view.points_mm, rotation, moved, lens) - view.points_px, axis=1).mean())
            if np.isfinite(away) and (best is None or away < best[0]):
                best = away, rotation, moved
    if best is None:
        raise CalibrationError(f"{view.name}: the board's place cannot be worked out")
    return best[1], best[2]


def _without_bad(views: Sequence[BoardView]) -> tuple[tuple[BoardView, ...], tuple[tuple[str, float], ...]]:
    """The views without misread corners and without those that do not fit the others, at most a third of them."""
    kept: list[BoardView] = list(views)
    dropped: list[tuple[str, float]] = []
    while True:
        solved = _solve(kept, cv2.CALIB_FIX_K3)
        wild = max(_WILD_PX, 6 * float(np.median(solved.view_rms_px)))
        cleaned = [_without_wild(v, e, wild) for v, e in zip(kept, solved.errors_px, strict=True)]
        if any(len(a.ids) < len(b.ids) for a, b in zip(cleaned, kept, strict=True)):
            kept = cleaned
            solved = _solve(kept, cv2.CALIB_FIX_K3)
        worst = int(np.argmax(solved.view_rms_px))
        error = float(solved.view_rms_px[worst])
        bad = error > max(_BAD_PX, _BAD_TIMES * float(np.median(solved.view_rms_px)))
        spare = len(kept) > LEAST_VIEWS and len(dropped) < _MOST_DROPPED * len(views)
        if not (bad and spare):
            return tuple(kept), tuple(dropped)
        dropped.append((kept.pop(worst).name, round(error, 2)))


def _without_wild(view: BoardView, errors_px: NDArray[np.float64], wild_px: float) -> BoardView:
    """The view without corners that were misread, as long as most stay."""
    good = errors_px <= wild_px
    if good.all() or good.sum() < max(8, 0.8 * len(good)):
        return view
    return replace(view, ids=view.ids[good], points_px=view.points_px[good], points_mm=view.points_mm[good])


def _best_model(views: Sequence[BoardView]) -> tuple[int, tuple[float, tuple[float, ...]]]:
    """The flags of the model to fit and its hold-out: the third radial term only where the hold-out gains by it."""
    plain, rich = _holdout(views, cv2.CALIB_FIX_K3), _holdout(views, 0)
    return (0, rich) if rich[0] < _GAIN * plain[0] else (cv2.CALIB_FIX_K3, plain)


def _holdout(views: Sequence[BoardView], model: int) -> tuple[float, tuple[float, ...]]:
    """The rms error in px on views that were not fitted, every fifth left out in turn, and the focal length each time.

    Where the board was in such a view is worked out from every other corner, and the error taken at the rest. Views of
    few corners tell too little of that to be judged by it.
    """
    squares: list[NDArray[np.float64]] = []
    focals = []
    few = [view for view in views if len(view.ids) < _JUDGED]
    for fold in range(_FOLDS):
        lens = _solve([view for i, view in enumerate(views) if i % _FOLDS != fold], model).lens
        focals.append(float(lens.K[0, 0]))
        for view in views[fold::_FOLDS]:
            if len(view.ids) < _JUDGED and len(views) - len(few) >= LEAST_VIEWS:
                continue
            even = _some(view, slice(0, None, 2))
            odd = _some(view, slice(1, None, 2))
            rotation, shift = pose_of(even, lens)
            squares.append(np.sum((_seen(odd.points_mm, rotation, shift, lens) - odd.points_px) ** 2, axis=1))
    return float(np.sqrt(np.mean(np.concatenate(squares)))), tuple(focals)


def _jackknife(focals: Sequence[float]) -> float:
    """The standard deviation of the focal length, as a share of it, from fits that leave out a fold each."""
    return float(np.std(focals) * np.sqrt(len(focals) - 1) / np.mean(focals))


def _restarted(views: Sequence[BoardView], model: int, solved: _Solved) -> float:
    """How far the focal length lies from that of fits begun elsewhere, as a share of it.

    Where a board was never tilted, every beginning ends near itself, each with a small residual.
    """
    focals = [_solve(views, model, share * solved.lens.K[0, 0]).lens.K[0, 0] for share in (0.7, 1.4)]
    return float(np.max(np.abs(np.array(focals) / solved.lens.K[0, 0] - 1)))


def _some(view: BoardView, which: slice) -> BoardView:
    return replace(view, ids=view.ids[which], points_px=view.points_px[which], points_mm=view.points_mm[which])


def _halves(views: Sequence[BoardView], lens: Lens, model: int) -> tuple[float, float] | None:
    """How far the lenses of the even and the odd views disagree over the table; None for few views."""
    if len(views) < _HALVES:
        return None
    even, odd = (_solve(views[start::2], model).lens for start in (0, 1))
    return halves_mm(lens, even, odd, views[0].size_px)


def _solve(views: Sequence[BoardView], model: int, begin_px: float | None = None) -> _Solved:
    """OpenCV's bundle adjustment: fx fy cx cy k1 k2 p1 p2 (k3 where `model` is 0) and where the board was.

    `begin_px` is a focal length to begin with; without one it is worked out from the views.
    """
    width, height = views[0].size_px
    start = np.array([[begin_px or 1.0, 0, (width - 1) / 2], [0, begin_px or 1.0, (height - 1) / 2], [0, 0, 1]])
    flags = model if begin_px is None else model | cv2.CALIB_USE_INTRINSIC_GUESS
    points = [_space(view.points_mm).astype(np.float32) for view in views]
    seen = [np.ascontiguousarray(view.points_px[:, None], dtype=np.float32) for view in views]
    try:
        rms, matrix, dist, turns, shifts, doubts, _, by_view = cv2.calibrateCameraExtended(
            points, seen, views[0].size_px, start, np.zeros(5), flags=flags, criteria=_CRITERIA
        )
    except cv2.error as problem:
        raise CalibrationError(
            "the pictures of the board tell no lens; take new ones with the board tilted to all sides"
        ) from problem
    if not (np.all(np.isfinite(matrix)) and np.all(np.isfinite(dist)) and matrix[0, 0] > 0 and matrix[1, 1] > 0):
        raise CalibrationError("the pictures of the board tell no lens; tilt the board more, to all sides")
    lens = Lens(np.asarray(matrix, dtype=np.float64), np.asarray(dist, dtype=np.float64).ravel()[:5])
    errors = tuple(
        np.linalg.norm(_seen(view.points_mm, *_place(turn, shift), lens) - view.points_px, axis=1)
        for view, turn, shift in zip(views, turns, shifts, strict=True)
    )
    doubt = float(np.max(np.asarray(doubts).ravel()[:2]) / lens.K[0, 0])
    return _Solved(lens, float(rms), np.asarray(by_view, dtype=np.float64).ravel(), errors, doubt)


def _place(turn: Any, shift: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rotation (3, 3) and translation (3,) of OpenCV's vectors."""
    return np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64), np.asarray(shift, dtype=np.float64).ravel()


def _space(points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of the board's plane as points in space, (N, 3)."""
    return np.column_stack([points_mm, np.zeros(len(points_mm))])


def _seen(
    points_mm: NDArray[np.float64], rotation: NDArray[np.float64], shift: NDArray[np.float64], lens: Lens
) -> NDArray[np.float64]:
    """Where the camera sees points of a board at that place, px (N, 2)."""
    space = (_space(points_mm) @ rotation.T + shift) @ lens.K.T
    return lens.distort(space[:, :2] / space[:, 2:])
