"""What lies under a simulated rig: the table, the mat on it and the markers printed on the mat, as reflectance."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from app.rigs.spec import RigSpec
from app.simulator.surface import LOOKS, paint_surface
from calibration import opencv

EDGE_MM = 170.0
"""How far the table goes on around the mat."""
_PX_PER_MM = 2.5
_COARSE = 0.625
_QUIET = 0.2  # white around a marker, of its side
_FINE = 4
_PAPER, _INK = 0.82, 0.035


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Linear reflectance of mat and table, float32 (H, W, 3) BGR, and how its px follow from mm of the mat."""

    reflectance: NDArray[np.float32]
    mat_mm: tuple[float, float]

    def px(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Px of this picture for points in mm of the mat's own frame, shape (..., 2)."""
        x = (points_mm[..., 0] + self.mat_mm[0] / 2 + EDGE_MM) * _PX_PER_MM - 0.5
        y = (self.mat_mm[1] / 2 + EDGE_MM - points_mm[..., 1]) * _PX_PER_MM - 0.5
        return np.stack([x, y], axis=-1)


def paint_mat(spec: RigSpec) -> Surface:
    """The mat of a rig as it came out of the printer."""
    looks = LOOKS["felt" if spec.look == "patterned" else spec.look]
    size = (spec.mat_mm[0] + 2 * EDGE_MM, spec.mat_mm[1] + 2 * EDGE_MM)
    painted = paint_surface(replace(looks, noise=0.0), size, _COARSE, spec.seed)
    shape = (round(size[0] * _PX_PER_MM), round(size[1] * _PX_PER_MM))
    values = cv2.resize(painted, shape, interpolation=cv2.INTER_CUBIC).astype(np.float32) / 255
    picture = np.asarray(values * values, dtype=np.float32)
    if spec.look == "patterned":
        _print_flowers(picture, spec.seed)
    surface = Surface(picture, spec.mat_mm)
    _darken_table(surface)
    scale = spec.faults.print_scale
    swapped = dict([spec.faults.swapped, spec.faults.swapped[::-1]]) if spec.faults.swapped else {}
    for number, (x, y) in spec.markers.centres_mm.items():
        if number not in spec.faults.covered:
            side = spec.markers.size_mm * spec.faults.marker_scale * scale
            _print_marker(surface, spec.markers.dictionary, swapped.get(number, number), (x * scale, y * scale), side)
    for number in spec.faults.covered:
        corner = surface.px(np.array(spec.markers.centres_mm.get(number, (0.0, 0.0))))
        cv2.circle(picture, (round(corner[0]), round(corner[1])), 90, (0.28, 0.38, 0.55), -1)  # a hand, a sleeve
    return surface


def _darken_table(surface: Surface) -> None:
    """The table around the mat is of darker wood."""
    picture = surface.reflectance
    left, top = np.round(surface.px(np.array([-surface.mat_mm[0] / 2, surface.mat_mm[1] / 2]))).astype(int).tolist()
    right, bottom = np.round(surface.px(np.array([surface.mat_mm[0] / 2, -surface.mat_mm[1] / 2]))).astype(int).tolist()
    wood = np.array([0.05, 0.09, 0.14], dtype=np.float32) / max(1e-3, float(picture[::8, ::8, 1].mean()))
    for part in (picture[:top], picture[bottom:], picture[top:bottom, :left], picture[top:bottom, right:]):
        part[:] = part[..., 1:2] * wood


def _print_marker(surface: Surface, name: str, number: int, centre_mm: tuple[float, float], side_mm: float) -> None:
    """Prints a marker upright at `centre_mm`, its edges exact to a quarter of a texture px."""
    modules = np.pad(~opencv.marker_cells(name, number), 1, constant_values=True)
    unit = side_mm / (modules.shape[0] - 2)
    half = side_mm / 2 * (1 + 2 * _QUIET)
    low = np.floor(surface.px(np.array([centre_mm[0] - half, centre_mm[1] + half]))).astype(int)
    high = np.ceil(surface.px(np.array([centre_mm[0] + half, centre_mm[1] - half]))).astype(int)
    fine = (np.arange(_FINE) + 0.5) / _FINE - 0.5
    columns = (np.arange(low[0], high[0] + 1)[:, None] + fine).ravel()
    rows = (np.arange(low[1], high[1] + 1)[:, None] + fine).ravel()
    middle = surface.px(np.array(centre_mm))
    u, v = (columns - middle[0]) / _PX_PER_MM, (rows - middle[1]) / _PX_PER_MM
    i = np.clip(np.floor(u / unit + modules.shape[1] / 2), 0, modules.shape[1] - 1).astype(int)
    j = np.clip(np.floor(v / unit + modules.shape[0] / 2), 0, modules.shape[0] - 1).astype(int)
    paper = (np.abs(u) <= half)[None, :] & (np.abs(v) <= half)[:, None]
    ink = np.where(modules[j[:, None], i[None, :]], _PAPER, _INK)
    blocks = (high[1] - low[1] + 1, _FINE, high[0] - low[0] + 1, _FINE)
    share = paper.reshape(blocks).mean(axis=(1, 3))[..., None]
    mixed = (paper * ink).reshape(blocks).mean(axis=(1, 3))[..., None]
    part = surface.reflectance[low[1] : high[1] + 1, low[0] : high[0] + 1]
    part[:] = part * (1 - share) + mixed


def _print_flowers(picture: NDArray[np.float32], seed: int) -> None:
    """A loud cloth: light and dark discs and bars of a few cm all over."""
    rng = np.random.default_rng([seed, 41])
    height, width = picture.shape[:2]
    for _ in range(int(width * height / 5200)):
        centre = (int(rng.integers(width)), int(rng.integers(height)))
        tone = (rng.choice([0.02, 0.75]) * rng.uniform(0.5, 1.0, 3)).tolist()
        if rng.random() < 0.5:
            cv2.circle(picture, centre, int(rng.integers(8, 34)), tone, -1, cv2.LINE_AA)
        else:
            other = (centre[0] + int(rng.integers(-70, 70)), centre[1] + int(rng.integers(-70, 70)))
            cv2.line(picture, centre, other, tone, int(rng.integers(4, 16)), cv2.LINE_AA)
