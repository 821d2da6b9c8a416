"""Decks of cards as pictures: one flat image a card is all that the eyes need to know a deck."""

import difflib
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import cv2
import numpy as np
import platformdirs
import yaml
from numpy.typing import NDArray

from engine.cards import DECK, Card
from engine.errors import ConfigError
from engine.events import Words

logger = logging.getLogger(__name__)

SCHEMA: Final = 1
SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".webp")
BUILT_IN: Final = Path(__file__).resolve().parent.parent / "models" / "decks"
"""Where the decks that ship with the product lie; `tsuki` is one of them."""

_REQUIRED: Final = ("schema", "name", "title", "licence", "card_mm")
_ASPECT: Final = (1.15, 2.3)  # height / width; real cards have 1.64, redrawn sets 1.36 to 1.7
_LEAST_PX: Final = 24
_IDS: Final = tuple(str(card) for card in DECK)


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """The pictures of one deck. `faces` holds all 48 cards, uint8 (H, W, 3) BGR, upright, cropped to the card's edge.

    Sizes may differ from face to face; `card_mm` is width and height of the physical card, `back` None if not enrolled.
    """

    name: str
    title: Words
    folder: Path
    licence: str
    card_mm: tuple[float, float]
    thickness_mm: float
    faces: Mapping[Card, NDArray[np.uint8]]
    back: NDArray[np.uint8] | None = None


def hanafuda_home() -> Path:
    """The folder of what a user has enrolled and set: `$HANAFUDA_HOME`, else the platform's user data folder."""
    given = os.environ.get("HANAFUDA_HOME")
    return Path(given).expanduser() if given else Path(platformdirs.user_data_dir("hanafuda", appauthor=False))


def find_deck(name: str, near: Path | None = None, decks_dirs: Sequence[Path] = (), home: Path | None = None) -> Path:
    """The folder of the deck that a file or option calls `name`, in the order that the format states.

    A folder (relative to `near`, the file or session folder that names it), an enrolled name under `home`, `DIR/name`
    for each of `decks_dirs` and of `HANAFUDA_DECKS`, `../../decks/name` beside a session, a built-in deck.
    Raises ConfigError that lists the decks there are.
    """
    if not name.strip():
        raise ConfigError("a deck needs a name or a folder, got an empty text")
    base = (near.parent if near.is_file() else near) if near is not None else Path()
    roots = [(home or hanafuda_home()) / "decks", *decks_dirs, *_dirs_of_environment()]
    if near is not None:
        roots.append(base.resolve().parent.parent / "decks")
    roots.append(BUILT_IN)
    for folder in (base / Path(name).expanduser(), *(root / name for root in roots)):
        if (folder / "deck.yaml").is_file():
            return folder
    direct = base / Path(name).expanduser()
    if direct.is_dir() and ("/" in name or os.sep in name or name in (".", "..")):
        raise ConfigError(f"{direct} is no deck: it has no deck.yaml")
    known = sorted({path.parent.name for root in roots if root.is_dir() for path in root.glob("*/deck.yaml")})
    near_names = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {near_names[0]!r}?" if near_names else ""
    raise ConfigError(f"no deck is called {name!r}{hint} (known: {', '.join(known) or 'none'}; or give a folder)")


def load_deck(folder: Path) -> Deck:
    """The deck in `folder`, all pictures read. Raises ConfigError that names the file, key or card that is wrong."""
    facts = _facts(folder / "deck.yaml")
    files = _files(folder)
    missing = [card for card in DECK if str(card) not in files]
    if missing:
        names = ", ".join(str(card) for card in missing[:6]) + (" …" if len(missing) > 6 else "")
        raise ConfigError(f"{folder}: {len(missing)} of 48 cards have no picture: {names}{_meant_for(folder, missing)}")
    faces = {card: _picture(files[str(card)]) for card in DECK}
    wants_back = facts.get("back", "back" in files)
    if wants_back and "back" not in files:
        raise ConfigError(f"{folder}: deck.yaml says back: true, but there is no back.png")
    return Deck(
        name=facts["name"],
        title=facts["title"],
        folder=folder,
        licence=facts["licence"],
        card_mm=facts["card_mm"],
        thickness_mm=facts["thickness_mm"],
        faces=MappingProxyType(faces),
        back=_picture(files["back"]) if wants_back else None,
    )


def _dirs_of_environment() -> list[Path]:
    return [Path(part).expanduser() for part in os.environ.get("HANAFUDA_DECKS", "").split(os.pathsep) if part]


def _facts(path: Path) -> dict[str, Any]:
    """The checked keys of a deck.yaml, `title` as Words."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{path.parent} is no deck: it has no deck.yaml") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is no valid YAML: {' '.join(str(error).split())}") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path} must hold keys and values, such as schema: {SCHEMA}")
    lacking = [key for key in _REQUIRED if key not in data]
    if lacking:
        raise ConfigError(f"{path} lacks the key {lacking[0]!r}; a deck needs {', '.join(_REQUIRED)}")
    schema = data["schema"]
    if isinstance(schema, bool) or not isinstance(schema, int) or schema < 1:
        raise ConfigError(f"{path}: schema must be a number from 1, got {schema!r}")
    if schema > SCHEMA:
        raise ConfigError(
            f"{path} has schema {schema}, newer than the {SCHEMA} that this version reads; update hanafuda"
        )
    name, licence = data["name"], data["licence"]
    if not isinstance(name, str) or not name.strip():
        raise ConfigError(f"{path}: name must be a text, got {name!r}")
    if not isinstance(licence, str):
        raise ConfigError(f"{path}: licence must be a text, got {licence!r}")
    back = data.get("back")
    if back is not None and not isinstance(back, bool):
        raise ConfigError(f"{path}: back must be true or false, got {back!r}")
    facts = {
        "name": name,
        "licence": licence,
        "title": _title(path, data["title"]),
        "card_mm": _card_mm(path, data["card_mm"]),
        "thickness_mm": _length(path, "thickness_mm", data.get("thickness_mm", 1.1), 0.05, 5.0),
    }
    return facts if back is None else facts | {"back": back}


def _title(path: Path, value: object) -> Words:
    match value:
        case str() if value.strip():
            return Words(value, value)
        case {"en": str(en), "ja": str(ja)}:
            return Words(en, ja)
        case {"en": str(only)} | {"ja": str(only)}:
            return Words(only, only)
    raise ConfigError(f"{path}: title must be {{en: …, ja: …}}, got {value!r}")


def _card_mm(path: Path, value: object) -> tuple[float, float]:
    match value:
        case [width, height]:
            size = _length(path, "card_mm", width, 10, 200), _length(path, "card_mm", height, 10, 300)
            if _ASPECT[0] <= size[1] / size[0] <= _ASPECT[1]:
                return size
    raise ConfigError(f"{path}: card_mm must be [width, height] of an upright card, such as [33, 54], got {value!r}")


def _length(path: Path, key: str, value: object, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ConfigError(f"{path}: {key} must be {least:g} to {most:g} mm, got {value!r}")
    return float(value)


def _files(folder: Path) -> dict[str, Path]:
    """Picture file of each card id (and `back`); warns about pictures whose name is no card's."""
    files: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in SUFFIXES or not path.is_file():
            continue
        name = path.stem.lower()
        if name not in _IDS and name != "back":
            close = difflib.get_close_matches(name, (*_IDS, "back"), n=1, cutoff=0.75)
            hint = f"; did you mean {close[0]}{path.suffix}?" if close else ""
            logger.warning("%s is the name of no card and is left out%s", path, hint)
            continue
        if name in files:
            raise ConfigError(f"{folder}: {name} is there twice, as {files[name].name} and {path.name}; keep one")
        files[name] = path
    return files


def _meant_for(folder: Path, missing: Sequence[Card]) -> str:
    """A hint at a misspelt file that looks meant for the first of the missing cards that has one."""
    strays = (
        {p.stem.lower(): p.name for p in folder.iterdir() if p.suffix.lower() in SUFFIXES} if folder.is_dir() else {}
    )
    strays = {stem: name for stem, name in strays.items() if stem not in _IDS}
    for card in missing:
        close = difflib.get_close_matches(str(card), tuple(strays), n=1, cutoff=0.75)
        if close:
            return f" ({strays[close[0]]} looks meant for {card})"
    return ""


def _picture(path: Path) -> NDArray[np.uint8]:
    """A face as uint8 (H, W, 3) BGR; transparent parts become white. Raises ConfigError naming the file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED) if data else None
    except cv2.error:
        image = None
    if image is None:
        raise ConfigError(f"{path} is no picture that can be read")
    if image.dtype != np.uint8:
        image = (image / (257.0 if image.dtype == np.uint16 else 1.0)).astype(np.uint8)
    image = np.atleast_3d(image)
    height, width, channels = image.shape
    if min(height, width) < _LEAST_PX:
        raise ConfigError(f"{path} is too small ({width}x{height} px); a card needs at least {_LEAST_PX} px a side")
    if not _ASPECT[0] <= height / width <= _ASPECT[1]:
        raise ConfigError(f"{path} is {width}x{height} px; a card stands upright, about 33 to 54, cropped to its edge")
    if channels in (1, 2):
        return cv2.cvtColor(np.ascontiguousarray(image[..., :1]), cv2.COLOR_GRAY2BGR).astype(np.uint8)
    if channels == 4:
        alpha = image[..., 3:].astype(np.float32) / 255
        image = np.rint(image[..., :3] * alpha + 255 * (1 - alpha))
    return np.ascontiguousarray(image[..., :3], dtype=np.uint8)
