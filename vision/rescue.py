"""Guesses where further cards lie from single edges, once the size of the cards in a picture is known.

Outlines fail where a card touches another or fades into the table on one side; two of its edges are seen nearly always.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

_LEAST_LENGTH: Final = 0.28  # of the card's height: shorter edges say nothing
_CORNER_GAP: Final = 0.30  # of the card's height: how far an edge may be drawn out to meet another
_SQUARE_ON: Final = 0.25  # cosine of the angle between two edges that may meet at a corner
_MOST_EDGES: Final = 260
_SIDES: Final = ((1.0, 54 / 33), (54 / 33, 1.0))  # along and across an edge, in widths of a card


def guess_quads(
    grey: NDArray[np.uint8], known: Sequence[NDArray[np.float32]], limit: int = 3000
) -> NDArray[np.float32]:
    """Where cards as large as the `known` ones (quads (4, 2) px) may lie, float32 (N, 4, 2) px, short side first.

    `grey` uint8 (H, W). Edges inside of known cards are left out. Empty if no card is known.
    """
    if not known:
        return np.zeros((0, 4, 2), np.float32)
    image_from_card = [_linear(quad) for quad in known]
    middles = np.stack([quad.mean(axis=0) for quad in known])
    usual = float(np.median([np.linalg.norm(m[:, 1]) for m in image_from_card]))
    edges = _edges(grey, known, _LEAST_LENGTH * usual)
    guesses: list[NDArray[np.float32]] = []
    for edge in edges:
        nearest = int(np.linalg.norm(middles - edge.mean(axis=0), axis=1).argmin())
        guesses.extend(_guesses(edge, edges, image_from_card[nearest]))
        if len(guesses) >= limit:
            break
    inside = [quad for quad in guesses[:limit] if _within(quad, grey.shape)]
    return _distinct(np.stack(inside), usual) if inside else np.zeros((0, 4, 2), np.float32)


def _linear(quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The (2, 2) map from card widths (both axes in widths of a card) to px at a known card; slant is kept."""
    across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    return np.stack([across, down * (33 / 54)], axis=1).astype(np.float32)


def _edges(grey: NDArray[np.uint8], known: Sequence[NDArray[np.float32]], least: float) -> NDArray[np.float32]:
    """Straight edges (E, 2, 2) px, longest first, that are not inside a known card."""
    lines = cv2.createLineSegmentDetector().detect(grey)[0]
    if np.size(lines) == 0 or np.ndim(lines) < 2:
        return np.zeros((0, 2, 2), np.float32)
    edges = np.asarray(lines, np.float32).reshape(-1, 2, 2)
    lengths = np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1)
    covered = np.zeros(grey.shape, np.uint8)
    for quad in known:
        inner = (quad - quad.mean(axis=0)) * 0.9 + quad.mean(axis=0)
        cv2.fillConvexPoly(covered, inner.astype(np.int32), 1)
    middles = np.clip(edges.mean(axis=1).astype(int), 0, np.array(grey.shape[::-1]) - 1)
    free = (lengths >= least) & (covered[middles[:, 1], middles[:, 0]] == 0)
    edges, lengths = edges[free], lengths[free]
    return np.asarray(edges[np.argsort(-lengths, kind="stable")[:_MOST_EDGES]], np.float32)


def _guesses(
    edge: NDArray[np.float32], edges: NDArray[np.float32], image_from_card: NDArray[np.float32]
) -> list[NDArray[np.float32]]:
    """The cards of which `edge` may be a side: a corner at either end, or where another edge meets it squarely."""
    card_from_image = np.linalg.inv(image_from_card)
    flat = edges @ card_from_image.T
    start, end = edge @ card_from_image.T
    length = float(np.linalg.norm(end - start))
    along = (end - start) / max(length, 1e-6)
    across = np.array([-along[1], along[0]], np.float32)
    corners = [(0.0, 1), (length, -1)]
    if length < 0.8 * 54 / 33:
        corners += _meetings(start, along, across, length, flat)
    guesses = []
    for at, way in corners:
        for side, other in _SIDES:
            if length > 1.12 * side:
                continue
            for hand in (1, -1):
                a = start + at * along
                b = a + way * side * along
                shift = hand * other * across
                quad = np.stack([a, b, b + shift, a + shift]) @ image_from_card.T
                guesses.append(_ordered(quad.astype(np.float32), side > other))
    return guesses


def _meetings(
    start: NDArray[np.float32],
    along: NDArray[np.float32],
    across: NDArray[np.float32],
    length: float,
    flat: NDArray[np.float32],
) -> list[tuple[float, int]]:
    """Where other edges meet the line of an edge squarely beyond its ends: how far along, and which way the card is."""
    spans = flat[:, 1] - flat[:, 0]
    sizes = np.maximum(np.linalg.norm(spans, axis=1), 1e-6)
    square = np.abs(spans @ along) / sizes < _SQUARE_ON
    at = (flat - start) @ along
    off = (flat - start) @ across
    near = np.abs(off).min(axis=1) < _CORNER_GAP * 54 / 33
    slope = np.where(np.abs(off[:, 1] - off[:, 0]) > 1e-6, off[:, 0] / (off[:, 0] - off[:, 1] + 1e-9), 0.0)
    meets = at[:, 0] + slope * (at[:, 1] - at[:, 0])
    gap = _CORNER_GAP * 54 / 33
    before = meets[square & near & (meets < -0.03) & (meets > -gap)]
    after = meets[square & near & (meets > length + 0.03) & (meets < length + gap)]
    return [(float(t), 1) for t in before[:3]] + [(float(t), -1) for t in after[:3]]


def _ordered(quad: NDArray[np.float32], long_first: bool) -> NDArray[np.float32]:
    """`quad` clockwise with a short side first."""
    x, y = quad[:, 0], quad[:, 1]
    turns = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
    turned = np.roll(quad, -1, axis=0) if long_first else quad
    return turned if turns > 0 else np.ascontiguousarray(turned[[1, 0, 3, 2]])


def _within(quad: NDArray[np.float32], shape: tuple[int, ...]) -> bool:
    slack = 0.03 * max(shape)
    return bool(np.all(quad > -slack) and np.all(quad < np.array([shape[1], shape[0]]) + slack))


def _distinct(quads: NDArray[np.float32], size: float) -> NDArray[np.float32]:
    """One of each group of quads whose corners differ by a few per cent of a card; half turns are the same."""
    first = np.argmin(quads.sum(axis=2), axis=1)
    flat = np.stack([np.roll(q, -k, axis=0) for q, k in zip(quads, first.tolist(), strict=True)]).reshape(-1, 8)
    _, kept = np.unique(np.round(flat / (0.06 * size)), axis=0, return_index=True)
    return np.asarray(quads[np.sort(kept)], np.float32)
