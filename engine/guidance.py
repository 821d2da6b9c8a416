"""What to show the players, as data: cards, places, seats and words, without millimetres and colours."""

from dataclasses import dataclass, field
from enum import StrEnum

from engine.cards import Card
from engine.events import Place, Tally, Words


class Role(StrEnum):
    """What a cue means. `projection` gives each role a look that is told apart without colour."""

    STRAY = "stray"  # this card does not belong on the table (not in this game's deck)
    MISSING = "missing"  # these cards have not been found; `cards` names them
    DEAL = "deal"  # `count` cards belong in `place`; `have` lie there now
    TURN = "turn"  # it is the turn of `seat`
    MATCH = "match"  # `cards[0]` in hand matches the other cards on the field
    CHOICE = "choice"  # choose one of `cards` (all but `origin`) for `origin`
    TAKE = "take"  # take these cards to `place`
    DRAW = "draw"  # turn up the top of the draw pile at `place`
    DEAD = "dead"  # these cards can no longer be captured
    FAULT = "fault"  # these cards break a rule; they belong at `place` if given
    ECHO = "echo"  # this card has just been seen moving to `place`
    UNSURE = "unsure"  # the eyes are not sure of this card
    WINNER = "winner"  # `seat` has won (or shares the win)


@dataclass(frozen=True, slots=True)
class Cue:
    """One thing to mark on the table. Fields that a role does not use stay empty."""

    role: Role
    cards: tuple[Card, ...] = ()
    place: Place | None = None
    seat: int | None = None
    origin: Card | None = None
    words: Words | None = None
    count: int | None = None
    have: int | None = None


@dataclass(frozen=True, slots=True)
class YakuProgress:
    """How far a seat has come towards a yaku. `cards` are those that count, `held` those captured by the seat."""

    id: str
    title: Words
    value: int
    cards: tuple[Card, ...]
    held: tuple[Card, ...]
    needed: int
    made: bool
    possible: bool


@dataclass(frozen=True, slots=True)
class Guidance:
    """Everything to show at one moment: cues, one headline for all seats, one line per seat, scores and progress."""

    cues: tuple[Cue, ...] = ()
    headline: Words | None = None
    seat_lines: tuple[Words | None, ...] = ()
    scores: tuple[Tally, ...] = ()
    progress: tuple[tuple[YakuProgress, ...], ...] = field(default=())
