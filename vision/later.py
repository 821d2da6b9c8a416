"""Places of the table that were looked at and could not be decided: a hand was near, or something nearly held."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.changes import Blocks, patches

SETTLE_S: Final = 0.19
"""A place is looked at when nothing there has moved for this long."""
HELD_S: Final = 0.9
"""After this long without motion a place is looked at once more as if no hand were there."""
LATEST_S: Final = 6.0
"""So long a place that keeps moving is waited for."""


@dataclass(frozen=True, slots=True, eq=False)
class Later:
    """Look again at `blocks` from `due_s` on. They have been undecided since `since_s`."""

    due_s: float
    since_s: float
    blocks: Blocks

    def forced(self, t_s: float) -> bool:
        """Whether what rests there counts even if an arm is near."""
        return t_s - self.since_s >= HELD_S - 1e-6


class Undecided:
    """What is still to be looked at."""

    def __init__(self) -> None:
        self._waiting: list[Later] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, blocks: Blocks, t_s: float, since_s: float | None = None, soon: bool = False) -> None:
        """`blocks` could not be decided at `t_s`; `soon`: they may be once a hand that is near has left."""
        since = t_s if since_s is None else since_s
        due = t_s + SETTLE_S if soon else since + HELD_S
        self._waiting.append(Later(min(due, max(since + HELD_S, t_s + SETTLE_S)), since, blocks))

    def due(self, t_s: float) -> list[Later]:
        """Takes out what is to be looked at now."""
        due = [later for later in self._waiting if later.due_s <= t_s + 1e-6]
        self._waiting = [later for later in self._waiting if later.due_s > t_s + 1e-6]
        return due

    def wait(self, later: Later, blocks: Blocks, t_s: float) -> None:
        """The part `blocks` of a place that is due keeps moving: it is waited for, but not for ever."""
        if blocks.any() and t_s - later.since_s < LATEST_S:
            self._waiting.append(Later(t_s + SETTLE_S, later.since_s, blocks))

    def all(self) -> list[Later]:
        """Takes out everything."""
        waiting, self._waiting = self._waiting, []
        return waiting

    def joined(self, quiet: Sequence[Blocks]) -> list[Blocks]:
        """The patches `quiet` with all that they touch of what is undecided: a card may lie in both."""
        if not quiet:
            return []
        fresh = np.logical_or.reduce(quiet)
        touched = [later.blocks for later in self._waiting if (later.blocks & fresh).any()]
        self._waiting = [later for later in self._waiting if not (later.blocks & fresh).any()]
        return list(patches(np.logical_or.reduce([fresh, *touched])))
