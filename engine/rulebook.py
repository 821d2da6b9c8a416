"""A game's YAML as a value: deck, deal, points, yaku, options with their defaults, title and rules in short."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from engine.cards import DECK, Card, Rank
from engine.errors import ConfigError
from engine.events import Words
from engine.words import Sentences, read_sentences, read_words, sentences
from engine.yaku import Yaku, read_yaku
from engine.yamlfile import Section, read

_KNOWN: Final = (
    "schema", "name", "title", "rules", "deck", "deal", "points", "yaku", "options", "presets", "sentences"
)  # fmt: skip
PRESET: Final = "preset"
"""The option that names one of a rule book's presets: other defaults for several options at once."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice the rules leave open: its default, the allowed values and what it is about."""

    name: str
    default: Any
    allowed: tuple[Any, ...]
    about: Words


@dataclass(frozen=True, slots=True)
class Deal:
    """How many cards each seat and the field get; the rest is the draw pile.

    `packets` are the portions (to each seat, then to the field) that they are dealt in; empty where nobody minds.
    """

    hand: int
    field: int
    packets: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Everything a game's YAML says, with its options bound. `settings` holds every option's value."""

    name: str
    title: Words
    rules: tuple[Words, ...]
    deck: tuple[Card, ...]
    deals: Mapping[int, Deal]
    points: Mapping[str, int]
    yaku: tuple[Yaku, ...]
    options: tuple[Option, ...]
    settings: Mapping[str, Any]
    say: Sentences

    @property
    def changed_options(self) -> Mapping[str, Any]:
        """The options that differ from their defaults."""
        return {o.name: self.settings[o.name] for o in self.options if self.settings[o.name] != o.default}

    def deal(self, seats: int) -> Deal:
        """The deal for `seats` seats. Raises ConfigError for a number of seats this game does not allow."""
        if isinstance(seats, bool) or seats not in self.deals:
            allowed = ", ".join(str(n) for n in sorted(self.deals))
            raise ConfigError(f"{self.name}: seats must be one of {allowed}, not {seats!r}")
        return self.deals[seats]


def read_rulebook(path: Path, options: Mapping[str, Any]) -> Rulebook:
    """The rule book at `path` with `options` in place of its defaults. ConfigError names file, key or option."""
    top = read(path).only(*_KNOWN)
    known = tuple(_read_option(name, top.section("options").section(name)) for name in top.section("options").values)
    name = top.text("name")
    settings = MappingProxyType(_settings(name, known, _with_preset(top, options)))
    extra = top.optional_section("sentences")
    return Rulebook(
        name=name,
        title=read_words(top.section("title")),
        rules=tuple(read_words(part) for part in top.sections("rules")),
        deck=_read_deck(top.section("deck").only("without_months", "without")),
        deals=MappingProxyType(_read_deals(top.section("deal"))),
        points=MappingProxyType({rank.value: top.section("points").integer(rank.value) for rank in Rank}),
        yaku=() if settings.get("yaku") == "none" else read_yaku(top.section("yaku"), settings),
        options=known,
        settings=settings,
        say=sentences().changed(read_sentences(extra) if extra else {}),
    )


def _read_deck(section: Section) -> tuple[Card, ...]:
    """All cards but some months and some single ones."""
    months = section.items("without_months") if section.has("without_months") else ()
    single = section.items("without") if section.has("without") else ()
    return tuple(card for card in DECK if card.month not in months and str(card) not in single)


def _with_preset(top: Section, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options given, over those of the preset that they name or that is the default."""
    presets = top.optional_section("presets")
    if presets is None:
        return options
    name = options.get(PRESET, top.section("options").section(PRESET).get("default"))
    if not isinstance(name, str) or not presets.has(name):
        return options
    return {**presets.section(name).values, **options}


def _read_option(name: str, section: Section) -> Option:
    section.only("default", "allowed", "about")
    allowed = section.items("allowed")
    default = section.get("default")
    if default not in allowed:
        raise section.error("default", f"is none of the allowed values {allowed}")
    return Option(name, default, allowed, read_words(section.section("about")))


def _read_deals(section: Section) -> dict[int, Deal]:
    deals = {}
    for seats in section.values:
        if isinstance(seats, bool) or not isinstance(seats, int):
            raise section.error(seats, "must be a number of seats")
        part = section.section(seats)  # type: ignore[arg-type]  # YAML keys may be numbers
        portions = part.items("packets") if part.has("packets") else ()
        packets = tuple((int(hand), int(field)) for hand, field in portions)
        deals[seats] = Deal(part.integer("hand", least=1), part.integer("field", least=0), packets)
    return deals


def _settings(game: str, known: tuple[Option, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option's value. Raises ConfigError for unknown options, wrong types and values not allowed."""
    by_name = {option.name: option for option in known}
    given = {name: _switch(value, by_name.get(name)) for name, value in given.items()}
    for name, value in given.items():
        if name not in by_name:
            raise ConfigError(f"{game}: unknown option {name!r}; allowed are {', '.join(sorted(by_name))}")
        option = by_name[name]
        shown = ", ".join(str(v) for v in option.allowed)
        if type(value) not in {type(v) for v in option.allowed}:
            raise ConfigError(f"{game}: option {name} is {value!r}, of the wrong type; allowed are {shown}")
        if value not in option.allowed:
            raise ConfigError(f"{game}: option {name} must be one of {shown}, not {value!r}")
    return {option.name: given.get(option.name, option.default) for option in known}


def _switch(value: Any, option: Option | None) -> Any:
    """`value`, but `off` and False are the same: YAML and command lines read one as the other."""
    if option is None or (value in option.allowed and type(value) in {type(v) for v in option.allowed}):
        return value
    other = {"off": False, "on": True}.get(value) if isinstance(value, str) else "off" if value is False else None
    return value if other is None or other not in option.allowed else other
