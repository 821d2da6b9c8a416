"""A profile by hand: four corners of the mat clicked in the camera's picture, four projected dots laid onto them.

Corners are always named in this order: near left, near right, far right, far left, as the operator sees the mat; that
is anticlockwise seen from above.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.homography import Homography
from calibration.lens import Lens
from calibration.polygons import area, crosses_itself
from calibration.profile import Camera, LensFit, Profile, Projector, Table
from engine.errors import CalibrationError

CORNER_NAMES: Final = ("near left", "near right", "far right", "far left")
_SHORTEST_SIDE_PX: Final = 40.0
_SMALLEST_SHARE: Final = 0.02
_FOCAL_GUESS: Final = 0.8  # of the picture's width: 64 degrees across, as most webcams
_FOCAL_RANGE: Final = (0.5, 2.0)
_ASPECT_SLACK: Final = 0.06


@dataclass(frozen=True, slots=True, eq=False)
class CornerFit:
    """The table as seen by the camera. `camera_position_mm` in the table frame; `warnings` are sentences to show."""

    table_from_camera: Homography
    camera_position_mm: tuple[float, float, float]
    warnings: tuple[str, ...]


def mat_corners_mm(mat_mm: tuple[float, float]) -> NDArray[np.float64]:
    """The mat's corners in table mm, shape (4, 2), in the order of `CORNER_NAMES`."""
    w, h = mat_mm[0] / 2, mat_mm[1] / 2
    return np.array([[-w, -h], [w, -h], [w, h], [-w, h]])


def guess_lens(size_px: tuple[int, int], corners_px: ArrayLike, mat_mm: tuple[float, float]) -> Lens:
    """A plausible lens for a camera that was never calibrated: centred, square pixels, no distortion.

    The focal length comes from the perspective of the mat's corners where they tell it to 15 % (a camera looking
    straight down tells nothing), else it is 0.8 of the picture's width. Good enough for a first game; a profile made
    with it says `fit: null`.
    """
    corners = np.asarray(corners_px, dtype=np.float64).reshape(4, 2)
    default = _FOCAL_GUESS * size_px[0]
    nudges = [np.zeros((4, 2))]
    for i, axis, step in itertools.product(range(4), range(2), (-1.0, 1.0)):
        nudge = np.zeros((4, 2))
        nudge[i, axis] = step
        nudges.append(nudge)
    found = [_focal(size_px, corners + nudge, mat_mm) for nudge in nudges]
    told = [focal for focal in found if focal is not None]
    if len(told) < len(found) or max(told) > 1.15 * min(told):
        return _centred_lens(size_px, default)
    low, high = (limit * size_px[0] for limit in _FOCAL_RANGE)
    return _centred_lens(size_px, told[0] if low <= told[0] <= high else default)


def fit_table(corners_px: ArrayLike, mat_mm: tuple[float, float], lens: Lens, size_px: tuple[int, int]) -> CornerFit:
    """Where the mat lies, from its corners clicked in the distorted picture, shape (4, 2), order of `CORNER_NAMES`.

    Raises CalibrationError for corners that are out of order, mirrored, degenerate or outside the picture.
    """
    corners = _checked_corners(corners_px, size_px, "the camera's picture", "click the corners again")
    table_from_camera = _four_points("table", "camera", lens.undistort(corners), mat_corners_mm(mat_mm))
    position, stretch, skew = camera_position(table_from_camera, lens)
    if position[2] <= 0:
        raise CalibrationError("the corners put the camera below the table; click them again in order")
    warnings = []
    if abs(stretch - 1) > _ASPECT_SLACK or abs(skew) > _ASPECT_SLACK:
        warnings.append(
            f"the corners look like a mat of about {stretch * mat_mm[0]:.0f} x {mat_mm[1]:.0f} mm rather than "
            f"{mat_mm[0]:.0f} x {mat_mm[1]:.0f}; check the mat's size and that the first corner is the near left one"
        )
    longest = max(float(np.linalg.norm(corners[i] - corners[i - 1])) for i in range(4))
    card_px = 54.0 * longest / max(mat_mm)
    if card_px < 55:
        warnings.append(
            f"a card is only about {card_px:.0f} px high in the picture; reading is good from 55 px: "
            "move the camera nearer or choose a larger picture"
        )
    return CornerFit(table_from_camera, position, tuple(warnings))


def fit_projector(dots_px: ArrayLike, points_mm: ArrayLike, size_px: tuple[int, int]) -> Homography:
    """`projector_from_table` from four dots in projector px that lie on the points of the table, both shape (4, 2).

    `points_mm` are usually `mat_corners_mm`; any four points in anticlockwise order will do.
    Raises CalibrationError for dots that are out of order, mirrored, degenerate or outside the picture.
    """
    dots = _checked_corners(dots_px, size_px, "the projector's picture", "lay each dot onto the corner it names")
    return _four_points("projector", "table", np.asarray(points_mm, dtype=np.float64).reshape(4, 2), dots)


def start_dots_px(size_px: tuple[int, int]) -> NDArray[np.float64]:
    """Where the four dots begin, shape (4, 2): an eighth inside the projector's picture, its lower edge near."""
    w, h = size_px[0] - 1, size_px[1] - 1
    return np.array([[w / 8, 7 * h / 8], [7 * w / 8, 7 * h / 8], [7 * w / 8, h / 8], [w / 8, h / 8]])


def profile_from_corners(
    made_at: str,
    camera_id: str,
    size_px: tuple[int, int],
    corners_px: ArrayLike,
    mat_mm: tuple[float, float],
    lens: Lens | None = None,
    lens_fit: LensFit | None = None,
    mode: Mapping[str, str | float] | None = None,
    projector: Projector | None = None,
) -> tuple[Profile, tuple[str, ...]]:
    """A whole profile and the warnings to show. Without a `lens` one is guessed; the profile then says `fit: null`."""
    corners = _checked_corners(corners_px, size_px, "the camera's picture", "click the corners again")
    used = guess_lens(size_px, corners, mat_mm) if lens is None else lens
    fit = fit_table(corners, mat_mm, used, size_px)
    warnings = fit.warnings
    if lens is None:
        warnings += ("the lens is a guess: heights and the picture's edges are less exact until it is calibrated",)
    camera = Camera(camera_id, size_px, used, dict(mode or {}), {}, None if lens is None else lens_fit)
    return Profile(made_at, camera, Table(mat_mm, fit.table_from_camera, fit.camera_position_mm), projector), warnings


def _checked_corners(points_px: ArrayLike, size_px: tuple[int, int], picture: str, remedy: str) -> NDArray[np.float64]:
    """The four points as float64 (4, 2). Raises CalibrationError with what to do."""
    points = np.asarray(points_px, dtype=np.float64)
    if points.shape != (4, 2) or not np.all(np.isfinite(points)):
        raise CalibrationError(f"four corners in {picture} are needed ({', '.join(CORNER_NAMES)}); {remedy}")
    for name, (x, y) in zip(CORNER_NAMES, points.tolist(), strict=True):
        if not (-0.5 <= x <= size_px[0] - 0.5 and -0.5 <= y <= size_px[1] - 0.5):
            raise CalibrationError(
                f"the {name} corner ({x:.0f}, {y:.0f}) lies outside {picture} of {size_px[0]}x{size_px[1]}; "
                "the whole mat must be in it"
            )
    polygon: list[tuple[float, float]] = [(x, y) for x, y in points.tolist()]
    sides = [float(np.linalg.norm(points[i] - points[i - 1])) for i in range(4)]
    share = abs(area(polygon)) / (size_px[0] * size_px[1])
    order = ", ".join(CORNER_NAMES)
    if min(sides) < _SHORTEST_SIDE_PX or (share < _SMALLEST_SHARE and not crosses_itself(polygon)):
        raise CalibrationError(f"the four corners in {picture} lie too close together; {remedy} ({order})")
    turns = [_cross(points[i - 2], points[i - 1], points[i]) for i in range(4)]
    flat = 0.02 * min(sides) * max(sides)
    if (min(turns) < -flat and max(turns) > flat) or min(abs(turn) for turn in turns) <= flat:
        raise CalibrationError(f"the four corners in {picture} make no convex shape; {remedy} in order: {order}")
    if turns[0] > 0:  # px run down, so anticlockwise corners turn to the negative side
        raise CalibrationError(
            f"the four corners in {picture} run clockwise: either they are out of order ({order}) or the picture is "
            "mirrored; turn mirroring off"
        )
    return points


def _cross(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))


def _four_points(
    target: str, source: str, source_points: NDArray[np.float64], target_points: NDArray[np.float64]
) -> Homography:
    """The homography that takes four points exactly onto four others, both float64 (4, 2)."""
    rows = []
    for (x, y), (u, v) in zip(source_points.tolist(), target_points.tolist(), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]]
    system = np.array(rows, dtype=np.float64)
    solution = np.linalg.solve(system[:, :8], system[:, 8])
    return Homography(target, source, np.append(solution, 1.0).reshape(3, 3))


def camera_position(table_from_camera: Homography, lens: Lens) -> tuple[tuple[float, float, float], float, float]:
    """The camera's position in table mm, and how far the view is from a rigid one: x over y scale, and skew."""
    columns = np.linalg.inv(lens.K) @ table_from_camera.inverse.matrix
    x_scale, y_scale = (float(np.linalg.norm(columns[:, i])) for i in (0, 1))
    columns = columns / ((x_scale + y_scale) / 2)
    if columns[2, 2] < 0:  # the table lies in front of the camera
        columns = -columns
    skew = float(columns[:, 0] @ columns[:, 1])
    rough = np.column_stack([columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])])
    u, _, vt = np.linalg.svd(rough)
    rotation = u @ np.diag([1.0, 1.0, np.linalg.det(u @ vt)]) @ vt
    x, y, z = (-rotation.T @ columns[:, 2]).tolist()
    return (x, y, z), x_scale / y_scale, skew


def _focal(size_px: tuple[int, int], corners: NDArray[np.float64], mat_mm: tuple[float, float]) -> float | None:
    """The focal length in px for which the mat's axes are square and equally long, or None where nothing tells it."""
    centred = corners - [(size_px[0] - 1) / 2, (size_px[1] - 1) / 2]
    h = _four_points("camera", "table", mat_corners_mm(mat_mm), centred).matrix
    # with K = diag(f, f, 1): a + b / f² = 0 for each condition, solved together for 1 / f² by least squares
    b = np.array([h[0, 0] * h[0, 1] + h[1, 0] * h[1, 1], h[0, 0] ** 2 + h[1, 0] ** 2 - h[0, 1] ** 2 - h[1, 1] ** 2])
    a = np.array([h[2, 0] * h[2, 1], h[2, 0] ** 2 - h[2, 1] ** 2])
    bottom = float(b @ b)
    inverse_square = -float(a @ b) / bottom if bottom > 0 else 0.0
    return float(inverse_square**-0.5) if inverse_square > 0 else None


def _centred_lens(size_px: tuple[int, int], focal: float) -> Lens:
    matrix = [[focal, 0, (size_px[0] - 1) / 2], [0, focal, (size_px[1] - 1) / 2], [0, 0, 1]]
    return Lens(np.array(matrix), np.zeros(5))
