"""The window of `replay --window`: the pipeline runs ahead in a thread, a person steps through what it believed."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.course import Course
from app.follow import Moment
from app.lights import Lights
from app.overlay import draw_overlay
from app.recording import FrameReader, Recording
from app.replay import Run, events_before, replay
from app.setup import Setup
from app.verify import Difference, verify
from app.viewer import Place, Seek, Step, Story, describe, step, tick
from app.wrong_frame import report_table
from engine import referee
from engine.errors import HanafudaError
from engine.events import Event, Started
from projection import window
from vision.values import Frame

HELP: Final = (
    "space run/pause   left right frame   up down event   home end   d next difference   w report   "
    "click the bar to seek   q quit"
)
_STEPS: Final = {s.value: s for s in Step} | {"escape": Step.QUIT, "p": Step.PLAY_OR_PAUSE}
_RECENT: Final = 4


class _LeftError(Exception):
    """The window was closed while the pipeline still ran."""


class Worker:
    """Runs the pipeline on the recording in a thread and fills `story`; `differences` are known once it is complete."""

    def __init__(self, setup: Setup, recording: Recording, truth: Course | None) -> None:
        self.story = Story(recording.frames)
        self.differences: tuple[Difference, ...] = ()
        self.score_differences: tuple[str, ...] = ()
        self.error: HanafudaError | None = None
        self.broken: Exception | None = None
        self._setup, self._recording, self._truth = setup, recording, truth
        self._wanted = True
        self._thread = threading.Thread(target=self._work, name="replay", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the run at its next frame."""
        self._wanted = False
        self._thread.join()

    def wait(self) -> None:
        """Waits until the run has ended."""
        self._thread.join()

    def _see(self, _: Frame, moment: Moment) -> None:
        if not self._wanted:
            raise _LeftError
        self.story.add(moment)

    def _work(self) -> None:
        try:
            run = replay(self._setup, self._recording, lambda _: None, self._see)
        except _LeftError:
            return
        except HanafudaError as error:
            self.error = error
            return
        except Exception as error:  # a fault of ours must not leave the window waiting for ever
            self.broken = error
            return
        self.error = run.problem
        self._compare(run)
        self.story.complete = True

    def _compare(self, run: Run) -> None:
        if self._truth is not None:
            verdict = verify(run.course, self._truth)
            self.differences, self.score_differences = verdict.differences, verdict.score_differences


class Viewer:
    """Draws one moment of the story: camera with what is believed, projected picture, timeline, words."""

    def __init__(self, setup: Setup, recording: Recording, language: str) -> None:
        self._setup = setup
        self._view = setup.profile.view()
        self._lights = Lights(setup.profile, setup.layout, setup.game, language)
        self._frames = FrameReader(recording)

    def panels(self, story: Story, place: Place) -> tuple[window.Panel, ...]:
        """The two pictures at `place`, which must be worked out already."""
        moment = story.moments[place.index]
        image = self._frames.image(place.index)
        if image is None:
            image = np.zeros((self._setup.profile.size_px[1], self._setup.profile.size_px[0], 3), dtype=np.uint8)
        recent = [i for i in story.event_frames if i <= place.index][-_RECENT:]
        lines = [f"{story.moments[i].t_s:7.2f} s  {describe(e)}" for i in recent for e in story.moments[i].events]
        setup = self._setup
        view = self._view if moment.aim is None else moment.aim.view
        camera = draw_overlay(image, moment.observation, view, setup.layout, setup.deck.card_mm, lines[-8:])
        return (
            window.Panel("camera, with what is believed", camera),
            window.Panel("projected", self._projected(moment)),
        )

    def _projected(self, moment: Moment) -> NDArray[np.uint8]:
        return self._lights.picture(moment)

    def report(self, story: Story, place: Place, folder: Path) -> str:
        """Writes a report on the frame at `place` beside the recording in `folder`; says where it is."""
        moment, image = story.moments[place.index], self._frames.image(place.index)
        if image is None:
            return "this frame cannot be read"
        events = [event for one in story.moments[: place.index + 1] for event in one.events]
        try:
            begun = (*events_before(folder), *events)
            started = begun if begun and isinstance(begun[0], Started) else (_started(self._setup), *begun)
            frame = Frame(image, moment.t_s, moment.index)
            return f"reported: {report_table(folder / 'reports', self._setup, frame, moment, started)}"
        except HanafudaError as error:
            return str(error)

    def close(self) -> None:
        """Closes the recording."""
        self._frames.close()


def _started(setup: Setup) -> Event:
    """The event with which the session's log begins; a replay logs it before its first frame."""
    return referee.begin(setup.game, setup.seats, setup.info.dealer, 0.0).facts[0]


def timeline(story: Story, place: Place, differences: Sequence[Difference]) -> window.Timeline:
    """Where the viewer is, with marks at events and larger ones at differences."""
    last = max(1, story.frames - 1)
    return window.Timeline(
        place.index / last,
        tuple(i / last for i in story.event_frames),
        tuple(story.frame_at(d.t_s) / last for d in differences),
    )


def status(story: Story, place: Place, worker: Worker) -> str:
    """What there is to say at `place`."""
    moment = story.moments[place.index]
    near = [str(d) for d in worker.differences if story.frame_at(d.t_s) == place.index]
    parts = [f"frame {place.index} of {story.frames}", f"{moment.t_s:.2f} s", "running" if place.running else "paused"]
    if not story.complete:
        parts.append("working it out" if worker.error is None else str(worker.error))
    else:
        scores = "; ".join(worker.score_differences)
        parts.append(f"{len(worker.differences)} moves differ" + (f", {scores}" if scores else ""))
    return "   ".join([*parts, *near, *([place.note] if place.note else [])])


def asked(inputs: Sequence[window.Input]) -> list[Step | Seek]:
    """What the inputs of the window ask for; others ask for nothing."""
    found: list[Step | Seek] = []
    for one in inputs:
        match one:
            case window.Key(name) if name in _STEPS:
                found.append(_STEPS[name])
            case window.Seek(position):
                found.append(Seek(position))
            case window.Quit():
                found.append(Step.QUIT)
    return found


def watch(
    setup: Setup,
    recording: Recording,
    truth: Course | None,
    language: str,
    speed: float = 1.0,
    open_window: Callable[[str], window.Window] = window.Window,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Opens the window and stays until it is left; 1 where the run is complete and differs from the truth."""
    screen = open_window(f"replay {recording.folder}")
    worker = Worker(setup, recording, truth)
    viewer = Viewer(setup, recording, language)
    place, shown, due = Place(), None, clock()
    story = worker.story
    try:
        while not place.over:
            inputs = screen.inputs()
            if window.Key("w") in inputs and story.moments:
                place = replace(place, note=viewer.report(story, place, recording.folder))
            for request in asked(inputs):
                place = step(place, request, story, [d.t_s for d in worker.differences])
            if worker.broken is not None:
                raise worker.broken
            if worker.error is not None and not story.moments:
                raise worker.error
            if story.moments and (now := (place, len(story.event_frames), story.complete)) != shown:
                shown = now
                marks = timeline(story, place, worker.differences)
                screen.show(viewer.panels(story, place), status(story, place, worker), HELP, marks)
            due = max(due + _pause_s(story, place) / speed, clock() - 0.2)
            sleep(max(0.005, min(0.1, due - clock())))
            place = tick(place, story)
    finally:
        worker.stop()
        viewer.close()
        screen.close()
    return int(story.complete and bool(worker.differences or worker.score_differences))


def _pause_s(story: Story, place: Place) -> float:
    """Seconds from this frame to the next, as recorded."""
    if place.running and place.index + 1 < len(story.moments):
        return story.moments[place.index + 1].t_s - story.moments[place.index].t_s
    return 0.03
