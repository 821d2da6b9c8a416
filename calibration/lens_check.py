"""Whether a lens can be true, and how much two lenses differ where it matters: on the table, in millimetres."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.homography import Homography
from calibration.lens import Lens
from calibration.profile import Camera

_FOCAL_WIDTHS: Final = (0.3, 5.0)
_ASPECT: Final = 0.1
_OFF_CENTRE: Final = 0.25
_STRETCH: Final = (0.3, 2.0)
_UNFOLDED: Final = 0.7  # of the furthest corner's radius
_TABLE_MM: Final = 1000.0
_INSET: Final = 0.06  # of the picture: where the mat's markers are, and how far the comparison goes
_GRID: Final = (17, 10)


def implausible(lens: Lens, size_px: tuple[int, int]) -> str | None:
    """Why no camera with pictures of `size_px` has such a lens, in a sentence; None where it may be true."""
    width, height = size_px
    fx, fy, cx, cy = (float(lens.K[i, j]) for i, j in ((0, 0), (1, 1), (0, 2), (1, 2)))
    least, most = (limit * width for limit in _FOCAL_WIDTHS)
    if not least <= fx <= most:
        return (
            f"no lens has a focal length of {fx:.0f} px at pictures {width} px wide ({least:.0f} to {most:.0f} is real)"
        )
    if abs(fx / fy - 1) > _ASPECT:
        return f"the lens would stretch pictures by {100 * abs(fx / fy - 1):.0f} %, which no camera does"
    if abs(cx - width / 2) > _OFF_CENTRE * width or abs(cy - height / 2) > _OFF_CENTRE * height:
        return f"the lens would look past the middle of the picture (its centre at {cx:.0f}, {cy:.0f})"
    if _folds(lens, size_px):
        return "the lens would fold the picture's corners over"
    stretch = _stretch(lens, size_px)
    if not _STRETCH[0] <= stretch <= _STRETCH[1]:
        return f"the lens would bend the picture to {stretch:.2g} times its size"
    return None


def is_guess(camera: Camera) -> bool:
    """Whether the lens was never measured: no fit, no distortion, its centre exactly the picture's."""
    if camera.fit is not None or camera.lens.dist.any():
        return False
    centre = camera.lens.K[:2, 2]
    middle = np.array(camera.size_px) / 2
    return bool(np.all(np.abs(centre - middle) <= 0.51))


def halves_mm(lens: Lens, one: Lens, other: Lens, size_px: tuple[int, int]) -> tuple[float, float]:
    """How far apart two lenses put the same px of a table one metre wide that fills the picture, rms and largest, mm.

    Each lens is given the mat's four markers, as in use: what a homography takes up does not count.
    """
    width, height = size_px
    xs = np.linspace(_INSET, 1 - _INSET, _GRID[0]) * (width - 1)
    ys = np.linspace(_INSET, 1 - _INSET, _GRID[1]) * (height - 1)
    px = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    markers = [0, _GRID[0] - 1, len(px) - 1, len(px) - _GRID[0]]
    flat = lens.undistort(px)
    mm = flat * (_TABLE_MM / float(np.ptp(flat[:, 0])))
    apart = _mapped(one.undistort(px), mm, markers) - _mapped(other.undistort(px), mm, markers)
    away = np.linalg.norm(apart, axis=1)
    return float(np.sqrt(np.mean(away**2))), float(away.max())


def _mapped(px: NDArray[np.float64], mm: NDArray[np.float64], markers: list[int]) -> NDArray[np.float64]:
    """All `px` (N, 2) in mm by the homography that takes the four markers where they are."""
    rows = []
    for (x, y), (u, v) in zip(px[markers].tolist(), mm[markers].tolist(), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]]
    system = np.array(rows)
    solution = np.append(np.linalg.solve(system[:, :8], system[:, 8]), 1.0)
    return Homography("table", "camera", solution.reshape(3, 3)).map(px)


def _folds(lens: Lens, size_px: tuple[int, int]) -> bool:
    """Whether the radial distortion turns back well before it has reached the picture's furthest corner.

    A strong k1 alone turns back near the corners of a wide picture: no mat lies there, and it is true within.
    """
    far, _, reached = _radii(lens, size_px)
    return bool(reached[: _turn(reached) + 1].max() < _UNFOLDED * far)


def _turn(reached: NDArray[np.float64]) -> int:
    """The last place before radii turn back; the last of all where they never do."""
    slopes = np.diff(reached)
    return int(np.argmax(slopes <= 0)) if np.any(slopes <= 0) else len(reached) - 1


def _stretch(lens: Lens, size_px: tuple[int, int]) -> float:
    """How many times further from the middle a point of the picture is seen than without distortion, where most so."""
    far, r, reached = _radii(lens, size_px)
    beyond = np.flatnonzero(reached >= far)
    end = min(int(beyond[0]) if beyond.size else len(r) - 1, _turn(reached)) + 1
    share = reached[1:end] / r[1:end]
    return float(share[int(np.argmax(np.abs(np.log(np.maximum(share, 1e-9)))))])


def _radii(lens: Lens, size_px: tuple[int, int]) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """The furthest corner's radius, and radii without and with distortion, shape (N,), for a focal length of 1."""
    width, height = size_px
    corners = np.array([[-0.5, -0.5], [width, -0.5], [width, height], [-0.5, height]])
    far = float(np.linalg.norm((corners - lens.K[:2, 2]) / [lens.K[0, 0], lens.K[1, 1]], axis=1).max())
    k1, k2, _, _, k3 = lens.dist.tolist()
    r = np.linspace(0, 3 * far, 600)
    return far, r, np.asarray(r * (1 + k1 * r**2 + k2 * r**4 + k3 * r**6))
