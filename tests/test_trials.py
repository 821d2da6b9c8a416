"""Which of the faults that users of such systems report (TRIALS: calibration, camera, display) are tried where.

The second test is the list: a trial whose test is renamed or removed without another in its place is a failure.
"""

import ast
import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from app.lights import steady
from calibration import light_checks, patterns
from calibration.findings import Mark
from calibration.frames import Pose
from calibration.lens import Lens
from calibration.lens_check import implausible
from calibration.photographs import Photographs, photo
from calibration.view import TableView
from engine.cards import Card
from tests.app import fakes

TESTS: Final = Path(__file__).parent
TRIED: Final[Mapping[int, tuple[str, ...]]] = {
    15: ("app/test_watching.py::test_a_camera_is_followed_and_the_light_stays",),
    16: ("calibration/test_projector_step.py::test_a_rig_is_calibrated_to_half_a_millimetre_and_its_profile_kept",),
    22: (
        "test_trials.py::test_the_lens_of_a_solve_gone_wrong_is_told",
        "calibration/test_lens_fit.py::test_unusable_views_are_refused_with_what_to_do",
        "app/test_calibrate_steps.py::test_a_refused_table_leaves_the_profile_as_it_was",
        "app/test_report.py::test_a_refused_step_leaves_a_report_and_nothing_else",
    ),
    23: ("test_trials.py::test_a_ring_around_a_resting_card_does_not_tremble",),
    24: (
        "app/test_doctor.py::test_a_camera_that_only_says_that_it_obeys_is_found_out",
        "app/test_lasting_camera.py::test_exposure_that_drifts_is_said_after_a_while_and_once",
        "calibration/test_projector_step.py::test_what_can_be_lived_with_is_named",
    ),
    26: (
        "app/test_doctor.py::test_with_nothing_connected_all_is_told_and_the_simulated_table_can_be_played",
        "calibration/test_projector_step.py::test_what_can_be_lived_with_is_named",
    ),
    27: (
        "calibration/test_projector_step.py::test_what_the_light_tells_is_refused",
        "calibration/test_table_fit.py::test_a_mirrored_picture_is_told",
        "calibration/test_patterns.py::test_a_mirrored_board_is_told",
    ),
    28: (
        "calibration/test_photographs.py::test_the_display_that_the_camera_sees_is_found",
        "projection/test_two_displays.py::test_light_goes_to_the_second_display_and_never_to_the_first",
    ),
    29: (
        "calibration/test_patterns.py::test_a_token_is_read_in_its_own_pattern_only",
        "calibration/test_photographs.py::test_no_late_and_no_half_frame_is_taken",
    ),
    30: ("calibration/test_projector_map.py::test_a_projector_without_distortion_gets_a_plain_homography",),
    31: (
        "calibration/test_photographs.py::test_no_late_and_no_half_frame_is_taken",
        "calibration/test_photographs.py::test_light_that_comes_too_late_for_a_game_is_refused",
    ),
    32: ("calibration/test_projector_step.py::test_a_loud_cloth_is_read_by_gray_code",),
    33: (
        "app/test_calibrate_steps.py::test_the_pattern_of_older_programs_is_recognised",
        "calibration/test_board.py::test_the_board_in_the_picture_is_recognised_though_another_was_named",
    ),
    34: (
        "calibration/test_geometry.py::test_points_above_the_mat_are_where_the_pinhole_sees_them",
        "test_trials.py::test_a_pile_of_cards_is_not_seen_beside_its_place",
    ),
    35: (
        "app/test_watching.py::test_a_projector_waits_for_a_pause_and_is_then_put_right",
        "app/test_knocked.py::test_a_whole_game_with_every_kind_of_knock_ends_right",
    ),
    36: ("test_trials.py::test_glare_on_the_mat_is_named_by_how_much",),
    37: (
        "app/test_calibrate_steps.py::test_the_live_table_waits_for_a_covered_marker",
        "calibration/test_photographs.py::test_what_cannot_be_read_is_explained",
        "calibration/test_projector_step.py::test_a_loud_cloth_is_read_by_gray_code",
    ),
    38: (
        "vision/test_capture.py::test_what_does_not_stick_is_said",
        "app/test_doctor.py::test_an_exposure_that_obeys_is_seen_in_the_picture_and_set_back",
        "app/test_doctor.py::test_a_camera_that_only_says_that_it_obeys_is_found_out",
    ),
    39: (
        "vision/test_capture.py::test_format_is_asked_for_before_size_and_rate",
        "app/test_doctor.py::test_what_is_wrong_with_a_camera_is_said",
    ),
    40: (
        "app/test_lasting_camera.py::test_a_lost_camera_is_noticed_within_a_second_and_comes_back_by_itself",
        "app/test_lasting_camera.py::test_a_frozen_camera_is_opened_anew",
    ),
    41: ("app/test_lasting_camera.py::test_slow_frames_are_said_once_and_that_they_are_right_again",),
    42: ("vision/test_capture.py::test_a_control_on_which_the_driver_breaks_costs_only_itself",),
    43: (
        "vision/test_capture.py::test_a_camera_that_hangs_inside_its_driver_is_told_by_the_watchdog",
        "vision/test_capture.py::test_a_silent_camera_is_an_error_that_names_it",
    ),
    44: (
        "projection/test_display.py::test_a_window_that_opens_on_the_operators_screen_shows_nothing",
        "projection/test_two_displays.py::test_a_full_screen_that_jumps_to_the_operators_screen_is_taken_away",
    ),
    45: ("projection/test_display.py::test_a_screen_that_the_desktop_enlarges_is_refused",),
    46: (
        "projection/test_display.py::test_the_flip_interval_is_measured_and_not_believed",
        "app/test_doctor.py::test_what_is_wrong_with_displays_is_said",
    ),
    47: (
        "vision/test_shine.py::test_a_panel_of_light_is_not_searched_for_cards_and_a_card_beside_it_is_found",
        "vision/test_shine.py::test_light_just_taken_away_may_still_be_seen",
    ),
}
NOT_TRIED: Final = {25: "that every control answers within a second is looked at by hand"}


def test_every_trial_of_these_areas_is_tried_or_said_not_to_be() -> None:
    assert set(TRIED) | set(NOT_TRIED) >= set(range(22, 48))


@pytest.mark.parametrize("number", TRIED)
def test_the_tests_of_a_trial_are_there(number: int) -> None:
    for name in TRIED[number]:
        file, _, function = name.partition("::")
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


def test_the_lens_of_a_solve_gone_wrong_is_told() -> None:
    matrix = np.array([[1500.0, 0, 204], [0, 1500, -2791], [0, 0, 1]])
    assert "its centre at 204" in (implausible(Lens(matrix, np.zeros(5)), (1920, 1080)) or "")


def test_a_ring_around_a_resting_card_does_not_tremble() -> None:
    rng = np.random.default_rng(4)
    card, at = Card.parse("01-bright"), Pose(120.0, -40.0, 0.1)
    shown, places = {card: at}, []
    for _ in range(400):
        seen = dataclasses.replace(
            at, x_mm=at.x_mm + rng.normal(0, 0.15), y_mm=at.y_mm + rng.normal(0, 0.15),
            angle_rad=at.angle_rad + rng.normal(0, 0.003),
        )  # fmt: skip
        shown = dict(steady(shown, {card: seen}))
        places.append((shown[card].x_mm, shown[card].y_mm))
    assert np.ptp(np.array(places), axis=0).max() <= 0.3
    moved = dataclasses.replace(at, x_mm=at.x_mm + 3.0)
    assert steady(shown, {card: moved})[card] == moved


def test_a_pile_of_cards_is_not_seen_beside_its_place() -> None:
    made = fakes.profile()
    view = TableView(made.camera.lens, made.table.table_from_camera, np.array([0.0, 0.0, 900.0]))
    place = np.array([300.0, 150.0])
    px = view.camera_px(place, 13.0)
    assert float(np.linalg.norm(view.table_mm(px) - place)) > 3.0  # taken for flat, it is millimetres off
    assert float(np.linalg.norm(view.table_mm(px, 13.0) - place)) < 0.01


@pytest.mark.parametrize(("share", "mark"), [(0.0, Mark.WELL), (0.08, Mark.NOTE), (0.3, Mark.BAD)])
def test_glare_on_the_mat_is_named_by_how_much(share: float, mark: Mark) -> None:
    image = np.full((200, 300, 3), 90, np.uint8)
    image[:, : round(300 * share)] = 255
    photos = Photographs({patterns.IDLE: photo([image])})
    x, y = np.meshgrid(np.arange(0, 300, 3), np.arange(0, 200, 3))
    check = light_checks.check_saturation(photos, np.stack([x.ravel(), y.ravel()], axis=-1))[0]
    assert check.topic == "glare" and check.mark is mark
    assert (f"{100 * share:.0f} %" in check.found and "lamp" in check.fix) or share == 0
