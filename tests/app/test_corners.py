"""Calibrating by hand: clicks and keys, the loop with a scripted desk, the command."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from app.calibrating import Clicked, Closed, Dragged, Input, Pressed, work_through
from app.corners import CornerWork, begin, camera_picture, click, dots_picture, drag, finish, press
from app.desk import WindowDesk
from app.main import main
from calibration.corners import mat_corners_mm
from calibration.profile import load_profile
from engine.events import Words
from projection import window as screen

MAT = (1000.0, 640.0)
CORNERS = ((200.0, 600.0), (1100.0, 600.0), (1100.0, 80.0), (200.0, 80.0))


def clicked(projector_px: tuple[int, int] | None = None) -> CornerWork:
    work = begin((1280, 720), MAT, projector_px)
    for x, y in CORNERS:
        work = click(work, x, y)
    return work


def test_corners_are_asked_for_by_name_in_order() -> None:
    work = begin((1280, 720), MAT)
    asked: list[str] = []
    for x, y in CORNERS:
        asked.append(work.words.en)
        work = click(work, x, y)
    assert asked == [f"click the mat's {name} corner" for name in ("near left", "near right", "far right", "far left")]
    assert work.words.en == "correct corners with the mouse, or 1-4 and the arrows, then Enter"


def test_a_corner_is_chosen_and_nudged() -> None:
    work = press(press(press(clicked(), "2"), "left"), "down", far=True)
    assert list(work.corners) == [CORNERS[0], (1099, 620), *CORNERS[2:]]
    work = click(work, 900, 500)
    assert work.corners[1] == (900, 500)


def test_a_corner_is_taken_by_the_mouse_and_dragged() -> None:
    work = drag(click(begin((1280, 720), MAT), 100, 500), 104, 503)
    assert list(work.corners) == [(104, 503)]
    work = click(clicked(), 1110, 590)
    assert (work.active, work.corners) == (1, CORNERS)
    assert drag(work, 1400, 590).corners[1] == (1279, 590)
    assert drag(begin((1280, 720), MAT), 5, 5).corners == ()


def test_nudging_stops_at_the_edge_of_the_picture() -> None:
    work = press(clicked(), "1")
    for _ in range(20):
        work = press(work, "left", far=True)
    assert work.corners[0] == (0, 600)


def test_backspace_takes_back_a_corner() -> None:
    work = press(clicked(), "backspace")
    assert work.corners == CORNERS[:3]
    assert work.words.en == "click the mat's far left corner"


def test_corners_that_cannot_be_stay_with_the_reason() -> None:
    work = begin((1280, 720), MAT)
    for x, y in CORNERS[::-1]:
        work = click(work, x, y)
    work = press(work, "return")
    assert not work.done
    assert "mirrored" in work.problem
    assert press(work, "up").problem == ""


def test_without_a_projector_the_corners_are_all() -> None:
    work = press(clicked(), "return")
    assert work.done
    profile, _ = finish(work, "now", "cam")
    assert profile.projector is None
    assert np.allclose(profile.view().table_mm(CORNERS), mat_corners_mm(MAT))


def test_then_each_dot_is_laid() -> None:
    work = press(clicked((1280, 800)), "return")
    assert work.words.en.startswith("lay the lit dot onto the mat's near left corner")
    for _ in range(4):
        work = press(work, "right", far=True)
        assert not work.done
        work = press(work, "return")
    assert work.done
    profile, _ = finish(work, "now", "cam", display={"name": "EPSON"})
    assert profile.projector is not None
    assert np.allclose(profile.projector.projector_from_table.map([[0, 0]]), [[659.5, 399.5]], atol=0.5)


def test_dots_of_a_projector_that_hangs_the_other_way_are_turned() -> None:
    work = press(clicked((1280, 800)), "return")
    turned = press(press(work, "r"), "r")
    assert turned.dots == work.dots[2:] + work.dots[:2]
    for _ in range(4):
        turned = press(turned, "return")
    assert turned.done


def test_backspace_leads_from_the_dots_back_to_the_corners() -> None:
    work = press(press(clicked((1280, 800)), "return"), "return")
    assert (work.laying, work.active) == (True, 1)
    work = press(press(work, "backspace"), "backspace")
    assert not work.laying
    assert work.corners == CORNERS
    again = press(work, "return")
    assert again.laying


@pytest.mark.parametrize("key", ["x", "escape", "left", "1", "r", "tab"])
def test_keys_that_mean_nothing_yet_change_nothing(key: str) -> None:
    work = begin((1280, 720), MAT)
    assert press(work, key) == work


def test_only_the_dots_are_lit_and_the_active_one_is_told_apart_by_shape() -> None:
    work = press(clicked((320, 200)), "return")
    picture = dots_picture(work)
    lit = picture.max(axis=2) > 0
    assert picture.shape == (200, 320, 3)
    x, y = (round(v) for v in work.dots[0])
    assert lit[y, x]
    assert lit[y - 22, x]  # the ring
    x, y = (round(v) for v in work.dots[1])
    assert lit[y, x]
    assert not lit[y - 22, x]
    assert lit.mean() < 0.05
    assert not dots_picture(begin((1280, 720), MAT, (320, 200))).any()


def test_the_loupe_shows_what_lies_under_the_corner_in_hand() -> None:
    image = np.zeros((720, 1280, 3), np.uint8)
    image[100:104, 200:204] = (0, 255, 0)
    picture = camera_picture(click(begin((1280, 720), MAT), 201.5, 101.5), image)
    assert (picture[232:488, 512:768] == (0, 255, 0)).all(axis=2).sum() > 500
    assert not (image[400:] > 0).any()


class ScriptedDesk:
    """A desk whose operator does what was written down, one step a look."""

    def __init__(self, script: Sequence[Sequence[Input]]) -> None:
        self._script = list(script)
        self.words: list[str] = []
        self.projected: list[NDArray[np.uint8]] = []

    def inputs(self) -> Iterable[Input]:
        return self._script.pop(0) if self._script else (Closed(),)

    def show(self, picture_bgr: NDArray[np.uint8], words: Words, problem: str) -> None:
        self.words.append(problem or words.en)

    def project(self, picture_rgb: NDArray[np.uint8]) -> None:
        self.projected.append(picture_rgb)


def black() -> NDArray[np.uint8]:
    return np.zeros((720, 1280, 3), np.uint8)


def test_an_operator_works_through_corners_and_dots() -> None:
    clicks: list[Sequence[Input]] = [(Clicked(x - 3, y), Dragged(x, y)) for x, y in CORNERS]
    desk = ScriptedDesk([*clicks, (Pressed("return"),), (Pressed("left", far=True),), (), *[(Pressed("return"),)] * 4])
    work = work_through(begin((1280, 720), MAT, (640, 400)), black, desk)
    assert work is not None
    assert work.done
    assert work.corners == CORNERS
    assert work.dots[0][0] == pytest.approx(639 / 8 - 20)
    assert len(desk.projected) == 6  # dark, four dots lit in turn, one nudge; nothing is projected twice


def test_closing_the_window_makes_no_profile() -> None:
    assert work_through(begin((1280, 720), MAT), black, ScriptedDesk([(Clicked(1, 2),), (Closed(),)])) is None


def picture(tmp_path: Path) -> str:
    path = tmp_path / "seen.png"
    cv2.imwrite(str(path), black())
    return str(path)


AT = ("200,600", "1100,600", "1100,80", "200,80")


def test_the_command_makes_and_shows_a_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "profile.yaml"
    words = ["calibrate", "--corners", "--image", picture(tmp_path), "--mat", "1000x640", "--at", *AT]
    dots = ["--projector", "1280x800", "--dots", "100,700", "1200,700", "1200,80", "100,80"]
    assert main([*words, *dots, "--camera", "cam", "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert "the lens is a guess" in said.err
    profile = load_profile(out)
    assert (profile.size_px, profile.mat_mm, profile.camera.id) == ((1280, 720), MAT, "cam")
    assert main(["calibrate", "--show", "--json", "--out", str(out)]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["projector"] == {"size_px": [1280, 800], "display": {}}
    assert main([*words, "--lens", str(out), "--out", str(out)]) == 0
    assert load_profile(out.with_name("profile.yaml.bak1")).projector is not None
    assert load_profile(out).projector is None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"--at": AT[::-1]}, "run clockwise"),
        ({"--at": ("1,2", "3,4", "5,6", "7;8")}, "--at '7;8': must be X,Y"),
        ({"--mat": ("wide",)}, "--mat 'wide': must be width x height"),
        ({"--image": ("none.png",)}, "none.png: there is no such picture"),
        ({"--projector": ("1280x800",)}, "--projector and --dots belong together"),
        ({"--projector": ("big",), "--dots": AT}, "--projector 'big': must be width x height"),
        ({"--lens": ("none.yaml",)}, "none.yaml: cannot be read"),
    ],
    ids=["backwards", "no number", "no mat", "no picture", "no dots", "no size", "no lens"],
)
def test_a_wrong_argument_is_one_sentence_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, tuple[str, ...]], sentence: str
) -> None:
    out = tmp_path / "p.yaml"
    options: dict[str, tuple[str, ...]] = {"--image": (picture(tmp_path),), "--at": AT, "--out": (str(out),)}
    words = [word for name, values in (options | change).items() for word in (name, *values)]
    assert main(["calibrate", "--corners", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert not out.exists()


def test_a_file_that_is_no_picture_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.png"
    path.write_text("hello")
    assert main(["calibrate", "--corners", "--image", str(path), "--at", *AT, "--out", str(tmp_path / "p")]) == 2
    assert "x.png: is no picture that can be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("happened", "said"),
    [
        (screen.Key("return"), Pressed("return")),
        (screen.Key("keypad enter"), Pressed("return")),
        (screen.Key("[3]"), Pressed("3")),
        (screen.Key("left", True), Pressed("left", True)),
        (screen.Key("escape"), Closed()),
        (screen.Quit(), Closed()),
        (screen.Click(0, 3, 4), Clicked(3, 4)),
        (screen.Drag(0, (1, 2), (3, 4), False), Dragged(3, 4)),
        (screen.Click(0, 3, 4, 3), None),
        (screen.Click(1, 3, 4), None),
        (screen.Seek(0.5), None),
    ],
    ids=repr,
)
def test_the_windows_inputs_are_told_in_words_of_calibrating(happened: screen.Input, said: Input | None) -> None:
    desk = WindowDesk(ScriptedScreen((happened,)))
    assert tuple(desk.inputs()) == (() if said is None else (said,))


class ScriptedScreen:
    """A window that reports what it was given and keeps what it was shown."""

    def __init__(self, inputs: tuple[screen.Input, ...] = ()) -> None:
        self._inputs = inputs
        self.shown: list[tuple[NDArray[np.uint8], str, str]] = []

    def inputs(self) -> tuple[screen.Input, ...]:
        return self._inputs

    def show(self, panels: Sequence[screen.Panel], status: str = "", help_line: str = "") -> None:
        self.shown.append((panels[0].image, status, help_line))


def test_the_desk_shows_the_picture_in_its_colours_and_what_is_wrong() -> None:
    window = ScriptedScreen()
    blue = np.full((4, 4, 3), (255, 0, 0), np.uint8)
    WindowDesk(window).show(blue, Words("click", "クリック"), "")
    WindowDesk(window).show(blue, Words("click", "クリック"), "mirrored")
    assert (window.shown[0][0] == (0, 0, 255)).all()
    assert [shown[1:] for shown in window.shown] == [("クリック", "click"), ("mirrored", "click")]


def test_corners_without_their_picture_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--corners", "--at", *AT, "--out", str(tmp_path / "p")]) == 2
    assert "--at: say with --image FILE" in capsys.readouterr().err


def test_a_camera_that_is_not_there_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--corners", "--camera", "nowhere", "--out", str(tmp_path / "p")]) == 2
    assert "no camera nowhere" in capsys.readouterr().err
