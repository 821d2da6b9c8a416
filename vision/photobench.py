"""Counts readings of photographs against what is written beside them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.photoscenes import KINDS, make_photo
from vision.phototruth import Photo, TrueCard, load_photos
from vision.picture import load_image
from vision.quads import overlap
from vision.still import PhotoReader, Reading
from vision.tallies import Count, Reliability, in_order, reliability

_SAME_PLACE: Final = 0.5
"""Intersection over union from which a reading lies on a card."""
_LEAST_VISIBLE: Final = 0.15
"""Of a made card less than this in view nothing is asked, and a reading of it is not false."""


@dataclass(frozen=True, slots=True)
class CardResult:
    """What became of one card: its band, and the confidence of the reading that found it (None: not found)."""

    band: str
    occluded: bool
    confidence: float | None = None
    right: bool = False
    exact: bool = False

    @property
    def count(self) -> Count:
        """The card as a count of one."""
        return Count(1, int(self.confidence is not None), int(self.right), int(self.exact))


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """How one photograph was read: each card, the confidence of each reading where no card lies, and in words."""

    image: str
    deck: str
    look: str
    cards: tuple[CardResult, ...]
    false_confidences: tuple[float, ...]
    remarks: tuple[str, ...] = ()

    @property
    def whole(self) -> Count:
        """Cards that nothing hides."""
        return sum((card.count for card in self.cards if not card.occluded), Count())

    @property
    def occluded(self) -> Count:
        """Cards that others hide in part."""
        return sum((card.count for card in self.cards if card.occluded), Count())

    @property
    def false(self) -> int:
        """Readings where no card lies."""
        return len(self.false_confidences)


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

    @property
    def decks(self) -> dict[str, Count]:
        """Counts by deck."""
        return _sums((photo.deck, card) for photo in self.photos for card in photo.cards)

    @property
    def looks(self) -> dict[str, Count]:
        """Counts by kind of photograph."""
        return _sums((photo.look, card) for photo in self.photos for card in photo.cards)

    @property
    def bands(self) -> dict[str, Count]:
        """Counts by how much of the card is in view."""
        return in_order(_sums((card.band, card) for photo in self.photos for card in photo.cards))

    def false_by(self, key: Callable[[PhotoResult], str]) -> dict[str, int]:
        """Readings where no card lies, by what `key` says of the photograph."""
        out: dict[str, int] = {}
        for photo in self.photos:
            out[key(photo)] = out.get(key(photo), 0) + photo.false
        return out

    @property
    def reliability(self) -> Reliability:
        """How far the confidences can be believed; a reading where no card lies is wrong."""
        found = [(c.confidence, c.right) for p in self.photos for c in p.cards if c.confidence is not None]
        return reliability([*found, *((one, False) for p in self.photos for one in p.false_confidences)])

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values for JSON."""
        return {
            "whole": self.whole.as_dict(),
            "occluded": self.occluded.as_dict(),
            "false": self.false,
            "decks": {name: count.as_dict() for name, count in self.decks.items()},
            "bands": {name: count.as_dict() for name, count in self.bands.items()},
            "looks": {name: count.as_dict() for name, count in self.looks.items()},
            "reliability": self.reliability.as_dict(),
            "photos": [
                {
                    "image": photo.image,
                    "deck": photo.deck,
                    "look": photo.look,
                    "whole": photo.whole.as_dict(),
                    "occluded": photo.occluded.as_dict(),
                    "false": photo.false,
                    "remarks": list(photo.remarks),
                }
                for photo in self.photos
            ],
        }


Shown = Callable[[Photo, NDArray[np.uint8], Sequence[Reading], PhotoResult], None]
"""Is handed a photograph's truth, its picture, what was read in it, and how that counts."""


def bench_read(
    folders: Sequence[Path],
    deck_for: Callable[[str, Path], Deck],
    report: Callable[[PhotoResult], None] = lambda _: None,
    show: Shown = lambda *_: None,
) -> PhotoReport:
    """Reads every photograph with truth in `folders` and counts.

    `deck_for(name, folder)` gives the deck that a truth file names; `report` is told each result as it is there, and
    `show` is handed the pictures.
    Raises ConfigError for folders without truth and truth files that cannot be read.
    """
    readers: dict[str, PhotoReader] = {}
    results = []
    for photo in load_photos(folders):
        if photo.deck not in readers:
            readers[photo.deck] = PhotoReader(deck_for(photo.deck, photo.image.parent))
        image = load_image(photo.image)
        readings = readers[photo.deck].read(image)
        result = count_photo(photo, readings)
        report(result)
        show(photo, image, readings, result)
        results.append(result)
    return PhotoReport(tuple(results))


def bench_made(
    deck: Deck,
    drawn: Deck,
    count: int,
    seed: int,
    report: Callable[[PhotoResult], None] = lambda _: None,
    kinds: Sequence[str] = KINDS,
    show: Shown = lambda *_: None,
) -> PhotoReport:
    """Reads `count` made photographs of each kind, their cards those of `drawn`, with the pictures of `deck`."""
    reader = PhotoReader(deck)
    results = []
    for kind in kinds:
        for number in range(seed, seed + count):
            made = make_photo(drawn, kind, number)
            cards = tuple(
                TrueCard(frozenset((card.card,)), card.corners_px, card.visible < 0.97, card.visible)
                for card in made.cards
            )
            photo = Photo(Path(f"{kind}-{number}"), drawn.name, cards, False, kind)
            readings = reader.read(made.image)
            result = count_photo(photo, readings)
            report(result)
            show(photo, made.image, readings, result)
            results.append(result)
    return PhotoReport(tuple(results))


def _sums(cards: Iterable[tuple[str, CardResult]]) -> dict[str, Count]:
    out: dict[str, Count] = {}
    for name, card in cards:
        out[name] = out.get(name, Count()) + card.count
    return out


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
    results: list[CardResult] = []
    remarks = []
    for i, card in enumerate(photo.cards):
        asked = card.visible is None or card.visible >= _LEAST_VISIBLE
        result = CardResult(card.band, card.occluded)
        name = " or ".join(sorted(str(one) for one in card.names))
        hidden = "" if not card.occluded else " (partly hidden)" if card.visible is None else f" ({card.visible:.0%})"
        if i in found:
            reading = readings[found[i]]
            right = reading.card.face in card.faces
            result = replace(result, confidence=reading.confidence, right=right, exact=reading.card in card.names)
            if asked and not right:
                remarks.append(f"{name}{hidden} read as {reading.card} ({reading.confidence:.2f})")
        elif asked:
            remarks.append(f"{name} not found{hidden}")
        if asked:
            results.append(result)
    extra = [] if photo.unlisted else [reading for k, reading in enumerate(readings) if k not in found.values()]
    remarks += [f"{reading.card} read where no card lies ({reading.confidence:.2f})" for reading in extra]
    false = tuple(reading.confidence for reading in extra)
    return PhotoResult(photo.image.name, photo.deck, photo.look, tuple(results), false, tuple(remarks))
