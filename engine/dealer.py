"""Who deals first: each seat turns up one card, the earliest month deals (RULES section 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import Card, Rank

STANDARD: Final = tuple(range(1, 13))
"""The months in standard order."""
_RANKS: Final = tuple(Rank)


def order_of(
    draws: Mapping[int, Card], months: Sequence[int] = STANDARD, by_rank: bool = True, latest: bool = False
) -> tuple[tuple[int, ...], ...]:
    """The seats from the dealer on, in groups: those of a group drew alike and draw again among themselves.

    `months` is the order of the months; `by_rank` breaks a tie of month by the higher rank (bright, animal, ribbon,
    chaff); with `latest` the last month deals.
    """

    def key(seat: int) -> tuple[int, int]:
        card = draws[seat]
        month = months.index(card.month)
        return (-month if latest else month, _RANKS.index(card.rank) if by_rank else 0)

    groups: dict[tuple[int, int], list[int]] = {}
    for seat in sorted(draws, key=lambda seat: (key(seat), seat)):
        groups.setdefault(key(seat), []).append(seat)
    return tuple(tuple(seats) for seats in groups.values())


@dataclass(frozen=True, slots=True)
class DealerDraw:
    """Cards turned up so far to find the first dealer; `rivals` are those who draw, at first all, then those who tied.

    `out` are all cards turned so far: they stay out until the shuffle.
    """

    rivals: tuple[int, ...]
    drawn: tuple[tuple[int, Card], ...] = ()
    out: tuple[tuple[int, Card], ...] = ()

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that still have to draw."""
        done = {seat for seat, _ in self.drawn}
        return tuple(seat for seat in self.rivals if seat not in done)
