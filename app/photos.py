"""Photographs from anywhere: read from disk, their cards named and, for a game, counted as one player's."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from engine.errors import ConfigError
from engine.events import Tally
from engine.game import Game
from engine.yaku import tally
from vision.deck import Deck, find_deck, hanafuda_home, load_deck
from vision.still import Reading

LARGEST_BYTES = 200_000_000


def load_photo(path: Path) -> NDArray[np.uint8]:
    """The picture in the file, uint8 (H, W, 3) BGR, turned as its camera says. Raises ConfigError naming the file."""
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= LARGEST_BYTES else b""
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({(error.strerror or 'unknown reason').lower()})") from error
    if size > LARGEST_BYTES:
        raise ConfigError(f"{path}: is {size // 1_000_000} MB large, too much for a photograph")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error:
        image = None
    if image is None:
        raise ConfigError(f"{path}: is no picture that can be read")
    return np.asarray(image, dtype=np.uint8)


def photo_deck(name: str | None, decks_dirs: Sequence[Path]) -> Deck:
    """The deck called `name`; without a name the only one that is enrolled, else the one that is built in."""
    if name is None:
        enrolled = sorted((hanafuda_home() / "decks").glob("*/deck.yaml"))
        if len(enrolled) > 1:
            names = ", ".join(path.parent.name for path in enrolled)
            raise ConfigError(f"several decks are enrolled ({names}): say which with --deck NAME")
        return load_deck(enrolled[0].parent if enrolled else find_deck("tsuki"))
    return load_deck(find_deck(name, None, decks_dirs))


def score_of(readings: Sequence[Reading], game: Game[Any]) -> Tally:
    """What the cards that were read are worth in `game`, as if they were all one player's; each counts once."""
    cards: frozenset[Card] = frozenset(reading.card for reading in readings) & frozenset(game.deck)
    return tally(cards, game.book.points, game.book.yaku)


def as_dict(image: Path, readings: Sequence[Reading], score: Tally | None) -> dict[str, Any]:
    """The line of JSON for one photograph, as FORMATS has it."""
    return {
        "image": str(image),
        "cards": [
            {
                "card": str(reading.card),
                "confidence": round(reading.confidence, 4),
                "corners_px": [[round(x, 2), round(y, 2)] for x, y in reading.corners_px],
                "alternatives": [
                    {"card": str(card), "confidence": round(confidence, 4)} for card, confidence in reading.alternatives
                ],
            }
            for reading in readings
        ],
        "score": None
        if score is None
        else {
            "points": score.points,
            "yaku": [{"id": y.id, "value": y.value} for y in score.yaku],
            "total": score.total,
        },
    }
