"""Learning a deck: pictures of spread cards become 48 named faces, a deck's folder, an enrolled deck."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from engine.cards import DECK, Card
from engine.errors import ConfigError
from engine.words import card_name
from vision.classify import Matcher
from vision.deck import BUILT_IN, Deck, hanafuda_home, load_deck
from vision.enrol import add_deck
from vision.learn import Likeness, Naming, likeness, name_all
from vision.spread import SpreadCard, face_of, find_spread

_KNOWN_DECKS: Final = 4
_TALL_PX: Final = 150
_SCAN: Final = 0.12  # how far from a card's a picture's shape may be that is one card
_DOUBLE: Final = 0.8  # correlation of two faces from which one is the other again
_RED, _GREEN, _BLACK = (40, 40, 220), (60, 150, 40), (20, 20, 20)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A card that was seen: the picture it is in, its face, uint8 (H, W, 3) BGR, either way up, and where it lies."""

    picture: str
    face: NDArray[np.uint8]
    place: SpreadCard | None = None


@dataclass(frozen=True, eq=False)
class Learning:
    """What has been seen of a deck so far, and what a person said of some of it (by index into `seen`)."""

    decks: tuple[Matcher, ...]
    card_mm: tuple[float, float] = (33.0, 54.0)
    seen: tuple[Seen, ...] = ()
    said: Mapping[int, Card | None] = field(default_factory=dict)
    back: NDArray[np.uint8] | None = None
    found: Likeness = field(default_factory=lambda: likeness((), ()))

    @cached_property
    def names(self) -> tuple[Naming, ...]:
        """What each of `seen` is taken for."""
        return name_all(self.found, self.said)

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards that nothing seen so far is taken for."""
        there = {name.card for name in self.names}
        return tuple(card for card in DECK if card not in there)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Which of `seen` a person should name."""
        return tuple(i for i, name in enumerate(self.names) if name.doubtful)

    @property
    def left(self) -> tuple[int, ...]:
        """Which of `seen` are none of the 48: doubles, backs, other things."""
        return tuple(i for i, name in enumerate(self.names) if name.card is None)

    @property
    def back_seen(self) -> int | None:
        """Which of `seen` is the back: the only one that is none of the 48, has an outline, and is no double."""
        left = [i for i in self.left if i not in self.said]
        if len(left) != 1:
            return None
        one = self.seen[left[0]]
        if one.place is not None and one.place.guessed:
            return None
        small = [_small(other.face) for i, other in enumerate(self.seen) if i != left[0]]
        own = _small(one.face)
        alike = max((float((own * other).mean()) for face in small for other in (face, face[::-1, ::-1])), default=0.0)
        return left[0] if alike < _DOUBLE else None

    def with_picture(self, picture: str, image: NDArray[np.uint8]) -> "Learning":
        """This, and the cards that lie spread in `image`, uint8 (H, W, 3) BGR."""
        found = find_spread(image, self.card_mm)
        more = tuple(Seen(picture, face_of(image, card, self.card_mm), card) for card in found)
        return self._with(more)

    def with_scan(self, picture: str, image: NDArray[np.uint8]) -> "Learning":
        """This, and one card that fills `image`, uint8 (H, W, 3) BGR, cut to its edge."""
        upright = image if image.shape[0] >= image.shape[1] else np.ascontiguousarray(np.rot90(image))
        return self._with((Seen(picture, np.asarray(upright, np.uint8)),))

    def _with(self, more: tuple[Seen, ...]) -> "Learning":
        found = likeness([one.face for one in more], self.decks)
        return replace(self, seen=self.seen + more, found=self.found + found)

    def told(self, number: int, card: Card | None) -> "Learning":
        """This, and a person's word that the card `number` (from 1) is `card`, or none of the 48."""
        if not 1 <= number <= len(self.seen):
            raise ConfigError(f"there is no card {number}; there are 1 to {len(self.seen)}")
        before = next((i for i, said in self.said.items() if card is not None and said == card), None)
        if before is not None and before != number - 1:
            raise ConfigError(f"card {number} cannot be {card} too: card {before + 1} is")
        return replace(self, said={**self.said, number - 1: card})


def _small(face: NDArray[np.uint8]) -> NDArray[np.float64]:
    """A face in grey, coarse, of mean 0 and spread 1, (27, 17)."""
    coarse = cv2.resize(face, (17, 27), interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(coarse, cv2.COLOR_BGR2GRAY), np.float64)
    return np.asarray((grey - grey.mean()) / max(float(grey.std()), 1e-6), np.float64)


def known_decks() -> tuple[Matcher, ...]:
    """Decks whose pictures help to name others: those that are enrolled, and what is built in."""
    folders = [path.parent for path in sorted((hanafuda_home() / "decks").glob("*/deck.yaml"))]
    folders += [path.parent for path in sorted(BUILT_IN.glob("*/deck.yaml"))]
    decks = []
    for folder in folders:
        try:
            decks.append(Matcher(replace(load_deck(folder), back=None)))
        except ConfigError:
            continue  # a damaged deck helps nobody, and `deck list` names it
    return tuple(decks[-_KNOWN_DECKS:])


def looks_like_scan(image: NDArray[np.uint8], card_mm: tuple[float, float]) -> bool:
    """Whether a picture is one card, cut to its edge, rather than a photograph: it has a card's shape."""
    height, width = sorted(image.shape[:2], reverse=True)
    return bool(abs(height / width / (card_mm[1] / card_mm[0]) - 1) < _SCAN)


def enrol(
    learning: Learning, name: str, home: Path, title: str = "", licence: str = "", replaces: bool = False
) -> Deck:
    """Enrols what was learnt as the deck `name`. Raises ConfigError where cards are missing, or a name is taken."""
    if learning.missing:
        few = ", ".join(str(card) for card in learning.missing[:8]) + (" …" if len(learning.missing) > 8 else "")
        raise ConfigError(f"{len(learning.missing)} of 48 cards have not been seen: {few}; show them too")
    data = {
        "schema": 1,
        "name": name,
        "title": {"en": title or name, "ja": title or name},
        "licence": licence or "not stated; enrolled for own use",
        "card_mm": list(learning.card_mm),
        "back": learning.back is not None,
    }
    with tempfile.TemporaryDirectory(prefix="hanafuda-deck-") as scratch:
        folder = Path(scratch)
        (folder / "deck.yaml").write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), encoding="utf-8")
        for seen, naming in zip(learning.seen, learning.names, strict=True):
            if naming.card is not None:
                face = seen.face[::-1, ::-1] if naming.turned else seen.face
                cv2.imwrite(str(folder / f"{naming.card}.png"), np.ascontiguousarray(face))
        if learning.back is not None:
            cv2.imwrite(str(folder / "back.png"), learning.back)
        return add_deck(name, folder, home, replaces)


def sheet(learning: Learning, only: Sequence[int] | None = None) -> NDArray[np.uint8]:
    """All that was seen, or `only` some of it, as a numbered sheet, uint8 (H, W, 3) BGR, the way up it was taken for.

    Under each its number and what it is taken for; red where a person should look.
    """
    shown = list(range(len(learning.seen))) if only is None else list(only)
    width = round(_TALL_PX * learning.card_mm[0] / learning.card_mm[1])
    columns = min(8, max(1, len(shown)))
    cell = (width + 24, _TALL_PX + 44)
    rows = -(-len(shown) // columns)
    out = np.full((max(1, rows) * cell[1] + 10, columns * cell[0] + 10, 3), 245, np.uint8)
    for place, i in enumerate(shown):
        naming = learning.names[i]
        face = learning.seen[i].face[::-1, ::-1] if naming.turned else learning.seen[i].face
        x, y = 10 + place % columns * cell[0], 10 + place // columns * cell[1]
        out[y : y + _TALL_PX, x : x + width] = cv2.resize(face, (width, _TALL_PX), interpolation=cv2.INTER_AREA)
        colour = _RED if naming.doubtful else _BLACK if naming.card is None else _GREEN
        cv2.rectangle(out, (x - 2, y - 2), (x + width + 1, y + _TALL_PX + 1), colour, 3)
        text = f"{i + 1} {naming.card or 'none'}" + ("?" if naming.doubtful else "")
        cv2.putText(out, text, (x - 4, y + _TALL_PX + 18), cv2.FONT_HERSHEY_SIMPLEX, 0.38, colour, 1, cv2.LINE_AA)
    return out


def question(learning: Learning, index: int) -> str:
    """What a person is asked about a doubtful card."""
    naming, seen = learning.names[index], learning.seen[index]
    choices = " or ".join(f"{card} ({card_name(card).en})" for card in naming.choices[:3])
    return f"card {index + 1} in {seen.picture}: {choices}? [Enter: {naming.card or 'none'}; an id; none]"
