"""What the steps before the projector's would have found on a simulated rig: a lens from views of a board, the mat."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from app.image_folder import to_grey
from app.rigs.rig import SimulatedRig
from app.rigs.spec import RigSpec
from calibration.board import Board, BoardView
from calibration.lens import Lens
from calibration.lens_fit import fit_lens
from calibration.profile import Camera, LensFit, Profile
from calibration.table_fit import fit_table

_BOARD = Board()
_VIEWS = 24
_NOISE_PX = 0.12
_PICTURES = 4


def profile_before(spec: RigSpec, rig: SimulatedRig | None = None, lens: Lens | None = None) -> Profile:
    """The profile with lens and mat as the steps before leave it, from pictures of the rig (of `rig` where given).

    `lens` is used instead of one fitted to views of a board. Raises Refusal as the table's step does.
    """
    fit = LensFit(_VIEWS, 0.12, 0.13)
    if lens is None:
        result = fit_lens(board_views(spec.camera.lens, spec.camera.size_px, spec.seed))
        lens, fit = result.lens, result.fit
    eye = rig or SimulatedRig(spec)
    pictures = [to_grey(eye.read().image) for _ in range(_PICTURES)]
    table = fit_table(pictures, spec.markers, lens, spec.mat_mm).table
    camera = Camera(spec.camera_id, spec.camera.size_px, lens, {"fourcc": "MJPG", "fps": spec.fps}, {}, fit)
    return Profile("2026-01-01T00:00:00Z", camera, table)


def board_views(lens: Lens, size_px: tuple[int, int], seed: int) -> tuple[BoardView, ...]:
    """Corners of the lens board as a person would show it: all over the picture, tilted, with a little noise."""
    rng = np.random.default_rng([seed, 331])
    views: list[BoardView] = []
    while len(views) < _VIEWS:
        view = _view(lens, size_px, len(views), rng)
        if view is not None:
            views.append(view)
    return tuple(views)


def _view(lens: Lens, size_px: tuple[int, int], number: int, rng: np.random.Generator) -> BoardView | None:
    width, height = size_px
    focal = float(lens.K[0, 0])
    distance = _BOARD.size_mm[1] * focal / (rng.uniform(0.45, 0.8) * height)
    place = np.array([(number % 4 + rng.uniform(0.2, 0.8)) / 4, (number // 4 % 3 + rng.uniform(0.2, 0.8)) / 3]) - 0.5
    middle = np.array([place[0] * width / focal, place[1] * height / focal, 1.0]) * distance
    tilt, towards = math.radians(rng.uniform(10, 40)), rng.uniform(0, 2 * math.pi)
    turn = cv2.Rodrigues(tilt * np.array([math.cos(towards), math.sin(towards), 0.0]))[0]
    ids = np.arange(_BOARD.corners)
    points = _BOARD.points_mm(ids)
    flat = np.column_stack([points - np.array(_BOARD.size_mm) / 2, np.zeros(len(points))])
    seen = (flat @ turn.T + middle) @ lens.K.T
    px: NDArray[np.float64] = lens.distort(seen[:, :2] / seen[:, 2:]) + rng.normal(0, _NOISE_PX, points.shape)
    ideal = (seen[:, :2] / seen[:, 2:] - lens.K[:2, 2]) / focal
    kept = np.all((px > 4) & (px < np.array(size_px) - 5), axis=1) & (np.linalg.norm(ideal, axis=1) < 1.1)
    if kept.sum() < 24:
        return None
    return BoardView(ids[kept], px[kept], points[kept], size_px, 2.0, f"view {number}")
