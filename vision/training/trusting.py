"""Fits what the confidence of a reading is worth on decks that the net in question has never seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.embedding import Embedding, trust
from vision.training.trial import BANDS, FACE_OF, nothings_of, views_of

_RIDGE: Final = 0.02
_STEPS: Final = 40


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """Readings of one deck by a net that was trained without its family: `evidence` (N, 6), whether each is `right`."""

    deck: str
    family: str
    evidence: NDArray[np.float64]
    right: NDArray[np.bool_]


def trials_of(embedding: Embedding, deck: Deck, family: str, seed: int = 79) -> Trials:
    """Readings of `deck` in all bands, with and without masks, and of what is no card, which is never right."""
    found: list[NDArray[np.float64]] = []
    right: list[NDArray[np.bool_]] = []
    for band in BANDS:
        shard = views_of(deck, family, band, 2, seed)
        for mask in (shard.seen, None) if band in ("half", "third") else (None,):
            evidence, best = embedding.judged(shard.crops, mask)
            found.append(evidence)
            right.append(best == FACE_OF[shard.card])
    nothing = nothings_of(deck, family, 96, seed)
    evidence, best = embedding.judged(nothing.crops, nothing.seen)
    return Trials(
        deck.name, family, np.concatenate([*found, evidence]), np.concatenate([*right, np.zeros(len(best), np.bool_)])
    )


def fit_trust(trials: Sequence[Trials]) -> NDArray[np.float64]:
    """Weights (6,) of a logistic regression on `trials`, every deck counting the same (Newton's method, ridge)."""
    x = np.concatenate([one.evidence for one in trials])
    y = np.concatenate([one.right for one in trials]).astype(np.float64)
    each = np.concatenate([np.full(len(one.right), 1 / len(one.right)) for one in trials]) * len(y) / len(trials)
    weights = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        p = trust(x, weights).astype(np.float64)
        slope = x.T @ (each * (y - p)) - _RIDGE * weights
        bend = (x * (each * p * (1 - p))[:, None]).T @ x + _RIDGE * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def reliability(
    confidence: NDArray[np.float32], right: NDArray[np.bool_], bins: int = 10
) -> list[tuple[float, float, int]]:
    """Mean confidence, share right and count in each of `bins` equal steps of confidence that holds any reading."""
    step = np.minimum((confidence * bins).astype(int), bins - 1)
    return [
        (float(confidence[step == k].mean()), float(right[step == k].mean()), int((step == k).sum()))
        for k in range(bins)
        if (step == k).any()
    ]
