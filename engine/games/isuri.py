"""Isuri: Hiyoko for money, with three to six cards of a month together and one more phoenix (section 8)."""

from dataclasses import replace

from engine.cards import Card
from engine.nagoya import ORDER, Laws
from engine.rulebook import Rulebook
from engine.runs import Runs
from engine.runs_state import RunsState
from engine.series import Drawing, Length, Series


def build(book: Rulebook) -> Series[RunsState]:
    """The series with the options bound in `book`: so many deals, the money settled at the end."""
    settings = book.settings
    kept = Card.parse(settings["isuri_chaff"])
    deck = tuple(sorted((*book.deck, kept)))
    laws = Laws(
        groups=True,
        pinned=settings["pinned"],
        june_in_sequence=settings["june_in_sequence"],
        as_played=settings["pay"] == "as_played",
    )
    drawing = Drawing(months=ORDER, latest=not settings["june_in_sequence"])
    return Series(Runs(replace(book, deck=deck), laws, money=True), Length(rounds=settings["deals"]), drawing)
