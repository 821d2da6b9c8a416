"""The mat from pictures of its markers: where it is, and why not where it cannot be used."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.mat_markers import (
    check_print,
    cloth_markers,
    corner_numbers,
    distances_mm,
    load_markers,
    mat_around,
    mat_markers,
)
from calibration.mat_pose import find_mat, see_markers
from calibration.profile import Markers
from calibration.refusals import Reason, Refusal
from calibration.table_fit import TableFit, fit_cloth, fit_table
from engine.errors import CalibrationError, ConfigError
from tests.calibration.mats import Print, mat_picture, seen_by
from tests.calibration.rigs import Rig, look_down, random_rig

MAT = (900.0, 560.0)
MARKERS = mat_markers(MAT)
RIG = look_down(1250, 0.15, 1.0, dist=(-0.12, 0.02, 0.0005, -0.0003, 0))


def error_mm(rig: Rig, fit: TableFit) -> float:
    """The largest error over a 50 mm grid of the mat."""
    grid = np.stack(np.meshgrid(np.arange(-450, 451, 50.0), np.arange(-280, 281, 40.0)), axis=-1)
    found = fit.table.table_from_camera.map(rig.view.lens.undistort(rig.view.camera_px(grid)))
    return float(np.linalg.norm(found - grid, axis=-1).max())


@pytest.mark.parametrize("seed", [1, 2])
def test_the_mat_is_found_to_a_tenth_of_a_millimetre(seed: int) -> None:
    rig = random_rig(seed)
    found = fit_table(seen_by(rig, MARKERS, seed=seed), MARKERS, rig.view.lens, MAT)
    assert error_mm(rig, found) < 0.15
    assert found.table.camera_position_mm is not None
    assert np.allclose(found.table.camera_position_mm, rig.camera_mm, atol=2)
    assert (found.table.mat_mm, found.table.markers, found.pictures) == (MAT, MARKERS, 1)


@pytest.mark.parametrize(
    "markers",
    [
        Markers("DICT_6X6_250", 50, {7: (-400, 240), 11: (400, 240), 3: (400, -240), 240: (-400, -240)}),
        Markers("DICT_4X4_50", 32, {0: (-380, -240), 1: (380, -240), 2: (380, 240), 3: (-380, 240), 9: (0, 260)}),
    ],
    ids=["other dictionary and numbers", "five"],
)
def test_mats_of_others_are_found(markers: Markers) -> None:
    found = fit_table(seen_by(RIG, markers), markers, RIG.view.lens, MAT)
    assert error_mm(RIG, found) < 0.15


def test_a_marker_printed_another_way_up_is_the_same_marker() -> None:
    how = Print(turned={0: 1, 1: 2, 2: 3, 3: 2})
    assert error_mm(RIG, fit_table(seen_by(RIG, MARKERS, how), MARKERS, RIG.view.lens, MAT)) < 0.15


def refusal(pictures: list[NDArray[np.uint8]], lens: Lens = RIG.view.lens) -> Refusal:
    with pytest.raises(Refusal) as caught:
        fit_table(pictures, MARKERS, lens, MAT)
    return caught.value


def test_a_covered_marker_is_named_by_its_place() -> None:
    said = refusal(seen_by(RIG, MARKERS, Print(hidden=(2,))))
    assert said.reason is Reason.COVERED_MARKERS and "2 (far right)" in str(said)


def test_of_more_than_four_markers_one_may_be_hidden_where_the_others_reach_as_far() -> None:
    corners = {0: (-400.0, -240.0), 1: (400.0, -240.0), 2: (400.0, 240.0), 3: (-400.0, 240.0)}
    six = Markers("DICT_5X5_100", 40, corners | {8: (0.0, 240.0), 9: (380.0, 150.0)})
    found = fit_table(seen_by(RIG, six, Print(hidden=(2,))), six, RIG.view.lens, MAT)
    assert error_mm(RIG, found) < 0.3
    assert any("marker 2 was not seen" in note for note in found.notes)
    with pytest.raises(Refusal, match="cannot be seen") as caught:
        fit_table(seen_by(RIG, six, Print(hidden=(0,))), six, RIG.view.lens, MAT)
    assert caught.value.reason is Reason.COVERED_MARKERS


def test_swapped_markers_are_named() -> None:
    said = refusal(seen_by(RIG, MARKERS, Print(swapped=(0, 3))))
    assert said.reason is Reason.SWAPPED and "0 (near left)" in str(said) and "3 (far left)" in str(said)


def test_a_mirrored_picture_is_told() -> None:
    said = refusal([np.ascontiguousarray(picture[:, ::-1]) for picture in seen_by(RIG, MARKERS)])
    assert said.reason is Reason.MIRRORED and "turn mirroring off" in str(said)


def test_the_lens_of_another_camera_is_told() -> None:
    matrix = RIG.view.lens.K.copy()
    matrix[[0, 1], [0, 1]] *= 1.25
    tilted = look_down(1250, 0.35, 1.0, focal_px=1350)
    said = refusal(seen_by(tilted, MARKERS), Lens(matrix, np.zeros(5)))
    assert said.reason is Reason.LENS and "calibrate lens" in str(said)


def test_several_pictures_are_averaged_and_a_moved_one_left_out() -> None:
    away = look_down(1250, 0.16, 1.0, dist=(-0.12, 0.02, 0.0005, -0.0003, 0))
    pictures = [*seen_by(RIG, MARKERS, count=4), mat_picture(away.view, MARKERS)]
    found = fit_table(pictures, MARKERS, RIG.view.lens, MAT)
    assert found.pictures == 4 and error_mm(RIG, found) < 0.1
    with pytest.raises(CalibrationError, match="camera or mat moved: in 2 of 4 pictures"):
        fit_table([*seen_by(RIG, MARKERS, count=2), *seen_by(away, MARKERS, count=2)], MARKERS, RIG.view.lens, MAT)


def test_markers_on_ones_own_cloth_need_two_measured_distances_only() -> None:
    cloth = cloth_markers(820, 500)
    turned = Print(moved_mm={0: (0.4, -0.3), 2: (-0.2, 0.4)})
    found = fit_cloth(seen_by(RIG, cloth, turned), cloth, RIG.view.lens, MAT)
    assert error_mm(RIG, found) < 1.2
    with pytest.raises(CalibrationError, match=r"make no rectangle of 820 x 500 mm .they are \d+ mm off"):
        fit_cloth(seen_by(RIG, cloth, Print(moved_mm={1: (30, 25)})), cloth, RIG.view.lens, MAT)
    with pytest.raises(Refusal, match="far left"):
        fit_cloth(seen_by(RIG, cloth, Print(hidden=(3,))), cloth, RIG.view.lens, MAT)


def test_a_camera_too_far_away_is_noted() -> None:
    far = look_down(2400, 0.1)
    (note,) = fit_table(seen_by(far, MARKERS), MARKERS, far.view.lens, MAT).notes
    assert "a card is only about 34 px high" in note


@pytest.mark.parametrize("scale", [0.94, 1.0, 1.06])
def test_markers_of_few_px_are_no_scaled_print(scale: float) -> None:
    far = look_down(1700, 0.1, 1.0)
    other = Markers(MARKERS.dictionary, MARKERS.size_mm * scale, MARKERS.centres_mm)
    grey = seen_by(far, MARKERS)[0].astype(np.float32)
    if scale == 1:
        assert abs(find_mat(grey, MARKERS, far.view.lens).marker_scale - 1) < 0.025
        return
    with pytest.raises(Refusal) as caught:
        find_mat(grey, other, far.view.lens)
    assert caught.value.reason is Reason.SCALED_PRINT


def test_no_picture_is_refused() -> None:
    with pytest.raises(CalibrationError, match="no picture"):
        fit_table([], MARKERS, RIG.view.lens, MAT)


def test_our_markers_lie_beside_the_mat_clear_of_every_zone() -> None:
    assert MARKERS.centres_mm == {0: (-478, -252), 1: (478, -252), 2: (478, 252), 3: (-478, 252)}
    assert corner_numbers(MARKERS) == (0, 1, 2, 3)
    assert distances_mm(MARKERS) == (956, 504)
    assert min(abs(x) for x, _ in MARKERS.centres_mm.values()) - MARKERS.size_mm / 2 >= MAT[0] / 2 + 8


@pytest.mark.parametrize(
    ("measured", "notes"),
    [((956.4, 504.2), 0), ((953.5, 503), 1), ((959.9, 505.9), 1)],
    ids=["true", "a little small", "a little large"],
)
def test_a_true_print_passes(measured: tuple[float, float], notes: int) -> None:
    assert len(check_print(MARKERS, measured)) == notes


@pytest.mark.parametrize("shown", [0.9, 1.06])
def test_markers_of_another_size_are_told_from_another_lens(shown: float) -> None:
    grey = seen_by(RIG, MARKERS)[0].astype(np.float32)
    told = Markers(MARKERS.dictionary, MARKERS.size_mm / shown, MARKERS.centres_mm)
    with pytest.raises(Refusal, match="fitting to the page"):
        find_mat(grey, told, RIG.view.lens, judge_scale=False)
    bent = Lens(RIG.view.lens.K, RIG.view.lens.dist + np.array([0.12, 0, 0, 0, 0]))
    with pytest.raises(Refusal, match="lens in the profile is not this camera's"):
        find_mat(grey, MARKERS, bent, judge_scale=False)


@pytest.mark.parametrize("scale", [0.94, 0.97, 1.03])
def test_a_scaled_print_is_refused_with_how_to_print(scale: float) -> None:
    with pytest.raises(Refusal, match=rf"printed at {100 * scale:.1f} %.*100 %") as caught:
        check_print(MARKERS, (956 * scale, 504 * scale))
    assert caught.value.reason is Reason.SCALED_PRINT


def test_measuring_wrongly_is_told_from_printing_wrongly() -> None:
    with pytest.raises(CalibrationError, match="the two distances are swapped"):
        check_print(MARKERS, (504, 956))
    with pytest.raises(Refusal, match="measure again from middle to middle"):
        check_print(MARKERS, (956, 460))
    with pytest.raises(CalibrationError, match="lengths in mm above 0"):
        check_print(MARKERS, (0, 504))


BLOCK = """\
dictionary: DICT_4X4_50
size_mm: 40
centres_mm: {0: [-400, -200], 1: [400, -200], 2: [400, 200], 3: [-400, 200]}
"""


def indented(spaces: int) -> str:
    return "".join(f"{' ' * spaces}{line}\n" for line in BLOCK.splitlines())


@pytest.mark.parametrize(
    ("text", "mat"),
    [
        (BLOCK, None),
        ("schema: 1\n" + BLOCK, None),
        ("mat_mm: [900, 600]\n" + BLOCK, (900, 600)),
        ("markers:\n" + indented(2), None),
        ("{" + ", ".join(BLOCK.splitlines()) + "}", None),
        (json.dumps({"markers": yaml.safe_load(BLOCK), "mat_mm": [900, 600]}), (900, 600)),
        (
            "table:\n  mat_mm: [900, 600]\n  markers:\n" + "".join(f"    {line}\n" for line in BLOCK.splitlines()),
            (900, 600),
        ),
    ],
    ids=["bare", "with schema", "with mat", "under its key", "on one line", "JSON", "a whole profile"],
)
def test_a_markers_file_may_have_any_form_of_the_block(
    text: str, mat: tuple[float, float] | None, tmp_path: Path
) -> None:
    path = tmp_path / "markers.yaml"
    path.write_text(text)
    found = load_markers(path)
    assert (found.markers.size_mm, list(found.markers.centres_mm)) == (40, [0, 1, 2, 3])
    assert list(found.markers.centres_mm[2]) == [400, 200]
    assert found.mat_mm == mat


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dictionary: [", "is no valid YAML"),
        ("size_mm: 40\n", "dictionary is missing|centres_mm is missing"),
        (BLOCK.replace("3: [-400, 200]", "3: [-400]"), "centres_mm.3 needs 2 numbers"),
        (BLOCK.replace(", 3: [-400, 200]", ""), "needs four markers or more"),
        (BLOCK.replace("3: [-400, 200]", "3: [400, 199]"), "needs four markers or more"),
        (BLOCK.replace("200", "30"), "closer together than they are large"),
    ],
    ids=["no YAML", "half of it", "half a place", "three", "none far left", "on top of each other"],
)
def test_a_bad_markers_file_is_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "markers.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=rf"markers.yaml.*({said})"):
        load_markers(path)


def test_a_markers_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere.yaml: cannot be read"):
        load_markers(tmp_path / "nowhere.yaml")


def test_a_mat_known_by_its_markers_alone_is_ours_or_as_large_as_they_reach() -> None:
    assert mat_around(mat_markers((1000, 640)), (1000, 640)) == (1000, 640)
    inside = Markers("DICT_5X5_100", 30, {7: (-320, -200), 8: (330, -200), 9: (320, 210), 4: (-320, 200)})
    assert mat_around(inside, (1000, 640)) == (690, 450)


def test_cloth_markers_too_close_are_refused() -> None:
    with pytest.raises(ConfigError, match="further apart"):
        cloth_markers(60, 500)


def test_markers_of_two_px_a_cell_are_read_in_the_enlarged_picture() -> None:
    markers = Markers("DICT_6X6_250", 40, {1: (-400, -240), 44: (400, -240), 123: (400, 240), 159: (-400, 240)})
    full = seen_by(RIG, markers, count=1)[0]
    truth = see_markers(full.astype(np.float32), markers)
    small = np.asarray(cv2.resize(full, None, fx=0.26, fy=0.26, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    plain = 0
    for seed in range(5):
        grain = np.random.default_rng(seed).normal(0, 5, small.shape)
        noisy = np.clip(small + grain, 0, 255).astype(np.float32)
        plain += len(see_markers(noisy, markers))
        found = see_markers(noisy, markers, thorough=True)
        assert sorted(found) == [1, 44, 123, 159]
        for number, quad in truth.items():
            assert np.abs((found[number] + 0.5) / 0.26 - 0.5 - quad).mean() < 3.0  # 0.8 px of the small one
    assert plain < 20
