"""The replay window with a screen that only remembers: what is shown, and that one can step, seek and leave."""

import itertools
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.commands.replay import read_truth
from app.play import play_games
from app.recording import FrameReader, find_recording
from app.replay_window import Viewer, Worker, asked, status, timeline, watch
from app.setup import load_setup
from app.viewer import Place, Seek, Step
from projection import window
from tests.app.fakes import BlankVenue, facts, told, wish


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session whose log tells of a game that its blank video does not show."""
    made: Path = tmp_path_factory.mktemp("session")
    return play_games(BlankVenue(frames=30), wish(made, made / "game", record=True), None, told(facts()))[0].folder


class Screen:
    """Remembers each status, and asks to leave once the whole run has been compared."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.closed = False

    def inputs(self) -> tuple[window.Input, ...]:
        done = bool(self.shown) and "differ" in self.shown[-1]
        return (window.Key("d"), window.Key("right"), window.Key("q")) if done else ()

    def show(self, panels: Sequence[window.Panel], status: str, help_line: str, timeline: window.Timeline) -> None:
        self.shown.append(status)

    def close(self) -> None:
        self.closed = True


def test_two_pictures_a_timeline_and_words_are_shown(folder: Path) -> None:
    setup, recording = load_setup(folder), find_recording(folder)
    worker = Worker(setup, recording, read_truth(folder))
    worker.wait()
    viewer = Viewer(setup, recording, "en")
    camera, projected = viewer.panels(worker.story, Place(12))
    viewer.close()
    assert worker.story.complete and len(worker.story.moments) == 30
    assert camera.size_px == setup.profile.size_px and projected.image.any()
    assert len(worker.differences) == 13  # the log's moves up to there: nothing of it is to be seen
    bar = timeline(worker.story, Place(12), worker.differences)
    assert bar.position == pytest.approx(12 / 29) and len(bar.differs) == 13
    assert "frame 12 of 30" in status(worker.story, Place(12, False), worker)


def test_the_window_runs_to_the_end_and_tells_by_its_code_that_runs_differ(folder: Path) -> None:
    setup, recording = load_setup(folder), find_recording(folder)
    screens: list[Screen] = []
    ticks = itertools.count()

    def opened(_: str) -> Any:
        screens.append(Screen())
        return screens[0]

    def give_way(_: float) -> None:
        threading.Event().wait(0)  # the pipeline runs in another thread

    code = watch(setup, recording, read_truth(folder), "en", 1e3, opened, lambda: next(ticks) * 0.05, give_way)
    assert code == 1 and screens[0].closed
    assert any("13 moves differ" in status for status in screens[0].shown)


def test_inputs_become_steps_and_others_nothing() -> None:
    inputs: list[window.Input] = [
        window.Key("space"),
        window.Key("x"),
        window.Seek(0.5),
        window.Click(0, 1, 2),
        window.Quit(),
    ]
    assert asked(inputs) == [Step.PLAY_OR_PAUSE, Seek(0.5), Step.QUIT]


def test_pictures_come_by_index_in_any_order(folder: Path) -> None:
    reader = FrameReader(find_recording(folder))
    means = {}
    for index in (5, 6, 2, 29, 5, 0):
        image = reader.image(index)
        assert image is not None
        means[index] = float(np.mean(image))
    reader.close()
    assert means[0] < means[2] < means[5] < means[6] < means[29]
