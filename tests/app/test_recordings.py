"""The small recordings that ship replay to what truly happened at their tables."""

from pathlib import Path

import pytest

from app.course import read_course
from app.recording import find_recording
from app.replay import replay
from app.setup import load_setup
from app.trials_said import hearing
from app.verify import verify
from engine import catalogue, journal
from engine.events import Dealt

RECORDINGS = Path(__file__).resolve().parents[2] / "fixtures" / "recordings"
FOLDERS = sorted(path.parent for path in RECORDINGS.glob("*/session.yaml"))
LARGEST = 2_000_000


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_recording_replays_to_the_truth(folder: Path) -> None:
    setup = load_setup(folder)
    assert setup.game.name == folder.name
    run = replay(setup, find_recording(folder), lambda _: None)
    assert run.problem is None
    verdict = verify(run.course, read_course(folder / "truth.jsonl"))
    assert verdict.moves >= 10
    assert verdict.score_differences == ()
    assert [str(difference) for difference in verdict.differences] == []
    truth = journal.load_log((folder / "truth.jsonl").read_text(encoding="utf-8"), "truth.jsonl").events
    assert any(isinstance(event, Dealt) for event in truth)
    heard = hearing(run.events, truth)
    assert heard.missed == () and heard.false == ()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_recording_is_small(folder: Path) -> None:
    assert sum(path.stat().st_size for path in folder.iterdir()) <= LARGEST


def test_every_game_has_one_and_how_it_was_made_is_told() -> None:
    assert [folder.name for folder in FOLDERS] == list(catalogue.names())
    told = (RECORDINGS / "README.md").read_text(encoding="utf-8")
    assert all(f"--game {name} " in told for name in catalogue.names())
