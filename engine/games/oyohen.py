"""Oyohen: the fishing game with all 48 cards, open hands and sixteen yaku, some of which exclude others (section 4)."""

from engine.fishing import Fishing
from engine.rulebook import Rulebook


def build(book: Rulebook) -> Fishing:
    """The game with the options bound in `book`."""
    return Fishing(book)
