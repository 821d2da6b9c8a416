"""Reads the cards in any photograph, from any side, without calibration."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.align import Pyramid, agreement, align, edge_share, grey_face, grown
from vision.classify import Match, Matcher
from vision.deck import Deck
from vision.keypoints import PointIndex, find_poses
from vision.quads import area, find_quads, is_card_view, overlap
from vision.rescue import guess_quads

_WORK_PX: Final = 1400  # longer side of the picture that is searched
_INSETS: Final = (-0.04, 0.0, 0.04, 0.08, 0.12)  # outlines lie inside, on or outside of the card's edge
_WORTH_A_LOOK: Final = 0.36  # correlation before alignment below which an outline is dropped
_WORTH_A_RESCUE: Final = 0.45  # the same for guesses from single edges, of which there are many
_MOST_LOOKS: Final = 120
_MOST_RESCUES: Final = 50
_AGREES: Final = 0.45  # local correlation from which a spot of the card counts as visible
_BELIEVED: Final = 0.5
_CLAIMED: Final = 0.45  # share of a card's visible spots that better readings may have claimed
_SIZES: Final = (0.33, 3.0)  # areas of cards in one picture, as shares of the usual one
_STAYS: Final = 0.5  # overlap with where it was expected that an aligned card keeps
_CLOSE: Final = 0.12  # correlation by which a face may trail the likeliest and still be tried
_CLEAR: Final = 0.75  # agreement of details at which no other face is tried
_FAINT: Final = 0.25  # agreement of details under which the outline is taken for no card
_WHOLE: Final = 0.85  # share of details that agree from which nothing is hidden
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
        return self.look(image).readings

    def look(self, image: NDArray[np.uint8]) -> Look:
        """The cards in `image`, uint8 (H, W, 3) BGR, and what else was considered."""
        if min(image.shape[:2]) < 16:
            return Look(())
        scale = min(1.0, _WORK_PX / max(image.shape[:2]))
        work = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        candidates = sorted(self.candidates(np.asarray(work, np.uint8)), key=lambda c: (-c.confidence, -c.detail))
        chosen = _consistent(candidates, work.shape[:2])
        quads = {id(candidate.quad) for candidate in chosen}
        fates = tuple(
            "believed" if id(c.quad) in quads else "too unsure" if c.confidence < _BELIEVED else "another fits better"
            for c in candidates
        )
        return Look(tuple(_reading(candidate, scale) for candidate in chosen), tuple(candidates), fates, scale)

    def candidates(self, work: NDArray[np.uint8]) -> list[Candidate]:
        """Everything in `work` that may be a card, with its confidence, in any order."""
        pyramid = Pyramid.of(work)
        laid = self._from_outlines(pyramid)
        laid += self._from_points(pyramid, laid)
        laid += self._from_edges(pyramid, laid)
        return self._weighed(pyramid, laid)

    def _from_outlines(self, pyramid: Pyramid) -> list["_Laid"]:
        """Faces laid over the outlines that correlate with them."""
        quads = find_quads(pyramid.colour[0])
        if len(quads) == 0:
            return []
        views = np.stack(
            [pyramid.patch(grown(quad, inset), self._matcher.size_px) for quad in quads for inset in _INSETS]
        )
        scores = self._matcher.scores(views).reshape(len(quads), len(_INSETS), 2, -1)
        laid: list[_Laid] = []
        for i in np.argsort(-scores.max(axis=(1, 2, 3)), kind="stable")[:_MOST_LOOKS].tolist():
            quad = grown(quads[i], _INSETS[int(scores[i].max(axis=(1, 2)).argmax())])
            if not _known(quad, laid):
                laid.extend(self._tries(pyramid, quad, scores[i].max(axis=0)))
        return laid

    def _tries(self, pyramid: Pyramid, quad: NDArray[np.float32], scores: NDArray[np.float32]) -> list["_Laid"]:
        """The likeliest face laid over `quad`, and the next likely ones while none agrees in detail."""
        match = self._matcher.decide(scores)
        laid: list[_Laid] = []
        for card, score in ((match.card, match.score), *match.alternatives[:2]):
            if card is None or score < max(_WORTH_A_LOOK, match.score - _CLOSE):
                continue
            column = self._matcher.labels.index(card)
            turned = np.roll(quad, 2, axis=0) if scores[1, column] > scores[0, column] else quad
            laid.extend(self._lay(pyramid, card, turned, 0))
            if laid and not _FAINT < laid[-1].detail < _CLEAR:
                break
        return laid

    def _from_points(self, pyramid: Pyramid, found: Sequence["_Laid"]) -> list["_Laid"]:
        """Faces laid where points of the picture vote for them."""
        more: list[_Laid] = []
        for pose in find_poses(pyramid.grey[0], self._points):
            if not _known(pose.quad, found):
                more.extend(self._lay(pyramid, pose.card, pose.quad, pose.votes))
        return more

    def _from_edges(self, pyramid: Pyramid, found: Sequence["_Laid"]) -> list["_Laid"]:
        """Faces laid where single edges allow a card as large as those found."""
        clear = _apart([one for one in found if one.detail > _CLEAR - 0.15])
        quads = guess_quads(pyramid.grey[0], [one.quad for one in clear])
        if len(quads) == 0:
            return []
        scores = self._matcher.scores(np.stack([pyramid.patch(quad, self._matcher.size_px) for quad in quads]))
        more: list[_Laid] = []
        tried: list[NDArray[np.float32]] = []
        for i in np.argsort(-scores.max(axis=(1, 2)), kind="stable").tolist():
            if float(scores[i].max()) < _WORTH_A_RESCUE or len(tried) >= _MOST_RESCUES:
                break
            if not _known(quads[i], clear + more) and all(overlap(quads[i], quad) < 0.8 for quad in tried):
                tried.append(quads[i])
                more.extend(self._tries(pyramid, quads[i], scores[i]))
        return more

    def _lay(self, pyramid: Pyramid, card: Card, quad: NDArray[np.float32], votes: int) -> list["_Laid"]:
        """`card` laid over the picture near `quad` as well as possible; nothing if it is no card's shape any more."""
        face = self._faces[card]
        start = quad
        if votes:
            seen = _smooth(agreement(pyramid.grey_patch(quad), face)[0])
            mask = np.asarray(cv2.dilate(seen.astype(np.uint8) * 255, np.ones((9, 9), np.uint8)), np.uint8)
            if seen.mean() > 0.05:
                quad = align(pyramid, quad, face, mask, cv2.MOTION_AFFINE)
        else:
            quad = align(pyramid, quad, face)
        size = (pyramid.colour[0].shape[1], pyramid.colour[0].shape[0])
        if not is_card_view(quad, size) or not _reaches(quad, size) or overlap(quad, start) < _STAYS:
            return []
        local, weight = agreement(pyramid.grey_patch(quad), face)
        seen = _smooth(local)
        total = max(float(weight.sum()), 1e-6)
        detail, visible = float((local * weight).sum()) / total, float((weight * seen).sum()) / total
        return [_Laid(card, quad, votes, detail, visible, seen)]

    def _weighed(self, pyramid: Pyramid, laid: Sequence["_Laid"]) -> list[Candidate]:
        """The candidates with their correlation in colour, under a mask where something hides them."""
        found: list[Candidate] = []
        for hidden in (False, True):
            part = [one for one in laid if (one.votes > 0 and one.visible < _WHOLE) == hidden]
            if not part:
                continue
            patches = np.stack([pyramid.patch(one.quad) for one in part])
            scores = self._matcher.scores(patches, np.stack([one.seen for one in part]) if hidden else None)
            for one, score in zip(part, scores, strict=True):
                match = _for_card(self._matcher, score, one.card)
                edges = edge_share(pyramid.patch(grown(one.quad, 1 / 6)))
                candidate = Candidate(one.card, one.quad, match, one.detail, one.visible, one.seen, one.votes, edges)
                found.append(replace(candidate, confidence=_confidence(candidate)))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A face laid over the picture, before its colours are compared: fields as in Candidate."""

    card: Card
    quad: NDArray[np.float32]
    votes: int
    detail: float
    visible: float
    seen: NDArray[np.bool_]


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


def _confidence(candidate: Candidate) -> float:
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


def _smooth(local: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where the local correlation (108, 66) is high, without specks."""
    high = (local > _AGREES).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(high, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)) > 0)


def _known(quad: NDArray[np.float32], found: Sequence[_Laid]) -> bool:
    """Whether a card that agrees in detail lies where `quad` is."""
    return any(one.detail > _CLEAR and one.visible > 0.9 and overlap(quad, one.quad) > 0.6 for one in found)


def _apart(laid: Sequence[_Laid]) -> list[_Laid]:
    """The best of each group of `laid` that lie over each other."""
    kept: list[_Laid] = []
    for one in sorted(laid, key=lambda one: -one.detail):
        if all(overlap(one.quad, other.quad) < 0.6 for other in kept):
            kept.append(one)
    return kept


def _reaches(quad: NDArray[np.float32], size_px: tuple[int, int]) -> bool:
    """Whether at least a third of the quad lies in the picture."""
    width, height = size_px
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    common, _ = cv2.intersectConvexConvex(quad, frame)
    return bool(common > abs(float(area(quad))) / 3)


def _consistent(candidates: Sequence[Candidate], shape: tuple[int, ...]) -> list[Candidate]:
    """The candidates that can lie in one picture together, surest first, all about as large as the usual one."""
    ranked = sorted((c for c in candidates if c.confidence >= _BELIEVED), key=lambda c: (-c.confidence, -c.detail))
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
