"""Session folders: what is written is read back, and every mistake in one is a sentence that names its place."""

from pathlib import Path

import pytest

from app.folder import make_folder
from app.main import main
from app.session import LineLog, SessionInfo, dump_info, load_frames, load_info
from engine.errors import ConfigError, HanafudaError
from tests.app.fakes import LAYOUT, profile

INFO = SessionInfo(
    "chotto-hana-awase", 2, 1, "layout.yaml", "tsuki", {"tie": "shared"}, "2026-11-30T10:00:00Z", "test", {"seed": 3}
)
TEXT = """schema: 1
game: chotto-hana-awase
options: {}
seats: 2
dealer: 0
layout: layout.yaml
deck: tsuki
started_at: 2026-11-30T10:00:00Z
software: studio
"""


def session(folder: Path, text: str = TEXT) -> Path:
    make_folder(folder, INFO, LAYOUT, profile())
    (folder / "session.yaml").write_text(text)
    return folder


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "session.yaml").write_text(dump_info(INFO))
    assert load_info(tmp_path / "session.yaml") == INFO


def test_what_may_be_absent_may_be_absent(tmp_path: Path) -> None:
    path = tmp_path / "session.yaml"
    path.write_text("{schema: 1, game: g, seats: 3, dealer: 2, layout: 3-seats, deck: d}")
    assert load_info(path) == SessionInfo("g", 3, 2, "3-seats", "d")


WRONG = {
    "newer schema": ("schema: 1", "schema: 2", "schema"),
    "no schema": ("schema: 1\n", "", "schema"),
    "no game": ("game: chotto-hana-awase\n", "", "game"),
    "no layout": ("layout: layout.yaml\n", "", "layout"),
    "no deck": ("deck: tsuki\n", "", "deck"),
    "key misspelt": ("dealer: 0", "dealr: 0", "dealr"),
    "seats is text": ("seats: 2", "seats: two", "seats"),
    "seats the game does not allow": ("seats: 2", "seats: 7", "seats"),
    "dealer beyond the seats": ("dealer: 0", "dealer: 2", "dealer"),
    "unknown game": ("game: chotto-hana-awase", "game: poker", "poker"),
    "unknown option": ("options: {}", "options: {speed: 3}", "speed"),
    "option of a wrong value": ("options: {}", "options: {capture_three: some}", "capture_three"),
    "options is a list": ("options: {}", "options: [1]", "options"),
    "unknown deck": ("deck: tsuki", "deck: nothing-like-it", "nothing-like-it"),
    "layout that is not there": ("layout: layout.yaml", "layout: other.yaml", "other.yaml"),
    "layout for other seats": ("layout: layout.yaml", "layout: 3-seats", "3"),
    "no YAML": ("seats: 2", "seats: [2", "session.yaml"),
    "a key twice": ("seats: 2", "seats: 2\nseats: 3", "seats"),
}


@pytest.mark.parametrize(("old", "new", "named"), WRONG.values(), ids=WRONG)
def test_a_wrong_session_is_a_sentence_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, named: str
) -> None:
    assert old in TEXT
    folder = session(tmp_path / "game", TEXT.replace(old, new))
    out = tmp_path / "out.jsonl"
    out.write_text("precious")
    assert main(["replay", str(folder), "--verify", "--events", str(out)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and said.err.startswith("hanafuda: ")
    assert named in said.err and str(folder) in said.err
    assert out.read_text() == "precious"


@pytest.mark.parametrize("name", ["session.yaml", "calibration.yaml", "layout.yaml"])
def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    folder = session(tmp_path / "game")
    (folder / name).unlink()
    assert main(["replay", str(folder)]) == 2
    assert name in capsys.readouterr().err


def test_frame_times_are_read_without_a_torn_last_line(tmp_path: Path) -> None:
    path = tmp_path / "frames.jsonl"
    path.write_text('{"i": 0, "t_s": 0.0}\n{"i": 1, "t_s": 0.1}\n{"i": 2, "t')
    assert [frame.t_s for frame in load_frames(path)] == [0.0, 0.1]
    assert load_frames(tmp_path / "none.jsonl") == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"i": 0, "t_s": 0.0}\nrubbish\n{"i": 2, "t_s": 0.2}\n', 2),
        ('{"i": 0, "t_s": 0.0}\n{"i": 2, "t_s": 0.2}\n{"i": 3, "t_s": 0.3}\n', 2),
        ('{"i": 0, "t_s": 0.5}\n{"i": 1, "t_s": 0.2}\n{"i": 2, "t_s": 0.6}\n', 2),
        ('{"i": 0, "t_s": NaN}\n{"i": 1, "t_s": 0.2}\n', 1),
        ('[0, 0.0]\n{"i": 1, "t_s": 0.2}\n', 1),
    ],
    ids=["no JSON", "a frame is missing", "back in time", "no number", "a list"],
)
def test_wrong_frame_times_name_the_line(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "frames.jsonl"
    path.write_text(text)
    with pytest.raises(ConfigError, match=rf"frames\.jsonl: line {line} "):
        load_frames(path)


def test_a_line_is_with_the_system_once_it_is_appended(tmp_path: Path) -> None:
    with LineLog(tmp_path / "log") as log:
        log.append("one")
        assert (tmp_path / "log").read_text() == "one\n"
    with LineLog(tmp_path / "log") as log:
        log.append("two")
        log.sync()
    assert (tmp_path / "log").read_text() == "one\ntwo\n"


def test_a_profile_of_another_size_than_the_frames_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import numpy as np

    from app.recorder import Recorder
    from vision.values import Frame

    folder = session(tmp_path / "game")
    with Recorder(folder, 4) as recorder:
        recorder.add(Frame(np.zeros((100, 160, 3), dtype=np.uint8), 0.0))
    assert main(["replay", str(folder), "--events", str(tmp_path / "out")]) == 2
    err = capsys.readouterr().err
    assert "320x192" in err and "160x100" in err and "calibration.yaml" in err
    assert not (tmp_path / "out").exists()


def test_all_errors_of_a_session_are_of_the_kind_the_command_line_prints() -> None:
    assert issubclass(ConfigError, HanafudaError)
