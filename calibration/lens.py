"""The camera's lens: pinhole with K and Brown–Conrady distortion, as OpenCV defines them."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.errors import CalibrationError

_STRONG: Final = -0.2
"""Below this k1 the outer points of a wide picture come near a fold, and are found slowly."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """Pinhole `K` float64 (3, 3) in px and `dist` float64 (5,) = k1 k2 p1 p2 k3 (OpenCV's model, calib3d)."""

    K: NDArray[np.float64]
    dist: NDArray[np.float64]

    def __post_init__(self) -> None:
        object.__setattr__(self, "K", np.asarray(self.K, dtype=np.float64).reshape(3, 3))
        object.__setattr__(self, "dist", np.asarray(self.dist, dtype=np.float64).reshape(-1))
        if not (np.all(np.isfinite(self.K)) and np.all(np.isfinite(self.dist))):
            raise CalibrationError("camera.K and camera.dist must be finite numbers")
        if self.K[0, 0] <= 0 or self.K[1, 1] <= 0:
            raise CalibrationError("camera.K has a focal length that is not positive")

    def undistort(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Pinhole px of distorted `points_px`, shape (..., 2), same `K`."""
        points = np.asarray(points_px, dtype=np.float64)
        if not self.dist.any() or points.size == 0:
            return points.copy()
        flat = np.ascontiguousarray(points.reshape(-1, 1, 2))
        rounds = 100 if self.dist[0] < _STRONG else 20
        criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, rounds, 1e-9)
        out = cv2.undistortPoints(flat, self.K, self.dist, R=np.eye(3), P=self.K, criteria=criteria)
        return np.asarray(out, dtype=np.float64).reshape(points.shape)

    def distort(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Distorted px, as the camera shows them, of pinhole `points_px`, shape (..., 2)."""
        points = np.asarray(points_px, dtype=np.float64)
        if not self.dist.any():
            return points.copy()
        k1, k2, p1, p2, k3 = np.pad(self.dist, (0, max(0, 5 - self.dist.size)))[:5].tolist()
        fx, fy, cx, cy = self.K[0, 0], self.K[1, 1], self.K[0, 2], self.K[1, 2]
        y = (points[..., 1] - cy) / fy
        x = (points[..., 0] - cx - self.K[0, 1] * y) / fx
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        xd = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        yd = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
        return np.stack([fx * xd + self.K[0, 1] * yd + cx, fy * yd + cy], axis=-1)
