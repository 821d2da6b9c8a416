"""Reads the cards in any photograph, from any side, without calibration."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.align import Pyramid, agreement, align, grey_face, grown
from vision.classify import Match, Matcher
from vision.deck import Deck
from vision.keypoints import PointIndex, find_poses
from vision.quads import area, find_quads, flat_aspect, overlap

_WORK_PX: Final = 1400  # longer side of the picture that is searched
_INSETS: Final = (-0.04, 0.0, 0.04, 0.08, 0.12)  # outlines lie inside, on or outside of the card's edge
_WORTH_A_LOOK: Final = 0.36  # correlation before alignment below which an outline is dropped
_MOST_LOOKS: Final = 150
_AGREES: Final = 0.45  # local correlation from which a spot of the card counts as visible
_BELIEVED: Final = 0.5
_CLAIMED: Final = 0.45  # share of a card's visible spots that better readings may have claimed
_SIZES: Final = (0.33, 3.0)  # areas of cards in one picture, as shares of the usual one
_ALTERNATIVES: Final = 3


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
    confidence: float = field(default=0.0)


def read_photo(image: NDArray[np.uint8], deck: Deck) -> tuple[Reading, ...]:
    """The cards in `image`, uint8 (H, W, 3) BGR, surest first; none for a picture without cards."""
    return PhotoReader(deck).read(image)


class PhotoReader:
    """A deck prepared for reading many photographs."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._matcher = Matcher(deck)
        self._faces = {card: grey_face(picture) for card, picture in deck.faces.items()}

    @cached_property
    def _points(self) -> PointIndex:
        return PointIndex.of(self.deck)

    def read(self, image: NDArray[np.uint8]) -> tuple[Reading, ...]:
        """The cards in `image`, uint8 (H, W, 3) BGR, surest first."""
        if min(image.shape[:2]) < 16:
            return ()
        scale = min(1.0, _WORK_PX / max(image.shape[:2]))
        work = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        chosen = _consistent(self.candidates(np.asarray(work, np.uint8)), work.shape[:2])
        return tuple(_reading(candidate, scale) for candidate in chosen)

    def candidates(self, work: NDArray[np.uint8]) -> list[Candidate]:
        """Everything in `work` that may be a card, with its confidence, in any order."""
        pyramid = Pyramid.of(work)
        found = self._from_outlines(pyramid)
        return found + self._from_points(pyramid, found)

    def _from_outlines(self, pyramid: Pyramid) -> list[Candidate]:
        image = pyramid.colour[0]
        quads = find_quads(image)
        if len(quads) == 0:
            return []
        views = np.stack([pyramid.patch(grown(quad, inset)) for quad in quads for inset in _INSETS])
        scores = self._matcher.scores(views).reshape(len(quads), len(_INSETS), 2, -1)
        looks = [
            (float(match.score), grown(quads[i], _INSETS[int(scores[i].max(axis=(1, 2)).argmax())]), match)
            for i, match in enumerate(self._matcher.decide(s.max(axis=0)) for s in scores)
        ]
        found: list[Candidate] = []
        for score, quad, match in sorted(looks, key=lambda look: -look[0])[:_MOST_LOOKS]:
            if score < _WORTH_A_LOOK or match.card is None or _known(quad, found):
                continue
            turned = np.roll(quad, 2, axis=0) if match.half_turn else quad
            found.extend(self._weighed(pyramid, match.card, turned, 0))
        return found

    def _from_points(self, pyramid: Pyramid, found: Sequence[Candidate]) -> list[Candidate]:
        poses = find_poses(pyramid.grey[0], self._points)
        more: list[Candidate] = []
        for pose in poses:
            if not _known(pose.quad, found):
                more.extend(self._weighed(pyramid, pose.card, pose.quad, pose.votes))
        return more

    def _weighed(self, pyramid: Pyramid, card: Card, quad: NDArray[np.float32], votes: int) -> list[Candidate]:
        """The candidate of `card` near `quad`, laid over the picture as well as possible; none if it is no card."""
        face = self._faces[card]
        if votes:
            seen = _seen(pyramid, quad, face)
            mask = np.asarray(cv2.dilate(seen.astype(np.uint8) * 255, np.ones((9, 9), np.uint8)), np.uint8)
            if seen.mean() > 0.05:
                quad = align(pyramid, quad, face, mask, cv2.MOTION_AFFINE)
        else:
            quad = align(pyramid, quad, face)
        size = (pyramid.colour[0].shape[1], pyramid.colour[0].shape[0])
        if not 1.25 < flat_aspect(quad, size, 1.2) < 2.15 or not _reaches(quad, size):
            return []
        local, weight = agreement(pyramid.grey_patch(quad), face)
        seen = _smooth(local)
        total = max(float(weight.sum()), 1e-6)
        detail = float((local * weight).sum()) / total
        visible = float((weight * seen).sum()) / total
        patch = pyramid.patch(quad)[None]
        whole = votes == 0 or visible > 0.85
        scores = self._matcher.scores(patch) if whole else self._matcher.scores(patch, seen[None])
        match = _for_card(self._matcher, scores[0], card)
        return [Candidate(card, quad, match, detail, visible, seen, votes, _confidence(match, detail, visible, votes))]


def _for_card(matcher: Matcher, scores: NDArray[np.float32], card: Card) -> Match:
    """What the scores of an upright patch say of `card`: its margin is negative where another class leads."""
    column = matcher.labels.index(card)
    own = max(float(scores[0, c]) for c, name in enumerate(matcher.classes) if name == card.face)
    others = [(float(scores[:, c].max()), c) for c, name in enumerate(matcher.classes) if name != card.face]
    ranked = sorted(others, reverse=True)[:_ALTERNATIVES]
    return Match(
        card=card,
        half_turn=False,
        confidence=0.0,
        score=float(scores[0, column]),
        margin=own - ranked[0][0],
        alternatives=tuple((matcher.labels[c], score) for score, c in ranked),
    )


def _confidence(match: Match, detail: float, visible: float, votes: int) -> float:
    """Probability (0–1) that the candidate is that card, fitted on composites of ten decks and of other things."""
    margin = min(match.margin, 0.3)
    whole = -13.0 + 4.0 * match.score + 10.0 * margin + 16.0 * detail
    partial = -9.0 + 12.0 * visible + 8.0 * margin + 1.3 * np.log2(max(votes, 1))
    return float(1 / (1 + np.exp(-max(whole, partial if votes else whole))))


def _seen(pyramid: Pyramid, quad: NDArray[np.float32], face: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return _smooth(agreement(pyramid.grey_patch(quad), face)[0])


def _smooth(local: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where the local correlation (108, 66) is high, without specks."""
    high = (local > _AGREES).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(high, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)) > 0)


def _known(quad: NDArray[np.float32], found: Sequence[Candidate]) -> bool:
    """Whether a sure whole card lies where `quad` is."""
    return any(c.confidence > 0.97 and c.detail > 0.6 and overlap(quad, c.quad) > 0.6 for c in found)


def _reaches(quad: NDArray[np.float32], size_px: tuple[int, int]) -> bool:
    """Whether the middle of the quad lies in the picture."""
    middle = quad.mean(axis=0)
    return bool(np.all(middle > 0) and np.all(middle < np.asarray(size_px)))


def _consistent(candidates: Sequence[Candidate], shape: tuple[int, ...]) -> list[Candidate]:
    """The candidates that can lie in one picture together, surest first.

    Every spot shows one card, cards are of one size, and no card of the deck is there twice: a second one with the
    same face is the other chaff of its month, or nothing.
    """
    ranked = sorted((c for c in candidates if c.confidence >= _BELIEVED), key=lambda c: (-c.confidence, -c.visible))
    sure = [float(area(c.quad)) for c in ranked if c.confidence > 0.95] or [float(area(c.quad)) for c in ranked]
    usual = float(np.median(sure)) if sure else 1.0
    claims = np.zeros((max(shape[0] // 4, 1), max(shape[1] // 4, 1)), np.uint8)
    chosen: list[Candidate] = []
    left = list(DECK)
    for candidate in ranked:
        if not _SIZES[0] < float(area(candidate.quad)) / usual < _SIZES[1]:
            continue
        spots = _spots(candidate, claims.shape)
        free = [card for card in left if card.face == candidate.card.face]
        if not free or spots.sum() == 0 or (claims[spots > 0] > 0).mean() > _CLAIMED:
            continue
        card = candidate.card if candidate.card in free else free[0]
        left.remove(card)
        claims[spots > 0] = 1
        chosen.append(candidate if card == candidate.card else _renamed(candidate, card))
    return chosen


def _renamed(candidate: Candidate, card: Card) -> Candidate:
    c = candidate
    return Candidate(card, c.quad, c.match, c.detail, c.visible, c.seen, c.votes, c.confidence)


def _spots(candidate: Candidate, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """The visible part of the card in the picture at a quarter of its size."""
    whole = candidate.visible > 0.75
    seen = np.ones_like(candidate.seen, np.uint8) if whole else candidate.seen.astype(np.uint8)
    height, width = seen.shape
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    target = np.asarray((candidate.quad + 0.5) / 4 - 0.5, np.float32)
    warp = cv2.getPerspectiveTransform(square, target)
    return np.asarray(cv2.warpPerspective(seen, warp, (shape[1], shape[0]), flags=cv2.INTER_NEAREST), np.uint8)


def _reading(candidate: Candidate, scale: float) -> Reading:
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
