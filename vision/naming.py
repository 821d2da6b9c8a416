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

_WEIGHTS: Final = (0.35, 1.5)
"""Of the embedding's cosine beside the correlation: where a mask tells what is hidden, and where none does.

Under a mask the correlation is the better of the two; a whole card, or one under an unknown cover, the embedding reads
better. Measured on decks that the network had not seen.
"""
_WHOLE: Final = 0.97
_TRUST: Final = (-2.75, 4.55, 21.2)
"""Weights of 1, score and lead in the confidence."""
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
        """Likeness (−1 to 1) of N patches to every label, (N, C), the better half turn of each; as in `Matcher.scores`.

        `patches` uint8 or float32 0–255 (N, H, W, 3) BGR, rectified to the card's edge; `masks` (N, H, W) is True
        where the card is visible.
        """
        return self._both(patches, masks)[0]

    def best(self, patches: NDArray[Any], masks: NDArray[np.bool_] | None = None) -> tuple[Match, ...]:
        """What each of the N patches shows; `half_turn` is the correlation's.

        `score`, `margin` and the scores of alternatives are those of `scores`.
        """
        return tuple(self._match(row, turns) for row, turns in zip(*self._both(patches, masks), strict=True))

    def _both(
        self, patches: NDArray[Any], masks: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The joined likeness (N, C) and the correlation with both half turns (N, 2, C)."""
        if len(patches) == 0:
            return np.zeros((0, len(self.labels)), np.float32), np.zeros((0, 2, len(self.labels)), np.float32)
        shares = np.ones(len(patches)) if masks is None else masks.reshape(len(masks), -1).mean(axis=1)
        turns = self._matcher.scores(patches, masks)
        return joined(turns.max(axis=1), self._eyes.look(patches, masks).vectors @ self._known.T, shares), turns

    def _match(self, scores: NDArray[np.float32], turns: NDArray[np.float32]) -> Match:
        ranked: dict[str, int] = {}
        for column in np.argsort(-scores, kind="stable").tolist():
            ranked.setdefault(self.classes[column], column)
        first, *rest = ranked.values()
        score = float(scores[first])
        lead = score - float(scores[rest[0]]) if rest else score
        return Match(
            card=self.labels[first],
            half_turn=bool(turns[1, first] > turns[0, first]),
            confidence=confidence(score, lead),
            score=score,
            margin=lead,
            alternatives=tuple((self.labels[c], float(scores[c])) for c in rest[:4]),
        )


def joined(
    correlated: NDArray[np.float32], cosines: NDArray[np.float32], shares: NDArray[np.floating[Any]]
) -> NDArray[np.float32]:
    """Mean (N, C) of the correlation and the embedding's cosine with C labels; `shares` (N,) is how much is visible."""
    weight = np.where(shares >= _WHOLE, _WEIGHTS[1], _WEIGHTS[0])[:, None]
    return np.asarray((correlated + weight * cosines) / (1 + weight), np.float32)


def confidence(score: float, lead: float) -> float:
    """Probability (0–1) that month and rank are right. Fitted on decks that the network had not seen."""
    one, two, three = _TRUST
    z = one + two * score + three * min(lead, _MOST_LEAD)
    return float(1 / (1 + np.exp(-z)))
