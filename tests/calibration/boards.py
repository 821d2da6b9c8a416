"""Rendered pictures of the lens board: any lens, pose, light, blur and noise, with the truth of every corner."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board, BoardView
from calibration.lens import Lens

BOARD = Board()
_TEXTURE_PX_PER_MM = 8.0
_SUPER = 2


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Where the board is in front of the camera: rotation (3, 3) and the place of its middle in mm, camera axes."""

    rotation: NDArray[np.float64]
    middle_mm: NDArray[np.float64]


def random_lens(seed: int, size_px: tuple[int, int] = (1920, 1080)) -> Lens:
    """A lens as webcams have: focal 0.78 of the width, 20 % more or less, k1 -0.3 to 0.05, off-centre by some px."""
    draw = np.random.default_rng([seed, 1])
    width, height = size_px
    focal = 0.78 * width * draw.uniform(0.8, 1.2)
    k1 = draw.uniform(-0.3, 0.05)
    centre = (width - 1) / 2 + draw.uniform(-15, 15), (height - 1) / 2 + draw.uniform(-15, 15)
    matrix = np.array([[focal, 0, centre[0]], [0, focal * draw.uniform(0.998, 1.002), centre[1]], [0, 0, 1]])
    return Lens(matrix, np.array([k1, -0.3 * k1 * draw.uniform(0.5, 1), *draw.uniform(-6e-4, 6e-4, 2).tolist(), 0]))


def random_poses(seed: int, lens: Lens, size_px: tuple[int, int], count: int = 24) -> Iterator[Pose]:
    """Poses as a person makes them: all over the picture, tilted 10 to 40 degrees, near and far, some cut off."""
    draw = np.random.default_rng([seed, 2])
    width, height = size_px
    fx = lens.K[0, 0]
    for i in range(count):
        share = draw.uniform(0.45, 0.8)  # of the picture's height
        distance = BOARD.size_mm[1] * fx / (share * height)
        at = ((i % 4 + draw.uniform(0.3, 0.7)) / 4 * width, (i // 4 % 3 + draw.uniform(0.3, 0.7)) / 3 * height)
        centre = np.array([width / 2, height / 2]) + (np.array(at) - [width / 2, height / 2]) * 0.75
        ray = np.array([(centre[0] - lens.K[0, 2]) / fx, (centre[1] - lens.K[1, 2]) / fx, 1.0])
        tilt, towards, roll = math.radians(draw.uniform(10, 40)), draw.uniform(0, 2 * math.pi), draw.uniform(-0.5, 0.5)
        axis = np.array([math.cos(towards), math.sin(towards), 0.0])
        rotation = cv2.Rodrigues(axis * tilt)[0] @ cv2.Rodrigues(np.array([0.0, 0.0, roll]))[0]
        yield Pose(np.asarray(rotation, dtype=np.float64), ray * distance)


def true_px(lens: Lens, pose: Pose, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where points of the board (mm, (N, 2)) are in the picture, float64 (N, 2)."""
    w, h = BOARD.size_mm
    flat = np.column_stack([points_mm - [w / 2, h / 2], np.zeros(len(points_mm))])
    seen = (flat @ pose.rotation.T + pose.middle_mm) @ lens.K.T
    return lens.distort(seen[:, :2] / seen[:, 2:])


def view(
    lens: Lens, pose: Pose, size_px: tuple[int, int], noise_px: float, seed: int = 0, edge_px: float = 2.0
) -> BoardView | None:
    """The corners without a picture: true px with noise, those outside left out; None where fewer than 8 are left."""
    ids = np.arange(BOARD.corners)
    px = true_px(lens, pose, BOARD.points_mm(ids))
    px = px + np.random.default_rng([seed, 3]).normal(0, noise_px, px.shape)
    kept = np.all((px > 4) & (px < np.array(size_px) - 5), axis=1)
    if kept.sum() < 8:
        return None
    return BoardView(ids[kept], px[kept], BOARD.points_mm(ids[kept]), size_px, edge_px, f"view-{seed:02d}")


def views(
    lens: Lens, seed: int, size_px: tuple[int, int] = (1920, 1080), noise_px: float = 0.1, count: int = 24
) -> tuple[BoardView, ...]:
    """`count` views of `random_poses`, without pictures."""
    poses = enumerate(random_poses(seed, lens, size_px, count))
    found = (view(lens, pose, size_px, noise_px, seed * 100 + i) for i, pose in poses)
    return tuple(one for one in found if one is not None)


def render(
    lens: Lens,
    pose: Pose,
    size_px: tuple[int, int] = (1920, 1080),
    seed: int = 0,
    blur_px: float = 0.7,
    noise: float = 3.0,
    board: Board = BOARD,
    motion_px: int = 0,
) -> NDArray[np.uint8]:
    """A grey picture of the board, uint8 (H, W): uneven light, blur (`motion_px` along x), grey noise."""
    w, h = board.size_mm
    camera_from_board = lens.K @ np.column_stack(
        [pose.rotation[:, 0], pose.rotation[:, 1], pose.middle_mm - pose.rotation @ [w / 2, h / 2, 0]]
    )
    x, y = plane_mm(lens, camera_from_board, size_px)
    sheet = Sheet(board_texture(board), _TEXTURE_PX_PER_MM, (-board.square_mm, -board.square_mm))
    return photograph(sheet, x, y, size_px, seed, blur_px, noise, motion_px)


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """What lies in a plane: picture uint8 (H, W), its px a mm, mm of its top left corner (x right, y down)."""

    picture: NDArray[np.uint8]
    px_per_mm: float
    corner_mm: tuple[float, float]


def photograph(
    sheet: Sheet,
    x_mm: NDArray[np.float64],
    y_mm: NDArray[np.float64],
    size_px: tuple[int, int],
    seed: int = 0,
    blur_px: float = 0.7,
    noise: float = 3.0,
    motion_px: int = 0,
) -> NDArray[np.uint8]:
    """The sheet by a camera whose px (of a picture twice as large) lie at these mm: uneven light, blur, noise."""
    draw = np.random.default_rng([seed, 4])
    big = cv2.remap(
        sheet.picture,
        ((x_mm - sheet.corner_mm[0]) * sheet.px_per_mm - 0.5).astype(np.float32),
        ((y_mm - sheet.corner_mm[1]) * sheet.px_per_mm - 0.5).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=90,
    )
    small = cv2.resize(big, size_px, interpolation=cv2.INTER_AREA).astype(np.float32)
    soft = cv2.GaussianBlur(small, (0, 0), blur_px)
    picture = np.asarray(cv2.blur(soft, (max(motion_px, 1), 1)), dtype=np.float64)
    height, width = picture.shape
    slope = draw.uniform(-0.25, 0.25, 2)
    light = 1 + slope[0] * np.linspace(-1, 1, width)[None] + slope[1] * np.linspace(-1, 1, height)[:, None]
    picture = 25 + picture * light * 0.65 + draw.normal(0, noise, picture.shape)
    return np.asarray(np.clip(np.round(picture), 0, 255), dtype=np.uint8)


def board_texture(board: Board) -> NDArray[np.uint8]:
    """The board flat, with a white margin of a square, `_TEXTURE_PX_PER_MM` px a mm, drawn by OpenCV itself."""
    size = tuple(round((length + 2 * board.square_mm) * _TEXTURE_PX_PER_MM) for length in board.size_mm)
    return np.asarray(
        board.native().generateImage(size, marginSize=round(board.square_mm * _TEXTURE_PX_PER_MM)), dtype=np.uint8
    )


def plane_mm(
    lens: Lens, pinhole_from_plane: NDArray[np.float64], size_px: tuple[int, int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mm of a plane for every px of a picture twice as large; the lens is worked out every tenth px."""
    width, height = size_px[0] * _SUPER, size_px[1] * _SUPER
    columns, rows = np.linspace(0, width - 1, width // 20 + 1), np.linspace(0, height - 1, height // 20 + 1)
    coarse = np.stack(np.meshgrid((columns + 0.5) / _SUPER - 0.5, (rows + 0.5) / _SUPER - 0.5), axis=-1)
    pinhole = lens.undistort(coarse)
    down, across = _hats(height, rows.size), _hats(width, columns.size)
    u, v = (down @ pinhole[..., i] @ across.T for i in (0, 1))
    m = np.linalg.inv(pinhole_from_plane)
    scale = m[2, 0] * u + m[2, 1] * v + m[2, 2]
    return (m[0, 0] * u + m[0, 1] * v + m[0, 2]) / scale, (m[1, 0] * u + m[1, 1] * v + m[1, 2]) / scale


def _hats(count: int, knots: int) -> NDArray[np.float64]:
    """Weights of linear interpolation from `knots` even knots to `count` px."""
    at = np.linspace(0, knots - 1, count)
    return np.asarray(np.clip(1 - np.abs(at[:, None] - np.arange(knots)), 0, None), dtype=np.float64)
