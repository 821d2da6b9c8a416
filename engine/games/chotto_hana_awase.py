"""Chotto, Hana-Awase: the short fishing game with 32 cards, open hands and six yaku (RULES section 3)."""

from engine.fishing import Fishing
from engine.rulebook import Rulebook


def build(book: Rulebook) -> Fishing:
    """The game with the options bound in `book`."""
    return Fishing(book)
