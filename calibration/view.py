"""How the camera sees the table: lens, homography and height correction in one value."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.homography import Homography
from calibration.lens import Lens


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """Camera px ↔ table mm for points at a known height above the mat.

    `camera_mm` is the camera's position in the table frame, shape (3,), or None: then heights are ignored.
    """

    lens: Lens
    table_from_camera: Homography
    camera_mm: NDArray[np.float64] | None = None

    def table_mm(self, points_px: ArrayLike, height_mm: float = 0.0) -> NDArray[np.float64]:
        """Table mm of distorted camera px, shape (..., 2), for points `height_mm` above the mat."""
        ground = self.table_from_camera.map(self.lens.undistort(points_px))
        if self.camera_mm is None or height_mm == 0:
            return ground
        foot, up = self.camera_mm[:2], self.camera_mm[2]
        return np.asarray(ground + (foot - ground) * (height_mm / up))

    def camera_px(self, points_mm: ArrayLike, height_mm: float = 0.0) -> NDArray[np.float64]:
        """Distorted camera px of table points in mm, shape (..., 2), `height_mm` above the mat."""
        points = np.asarray(points_mm, dtype=np.float64)
        if self.camera_mm is not None and height_mm != 0:
            foot, up = self.camera_mm[:2], self.camera_mm[2]
            points = points + (points - foot) * (height_mm / (up - height_mm))
        return self.lens.distort(self.table_from_camera.inverse.map(points))
