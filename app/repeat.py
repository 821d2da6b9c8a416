"""What an operator did while a game was recorded, done again at its time: no camera shows it."""

from collections.abc import Iterable
from pathlib import Path

from app.follow import Follower
from app.orders import AnyOrder, Say, ThatCardIs, Undo
from app.session import read_text
from engine import journal
from engine.events import Corrected, Event, Signalled


class Repeat:
    """The operator's part of a log, to be told to a follower as the frames come."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._orders = [(event.t_s, order) for event in events if (order := order_of(event)) is not None]

    def before(self, t_s: float, follower: Follower) -> tuple[Event, ...]:
        """Carries out what was ordered before the frame at `t_s`; what came of it, in order."""
        done: tuple[Event, ...] = ()
        while self._orders and self._orders[0][0] < t_s:
            at_s, order = self._orders.pop(0)
            done += follower.obey(order, at_s)
        return done


def order_of(event: Event) -> AnyOrder | None:
    """The order that led to a logged event; None for what was seen or followed by itself."""
    match event:
        case Corrected(was=None):
            return Undo(event.undo)
        case Corrected(was=was, now=now) if was is not None and now is not None:
            return ThatCardIs(was, now)
        case Signalled(by=str()):
            return Say(event.name, event.seat)
        case _:
            return None


def repeat_of(folder: Path) -> Repeat:
    """The operator's part of the log in a session's folder; nothing where there is no log.

    Raises ConfigError for a log that is damaged elsewhere than in its last line.
    """
    path = folder / "events.jsonl"
    return Repeat(journal.load_log(read_text(path), str(path)).events) if path.is_file() else Repeat()
