"""How a deck is learnt step by step: pictures taken or given, words for the person, questions about doubtful ones."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from app.image_folder import image_paths
from app.learning import Learning, looks_like_scan, question
from engine.cards import DECK, Card
from engine.errors import ConfigError
from vision.deck import Deck
from vision.photoscenes import make_spread
from vision.picture import load_image

Say = Callable[[str], None]
Ask = Callable[[str], str | None]
"""Puts a question to a person; None where nobody is there (any more)."""
_A_PICTURE: Final = 16  # cards that the simulated camera shows at a time


class Eye(Protocol):
    """Whatever gives pictures of spread cards, one after the other."""

    def pictures(self) -> Iterator[tuple[str, NDArray[np.uint8]]]:
        """Names and pictures, uint8 (H, W, 3) BGR, until there are no more."""
        ...


class Files:
    """Pictures in files and folders."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = [one for path in paths for one in (image_paths(path) if path.is_dir() else (path,))]

    def pictures(self) -> Iterator[tuple[str, NDArray[np.uint8]]]:
        """Each picture. Raises ConfigError that names the file."""
        for path in self._paths:
            yield path.name, load_image(path)


class SimulatedCamera:
    """A camera over a table on which somebody spreads `deck`, a part at a time, shuffled by `seed`."""

    def __init__(self, deck: Deck, seed: int = 1) -> None:
        self._deck, self._seed = deck, seed

    def pictures(self) -> Iterator[tuple[str, NDArray[np.uint8]]]:
        """A picture of each part."""
        order = np.random.default_rng(self._seed).permutation(len(DECK))
        for start in range(0, len(DECK), _A_PICTURE):
            cards = [DECK[i] for i in order[start : start + _A_PICTURE]]
            number = start // _A_PICTURE + 1
            yield f"look {number}", make_spread(self._deck, cards, self._seed * 100 + number, (1280, 960)).image


class LiveCamera:
    """A camera: a picture is taken whenever the person says so."""

    def __init__(self, take: Callable[[], NDArray[np.uint8]], ask: Ask) -> None:
        self._take, self._ask = take, ask

    def pictures(self) -> Iterator[tuple[str, NDArray[np.uint8]]]:
        """A picture for each Enter, until `d` (done) or nobody answers."""
        number = 0
        while (said := self._ask("spread cards side by side, then Enter; d when all were shown:")) is not None:
            if said.strip().lower() in ("d", "done", "q", "quit"):
                return
            number += 1
            yield f"look {number}", self._take()


def look_at_all(learning: Learning, eye: Eye, say: Say) -> Learning:
    """Takes in all pictures of `eye`, or as many as it takes to have seen every card, and says how far it is."""
    for picture, image in eye.pictures():
        before = len(learning.seen)
        if looks_like_scan(image, learning.card_mm):
            learning = learning.with_scan(picture, image)
            continue
        learning = learning.with_picture(picture, image)
        say(_progress(learning, picture, before))
        if not isinstance(eye, Files) and not learning.missing and not learning.doubtful:
            break
    return learning


def ask_doubtful(learning: Learning, ask: Ask, say: Say) -> Learning:
    """Asks about each doubtful card until none is left or nobody answers."""
    while learning.doubtful:
        index = learning.doubtful[0]
        said = ask(question(learning, index))
        if said is None:
            return learning
        try:
            learning = learning.told(index + 1, _meant(said, learning.names[index].card))
        except ConfigError as error:
            say(str(error))
    return learning


def parse_told(text: str) -> tuple[int, Card | None]:
    """`7=03-ribbon` or `7=none`. Raises ConfigError."""
    number, equals, card = text.partition("=")
    if not equals or not number.strip().isdigit():
        raise ConfigError(f"--is {text}: must look like 7=03-ribbon, or 7=none")
    return int(number), _meant(card, None)


def _meant(said: str, usual: Card | None) -> Card | None:
    word = said.strip().lower()
    if word in ("none", "no", "-"):
        return None
    return usual if not word else Card.parse(word)


def _progress(learning: Learning, picture: str, before: int) -> str:
    new = learning.seen[before:]
    small = sum(one.place is not None and one.place.small for one in new)
    seen = len(DECK) - len(learning.missing)
    words = f"{picture}: {len(new)} card{'' if len(new) == 1 else 's'}, {seen} of {len(DECK)} so far"
    if small:
        words += f"; {small} are small in the picture: go nearer, or show fewer at a time"
    if not new:
        words += "; lay the cards side by side on a plain table, none over another"
    if 0 < len(learning.missing) <= 12:
        words += f"; not seen yet: {', '.join(str(card) for card in learning.missing)}"
    return words
