"""What becomes of cards revealed together: for each month, all the ways in which its cards may come to lie.

RULES section 6, RESOLVE. Months are independent, and every card is matched with the field as it was before the reveal.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from types import MappingProxyType
from typing import Any, Final

from engine.cards import Card
from engine.events import Place
from engine.places import FIELD, REMOVED, captured, select

Outcome = Mapping[Card, Place]
"""Where each card of a month lies in the end."""


@dataclass(frozen=True, slots=True)
class Group:
    """The cards of one month: who revealed which, which lie on the field, and the `outcomes` the rules allow.

    `origins` has where each card lay when all was revealed.
    """

    revealed: tuple[tuple[int, Card], ...]
    field: tuple[Card, ...]
    outcomes: tuple[Outcome, ...]
    origins: Mapping[Card, Place]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the group, those revealed first."""
        return tuple(self.origins)

    def left(self, moved: Mapping[Card, Place]) -> tuple[Outcome, ...]:
        """The outcomes that can still be reached from how the cards lie now, `moved` from where they were."""

        def fits(outcome: Outcome) -> bool:
            return all(
                moved.get(card, end) == end or (moved[card] == FIELD and self.origins[card] != FIELD)
                for card, end in outcome.items()
            )

        return tuple(outcome for outcome in self.outcomes if fits(outcome))

    def settled(self, moved: Mapping[Card, Place]) -> bool:
        """Whether every card lies where one of the outcomes has it."""
        now = {card: moved.get(card, origin) for card, origin in self.origins.items()}
        return now in self.outcomes


def groups(
    field: frozenset[Card], revealed: tuple[tuple[int, Card], ...], settings: Mapping[str, Any], opening: bool
) -> tuple[Group, ...]:
    """The months that were revealed, with what may become of them, in month order."""
    return _groups(field, revealed, tuple(settings[name] for name in _LAWS), opening)


_LAWS: Final = ("opening_duplicates", "two_on_two", "three_no_field", "capture_four")
"""The options that say what becomes of a reveal."""
Shown = tuple[tuple[int, Card], ...]


@lru_cache(maxsize=1000)
def _groups(field: frozenset[Card], revealed: Shown, laws: tuple[str, ...], opening: bool) -> tuple[Group, ...]:
    """As `groups`; asked again for every card that is moved after a reveal."""
    settings = dict(zip(_LAWS, laws, strict=True))
    found = []
    for month in sorted({card.month for _, card in revealed}):
        shown = tuple((seat, card) for seat, card in revealed if card.month == month)
        lying = tuple(sorted(card for card in field if card.month == month))
        if opening and settings["opening_duplicates"] == "field" and len(shown) < 4:
            outcomes: tuple[dict[Card, Place], ...] = (_all_to(FIELD, shown, lying),)
        else:
            outcomes = _outcomes(shown, lying, settings)
        origins = {card: select(seat) for seat, card in shown} | dict.fromkeys(lying, FIELD)
        found.append(Group(shown, lying, tuple(MappingProxyType(o) for o in outcomes), MappingProxyType(origins)))
    return tuple(found)


def _all_to(place: Place, shown: Shown, lying: tuple[Card, ...]) -> dict[Card, Place]:
    return dict.fromkeys((*(card for _, card in shown), *lying), place)


def _outcomes(shown: Shown, lying: tuple[Card, ...], settings: Mapping[str, str]) -> tuple[dict[Card, Place], ...]:
    """The table of RULES section 6: by how many revealed the month and how many of it lie on the field."""
    removed, stack = _all_to(REMOVED, shown, lying), _all_to(FIELD, shown, lying)
    pile = captured(shown[0][0])
    match len(shown), len(lying):
        case (1, 0) | (2, 1):
            return (stack,)
        case 1, 1:
            return (_all_to(pile, shown, lying),)
        case 1, 2:
            return tuple({**_all_to(pile, shown, (one,)), other: FIELD} for one, other in permutations(lying))
        case 1, _:
            take = _all_to(pile, shown, lying)
            return (take, stack) if settings["capture_four"] == "ask" else (take,)
        case 3, 0:
            return (removed,) if settings["three_no_field"] == "removed" else (stack,)
        case 2, 2 if settings["two_on_two"] == "each_captures_one":
            (one, mine), (two, yours) = shown
            first, second = captured(one), captured(two)
            return (*({mine: first, a: first, yours: second, b: second} for a, b in permutations(lying)), removed)
        case _:
            return (removed,)
