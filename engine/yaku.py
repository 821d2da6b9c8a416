"""Yaku, the card combinations that score, as data: read from YAML, valued for one player's cards, followed on the way.

A yaku is `needed` cards out of a set (all of them, or any n). Of a group, only the most valuable one counts
(RULES section 4); everything else stacks.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import Card
from engine.errors import ConfigError
from engine.events import Tally, Words, YakuValue
from engine.guidance import YakuProgress
from engine.words import read_words
from engine.yamlfile import Section


@dataclass(frozen=True, slots=True)
class Yaku:
    """One combination: `needed` of `cards` make it, for `value` points; `group` names what it excludes or None."""

    id: str
    title: Words
    cards: frozenset[Card]
    needed: int
    value: int
    group: str | None = None


def read_yaku(section: Section, options: Mapping[str, Any]) -> tuple[Yaku, ...]:
    """The yaku of a rule book's `yaku:` mapping under `options`, in their order.

    An entry has `title`, `cards`, `value` (a number, or a number per value table chosen by option `yaku_values`), and
    may have `any: n`, `group`, and `group_when: {option: value}` (it is in its group only then).
    Raises ConfigError that names the key.
    """
    return tuple(_read_one(key, section.section(key), options) for key in section.values)


def _read_one(key: str, section: Section, options: Mapping[str, Any]) -> Yaku:
    section.only("title", "cards", "value", "any", "group", "group_when")
    cards = frozenset(_card(section, text) for text in section.items("cards"))
    needed = section.integer("any", default=len(cards), least=1)
    if needed > len(cards):
        raise section.error("any", f"is {needed}, but there are only {len(cards)} cards")
    group = section.text("group", default="") or None
    when = section.optional_section("group_when")
    if when is not None and any(options.get(name) != value for name, value in when.values.items()):
        group = None
    return Yaku(key, read_words(section.section("title")), cards, needed, _value(section, options), group)


def _value(section: Section, options: Mapping[str, Any]) -> int:
    if not isinstance(section.get("value"), Mapping):
        return section.integer("value", least=0)
    table = options.get("yaku_values")
    return section.section("value").integer(str(table), least=0)


def _card(section: Section, text: object) -> Card:
    try:
        return Card.parse(str(text))
    except ConfigError as problem:
        raise section.error("cards", f"names {problem}") from problem


def made_yaku(yaku: Iterable[Yaku], cards: frozenset[Card]) -> tuple[YakuValue, ...]:
    """The yaku that `cards` of one player score, in that order; of a group only the most valuable (first if equal)."""
    made = [y for y in yaku if len(y.cards & cards) >= y.needed]
    best: dict[str, Yaku] = {}
    for one in made:
        if one.group is not None and (one.group not in best or one.value > best[one.group].value):
            best[one.group] = one
    return tuple(YakuValue(y.id, y.value) for y in made if y.group is None or best[y.group] is y)


def progress(
    yaku: Iterable[Yaku], held: frozenset[Card], lost: frozenset[Card], deck: frozenset[Card]
) -> tuple[YakuProgress, ...]:
    """How far `held` cards have come; `lost` cards (captured by others, dead) can never be added."""
    return tuple(
        YakuProgress(
            id=y.id,
            title=y.title,
            value=y.value,
            cards=tuple(sorted(y.cards)),
            held=tuple(sorted(y.cards & held)),
            needed=y.needed,
            made=len(y.cards & held) >= y.needed,
            possible=len((y.cards & deck) - lost) >= y.needed,
        )
        for y in yaku
    )


def card_points(cards: Iterable[Card], points: Mapping[str, int]) -> int:
    """The points of `cards` by a table `{bright: 20, animal: 10, ribbon: 5, chaff: 1}`."""
    return sum(points[card.rank] for card in cards)


def tally(cards: frozenset[Card], points: Mapping[str, int], yaku: Iterable[Yaku]) -> Tally:
    """The additive score of one player's captured cards: card points plus yaku (RULES section 3)."""
    own, made = card_points(cards, points), made_yaku(yaku, cards)
    return Tally(own, made, own + sum(y.value for y in made))


def winners(tallies: Iterable[Tally]) -> tuple[int, ...]:
    """Every seat with the highest total: a tie is a shared win (RULES section 3)."""
    totals = [t.total for t in tallies]
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))
