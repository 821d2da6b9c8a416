"""From the command line of `play` to what is to be played and where, all checked before anything is written."""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import yaml

from app.calibrating import default_path
from app.camera_venue import CameraVenue
from app.folder import Unfinished, find_unfinished
from app.output import progress
from app.play import Venue, Wish
from app.screen import has_display, need_display
from app.session import SessionInfo, load_info
from app.setup import find_layout, load_game
from app.simulator.knocks import parse
from app.venues import HeadlessVenue, SimulatedPlace, WindowVenue
from calibration.layout import check_for_game
from calibration.profile import load_profile
from engine.errors import ConfigError
from projection import window
from vision.deck import find_deck, hanafuda_home, load_deck

DEFAULT_GAME: Final = "chotto-hana-awase"
DEFAULT_DECK: Final = "tsuki"
FPS: Final = 15.0
_RECENT: Final = 20
"""So many of the newest sessions are looked through for an unfinished game."""


def make_wish(arguments: argparse.Namespace, unfinished: Unfinished | None) -> Wish:
    """What is to be played: the session that goes on, or what the arguments ask. Raises ConfigError."""
    if unfinished is not None:
        path = unfinished.folder / "session.yaml"
        info, near, file = load_info(path), unfinished.folder, str(path)
    else:
        info, near, file = _asked(arguments), Path.cwd(), "play"
    game = load_game(info.game, info.options, info.seats, file)
    if not 0 <= info.dealer < info.seats:
        raise ConfigError(f"{file}: dealer must be a seat from 0 to {info.seats - 1}, got {info.dealer}")
    layout = find_layout(info.layout, game, info.seats, near)
    check_for_game(layout, game.zones(info.seats), info.seats)
    folder = find_deck(info.deck, near, arguments.decks)
    return Wish(
        game=game,
        seats=info.seats,
        dealer=info.dealer,
        deck=load_deck(folder),
        deck_name=info.deck if unfinished is not None else _lasting_name(info.deck, folder),
        layout=layout,
        language=arguments.language,
        record=not arguments.no_record,
        out=arguments.out if unfinished is None else None,
        sessions=hanafuda_home() / "sessions",
    )


def _asked(arguments: argparse.Namespace) -> SessionInfo:
    return SessionInfo(
        game=arguments.game,
        seats=arguments.seats,
        dealer=arguments.dealer,
        layout=arguments.layout,
        deck=arguments.deck or DEFAULT_DECK,
        options=parse_options(arguments.option),
    )


def _lasting_name(name: str, folder: Path) -> str:
    """The deck's name for session.yaml: a name stays, a folder becomes a path that holds from anywhere."""
    direct = Path(name).expanduser()
    return str(folder.resolve()) if direct.exists() and direct.resolve() == folder.resolve() else name


def parse_options(texts: Sequence[str]) -> Mapping[str, Any]:
    """The options of `NAME=VALUE` texts, numbers and true/false as such. Raises ConfigError."""
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ConfigError(f"--option {text}: must look like NAME=VALUE")
        try:
            options[name.strip()] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise ConfigError(f"--option {text}: the value cannot be read") from error
    return options


def to_resume(arguments: argparse.Namespace) -> Unfinished | None:
    """The session to go on with, or None for a new one. Raises ConfigError where the one asked for cannot go on."""
    if arguments.resume:
        folder = Path(arguments.resume)
        if not folder.is_dir():
            raise ConfigError(f"{folder}: there is no such session folder")
        unfinished = find_unfinished(folder)
        if unfinished is None:
            raise ConfigError(f"{folder}: holds no unfinished game")
        return unfinished
    found = _last_unfinished(hanafuda_home() / "sessions")
    if arguments.resume is not None:
        if found is None:
            raise ConfigError(f"{hanafuda_home() / 'sessions'}: holds no unfinished game")
        return found
    if found is None or arguments.out is not None:
        return None
    return found if _asked_to_go_on(found) else None


def _last_unfinished(sessions: Path) -> Unfinished | None:
    if not sessions.is_dir():
        return None
    for folder in sorted((p for p in sessions.iterdir() if p.is_dir()), reverse=True)[:_RECENT]:
        try:
            unfinished = find_unfinished(folder)
        except ConfigError as error:
            progress(f"hanafuda: {error}")
            continue
        if unfinished is not None:
            return unfinished
    return None


def _asked_to_go_on(found: Unfinished) -> bool:
    """Asks at a terminal; elsewhere only says how to go on."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        progress(f"an unfinished game lies in {found.folder} (go on: hanafuda play --resume)")
        return False
    print(f"An unfinished game lies in {found.folder}. Go on with it? [Y/n] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("", "y", "yes")


@contextmanager
def open_venue(arguments: argparse.Namespace, unfinished: Unfinished | None, seats: int) -> Iterator[Venue]:
    """The table to play at, closed afterwards. Raises ConfigError, CalibrationError or DeviceError."""
    info = None if unfinished is None else load_info(unfinished.folder / "session.yaml")
    if info is not None and unfinished is not None and info.simulated is not None:
        yield _simulated(arguments, _place_again(info, str(unfinished.folder / "session.yaml")), frozenset())
        return
    path = arguments.profile or default_path()
    wants_camera = arguments.camera is not None or arguments.profile is not None or path.exists()
    if info is None and (arguments.simulated or arguments.headless or not wants_camera):
        knocks = tuple(parse(text) for text in arguments.knock)
        place = SimulatedPlace(arguments.seed, arguments.look, arguments.size, FPS, knocks)
        yield _simulated(arguments, place, _humans(arguments, seats))
        return
    if info is not None and not wants_camera:
        raise ConfigError(f"{info.game}: what people did at a simulated table cannot be played again; start a new game")
    if arguments.knock:
        raise ConfigError("--knock: moves things at a simulated table only (--simulated)")
    if not path.exists():
        raise ConfigError(f"{path}: there is no calibration profile yet; make one with: hanafuda calibrate --corners")
    profile = load_profile(path)
    if profile.projector is not None:
        need_display("a camera with a projector needs a desktop session")
    screen = window.Window("hanafuda") if has_display() else None
    camera = arguments.camera or profile.camera.id or "0"
    venue = CameraVenue(camera, profile, str(path), arguments.display, screen)
    try:
        yield venue
    finally:
        venue.close()


def _simulated(arguments: argparse.Namespace, place: SimulatedPlace, humans: frozenset[int]) -> Venue:
    if arguments.headless or not has_display():
        return HeadlessVenue(place)
    return WindowVenue(place, humans, window.Window("hanafuda: a simulated table"))


def _place_again(info: SessionInfo, file: str) -> SimulatedPlace:
    """The simulated table that a session was played at. Raises ConfigError where its facts cannot be used."""
    facts = info.simulated or {}
    try:
        width, height = facts["size_px"]
        size, knocks = (int(width), int(height)), tuple(parse(str(text)) for text in facts.get("knocks", ()))
        return SimulatedPlace(int(facts["seed"]), str(facts["look"]), size, float(facts["fps"]), knocks)
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{file}: simulated must hold seed, look, size_px and fps") from error


def _humans(arguments: argparse.Namespace, seats: int) -> frozenset[int]:
    """The seats that the mouse plays. Raises ConfigError for one that is not there."""
    for seat in arguments.human:
        if not 0 <= seat < seats:
            raise ConfigError(f"--human {seat}: must be a seat from 0 to {seats - 1}")
    return frozenset(arguments.human)
