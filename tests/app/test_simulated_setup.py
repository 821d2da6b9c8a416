"""A whole setup on a simulated rig by the commands of the README, and its parts on small pictures."""

import json
from pathlib import Path

import numpy as np
import pytest

from app import simulated_setup
from app.lens_step import live
from app.main import main
from app.simulated_board import BoardHolder
from app.simulated_setup import QuietDesk, put_up
from calibration.board import Board, BoardView, find_board
from calibration.draft import Draft, save_draft
from calibration.lens import Lens
from calibration.profile import Camera, LensFit, load_profile

SIZE = (640, 360)
LENS = Lens(np.array([[520.0, 0, 322], [0, 520, 176], [0, 0, 1]]), np.array([-0.12, 0.02, 0.0, 0.0, 0.0]))
TABLE = np.full((SIZE[1], SIZE[0], 3), (60, 90, 50), np.uint8)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANAFUDA_HOME", str(tmp_path))


def test_the_board_is_held_where_the_lens_puts_it() -> None:
    holder = BoardHolder(Board(), LENS, TABLE, 1.0, 5)
    found = 0
    for _ in range(9):
        image, _ = holder.look()
        assert image.shape == TABLE.shape
        seen = find_board(np.asarray(image.mean(axis=2), dtype=np.uint8), Board(), "view")
        found += isinstance(seen, BoardView)
    assert found >= 6


def test_a_person_with_a_board_gives_the_lens_in_the_code_of_the_real_step() -> None:
    desk = QuietDesk()
    found = live(Board(), BoardHolder(Board(), LENS, TABLE, 1.0, 2).look, desk)
    assert found is not None and desk.picture is not None
    assert found.result.lens.K[0, 0] == pytest.approx(520, rel=0.01)
    assert found.result.fit.rms_px < 0.3


def test_the_table_step_measures_the_rig() -> None:
    bench = put_up(1)
    path = simulated_setup.simulated_path()
    camera = Camera(bench.spec.camera_id, bench.spec.camera.size_px, bench.spec.camera.lens, {}, {}, LensFit(20, 0.1))
    fit = simulated_setup.table(bench, camera, path)
    corners = np.array(list(bench.spec.markers.centres_mm.values()))
    seen = fit.table.table_from_camera.map(camera.lens.undistort(bench.spec.camera.px(corners)))
    assert float(np.linalg.norm(seen - corners, axis=1).max()) < 0.3


def test_a_profile_of_another_rig_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    camera = Camera("simulated-9", (1920, 1080), LENS, {}, {}, LensFit(20, 0.1))
    save_draft(simulated_setup.simulated_path(), Draft("2026-11-30T10:00:00Z", camera))
    code, _, err = run(capsys, "calibrate", "table", "--simulated")
    assert code == 2 and "hanafuda calibrate lens --simulated 1" in err


def test_without_a_lens_the_table_step_says_where_to_begin(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "calibrate", "table", "--simulated")
    assert code == 2 and "hanafuda calibrate lens" in err


@pytest.mark.slow
def test_a_whole_setup_takes_four_commands_and_ends_within_half_a_millimetre(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for step in ("lens", "table", "projector"):
        code, _, err = run(capsys, "calibrate", step, "--simulated", "--json")
        assert code == 0, err
    profile = load_profile(simulated_setup.simulated_path())
    assert profile.validation is not None and profile.validation.max_mm <= 0.5
    assert not (tmp_path / "calibration.yaml").exists()  # the real table's profile is never touched
    report = json.loads((tmp_path / "simulated-report.json").read_text())
    assert report["mark"] == "well" and (tmp_path / "simulated-report.html").is_file()
    code, out, _ = run(capsys, "doctor", "--profile", str(simulated_setup.simulated_path()))
    assert code == 0 and "good: light falls" in out
