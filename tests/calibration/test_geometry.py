"""Frames, homographies, lens and the view of the table."""

import numpy as np
import pytest

from calibration.frames import Pose
from calibration.homography import Homography
from calibration.lens import Lens
from engine.errors import CalibrationError
from tests.calibration.rigs import SIZE_PX, look_down, pinhole_px, random_rig


def test_a_card_upright_for_the_operator_has_its_top_left_first_and_runs_clockwise() -> None:
    assert Pose(100, 50, 0).corners_mm() == ((83.5, 77), (116.5, 77), (116.5, 23), (83.5, 23))


def test_a_card_turned_for_the_seat_at_the_right_has_its_top_towards_minus_x() -> None:
    corners = np.array(Pose(0, 0, np.pi / 2).corners_mm())
    assert np.allclose(corners[:2].mean(axis=0), (-27, 0))


def test_a_chain_of_frames_that_meet_maps_like_its_parts() -> None:
    b_from_a = Homography("b", "a", np.array([[1.0, 0.1, 5], [0, 2, -1], [0.001, 0, 1]]))
    c_from_b = Homography("c", "b", np.array([[0.0, -1, 3], [1, 0, 7], [0, 0.002, 1]]))
    points = [[1, 2], [30, -4]]
    assert np.allclose((c_from_b @ b_from_a).map(points), c_from_b.map(b_from_a.map(points)))


def test_a_chain_of_frames_that_do_not_meet_is_refused() -> None:
    table_from_camera = Homography("table", "camera", np.eye(3))
    projector_from_table = Homography("projector", "table", np.eye(3))
    with pytest.raises(CalibrationError, match="camera is not projector"):
        _ = table_from_camera @ projector_from_table


def test_an_inverse_leads_back() -> None:
    there = Homography("b", "a", np.array([[1.0, 0.1, 5], [0, 2, -1], [0.001, 0, 1]]))
    assert (there.inverse.target, there.inverse.source) == ("a", "b")
    assert np.allclose(there.inverse.map(there.map([[3, 4]])), [[3, 4]])


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([1, 0, 0, 0, 1, 0, 0, 0], "needs 9 numbers, got 8"),
        ([1, 2, 3, 2, 4, 6, 0, 0, 1], "cannot be inverted"),
        ([0] * 9, "cannot be inverted"),
        ([1, 0, 0, 0, float("nan"), 0, 0, 0, 1], "not finite"),
    ],
    ids=["eight", "singular", "zero", "nan"],
)
def test_matrices_that_are_no_homography_are_refused(rows: list[float], sentence: str) -> None:
    with pytest.raises(CalibrationError, match=sentence):
        Homography.from_rows("table", "camera", rows)


@pytest.mark.parametrize("seed", range(12))
def test_undistorting_what_was_distorted_gives_the_point_back(seed: int) -> None:
    lens = random_rig(seed).view.lens
    grid = np.stack(np.meshgrid(np.linspace(150, 1770, 9), np.linspace(90, 990, 7)), axis=-1)
    assert np.abs(lens.undistort(lens.distort(grid)) - grid).max() < 1e-3


def test_a_lens_without_distortion_changes_nothing() -> None:
    lens = Lens(np.diag([1500.0, 1500, 1]), np.zeros(5))
    assert np.array_equal(lens.undistort([[3.0, 4]]), [[3, 4]])
    assert np.array_equal(lens.distort([[3.0, 4]]), [[3, 4]])


def test_a_strong_lens_is_undone_up_to_near_its_fold() -> None:
    lens = Lens(np.array([[998.0, 0, 640], [0, 998, 360], [0, 0, 1]]), np.array([-0.3, 0, 0, 0, 0]))
    flat = np.column_stack([640 + 998 * np.linspace(0, 1, 11), np.full(11, 360.0)])  # it folds at 1.05
    assert np.abs(lens.undistort(lens.distort(flat)) - flat).max() < 1e-3


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [(np.diag([0.0, 1, 1]), "focal length"), (np.full((3, 3), np.nan), "finite")],
    ids=["no focal length", "nan"],
)
def test_an_impossible_lens_is_refused(matrix: np.ndarray, sentence: str) -> None:
    with pytest.raises(CalibrationError, match=sentence):
        Lens(matrix, np.zeros(5))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("height_mm", [0.0, 1.1, 13.0, 60.0])
def test_points_above_the_mat_are_where_the_pinhole_sees_them(seed: int, height_mm: float) -> None:
    rig = random_rig(seed)
    draw = np.random.default_rng(seed + 1000)
    for x, y in draw.uniform((-450, -280), (450, 280), (5, 2)).tolist():
        true_px = pinhole_px(rig, (x, y, height_mm))
        assert np.allclose(rig.view.camera_px([x, y], height_mm), true_px, atol=1e-3)
        assert np.allclose(rig.view.table_mm(true_px, height_mm), (x, y), atol=0.02)


def test_a_card_seen_without_its_height_seems_further_from_below_the_camera() -> None:
    rig = look_down(height_mm=900)
    seen = rig.view.table_mm(rig.view.camera_px([300, 0], 13.0))
    assert seen[0] - 300 == pytest.approx(300 * 13 / (900 - 13))


def test_heights_are_ignored_where_the_camera_position_is_unknown() -> None:
    rig = look_down()
    view = type(rig.view)(rig.view.lens, rig.view.table_from_camera, None)
    assert np.allclose(view.table_mm([SIZE_PX], 20.0), view.table_mm([SIZE_PX]))
