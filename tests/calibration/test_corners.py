"""A profile by hand from four corners, on rigs whose truth is known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.corners import (
    fit_projector,
    fit_table,
    guess_lens,
    mat_corners_mm,
    profile_from_corners,
    start_dots_px,
)
from calibration.homography import Homography
from calibration.lens import Lens
from calibration.profile import LensFit, Projector, dump_profile, profile_from
from engine import yamlfile
from engine.errors import CalibrationError
from tests.calibration.rigs import SIZE_PX, look_down, random_rig

MAT = (1000.0, 640.0)
SQUARE = [[400, 900], [1500, 900], [1500, 200], [400, 200]]
GRID_MM = np.stack(np.meshgrid(np.linspace(-500, 500, 11), np.linspace(-320, 320, 9)), axis=-1)


@pytest.mark.parametrize("seed", range(20))
def test_exact_clicks_with_the_true_lens_give_the_table_and_the_camera(seed: int) -> None:
    rig = random_rig(seed)
    fit = fit_table(rig.view.camera_px(mat_corners_mm(MAT)), MAT, rig.view.lens, SIZE_PX)
    seen = fit.table_from_camera.map(rig.view.lens.undistort(rig.view.camera_px(GRID_MM)))
    assert np.abs(seen - GRID_MM).max() < 0.05
    assert fit.camera_position_mm == pytest.approx(tuple(rig.camera_mm), abs=1.0)
    assert fit.warnings == ()


@pytest.mark.parametrize("seed", range(20))
def test_clicks_half_a_pixel_off_cost_about_a_millimetre(seed: int) -> None:
    rig = random_rig(seed)
    clicks = rig.view.camera_px(mat_corners_mm(MAT)) + np.random.default_rng(seed).uniform(-0.5, 0.5, (4, 2))
    fit = fit_table(clicks, MAT, rig.view.lens, SIZE_PX)
    seen = fit.table_from_camera.map(rig.view.lens.undistort(rig.view.camera_px(GRID_MM)))
    assert np.linalg.norm(seen - GRID_MM, axis=-1).max() < 1.2


@pytest.mark.parametrize("tilt", [0.3, 0.5, 0.7])
def test_a_tilted_view_tells_the_focal_length(tilt: float) -> None:
    rig = look_down(1500, tilt_rad=tilt, towards_rad=0.2, focal_px=1400)
    corners = rig.view.camera_px(mat_corners_mm(MAT))
    assert guess_lens(SIZE_PX, corners, MAT).K[0, 0] == pytest.approx(1400, rel=0.01)


def test_a_view_straight_down_leaves_the_focal_length_to_a_guess() -> None:
    corners = look_down(1500, focal_px=1400).view.camera_px(mat_corners_mm(MAT))
    assert guess_lens(SIZE_PX, corners, MAT).K[0, 0] == 0.8 * SIZE_PX[0]


@pytest.mark.parametrize(
    ("corners", "sentence"),
    [
        (SQUARE[::-1], "run clockwise.*mirrored"),
        ([[1919 - x, y] for x, y in SQUARE], "run clockwise.*mirrored"),
        ([SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]], "no convex shape"),
        ([[400, 900], [1500, 900], [700, 800], [400, 200]], "no convex shape"),
        ([[400, 900], [950, 900], [1500, 900], [400, 200]], "no convex shape"),
        ([[400, 900], [410, 900], [410, 890], [400, 890]], "too close together"),
        ([[400, 900]] * 4, "too close together"),
        ([[400, 900], [2000, 900], [1500, 200], [400, 200]], r"near right corner \(2000, 900\) lies outside"),
        (SQUARE[:3], "four corners .* are needed"),
        ([[400, float("nan")], *SQUARE[1:]], "four corners .* are needed"),
    ],
    ids=["backwards", "mirrored", "crossed", "dented", "on a line", "tiny", "one point", "outside", "three", "nan"],
)
def test_corners_that_cannot_be_are_refused_with_the_reason(corners: list[list[float]], sentence: str) -> None:
    lens = Lens(np.array([[1500.0, 0, 960], [0, 1500, 540], [0, 0, 1]]), np.zeros(5))
    with pytest.raises(CalibrationError, match=sentence):
        fit_table(corners, MAT, lens, SIZE_PX)
    with pytest.raises(CalibrationError, match=sentence):
        fit_projector(corners, mat_corners_mm(MAT), SIZE_PX)
    with pytest.raises(CalibrationError, match=sentence):
        profile_from_corners("now", "cam", SIZE_PX, corners, MAT)


def test_starting_at_the_wrong_corner_is_told_with_the_size_it_looks_like() -> None:
    rig = look_down(1500)
    corners = np.roll(rig.view.camera_px(mat_corners_mm(MAT)), 1, axis=0)
    fit = fit_table(corners, MAT, rig.view.lens, SIZE_PX)
    assert any("like a mat of about 410 x 640 mm" in warning for warning in fit.warnings)


def test_a_picture_too_small_to_read_cards_is_told() -> None:
    rig = look_down(2200, focal_px=1500)
    fit = fit_table(rig.view.camera_px(mat_corners_mm(MAT)), MAT, rig.view.lens, SIZE_PX)
    assert any("a card is only about 37 px high" in warning for warning in fit.warnings)


@pytest.mark.parametrize("seed", range(10))
def test_dots_on_the_corners_give_the_projector(seed: int) -> None:
    truth = random_rig(seed).view.table_from_camera.inverse
    dots = truth.map(mat_corners_mm(MAT))
    found = fit_projector(dots, mat_corners_mm(MAT), SIZE_PX)
    assert (found.target, found.source) == ("projector", "table")
    assert np.abs(found.map(GRID_MM) - truth.map(GRID_MM)).max() < 1e-6


def test_the_dots_begin_where_a_fit_accepts_them() -> None:
    found = fit_projector(start_dots_px((1280, 800)), mat_corners_mm(MAT), (1280, 800))
    assert np.allclose(found.map([0, 0]), (639.5, 399.5))


def test_a_profile_by_hand_survives_its_file() -> None:
    rig = look_down(1500, tilt_rad=0.15)
    corners = rig.view.camera_px(mat_corners_mm(MAT))
    projector = Projector(SIZE_PX, _scaled(), {"name": "EPSON"})
    profile, warnings = profile_from_corners("now", "cam", SIZE_PX, corners, MAT, projector=projector)
    assert any("the lens is a guess" in warning for warning in warnings)
    assert profile.camera.fit is None
    again = profile_from(yamlfile.parse(dump_profile(profile), "p.yaml"))
    assert np.abs(again.view().table_mm(corners) - mat_corners_mm(MAT)).max() < 1e-6
    assert again.projector is not None
    assert np.allclose(again.projector.projector_from_table.map([[10, 20]]), _scaled().map([[10, 20]]))


def test_a_known_lens_is_kept_with_its_fit() -> None:
    rig = random_rig(3)
    corners = rig.view.camera_px(mat_corners_mm(MAT))
    profile, warnings = profile_from_corners("now", "cam", SIZE_PX, corners, MAT, rig.view.lens, LensFit(24, 0.2, 0.3))
    assert warnings == ()
    assert profile.camera.fit == LensFit(24, 0.2, 0.3)
    assert np.abs(profile.view().table_mm(rig.view.camera_px(GRID_MM)) - GRID_MM).max() < 0.05


def _scaled() -> Homography:
    matrix: NDArray[np.float64] = np.array([[1.6, 0, 960], [0, -1.6, 540], [0, 0, 1]])
    return Homography("projector", "table", matrix)
