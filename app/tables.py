"""The tables that can be played at: a simulated one, or a real camera with a projector."""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.crop import crop_of, cropped
from app.simulator.table import SimulatedTable
from app.unseen import Unseen
from calibration.profile import Profile
from vision.values import Frame

logger = logging.getLogger(__name__)


class Simulated:
    """A simulated table, cut to its mat. With `pace` 1 it keeps real time, with None it runs as fast as it can."""

    def __init__(
        self,
        table: SimulatedTable,
        pace: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Any] = time.sleep,
    ) -> None:
        self.table = table
        self._crop = crop_of(table.profile)
        self.profile: Profile = cropped(table.profile, self._crop)
        self._pace, self._clock, self._sleep = pace, clock, sleep
        self._due: float | None = None

    def read(self) -> Frame | None:
        """The next frame of the mat."""
        self._keep_pace()
        frame = self.table.read()
        return None if frame is None else self._crop.of(frame)

    def skip_to(self, t_s: float) -> None:
        """Lets the game go on unwatched until `t_s`."""
        while self.table.clock < t_s and self.table.skip():
            pass

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Projects onto the simulated mat."""
        self.table.show(picture)

    def wait(self) -> None:
        """Stands still: nobody moves while the game is paused."""
        self._sleep(1 / self.table.fps)
        self._due = None

    def close(self) -> None:
        """Nothing to let go of."""

    def _keep_pace(self) -> None:
        if self._pace is None:
            return
        now = self._clock()
        if self._due is not None and self._due > now:
            self._sleep(self._due - now)
        self._due = max(self._due or now, now - 0.2) + 1 / (self.table.fps * self._pace)


class Real:
    """A camera and, if the profile knows one, a projector. Frames are cut to the mat before anybody sees them.

    `start_s` is the session's time at which it begins, more than 0 when a session goes on.
    """

    def __init__(
        self,
        read: Callable[[], Frame | None],
        show: Callable[[NDArray[np.uint8]], None],
        close: Callable[[], None],
        profile: Profile,
        start_s: float = 0.0,
    ) -> None:
        self._read, self._show, self._close = read, show, close
        self._crop = crop_of(profile)
        self.profile: Profile = cropped(profile, self._crop)
        self._start_s = start_s
        self._first_s: float | None = None
        self._count = 0

    def read(self) -> Frame | None:
        """The newest frame of the mat, its time since the session began."""
        frame = self._read()
        if frame is None:
            return None
        if self._first_s is None:
            self._first_s = frame.t_s
        t_s = self._start_s + frame.t_s - self._first_s
        frame = self._crop.of(replace(frame, t_s=t_s, index=self._count))
        self._count += 1
        return frame

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Projects onto the mat."""
        self._show(picture)

    def wait(self) -> None:
        """Lets a frame pass unread."""
        with suppress(Unseen):
            self._read()

    def close(self) -> None:
        """Lets go of camera and display."""
        self._close()
