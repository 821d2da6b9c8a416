"""What may be a card in a photograph, how sure that is, and which of it can be there together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.classify import Match
from vision.quads import area

BELIEVED: Final = 0.5
"""Confidence from which a candidate is a reading."""
_CLAIMED: Final = 0.45  # share of a card's visible spots that better readings may have claimed
_SIZES: Final = (0.33, 3.0)  # areas of cards in one picture, as shares of the usual one


@dataclass(frozen=True, slots=True)
class Reading:
    """A card in a photograph. `corners_px` clockwise from the card's own top-left, in px of the photograph.

    `confidence` (0–1) that month and rank are right and a card lies there; `visible` the share of it that is seen.
    `alternatives` are other cards it may be, with their probability.
    """

    card: Card
    confidence: float
    corners_px: tuple[tuple[float, float], ...]
    alternatives: tuple[tuple[Card, float], ...] = ()
    visible: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A reading before it is weighed against the others: what speaks for `card` at `quad` (4, 2) working px."""

    card: Card
    quad: NDArray[np.float32]
    match: Match
    detail: float  # mean agreement of details over the whole card
    visible: float  # share of the details that agree
    seen: NDArray[np.bool_]  # (108, 66): where they agree
    votes: int
    edges: float = 1.0  # share of the outline where the picture changes
    confidence: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A photograph read: its `readings`, and all `candidates` they were chosen from, likeliest first.

    `fates` say of each candidate in a word what became of it; `scale` is working px by px of the photograph.
    """

    readings: tuple[Reading, ...]
    candidates: tuple[Candidate, ...] = ()
    fates: tuple[str, ...] = ()
    scale: float = 1.0


def confidence_of(candidate: Candidate) -> float:
    """Probability (0–1) that the candidate is that card.

    Fitted on 2,500 candidates in composites of ten decks, read with their own and other prints' pictures. A card whose
    details agree very well needs no visible outline; one that points vote for needs neither that nor to be whole.
    """
    c = candidate
    score, margin = c.match.score, min(c.match.margin, 0.3)
    outlined = -18.2 + 2.4 * score + 15.4 * margin + 6.7 * c.detail - 1.0 * c.visible + 11.2 * c.edges
    exact = -18.0 + 20.0 * c.detail + 12.0 * margin
    z = max(outlined, exact)
    if c.votes:
        voted = -11.5 - 1.5 * score + 4.5 * margin + 3.2 * (c.detail + c.visible) + 6.3 * c.edges
        z = max(z, voted + 1.6 * np.log2(c.votes))
    return float(1 / (1 + np.exp(-z)))


def consistent(candidates: Sequence[Candidate], shape: tuple[int, ...]) -> list[Candidate]:
    """The candidates that can lie in one picture together, surest first, all about as large as the usual one."""
    ranked = sorted((c for c in candidates if c.confidence >= BELIEVED), key=lambda c: (-c.confidence, -c.detail))
    first = _compatible(ranked, shape)
    if not first:
        return []
    sizes = sorted((float(area(c.quad)), c.confidence) for c in first if c.confidence > 0.9 * first[0].confidence)
    usual = sizes[len(sizes) // 2][0]
    return _compatible([c for c in ranked if _SIZES[0] < float(area(c.quad)) / usual < _SIZES[1]], shape)


def _compatible(ranked: Sequence[Candidate], shape: tuple[int, ...]) -> list[Candidate]:
    """Those of `ranked` (best first) that no better one forbids: a spot of the picture shows one card only.

    No card of the deck is there twice: a second one with the same face is the other chaff of its month, or nothing.
    """
    claims = np.zeros((max(shape[0] // 4, 1), max(shape[1] // 4, 1)), np.uint8)
    chosen: list[Candidate] = []
    left = list(DECK)
    for candidate in ranked:
        free = [card for card in left if card.face == candidate.card.face]
        if not free:
            continue
        spots = _spots(candidate, (claims.shape[0], claims.shape[1]))
        if spots.sum() == 0 or (claims[spots > 0] > 0).mean() > _CLAIMED:
            continue
        card = candidate.card if candidate.card in free else free[0]
        left.remove(card)
        claims[spots > 0] = 1
        chosen.append(candidate if card == candidate.card else replace(candidate, card=card))
    return chosen


def _spots(candidate: Candidate, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """The visible part of the card in the picture at a quarter of its size."""
    whole = candidate.visible > (0.93 if candidate.votes else 0.75)
    seen = np.ones_like(candidate.seen, np.uint8) if whole else candidate.seen.astype(np.uint8)
    height, width = seen.shape
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    target = np.asarray((candidate.quad + 0.5) / 4 - 0.5, np.float32)
    warp = cv2.getPerspectiveTransform(square, target)
    return np.asarray(cv2.warpPerspective(seen, warp, (shape[1], shape[0]), flags=cv2.INTER_NEAREST), np.uint8)


def reading_of(candidate: Candidate, scale: float) -> Reading:
    """The candidate as a reading, in px of a photograph that was searched at `scale`."""
    corners = (candidate.quad + 0.5) / scale - 0.5
    doubt = 1 - candidate.confidence
    rivals = [(card, score) for card, score in candidate.match.alternatives if card is not None]
    weights = np.exp(8 * np.array([score for _, score in rivals])) if rivals else np.zeros(0)
    shares = doubt * weights / weights.sum() if rivals else weights
    return Reading(
        card=candidate.card,
        confidence=candidate.confidence,
        corners_px=tuple((float(x), float(y)) for x, y in corners),
        alternatives=tuple((card, float(share)) for (card, _), share in zip(rivals, shares, strict=True)),
        visible=candidate.visible,
    )
