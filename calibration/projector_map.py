"""From table mm to projector px: the plain homography, and a bent one where the projector's lens needs it.

A plane tells nothing about a projector's focal length or axis, so no more than a few radial terms are ever fitted, and
only where they foretell points better that were left out of the fit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.homography import Homography

_GAIN: Final = 0.94
"""A larger model must lower the hold-out error to this share,"""
_FIRST_GAIN: Final = 0.97
"""but the first radial term, which most projectors have, to this one: on a patterned cloth noise hides it else."""
_LEAST_GAIN_PX: Final = 0.015
_FOLDS: Final = 4
_OUTLIER: Final = 4.5
"""Points this many times further off than the median one are left out."""
_DOUBTED: Final = 2.0
"""Points this many times further off count the less, the further they are: what a cloth's pattern draws aside."""


@dataclass(frozen=True, slots=True, eq=False)
class Bend:
    """Radial distortion of a projector: px of an ideal pinhole to px of the real one.

    `k` are k1 and k2 for a radius of 1 at half the picture's diagonal, around `centre_px`.
    """

    k: tuple[float, float]
    centre_px: tuple[float, float]
    radius_px: float

    def map(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Real px of ideal ones, shape (..., 2)."""
        away = (np.asarray(points_px, dtype=np.float64) - self.centre_px) / self.radius_px
        square = (away * away).sum(axis=-1, keepdims=True)
        grown = away * (1 + square * (self.k[0] + square * self.k[1]))
        return np.asarray(grown * self.radius_px + self.centre_px)

    def unmap(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Ideal px of real ones, shape (..., 2)."""
        real = np.asarray(points_px, dtype=np.float64)
        ideal = real
        for _ in range(12):
            ideal = ideal + (real - self.map(ideal))
        return ideal

    @property
    def largest_px(self) -> float:
        """How far it moves a point at half the picture's diagonal."""
        return abs(self.k[0] + self.k[1]) * self.radius_px


@dataclass(frozen=True, slots=True, eq=False)
class ProjectorMap:
    """Table mm to projector px. `plain` is the best homography alone; with a `bend` the two together are better."""

    plain: Homography
    pinhole: Homography | None = None
    bend: Bend | None = None

    def map(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """Projector px of table points, shape (..., 2)."""
        if self.bend is None or self.pinhole is None:
            return self.plain.map(points_mm)
        return self.bend.map(self.pinhole.map(points_mm))

    def table_mm(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Table points that projector px light, shape (..., 2)."""
        if self.bend is None or self.pinhole is None:
            return self.plain.inverse.map(points_px)
        return self.pinhole.inverse.map(self.bend.unmap(points_px))


@dataclass(frozen=True, slots=True, eq=False)
class ProjectorFit:
    """A fitted map, its residual and hold-out error in projector px, which points were used (N,), and what was tried.

    `tried` holds the hold-out error of every model by name.
    """

    map: ProjectorMap
    rms_px: float
    holdout_px: float
    used: NDArray[np.bool_]
    model: str
    tried: tuple[tuple[str, float], ...]


_MODELS: Final = {"homography": 0, "one radial term": 1, "one radial term off centre": 3, "two radial terms": 4}


def fit_projector_map(
    table_mm: NDArray[np.float64],
    projector_px: NDArray[np.float64],
    size_px: tuple[int, int],
    weight: NDArray[np.float64] | None = None,
) -> ProjectorFit:
    """The map through points seen, both float64 (N, 2); outliers are left out. At least 12 points are needed."""
    strong = np.ones(len(table_mm)) if weight is None else np.clip(weight, 0.05, 2.0)
    used = _inliers(table_mm, projector_px)
    for _ in range(3):
        if used.sum() < 16:
            break
        first = _solve(4, table_mm[used], projector_px[used], size_px, strong[used])
        left = np.linalg.norm(first.map(table_mm) - projector_px, axis=1)
        used = np.asarray(left < max(0.3, _OUTLIER * float(np.median(left[used]))), dtype=bool)
    if used.sum() >= 16:
        left = np.linalg.norm(
            _solve(4, table_mm[used], projector_px[used], size_px, strong[used]).map(table_mm) - projector_px, axis=1
        )
        strong = strong * np.minimum(1.0, _DOUBTED * float(np.median(left[used])) / np.maximum(left, 1e-9))
    folds = np.arange(len(table_mm)) * 7 % _FOLDS
    errors = {
        name: _holdout(count, table_mm, projector_px, size_px, strong, used, folds) for name, count in _MODELS.items()
    }
    best = "homography"
    for name in list(_MODELS)[1:]:
        gain = _FIRST_GAIN if best == "homography" and _MODELS[name] == 1 else _GAIN
        if errors[name] < gain * errors[best] and errors[name] < errors[best] - _LEAST_GAIN_PX:
            best = name
    plain = _solve(0, table_mm[used], projector_px[used], size_px, strong[used])
    chosen = (
        plain
        if best == "homography"
        else _solve(_MODELS[best], table_mm[used], projector_px[used], size_px, strong[used])
    )
    final = ProjectorMap(plain.plain, chosen.pinhole, chosen.bend)
    left = np.linalg.norm(final.map(table_mm) - projector_px, axis=1)
    rms = float(np.sqrt(np.mean(left[used] ** 2)))
    return ProjectorFit(final, rms, errors[best], used, best, tuple(errors.items()))


def _inliers(table_mm: NDArray[np.float64], projector_px: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Points within 3 px of a homography: as much as a projector's own lens bends."""
    matrix = np.asarray(
        cv2.findHomography(table_mm, projector_px, cv2.RANSAC, 3.0, maxIters=5000, confidence=0.9999)[0]
    )
    if matrix.shape != (3, 3):
        return np.ones(len(table_mm), dtype=bool)
    left = np.linalg.norm(Homography.from_rows("projector", "table", matrix).map(table_mm) - projector_px, axis=1)
    return np.asarray(left < 3.0, dtype=bool)


def _holdout(
    count: int,
    table_mm: NDArray[np.float64],
    projector_px: NDArray[np.float64],
    size_px: tuple[int, int],
    weight: NDArray[np.float64],
    used: NDArray[np.bool_],
    folds: NDArray[np.int64],
) -> float:
    """The rms error in px on points left out, each fold in turn, each counting by its weight."""
    squares, sums = 0.0, 0.0
    for fold in range(_FOLDS):
        fit, test = used & (folds != fold), used & (folds == fold)
        if fit.sum() < 12 or not test.any():
            continue
        found = _solve(count, table_mm[fit], projector_px[fit], size_px, weight[fit])
        squares += float(weight[test] @ ((found.map(table_mm[test]) - projector_px[test]) ** 2).sum(axis=1))
        sums += float(weight[test].sum())
    return float(np.sqrt(squares / sums)) if sums > 0 else float("inf")


def _solve(
    count: int,
    table_mm: NDArray[np.float64],
    projector_px: NDArray[np.float64],
    size_px: tuple[int, int],
    weight: NDArray[np.float64],
) -> ProjectorMap:
    """The least-squares map with `count` parameters beyond the homography: k1; its centre; k2."""
    radius = float(np.hypot(*size_px)) / 2
    middle = np.array([(size_px[0] - 1) / 2, (size_px[1] - 1) / 2])
    reach = float(np.abs(table_mm).max()) or 1.0
    unit = np.diag([1 / reach, 1 / reach, 1.0])
    first, _ = cv2.findHomography(table_mm / reach, (projector_px - middle) / radius, 0)
    root = np.sqrt(weight)[:, None]
    start = np.zeros(8 + count)
    start[:8] = (first / first[2, 2]).ravel()[:8]

    def build(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], Bend | None]:
        h = np.append(values[:8], 1.0).reshape(3, 3)
        k = np.zeros(4)
        k[:count] = values[8:]
        bend = Bend((float(k[0]), float(k[3])), (float(k[1]), float(k[2])), 1.0) if count else None
        return h, bend

    def residual(values: NDArray[np.float64]) -> NDArray[np.float64]:
        h, bend = build(values)
        mapped = np.column_stack([table_mm / reach, np.ones(len(table_mm))]) @ h.T
        ideal = mapped[:, :2] / mapped[:, 2:]
        real = ideal if bend is None else bend.map(ideal)
        away = np.asarray((real * radius + middle - projector_px) * root).ravel()
        hold = [0.02 * radius * values[9], 0.02 * radius * values[10]] if count >= 3 else []  # stay near the middle
        return np.append(away, hold)

    values = least_squares(residual, start)
    h, bend = build(values)
    to_px = np.array([[radius, 0, middle[0]], [0, radius, middle[1]], [0, 0, 1]])
    matrix = Homography("projector", "table", to_px @ h @ unit)
    if bend is None:
        return ProjectorMap(matrix)
    x, y = (np.array(bend.centre_px) * radius + middle).tolist()
    return ProjectorMap(matrix, matrix, Bend(bend.k, (x, y), radius))


def least_squares(
    residual: Callable[[NDArray[np.float64]], NDArray[np.float64]], start: NDArray[np.float64], rounds: int = 30
) -> NDArray[np.float64]:
    """Parameters that make the sum of squares of `residual` least, by Levenberg–Marquardt with numeric derivatives."""
    values, damping = start.astype(np.float64), 1e-4
    left = residual(values)
    cost = float(left @ left)
    for _ in range(rounds):
        steps = 1e-6 * np.maximum(1.0, np.abs(values))
        jacobian = np.stack(
            [
                (residual(values + step) - residual(values - step)) / (2 * step[i])
                for i, step in enumerate(np.diag(steps))
            ],
            axis=1,
        )
        normal, slope = jacobian.T @ jacobian, jacobian.T @ left
        better = False
        for _ in range(8):
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -slope)
            tried = residual(values + step)
            if (now := float(tried @ tried)) < cost:
                gained, values, left, cost = cost - now, values + step, tried, now
                damping, better = max(damping / 5, 1e-12), True
                break
            damping *= 6
        if not better or gained < 1e-10 * max(cost, 1e-12):
            break
    return values
