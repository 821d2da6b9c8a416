"""Says which of the 48 cards each of many faces is, all at once, by likeness to what is known and each card once.

Two things are known of a face: what the trained embedding takes it for, and how it correlates with the pictures of
decks that are there already. What neither can tell is left to a person: only the doubtful ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.assign import Assignment
from vision.classify import Matcher
from vision.embedding import CROP_PX, FACES, Embedding, embedding

_CORRELATION: Final = 7.0  # nats a whole point of correlation is worth beside the embedding's log-probability
_LEAST: Final = 0.002  # probability below which the embedding's opinion counts no less
_NO_CARD: Final = 4.5  # cost of taking a face for none of the 48: a double, the back, something else
_SURE: Final = 3.0  # regret, in nats, under which a person is asked
_HALF_TURN: Final = 8.0


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """How like the 48 cards N faces are: `costs` (N, 48) in nats, columns as in `DECK`; `turned` (N, 48) whether a face
    stands on its head if it is that card; `known` (N,) how surely it is any known drawing (0–1)."""

    costs: NDArray[np.float64]
    turned: NDArray[np.bool_]
    known: NDArray[np.float64]

    def __add__(self, other: "Likeness") -> "Likeness":
        return Likeness(
            np.concatenate([self.costs, other.costs]),
            np.concatenate([self.turned, other.turned]),
            np.concatenate([self.known, other.known]),
        )


@dataclass(frozen=True, slots=True)
class Naming:
    """What a face was taken for: `card` (None: none of the 48, a double or the back), whether it stands on its head.

    `doubtful` where a person should look; `choices` are the likeliest cards, the chosen one first.
    """

    card: Card | None
    turned: bool
    doubtful: bool
    choices: tuple[Card, ...]


def likeness(faces: Sequence[NDArray[np.uint8]], decks: Sequence[Matcher], net: Embedding | None = None) -> Likeness:
    """How like the cards of `decks` and of any traditional deck `faces` are: uint8 (H, W, 3) BGR, cut to their edge."""
    if not faces:
        return Likeness(np.zeros((0, len(DECK))), np.zeros((0, len(DECK)), np.bool_), np.zeros(0))
    crops = np.stack([_sized(face) for face in faces])
    look = (net or embedding()).look(crops)
    column = [FACES.index(card.face) for card in DECK]
    opinion = np.log(np.maximum(look.faces[:, column], _LEAST)).astype(np.float64)
    turned = np.clip(look.turned.astype(np.float64), 1e-4, 1 - 1e-4)
    towards = np.repeat(np.log(turned / (1 - turned))[:, None], len(DECK), axis=1)
    best = np.zeros((len(faces), len(DECK)))
    if decks:
        scores = np.stack([_scores(deck, crops) for deck in decks])  # (decks, N, 2, 48)
        each = scores.max(axis=2)
        best = each.max(axis=0).astype(np.float64)
        lead = np.take_along_axis(scores, each.argmax(axis=0)[None, :, None], axis=0)[0]
        towards += _HALF_TURN * (lead[:, 1] - lead[:, 0]).astype(np.float64)
    return Likeness(-(opinion + _CORRELATION * best), towards > 0, look.confidence.astype(np.float64))


def name_all(found: Likeness, fixed: Mapping[int, Card | None] | None = None) -> tuple[Naming, ...]:
    """The likeliest naming of all faces at once, each card at most once; `fixed` is what a person said of some.

    With more faces than cards the least likely are named None.
    """
    said = fixed or {}
    count = len(found.costs)
    if count == 0:
        return ()
    base = float(found.costs.min(axis=1).max()) if count <= len(DECK) else float(np.median(found.costs.min(axis=1)))
    none = np.full((count, max(count, 1)), base + _NO_CARD)
    costs = np.concatenate([found.costs, none], axis=1)
    far = float(np.abs(costs).max()) + 1e3
    for row, card in said.items():
        wanted = DECK.index(card) if card is not None else len(DECK) + row
        costs[:, wanted] += far
        costs[row] = far * 4
        costs[row, wanted] = 0.0
    solved = Assignment(costs)
    out = []
    for row, column in enumerate(solved.columns.tolist()):
        card = DECK[column] if column < len(DECK) else None
        alike = [k for k, other in enumerate(DECK) if card is not None and other.face == card.face]
        same = alike if card is not None else list(range(len(DECK), costs.shape[1]))
        doubtful = row not in said and solved.regret(row, same) < _SURE
        order = [DECK[k] for k in np.argsort(found.costs[row], kind="stable").tolist()]
        choices = _of_faces([*([card] if card is not None else []), *order])
        turned = bool(found.turned[row, column]) if card is not None else False
        out.append(Naming(card, turned, doubtful, choices))
    return tuple(out)


def _of_faces(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The first card of each of the four likeliest months and ranks."""
    first: dict[str, Card] = {}
    for card in cards:
        first.setdefault(card.face, card)
    return tuple(first.values())[:4]


def _scores(matcher: Matcher, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    return matcher.scores(crops)[:, :, : len(DECK)]


def _sized(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    how = cv2.INTER_AREA if face.shape[0] > CROP_PX[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(face, CROP_PX, interpolation=how), np.uint8)
