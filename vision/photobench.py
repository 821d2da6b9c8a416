"""Counts readings of photographs against what is written beside them."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from engine.errors import ConfigError
from vision.deck import Deck
from vision.picture import load_image
from vision.quads import overlap
from vision.still import PhotoReader, Reading

_SAME_PLACE: Final = 0.5
"""Intersection over union from which a reading lies on a card."""


@dataclass(frozen=True, slots=True, eq=False)
class TrueCard:
    """A card in a photograph: what it may be called, its corners (4, 2) px, whether others hide part of it."""

    names: frozenset[Card]
    corners_px: NDArray[np.float64]
    occluded: bool

    @property
    def faces(self) -> frozenset[str]:
        """Month and rank of the cards it may be."""
        return frozenset(card.face for card in self.names)


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A photograph with its truth. `unlisted` means that further cards may be in it, which then are not false."""

    image: Path
    deck: str
    cards: tuple[TrueCard, ...]
    unlisted: bool


@dataclass(frozen=True, slots=True)
class Count:
    """Cards there are, found of these, and right (month and rank) of the found; `exact` counts the very chaff."""

    cards: int = 0
    found: int = 0
    right: int = 0
    exact: int = 0

    def __add__(self, other: "Count") -> "Count":
        return Count(
            self.cards + other.cards, self.found + other.found, self.right + other.right, self.exact + other.exact
        )


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """How one photograph was read: `whole` and `occluded` cards, `false` readings where no card lies, and in words."""

    image: str
    whole: Count
    occluded: Count
    false: int
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhotoReport:
    """All photographs of a run and their sums."""

    photos: tuple[PhotoResult, ...]

    @property
    def whole(self) -> Count:
        """Cards that nothing hides."""
        return sum((photo.whole for photo in self.photos), Count())

    @property
    def occluded(self) -> Count:
        """Cards that others hide in part."""
        return sum((photo.occluded for photo in self.photos), Count())

    @property
    def false(self) -> int:
        """Readings where no card lies."""
        return sum(photo.false for photo in self.photos)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values for JSON."""

        def plain(count: Count) -> dict[str, int]:
            return {"cards": count.cards, "found": count.found, "right": count.right, "exact": count.exact}

        return {
            "whole": plain(self.whole),
            "occluded": plain(self.occluded),
            "false": self.false,
            "photos": [
                {
                    "image": photo.image,
                    "whole": plain(photo.whole),
                    "occluded": plain(photo.occluded),
                    "false": photo.false,
                    "remarks": list(photo.remarks),
                }
                for photo in self.photos
            ],
        }


def bench_read(
    folders: Sequence[Path],
    deck_for: Callable[[str, Path], Deck],
    report: Callable[[PhotoResult], None] = lambda _: None,
) -> PhotoReport:
    """Reads every photograph with truth in `folders` and counts.

    `deck_for(name, folder)` gives the deck that a truth file names; `report` is told each result as it is there.
    Raises ConfigError for folders without truth and truth files that cannot be read.
    """
    readers: dict[str, PhotoReader] = {}
    results = []
    for photo in load_photos(folders):
        if photo.deck not in readers:
            readers[photo.deck] = PhotoReader(deck_for(photo.deck, photo.image.parent))
        result = count_photo(photo, readers[photo.deck].read(load_image(photo.image)))
        report(result)
        results.append(result)
    return PhotoReport(tuple(results))


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
    return Photo(path.parent / data["image"], data["deck"], cards, data.get("unlisted") == "ignore")


def count_photo(photo: Photo, readings: Sequence[Reading]) -> PhotoResult:
    """How far `readings` agree with the photograph's truth.

    A card is found by one reading whose polygon overlaps it by at least half; nearest pairs are matched first.
    """
    pairs = sorted(
        (
            (-overlap(card.corners_px, np.array(reading.corners_px)), i, k)
            for i, card in enumerate(photo.cards)
            for k, reading in enumerate(readings)
        ),
    )
    found: dict[int, int] = {}
    for share, i, k in pairs:
        if -share >= _SAME_PLACE and i not in found and k not in found.values():
            found[i] = k
    counts = {False: Count(), True: Count()}
    remarks = []
    for i, card in enumerate(photo.cards):
        name = " or ".join(sorted(str(one) for one in card.names))
        if i not in found:
            counts[card.occluded] += Count(1)
            remarks.append(f"{name} not found" + (" (partly hidden)" if card.occluded else ""))
            continue
        reading = readings[found[i]]
        right = reading.card.face in card.faces
        counts[card.occluded] += Count(1, 1, int(right), int(reading.card in card.names))
        if not right:
            remarks.append(f"{name} read as {reading.card} ({reading.confidence:.2f})")
    extra = [reading for k, reading in enumerate(readings) if k not in found.values()]
    false = [] if photo.unlisted else extra
    remarks += [f"{reading.card} read where no card lies ({reading.confidence:.2f})" for reading in false]
    return PhotoResult(photo.image.name, counts[False], counts[True], len(false), tuple(remarks))


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
    return TrueCard(_names(where, entry), corners, bool(entry.get("occluded", False)))


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
