"""Who has won, and the sentence that says so."""

from collections.abc import Sequence

from engine.events import Tally, Words
from engine.rulebook import Rulebook
from engine.words import seat_name, seat_names
from engine.yaku import winners


def result(book: Rulebook, scores: Sequence[Tally]) -> tuple[tuple[int, ...], Words]:
    """The seats that share the highest total, and what to say of them."""
    best = winners(scores)
    total = scores[best[0]].total
    if len(best) == 1:
        return best, book.say("win", seat=seat_name(best[0]), total=total)
    return best, book.say("share", seats=seat_names(best), total=total)
