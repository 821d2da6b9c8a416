"""Recordings of the simulated table are sessions as the formats say."""

import json
from pathlib import Path

import pytest
import yaml

from app.simulator.record import main
from calibration.layout import load_layout
from calibration.profile import load_profile


def run(folder: Path, *more: str) -> int:
    return main([str(folder), "--seed", "3", "--size", "320x180", "--fps", "5", "--frames", "40", *more])


def test_a_recording_holds_all_that_a_session_needs(tmp_path: Path) -> None:
    folder = tmp_path / "session"
    assert run(folder, "--seats", "3", "--look", "wood", "--pace", "0.6") == 0
    session = yaml.safe_load((folder / "session.yaml").read_text())
    assert (session["game"], session["seats"], session["deck"]) == ("chotto-hana-awase", 3, "tsuki")
    layout, profile = load_layout(folder / session["layout"]), load_profile(folder / "calibration.yaml")
    assert profile.size_px == (320, 180)
    assert profile.mat_mm == layout.mat_mm
    assert profile.projector is not None
    times = [json.loads(line) for line in (folder / "frames.jsonl").read_text().splitlines()]
    assert [line["i"] for line in times] == list(range(40))
    assert times[5]["t_s"] == 1.0
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    assert truth[0]["event"] == "dealt" and len(truth[0]["hands"]) == 3
    assert any(line["event"] == "moved" for line in truth)
    first = json.loads((folder / "cards.jsonl").read_text().splitlines()[0])
    assert len(first["cards"]) == 32
    assert (folder / "frames.mkv").stat().st_size > 40 * 2000


def test_a_series_with_slips_of_several_kinds_is_recorded(tmp_path: Path) -> None:
    folder = tmp_path / "session"
    slips = ("--slips", "1", "--slip-kinds", "not_following,turned_too_early")
    options = ("--game", "hiyoko", "--option", "target=2", "--setup", "draw", "--pace", "0.5", "--frames", "260")
    assert run(folder, *options, *slips) == 0
    session = yaml.safe_load((folder / "session.yaml").read_text())
    assert (session["game"], session["options"], session["dealer"]) == ("hiyoko", {"target": 2}, 0)
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    assert [line["event"] for line in truth[:2]] == ["moved", "moved"]
    dealt = next(line for line in truth if line["event"] == "dealt")
    assert dealt["hands"] == [6, 6]
    assert {line["kind"] for line in truth if line["event"] == "slip"} <= {"not_following", "turned_too_early"}
    assert any(line["event"] == "slip" for line in truth)


def test_a_folder_with_something_in_it_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "precious").write_text("mine")
    assert run(tmp_path) == 2
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--size", "big", "--size must look like 960x540"),
        ("--game", "poker", "no game 'poker'"),
        ("--option", "speed=3", "unknown option 'speed'"),
        ("--setup", "draw", "nobody draws for it"),
        ("--seats", "9", "9"),
        ("--deck", "nowhere", "no deck is called 'nowhere'"),
    ],
)
def test_unusable_arguments_are_answered_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, value: str, sentence: str
) -> None:
    assert run(tmp_path / "new", option, value) == 2
    assert sentence in capsys.readouterr().err
