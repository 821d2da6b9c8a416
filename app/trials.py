"""Trials against a known truth: whole simulated games, and recorded sessions, each with its verdict."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from app.ablation import Parts
from app.commands.replay import read_truth
from app.course import Course, course_of
from app.folder import truth_line
from app.follow import new_follower
from app.lights import Lights
from app.loop import RGB, Desk, play
from app.orders import AnyOrder, Order
from app.recording import find_recording
from app.replay import replay
from app.session import SessionInfo
from app.session_cards import CardCheck, CardTally
from app.setup import Setup, find_layout, load_game, load_setup
from app.simulator.dealing import Setup as Beginning
from app.simulator.ledger import Slip
from app.simulator.players import slip_kinds
from app.simulator.stage import Habits
from app.simulator.surface import LOOKS
from app.simulator.table import SimulatedTable
from app.tables import Simulated
from app.trials_said import SILENT, Hearing, hearing
from app.trials_slips import SlipCheck, check_slips
from app.verify import Verdict, score_differences, verify
from app.worst import Worst
from engine import catalogue, journal
from engine.errors import ConfigError
from engine.events import Dealt, Ended, Event, Fault
from vision.deck import find_deck, load_deck
from vision.values import Frame

LENGTHS: Final = ("rounds", "deals", "target")
"""Options of games that say how many rounds a series has."""
STALLED_S: Final = 180.0
"""A game in which nothing happens for so long has stalled; longer than any clearing of the table."""
_NONE: Final[Mapping[str, Any]] = {}
WHOLE: Final = Parts()
"""Eyes that lack nothing."""


@dataclass(frozen=True, slots=True)
class GameTrial:
    """A simulated game to be played: all that decides its course. An empty `look` is one that `seed` decides.

    `slips`: so often everything that can be done wrong in this game is done wrong, one after the other.
    """

    game: str
    seats: int
    seed: int
    size_px: tuple[int, int]
    look: str = ""
    deck: str = "tsuki"
    options: Mapping[str, Any] = field(default_factory=dict)
    beginning: Beginning = Beginning.DEALT
    slips: int = 0

    @property
    def look_name(self) -> str:
        """How the table looks."""
        return self.look or sorted(LOOKS)[self.seed % len(LOOKS)]

    def __str__(self) -> str:
        size = f"{self.size_px[0]}x{self.size_px[1]}"
        options = "".join(f" {name}={value}" for name, value in self.options.items())
        start = "" if self.beginning is Beginning.DEALT else f", {self.beginning}"
        return (
            f"{self.game}{options} {self.seats} seats, seed {self.seed}, {size}, {self.look_name}, {self.deck}{start}"
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a trial went. `lasts_s` is the game's own time, `took_s` the machine's, `table_s` its share for the table.

    `results`: what differs in the results of rounds before the last. `faults`: codes of the faults that were named
    though nobody did wrong. `slips`: what became of what was done wrong on purpose. `cards`: what was believed of each
    card of the `deck`, where the truth of it is known.
    """

    name: str
    verdict: Verdict
    lasts_s: float
    took_s: float
    table_s: float = 0.0
    rounds: int = 1
    results: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    heard: Hearing = SILENT
    slips: tuple[SlipCheck, ...] = ()
    deck: str = ""
    cards: CardTally = field(default_factory=CardTally)

    @property
    def wrong_results(self) -> tuple[str, ...]:
        """All that differs in the results, of the whole and of each round."""
        return (*self.verdict.score_differences, *self.results)

    def as_dict(self) -> dict[str, Any]:
        """The outcome for `--json`."""
        return {
            "name": self.name,
            **self.verdict.as_dict(),
            "result_differences": list(self.wrong_results),
            "rounds": self.rounds,
            "faults": list(self.faults),
            "signals": self.heard.as_dict(),
            "slips": [slip.as_dict() for slip in self.slips],
            "deck": self.deck,
            "cards": self.cards.as_dict(),
            "lasts_s": round(self.lasts_s, 2),
            "took_s": round(self.took_s, 2),
            "table_s": round(self.table_s, 2),
        }


def length_of(game: str, series: bool) -> Mapping[str, Any]:
    """The options that make a game a series as short as it may be, or one round; none for games of one round."""
    for option in catalogue.rulebook(game).options:
        if option.name in LENGTHS:
            return {option.name: min(value for value in option.allowed if value > 1 or not series)}
    return _NONE


def play_trial(trial: GameTrial) -> Outcome:
    """Plays a simulated game through the whole pipeline, without recording it, and compares it with the truth."""
    game = load_game(trial.game, trial.options, trial.seats, "bench")
    deck = load_deck(find_deck(trial.deck))
    layout = find_layout("", game, trial.seats, Path())
    simulated = SimulatedTable(
        game,
        trial.seats,
        trial.seed,
        deck,
        layout,
        trial.look_name,
        trial.size_px,
        habits=Habits(slip=1.0, slip_kinds=slip_kinds(game, trial.seats), slip_times=trial.slips)
        if trial.slips
        else None,
        setup=trial.beginning,
    )
    table = _Timed(simulated)
    info = SessionInfo(trial.game, trial.seats, 0, "", trial.deck)
    events: list[Event] = []
    start = time.perf_counter()
    setup = Setup(info, game, layout, table.profile, deck)
    follower = new_follower(setup, events.append, table.profile.size_px)
    follower.begin()
    lights = Lights(table.profile, layout, game, "both")
    play(table, follower, lights, Desk(_give_up(simulated), lambda *_: None), lambda: None, None)
    took = time.perf_counter() - start
    return _compared(str(trial), simulated, events, took, table.spent_s)


class _Timed(Simulated):
    """A simulated table that knows how long it has taken itself: `spent_s` of the machine's time."""

    spent_s = 0.0

    def read(self) -> Frame | None:
        """The next frame."""
        start = time.perf_counter()
        frame = super().read()
        self.spent_s += time.perf_counter() - start
        return frame

    def show(self, picture: RGB) -> None:
        """Projects."""
        start = time.perf_counter()
        super().show(picture)
        self.spent_s += time.perf_counter() - start


def _give_up(table: SimulatedTable) -> Callable[[], Sequence[AnyOrder]]:
    """Orders to quit once nothing has happened for too long."""

    def orders() -> Sequence[AnyOrder]:
        last = table.truth[-1].t_s if table.truth else 0.0
        return (Order.QUIT,) if table.clock - last > STALLED_S else ()

    return orders


def _compared(name: str, table: SimulatedTable, events: Sequence[Event], took: float, spent: float) -> Outcome:
    truth = [event for event in table.truth if not isinstance(event, Slip)]
    slips = [event for event in table.truth if isinstance(event, Slip)]
    true = course_of(json.loads(truth_line(event)) for event in truth)
    run = course_of(json.loads(journal.dump(event)) for event in events)
    checks, other = check_slips(events, table.truth)
    return Outcome(
        name,
        verify(run, true),
        table.clock,
        took,
        spent,
        sum(isinstance(event, Dealt) for event in truth),
        tuple(result_differences(events, truth)),
        tuple(fault.code for fault in other) if slips else _codes(events),
        hearing(events, truth),
        checks,
    )


def _codes(events: Iterable[Event]) -> tuple[str, ...]:
    return tuple(event.code for event in events if isinstance(event, Fault))


def result_differences(run: Sequence[Event], truth: Sequence[Event]) -> Iterator[str]:
    """What differs in the ends of a game and of its rounds before the last; in words."""
    if not any(isinstance(event, Ended) for event in truth):
        yield "the game was broken off: nothing happened any more"
    elif not any(isinstance(event, Ended) for event in run):
        yield "the game has not ended"
    seen, real = _deals(run), _deals(truth)
    if len(seen) != len(real):
        yield f"{len(seen)} deals, truly {len(real)}"
        return
    for number, (got, was) in enumerate(zip(seen[:-1], real[:-1], strict=True), 1):
        yield from (f"deal {number}, {line}" for line in score_differences(got.scores, was.scores))


def _deals(events: Iterable[Event]) -> list[Course]:
    """The course of each deal."""
    parts: list[list[Event]] = []
    for event in events:
        if isinstance(event, Dealt):
            parts.append([])
        if parts:
            parts[-1].append(event)
    return [course_of(json.loads(journal.dump(event)) for event in part) for part in parts]


def play_trials(trials: Sequence[GameTrial], jobs: int = 1) -> Iterator[Outcome]:
    """All trials, `jobs` at a time, each outcome as soon as it is there."""
    if jobs <= 1:
        yield from map(play_trial, trials)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(play_trial, trial) for trial in trials]):
            yield done.result()


def session_outcome(
    folder: Path,
    decks_dirs: Sequence[Path],
    max_moves: int = 1,
    deck: str | None = None,
    parts: Parts = WHOLE,
    worst: Worst | None = None,
) -> Outcome:
    """Replays the session in `folder` and compares it with its truth. Raises ConfigError where it has none.

    `deck` is used instead of the session's, `parts` are what the eyes work with; `worst` is handed looks gone wrong.
    """
    setup = load_setup(folder, decks_dirs, deck)
    truth = read_truth(folder)
    if truth is None:
        raise ConfigError(f"{folder}: there is neither a truth.jsonl nor an events.jsonl to compare with")
    check = CardCheck(folder, setup, worst)
    run = replay(setup, find_recording(folder), lambda _: None, check.see, prepare=parts.fit)
    if run.problem is not None:
        raise run.problem
    return Outcome(
        folder.name,
        verify(run.course, truth, max_moves),
        run.lasts_s,
        run.took_s,
        faults=_codes(run.events),
        deck=setup.deck.name,
        cards=check.tally,
    )


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
