"""Orders typed as lines, beside or instead of a window: one thread reads, the loop takes what has come."""

import queue
import threading
from typing import TextIO

from app.orders import HELP, AnyOrder, parse
from app.output import progress
from engine.errors import ConfigError


class LineOrders:
    """Reads orders from `lines`, one a line, until they end. A line that is no order is answered with what there is."""

    def __init__(self, lines: TextIO) -> None:
        self._lines = lines
        self._orders: queue.SimpleQueue[AnyOrder] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._listen, name="orders", daemon=True)
        self._thread.start()

    def take(self) -> tuple[AnyOrder, ...]:
        """What has been ordered since it was last asked."""
        taken = []
        while not self._orders.empty():
            taken.append(self._orders.get())
        return tuple(taken)

    def join(self) -> None:
        """Waits until the lines have ended."""
        self._thread.join()

    def _listen(self) -> None:
        for line in self._lines:
            if line.strip() in ("", "?", "help"):
                progress(f"orders: {HELP}")
                continue
            try:
                order = parse(line)
            except ConfigError as error:
                progress(f"hanafuda: {error}")
                continue
            self._orders.put(order)
