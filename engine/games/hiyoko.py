"""Hiyoko: two players lay runs of months in the Nagoya order; the first empty hand wins the deal (section 7)."""

from engine.nagoya import ORDER, Laws
from engine.rulebook import Rulebook
from engine.runs import Runs
from engine.runs_state import RunsState
from engine.series import Drawing, Length, Series


def build(book: Rulebook) -> Series[RunsState]:
    """The series with the options bound in `book`: deals until somebody has won enough of them."""
    laws = Laws(pinned=book.settings["pinned"])
    return Series(Runs(book, laws), Length(target=book.settings["target"]), Drawing(months=ORDER))
