"""Plane-to-plane maps that know which frames they join, so that a wrong chain fails where it is written."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.errors import CalibrationError


@dataclass(frozen=True, slots=True, eq=False)
class Homography:
    """A plane projective map from frame `source` to frame `target`; `matrix` float64 (3, 3) with matrix[2, 2] = 1.

    Frames are named `table` (mm), `camera` (undistorted px), `projector` (px) and so on.
    Raises CalibrationError for a matrix of another shape, with NaN, or that cannot be inverted.
    """

    target: str
    source: str
    matrix: NDArray[np.float64]

    def __post_init__(self) -> None:
        matrix = np.asarray(self.matrix, dtype=np.float64)
        name = f"{self.target}_from_{self.source}"
        if matrix.shape != (3, 3):
            raise CalibrationError(f"{name} must be 3x3 numbers, got shape {matrix.shape}")
        if not np.all(np.isfinite(matrix)):
            raise CalibrationError(f"{name} holds numbers that are not finite")
        scale = matrix[2, 2] if abs(matrix[2, 2]) > 1e-12 else np.linalg.norm(matrix)
        if scale == 0 or np.linalg.cond(matrix / scale) > 1e13:
            raise CalibrationError(f"{name} cannot be inverted; calibrate again")
        object.__setattr__(self, "matrix", matrix / scale)

    @classmethod
    def from_rows(cls, target: str, source: str, rows: ArrayLike) -> Self:
        """A homography from nine row-major numbers, as a profile file holds them."""
        values = np.asarray(rows, dtype=np.float64)
        if values.size != 9:
            raise CalibrationError(f"{target}_from_{source} needs 9 numbers, got {values.size}")
        return cls(target, source, values.reshape(3, 3))

    def __matmul__(self, other: "Homography") -> "Homography":
        """`a_from_b @ b_from_c` is `a_from_c`; raises CalibrationError where the frames do not meet."""
        if self.source != other.target:
            raise CalibrationError(
                f"{self.target}_from_{self.source} cannot follow {other.target}_from_{other.source}: "
                f"{self.source} is not {other.target}"
            )
        return Homography(self.target, other.source, self.matrix @ other.matrix)

    @property
    def inverse(self) -> "Homography":
        """The map back, `source_from_target`."""
        return Homography(self.source, self.target, np.asarray(np.linalg.inv(self.matrix), dtype=np.float64))

    def map(self, points: ArrayLike) -> NDArray[np.float64]:
        """`points` (..., 2) of the source frame in the target frame, same shape. At infinity they become inf or NaN."""
        p = np.asarray(points, dtype=np.float64)
        m = self.matrix
        x, y = p[..., 0], p[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            w = m[2, 0] * x + m[2, 1] * y + m[2, 2]
            return np.stack(
                [(m[0, 0] * x + m[0, 1] * y + m[0, 2]) / w, (m[1, 0] * x + m[1, 1] * y + m[1, 2]) / w], axis=-1
            )
