"""A case of rules as somebody writes it down (RULES section 13): a question, what is given, what must come of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine import catalogue, yamlfile
from engine.cards import Card
from engine.errors import ConfigError
from engine.game import Game

CATALOGUE: Final = "catalogue"
_OTHERS_GAME: Final = {"basic6": "chotto-hana-awase"}
"""The six yaku are those of one game: a case that names them elsewhere means that game's."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case: the question `op` about `given` in a game (or `catalogue`: the cards), and the answer expected.

    A value table may be named as a preset or as `yaku_values`: `basic6`, `fudawiki`, `ja_common` and so on.
    """

    id: str
    game: str
    op: str
    options: Mapping[str, Any]
    given: yamlfile.Section
    expect: Any

    def load(self) -> Game[Any]:
        """The game with the case's options. Raises ConfigError for options it does not have."""
        options = dict(self.options)
        preset = options.pop("yaku_values", None) or options.get("preset") or self.given.values.get("preset")
        name = _OTHERS_GAME.get(str(preset), self.game)
        options.pop("preset", None)
        if preset is not None and str(preset) not in _OTHERS_GAME:
            options["preset"] = preset
        return catalogue.load(name, options)

    def cards(self, key: str) -> tuple[Card, ...]:
        """The cards listed at `given.key`; none where the key is absent."""
        return cards_of(self.given, key) if self.given.has(key) else ()

    def card(self, key: str) -> Card:
        """The card at `given.key`."""
        return _card(self.given, key, self.given.get(key))


def cards_of(section: yamlfile.Section, key: str) -> tuple[Card, ...]:
    """The cards listed at `key`. Raises ConfigError that names the place."""
    return tuple(_card(section, key, text) for text in section.items(key))


def card_at(section: yamlfile.Section, key: str) -> Card:
    """The card at `key`. Raises ConfigError that names the place."""
    return _card(section, key, section.get(key))


def _card(section: yamlfile.Section, key: str, text: object) -> Card:
    try:
        return Card.parse(str(text))
    except ConfigError as problem:
        raise section.error(key, f"names {problem}") from problem


Answer = Callable[[Case], Any]
"""What the engine says to a case, in the form of its `expect`."""
