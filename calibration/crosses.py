"""Measuring projected crosses: points the fit never saw, by lines through their arms and not by corners."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import patterns
from calibration.photographs import Photographs
from calibration.profile import Markers
from calibration.projector_map import ProjectorMap
from calibration.view import TableView

_FINE: Final = 4  # samples for a projector px
_LEAST_CONTRAST: Final = 4.0
_SATURATED: Final = 250
_SLACK_PX: Final = 9.0


@dataclass(frozen=True, slots=True, eq=False)
class Crosses:
    """Crosses measured: where they should be and where they are, table mm, both float64 (N, 2)."""

    wanted_mm: NDArray[np.float64]
    seen_mm: NDArray[np.float64]

    @property
    def errors_mm(self) -> NDArray[np.float64]:
        """Distances, shape (N,)."""
        return np.asarray(np.linalg.norm(self.seen_mm - self.wanted_mm, axis=1))


def measure_crosses(
    photos: Photographs,
    view: TableView,
    fitted: ProjectorMap,
    size_px: tuple[int, int],
    mat_mm: tuple[float, float],
    markers: Markers | None = None,
) -> Crosses:
    """Crosses that fall onto the mat and are seen well, each at its best brightness. Empty where none was projected.

    What falls onto printed markers is left out.
    """
    centres = patterns.cross_centres_px(size_px)
    wanted = fitted.table_mm(centres)
    on_mat = np.all(np.abs(wanted) < np.array(mat_mm) / 2 - 6, axis=1)
    if markers is not None:
        reach = markers.size_mm * 0.75 + 12
        for centre in markers.centres_mm.values():
            on_mat &= np.abs(wanted - np.array(centre)).max(axis=1) > reach
    levels = [level for level in patterns.CROSS_LEVELS if patterns.crosses_name(level) in photos.by_name]
    pictures = {level: photos.difference(patterns.crosses_name(level)) for level in levels}
    want, seen = [], []
    for index in np.flatnonzero(on_mat).tolist():
        best: tuple[float, NDArray[np.float64]] | None = None
        for level in levels:
            peak = photos.by_name[patterns.crosses_name(level)].peak
            found = _measured(pictures[level], peak, view, fitted, centres[index], size_px)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
        if best is not None:
            want.append(wanted[index])
            seen.append(view.table_mm(view.camera_px(fitted.table_mm(centres[index] + best[1]))))
    return Crosses(np.array(want, dtype=np.float64).reshape(-1, 2), np.array(seen, dtype=np.float64).reshape(-1, 2))


def _measured(
    difference: NDArray[np.float32],
    peak: NDArray[np.uint8],
    view: TableView,
    fitted: ProjectorMap,
    centre_px: NDArray[np.float64],
    size_px: tuple[int, int],
) -> tuple[float, NDArray[np.float64]] | None:
    """How good the view of a cross is, and how far it is from its place, in projector px, shape (2,)."""
    arm = patterns.arm_px(size_px)
    reach = arm + _SLACK_PX
    steps = np.arange(-reach, reach + 1e-6, 1 / _FINE)
    knots = np.linspace(-reach, reach, 9)
    coarse = view.camera_px(fitted.table_mm(np.stack(np.meshgrid(knots, knots), axis=-1) + centre_px))
    height, width = difference.shape
    if not np.isfinite(coarse).all() or (coarse < 2).any() or (coarse > [width - 3, height - 3]).any():
        return None
    u = ((steps + reach) / (2 * reach) * (len(knots) - 1)).astype(np.float32)
    places = np.stack(np.meshgrid(u, u), axis=-1)
    px = [
        cv2.remap(coarse[..., i].astype(np.float32), places[..., 0], places[..., 1], cv2.INTER_LINEAR) for i in (0, 1)
    ]
    patch = cv2.remap(difference, px[0], px[1], cv2.INTER_LINEAR).astype(np.float64)
    x = _arm_crossing(patch, steps, arm)
    y = _arm_crossing(patch.T, steps, arm)
    if x is None or y is None:
        return None
    level = float(np.percentile(patch, 97) - np.median(patch))
    around = cv2.remap(peak, px[0], px[1], cv2.INTER_LINEAR)
    quality = level * (0.1 if float(np.percentile(around, 97)) >= _SATURATED else 1.0)
    # the upright arm is x = x0 + sx y, the level one y = y0 + sy x
    (x0, sx), (y0, sy) = x, y
    slope = 1 - sx * sy
    return quality, np.array([(x0 + sx * y0) / slope, (y0 + sy * x0) / slope])


def _arm_crossing(patch: NDArray[np.float64], steps: NDArray[np.float64], arm: float) -> tuple[float, float] | None:
    """The upright arm as x = x0 + slope y, fitted to its centre of light row by row away from the other arm."""
    use = (np.abs(steps) > 0.38 * arm) & (np.abs(steps) < 0.86 * arm)
    rows = patch[use]
    ground = np.median(rows, axis=1, keepdims=True)
    above = np.clip(rows - ground, 0, None)
    summed = above.mean(axis=0)
    smooth = np.convolve(summed, np.ones(9) / 9, mode="same")
    start = float(steps[int(np.argmax(smooth))])
    if abs(start) > 7.0 or float(summed.max()) < _LEAST_CONTRAST:
        return None
    near = np.abs(steps - start) < 3.6
    light = above[:, near]
    light = np.clip(light - 0.15 * light.max(axis=1, keepdims=True), 0, None)
    weight = light.sum(axis=1)
    good = weight > 0.4 * float(np.median(weight))
    if good.sum() < 8 or float(np.median(weight)) <= 0:
        return None
    middle = (light[good] @ steps[near]) / weight[good]
    at = steps[use][good]
    keep = np.abs(middle - np.median(middle)) < 1.5
    if keep.sum() < 8:
        return None
    slope, x0 = np.polyfit(at[keep], middle[keep], 1)
    return float(x0), float(slope)
