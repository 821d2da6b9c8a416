"""What every game checks about its start, its deal and what is said, each with the same words."""

from collections.abc import Iterable, Mapping

from engine.errors import ConfigError, RuleError
from engine.events import Dealt, Place, Signalled
from engine.game import FaultError
from engine.places import DISCARD, FIELD, PILE, hand
from engine.rulebook import Rulebook
from engine.words import place_name


def places_dealt(book: Rulebook, seats: int, shown: Place = FIELD) -> Mapping[Place, int]:
    """How many cards lie where when the deal is complete; those dealt face up to nobody go to `shown`."""
    deal = book.deal(seats)
    rest = len(book.deck) - deal.field - seats * deal.hand
    return {shown: deal.field, PILE: rest, **{hand(seat): deal.hand for seat in range(seats)}}


def check_start(book: Rulebook, seats: int, dealer: int) -> None:
    """Raises ConfigError for seats or a dealer that the game does not allow."""
    book.deal(seats)
    if isinstance(dealer, bool) or dealer not in range(seats):
        raise ConfigError(f"{book.name}: dealer must be a seat from 0 to {seats - 1}, not {dealer!r}")


def check_counts(book: Rulebook, needed: Mapping[Place, int], deal: Dealt, hidden_hands: bool) -> None:
    """Raises RuleError where a place was dealt too many or too few cards; hidden hands must be counts."""
    counts = deal.hand_counts if hidden_hands else tuple(len(cards) for cards in deal.hands)
    shown = DISCARD if DISCARD in needed else FIELD
    found = {shown: len(deal.field), PILE: deal.draw, **{hand(seat): count for seat, count in enumerate(counts)}}
    for place in {**needed, **found}:
        have, count = found.get(place, 0), needed.get(place, 0)
        if have != count:
            words = book.say("bad_deal", place=place_name(place), have=have, count=count)
            raise FaultError("bad_deal", words, (), place, place.seat)


def check_said(book: Rulebook, signal: Signalled, expected: Iterable[Signalled]) -> None:
    """Raises RuleError for a signal that is not one of those expected."""
    if not any((signal.name, signal.seat) == (one.name, one.seat) for one in expected):
        words = book.say("not_now")
        raise RuleError("not_now", words.en, words.ja)
