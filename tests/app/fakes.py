"""A table without pictures: blank frames, and eyes that are told what happens. For all that is not seeing."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from app.follow import Follower, Log
from app.lights import Lights
from app.loop import RGB, Desk, Ending, Table
from app.orders import AnyOrder
from app.play import Wish
from app.setup import Setup
from calibration.homography import Homography
from calibration.layout import builtin_layout
from calibration.lens import Lens
from calibration.profile import Camera, Profile
from calibration.profile import Table as ProfileTable
from calibration.view import TableView
from engine import catalogue
from engine.cards import Card
from engine.events import Dealt, Moved, Place
from engine.referee import Session
from vision.deck import BUILT_IN, Deck
from vision.values import Frame, Observation

SIZE = (320, 192)
FPS = 4.0
GAME = catalogue.load("chotto-hana-awase")
LAYOUT = builtin_layout(2)
DECK = Deck("none", GAME.book.title, BUILT_IN / "tsuki", "none", (33.0, 54.0), 1.1, {})


def profile() -> Profile:
    """A camera straight above the mat of `LAYOUT`."""
    scale = LAYOUT.mat_mm[0] / (SIZE[0] * 0.9)
    rows = [scale, 0, -scale * SIZE[0] / 2, 0, -scale, scale * SIZE[1] / 2, 0, 0, 1]
    lens = Lens(np.array([[300.0, 0, 160], [0, 300, 96], [0, 0, 1]]), np.zeros(5))
    camera = Camera("fake", SIZE, lens, {"fourcc": "MJPG", "fps": 15}, {})
    table = ProfileTable(LAYOUT.mat_mm, Homography.from_rows("table", "camera", rows), (0.0, 0.0, 900.0))
    return Profile("2026-11-30T10:00:00Z", camera, table)


def facts(seed: int = 1) -> tuple[Dealt | Moved, ...]:
    """A whole legal game: the deal at 0.5 s, then a move every half second."""
    chance = random.Random(seed)
    while True:
        cards = list(GAME.deck)
        chance.shuffle(cards)
        hands = tuple(tuple(cards.pop() for _ in range(6)) for _ in range(2))
        field = tuple(cards.pop() for _ in range(8))
        if all(sum(card.month == month for card in field) < 4 for month in range(1, 13)):
            break
    deal = Dealt(0.5, field, hands, len(cards))
    state: Any = GAME.apply(GAME.start(2), deal)
    found: list[Dealt | Moved] = [deal]
    while GAME.to_act(state):
        legal = [m for m in GAME.expected(state) if m.source.zone != "draw" or m.card in cards]
        legal = [m for m in legal if m.source.zone != "captured"]  # nobody changes a choice
        move = chance.choice(legal)
        if move.source == Place("draw"):
            cards.remove(move.card)
        found.append(replace(move, t_s=0.5 + 0.5 * len(found)))
        state = GAME.apply(state, found[-1])
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Told:
    """A reading."""

    facts: tuple[Dealt | Moved, ...]
    observation: Observation


class ToldReader:
    """Eyes that see each fact when its time has come."""

    def __init__(self, script: Sequence[Dealt | Moved]) -> None:
        self._script = list(script)
        self.calls: list[str] = []
        self.lit_s: list[float] = []

    def read(self, frame: Frame, session: Session[Any]) -> Told:
        due = tuple(fact for fact in self._script if fact.t_s <= frame.t_s)
        del self._script[: len(due)]
        return Told(due, Observation(frame.t_s, ()))

    def finish(self, session: Session[Any], t_s: float) -> tuple[Dealt | Moved, ...]:
        return ()

    def lit(self, picture: RGB, t_s: float) -> None:
        self.lit_s.append(t_s)

    def look_again(self) -> None:
        self.calls.append("look again")

    def correct(self, was: Card, now: Card) -> None:
        self.calls.append(f"{was} is {now}")

    def aim(self, view: TableView, projector_from_table: Homography | None) -> None:
        self.calls.append("aim")

    def restore(self, session: Session[Any]) -> None:
        del self._script[: len(session.facts) - 1]  # all but `started` are known


class BlankTable:
    """`count` blank frames at `FPS` from `start_s` on."""

    def __init__(self, count: int, start_s: float = 0.0) -> None:
        self.profile = profile()
        self.shown: list[RGB] = []
        self.read_count = self.waits = 0
        self._count, self._start_s = count, start_s

    def read(self) -> Frame | None:
        if self.read_count >= self._count:
            return None
        image = np.full((SIZE[1], SIZE[0], 3), 90 + self.read_count % 50, dtype=np.uint8)
        frame = Frame(image, self._start_s + self.read_count / FPS, self.read_count)
        self.read_count += 1
        return frame

    def show(self, picture: RGB) -> None:
        self.shown.append(picture)

    def wait(self) -> None:
        self.waits += 1

    def close(self) -> None:
        pass


class Killed(BaseException):
    """What stands for `kill -9` inside a test."""


class BlankVenue:
    """Blank tables, one a game; killed at frame `kill_at` of the first if that is given."""

    def __init__(
        self, frames: int = 125, kill_at: int | None = None, orders: Mapping[int, AnyOrder] | None = None
    ) -> None:
        self.fps = FPS
        self._frames, self._kill_at, self._orders = frames, kill_at, dict(orders or {})

    @property
    def facts(self) -> None:
        return None

    def open(self, wish: Wish, number: int, start_s: float) -> Table:
        self.table = BlankTable(self._frames, start_s)
        return self.table

    def desk(self, table: Table, setup: Setup, lights: Lights) -> Desk:
        def orders() -> Sequence[AnyOrder]:
            order = self._orders.pop(self.table.read_count, None)
            return () if order is None else (order,)

        def watch(frame: Frame, *_: object) -> None:
            if frame.index == self._kill_at:
                raise Killed

        return Desk(orders, watch)

    def linger(self, desk: Desk) -> Ending:
        return Ending.NO_MORE_FRAMES


def wish(tmp_path: Path, out: Path | None = None, record: bool = False) -> Wish:
    return Wish(GAME, 2, 0, DECK, "tsuki", LAYOUT, "en", record, out, tmp_path / "sessions")


def told(script: Sequence[Dealt | Moved]) -> Any:
    """A maker of followers whose eyes are told `script`."""

    def follow(setup: Setup, log: Log, size_px: tuple[int, int]) -> Follower:
        return Follower(setup.game, setup.seats, setup.info.dealer, ToldReader(script), log)

    return follow
