"""Trials against a known truth: whole simulated games, and recorded sessions, each with its verdict."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from app.commands.replay import read_truth
from app.course import course_of
from app.folder import truth_line
from app.follow import new_follower
from app.lights import Lights
from app.loop import Desk, play
from app.recording import find_recording
from app.replay import replay
from app.session import SessionInfo
from app.setup import Setup, load_game, load_setup
from app.simulator.table import SimulatedTable
from app.tables import Simulated
from app.verify import Verdict, verify
from calibration.layout import builtin_layout
from engine import journal
from engine.errors import ConfigError
from engine.events import Event
from vision.deck import find_deck, load_deck


@dataclass(frozen=True, slots=True)
class GameTrial:
    """A simulated game to be played: all that decides its course."""

    game: str
    seats: int
    seed: int
    size_px: tuple[int, int]
    look: str = "felt"
    deck: str = "tsuki"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a trial went. `lasts_s` is the game's own time, `took_s` the machine's."""

    name: str
    verdict: Verdict
    faults: int
    lasts_s: float
    took_s: float

    def as_dict(self) -> dict[str, Any]:
        """The outcome for `--json`."""
        return {
            "name": self.name,
            **self.verdict.as_dict(),
            "faults": self.faults,
            "lasts_s": round(self.lasts_s, 2),
            "took_s": round(self.took_s, 2),
        }


def play_trial(trial: GameTrial) -> Outcome:
    """Plays a simulated game through the whole pipeline, without recording it, and compares it with the truth."""
    game = load_game(trial.game, {}, trial.seats, "bench")
    deck = load_deck(find_deck(trial.deck))
    layout = builtin_layout(trial.seats)
    table = Simulated(SimulatedTable(game, trial.seats, trial.seed, deck, layout, trial.look, trial.size_px))
    info = SessionInfo(trial.game, trial.seats, 0, "", trial.deck)
    events: list[Event] = []
    start = time.perf_counter()
    setup = Setup(info, game, layout, table.profile, deck)
    follower = new_follower(setup, events.append, table.profile.size_px)
    follower.begin()
    lights = Lights(table.profile, layout, game, "both")
    play(table, follower, lights, Desk(lambda: (), lambda *_: None), lambda: None, None)
    took = time.perf_counter() - start
    truth = course_of(json.loads(truth_line(event)) for event in table.table.truth)
    run = course_of(json.loads(journal.dump(event)) for event in events)
    faults = sum(1 for event in events if type(event).__name__ == "Fault")
    size = f"{trial.size_px[0]}x{trial.size_px[1]}"
    name = f"{trial.game} {trial.seats} seats, seed {trial.seed}, {size}, {trial.look}, {trial.deck}"
    return Outcome(name, verify(run, truth), faults, table.table.clock, took)


def play_trials(trials: Sequence[GameTrial], jobs: int = 1) -> Iterator[Outcome]:
    """All trials in order, `jobs` at a time, each outcome as soon as those before it are there."""
    if jobs <= 1:
        yield from map(play_trial, trials)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(play_trial, trials)


def session_outcome(folder: Path, decks_dirs: Sequence[Path], max_moves: int = 1) -> Outcome:
    """Replays the session in `folder` and compares it with its truth. Raises ConfigError where it has none."""
    setup = load_setup(folder, decks_dirs)
    truth = read_truth(folder)
    if truth is None:
        raise ConfigError(f"{folder}: there is neither a truth.jsonl nor an events.jsonl to compare with")
    run = replay(setup, find_recording(folder), lambda _: None)
    if run.problem is not None:
        raise run.problem
    faults = sum(1 for event in run.events if type(event).__name__ == "Fault")
    return Outcome(folder.name, verify(run.course, truth, max_moves), faults, run.lasts_s, run.took_s)


def session_folders(paths: Iterable[Path]) -> Iterator[Path]:
    """The session folders among `paths` and directly inside them. Raises ConfigError for a path without any."""
    for path in paths:
        if (path / "session.yaml").is_file():
            yield path
            continue
        inside = sorted(p.parent for p in path.glob("*/session.yaml")) if path.is_dir() else []
        if not inside:
            raise ConfigError(f"{path}: is no session folder and holds none")
        yield from inside
