"""How each role looks. Every look is told apart by line, weight and badge; colour only helps."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from engine.events import Words
from engine.guidance import Role
from projection.scene import RGB, Line, Stroke

WHITE: Final[RGB] = (255, 255, 255)
SOFT: Final[RGB] = (200, 200, 200)
FAINT: Final[RGB] = (110, 110, 110)
EDGE: Final[RGB] = (76, 76, 76)
GOLD: Final[RGB] = (255, 208, 64)
GREEN: Final[RGB] = (96, 240, 140)
CYAN: Final[RGB] = (90, 225, 255)
PINK: Final[RGB] = (255, 150, 200)
ORANGE: Final[RGB] = (255, 150, 50)
RED: Final[RGB] = (255, 84, 64)

GUARD_MM: Final = 3.0
"""Dark band between a card's edge and the light around it."""
KEEP_DARK_MM: Final = 1.5
"""Dark margin around every card on the table."""


class Frame(StrEnum):
    """What is drawn around a card."""

    NONE = "none"
    RING = "ring"
    BRACKETS = "brackets"


class Badge(StrEnum):
    """A sign beside a card, drawn as lines so that no font and no language is needed."""

    NONE = "none"
    LETTER = "letter"
    CROSS = "cross"
    BANG = "bang"
    QUESTION = "question"
    CHECK = "check"
    BAR = "bar"


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a role: the frame around its cards, the stroke of frame and arrow, the badge beside them."""

    frame: Frame
    stroke: Stroke
    badge: Badge = Badge.NONE


LOOKS: Final[Mapping[Role, Look]] = MappingProxyType(
    {
        Role.STRAY: Look(Frame.RING, Stroke(ORANGE, 2.5), Badge.CROSS),
        Role.MISSING: Look(Frame.NONE, Stroke(ORANGE, 1.2, Line.DOTTED), Badge.QUESTION),
        Role.DEAL: Look(Frame.NONE, Stroke(SOFT, 0.9, Line.DASHED)),
        Role.TURN: Look(Frame.NONE, Stroke(WHITE, 3.0)),
        Role.MATCH: Look(Frame.RING, Stroke(GREEN, 2.2), Badge.LETTER),
        Role.CHOICE: Look(Frame.BRACKETS, Stroke(GOLD, 4.0), Badge.QUESTION),
        Role.TAKE: Look(Frame.RING, Stroke(GOLD, 4.5), Badge.NONE),
        Role.DRAW: Look(Frame.RING, Stroke(CYAN, 6.0, Line.DOUBLE), Badge.NONE),
        Role.DEAD: Look(Frame.BRACKETS, Stroke(SOFT, 1.4), Badge.BAR),
        Role.FAULT: Look(Frame.RING, Stroke(RED, 4.5, Line.DASHED), Badge.BANG),
        Role.ECHO: Look(Frame.RING, Stroke(SOFT, 1.2), Badge.CHECK),
        Role.UNSURE: Look(Frame.RING, Stroke(PINK, 2.2, Line.DOTTED), Badge.QUESTION),
        Role.WINNER: Look(Frame.NONE, Stroke(GOLD, 4.5, Line.DOUBLE)),
    }
)

MATCH_STROKES: Final[tuple[Stroke, ...]] = (
    Stroke(GREEN, 2.2, Line.SOLID),
    Stroke(CYAN, 2.6, Line.DASHED),
    Stroke(PINK, 4.4, Line.DOUBLE),
    Stroke(GOLD, 2.6, Line.DOTTED),
    Stroke(ORANGE, 3.6, Line.SOLID),
    Stroke(WHITE, 4.0, Line.DASHED),
)
"""Rings of the first, second, … pair that matches; the letter beside the cards tells them apart as well."""

LABELS: Final[Mapping[str, Words]] = MappingProxyType(
    {
        "points": Words("points", "点"),
        "cards": Words("Cards", "札の点"),
        "winner": Words("Winner", "勝ち"),
        "total": Words("Total", "合計"),
    }
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Heights of a full-width character in mm, for a reader half a metre away."""

    score: float = 22.0
    headline: float = 12.5
    line: float = 11.0
    row: float = 9.5
    small: float = 8.5


SIZES: Final = Sizes()
