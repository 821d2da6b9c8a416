"""Tries an embedding on views of decks, beside the correlation and beside both: how many are read right."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK
from vision.classify import Matcher
from vision.deck import Deck
from vision.embedding import FACES, SURE, Embedding, Look
from vision.naming import joined
from vision.training.pool import Shard, shard_of
from vision.training.prints import print_of
from vision.training.scenes import NONE, Conditions, Painter, scans

BANDS: Final[Mapping[str, Conditions]] = {
    "whole": Conditions(covered=0.0),
    "half": Conditions(hidden=(0.45, 0.55), covered=1.0),
    "third": Conditions(hidden=(0.62, 0.70), covered=1.0),
    "lit": Conditions(covered=0.0, light=1.0),
    "tall": Conditions(covered=0.0, height_px=(55.0, 140.0), light=0.0),
}
"""Conditions of the trial: whole cards, half and two thirds hidden, all under our own light, at least 55 px high."""

FACE_OF: Final = np.array([FACES.index(card.face) for card in DECK])


def views_of(deck: Deck, family: str, band: str, each: int = 3, seed: int = 77) -> Shard:
    """`each` views of every card of `deck` as printed, under the conditions of `band`, none of them trained on."""
    source = print_of(deck, family)
    rng = np.random.default_rng([seed, *band.encode(), *deck.name.encode()])
    painter = Painter(source, rng)
    cards = [card for _ in range(each) for card in range(48)]
    return shard_of(source, [painter.view(card, BANDS[band]) for card in cards])


def nothings_of(deck: Deck, family: str, count: int = 144, seed: int = 78) -> Shard:
    """Views that show no card where the crop is."""
    source = print_of(deck, family)
    painter = Painter(source, np.random.default_rng([seed, *deck.name.encode()]))
    return shard_of(source, [painter.nothing(Conditions()) for _ in range(count)])


@dataclass(frozen=True, slots=True)
class Score:
    """Of `views`, how many by month and rank were `right`; with abstention `sure` ones, and `wrong` among these."""

    deck: str
    band: str
    how: str
    views: int
    right: int
    sure: int = 0
    wrong: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


def try_deck(embedding: Embedding, deck: Deck, family: str, each: int = 3) -> Iterator[Score]:
    """Scores of every band and way of reading on one deck."""
    faces = scans(print_of(deck, family))
    enrolled = embedding.look(faces).vectors
    matcher = Matcher(deck, DECK)
    columns = [matcher.labels.index(card) for card in DECK]
    for band in BANDS:
        shard = views_of(deck, family, band, each)
        truth = FACE_OF[shard.card]
        for mask, name in ((shard.seen, ""), (None, " without mask")):
            if mask is None and band not in ("half", "third"):
                continue
            look = embedding.look(shard.crops, mask)
            yield _unenrolled(deck, band, name, look, truth)
            cosines = look.vectors @ enrolled.T
            shares = np.ones(len(truth)) if mask is None else mask.mean(axis=(1, 2))
            correlated = matcher.scores(shard.crops, mask).max(axis=1)[:, columns]
            for how, table in (
                ("embedding", cosines),
                ("correlation", correlated),
                ("both", joined(correlated, cosines, shares)),
            ):
                right = int((FACE_OF[table.argmax(axis=1)] == truth).sum())
                yield Score(deck.name, band, f"enrolled, {how}{name}", len(truth), right)
    nothing = embedding.look(nothings_of(deck, family).crops)
    sure = int((nothing.confidence >= SURE).sum())
    yield Score(deck.name, "no card", "not enrolled", len(nothing.card), 0, sure, sure)


def _unenrolled(deck: Deck, band: str, name: str, look: Look, truth: NDArray[np.int64]) -> Score:
    best = look.faces.argmax(axis=1)
    sure = look.confidence >= SURE
    return Score(
        deck.name,
        band,
        f"not enrolled{name}",
        len(truth),
        int((best == truth).sum()),
        int(sure.sum()),
        int((sure & (best != truth)).sum()),
    )


def table(scores: Sequence[Score], hows: Sequence[str], bands: Sequence[str]) -> str:
    """Percentages as text, a line a deck, a column a band and way of reading that has been tried."""
    decks = list(dict.fromkeys(score.deck for score in scores))
    found = {(s.deck, s.band, s.how): s for s in scores}
    pairs = [(band, how) for how in hows for band in bands if any((d, band, how) in found for d in decks)]
    lines = [f"{'':<30}" + "".join(f"{band:>8}" for band, _ in pairs)]
    for deck in decks:
        cells = [found.get((deck, band, how)) for band, how in pairs]
        shown = ["       -" if c is None else f"{100 * c.right / c.views:8.1f}" for c in cells]
        lines.append(f"{deck:<30}" + "".join(shown))
    return "\n".join(lines)


def labelled(shards: Sequence[Shard]) -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.int64]]:
    """Crops, masks and classes (−1 for no card) of several shards in one."""
    card = np.concatenate([shard.card for shard in shards])
    return (
        np.concatenate([shard.crops for shard in shards]),
        np.concatenate([shard.seen for shard in shards]),
        np.where(card == NONE, -1, FACE_OF[card]),
    )
