"""Reads the cards in any photograph, from any side, without calibration."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.align import PATCH_PX, Pyramid, agreement, align, edge_share, grey_face, grown
from vision.classify import Match, Matcher
from vision.deck import Deck
from vision.embedding import CROP_PX, Embedding, embedding
from vision.keypoints import PointIndex, find_poses
from vision.naming import Namer
from vision.quads import area, find_quads, is_card_view, overlap
from vision.rescue import guess_quads
from vision.sightings import BELIEVED, Candidate, Look, Reading, confidence_of, consistent, reading_of

__all__ = ["Candidate", "Look", "PhotoReader", "Reading", "read_photo"]

_WORK_PX: Final = 1400  # longer side of the picture that is searched
_FINE_PX: Final = 2400  # the same where cards turned out to be small, or none was found
_SMALL_PX: Final = 62.0  # height of the usual card under which the picture is searched again, finer
_WANTED_PX: Final = 80.0  # height that it then has
_MOST_OUTLINES: Final = 1500
_MOST_INSETS: Final = 300  # outlines that are tried with all insets
_INSETS: Final = (-0.04, 0.0, 0.04, 0.08, 0.12)  # outlines lie inside, on or outside of the card's edge
_WORTH_A_LOOK: Final = 0.36  # correlation before alignment below which an outline is dropped
_WORTH_A_RESCUE: Final = 0.45  # the same for guesses from single edges, of which there are many
_MOST_LOOKS: Final = 120
_MOST_RESCUES: Final = 50
_AGREES: Final = 0.45  # local correlation from which a spot of the card counts as visible
_STAYS: Final = 0.5  # overlap with where it was expected that an aligned card keeps
_CLOSE: Final = 0.12  # correlation by which a face may trail the likeliest and still be tried
_CLEAR: Final = 0.75  # agreement of details at which no other face is tried
_FAINT: Final = 0.25  # agreement of details under which the outline is taken for no card
_WHOLE: Final = 0.85  # share of details that agree from which nothing is hidden
_ALTERNATIVES: Final = 3
_MOST_NAMES: Final = 160  # outlines that the trained embedding is asked about
_IS_CARD: Final = 0.25  # its probability that a card lies there as cut, below which none is named
_NAMED: Final = 0.97  # confidence of a name from which it counts without any picture laid over it
_OUTLINED: Final = 0.6  # share of the outline where the picture must change, for a name to count


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
    def _namer(self) -> Namer:
        return Namer(self.deck, eyes=self._eyes)

    @cached_property
    def _eyes(self) -> Embedding:
        return embedding()

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
        longest = max(image.shape[:2])
        scale = min(1.0, _WORK_PX / longest)
        first = self._look(image, scale)
        heights = sorted(float(np.linalg.norm(np.subtract(r.corners_px[3], r.corners_px[0]))) for r in first.readings)
        usual = heights[len(heights) // 2] * scale if heights else 0.0
        if usual >= _SMALL_PX:
            return first
        wanted = scale * min(2.0, _WANTED_PX / usual) if usual else 1.0
        finer = min(wanted, _FINE_PX / longest)
        if finer < 1.15 * scale:
            return first
        second = self._look(image, finer)
        return max(first, second, key=lambda look: sum(reading.confidence for reading in look.readings))

    def _look(self, image: NDArray[np.uint8], scale: float) -> Look:
        """The cards in `image` as searched at `scale`."""
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        work = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=how)
        candidates = sorted(self.candidates(np.asarray(work, np.uint8)), key=lambda c: (-c.confidence, -c.detail))
        chosen = consistent(candidates, work.shape[:2])
        quads = {id(candidate.quad) for candidate in chosen}
        fates = tuple(
            "believed" if id(c.quad) in quads else "too unsure" if c.confidence < BELIEVED else "another fits better"
            for c in candidates
        )
        return Look(tuple(reading_of(candidate, scale) for candidate in chosen), tuple(candidates), fates, scale)

    def candidates(self, work: NDArray[np.uint8]) -> list[Candidate]:
        """Everything in `work` that may be a card, with its confidence, in any order."""
        pyramid = Pyramid.of(work)
        quads = find_quads(pyramid.colour[0], _MOST_OUTLINES)
        laid = self._from_outlines(pyramid, quads)
        laid += self._from_points(pyramid, laid)
        laid += self._from_edges(pyramid, laid)
        weighed = self._weighed(pyramid, laid)
        return weighed + self._from_names(pyramid, quads, weighed)

    def _from_outlines(self, pyramid: Pyramid, quads: NDArray[np.float32]) -> list["_Laid"]:
        """Faces laid over the outlines that correlate with them."""
        if len(quads) == 0:
            return []
        size = self._matcher.size_px
        if len(quads) > _MOST_INSETS:
            rough = self._matcher.scores(np.stack([pyramid.patch(grown(quad, _INSETS[2]), size) for quad in quads]))
            quads = quads[np.argsort(-rough.max(axis=(1, 2)), kind="stable")[:_MOST_INSETS]]
        views = np.stack([pyramid.patch(grown(quad, inset), size) for quad in quads for inset in _INSETS])
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

    def _from_names(self, pyramid: Pyramid, quads: NDArray[np.float32], found: Sequence[Candidate]) -> list[Candidate]:
        """Outlines where nothing could be laid but the embedding sees a card: of another print, small, badly lit.

        It must see by itself what it sees beside the deck's pictures: decks that are not traditional gain nothing.
        """
        known = [one.quad for one in found if one.confidence >= 0.9]
        left = [quad for quad in quads if all(overlap(quad, quad_of) < 0.3 for quad_of in known)][: 2 * _MOST_NAMES]
        if not left:
            return []
        cuts = np.stack([grown(quad, _INSETS[2]) for quad in left])
        cards = self._eyes.look(np.stack([pyramid.patch(cut, CROP_PX) for cut in cuts])).card
        best = [i for i in np.argsort(-cards, kind="stable")[:_MOST_NAMES].tolist() if cards[i] >= _IS_CARD]
        tries = [grown(left[i], inset) for i in best for inset in _INSETS[1:4]]
        if not tries:
            return []
        crops = np.stack([pyramid.patch(one, CROP_PX) for one in tries])
        look = self._eyes.look(crops)
        sure_of = look.confidence * look.card  # of any traditional deck: low for the cards of other games
        named: list[Candidate] = []
        for quad, face, sure, match in zip(tries, look.names(), sure_of, self._namer.best(crops), strict=True):
            sure = min(float(sure), match.confidence)
            if match.card is None or match.card.face != face or sure < _NAMED:
                continue
            turned = np.roll(quad, 2, axis=0) if match.half_turn else quad
            edges = edge_share(pyramid.patch(grown(turned, 1 / 6)))
            if edges < _OUTLINED:
                continue
            whole = np.ones((PATCH_PX[1], PATCH_PX[0]), np.bool_)
            named.append(Candidate(match.card, turned, match, 0.0, 1.0, whole, 0, edges, sure))
        return named

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
                found.append(replace(candidate, confidence=confidence_of(candidate)))
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
