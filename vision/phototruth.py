"""Photographs whose cards are known: what is written beside them, read and checked."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from engine.errors import ConfigError
from vision.tallies import band_of


@dataclass(frozen=True, slots=True, eq=False)
class TrueCard:
    """A card in a photograph: what it may be called, its corners (4, 2) px, whether others hide part of it.

    `visible` is the share (0–1) of it in view, None where nobody has measured it.
    """

    names: frozenset[Card]
    corners_px: NDArray[np.float64]
    occluded: bool
    visible: float | None = None

    @property
    def faces(self) -> frozenset[str]:
        """Month and rank of the cards it may be."""
        return frozenset(card.face for card in self.names)

    @property
    def band(self) -> str:
        """How much of it is in view, as `tallies.BANDS` has it."""
        return band_of(self.visible, self.occluded)


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A photograph with its truth. `unlisted` means that further cards may be in it, which then are not false.

    `look` is what kind of photograph it is, for counting.
    """

    image: Path
    deck: str
    cards: tuple[TrueCard, ...]
    unlisted: bool
    look: str = "photograph"


def load_photos(folders: Iterable[Path]) -> tuple[Photo, ...]:
    """The photographs with truth (`NAME.json` beside the picture) in `folders`, by name."""
    photos: list[Photo] = []
    for folder in folders:
        if not folder.is_dir():
            raise ConfigError(f"{folder} is no folder of photographs")
        truths = sorted(folder.glob("*.json"))
        if not truths:
            raise ConfigError(f"{folder} holds no NAME.json with the truth of a photograph")
        photos.extend(load_photo(path) for path in truths)
    return tuple(photos)


def load_photo(path: Path) -> Photo:
    """The truth in one file. Raises ConfigError that names file and key."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read as JSON: {error}") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path} must hold an object with image, deck and cards")
    for key, kind in (("image", str), ("deck", str), ("cards", list)):
        if not isinstance(data.get(key), kind):
            raise ConfigError(f"{path}: {key} is missing or of the wrong kind")
    cards = tuple(_true_card(path, i, entry) for i, entry in enumerate(data["cards"]))
    look = data.get("look", "photograph")
    if not isinstance(look, str):
        raise ConfigError(f"{path}: look must be a word, got {look!r}")
    return Photo(path.parent / data["image"], data["deck"], cards, data.get("unlisted") == "ignore", look)


def _true_card(path: Path, index: int, entry: Any) -> TrueCard:
    where = f"{path}: cards[{index}]"
    if not isinstance(entry, dict) or not isinstance(entry.get("card"), str):
        raise ConfigError(f"{where} needs a card id")
    try:
        corners = np.asarray(entry.get("corners_px"), np.float64)
    except (TypeError, ValueError):
        corners = np.zeros(0)
    if corners.shape != (4, 2) or not np.all(np.isfinite(corners)):
        raise ConfigError(f"{where}: corners_px must be four points [x, y]")
    visible = entry.get("visible")
    if visible is not None and (isinstance(visible, bool) or not isinstance(visible, int | float)):
        raise ConfigError(f"{where}: visible must be a share from 0 to 1, got {visible!r}")
    return TrueCard(_names(where, entry), corners, bool(entry.get("occluded", False)), visible)


def _names(where: str, entry: dict[str, Any]) -> frozenset[Card]:
    """The card and those that `uncertain` names, as a list or as "A or B"."""
    doubt = entry.get("uncertain") or []
    words = doubt.replace(",", " ").split() if isinstance(doubt, str) else doubt
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ConfigError(f"{where}: uncertain must name card ids, got {doubt!r}")
    try:
        return frozenset(Card.parse(word) for word in (entry["card"], *words) if word != "or")
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None
