"""Where games are played: the simulated table, headless or in a window, and the table under a real camera."""

import os
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.follow import Moment
from app.lights import Lights
from app.loop import Desk, Ending, Table
from app.output import ProgressLine
from app.play import Wish
from app.setup import Setup
from app.simulator.table import SimulatedTable
from app.tables import Simulated
from vision.values import Frame


def has_display() -> bool:
    """Whether a window can be opened here. `SDL_VIDEODRIVER=dummy` counts as no display."""
    if os.environ.get("SDL_VIDEODRIVER") in ("dummy", "offscreen"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class HeadlessVenue:
    """A simulated table nobody looks at: simulated players play to the end as fast as the machine can."""

    def __init__(self, seed: int, look: str, size_px: tuple[int, int], fps: float) -> None:
        self._seed, self._look, self._size_px, self.fps = seed, look, size_px, fps
        self._number = 0

    @property
    def facts(self) -> Mapping[str, Any]:
        """Seed, look, frame size and rate of the table."""
        return {"seed": self._seed + self._number, "look": self._look, "size_px": list(self._size_px), "fps": self.fps}

    def open(self, wish: Wish, number: int, start_s: float) -> Table:
        """The simulated table; a game that goes on is played unwatched up to `start_s`."""
        self._number = number
        table = Simulated(
            SimulatedTable(
                wish.game,
                wish.seats,
                self._seed + number,
                wish.deck,
                wish.layout,
                self._look,
                self._size_px,
                self.fps,
                dealer=wish.dealer,
            )
        )
        if start_s > 0:
            table.skip_to(start_s)
        return table

    def desk(self, table: Table, _setup: Setup, _lights: Lights) -> Desk:
        """No orders; a line on stderr says how far the game is."""
        line = ProgressLine()
        simulated = table.table if isinstance(table, Simulated) else None

        def watch(frame: Frame, moment: Moment, _picture: NDArray[np.uint8]) -> None:
            if simulated is not None and (moment.events or frame.index % 150 == 0):
                done, total = simulated.progress
                line.show(f"playing: {done} of {total} cards, {frame.t_s:.0f} s of the game")
            if simulated is not None and simulated.over and moment.events:
                line.done()

        return Desk(lambda: (), watch)

    def linger(self, _desk: Desk) -> Ending:
        """Comes back at once."""
        return Ending.NO_MORE_FRAMES
