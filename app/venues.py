"""Where games are played: the simulated table, headless or in a window, and the table under a real camera."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.follow import Moment
from app.lights import Lights
from app.loop import RGB, Desk, Ending, Table
from app.orders import AnyOrder, Order
from app.output import ProgressLine
from app.play import Wish
from app.setup import Setup
from app.simulator.knocks import Knock
from app.simulator.table import SimulatedTable
from app.tables import Simulated
from projection import window
from vision.values import Frame


@dataclass(frozen=True, slots=True)
class SimulatedPlace:
    """What decides the course of simulated games: the first one's seed, the look, frame size and rate.

    `knocks` are what is moved in mid-game; with any the mat has markers, by which that is seen.
    """

    seed: int
    look: str
    size_px: tuple[int, int]
    fps: float
    knocks: tuple[Knock, ...] = ()

    def facts(self, number: int) -> Mapping[str, Any]:
        """What session.yaml says of the game with this number."""
        facts = {"seed": self.seed + number, "look": self.look, "size_px": list(self.size_px), "fps": self.fps}
        return facts | ({"knocks": [str(knock) for knock in self.knocks]} if self.knocks else {})

    def table(self, wish: Wish, number: int, humans: frozenset[int]) -> SimulatedTable:
        """The table of the game with this number."""
        return SimulatedTable(
            wish.game,
            wish.seats,
            self.seed + number,
            wish.deck,
            wish.layout,
            self.look,
            self.size_px,
            self.fps,
            dealer=wish.dealer,
            human_seats=humans,
            mouse_hand=bool(humans),
            knocks=self.knocks,
        )


class HeadlessVenue:
    """A simulated table nobody looks at: simulated players play to the end as fast as the machine can."""

    def __init__(self, place: SimulatedPlace) -> None:
        self._place = place
        self._number = 0
        self.fps = place.fps

    @property
    def facts(self) -> Mapping[str, Any]:
        """Seed, look, frame size and rate of the table."""
        return self._place.facts(self._number)

    def open(self, wish: Wish, number: int, start_s: float) -> Table:
        """The simulated table; a game that goes on is played unwatched up to `start_s`."""
        self._number = number
        table = Simulated(self._place.table(wish, number, frozenset()))
        if start_s > 0:
            table.skip_to(start_s)
        return table

    def desk(self, table: Table, _setup: Setup, _lights: Lights) -> Desk:
        """No orders; a line on stderr says how far the game is."""
        line = ProgressLine()
        simulated = table.table if isinstance(table, Simulated) else None

        def watch(frame: Frame, moment: Moment, _picture: RGB) -> None:
            if simulated is not None and (moment.events or frame.index % 150 == 0):
                done, total = simulated.progress
                line.show(f"playing: {done} of {total} cards, {frame.t_s:.0f} s of the game")
            if simulated is not None and simulated.over and moment.events:
                line.done()

        return Desk(lambda: (), watch)

    def linger(self, _desk: Desk) -> Ending:
        """Comes back at once."""
        return Ending.NO_MORE_FRAMES


class WindowVenue:
    """A simulated table in a window, at the speed of life. `humans` are the seats that the mouse plays."""

    def __init__(self, place: SimulatedPlace, humans: frozenset[int], screen: window.Window) -> None:
        self._place, self._humans, self._screen = place, humans, screen
        self._number = 0
        self.fps = place.fps

    @property
    def facts(self) -> Mapping[str, Any] | None:
        """What rebuilds the table; None where people play, for what they did is in no seed."""
        return None if self._humans else self._place.facts(self._number)

    def open(self, wish: Wish, number: int, start_s: float) -> Table:
        """The simulated table; a game that goes on is played unwatched up to `start_s`."""
        self._number = number
        table = Simulated(self._place.table(wish, number, self._humans), pace=1.0)
        if start_s > 0:
            table.skip_to(start_s)
        return table

    def desk(self, table: Table, setup: Setup, _lights: Lights) -> Desk:
        """The window: pictures, keys, and the mouse as a hand."""
        from app.play_window import WindowDesk

        simulated = table.table if isinstance(table, Simulated) and self._humans else None
        desk = WindowDesk(self._screen, setup, simulated)
        return Desk(desk.orders, desk.watch)

    def linger(self, desk: Desk) -> Ending:
        """Shows the end until the next game or the end is ordered."""
        return wait_for_ending(desk.orders)


def wait_for_ending(orders: Callable[[], Sequence[AnyOrder]], sleep: Callable[[float], Any] = time.sleep) -> Ending:
    """Waits until somebody orders the next game or to quit."""
    while True:
        for order in orders():
            if order is Order.NEXT_GAME:
                return Ending.NEXT_GAME
            if order is Order.QUIT:
                return Ending.QUIT
        sleep(0.03)
