"""Simulated rigs: cameras and projectors over a mat whose truth is known."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.homography import Homography
from calibration.lens import Lens
from calibration.view import TableView

SIZE_PX = (1920, 1080)


@dataclass(frozen=True, slots=True, eq=False)
class Rig:
    """A pinhole over the table: its view and its position in table mm."""

    view: TableView
    camera_mm: NDArray[np.float64]


def look_down(
    height_mm: float = 1300,
    tilt_rad: float = 0.0,
    towards_rad: float = 0.0,
    roll_rad: float = 0.0,
    focal_px: float = 1500,
    dist: tuple[float, float, float, float, float] = (0, 0, 0, 0, 0),
) -> Rig:
    """A camera whose axis meets the mat's middle, tilted away from the vertical towards an azimuth."""
    axis = np.array([np.cos(towards_rad), np.sin(towards_rad), 0])
    rotation = _turn(axis, tilt_rad) @ np.diag([1.0, -1, -1]) @ _turn(np.array([0.0, 0, 1]), roll_rad)
    shift = np.array([0, 0, height_mm])
    matrix = np.array([[focal_px, 0, SIZE_PX[0] / 2 - 0.5], [0, focal_px, SIZE_PX[1] / 2 - 0.5], [0, 0, 1]])
    camera_from_table = matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], shift])
    position = -rotation.T @ shift
    lens = Lens(matrix, np.array(dist))
    return Rig(TableView(lens, Homography("camera", "table", camera_from_table).inverse, position), position)


def random_rig(seed: int) -> Rig:
    """A rig as people build them: 1.0 to 1.5 m high, tilted up to 20 degrees, barrel distortion."""
    draw = np.random.default_rng(seed)
    focal = draw.uniform(1200, 1700)
    return look_down(
        height_mm=focal * draw.uniform(0.7, 0.8),
        tilt_rad=draw.uniform(0, 0.22),
        towards_rad=draw.uniform(0, 6.28),
        roll_rad=draw.uniform(-0.1, 0.1),
        focal_px=focal,
        dist=(draw.uniform(-0.3, 0.05), draw.uniform(-0.02, 0.03), *draw.uniform(-0.0006, 0.0006, 2).tolist(), 0.0),
    )


def pinhole_px(rig: Rig, point_mm: tuple[float, float, float]) -> NDArray[np.float64]:
    """Distorted px of a point in space, by projecting it through the camera without any homography."""
    matrix = rig.view.lens.K
    columns = np.linalg.inv(matrix) @ rig.view.table_from_camera.inverse.matrix
    columns /= np.linalg.norm(columns[:, 0])
    if columns[2, 2] < 0:
        columns = -columns
    rotation = np.column_stack([columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])])
    seen = matrix @ (rotation @ np.array(point_mm) + columns[:, 2])
    return rig.view.lens.distort(seen[:2] / seen[2])


def _turn(axis: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """Rotation matrix by Rodrigues' formula."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)
