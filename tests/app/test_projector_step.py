"""`calibrate projector` from photographs: names, figures, report, and what is said where files are not right."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from app.image_folder import read_image
from app.main import main
from app.projector_step import read_photographs
from app.rig_trials import grid_mm
from app.rigs.rig import SimulatedRig
from calibration.draft import Draft, save_draft
from calibration.findings import Mark
from calibration.profile import Camera, Markers, load_profile, save_profile
from engine.errors import ConfigError
from tests.app.rigs.small import SIZE, small_rig, small_spec

NEEDED = ("idle", "board-070", "board-035", "crosses-060", "white", "idle-after")


def exported(folder: Path) -> Path:
    assert main(["calibrate", "projector", "--export-patterns", str(folder), "--projector", "960x540"]) == 0
    return folder


def photographed(patterns: Path, folder: Path, names: tuple[str, ...] = NEEDED) -> Path:
    rig, profile = small_rig()
    folder.mkdir()
    save_profile(folder / "profile.yaml", profile)
    for name in names:
        rig.show(read_image(patterns / f"{name}_960x540.png")[..., 0])
        for _ in range(rig.spec.delay_frames + 1):
            rig.read()
        cv2.imwrite(str(folder / f"{name}_960x540.jpg"), rig.read().image)
    return folder


def test_photographs_of_the_exported_patterns_make_a_profile_and_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    patterns = exported(tmp_path / "patterns")
    assert len(list(patterns.iterdir())) == 61
    capsys.readouterr()
    photos = photographed(patterns, tmp_path / "photos")
    command = ["calibrate", "projector", "--images", str(photos), "--profile", str(photos / "profile.yaml"), "--json"]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    profile = load_profile(photos / "profile.yaml")
    assert profile.projector is not None
    assert profile.projector.size_px == SIZE
    assert profile.validation is not None
    assert told["figures"]["max_mm"] == pytest.approx(profile.validation.max_mm)
    assert told["mark"] == Mark.WELL.value
    page = (photos / "profile-report.html").read_text(encoding="utf-8")
    assert told["verdict"] in page
    assert page.count("<circle") == profile.validation.points
    assert json.loads((photos / "profile-report.json").read_text(encoding="utf-8"))["verdict"] == told["verdict"]


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ((), "holds no picture"),
        (("board-070",), "holds no photograph called idle"),
        (("idle", "white"), "holds no photograph called board-"),
        (("idle", "board-070", "board-035_1280x800"), "is 96x54, unlike"),
    ],
    ids=["empty", "no-idle", "no-board", "sizes"],
)
def test_a_folder_that_does_not_do_is_named(
    names: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rig, profile = small_rig()
    save_profile(tmp_path / "profile.yaml", profile)
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in names:
        image = rig.read().image
        cv2.imwrite(str(folder / f"{name}.png"), image[:54, :96] if "1280" in name else image)
    command = ["calibrate", "projector", "--images", str(folder), "--profile", str(tmp_path / "profile.yaml")]
    assert main(command) == 2
    assert says in capsys.readouterr().err
    assert load_profile(tmp_path / "profile.yaml").projector is None


def test_photographs_of_no_told_size_are_taken_for_the_profiles_or_full_hd(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    patterns = exported(tmp_path / "patterns")
    for name in ("idle", "board-070", "board-050"):
        (patterns / f"{name}_960x540.png").rename(tmp_path / f"{name}.png")
    capsys.readouterr()
    assert read_photographs(tmp_path, None)[1] == (1920, 1080)
    assert "names do not tell the projector's size; taken as 1920x1080" in capsys.readouterr().err
    assert read_photographs(tmp_path, None, (1280, 800))[1] == (1280, 800)
    capsys.readouterr()
    assert read_photographs(tmp_path, (800, 600))[1] == (800, 600)
    assert capsys.readouterr().err == ""
    (tmp_path / "board-070.png").rename(tmp_path / "board-100.png")
    with pytest.raises(ConfigError, match=r"board-100\.png: shows the pattern board-070"):
        read_photographs(tmp_path, SIZE)


def test_a_refusal_is_told_with_its_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patterns = exported(tmp_path / "patterns")
    photos = photographed(patterns, tmp_path / "photos", ("idle", "board-070"))
    for path in photos.glob("*.jpg"):
        cv2.imwrite(str(path), read_image(path)[:, ::-1])
    capsys.readouterr()
    command = ["calibrate", "projector", "--images", str(photos), "--profile", str(photos / "profile.yaml"), "--json"]
    assert main(command) == 2
    assert json.loads(capsys.readouterr().out)["refused"] == "mirrored"


def test_a_profile_is_needed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "projector", "--images", str(tmp_path), "--profile", str(tmp_path / "none.yaml")]) == 2
    assert "none.yaml" in capsys.readouterr().err


def test_the_size_of_a_pattern_must_be_a_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "projector", "--export-patterns", str(tmp_path / "p"), "--projector", "wide"]) == 2
    assert "'wide': must be WIDTHxHEIGHT" in capsys.readouterr().err
    assert not (tmp_path / "p").exists()


@pytest.mark.slow
def test_a_mat_with_markers_of_another_kind_is_calibrated_from_folders(tmp_path: Path) -> None:
    places = {12: (-265, -165), 10: (265, -165), 13: (265, 165), 11: (-265, 165)}
    spec = replace(small_spec("blue"), markers=Markers("DICT_APRILTAG_36h11", 52.0, places))
    rig = SimulatedRig(spec)
    patterns, table, photos = exported(tmp_path / "patterns"), tmp_path / "table", tmp_path / "photos"
    table.mkdir()
    photos.mkdir()
    for number in range(2):
        cv2.imwrite(str(table / f"{number}.jpg"), rig.read().image)
    for name in NEEDED:
        rig.show(read_image(patterns / f"{name}_960x540.png")[..., 0])
        for _ in range(spec.delay_frames + 1):
            rig.read()
        cv2.imwrite(str(photos / f"{name}_960x540.png"), rig.read().image)
    profile, markers = tmp_path / "profile.yaml", tmp_path / "markers.yaml"
    save_draft(profile, Draft("", Camera("", SIZE, spec.camera.lens, {}, {})))
    told = ", ".join(f"{n}: [{x}, {y}]" for n, (x, y) in places.items())
    markers.write_text(f"dictionary: DICT_APRILTAG_36h11\nsize_mm: 52\ncentres_mm: {{{told}}}\n", encoding="utf-8")
    step = ["calibrate", "table", "--images", str(table), "--markers", str(markers), "--profile", str(profile)]
    assert main([*step, "--mat", "600x400"]) == 0
    assert main(["calibrate", "projector", "--images", str(photos), "--profile", str(profile)]) == 0
    made = load_profile(profile)
    assert made.projector is not None
    grid = grid_mm(spec.mat_mm)
    assert rig.overlay_error_mm(made.projector.map.map(grid), grid).max() < 0.7
