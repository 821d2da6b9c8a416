"""The places of the table as values, one of each: asked for so often that they are made once."""

from functools import cache
from typing import Final

from engine.events import Place

FIELD: Final = Place("field")
PILE: Final = Place("draw")
"""The draw pile."""
DISCARD: Final = Place("discard")
REMOVED: Final = Place("removed")


@cache
def hand(seat: int) -> Place:
    """The hand zone of `seat`."""
    return Place("hand", seat)


@cache
def captured(seat: int) -> Place:
    """The pile of captured cards of `seat`."""
    return Place("captured", seat)


@cache
def select(seat: int) -> Place:
    """Where `seat` lays the card it has chosen, face down, then face up."""
    return Place("select", seat)
