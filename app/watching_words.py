"""What the players are told about their table: that something was moved, and what they can do."""

from dataclasses import dataclass
from typing import Final

from calibration.profile import Markers
from engine.events import Knocked, Words
from engine.words import sentences

TOLD_S: Final = 6.0
"""So long it is said that something was followed or mended."""
COVERED_S: Final = 3.0
"""A marker hidden for less than this is a passing hand."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence to be shown from `from_s` until `until_s`."""

    words: Words
    from_s: float
    until_s: float
    what: str


class Notices:
    """Keeps what is to be said from event to event."""

    def __init__(self, markers: Markers | None) -> None:
        self._markers = markers
        self._standing: tuple[Notice, ...] = ()

    def hear(self, event: Knocked) -> None:
        """Something was found, done, or is over."""
        kept = tuple(notice for notice in self._standing if notice.what != event.what)
        self._standing = kept if event.done == "over" else (*kept, self._notice(event))

    def at(self, t_s: float) -> tuple[Words, ...]:
        """What is to be said at `t_s`, the newest last."""
        self._standing = tuple(notice for notice in self._standing if notice.until_s > t_s)
        return tuple(notice.words for notice in self._standing if notice.from_s <= t_s)

    def _notice(self, event: Knocked) -> Notice:
        say, t_s = sentences(), event.t_s
        match event.what, event.done:
            case "covered", _:
                return Notice(
                    say("knocked_covered", corner=self._corner(event)), t_s + COVERED_S, float("inf"), event.what
                )
            case "marker", _:
                return Notice(say("knocked_marker", corner=self._corner(event)), t_s, float("inf"), event.what)
            case _, "mended":
                return Notice(say("knocked_mended"), t_s, t_s + TOLD_S, event.what)
            case "projector", _:
                return Notice(say("knocked_projector"), t_s, float("inf"), event.what)
            case _, "seen":
                return Notice(say("knocked_unseen"), t_s, float("inf"), event.what)
            case _:
                return Notice(say(f"knocked_{event.what}"), t_s, t_s + TOLD_S, event.what)

    def _corner(self, event: Knocked) -> Words:
        """The corner of the first marker that the event is about."""
        x, y = (0.0, 0.0) if self._markers is None else self._markers.centres_mm.get(event.markers[0], (0.0, 0.0))
        return sentences()(f"corner_{'near' if y < 0 else 'far'}_{'left' if x < 0 else 'right'}")
