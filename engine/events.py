"""What happened at the table, as frozen values and as lines of JSON: the event log is the session."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import Card


@dataclass(frozen=True, slots=True)
class Words:
    """One sentence in both languages of the table."""

    en: str
    ja: str

    def of(self, language: str) -> str:
        """The sentence in `language` (`ja` or anything else for English)."""
        return self.ja if language == "ja" else self.en


@dataclass(frozen=True, slots=True)
class Place:
    """A zone of the table and, for `hand`, `captured` and `select`, the seat it belongs to."""

    zone: str
    seat: int | None = None

    def __str__(self) -> str:
        return self.zone if self.seat is None else f"{self.zone}-{self.seat}"


@dataclass(frozen=True, slots=True)
class YakuValue:
    """A yaku that a seat has made, with its value in points."""

    id: str
    value: int


@dataclass(frozen=True, slots=True)
class Tally:
    """A seat's score, itemised: card points, yaku and their total."""

    points: int
    yaku: tuple[YakuValue, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Started:
    """A game begins."""

    t_s: float
    game: str
    options: Mapping[str, Any]
    seats: int
    dealer: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """The deal was found complete. Hidden hands are counts: then `hands` is empty and `hand_counts` is not.

    `field` holds the cards dealt face up: to the field, or the first card of a discard pile in games that have one.
    """

    t_s: float
    field: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    draw: int
    hand_counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """A card came to rest in another zone; source `draw` means that it was turned up."""

    t_s: float
    card: Card
    source: Place
    target: Place


@dataclass(frozen=True, slots=True)
class Signalled:
    """A player said something that no card shows: `pass`, `stop`, `next_round`, `redeal`, `selected` and the like.

    `by` is who keyed it in; None where it was said on the table.
    """

    t_s: float
    name: str
    seat: int
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """What lies on the table breaks a rule; play can go on. `belongs` is where the cards should lie."""

    t_s: float
    code: str
    message: Words
    cards: tuple[Card, ...]
    seat: int | None
    belongs: Place | None = None


@dataclass(frozen=True, slots=True)
class Repaired:
    """The fault of that code is gone."""

    t_s: float
    code: str


@dataclass(frozen=True, slots=True)
class Turn:
    """That seat is to act."""

    t_s: float
    seat: int


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of every seat after a capture."""

    t_s: float
    seats: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over; `winner` holds every seat that shares the win."""

    t_s: float
    reason: str
    seats: tuple[Tally, ...]
    winner: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Corrected:
    """An operator's correction: either the last `undo` moves did not happen, or the card believed `was` is `now`."""

    t_s: float
    by: str
    was: Card | None = None
    now: Card | None = None
    undo: int = 0


@dataclass(frozen=True, slots=True)
class Knocked:
    """The table itself: `what` (camera, mat, projector, marker, covered, several) moved by `moved_mm` or is hidden.

    `markers` are the markers it is about. `done` is what came of it: `followed` (the light goes with it), `waits` (it
    is mended when nobody plays), `mended`, `seen` (somebody has to do something) or `over`. No rule depends on it.
    """

    t_s: float
    what: str
    moved_mm: float
    markers: tuple[int, ...]
    done: str


Event = Started | Dealt | Moved | Signalled | Fault | Repaired | Turn | Scored | Ended | Corrected | Knocked
