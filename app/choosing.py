"""Telling the table what a card is: click it, type what it really is, confirm. A state machine without a window."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.orders import ThatCardIs
from calibration.frames import Pose
from engine.cards import Card, Kind
from engine.errors import ConfigError
from vision.values import SeenCard

_KINDS: Final = {
    "b": Kind.BRIGHT,
    "a": Kind.ANIMAL,
    "r": Kind.RIBBON,
    "c": Kind.CHAFF_1,
    "c1": Kind.CHAFF_1,
    "c2": Kind.CHAFF_2,
    "c3": Kind.CHAFF_3,
}
HOW: Final = "type month and kind: 3b bright, 3a animal, 3r ribbon, 3c1 3c2 3c3 chaff; return confirms, escape leaves"


@dataclass(frozen=True, slots=True)
class Choosing:
    """Where it stands: `was` is the card that was clicked, `typed` what has been typed of what it is."""

    was: Card | None = None
    typed: str = ""
    note: str = ""

    @property
    def words(self) -> str:
        """What to do now."""
        what = "that card is …: click the card" if self.was is None else f"{self.was} is: {self.typed}_   {HOW}"
        return f"{what}   {self.note}" if self.note else what


def click(choosing: Choosing, cards: Sequence[SeenCard], x_mm: float, y_mm: float) -> Choosing:
    """After a click at a point of the table in mm."""
    card = card_at(cards, x_mm, y_mm)
    if card is None:
        return Choosing(choosing.was, choosing.typed, "there is no card with a name")
    return Choosing(card)


def press(choosing: Choosing, key: str) -> Choosing | ThatCardIs | None:
    """After a key: the next state, the finished order, or None where it was left."""
    if key == "escape":
        return None
    if choosing.was is None:
        return choosing
    if key == "backspace":
        return Choosing(choosing.was, choosing.typed[:-1])
    if key in ("return", "enter"):
        try:
            now = parse_short(choosing.typed)
        except ConfigError:
            return Choosing(choosing.was, choosing.typed, f"no card is called {choosing.typed!r}")
        return ThatCardIs(choosing.was, now)
    if len(key) == 1 and (key.isdigit() or key in "barc"):
        return Choosing(choosing.was, choosing.typed + key)
    return choosing


def parse_short(text: str) -> Card:
    """The card of a short form such as `3b` or `12c2`. Raises ConfigError for one that no card has."""
    short = re.fullmatch(r"(\d{1,2})(b|a|r|c[123]?)", text)
    if short is None:
        raise ConfigError(f"{text!r} is no card; {HOW}")
    return Card.parse(f"{int(short[1]):02d}-{_KINDS[short[2]].value}")


def card_at(cards: Sequence[SeenCard], x_mm: float, y_mm: float) -> Card | None:
    """The named card whose face holds a point of the table, the topmost of several."""
    holding = [seen for seen in cards if seen.card is not None and _holds(seen.pose, x_mm, y_mm)]
    return max(holding, key=lambda seen: seen.pose.height_mm).card if holding else None


def _holds(pose: Pose, x_mm: float, y_mm: float) -> bool:
    corners = pose.corners_mm()
    sides = [
        (x2 - x1) * (y_mm - y1) - (y2 - y1) * (x_mm - x1)
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    return all(side <= 0 for side in sides)
