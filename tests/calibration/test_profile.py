"""Profile files: read, checked, written back, kept."""

import math
from pathlib import Path

import numpy as np
import pytest

from calibration.profile import (
    LensFit,
    Profile,
    Validation,
    check_mat,
    check_size,
    dump_profile,
    load_profile,
    profile_from,
    save_profile,
)
from engine import yamldump, yamlfile
from engine.errors import CalibrationError, ConfigError

GOOD = """
schema: 1
made_at: 2026-11-30T10:00:00Z
camera:
  id: usb-video-index0
  size_px: [1920, 1080]
  mode: {fourcc: MJPG, fps: 30}
  locked: {exposure_us: 16667, gain: 40}
  K: [1500, 0, 967, 0, 1490, 535, 0, 0, 1]
  dist: [-0.12, 0.03, 0.0006, -0.0004, 0.0]
  fit: {views: 24, rms_px: 0.21, holdout_px: 0.27}
table:
  mat_mm: [1000, 640]
  table_from_camera: [0.6, -0.005, -580, -0.005, -0.6, 340, 2e-7, 2.2e-5, 1]
  camera_position_mm: [0, -20, 900]
  markers: {dictionary: DICT_4X4_50, size_mm: 40, centres_mm: {0: [-400, 200], 3: [400, 200]}}
projector:
  size_px: [1280, 800]
  display: {name: EPSON, refresh_hz: 60}
  projector_from_table: [[1.2, 0, 640], [0, -1.2, 400], [0, 0, 1]]
validation: {points: 35, rms_mm: 0.31, p95_mm: 0.58, max_mm: 0.80}
"""
LEAST = """
schema: 1
made_at: '2026-11-30T10:00:00Z'
camera: {id: cam, size_px: [640, 480], mode: null, locked: {}, K: [500, 0, 320, 0, 500, 240, 0, 0, 1], dist: [0, 0, 0, 0, 0], fit: null}
table: {mat_mm: [900, 600], table_from_camera: [1, 0, 0, 0, -1, 0, 0, 0, 1], camera_position_mm: null, markers: null}
projector: null
validation: null
"""  # noqa: E501 - a mapping on one line is the point
MATRIX = "[0.6, -0.005, -580, -0.005, -0.6, 340, 2e-7, 2.2e-5, 1]"


def parse(text: str) -> Profile:
    return profile_from(yamlfile.parse(text, "p.yaml"))


BAD = {
    "typo of a key": ("  dist:", "  dits:", "camera.dits is unknown; allowed here: id, size_px"),
    "missing camera": ("camera:", "lens:", "lens is unknown; allowed here: .*camera"),
    "missing K": ("  K: [1500, 0, 967, 0, 1490, 535, 0, 0, 1]\n", "", "camera.K is missing"),
    "newer schema": ("schema: 1", "schema: 9", "schema 9 is newer"),
    "camera a list": ("table:\n", "table: []\nold:\n", "old is unknown"),
    "size in words": ("[1920, 1080]", "full", "camera.size_px must be a list, got 'full'"),
    "size of three": ("[1920, 1080]", "[1920, 1080, 3]", "camera.size_px needs 2 numbers, got 3"),
    "size of nothing": ("[1920, 1080]", "[0, 1080]", "camera.size_px must be two whole numbers"),
    "half a px": ("[1920, 1080]", "[1920.5, 1080]", "camera.size_px must be two whole numbers"),
    "eight for K": (
        "[1500, 0, 967, 0, 1490, 535, 0, 0, 1]",
        "[1, 2, 3, 4, 5, 6, 7, 8]",
        "camera.K needs 9 numbers, got 8",
    ),
    "no focal length": ("[1500, 0,", "[-1500, 0,", "camera.K has a focal length that is not positive: -1500"),
    "K no camera matrix": ("535, 0, 0, 1]", "535, 0, 0, 2]", "camera.K must look like"),
    "dist too long": ("-0.0004, 0.0]", "-0.0004, 0, 0, 0, 0]", "camera.dist needs 5 numbers k1 k2 p1 p2 k3, got 8"),
    "dist nan": ("[-0.12,", "[.nan,", "camera.dist must hold finite numbers only, got nan"),
    "fit without views": ("{views: 24, rms", "{rms", "camera.fit.views is missing"),
    "fit in words": ("{views: 24,", "{views: many,", "camera.fit.views must be a whole number"),
    "locked in words": (
        "{exposure_us: 16667,",
        "{exposure_us: long,",
        "camera.locked.exposure_us must be a finite number",
    ),
    "mode a list": ("{fourcc: MJPG, fps: 30}", "{fourcc: [MJPG]}", "camera.mode.fourcc must be a finite number"),
    "singular": (MATRIX, "[1, 2, 3, 2, 4, 6, 0, 0, 1]", "table.table_from_camera cannot be inverted"),
    "all zero": (MATRIX, "[0, 0, 0, 0, 0, 0, 0, 0, 0]", "table.table_from_camera cannot be inverted"),
    "homography in words": (MATRIX, "[a, 2, 3, 2, 4, 6, 0, 0, 1]", "table.table_from_camera must hold finite numbers"),
    "camera under the mat": ("[0, -20, 900]", "[0, -20, -900]", "table.camera_position_mm must be above the mat"),
    "position of two": ("[0, -20, 900]", "[0, -20]", "table.camera_position_mm needs 3 numbers, got 2"),
    "mat of nothing": ("[1000, 640]", "[1000, -640]", "table.mat_mm must be two lengths above 0"),
    "marker in words": ("{0: [-400", "{first: [-400", "table.markers.centres_mm.first must be the number of a marker"),
    "marker centre": ("3: [400, 200]", "3: [400]", "table.markers.centres_mm.3 needs 2 numbers, got 1"),
    "markers of no size": ("size_mm: 40", "size_mm: 0", "table.markers.size_mm must be greater than 0"),
    "singular projector": ("[0, -1.2, 400]", "[2.4, 0, 1280]", "projector.projector_from_table cannot be inverted"),
    "projector without size": ("  size_px: [1280, 800]\n", "", "projector.size_px is missing"),
    "validation without max": (", max_mm: 0.80", "", "validation.max_mm is missing"),
}


@pytest.mark.parametrize(("old", "new", "sentence"), BAD.values(), ids=BAD.keys())
def test_a_mistake_is_one_sentence_with_file_and_key(old: str, new: str, sentence: str) -> None:
    assert old in GOOD
    with pytest.raises(ConfigError, match=f"^p.yaml: {sentence}") as caught:
        parse(GOOD.replace(old, new, 1))
    assert "\n" not in str(caught.value)


def test_a_whole_profile_is_read() -> None:
    profile = parse(GOOD)
    assert profile.made_at == "2026-11-30T10:00:00Z"
    assert (profile.size_px, profile.mat_mm) == ((1920, 1080), (1000, 640))
    assert profile.camera.mode == {"fourcc": "MJPG", "fps": 30}
    assert profile.camera.fit == LensFit(24, 0.21, 0.27)
    assert profile.table.markers is not None
    assert profile.table.markers.centres_mm == {0: (-400, 200), 3: (400, 200)}
    assert profile.projector is not None
    assert np.allclose(profile.projector.projector_from_table.map([[100, 100]]), [[760, 280]])
    assert profile.validation == Validation(35, 0.31, 0.58, 0.8)
    view = profile.view()
    assert np.allclose(view.table_mm(view.camera_px([[123, 45]], 10.0), 10.0), [[123, 45]], atol=0.01)


def test_what_may_be_null_may_be_null() -> None:
    profile = parse(LEAST)
    assert (profile.projector, profile.validation, profile.camera.fit) == (None, None, None)
    assert profile.view().camera_mm is None


@pytest.mark.parametrize("text", [GOOD, LEAST], ids=["whole", "least"])
def test_a_profile_survives_its_file(tmp_path: Path, text: str) -> None:
    profile, path = parse(text), tmp_path / "p.yaml"
    save_profile(path, profile)
    again = load_profile(path)
    assert dump_profile(again) == dump_profile(profile)
    assert np.array_equal(again.table.table_from_camera.matrix, profile.table.table_from_camera.matrix)
    assert np.array_equal(again.camera.lens.K, profile.camera.lens.K)


def test_a_picture_of_another_size_is_refused() -> None:
    check_size(parse(GOOD), (1920, 1080))
    with pytest.raises(CalibrationError, match=r"p.yaml: camera.size_px is 1920x1080, but the camera gives 1280x720"):
        check_size(parse(GOOD), (1280, 720), "p.yaml")


def test_a_layout_for_another_mat_is_refused() -> None:
    check_mat(parse(GOOD), (1000.2, 640))
    with pytest.raises(CalibrationError, match=r"table.mat_mm is 1000 x 640, but the layout's mat_mm is 900 x 600"):
        check_mat(parse(GOOD), (900, 600))


def test_former_profiles_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    for day in range(7):
        save_profile(path, parse(GOOD.replace("-30T", f"-0{day + 1}T")))
    kept = [load_profile(old).made_at[8:10] for old in yamldump.backups(path)]
    assert (load_profile(path).made_at[8:10], kept) == ("07", ["06", "05", "04", "03", "02"])


def test_a_profile_that_could_not_be_read_back_never_replaces_a_good_one(tmp_path: Path) -> None:
    path, good = tmp_path / "p.yaml", parse(GOOD)
    save_profile(path, good)
    table = type(good.table)((math.inf, 640), good.table.table_from_camera)
    with pytest.raises(ConfigError, match=r"p.yaml: table.mat_mm must hold finite numbers"):
        save_profile(path, Profile("now", good.camera, table))
    assert dump_profile(load_profile(path)) == dump_profile(good)
    assert yamldump.backups(path) == ()
