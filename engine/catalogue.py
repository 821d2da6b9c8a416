"""The games there are: each is a `.py` and a `.yaml` of one stem in `engine/games`, found by listing the files."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from engine.errors import ConfigError
from engine.game import Game
from engine.rulebook import Rulebook, read_rulebook

_FOLDER: Final = Path(__file__).parent / "games"
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


def names() -> tuple[str, ...]:
    """The names of all games, sorted, as typed on the command line."""
    return tuple(sorted(path.stem.replace("_", "-") for path in _FOLDER.glob("*.yaml")))


def rulebook(name: str, options: Mapping[str, Any] = _NONE) -> Rulebook:
    """What the game's YAML says: title, rules, seats, yaku, options. ConfigError for an unknown game or option."""
    if name not in names():
        raise ConfigError(f"there is no game {name!r}; the games are {', '.join(names())}")
    return read_rulebook(_FOLDER / f"{name.replace('-', '_')}.yaml", options)


def load(name: str, options: Mapping[str, Any] = _NONE) -> Game[Any]:
    """The game `name` with `options` bound. Raises ConfigError for an unknown game, option, type or value."""
    book = rulebook(name, options)
    module = importlib.import_module(f"engine.games.{name.replace('-', '_')}")
    game: Game[Any] = module.build(book)
    return game
