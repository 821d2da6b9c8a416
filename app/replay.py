"""The whole pipeline on a recorded session: what `replay`, `bench` and the replay window share."""

import dataclasses
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.ahead import ahead
from app.course import Course, course_of
from app.follow import Follower, Log, Moment, new_follower
from app.lights import LANGUAGES, Lights
from app.recording import Recording, read_frames
from app.repeat import repeat_of
from app.session import read_text
from app.setup import Setup
from calibration.profile import check_size
from engine import journal
from engine.errors import DeviceError
from engine.events import Event
from vision.values import Frame

See = Callable[[Frame, Moment], None]


@dataclass(frozen=True, slots=True)
class Run:
    """What a replay led to. `lasts_s` is the recording's length, `took_s` how long the run took on this machine."""

    events: tuple[Event, ...]
    frames: int
    lasts_s: float
    took_s: float
    problem: DeviceError | None = None

    @property
    def course(self) -> Course:
        """The run's moves and scores, to be compared."""
        return course_of(json.loads(journal.dump(event)) for event in self.events)


def replay(
    setup: Setup,
    recording: Recording,
    log: Log,
    see: See | None = None,
    clock: Callable[[], float] = time.perf_counter,
    prepare: Callable[[Follower], None] = lambda _: None,
) -> Run:
    """Runs the pipeline on every frame of `recording`; each moment is handed to `see`, the follower first to `prepare`.

    A recording that ends early is run to where it ends, then `problem` says so. Raises DeviceError where no frame can
    be read, CalibrationError where the frames are of another size than the profile's; then nothing was logged.
    """
    frames = ahead(read_frames(recording))
    first = next(frames, None)
    if first is None:
        raise DeviceError(f"{recording.folder}: the video has no frames")
    size_px = (first.image.shape[1], first.image.shape[0])
    check_size(setup.profile, size_px, str(recording.folder / "calibration.yaml"))
    events: list[Event] = []

    def logged(event: Event) -> None:
        events.append(event)
        log(event)

    start = clock()
    follower = new_follower(setup, logged, size_px)
    prepare(follower)
    before = events_before(recording.folder)
    if before:
        follower.restore(before)
    else:
        follower.begin(0.0)
    repeat = repeat_of(recording.folder)
    light = projected_by(setup)
    count, last_s, problem = 0, 0.0, None
    for frame, trouble in _until_trouble(first, frames):
        if frame is None:
            problem = trouble
            break
        ordered = repeat.before(frame.t_s, follower)
        moment = follower.step(frame)
        if ordered:
            moment = dataclasses.replace(moment, events=(*ordered, *moment.events))
        light.shine(moment, follower)
        if see is not None:
            see(frame, moment)
        count, last_s = count + 1, frame.t_s
    follower.finish(last_s)
    return Run(tuple(events), count, last_s, clock() - start, problem)


def events_before(folder: Path) -> tuple[Event, ...]:
    """What happened before the recording in `folder` begins, as in a report of one frame; nothing for a session."""
    path = folder / "before.jsonl"
    return journal.load_log(read_text(path), str(path)).events if path.is_file() else ()


class Lit:
    """The light under which a session was recorded, made anew, since the eyes were told of it."""

    def __init__(self, lights: Lights | None) -> None:
        self._lights = lights
        self._shown: object = None

    def shine(self, moment: Moment, follower: Follower) -> None:
        """Tells the eyes what was projected after `moment`."""
        picture = None if self._lights is None else self._lights.picture(moment)
        if picture is not None and picture is not self._shown:
            follower.lit(picture, moment.t_s)
            self._shown = picture


def projected_by(setup: Setup) -> Lit:
    """The light of a session: none where this program did not project, or nobody knows what."""
    language = setup.info.projected
    return Lit(Lights(setup.profile, setup.layout, setup.game, language) if language in LANGUAGES else None)


def _until_trouble(first: Frame, rest: Iterator[Frame]) -> Iterator[tuple[Frame | None, DeviceError | None]]:
    """The frames, then the error that ended them, if one did."""
    yield first, None
    while True:
        try:
            frame = next(rest, None)
        except DeviceError as error:
            yield None, error
            return
        if frame is None:
            return
        yield frame, None


def paced(see: See | None, speed: float, clock: Callable[[], float], sleep: Callable[[float], Any]) -> See:
    """`see`, and then waiting so that the recording runs `speed` times as fast as it was made."""
    start: list[float] = []

    def wait(frame: Frame, moment: Moment) -> None:
        if see is not None:
            see(frame, moment)
        if not start:
            start.append(clock() - frame.t_s / speed)
        ahead_s = start[0] + frame.t_s / speed - clock()
        if ahead_s > 0:
            sleep(ahead_s)

    return wait
