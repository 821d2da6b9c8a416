"""Names card patches of an enrolled deck by correlation and the trained embedding together.

Each knows what the other misses: the correlation is exact where the mask and the pose are, the embedding still reads
where a cover is not known, the pose is off or the print differs.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.classify import Match, Matcher
from vision.deck import Deck
from vision.embedding import Embedding, embedding

WEIGHT: Final = 1.0
"""Of the embedding's cosine beside the correlation."""
_TRUST: Final = (-2.5, 1.5, 9.0, 1.0)
"""Weights of 1, score, lead and visible share in the confidence."""
_MOST_LEAD: Final = 0.5


class Namer:
    """A deck prepared for naming: `labels` are the columns of `scores`, a card each and None for the deck's back."""

    def __init__(self, deck: Deck, cards: Sequence[Card] | None = None, eyes: Embedding | None = None) -> None:
        self._eyes = eyes or embedding()
        chosen = tuple(DECK if cards is None else cards)
        self._matcher = Matcher(deck, chosen)
        self.labels = self._matcher.labels
        self.classes = self._matcher.classes
        pictures = [deck.faces[card] for card in chosen] + ([] if deck.back is None else [deck.back])
        self._known = self._eyes.look(pictures).vectors

    def scores(self, patches: NDArray[Any], masks: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
        """Likeness (−2 to 2) of N patches to every label, (N, C), the better half turn of each; as in `Matcher.scores`.

        `patches` uint8 or float32 0–255 (N, H, W, 3) BGR, rectified to the card's edge; `masks` (N, H, W) is True
        where the card is visible.
        """
        if len(patches) == 0:
            return np.zeros((0, len(self.labels)), np.float32)
        cosines = self._eyes.look(patches, masks).vectors @ self._known.T
        return np.asarray(self._matcher.scores(patches, masks).max(axis=1) + WEIGHT * cosines, np.float32)

    def best(self, patches: NDArray[Any], masks: NDArray[np.bool_] | None = None) -> tuple[Match, ...]:
        """What each of the N patches shows; `half_turn` is the correlation's.

        `score`, `margin` and the scores of alternatives are those of `scores`.
        """
        if len(patches) == 0:
            return ()
        correlated = self._matcher.scores(patches, masks)
        cosines = self._eyes.look(patches, masks).vectors @ self._known.T
        shares = np.ones(len(patches)) if masks is None else masks.reshape(len(masks), -1).mean(axis=1)
        joined = correlated.max(axis=1) + WEIGHT * cosines
        return tuple(
            self._match(row, turns, float(share)) for row, turns, share in zip(joined, correlated, shares, strict=True)
        )

    def _match(self, scores: NDArray[np.float32], turns: NDArray[np.float32], visible: float) -> Match:
        ranked: dict[str, int] = {}
        for column in np.argsort(-scores, kind="stable").tolist():
            ranked.setdefault(self.classes[column], column)
        first, *rest = ranked.values()
        score = float(scores[first])
        lead = score - float(scores[rest[0]]) if rest else score
        return Match(
            card=self.labels[first],
            half_turn=bool(turns[1, first] > turns[0, first]),
            confidence=confidence(score, lead, visible),
            score=score,
            margin=lead,
            alternatives=tuple((self.labels[c], float(scores[c])) for c in rest[:4]),
        )


def confidence(score: float, lead: float, visible: float = 1.0) -> float:
    """Probability (0–1) that month and rank are right. Fitted on decks that the network had not seen."""
    one, two, three, four = _TRUST
    z = one + two * score + three * min(lead, _MOST_LEAD) + four * (visible - 1)
    return float(1 / (1 + np.exp(-z)))
