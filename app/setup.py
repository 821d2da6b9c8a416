"""Everything that a game at a table needs, found and checked before anything starts or is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.session import SessionInfo, load_info
from calibration.layout import Layout, builtin_layout_for, builtin_layouts, check_for_game, load_layout
from calibration.profile import Profile, check_mat, load_profile
from engine import catalogue
from engine.errors import ConfigError
from engine.game import Game
from vision.deck import Deck, find_deck, load_deck


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """A game with its options, the table it is played on and the deck it is played with."""

    info: SessionInfo
    game: Game[Any]
    layout: Layout
    profile: Profile
    deck: Deck

    @property
    def seats(self) -> int:
        """How many people play."""
        return self.info.seats


def load_setup(folder: Path, decks_dirs: Sequence[Path] = (), deck: str | None = None) -> Setup:
    """The setup of the session in `folder`; `deck` is used instead of the one that session.yaml names.

    Raises ConfigError or CalibrationError that names the file and the place in it.
    """
    if not folder.is_dir():
        raise ConfigError(f"{folder}: there is no such session folder")
    path = folder / "session.yaml"
    info = load_info(path)
    game = load_game(info.game, info.options, info.seats, str(path))
    layout = find_layout(info.layout, game, info.seats, folder)
    profile = load_profile(folder / "calibration.yaml")
    check(game, layout, profile, info.seats, str(path), str(folder / "calibration.yaml"))
    near = Path.cwd() if deck is not None else folder
    return Setup(info, game, layout, profile, _deck(deck or info.deck, near, decks_dirs, str(path)))


def load_game(name: str, options: Mapping[str, Any], seats: int, file: str) -> Game[Any]:
    """The game with its options. Raises ConfigError that names `file` for a game, option or seats there are not."""
    try:
        game = catalogue.load(name, options)
        game.deal(seats)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from error
    return game


def find_layout(name: str, game: Game[Any], seats: int, near: Path) -> Layout:
    """The layout called `name`: a file (relative to the folder `near`), a built-in name, or the game's if empty."""
    if not name:
        return builtin_layout_for(game.zones(seats), seats)
    path = near / Path(name).expanduser()
    if path.is_file():
        return load_layout(path)
    known = builtin_layouts()
    if name in known:
        return load_layout(known[name])
    raise ConfigError(f"{path}: there is no such layout file, nor a built-in layout {name!r} ({', '.join(known)})")


def check(game: Game[Any], layout: Layout, profile: Profile, seats: int, file: str, profile_file: str) -> None:
    """Raises ConfigError or CalibrationError where game, layout and profile do not fit each other."""
    try:
        check_for_game(layout, game.zones(seats), seats)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from error
    check_mat(profile, layout.mat_mm, profile_file)


def _deck(name: str, near: Path, decks_dirs: Sequence[Path], file: str) -> Deck:
    try:
        folder = find_deck(name, near, decks_dirs)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from error
    return load_deck(folder)
