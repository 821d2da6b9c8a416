"""What players say without a card: which spots are offered, which one a hand has covered."""

from dataclasses import dataclass
from typing import Any, Final, Protocol

from calibration.layout import Layout
from calibration.spots import Spot, slots, spots
from calibration.view import TableView
from engine import referee
from engine.events import Signalled, Words
from engine.referee import Session
from vision.spots import SpotWatcher
from vision.values import Frame

SHOWN_BY_CARDS: Final = ("selected", "unselected")
"""Signals that a card laid down face down gives, not a spot."""
STEPS: Final = 8
"""The ring fills in so many steps: each is a new picture."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A spot to show, what covering it says, and how far the hand on it has filled its ring (0–1)."""

    spot: Spot
    words: Words
    progress: float = 0.0


@dataclass(frozen=True, slots=True)
class Heard:
    """What has been said in a frame, and what may be said now."""

    signals: tuple[Signalled, ...] = ()
    offers: tuple[Offer, ...] = ()


class Listener(Protocol):
    """Hears what players say; `Spots` is one."""

    def listen(self, frame: Frame, session: Session[Any]) -> Heard:
        """What the next frame says."""
        ...

    def aim(self, view: TableView) -> None:
        """From the next frame on the camera sees the table so."""
        ...


class Spots:
    """Listens by the spots of one table. `size_px` is the camera's (width, height)."""

    def __init__(self, view: TableView, layout: Layout, size_px: tuple[int, int]) -> None:
        self._layout = layout
        self._size_px = size_px
        self.aim(view)

    def aim(self, view: TableView) -> None:
        """From the next frame on the camera sees the table so."""
        places = [Spot("", seat, *slot) for seat, own in enumerate(slots(self._layout)) for slot in own]
        self._watcher = SpotWatcher(view, places, self._size_px)

    def listen(self, frame: Frame, session: Session[Any]) -> Heard:
        """What hands have said by covering spots, and the spots to show."""
        may_say = offered(session)
        names: dict[int, list[str]] = {}
        for signal in may_say:
            names.setdefault(signal.seat, []).append(signal.name)
        found = spots(self._layout, names)
        reading = self._watcher.watch(frame, found)
        said = tuple(Signalled(frame.t_s, spot.name, spot.seat) for spot in reading.covered)
        words = {(signal.name, signal.seat): referee.signal_words(session, signal) for signal in may_say}
        offers = (
            Offer(spot, words[spot.name, spot.seat], int(progress * STEPS) / STEPS)
            for spot, progress in zip(found, reading.progress, strict=True)
        )
        return Heard(said, tuple(offers))


def offered(session: Session[Any]) -> tuple[Signalled, ...]:
    """What players may say now by covering a spot."""
    if session.ended:
        return ()
    return tuple(signal for signal in referee.expected_signals(session) if signal.name not in SHOWN_BY_CARDS)


def meant(session: Session[Any], name: str | None, seat: int | None, number: int | None) -> Signalled | None:
    """The signal that an operator means: by name (and seat, where several may say it) or by its number from 1."""
    may_say = referee.expected_signals(session)
    if number is not None:
        shown = offered(session)
        return shown[number - 1] if 1 <= number <= len(shown) else None
    fitting = [signal for signal in may_say if signal.name == name and seat in (None, signal.seat)]
    return fitting[0] if fitting else None
