"""The verb `calibrate` with its steps from folders of pictures, from scripted cameras, and through its profiles."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from app import lens_step, table_step
from app.calibrating import Closed, Input, Pressed
from app.lens_picture import lens_picture
from app.main import main
from calibration.board import Board
from calibration.draft import Draft, load_draft, save_draft
from calibration.gathering import Gathering, gather
from calibration.lens import Lens
from calibration.mat_markers import cloth_markers, mat_markers
from calibration.profile import Camera, LensFit, load_profile
from engine.errors import CalibrationError, ConfigError
from engine.events import Words
from tests.calibration.boards import BOARD, Pose, board_texture, random_lens, random_poses, render, view, views
from tests.calibration.mats import Print, mat_picture, seen_by
from tests.calibration.rigs import Rig, look_down

SIZE = (960, 540)
LENS = random_lens(1, SIZE)
RIG = look_down(1250, 0.15, 1.0, dist=(-0.12, 0.02, 0.0005, -0.0003, 0))
MAT = (900.0, 560.0)
FITTED = LensFit(20, 0.2, 0.3)


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small pictures of the board, one of them without it, one blurred."""
    folder = tmp_path_factory.mktemp("boards")
    for i, pose in enumerate(random_poses(1, LENS, SIZE, 12)):
        cv2.imwrite(str(folder / f"{i:02d}.png"), render(LENS, pose, SIZE, i, noise=2, blur_px=2.1 if i == 7 else 0.6))
    cv2.imwrite(str(folder / "empty.png"), np.full((SIZE[1], SIZE[0]), 90, dtype=np.uint8))
    return folder


def test_a_folder_of_pictures_gives_the_lens(boards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "P.yaml"
    code, said, progress = run(capsys, "calibrate", "lens", "--images", boards, "--board", "11x8", "--square-mm", "25",
                               "--marker-mm", "18", "--dictionary", "DICT_5X5_100", "--out", out, "--json")  # fmt: skip
    facts = json.loads(said)
    assert code == 0 and facts["views"] == 11 and facts["file"] == str(out)
    assert (
        "empty.png: no board in the picture" in progress
        and "06.png: used" in progress
        and "07.png: used" not in progress
    )
    assert facts["rms_px"] < 0.3 and facts["holdout_px"] < 0.4
    camera = load_draft(out).camera
    assert camera.size_px == SIZE and camera.fit is not None and camera.fit.views == 11
    assert abs(camera.lens.K[0, 0] / LENS.K[0, 0] - 1) < 0.005


def test_the_pattern_of_older_programs_is_recognised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = Board(8, 6, 30, 22, "DICT_4X4_50", legacy=True)
    folder = tmp_path / "boards"
    folder.mkdir()
    flat = board_texture(other)[::5, ::5]
    for i in range(3):
        cv2.imwrite(str(folder / f"{i}.png"), flat)
    code, _, said = run(capsys, "calibrate", "lens", "--images", folder, "--board", "6x8", "--square-mm", "30",
                        "--marker-mm", "22", "--dictionary", "DICT_4X4_50", "--out", tmp_path / "P.yaml")  # fmt: skip
    assert code == 2 and "the board in the pictures is 8x6 squares, in the pattern of older programs" in said
    assert "only 3 usable pictures" in said and not (tmp_path / "P.yaml").exists()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("lens", "--images", "no/such"), "no/such: there is no such folder"),
        (("lens", "--images", "."), "holds no picture"),
        (("lens", "--images", ".", "--board", "eleven"), "--board 'eleven'"),
        (("lens", "--images", ".", "--marker-mm", "30"), "marker (30 mm) must be smaller than its square (25 mm)"),
        (("lens", "--images", ".", "--dictionary", "DICT_8X8_1"), "DICT_8X8_1"),
        (("table", "--images", "."), "calibration.yaml: the lens is not known yet; run `hanafuda calibrate lens`"),
        (("table", "--images", ".", "--cloth"), "--cloth needs --measured"),
        (("table", "--images", ".", "--mat", "big"), "--mat 'big'"),
        (("table", "--images", ".", "--layout", "no-such"), "no-such"),
        (("table", "--images", ".", "--markers", "no.yaml"), "no.yaml: cannot be read"),
        (("--back",), "calibration.yaml: there is no former profile to go back to"),
        (("--show",), "calibration.yaml: there is no profile yet"),
        ((), "say what to do: lens, table"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input_is_one_sentence(
    words: tuple[str, ...],
    named: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HANAFUDA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "calibrate", *words)
    assert (code, out, err.count("\n")) == (2, "", 1) and named in err
    assert list(tmp_path.iterdir()) == []


def test_pictures_of_another_board_are_told_from_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), board_texture(Board(6, 5, 40, 30))[::5, ::5])
    _, _, said = run(capsys, "calibrate", "lens", "--images", tmp_path, "--out", tmp_path / "P.yaml")
    assert "markers of DICT_5X5_100 are seen, but no board of 11x8 squares" in said
    cv2.imwrite(str(tmp_path / "a.png"), np.full((80, 80), 90, dtype=np.uint8))
    _, _, said = run(capsys, "calibrate", "lens", "--images", tmp_path, "--out", tmp_path / "P.yaml")
    assert "no picture shows a board of DICT_5X5_100; print one with `hanafuda print board`" in said


# The table step


def lens_file(path: Path, lens: Lens = RIG.view.lens, fit: LensFit | None = FITTED) -> Path:
    save_draft(path, Draft("2026-11-30T10:00:00Z", Camera("cam", (1920, 1080), lens, {}, {}, fit)))
    return path


def table_folder(folder: Path, how: Print | None = None, rig: Rig = RIG) -> Path:
    folder.mkdir()
    for i, picture in enumerate(seen_by(rig, mat_markers(MAT), how or Print(), count=2)):
        cv2.imwrite(str(folder / f"{i}.png"), picture)
    return folder


def test_a_folder_of_pictures_gives_the_table_and_show_and_back_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, folder = lens_file(tmp_path / "P.yaml"), table_folder(tmp_path / "table")
    step = ("calibrate", "table", "--images", folder, "--profile", path, "--mat", "900x560")
    code, said, progress = run(capsys, *step, "--measured", "956", "504.5", "--json")
    facts = json.loads(said)
    assert code == 0 and facts["mat_mm"] == [900, 560] and facts["markers"] == [0, 1, 2, 3]
    assert "not measured" not in progress and "2 pictures" in progress
    profile = load_profile(path)
    corner = np.array([450.0, 280.0])
    assert np.linalg.norm(profile.view().table_mm(RIG.view.camera_px(corner)) - corner) < 0.2
    assert profile.table.camera_position_mm is not None
    assert np.allclose(profile.table.camera_position_mm, RIG.camera_mm, atol=2)

    code, said, _ = run(capsys, "calibrate", "--show", "--out", path)
    assert code == 0 and "mat        900 x 560 mm, 4 markers" in said and "former 1" in said and "lens only" in said
    assert run(capsys, "calibrate", "--back", "--out", path)[0] == 0
    code, said, _ = run(capsys, "calibrate", "--show", "--out", path, "--json")
    assert json.loads(said)["mat_mm"] is None and json.loads(said)["former"][0]["number"] == 1
    assert run(capsys, "calibrate", "--back", "--out", path)[0] == 0
    assert load_profile(path).made_at == profile.made_at


def test_a_refused_table_leaves_the_profile_as_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = lens_file(tmp_path / "P.yaml")
    before = path.read_bytes()
    folder = table_folder(tmp_path / "table", Print(hidden=(1,)))
    step = ("calibrate", "table", "--images", folder, "--profile", path, "--mat", "900x560")
    code, out, err = run(capsys, *step)
    assert (code, out) == (2, "") and "1 (near right)" in err
    code, _, err = run(capsys, *step, "--measured", "900", "475")
    assert code == 2 and "printed at 94.2 %" in err
    assert path.read_bytes() == before
    assert {one.name for one in tmp_path.iterdir()} == {"P.yaml", "table", "P-refused.html", "P-refused.json"}


def test_a_guessed_lens_is_refused_and_may_be_used_knowingly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flat = look_down(1250, 0.1)
    path = lens_file(tmp_path / "P.yaml", flat.view.lens, None)
    folder = table_folder(tmp_path / "table", rig=flat)
    step = ("calibrate", "table", "--images", folder, "--profile", path, "--mat", "900x560")
    code, _, err = run(capsys, *step)
    assert code == 2 and "its lens was never measured, it is a guess" in err
    assert run(capsys, *step, "--guessed-lens")[0] == 0


def test_an_implausible_lens_and_pictures_of_another_size_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = table_folder(tmp_path / "table")
    bad = Lens(np.array([[1500.0, 0, 204], [0, 1500, -291], [0, 0, 1]]), np.zeros(5))
    step = ("calibrate", "table", "--images", folder, "--profile", tmp_path / "P.yaml")
    lens_file(tmp_path / "P.yaml", bad)
    assert "past the middle of the picture" in run(capsys, *step)[2]
    lens_file(tmp_path / "P.yaml")
    cv2.imwrite(str(folder / "2.png"), np.zeros((720, 1280), dtype=np.uint8))
    code, _, err = run(capsys, *step)
    assert code == 2 and "2.png is 1280x720" in err and "1920x1080" in err


def test_markers_of_another_mat_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = lens_file(tmp_path / "P.yaml"), table_folder(tmp_path / "table")
    block = tmp_path / "markers.yaml"
    centres = {n: list(c) for n, c in mat_markers(MAT).centres_mm.items()}
    block.write_text(json.dumps({"dictionary": "DICT_4X4_50", "size_mm": 40, "centres_mm": centres}).replace('"', ""))
    code, _, err = run(capsys, "calibrate", "table", "--images", folder, "--markers", block, "--profile", path)
    assert code == 0 and "does not say how large the mat is; taken as 996 x 544 mm by its markers" in err
    assert load_profile(path).table.markers == mat_markers(MAT)
    assert load_profile(path).mat_mm == (996, 544)


def test_a_picture_that_is_none_or_of_another_size_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, folder = lens_file(tmp_path / "P.yaml"), table_folder(tmp_path / "table")
    (folder / "broken.JPG").write_bytes(b"no picture")
    for name in ("2.png", "3.png"):
        (folder / name).write_bytes((folder / "0.png").read_bytes())
    cv2.imwrite(str(folder / "small.png"), np.zeros((90, 160), dtype=np.uint8))
    step = ("calibrate", "table", "--images", folder, "--profile", path, "--mat", "900x560")
    code, _, err = run(capsys, *step)
    assert code == 0 and "broken.JPG: left out, it is no picture that can be read" in err
    assert "small.png: left out, it is 160x90, unlike the others" in err and "4 pictures" in err
    for picture in folder.glob("*.png"):
        picture.unlink()
    code, _, err = run(capsys, *step)
    assert code == 2 and "broken.JPG: is no picture that can be read" in err


def test_own_cloth_needs_the_two_distances_and_the_markers_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, folder = lens_file(tmp_path / "P.yaml"), tmp_path / "table"
    folder.mkdir()
    cloth = cloth_markers(820, 500, 55)
    cv2.imwrite(str(folder / "0.png"), seen_by(RIG, cloth)[0])
    step = ("calibrate", "table", "--images", folder, "--profile", path, "--cloth", "--measured", "820", "500")
    code, _, said = run(capsys, *step, "--mat", "760x480", "--marker-mm", "55")
    table = load_profile(path).table
    assert code == 0 and "not measured" not in said
    assert (table.mat_mm, table.markers) == ((760, 480), cloth)
    code, _, said = run(capsys, *step, "--marker-mm", "0")
    assert code == 2 and "--marker-mm 0" in said


def frames(pictures: Sequence[NDArray[np.uint8]], step_s: float = 0.1) -> Callable[[], tuple[NDArray[np.uint8], float]]:
    """A camera that gives these grey pictures in colour, the last one over and over."""
    count = 0

    def look() -> tuple[NDArray[np.uint8], float]:
        nonlocal count
        picture = pictures[min(count, len(pictures) - 1)]
        count += 1
        return np.repeat(picture[..., None], 3, axis=2), count * step_s

    return look


def test_the_live_table_waits_for_a_covered_marker(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    camera, mat = Camera("", (1920, 1080), RIG.view.lens, {}, {}), table_step.Mat(MAT, mat_markers(MAT))
    covered = seen_by(RIG, mat.markers, Print(hidden=(3,)))
    clear = seen_by(RIG, mat.markers)
    fit = table_step.live(frames([*covered, *covered, *clear]), mat, camera, tmp_path)
    assert fit.pictures == table_step.PICTURES
    assert "not seen: marker 3 (far left)" in capsys.readouterr().err
    with pytest.raises(CalibrationError, match="far left"):
        table_step.live(frames(covered, step_s=40), mat, camera, tmp_path)


def test_distances_are_asked_for_in_words() -> None:
    asked: list[str] = []

    def typing(*answers: str) -> Callable[[str], str]:
        left = list(answers)

        def ask(question: str) -> str:
            asked.append(question)
            return left.pop(0)

        return ask

    assert table_step.ask_measured(mat_markers(MAT), typing("955,5 mm", "504")) == (955.5, 504)
    assert "from the middle of marker 0 to the middle of marker 1 (near edge;" in asked[0] and "956 mm" in asked[0]
    assert table_step.ask_measured(mat_markers(MAT), typing("")) is None
    with pytest.raises(ConfigError, match="'wide' is no length"):
        table_step.ask_measured(mat_markers(MAT), typing("wide"))


# The live lens


class ScriptedDesk:
    """A desk that presses keys at given pictures and keeps what it was shown."""

    def __init__(self, keys: dict[int, Input] | None = None, last: int = 400) -> None:
        self.keys = keys or {}
        self.last = last
        self.shown: list[tuple[NDArray[np.uint8], Words, str]] = []

    def inputs(self) -> Iterable[Input]:
        number = len(self.shown)
        if number >= self.last:
            return (Closed(),)
        return (self.keys[number],) if number in self.keys else ()

    def show(self, picture_bgr: NDArray[np.uint8], words: Words, problem: str) -> None:
        self.shown.append((picture_bgr, words, problem))

    def project(self, picture_rgb: NDArray[np.uint8]) -> None:
        raise AssertionError("the lens needs no projector")


def test_views_are_taken_when_still_and_new_without_a_key() -> None:
    pictures = [
        render(LENS, pose, SIZE, i, noise=2, blur_px=0.6) for i, pose in enumerate(random_poses(1, LENS, SIZE, 9))
    ]
    held = [picture for picture in pictures for _ in range(6)]
    desk = ScriptedDesk({len(held): Pressed("return")})
    found = lens_step.live(BOARD, frames(held), desk)
    assert found is not None and len(found.views) == 9
    assert abs(found.result.lens.K[0, 0] / LENS.K[0, 0] - 1) < 0.01
    white = [bool((picture[0, 0] == 255).all()) for picture, _, _ in desk.shown]
    assert sum(white) == 9  # it flashes for each
    assert {words.en for _, words, _ in desk.shown} > {"good: now hold still"}


def test_closing_the_window_or_too_few_views_give_no_lens() -> None:
    empty = [np.full((SIZE[1], SIZE[0]), 90, dtype=np.uint8)]
    assert lens_step.live(BOARD, frames(empty), ScriptedDesk({3: Closed()})) is None
    desk = ScriptedDesk({2: Pressed("return")}, last=5)
    assert lens_step.live(BOARD, frames(empty), desk) is None
    assert "only 0 usable pictures" in desk.shown[-1][2]
    assert desk.shown[0][1].en == "no board in the picture"


def moving(step_px: float, count: int) -> Iterator[tuple[Gathering, int]]:
    """A board that moves by some px a picture, ten pictures a second."""
    state = Gathering(BOARD)
    lens = random_lens(2)
    for i in range(count):
        shift = np.array([step_px * i * 600 / lens.K[0, 0], 0, 600.0])
        seen = view(lens, Pose(np.eye(3), shift), (1920, 1080), 0.05, i)
        assert seen is not None
        state = gather(state, seen, i / 10)
        yield state, i


def test_a_moving_board_is_not_taken_and_a_still_one_once() -> None:
    assert [len(state.views) for state, _ in moving(15, 8)] == [0] * 8
    assert [len(state.views) for state, _ in moving(0, 8)] == [0, 0, 0, 1, 1, 1, 1, 1]


def test_a_blurred_or_far_board_is_told_why() -> None:
    lens = random_lens(2)
    soft = view(lens, Pose(np.eye(3), np.array([0, 0, 600.0])), (1920, 1080), 0.05, edge_px=7)
    far = view(lens, Pose(np.eye(3), np.array([0, 0, 4000.0])), (1920, 1080), 0.05)
    assert soft is not None and far is not None
    assert gather(Gathering(BOARD), soft, 0).said.en.startswith("not sharp")
    assert gather(Gathering(BOARD), far, 0).said.en == "too small: bring the board nearer"


def test_the_live_picture_ticks_what_is_covered() -> None:
    image = np.full((1080, 1920, 3), 60, dtype=np.uint8)
    some = views(random_lens(3), 3)
    plain, part, whole = (lens_picture(Gathering(BOARD, some[:n]), image) for n in (0, 3, len(some)))
    rings = [int((picture == (80, 160, 255)).all(axis=2).sum()) for picture in (plain, part, whole)]
    assert rings[0] > rings[1] > rings[2] == 0
    bar = [int((picture[-5] == (120, 200, 90)).all(axis=1).sum()) for picture in (plain, part, whole)]
    assert bar == sorted(bar) and bar[0] < 3 and bar[2] > 1900
    assert (image == 60).all()


def test_a_table_seen_from_elsewhere_needs_the_same_size() -> None:
    small = mat_picture(RIG.view, mat_markers(MAT), (960, 540))
    with pytest.raises(CalibrationError, match="the camera's picture is 960x540"):
        table_step.live(frames([small]), table_step.Mat(MAT, mat_markers(MAT)),
                        Camera("", (1920, 1080), RIG.view.lens, {}, {}), Path("P.yaml"))  # fmt: skip
