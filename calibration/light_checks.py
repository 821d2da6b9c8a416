"""What photographs of the patterns tell about light: brightness, glare, exposure, a projector that scales its px."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import patterns
from calibration.board_reading import Reading
from calibration.findings import Check, Mark
from calibration.photographs import DIMMEST, Photographs
from calibration.projector_map import ProjectorMap
from calibration.refusals import Reason, Refusal
from calibration.view import TableView

_DIM: Final = 1.5
_SATURATED: Final = 250
_DRIFT: Final = 0.03
_MOIRE: Final = 0.10
_ENOUGH: Final = 0.6  # of the places that another brightness shows
_GAMMA: Final = 2.2
_STEP_MM: Final = 12.0
_DARK_PX: Final = 13  # of the projector around a px in which nothing is lit
_LOCK: Final = "lock exposure, gain and white balance; the camera said they were, or was not asked"


def mat_px(view: TableView, mat_mm: tuple[float, float], size_px: tuple[int, int]) -> NDArray[np.int64]:
    """Camera px of points every 12 mm over the mat that lie in the picture, shape (N, 2)."""
    x = np.arange(-mat_mm[0] / 2 + 4, mat_mm[0] / 2 - 3, _STEP_MM)
    y = np.arange(-mat_mm[1] / 2 + 4, mat_mm[1] / 2 - 3, _STEP_MM)
    px = np.round(view.camera_px(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2))).astype(np.int64)
    inside = (px >= 0).all(axis=1) & (px[:, 0] < size_px[0]) & (px[:, 1] < size_px[1])
    return np.asarray(px[inside], dtype=np.int64)


def contrast(photos: Photographs, reading: Reading, size_px: tuple[int, int]) -> float | None:
    """How many times the room's light the projector's white is, from the brightest board that does not saturate."""
    for level in patterns.LEVELS:
        name = patterns.board_name(level)
        if name not in photos.by_name:
            continue
        ratios = _ratios(photos, reading, name, patterns.board_plan(size_px).square_px)
        if len(ratios) >= 12:
            return float(np.median(ratios) / (level / 100) ** _GAMMA)
    return None


def _ratios(photos: Photographs, reading: Reading, name: str, _square_px: int) -> list[float]:
    """Added light over the room's, where the board is brightest beside each corner, unsaturated ones only."""
    lit, idle = photos.by_name[name], photos.idle.grey
    found = []
    height, width = idle.shape
    for x, y in np.round(reading.camera_px).astype(int).tolist():
        if not (5 <= x < width - 5 and 5 <= y < height - 5):
            continue
        here = (slice(y - 4, y + 5), slice(x - 4, x + 5))
        if int(lit.peak[here].max()) >= _SATURATED:
            continue
        dark = max(2.0, float(idle[here].mean()))
        found.append(max(0.0, (float(np.percentile(lit.grey[here], 85)) / dark) ** 2 - 1))
    return found


def check_contrast(ratio: float | None) -> Check:
    """Raises Refusal where the lamps outshine the projector."""
    if ratio is None:
        return Check("brightness", Mark.NOTE, "could not be measured", "")
    if ratio < DIMMEST:
        raise Refusal(
            Reason.TOO_BRIGHT,
            f"the lamps are too bright: the projector's white adds only {100 * ratio:.0f} % to the room's light; dim "
            "the lamps or shade the table",
        )
    said = f"the projector's white is {ratio:.1f} times the room's light"
    if ratio < _DIM:
        return Check("brightness", Mark.NOTE, said, "dim the lamps over the table: from twice on, light is easy to see")
    return Check("brightness", Mark.WELL, said)


def check_saturation(photos: Photographs, points_px: NDArray[np.int64]) -> tuple[Check, ...]:
    """How much of the mat is too bright for the camera, without projected light (glare) and under full white."""
    x, y = points_px[:, 0], points_px[:, 1]
    glare = float(np.mean(photos.idle.peak[y, x] >= _SATURATED))
    checks = [
        Check("glare", Mark.WELL, f"{100 * glare:.1f} % of the mat is white in the dark picture")
        if glare < 0.02
        else Check(
            "glare",
            Mark.NOTE if glare < 0.15 else Mark.BAD,
            f"{100 * glare:.0f} % of the mat is white in the picture without projected light",
            "move the lamp that shines there, or shorten the exposure: cards are not read in glare",
        )
    ]
    if patterns.WHITE in photos.by_name:
        full = float(np.mean(photos.by_name[patterns.WHITE].peak[y, x] >= _SATURATED))
        said = f"{100 * full:.0f} % of the mat saturates the camera under the projector's full white"
        checks.append(Check("saturation", Mark.WELL, said))
    return tuple(checks)


def check_exposure(
    photos: Photographs, points_px: NDArray[np.int64], lamp_px: NDArray[np.float64], size_px: tuple[int, int]
) -> Check:
    """Whether the dark picture after all patterns, and the dark squares of boards, are as bright as without light.

    `lamp_px` are the projector's px that light `points_px`, shape (N, 2).
    """
    darkened = _darkened(photos, points_px, lamp_px, size_px)
    if darkened is not None and darkened < -_DRIFT:
        return Check(
            "exposure",
            Mark.BAD,
            f"the camera changes its exposure by itself: {100 * darkened:+.0f} % under bright pictures",
            _LOCK,
        )
    if patterns.AFTER not in photos.by_name:
        return Check("exposure", Mark.NOTE, "could not be checked: there is no second dark picture")
    x, y = points_px[:, 0], points_px[:, 1]
    before, after = photos.idle.grey[y, x], photos.by_name[patterns.AFTER].grey[y, x]
    usable = (before > 8) & (before < 245)
    if usable.sum() < 50:
        return Check("exposure", Mark.NOTE, "could not be checked: the picture is too dark or too bright")
    drift = float(np.median(after[usable] / before[usable])) - 1
    if abs(drift) > _DRIFT:
        return Check(
            "exposure",
            Mark.BAD,
            f"the camera changes its exposure by itself: {100 * drift:+.0f} % after bright pictures",
            _LOCK,
        )
    return Check("exposure", Mark.WELL, f"stays as it is ({100 * drift:+.1f} % after bright pictures)")


def _darkened(
    photos: Photographs, points_px: NDArray[np.int64], lamp_px: NDArray[np.float64], size_px: tuple[int, int]
) -> float | None:
    """How much brighter (below 0: darker) what is not lit looks beside the brightest board, as a share; or None."""
    name = next((n for n in map(patterns.board_name, patterns.LEVELS) if n in photos.by_name), None)
    if name is None:
        return None
    lit = cv2.dilate(patterns.pattern(name, size_px).image, np.ones((_DARK_PX, _DARK_PX), np.uint8))
    at = np.nan_to_num(np.round(lamp_px), nan=-1).clip(-1, 1e6).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < size_px[0]) & (at[:, 1] < size_px[1])
    dark = np.zeros(len(at), dtype=bool)
    dark[inside] = lit[at[inside, 1], at[inside, 0]] == 0
    x, y = points_px[dark].T
    before, now = photos.idle.grey[y, x], photos.by_name[name].grey[y, x]
    usable = (before > 8) & (before < 245)
    if usable.sum() < 50:
        return None
    return float(now[usable].sum() / before[usable].sum()) - 1


def check_scaling(
    photos: Photographs, view: TableView, fitted: ProjectorMap, mat_mm: tuple[float, float], size_px: tuple[int, int]
) -> Check:
    """Whether a checker of single px looks even, as it does where the projector shows px as they come."""
    found: list[tuple[float, int]] = []
    for level in patterns.CHECKER_LEVELS:
        names = patterns.checker_name(level), patterns.flat_name(level)
        if all(name in photos.by_name for name in names):
            uneven = _unevenness(photos, names, view, fitted, mat_mm, size_px)
            found += [] if uneven is None else [uneven]
    if not found:
        return Check("projector's px", Mark.NOTE, "could not be checked for scaling")
    most = max(count for _, count in found)  # where little does not saturate, little is known
    worst = min(spread for spread, count in found if count > _ENOUGH * most)
    if worst > _MOIRE:
        return Check(
            "projector's px",
            Mark.NOTE,
            f"the projector scales its picture: a checker of single px shows bands of {100 * worst:.0f} %",
            "turn off keystone and digital zoom, and give it pictures of its own resolution: text is sharper so",
        )
    return Check("projector's px", Mark.WELL, f"shown one to one (bands of {100 * worst:.0f} %)")


def _unevenness(
    photos: Photographs,
    names: Sequence[str],
    view: TableView,
    fitted: ProjectorMap,
    mat_mm: tuple[float, float],
    size_px: tuple[int, int],
) -> tuple[float, int] | None:
    """Spread of the checker's light over the even grey's, as a share, free of what is wide or fine; None if unknown.

    With it at how many places that was measured.
    """
    lights, valid = [], None
    for name in names:
        shown = photos.by_name[name]
        light = (shown.grey / 16) ** 2 - (photos.idle.grey / 16) ** 2
        lights.append(cv2.GaussianBlur(np.asarray(light, dtype=np.float32), (0, 0), 4.0))
        dull = (cv2.dilate(shown.peak, np.ones((15, 15), np.uint8)) < _SATURATED).astype(np.uint8)
        valid = dull if valid is None else valid & dull
    assert valid is not None
    points = mat_px(view, (mat_mm[0] - 30, mat_mm[1] - 30), photos.idle.size_px)
    lamp = fitted.map(view.table_mm(points.astype(np.float64)))
    clear = np.ones(len(points), dtype=bool)
    for left, top, right, bottom in patterns.token_boxes_px(size_px):
        low, high = np.array([left - 40, top - 40]), np.array([right + 40, bottom + 40])
        clear &= ~((lamp > low) & (lamp < high)).all(axis=1)
    clear &= ((lamp > 20) & (lamp < np.array(size_px) - 20)).all(axis=1)
    x, y = points[clear].T
    enough = (valid[y, x] > 0) & (lights[1][y, x] > max(0.6, 0.25 * float(np.median(lights[1][y, x]))))
    if enough.sum() < 200:
        return None
    x, y = x[enough], y[enough]
    ratio = lights[0][y, x] / lights[1][y, x]
    ratio = ratio / np.median(ratio)
    design = np.column_stack([np.ones(len(x)), x / 1000, y / 1000, (x / 1000) ** 2, (y / 1000) ** 2, x * y / 1e6])
    smooth = design @ np.linalg.lstsq(design, ratio, rcond=None)[0]
    left = ratio - smooth
    return float(np.percentile(left, 90) - np.percentile(left, 10)), len(left)
