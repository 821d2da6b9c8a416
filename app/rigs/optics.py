"""Where a simulated camera or projector hangs and what it does to light: pinhole, lens, pose above the table."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.homography import Homography
from calibration.lens import Lens

_STEP_PX = 8


@dataclass(frozen=True, slots=True)
class Aim:
    """A pose: `height_mm` above the table, its axis `tilt_rad` off the vertical towards `towards_rad`, meeting
    the table at `look_mm`, and turned about the axis by `roll_rad`."""  # fmt: skip

    height_mm: float
    tilt_rad: float
    towards_rad: float
    roll_rad: float
    look_mm: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Optics:
    """A camera or projector over the table plane: what px a point of the table has, and back."""

    lens: Lens
    size_px: tuple[int, int]
    aim: Aim
    pinhole_from_table: Homography
    eye_mm: tuple[float, float, float]

    def px(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """Distorted px of points of the table, shape (..., 2)."""
        return self.lens.distort(self.pinhole_from_table.map(points_mm))

    def mm(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Points of the table under distorted px, shape (..., 2)."""
        return self.pinhole_from_table.inverse.map(self.lens.undistort(points_px))


def lens_of(
    size_px: tuple[int, int],
    focal_px: float,
    k1: float,
    off_centre_px: tuple[float, float],
    tangential: Sequence[float] | NDArray[np.float64] = (0.0, 0.0),
    k2: float | None = None,
) -> Lens:
    """A lens with its axis off the picture's centre; `k2` is k1² unless given: strong barrels bend back a little."""
    x, y = (size_px[0] - 1) / 2 + off_centre_px[0], (size_px[1] - 1) / 2 + off_centre_px[1]
    dist = [k1, k1 * k1 if k2 is None else k2, float(tangential[0]), float(tangential[1]), 0.0]
    return Lens(np.array([[focal_px, 0, x], [0, focal_px, y], [0, 0, 1]]), np.array(dist))


def aimed(lens: Lens, size_px: tuple[int, int], aim: Aim) -> Optics:
    """The lens hung at `aim`."""
    away = aim.height_mm * math.tan(aim.tilt_rad)
    look = np.array([*aim.look_mm, 0.0])
    eye = look + np.array([away * math.cos(aim.towards_rad), away * math.sin(aim.towards_rad), aim.height_mm])
    forward = (look - eye) / np.linalg.norm(look - eye)
    right = np.cross(forward, [math.sin(aim.roll_rad), math.cos(aim.roll_rad), 0.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    columns = np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ eye])
    x, y, z = eye.tolist()
    return Optics(lens, size_px, aim, Homography("pinhole", "table", lens.K @ columns), (x, y, z))


def spread(coarse: NDArray[np.float64], size_px: tuple[int, int]) -> NDArray[np.float32]:
    """Values at `coarse_px(size_px)`, shape (rows, columns), interpolated to every px, float32 (H, W)."""
    columns, rows = knots(size_px)
    down, across = _hats(size_px[1], rows), _hats(size_px[0], columns)
    return np.asarray(down @ coarse.astype(np.float32) @ across.T, dtype=np.float32)


def knots(size_px: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Columns and rows (px) of the grid on which smooth maps are worked out: every 8 px is exact to 0.01 px."""
    across, down = (np.linspace(0, side - 1, 2 + (side - 2) // _STEP_PX) for side in size_px)
    return across, down


def _hats(count: int, at: NDArray[np.float64]) -> NDArray[np.float32]:
    """Weights of linear interpolation from knots to `count` px, shape (count, knots)."""
    place = np.arange(count) / (at[1] - at[0])
    return np.asarray(np.clip(1 - np.abs(place[:, None] - np.arange(at.size)), 0, None), dtype=np.float32)
