"""Playing: one game after the other at a table, each in its own session folder."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from app.folder import EventLog, Unfinished, make_folder, mend, write_truth
from app.follow import Follower, Log, new_follower
from app.lights import Lights
from app.loop import Desk, Ending, Table, play
from app.output import progress
from app.recorder import Recorder, bytes_a_minute
from app.session import SessionInfo
from app.setup import Setup
from app.tables import Simulated
from app.wrong_frame import Reporting
from calibration.layout import Layout
from engine import referee
from engine.events import Tally
from engine.game import Game
from engine.yaku import winners
from vision.deck import Deck

Follow = Callable[[Setup, Log, tuple[int, int]], Follower]
"""Makes eyes and referee for a game, given where events go and the size of the frames."""


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """What is to be played, checked. `out` is the session's folder if one was named, else one is made in `sessions`."""

    game: Game[Any]
    seats: int
    dealer: int
    deck: Deck
    deck_name: str
    layout: Layout
    language: str
    record: bool
    out: Path | None
    sessions: Path


@dataclass(frozen=True, slots=True)
class Result:
    """How a game went: final tallies and winners where it ended, and the session's folder."""

    folder: Path
    ending: Ending
    ended: bool
    seats: tuple[Tally, ...]
    winner: tuple[int, ...]
    next_dealer: int


class Venue(Protocol):
    """Where games take place: a camera's table or a simulated one."""

    @property
    def fps(self) -> float:
        """Frames a second that its table gives."""
        ...

    @property
    def facts(self) -> Mapping[str, Any] | None:
        """What rebuilds a simulated table; None for a real one."""
        ...

    def open(self, wish: Wish, number: int, start_s: float) -> Table:
        """The table for the game with this number (0 is the first), which goes on at `start_s` if that is not 0."""
        ...

    def desk(self, table: Table, setup: Setup, lights: Lights, /) -> Desk:
        """The operator's side for a game."""
        ...

    def linger(self, desk: Desk, /) -> Ending:
        """The game is over: shows the end until something is ordered, or comes back at once."""
        ...


def play_games(
    venue: Venue, wish: Wish, unfinished: Unfinished | None = None, follow: Follow = new_follower
) -> list[Result]:
    """Plays until nobody asks for a next game. Each one starts with the dealer that the rules name."""
    results: list[Result] = []
    while True:
        result = play_one(venue, wish, len(results), unfinished, follow)
        results.append(result)
        if result.ending is not Ending.NEXT_GAME:
            return results
        wish, unfinished = replace(wish, dealer=result.next_dealer, out=None), None


def play_one(venue: Venue, wish: Wish, number: int, unfinished: Unfinished | None, follow: Follow) -> Result:
    """One game, from its first frame, or from where it was broken off, to its end or to an order."""
    start_s = 0.0 if unfinished is None else unfinished.t_s
    table = venue.open(wish, number, start_s)
    info = SessionInfo(
        game=wish.game.name,
        seats=wish.seats,
        dealer=wish.dealer,
        layout="layout.yaml",
        deck=wish.deck_name,
        options=wish.game.options,
        started_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        software="hanafuda-table",
        simulated=venue.facts,
        projected="" if table.profile.projector is None else wish.language,
    )
    setup = Setup(info, wish.game, wish.layout, table.profile, wish.deck)
    first_index = 0
    if unfinished is None:
        folder = wish.out or _new_folder(wish.sessions, info)
        make_folder(folder, info, wish.layout, table.profile)
    else:
        folder, first_index = unfinished.folder, mend(unfinished)
    log = EventLog(folder)
    recorder = Recorder(folder, venue.fps, first_index) if wish.record else None
    _announce(folder, recorder, table, venue.fps)
    reporting: Reporting | None = None
    try:
        follower = follow(setup, log.append, table.profile.size_px)
        if unfinished is None:
            follower.begin()
        else:
            follower.restore(unfinished.events)
        lights = Lights(table.profile, wish.layout, wish.game, wish.language)
        desk = venue.desk(table, setup, lights)
        reporting = Reporting(desk, setup, folder)
        ending = play(table, follower, lights, reporting.desk(), log.sync, recorder)
        if ending is Ending.NO_MORE_FRAMES:
            ending = venue.linger(desk)
    finally:
        table.close()
        if recorder is not None:
            recorder.close()
        log.close()
        if reporting is not None:
            reporting.close()
        if isinstance(table, Simulated):
            write_truth(folder, table.table.truth)
    return _result(folder, ending, follower)


def _result(folder: Path, ending: Ending, follower: Follower) -> Result:
    session = follower.session
    tallies = tuple(session.game.score(session.state)) if session.state is not None else ()
    winner = winners(tallies) if session.ended else ()
    return Result(folder, ending, session.ended, tallies, winner, referee.next_dealer(session))


def _new_folder(sessions: Path, info: SessionInfo) -> Path:
    stem = f"{datetime.now():%Y-%m-%d_%H-%M-%S}_{info.game}"
    folder, number = sessions / stem, 2
    while folder.exists():
        folder, number = sessions / f"{stem}_{number}", number + 1
    return folder


def _announce(folder: Path, recorder: Recorder | None, table: Table, fps: float) -> None:
    """Says whether people are recorded, where, and how large that becomes."""
    if recorder is None:
        progress(f"recording: off (events only, in {folder})")
    else:
        megabytes = bytes_a_minute(table.profile.size_px, fps) / 1e6
        progress(f"recording: on, the mat only, in {folder}, about {megabytes:.0f} MB a minute (--no-record: off)")
