"""The forty-eight hanafuda cards as values: month, kind, points and text form."""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import total_ordering
from typing import Final, Self

from engine.errors import ConfigError


class Kind(StrEnum):
    """What a card shows, as in its id. Chaff of one month are interchangeable in every rule."""

    BRIGHT = "bright"
    ANIMAL = "animal"
    RIBBON = "ribbon"
    CHAFF_1 = "chaff-1"
    CHAFF_2 = "chaff-2"
    CHAFF_3 = "chaff-3"

    @property
    def rank(self) -> "Rank":
        """The kind without the number of a chaff."""
        return _RANKS[self]


class Rank(StrEnum):
    """The four classes of cards, with their points 20, 10, 5 and 1 (RULES section 1)."""

    BRIGHT = "bright"
    ANIMAL = "animal"
    RIBBON = "ribbon"
    CHAFF = "chaff"


_KINDS: Final = tuple(Kind)
_RANKS: Final = {kind: Rank.CHAFF if kind.startswith("chaff") else Rank(kind.value) for kind in Kind}


@total_ordering
@dataclass(frozen=True, slots=True)
class Card:
    """One physical card: standard `month` 1–12 (pine … paulownia) and `kind`. Text form `MM-kind`.

    `order` grows in standard order; it is stored because cards are looked up and sorted all the time.
    """

    month: int
    kind: Kind
    order: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", 8 * self.month + _KINDS.index(self.kind))

    def __hash__(self) -> int:
        return self.order

    @classmethod
    def parse(cls, text: str) -> Self:
        """The card of an id such as `03-bright`. Raises ConfigError for an id no card has."""
        month, _, kind = text.partition("-")
        if len(month) == 2 and month.isdigit() and kind in _KINDS:
            card = cls(int(month), Kind(kind))
            if card in _ALL:
                return card
        raise ConfigError(f"{text!r} is no hanafuda card; ids look like 03-bright, 08-animal, 12-chaff-3")

    def __str__(self) -> str:
        return f"{self.month:02d}-{self.kind.value}"

    def __repr__(self) -> str:
        return f"Card({self})"

    def __lt__(self, other: "Card") -> bool:
        return self.order < other.order

    @property
    def rank(self) -> Rank:
        """Bright, animal, ribbon or chaff."""
        return _RANKS[self.kind]

    @property
    def face(self) -> str:
        """Month and rank, `03-chaff` for both cherry chaff: what rules and scores can tell apart."""
        return f"{self.month:02d}-{self.rank.value}"


def _kinds_of(month: int) -> tuple[Kind, ...]:
    """The four kinds of a month, in rank order (RULES section 1)."""
    special = {
        1: (Kind.BRIGHT, Kind.RIBBON),
        3: (Kind.BRIGHT, Kind.RIBBON),
        8: (Kind.BRIGHT, Kind.ANIMAL),
        11: (Kind.BRIGHT, Kind.ANIMAL, Kind.RIBBON),
        12: (Kind.BRIGHT,),
    }.get(month, (Kind.ANIMAL, Kind.RIBBON))
    chaff = (Kind.CHAFF_1, Kind.CHAFF_2, Kind.CHAFF_3)
    return special + chaff[: 4 - len(special)]


_ALL: Final[frozenset[Card]] = frozenset(Card(m, k) for m in range(1, 13) for k in _kinds_of(m))
DECK: Final[tuple[Card, ...]] = tuple(sorted(_ALL))
"""All 48 cards in standard order."""


def twins(card: Card) -> tuple[Card, ...]:
    """The cards that no rule can tell from `card`: the other chaff of its month."""
    return _TWINS[card]


_TWINS: Final = {card: tuple(c for c in DECK if c.face == card.face and c != card) for card in DECK}
