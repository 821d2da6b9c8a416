"""What doctor says of this machine and of scripted cameras, displays and profiles: each line that is not well helps."""

import datetime
import json
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from app import doctor_camera, doctor_display, doctor_places, doctor_profile, doctor_program
from app.doctor import Group, summary
from app.main import main
from calibration.draft import Draft, save_draft
from calibration.findings import Check, Mark
from calibration.mat_markers import mat_markers
from calibration.profile import LensFit, Profile, Projector, Validation, save_profile
from engine.errors import DeviceError
from projection.sdl import DisplayInfo
from tests.app import fakes
from vision.camera_trial import Tried, examine_device


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["doctor", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is plugged in, nothing was made yet."""
    monkeypatch.setenv("HANAFUDA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("app.doctor_camera.list_cameras", lambda: ())


def profile(**changes: Any) -> Profile:
    made = fakes.profile()
    camera = replace(made.camera, id="overhead", fit=LensFit(24, 0.2, 0.25))
    table = replace(made.table, markers=mat_markers(made.table.mat_mm))
    light = Projector((1920, 1080), fakes_light(), {"name": "Beam", "refresh_hz": 60})
    whole = replace(
        made, camera=camera, table=table, projector=light, validation=Validation(35, 0.2, 0.4, 0.6), made_at=today()
    )
    return replace(whole, **changes)


def fakes_light() -> Any:
    from calibration.homography import Homography

    return Homography("projector", "table", np.array([[1.6, 0, 960], [0, -1.6, 540], [0, 0, 1]]))


def today() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def marks(checks: Any) -> dict[str, Mark]:
    return {check.topic: check.mark for check in checks}


def test_with_nothing_connected_all_is_told_and_the_simulated_table_can_be_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) <= 40 and max(len(line) for line in lines) < 220  # one screen
    assert lines[-1].startswith("ready to play at a simulated table")
    code, out, _ = run(capsys, "--json")
    found = json.loads(out)
    assert code == 0 and found["healthy"] is True
    topics = {check["topic"] for check in found["checks"]}
    assert topics >= {"python", "packages", "font", "deck tsuki", "layouts", "data folder", "disk", "camera", "display"}
    assert all(check["fix"] for check in found["checks"] if check["mark"] != "well")


@pytest.mark.parametrize(
    ("content", "topic", "words"),
    [
        ("schema: 99", "calibration", "schema"),
        ("schema: 1\ncamera: 3\n", "calibration", "camera"),
        ("{", "calibration", "calibration.yaml"),
        ("", "calibration", "calibration.yaml"),
    ],
)
def test_a_profile_that_cannot_be_used_must_be_mended(
    content: str, topic: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "calibration.yaml").write_text(content)
    code, out, _ = run(capsys, "--json")
    check = next(c for c in json.loads(out)["checks"] if c["topic"] == topic)
    assert code == 1 and check["mark"] == "bad" and words in check["found"] and "hanafuda calibrate" in check["fix"]


def test_a_profile_without_its_camera_must_be_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "home").mkdir()
    save_profile(tmp_path / "home" / "calibration.yaml", profile())
    code, out, _ = run(capsys)
    assert code == 1
    assert "overhead of the profile is not plugged in" in out and "there is no display here" in out
    assert out.splitlines()[-1] == "not ready: 2 things must be mended first (camera, projector)"


def test_a_profile_that_is_not_there_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "--profile", "no-such.yaml")
    assert code == 2 and out == "" and "no-such.yaml" in err


# the camera


class Webcam:
    """A camera whose picture gets darker with its exposure, three pictures late; `deaf` ones only say so."""

    def __init__(self, size: tuple[int, int] = (64, 48), exposure: float = 160.0, deaf: bool = False) -> None:
        self.size, self.deaf = size, deaf
        self.values = {cv2.CAP_PROP_EXPOSURE: exposure, cv2.CAP_PROP_AUTO_EXPOSURE: 3.0}
        self.light = [exposure] * 4
        self.frozen = False
        self.gain = 0.7
        self.count = 0

    def read(self) -> tuple[bool, Any]:
        self.count += 1
        self.light = [*self.light[1:], self.values[cv2.CAP_PROP_EXPOSURE]]
        level = self.gain * (160.0 if self.deaf else abs(self.light[0]))
        rng = np.random.default_rng(0 if self.frozen else self.count)
        return True, np.clip(rng.normal(level, 3, (self.size[1], self.size[0], 3)), 0, 255).astype(np.uint8)

    def get(self, propId: int, /) -> float:  # noqa: N803
        return self.values.get(propId, 0.0)

    def set(self, propId: int, value: float, /) -> bool:  # noqa: N803
        if propId in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            value = self.size[0] if propId == cv2.CAP_PROP_FRAME_WIDTH else self.size[1]
        self.values[propId] = value
        return True

    def release(self) -> None:
        pass


def tried(device: Webcam, size: tuple[int, int] = (64, 48), fps: float = 30.0) -> Tried:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 1.0
        return now

    return examine_device(device, "overhead", size, fps, "MJPG", {}, clock)


def test_an_exposure_that_obeys_is_seen_in_the_picture_and_set_back() -> None:
    device = Webcam()
    assert tried(device).obeys is True
    assert device.values[cv2.CAP_PROP_EXPOSURE] == 160 and device.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3


def test_a_camera_that_only_says_that_it_obeys_is_found_out() -> None:
    device = Webcam(deaf=True)
    assert tried(device).obeys is False
    assert device.get(cv2.CAP_PROP_EXPOSURE) == 160


def test_a_camera_that_tells_no_exposure_is_not_blamed() -> None:
    device = Webcam(exposure=0.0, deaf=True)
    assert tried(device).obeys is None


def test_a_camera_that_gives_nothing_is_an_error_that_names_it() -> None:
    device = Webcam()
    device.read = lambda: (False, None)  # type: ignore[method-assign]
    with pytest.raises(DeviceError, match="overhead opens but gives no picture"):
        tried(device)


def test_a_frozen_picture_is_seen() -> None:
    device = Webcam()
    device.frozen = True
    assert tried(device).frozen


WELL = Tried((320, 192), 30.0, 90.0, 0.0, False, True, ())


def camera_checks(
    seen: Tried | DeviceError, known: Profile | None, found: tuple[str, ...] = ("overhead",)
) -> list[Check]:
    def attempt(*_: Any) -> Tried:
        if isinstance(seen, DeviceError):
            raise seen
        return seen

    holds = doctor_profile.Known(Path("calibration.yaml"), known)
    return list(doctor_camera.checks(None, holds, True, found, attempt))


def test_a_camera_as_it_was_calibrated_is_well() -> None:
    assert set(marks(camera_checks(WELL, profile())).values()) == {Mark.WELL}


@pytest.mark.parametrize(
    ("seen", "topic", "mark", "words"),
    [
        (replace(WELL, size_px=(640, 480)), "camera", Mark.BAD, "640x480, the profile is for 320x192"),
        (DeviceError("camera overhead opens but gives no picture"), "camera", Mark.BAD, "no picture"),
        (replace(WELL, fps=9.0), "camera rate", Mark.NOTE, "9 pictures a second instead of 15"),
        (replace(WELL, level=2.0), "picture", Mark.BAD, "black"),
        (replace(WELL, frozen=True), "picture", Mark.BAD, "frozen"),
        (replace(WELL, white=0.4), "picture", Mark.NOTE, "too bright"),
        (replace(WELL, obeys=False), "exposure", Mark.NOTE, "does not obey"),
        (replace(WELL, obeys=None), "exposure", Mark.NOTE, "does not tell"),
        (replace(WELL, complaints=("asked for MJPG, got 'YUYV'",)), "camera mode", Mark.NOTE, "YUYV"),
    ],
    ids=["size", "silent", "slow", "black", "frozen", "white", "deaf", "mute", "format"],
)
def test_what_is_wrong_with_a_camera_is_said(seen: Any, topic: str, mark: Mark, words: str) -> None:
    check = next(c for c in camera_checks(seen, profile()) if c.topic == topic)
    assert check.mark is mark and words in check.found and check.fix


def test_several_cameras_and_none() -> None:
    (several,) = camera_checks(WELL, None, ("one", "two"))
    assert several.mark is Mark.NOTE and "one, two" in several.found and "--camera" in several.fix
    (none,) = camera_checks(WELL, None, ())
    assert none.mark is Mark.NOTE


# displays

SCREEN, BEAM = DisplayInfo(0, "Laptop", (1600, 900)), DisplayInfo(1, "Beam", (1920, 1080))
LIGHT = Projector((1920, 1080), fakes_light(), {"name": "Beam", "refresh_hz": 60})


@pytest.mark.parametrize(
    ("found", "wanted", "projector", "hz", "mark", "words"),
    [
        ((SCREEN, BEAM), None, LIGHT, 60.0, Mark.WELL, "1 Beam 1920x1080, 60 pictures"),
        ((SCREEN,), None, None, 60.0, Mark.NOTE, "no second display"),
        ((SCREEN,), None, LIGHT, 60.0, Mark.BAD, "no display called 'Beam'"),
        ((SCREEN, replace(BEAM, size_px=(1280, 720))), None, LIGHT, 60.0, Mark.BAD, "1280x720"),
        ((SCREEN, BEAM), "0", None, 60.0, Mark.NOTE, "the operator's screen"),
        ((SCREEN, BEAM), "Nothing", None, 60.0, Mark.BAD, "no display called"),
        ((SCREEN, BEAM), None, LIGHT, 30.0, Mark.NOTE, "it was 60 when calibrated"),
        ((SCREEN, BEAM), None, LIGHT, 900.0, Mark.NOTE, "does not wait"),
        ((SCREEN, BEAM), None, LIGHT, None, Mark.BAD, "opens on another one"),
    ],
    ids=["well", "one", "gone", "other size", "operator's", "unknown", "slower", "no vsync", "jumps"],
)
def test_what_is_wrong_with_displays_is_said(
    found: tuple[DisplayInfo, ...], wanted: str | None, projector: Any, hz: float | None, mark: Mark, words: str
) -> None:
    def rate(_: DisplayInfo) -> float:
        if hz is None:
            raise DeviceError("a picture for display 1 opens on another one")
        return hz

    check = list(doctor_display.check_displays(found, wanted, projector, rate))[-1]
    assert check.topic == "projector" and check.mark is mark and words in check.found
    assert bool(check.fix) == (mark is not Mark.WELL)


# the profile


@pytest.mark.parametrize(
    ("changes", "topic", "mark", "words"),
    [
        ({}, "light", Mark.WELL, "good: light falls 0.20 mm"),
        ({"made_at": "2020-01-01T00:00:00Z"}, "calibration", Mark.NOTE, "days ago"),
        ({"made_at": "long ago"}, "calibration", Mark.WELL, "long ago"),
        ({"validation": Validation(35, 0.9, 1.4, 2.4)}, "light", Mark.NOTE, "not good"),
        ({"validation": Validation(35, 1.9, 3.4, 5.0)}, "light", Mark.BAD, "not usable"),
        ({"validation": None}, "light", Mark.NOTE, "never measured"),
        ({"projector": None}, "light", Mark.NOTE, "nothing is shown"),
        ({"camera": replace(profile().camera, fit=None)}, "lens", Mark.NOTE, "guessed"),
        ({"table": replace(profile().table, markers=None)}, "mat", Mark.NOTE, "no markers"),
        ({"table": replace(profile().table, mat_mm=(777.0, 555.0))}, "mat", Mark.NOTE, "no built-in layout"),
    ],
    ids=["well", "old", "no date", "usable", "unusable", "unchecked", "dark", "guess", "no markers", "other mat"],
)
def test_what_is_wrong_with_a_profile_is_said(changes: dict[str, Any], topic: str, mark: Mark, words: str) -> None:
    known = doctor_profile.Known(Path("calibration.yaml"), profile(**changes))
    check = next(c for c in doctor_profile.checks(known) if c.topic == topic)
    assert check.mark is mark and words in check.found
    assert bool(check.fix) == (mark is not Mark.WELL)


def test_the_likeliest_cause_of_the_report_is_said(tmp_path: Path) -> None:
    path = tmp_path / "calibration.yaml"
    (tmp_path / "calibration-report.json").write_text(json.dumps({"causes": ["the projector was moved"]}))
    known = doctor_profile.Known(path, profile(validation=Validation(35, 1.9, 3.4, 5.0)))
    assert any("the projector was moved" in check.found for check in doctor_profile.checks(known))


def test_a_draft_needs_its_mat(tmp_path: Path) -> None:
    save_draft(tmp_path / "calibration.yaml", Draft(today(), profile().camera))
    known = doctor_profile.read(tmp_path / "calibration.yaml")
    assert marks(doctor_profile.checks(known))["mat"] is Mark.BAD


# the program and its folders


def test_a_folder_that_cannot_be_written_must_be_mended(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    check = doctor_places.check_folder("data folder", tmp_path / "file" / "home")
    assert check.mark is Mark.BAD and "HANAFUDA_HOME" in check.fix


@pytest.mark.parametrize(("free", "mark"), [(5e10, Mark.WELL), (4e9, Mark.NOTE), (1e8, Mark.BAD)])
def test_disk_space_is_told_as_minutes_of_recording(free: float, mark: Mark) -> None:
    check = doctor_places.check_disk(Path("home"), int(free), (1920, 1080))
    assert check.mark is mark and "of recording" in check.found


def test_packages_that_are_missing_old_or_broken_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {"numpy": "1.26.4", "pygame": "2.6.1", "pyyaml": "6.0.2"}

    def version(name: str) -> str:
        if name not in versions:
            raise PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(doctor_program, "version", version)
    monkeypatch.setattr(doctor_program, "_import_problems", lambda modules: {"pygame": "libSDL2 is not there"})
    texts = ("numpy>=2,<3", "pygame>=2.6,<3", "opencv-python>=5,<6", "pyyaml>=6,<7")
    checks = doctor_program.check_packages([doctor_program.parse_need(text) for text in texts])
    said = {check.topic: check.found for check in checks}
    assert set(said) == {"numpy", "pygame", "opencv-python"} and all(check.mark is Mark.BAD for check in checks)
    assert "1.26.4" in said["numpy"] and "libSDL2" in said["pygame"] and "not installed" in said["opencv-python"]
    assert all("pip install" in check.fix for check in checks)


def test_what_is_needed_is_what_the_program_says_itself() -> None:
    names = {need.package for need in doctor_program.needs()}
    assert names >= {"numpy", "opencv-python", "pygame", "pyyaml", "platformdirs"}
    assert "pytest" not in names


@pytest.mark.parametrize("damage", ["missing font", "damaged deck"])
def test_damage_to_the_program_is_said(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if damage == "missing font":
        from engine.errors import ConfigError

        def gone() -> Any:
            raise ConfigError("fonts: no NotoSansJP font file; reinstall the program")

        monkeypatch.setattr("projection.text.font", gone)
        check = doctor_program.check_fonts()
    else:
        deck = tmp_path / "decks" / "mine"
        deck.mkdir(parents=True)
        (deck / "deck.yaml").write_text("schema: 1")
        check = next(c for c in doctor_program.check_decks(tmp_path) if c.topic == "deck mine")
    assert check.mark is Mark.BAD and check.fix


def test_the_summary_says_what_it_comes_to() -> None:
    well, note, wrong = (
        Check("camera", Mark.WELL, ""),
        Check("camera", Mark.NOTE, "", "x"),
        Check("disk", Mark.BAD, "", "x"),
    )
    told: Callable[..., str] = lambda *checks: summary((Group("table", checks),))  # noqa: E731
    assert told(well).startswith("ready to play at this table")
    assert "simulated" in told(note)
    assert told(note, wrong) == "not ready: 1 thing must be mended first (disk)"
