"""What a round of the full Hana-Awase brings each seat: card points less par, yaku and claims paid by all others.

RULES section 5: `(card points - deck points / n) + (n - 1) * own yaku - sum of the others' yaku`, which sums to 0.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from engine.cards import Card, Kind
from engine.errors import ConfigError
from engine.events import Tally, YakuValue
from engine.rulebook import Rulebook
from engine.yaku import card_points, made_yaku

RAIN_MAN: Final = Card(11, Kind.BRIGHT)
VIEWING: Final = "viewing"
WILLOW_ROW: Final = "willow_row"
FUKE_POINTS: Final = 20
COMPENSATION: Final = 30
TEYAKU: Final = {"teyaku_6": 20, "teyaku_7": 30}
"""What a claimed hand of six or seven chaff receives from each."""
N = TypeVar("N")
Claims = Sequence[tuple[str, int]]
"""What seats have announced: names such as `fuke` and `teyaku_6`, with the seat."""


def par(book: Rulebook, seats: int) -> int:
    """An equal share of the deck's points. Raises ConfigError where that is no whole number."""
    whole, rest = divmod(card_points(book.deck, book.points), seats)
    if rest:
        raise ConfigError(f"{book.name}: the deck's points cannot be shared by {seats}")
    return whole


def settle(
    book: Rulebook, piles: Sequence[frozenset[Card]], order: Sequence[int], claims: Claims = (), final: bool = True
) -> tuple[Tally, ...]:
    """Each seat's tally, `total` being what it gains or loses. `order` are the seats from the dealer on.

    A round that is not `final` is settled as it lies, but what depends on having few cards at its end.
    """
    seats = len(piles)
    points = [card_points(pile, book.points) for pile in piles]
    made = _made(book, piles)
    paid = [sum(y.value for y in own) for own in made]
    for name, seat in claims:
        paid[seat] += TEYAKU.get(name, 0)
    if final:
        for seat in _compensated(book.settings, piles, order):
            paid[seat] += COMPENSATION
    if final and _void(book.settings, points, claims):
        return tuple(Tally(own, (), 0) for own in points)
    share, pot = par(book, seats), sum(paid)
    totals = (own - share + seats * mine - pot for own, mine in zip(points, paid, strict=True))
    return tuple(Tally(own, yaku, total) for own, yaku, total in zip(points, made, totals, strict=True))


def best_of(order: Sequence[N], totals: Mapping[N, int]) -> N:
    """Who deals next: the highest total of the round; of equals the earliest in its turn order."""
    return max(order, key=lambda name: totals[name])


def _made(book: Rulebook, piles: Sequence[frozenset[Card]]) -> list[tuple[YakuValue, ...]]:
    """The yaku of each seat that are paid, after the options that block or void some."""
    settings = book.settings
    blocked = settings.get("rain_blocks_viewing") is True

    def of(pile: frozenset[Card]) -> tuple[YakuValue, ...]:
        allowed = (y for y in book.yaku if not (blocked and RAIN_MAN in pile and y.group == VIEWING))
        return made_yaku(allowed, pile)

    made = [of(pile) for pile in piles]
    holder = next((seat for seat, own in enumerate(made) if any(y.id == WILLOW_ROW for y in own)), None)
    if holder is None or settings.get("willow", "off") == "off":
        return made
    kept = settings["willow"] == "cancel_others"
    return [own if kept and seat == holder else () for seat, own in enumerate(made)]


def _compensated(
    settings: Mapping[str, object], piles: Sequence[frozenset[Card]], order: Sequence[int]
) -> tuple[int, ...]:
    """The seats of three that have so few cards that the others pay for it: the third in turn is allowed more."""
    if settings.get("compensation") is not True or len(piles) != 3:
        return ()
    return tuple(seat for seat, most in zip(order, (8, 8, 10), strict=True) if len(piles[seat]) <= most)


def _void(settings: Mapping[str, object], points: Sequence[int], claims: Claims) -> bool:
    """Whether somebody has so few points that the round does not count, announced before where that is needed."""
    poor = {seat for seat, own in enumerate(points) if own <= FUKE_POINTS}
    match settings.get("fuke"):
        case True:
            return bool(poor)
        case "announced":
            return any(name == "fuke" and seat in poor for name, seat in claims)
        case _:
            return False
