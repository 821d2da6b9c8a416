"""Where the simulated camera and projector hang: a pinhole rig above the mat, with its true calibration."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.homography import Homography
from calibration.lens import Lens
from calibration.view import TableView

_FOCAL = 0.78  # focal length over picture width, a usual webcam
_MARGIN = 1.05  # how much more than the mat the camera sees


class Eye:
    """`TableView.camera_px` for many calls: the inverse of the homography is made once."""

    def __init__(self, view: TableView) -> None:
        self._lens = view.lens
        self._camera_from_table = view.table_from_camera.inverse
        self._camera_mm = np.zeros(3) if view.camera_mm is None else view.camera_mm

    def camera_px(self, points_mm: ArrayLike, height_mm: float = 0.0) -> NDArray[np.float64]:
        """Distorted camera px of table points, shape (..., 2), `height_mm` above the mat."""
        points = np.asarray(points_mm, dtype=np.float64)
        foot, up = self._camera_mm[:2], self._camera_mm[2]
        raised = points + (points - foot) * (height_mm / (up - height_mm))
        return self._lens.distort(self._camera_from_table.map(raised))


@dataclass(frozen=True, slots=True, eq=False)
class Rig:
    """A camera and a projector above a mat: what a perfect calibration would find. Sizes are width × height in px."""

    mat_mm: tuple[float, float]
    size_px: tuple[int, int]
    view: TableView
    projector_px: tuple[int, int]
    projector_from_table: Homography

    @property
    def px_per_mm(self) -> float:
        """Camera px for a mm of the table, near its middle."""
        ends = self.view.camera_px([[-50.0, 0.0], [50.0, 0.0]])
        return float(np.linalg.norm(ends[1] - ends[0])) / 100

    def for_each_px(
        self, function: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Both coordinates of a smooth `function` of table mm for every camera px, each float32 (H, W).

        It is worked out on a coarse grid and interpolated: much faster, and exact to a few hundredths of a pixel.
        """
        width, height = self.size_px
        columns, rows = np.linspace(0, width - 1, 97), np.linspace(0, height - 1, 65)
        coarse = function(self.view.table_mm(np.stack(np.meshgrid(columns, rows), axis=-1))).astype(np.float32)
        down, across = _hats(height, rows.size), _hats(width, columns.size)
        first, second = (down @ np.ascontiguousarray(coarse[..., i]) @ across.T for i in (0, 1))
        return np.asarray(first, dtype=np.float32), np.asarray(second, dtype=np.float32)

    def seen_mm(self) -> tuple[float, float]:
        """How far from the mat's centre the camera sees, in x and y, in mm of the table."""
        width, height = self.size_px
        x, y = np.linspace(0, width - 1, 9), np.linspace(0, height - 1, 9)
        edge = [(a, b) for a in x for b in (0, height - 1)] + [(a, b) for a in (0, width - 1) for b in y]
        far = np.abs(self.view.table_mm(edge)).max(axis=0)
        return float(far[0]), float(far[1])


def _hats(count: int, knots: int) -> NDArray[np.float32]:
    """Weights of linear interpolation from `knots` even knots to `count` px, shape (count, knots)."""
    at = np.linspace(0, knots - 1, count)
    return np.asarray(np.clip(1 - np.abs(at[:, None] - np.arange(knots)), 0, None), dtype=np.float32)


def build_rig(
    mat_mm: tuple[float, float],
    size_px: tuple[int, int],
    seed: int,
    projector_px: tuple[int, int] = (1920, 1080),
    distortion: float = 1.0,
    around_mm: float = 0.0,
) -> Rig:
    """A rig that sees all of a mat of `mat_mm`, hung a little askew as `seed` decides.

    `distortion` scales the lens distortion (0 = a perfect pinhole, 1 = k1 about −0.12); `around_mm` is what is seen on
    the left and the right of the mat at least.
    """
    rng = np.random.default_rng([seed, 101])
    width, height = size_px
    focal = _FOCAL * width
    up = max((mat_mm[0] + 2 * around_mm) * _MARGIN * focal / width, mat_mm[1] * _MARGIN * focal / height)
    position = np.array([rng.uniform(-25, 25), rng.uniform(-45, 10), up])
    lens = Lens(
        np.array([[focal, 0, width / 2 - 0.5 + rng.uniform(-8, 8)], [0, focal, height / 2 - 0.5 + rng.uniform(-8, 8)],
                  [0, 0, 1]]),
        np.array([-0.12, 0.03, 0.0006, -0.0004, 0.0]) * distortion,
    )  # fmt: skip
    target = np.array([rng.uniform(-4, 4), rng.uniform(-4, 4), 0.0])
    camera = _plane_homography("camera", lens.K, position, target, math.radians(rng.uniform(-0.8, 0.8)))
    view = TableView(lens, camera.inverse, position)
    lamp_eye = np.array([rng.uniform(-60, 60), rng.uniform(30, 120), up * 1.25])
    reach = max(mat_mm[0] / projector_px[0], mat_mm[1] / projector_px[1]) * 1.12
    lamp_focal = lamp_eye[2] / reach
    pinhole = np.array([[lamp_focal, 0, projector_px[0] / 2], [0, lamp_focal, projector_px[1] / 2], [0, 0, 1]])
    projector = _plane_homography("projector", pinhole, lamp_eye, np.zeros(3), math.radians(rng.uniform(-1.5, 1.5)))
    return Rig(mat_mm, size_px, view, projector_px, projector)


def _plane_homography(
    target: str,
    intrinsic: NDArray[np.float64],
    eye_mm: NDArray[np.float64],
    look_mm: NDArray[np.float64],
    roll_rad: float,
) -> Homography:
    """`target`_from_table of the plane z = 0 for a pinhole at `eye_mm` that looks at `look_mm`, +y up."""
    forward = (look_mm - eye_mm) / np.linalg.norm(look_mm - eye_mm)
    right = np.cross(forward, np.array([math.sin(roll_rad), math.cos(roll_rad), 0.0]))
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    rotation = np.stack([right, down, forward])
    columns = np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ eye_mm])
    return Homography(target, "table", intrinsic @ columns)
