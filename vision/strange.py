"""Reads photographs of a traditional deck that nobody enrolled: outlines are named by the trained embedding alone.

Nothing is laid over the picture here, so cards must show most of their outline, or share it with cards already found.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.align import Pyramid, edge_share, grown
from vision.embedding import CROP_PX, FACES, SURE, Embedding, embedding
from vision.quads import area, find_quads, overlap
from vision.rescue import guess_quads
from vision.still import Reading

_WORK_PX: Final = 1400  # longer side of the picture that is searched
_INSETS: Final = (-0.04, 0.0, 0.04, 0.08)  # outlines lie inside, on or outside of the card's edge
_LIKE_A_CARD: Final = 0.15  # below that at its own outline no other inset is tried
_MOST: Final = 160
_GUESSES: Final = 1500
_ROUNDS: Final = 3  # each card found shows where others may lie
_EDGES: Final = 0.6  # share of the outline where the picture must change across it
_APART: Final = 0.25  # overlap of two cards from which only the surer is kept
_SIZES: Final = (0.4, 2.5)  # areas of cards in one picture, as shares of the usual one
_ALTERNATIVES: Final = 3
_CARDS_OF: Final = {face: tuple(card for card in DECK if card.face == face) for face in FACES}


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A quad (4, 2) px, the card's own top-left first, the class it seems to show, and how sure that is."""

    quad: NDArray[np.float32]
    face: str
    confidence: float
    faces: NDArray[np.float32]
    visible: float = 1.0


class StrangeReader:
    """Reads photographs of any traditional deck."""

    def __init__(self, eyes: Embedding | None = None) -> None:
        self._eyes = eyes or embedding()

    def read(self, image: NDArray[np.uint8]) -> tuple[Reading, ...]:
        """The cards in `image`, uint8 (H, W, 3) BGR, surest first. Which chaff of a month it is nobody can say."""
        if min(image.shape[:2]) < 16:
            return ()
        scale = min(1.0, _WORK_PX / max(image.shape[:2]))
        work = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return _readings(self.named(np.asarray(work, np.uint8)), scale)

    def named(self, work: NDArray[np.uint8]) -> list[Named]:
        """The cards in `work`, surest first: those with an outline, then those that single edges and cards allow."""
        pyramid = Pyramid.of(work)
        found = _together(self._whole(pyramid, find_quads(work)))
        if not found:
            return []
        for _ in range(_ROUNDS):
            guesses = guess_quads(pyramid.grey[0], [one.quad for one in found])[:_GUESSES]
            left = [quad for quad in guesses if all(overlap(quad, one.quad) < 2 * _APART for one in found)]
            known = len(found)
            found = _together([*found, *self._partly(pyramid, left, found)])
            if len(found) == known:
                break
        return found

    def _whole(self, pyramid: Pyramid, quads: NDArray[np.float32]) -> list[Named]:
        """The outlines that are cards, each at the inset where it reads best."""
        if len(quads) == 0:
            return []
        first = self._eyes.look(np.stack([pyramid.patch(quad, CROP_PX) for quad in quads]))
        order = np.argsort(-(first.card + first.confidence), kind="stable")[:_MOST]
        likely = [int(i) for i in order if first.card[i] >= _LIKE_A_CARD]
        tries = [grown(quads[i], inset) for i in likely for inset in _INSETS]
        named = self._look(pyramid, tries)
        groups = [named[k : k + len(_INSETS)] for k in range(0, len(named), len(_INSETS))]
        best = [max(group, key=lambda one: one.confidence) for group in groups]
        return [one for one in best if one.confidence >= SURE and _outlined(pyramid, one.quad)]

    def _partly(self, pyramid: Pyramid, quads: Sequence[NDArray[np.float32]], above: Sequence[Named]) -> list[Named]:
        """The guesses that are cards, whole or under those that are known."""
        masks = [_uncovered(quad, above) for quad in quads]
        kept = [k for k, mask in enumerate(masks) if mask.mean() > 0.4]
        named = self._look(pyramid, [quads[k] for k in kept], [masks[k] for k in kept])
        return [one for one in named if one.confidence >= SURE and _outlined(pyramid, one.quad)]

    def _look(
        self, pyramid: Pyramid, quads: Sequence[NDArray[np.float32]], masks: Sequence[NDArray[np.bool_]] | None = None
    ) -> list[Named]:
        if len(quads) == 0:
            return []
        crops = np.stack([pyramid.patch(quad, CROP_PX) for quad in quads])
        look = self._eyes.look(crops, None if masks is None else np.stack(masks))
        seen = np.ones(len(quads)) if masks is None else np.array([mask.mean() for mask in masks])
        return [
            Named(
                np.roll(quad, 2, axis=0) if look.turned[i] > 0.5 else quad,
                FACES[int(look.faces[i].argmax())],
                float(look.confidence[i] * look.card[i]),
                look.faces[i],
                float(seen[i]),
            )
            for i, quad in enumerate(quads)
        ]


def _outlined(pyramid: Pyramid, quad: NDArray[np.float32]) -> bool:
    return edge_share(pyramid.patch(grown(quad, 1 / 6))) >= _EDGES


def _uncovered(quad: NDArray[np.float32], above: Sequence[Named]) -> NDArray[np.bool_]:
    """Where the card at `quad` is not under known cards, bool (104, 64)."""
    width, height = CROP_PX
    hidden = np.zeros((height, width), np.uint8)
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), square)
    for one in above:
        corners = cv2.perspectiveTransform(grown(one.quad, 0.03)[None], warp)[0]
        if np.all(np.isfinite(corners)) and np.abs(corners).max() < 1e4:
            cv2.fillConvexPoly(hidden, np.rint(corners).astype(np.int32), 1)
    return np.asarray(hidden == 0)


def _together(named: Sequence[Named]) -> list[Named]:
    """Those that can lie in one picture together, surest first: apart, of about one size, no class too often."""
    chosen: list[Named] = []
    count: Counter[str] = Counter()
    for one in sorted(named, key=lambda one: -one.confidence):
        taken = any(overlap(one.quad, other.quad) > (_APART if one.visible > 0.97 else 0.6) for other in chosen)
        if not taken and count[one.face] < len(_CARDS_OF[one.face]):
            chosen.append(one)
            count[one.face] += 1
    sizes = np.array([abs(float(area(one.quad))) for one in chosen])
    alike = [(sizes > _SIZES[0] * size) & (sizes < _SIZES[1] * size) for size in sizes]
    sure = np.array([one.confidence for one in chosen])
    usual = max(range(len(chosen)), key=lambda i: (round(float(sure[alike[i]].sum()), 1), sure[i]), default=0)
    return [one for i, one in enumerate(chosen) if alike[usual][i]]


def _readings(named: Sequence[Named], scale: float) -> tuple[Reading, ...]:
    readings = []
    count: Counter[str] = Counter()
    for one in named:
        card = _CARDS_OF[one.face][count[one.face]]
        count[one.face] += 1
        corners = (one.quad + 0.5) / scale - 0.5
        places = tuple((float(x), float(y)) for x, y in corners)
        readings.append(Reading(card, one.confidence, places, _others(one), one.visible))
    return tuple(readings)


def _others(one: Named) -> tuple[tuple[Card, float], ...]:
    """The next likely classes, sharing the doubt as the network does."""
    shares = np.where([face == one.face for face in FACES], 0, one.faces)
    shares = shares / max(float(shares.sum()), 1e-9) * (1 - one.confidence)
    order: Any = np.argsort(-shares, kind="stable")[:_ALTERNATIVES]
    return tuple((_CARDS_OF[FACES[i]][0], float(shares[i])) for i in order.tolist())
