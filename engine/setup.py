"""Guides the table from the box to a complete deal: what to take out, how many cards go where, what is missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import DECK, Card
from engine.events import Place, Words
from engine.game import Game
from engine.guidance import Cue, Guidance, Role
from engine.places import PILE
from engine.words import card_names, month_names

_NAMED: Final = 3
"""More cards than this are named by their months, or counted."""


@dataclass(frozen=True, slots=True)
class _Pack:
    """One place of the deal: how many cards it needs and has; `have` is None where that cannot be seen."""

    place: Place
    count: int
    have: int | None

    @property
    def right(self) -> bool:
        return self.have is None or self.have == self.count


def deal_complete(game: Game[Any], seats: int, lies: Mapping[Card, Place], draw_count: int | None) -> bool:
    """Whether every place holds as many cards as it should and no card of another deck lies on the table.

    `lies` has the face-up cards by place (none of hidden hands). `draw_count` is the number of cards in the pile; None,
    where that cannot be told, counts as right. A misdeal is complete too: the referee says what is wrong with it.
    """
    if _strays(game, lies) or _left_over(game, seats, lies):
        return False
    return all(pack.right for pack in _packs(game, seats, lies, draw_count))


def guide_deal(game: Game[Any], seats: int, lies: Mapping[Card, Place], draw_count: int | None) -> Guidance:
    """What to show before the deal is complete; the most urgent is the headline.

    Cues: a misdeal (FAULT), cards to take out (STRAY), cards of the last round still lying where none are dealt (TAKE,
    to the draw pile), places with too few or too many cards (DEAL), and cards that are missing once nothing is left to
    deal (MISSING; named where no pile hides them).
    """
    packs = _packs(game, seats, lies, draw_count)
    misdeal = game.misdeal(lies)
    urgent = [] if misdeal is None else [Cue(Role.FAULT, misdeal.cards, seat=misdeal.seat, words=misdeal.message)]
    urgent += _stray_cues(game, _strays(game, lies)) + _left_over_cues(game, seats, lies)
    urgent += _missing_cues(game, packs, lies, draw_count)
    deals = {pack.place: _deal_cue(game, pack) for pack in packs if not pack.right}
    headline = urgent[0].words if urgent else _hint(game, seats, lies, draw_count)
    hands = (deals.get(Place("hand", seat)) for seat in range(seats))
    lines = tuple(None if cue is None else cue.words for cue in hands)
    return Guidance(cues=(*urgent, *deals.values()), headline=headline, seat_lines=lines)


def _hint(game: Game[Any], seats: int, lies: Mapping[Card, Place], draw_count: int | None) -> Words:
    """The calm headline: what to do first, then that the deal goes on or is complete."""
    say = game.book.say
    if deal_complete(game, seats, lies, draw_count):
        return say("dealt")
    unused = sorted({card.month for card in DECK} - {card.month for card in game.deck})
    packets = game.book.deal(seats).packets
    if not any(card in game.deck for card in lies):
        if unused:
            return say("deal_without", months=month_names(unused))
        single = tuple(card for card in DECK if card not in game.deck)
        if single:
            return say("deal_without", months=_counted_names(single))
    if packets:
        parts = [say("packet", hand=hand, field=field) for hand, field in packets]
        return say("deal_packets", packets=Words("; ".join(p.en for p in parts), "、".join(p.ja for p in parts)))
    return say("deal_hint")


def _counted_names(cards: tuple[Card, ...]) -> Words:
    """Names of cards, equal ones counted: `3 Paulownia chaff`."""
    parts = [(sum(c.face == card.face for c in cards), card_names((card,))) for card in cards]
    unique = dict.fromkeys(part if part[0] > 1 else (0, part[1]) for part in parts)
    return Words(
        ", ".join(f"{n} {name.en}" if n else name.en for n, name in unique),
        "、".join(f"{name.ja}{n}枚" if n else name.ja for n, name in unique),
    )


def _left_over(game: Game[Any], seats: int, lies: Mapping[Card, Place]) -> tuple[Card, ...]:
    """Cards face up where no card is dealt: the last round's, or dealt to a wrong place."""
    dealt = game.deal(seats)
    return tuple(sorted(c for c, place in lies.items() if c in game.deck and not dealt.get(place)))


def _left_over_cues(game: Game[Any], seats: int, lies: Mapping[Card, Place]) -> list[Cue]:
    cards = _left_over(game, seats, lies)
    return [Cue(Role.TAKE, cards, PILE, words=game.book.say("collect"))] if cards else []


def _packs(game: Game[Any], seats: int, lies: Mapping[Card, Place], draw_count: int | None) -> tuple[_Pack, ...]:
    placed = [place for card, place in lies.items() if card in game.deck]

    def have(place: Place) -> int | None:
        if place == PILE:
            return draw_count
        return None if place.zone == "hand" and game.hidden_hands else placed.count(place)

    return tuple(_Pack(place, count, have(place)) for place, count in game.deal(seats).items())


def _strays(game: Game[Any], lies: Mapping[Card, Place]) -> tuple[Card, ...]:
    """Cards on the table that this game does not use; those in the box are put away."""
    return tuple(sorted(card for card, place in lies.items() if card not in game.deck and place.zone != "box"))


def _stray_cues(game: Game[Any], strays: tuple[Card, ...]) -> list[Cue]:
    if not strays:
        return []
    months = month_names(sorted({card.month for card in strays}))
    if len(strays) <= _NAMED:
        words = game.book.say("take_out", cards=card_names(strays))
    else:
        words = game.book.say("take_out_months", months=months)
    return [Cue(Role.STRAY, strays, words=words)]


def _deal_cue(game: Game[Any], pack: _Pack) -> Cue:
    have = pack.have or 0
    words = game.book.say("deal_here" if have < pack.count else "deal_too_many", have=have, count=pack.count)
    return Cue(Role.DEAL, place=pack.place, seat=pack.place.seat, words=words, count=pack.count, have=have)


def _missing_cues(
    game: Game[Any], packs: tuple[_Pack, ...], lies: Mapping[Card, Place], draw_count: int | None
) -> list[Cue]:
    """Cards that are nowhere: told once the pile lies there with no card to spare, so that nobody holds any."""
    if draw_count is None:
        return []
    unseen = [card for card in game.deck if card not in lies]
    hidden = sum(pack.count for pack in packs if pack.have is None)
    if len(unseen) < hidden and draw_count == 0:
        hidden = 0  # the pack is laid open to be checked: no hand has been dealt
    short = len(unseen) - draw_count - hidden
    needed = next((pack.count for pack in packs if pack.place == PILE), 0)
    if short <= 0 or draw_count > needed:
        return []
    if draw_count > 0:
        return [Cue(Role.MISSING, words=game.book.say("missing_many", count=short), count=short)]
    if hidden > 0 or short > _NAMED:
        return []  # no pile yet: somebody is dealing
    words = game.book.say("missing", cards=card_names(unseen))
    return [Cue(Role.MISSING, tuple(unseen), words=words, count=short)]
