"""Months in the Nagoya order and the cards that may count as other months (RULES sections 1 and 7).

A month here is a number from 1 to 12 in the Nagoya order, not a card's standard month.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from engine.cards import DECK, Card

ORDER: Final = (1, 11, 3, 4, 5, 12, 7, 8, 9, 10, 6, 2)
"""The standard months in Nagoya order: February is the willow, June the paulownia, December the plum."""
JANUARY: Final = 1
FEBRUARY: Final = 2
JUNE: Final = 6
ALL: Final = frozenset(range(1, 13))


def month_of(card: Card) -> int:
    """A card's own month in the Nagoya order."""
    return ORDER.index(card.month) + 1


def _span(first: int, last: int) -> frozenset[int]:
    return frozenset(range(first, last + 1))


SHAPESHIFTERS: Final[Mapping[Card, frozenset[int]]] = {
    Card.parse("01-bright"): _span(1, 10),
    Card.parse("01-ribbon"): _span(1, 10),
    Card.parse("11-bright"): _span(2, 11),
    Card.parse("11-ribbon"): _span(2, 10),
    Card.parse("03-ribbon"): ALL,
}
"""The months that five cards count as, in the hand and on the pile."""
TURNED: Final[Mapping[Card, frozenset[int]]] = {
    Card.parse("12-bright"): frozenset({JANUARY}),
    Card.parse("02-ribbon"): frozenset({JANUARY}),
    Card.parse("02-chaff-1"): frozenset({JANUARY}),
    Card.parse("02-chaff-2"): frozenset({JANUARY}),
    Card.parse("02-animal"): ALL,
    # Isuri keeps one chaff of the paulownia as a second phoenix
    Card.parse("12-chaff-1"): frozenset({JANUARY}),
    Card.parse("12-chaff-2"): frozenset({JANUARY}),
    Card.parse("12-chaff-3"): frozenset({JANUARY}),
}
"""The months that more cards count as while they lie on the pile after being turned up: not their own."""


def in_hand(card: Card) -> frozenset[int]:
    """The months a card may be played as."""
    return _IN_HAND[card]


def when_turned(card: Card) -> frozenset[int]:
    """The months a card counts as on the pile after it was turned up."""
    return TURNED.get(card, _IN_HAND[card])


_IN_HAND: Final = {card: SHAPESHIFTERS.get(card, frozenset({month_of(card)})) for card in DECK}


@dataclass(frozen=True, slots=True)
class Step:
    """One way to read the cards that a seat has laid in its turn, up to the last one.

    The last `count` cards are of one `month`; `after` are the months that the pile counts as for what follows;
    `open_one` says that a January was laid on a January, so that a February must follow. `paid` is what it brings.
    """

    month: int
    count: int
    after: frozenset[int]
    open_one: bool = False
    paid: int = 0

    @property
    def complete(self) -> bool:
        """Whether the turn may end here: two of a month are too few, and an open January waits for its February."""
        return self.count != 2 and not self.open_one


@dataclass(frozen=True, slots=True)
class Laws:
    """What the options say about runs. `groups`: three to six cards of a month may be laid together (Isuri)."""

    groups: bool = False
    pinned: bool = False
    june_in_sequence: bool = True
    as_played: bool = False

    def next_month(self, month: int) -> int:
        """The month that follows; without June in the sequence, July follows May."""
        after = month % 12 + 1
        return JUNE + 1 if after == JUNE and not self.june_in_sequence else after

    def followers(self, tops: frozenset[int]) -> frozenset[int]:
        """The months that may follow a pile that counts as `tops`."""
        return frozenset(self.next_month(month) for month in tops)

    def outside(self, card: Card) -> bool:
        """Whether the card stands outside the sequence: it goes on any card, and what lay beneath still counts."""
        return not self.june_in_sequence and month_of(card) == JUNE

    def pay(self, card: Card, month: int) -> int:
        """What a card brings, by the month printed on it or that it was played as: January 10, else its number."""
        counted = month if self.as_played else month_of(card)
        return 10 if counted == JANUARY else counted

    def lay(self, tops: frozenset[int], steps: frozenset[Step], card: Card) -> frozenset[Step]:
        """All ways to read the turn after one more card; empty if it may not be laid. `steps` is empty at its start."""
        return self.ways(tops, steps).get(card, frozenset())

    def ways(self, tops: frozenset[int], steps: frozenset[Step]) -> Mapping[Card, frozenset[Step]]:
        """Every card that may be laid next, in standard order, with all ways to read the turn after it."""
        return _ways(self, tops, steps)

    def onwards(self, step: Step, card: Card, first: bool) -> set[Step]:
        """The ways to lay the card as the next step after `step`, or in a group with its cards."""
        found = self._next_step(step, card, first)
        if not first and self.groups and step.count < 6 and step.month in in_hand(card):
            after = step.after if self.outside(card) else self._counts(card, step.month)
            found.add(Step(step.month, step.count + 1, after, step.open_one, step.paid + self.pay(card, step.month)))
        return found

    def _next_step(self, step: Step, card: Card, first: bool) -> set[Step]:
        """The card as the beginning of the next step."""
        if step.count == 2:
            return set()
        months = in_hand(card)
        starts = months & (frozenset({FEBRUARY}) if step.open_one else self.followers(step.after))
        found = {Step(m, 1, self._counts(card, m), paid=step.paid + self.pay(card, m)) for m in starts}
        if first and JANUARY in step.after and JANUARY in months:
            found.add(Step(JANUARY, 1, frozenset({JANUARY}), True, self.pay(card, JANUARY)))
        if self.outside(card) and not step.open_one:
            found.add(Step(JUNE, 1, step.after, paid=step.paid + self.pay(card, JUNE)))
        return found

    def _counts(self, card: Card, month: int) -> frozenset[int]:
        """What a card laid from a hand counts as on the pile."""
        return frozenset({month}) if self.pinned else in_hand(card)


@lru_cache(maxsize=2_000)
def _ways(laws: Laws, tops: frozenset[int], steps: frozenset[Step]) -> Mapping[Card, frozenset[Step]]:
    """As `Laws.ways`; asked of the same pile again and again."""
    before = steps or (Step(0, 0, tops),)
    ways = {card: frozenset(found for step in before for found in laws.onwards(step, card, not steps)) for card in DECK}
    return MappingProxyType({card: found for card, found in ways.items() if found})
