"""Photographs from anywhere: their cards named and, for a game, counted as one player's; readings against a truth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.cards import Card
from engine.errors import ConfigError
from engine.events import Tally
from engine.game import Game
from engine.yaku import tally
from vision.deck import Deck, find_deck, hanafuda_home, load_deck
from vision.still import PhotoReader, Reading
from vision.strange import StrangeReader


def photo_deck(name: str | None, decks_dirs: Sequence[Path]) -> Deck:
    """The deck called `name`; without a name the only one that is enrolled, else the one that is built in."""
    if name is None:
        return load_deck(_only_enrolled() or find_deck("tsuki"))
    return load_deck(find_deck(name, None, decks_dirs))


def photo_reader(name: str | None, decks_dirs: Sequence[Path]) -> PhotoReader | StrangeReader:
    """What reads photographs of the deck called `name`; without a name of the only one that is enrolled.

    With nothing enrolled it reads any traditional deck, but no cards that others hide for the most part.
    """
    if name is None and _only_enrolled() is None:
        return StrangeReader()
    return PhotoReader(photo_deck(name, decks_dirs))


def _only_enrolled() -> Path | None:
    """The folder of the deck that is enrolled, None if none is. Raises ConfigError if there are several."""
    enrolled = sorted((hanafuda_home() / "decks").glob("*/deck.yaml"))
    if len(enrolled) > 1:
        names = ", ".join(path.parent.name for path in enrolled)
        raise ConfigError(f"several decks are enrolled ({names}): say which with --deck NAME")
    return enrolled[0].parent if enrolled else None


def deck_finder(name: str | None, decks_dirs: Sequence[Path]) -> Callable[[str, Path], Deck]:
    """What finds the deck of a photograph in a folder: always `name` if given, else the one its truth names.

    A deck is looked for as everywhere, and in `decks` beside the folder of photographs.
    """

    def find(wanted: str, folder: Path) -> Deck:
        beside = folder.resolve().parent / "decks"
        return load_deck(find_deck(name or wanted, None if name else folder, [*decks_dirs, beside]))

    return find


@dataclass(frozen=True, slots=True)
class Worth:
    """What cards are worth in a game as if they were all one player's; each counts once.

    `left_out` are cards that the game is played without; `counts` is False where that game captures nothing.
    """

    tally: Tally
    left_out: tuple[Card, ...]
    counts: bool


def worth_of(readings: Sequence[Reading], game: Game[Any]) -> Worth:
    """What the cards that were read are worth in `game`: points and yaku by its rules."""
    cards: frozenset[Card] = frozenset(reading.card for reading in readings)
    played = cards & frozenset(game.deck)
    zones = {place.zone for place in game.zones(2)}
    score = tally(played, game.book.points, game.book.yaku)
    return Worth(score, tuple(sorted(cards - played)), "captured" in zones)


def as_dict(image: Path, readings: Sequence[Reading], worth: Worth | None) -> dict[str, Any]:
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
        "score": None if worth is None else _score(worth.tally),
    }


def _score(score: Tally) -> dict[str, Any]:
    yaku = [{"id": y.id, "value": y.value} for y in score.yaku]
    return {"points": score.points, "yaku": yaku, "total": score.total}
