"""What the spots heard, held against what hands said: intended and heard, missed, and heard though nobody said it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from app.saying import SHOWN_BY_CARDS
from app.simulator.stage import SAID_AFTER_S
from app.verify import percentile
from engine.events import Event, Signalled

WANTED_S: Final = 1.2
"""A spot should have heard a hand within this time after the hand came to lie on it (issue: spots)."""
_EARLY_S: Final = 0.5
_LATE_S: Final = 4.0


@dataclass(frozen=True, slots=True)
class Hearing:
    """The spots of one game. `delays_s` are the times from the hand lying still to the signal, of those heard.

    `missed` and `false` say which, when and by whom.
    """

    delays_s: tuple[float, ...] = ()
    missed: tuple[str, ...] = ()
    false: tuple[str, ...] = ()

    @property
    def late(self) -> int:
        """How many were heard later than wanted."""
        return sum(delay > WANTED_S for delay in self.delays_s)

    @property
    def good(self) -> bool:
        """Whether everything that was said was heard in time, and nothing else."""
        return not (self.missed or self.false or self.late)

    def __str__(self) -> str:
        said = len(self.delays_s) + len(self.missed)
        slowest = f", slowest {max(self.delays_s):.2f} s" if self.delays_s else ""
        return f"{len(self.delays_s)} of {said} spots heard{slowest}, {len(self.false)} false"

    def as_dict(self) -> dict[str, Any]:
        """The fields for `--json`; times in seconds."""
        median, worst = percentile(self.delays_s, 50), percentile(self.delays_s, 100)
        return {
            "said": len(self.delays_s) + len(self.missed),
            "heard": len(self.delays_s),
            "late": self.late,
            "p50_s": None if median is None else round(median, 3),
            "max_s": None if worst is None else round(worst, 3),
            "missed": list(self.missed),
            "false": list(self.false),
        }


SILENT: Final = Hearing()
"""Nothing was said and nothing heard."""


def hearing(run: Iterable[Event], truth: Iterable[Event]) -> Hearing:
    """Each spot that was truly covered paired with the next signal of its name and seat; what is left over is false."""
    left, delays, missed = _said(run), [], []
    for said in _said(truth):
        heard = next((s for s in left if (s.name, s.seat) == (said.name, said.seat) and _near(s, said)), None)
        if heard is None:
            missed.append(_words(said))
            continue
        left.remove(heard)
        delays.append(heard.t_s - said.t_s + SAID_AFTER_S)
    return Hearing(tuple(delays), tuple(missed), tuple(_words(signal) for signal in left))


def _near(heard: Signalled, said: Signalled) -> bool:
    return said.t_s - _EARLY_S <= heard.t_s <= said.t_s + _LATE_S


def _said(events: Iterable[Event]) -> list[Signalled]:
    return [e for e in events if isinstance(e, Signalled) and e.name not in SHOWN_BY_CARDS]


def _words(signal: Signalled) -> str:
    return f"{signal.name} of seat {signal.seat} at {signal.t_s:.2f} s"
