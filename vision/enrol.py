"""Enrols decks: copies a folder of pictures to where decks live, and tries whether every card can be told."""

import logging
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from engine.cards import DECK, Card
from engine.errors import ConfigError
from vision.classify import Matcher
from vision.deck import SUFFIXES, Deck, load_deck

logger = logging.getLogger(__name__)

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_HEIGHTS_PX: Final = (45, 55, 70, 90)
_ALIKE: Final = 0.75  # correlation of two pictures from which they are worth a warning
_TWINS: Final = 0.915  # the same for chaff of a month: no eye tells them apart
_UNSURE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Pair:
    """Two cards of different month or rank that look alike, and the correlation (−1 to 1) of their pictures."""

    first: Card
    second: Card
    likeness: float


@dataclass(frozen=True, slots=True)
class SelfTest:
    """How a deck's own pictures are read back when seen small, blurred, noisy, tinted and slightly displaced.

    `readings` there were, `right` of them by month and rank, `exact` the very card (chaff included), `unsure` read with
    a confidence under a half. `wrong` maps a card to what it was taken for; `alike` are the pairs to beware of.
    `twins` are chaff of one month that nobody can tell apart, which no rule asks for.
    """

    readings: int
    right: int
    exact: int
    unsure: int
    wrong: Mapping[Card, tuple[Card | None, ...]]
    alike: tuple[Pair, ...]
    twins: tuple[Pair, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether at least 99 % of the readings named month and rank."""
        return self.right >= 0.99 * self.readings

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values for JSON."""
        return {
            "passed": self.passed,
            "readings": self.readings,
            "right": self.right,
            "exact": self.exact,
            "unsure": self.unsure,
            "wrong": {str(card): [str(c or "back") for c in taken] for card, taken in self.wrong.items()},
            "alike": [[str(pair.first), str(pair.second), round(pair.likeness, 3)] for pair in self.alike],
            "twins": [[str(pair.first), str(pair.second), round(pair.likeness, 3)] for pair in self.twins],
        }


def add_deck(name: str, folder: Path, home: Path, replace: bool = False) -> Deck:
    """Enrols the deck in `folder` as `name` under `home`/decks and gives it back.

    The copy is complete or not there at all; a deck of that name is kept unless `replace`. Raises ConfigError.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name!r} cannot be a deck's name; use letters, digits, dots, dashes (at most 64)")
    load_deck(folder)
    target = home / "decks" / name
    if target.exists() and not replace:
        raise ConfigError(f"there is a deck {name!r} already ({target}); choose another name or say --replace")
    if target.exists() and target.resolve() == folder.resolve():
        raise ConfigError(f"{folder} is that deck itself; nothing to replace it with")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=target.parent) as scratch:
            copy = Path(scratch) / "new"
            _copy(folder, copy, name)
            if target.exists():
                target.rename(Path(scratch) / "old")
            try:
                copy.rename(target)
            except OSError:
                if (Path(scratch) / "old").exists():
                    (Path(scratch) / "old").rename(target)
                raise
    except OSError as error:
        raise ConfigError(f"{target} cannot be written: {error.strerror or error}") from None
    logger.info("enrolled deck %s from %s", name, folder)
    return load_deck(target)


def self_test(deck: Deck, views: int = 4, seed: int = 1) -> SelfTest:
    """Reads every card of `deck` back in `views` made-up camera views each, and looks for pictures that are alike."""
    matcher = Matcher(deck)
    rng = np.random.default_rng(seed)
    cards = [card for card in DECK for _ in range(views)]
    patches = np.stack(
        [_view(deck.faces[card], _HEIGHTS_PX[i % len(_HEIGHTS_PX)], rng) for i, card in enumerate(cards)]
    )
    matches = matcher.best(patches)
    wrong: dict[Card, tuple[Card | None, ...]] = {}
    for card, match in zip(cards, matches, strict=True):
        if match.card is None or match.card.face != card.face:
            wrong[card] = (*wrong.get(card, ()), match.card)
    return SelfTest(
        readings=len(cards),
        right=sum(m.card is not None and m.card.face == c.face for c, m in zip(cards, matches, strict=True)),
        exact=sum(m.card == c for c, m in zip(cards, matches, strict=True)),
        unsure=sum(m.confidence < _UNSURE for m in matches),
        wrong=wrong,
        alike=alike_pairs(deck, matcher),
        twins=tuple(pair for pair in _pairs(deck, matcher, _TWINS) if pair.first.face == pair.second.face),
    )


def alike_pairs(deck: Deck, matcher: Matcher) -> tuple[Pair, ...]:
    """Cards of different month or rank whose pictures correlate strongly in either half turn, most alike first."""
    return tuple(pair for pair in _pairs(deck, matcher, _ALIKE) if pair.first.face != pair.second.face)


def _pairs(deck: Deck, matcher: Matcher, least: float) -> tuple[Pair, ...]:
    """All pairs of cards whose pictures correlate by more than `least`, most alike first."""
    size = matcher.size_px
    pictures = [cv2.resize(deck.faces[card], size, interpolation=cv2.INTER_AREA) for card in DECK]
    scores = matcher.scores(np.stack(pictures)).max(axis=1)
    pairs = []
    for i, first in enumerate(DECK):
        for j, second in enumerate(DECK[:i]):
            likeness = float(max(scores[i, j], scores[j, i]))
            if likeness > least:
                pairs.append(Pair(second, first, likeness))
    return tuple(sorted(pairs, key=lambda pair: -pair.likeness))


def _copy(folder: Path, copy: Path, name: str) -> None:
    """The deck's files in `copy`, its name in deck.yaml changed to `name`; other files are left behind."""
    copy.mkdir()
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.suffix.lower() in (*SUFFIXES, ".txt", ".md"):
            shutil.copyfile(path, copy / path.name)
    data = yaml.safe_load((folder / "deck.yaml").read_text(encoding="utf-8"))
    text = yaml.safe_dump({**data, "name": name}, allow_unicode=True, sort_keys=False)
    with (copy / "deck.yaml").open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _view(face: NDArray[np.uint8], height_px: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The face as a camera might show it `height_px` high: displaced, blurred, tinted, unevenly lit and noisy."""
    width_px = round(height_px * 33 / 54)
    small = cv2.resize(face, (width_px, height_px), interpolation=cv2.INTER_AREA).astype(np.float32)
    corners = np.array([[0, 0], [width_px, 0], [width_px, height_px], [0, height_px]], np.float32) - 0.5
    moved = corners + rng.normal(0, 0.015 * height_px, (4, 2)).astype(np.float32)
    warp = cv2.getPerspectiveTransform(moved.astype(np.float32), corners)
    seen = cv2.warpPerspective(small, warp, (width_px, height_px), borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.4, 1.0) * height_px / 70))
    slope = np.linspace(-1, 1, height_px, dtype=np.float32)[:, None, None] * rng.normal(0, 0.12)
    lit = seen * (1 + slope) * rng.uniform(0.5, 1.0) * np.exp(rng.normal(0, 0.1, 3)) + rng.uniform(0, 15)
    noisy = lit + rng.normal(0, rng.uniform(1, 5), lit.shape)
    turned = noisy if rng.random() < 0.5 else noisy[::-1, ::-1]
    patch = np.clip(np.rint(turned), 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(patch, (66, 108), interpolation=cv2.INTER_LINEAR), np.uint8)
