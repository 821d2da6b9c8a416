"""Finds cards whose faces nobody knows yet: spread on a table, each apart, to be learnt."""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.align import Pyramid, edge_share, grown
from vision.embedding import CROP_PX, Embedding, embedding
from vision.flatness import Plane, find_plane, resized
from vision.quads import area, find_quads, overlap
from vision.rescue import guess_quads
from vision.settle import settled

_WORK_PX: Final = 1600  # longer side of the picture that is searched
_SURELY_CARD: Final = 0.8  # the same for a place guessed from single edges
_EXACT: Final = 0.055  # deviation up to which an outline is a card whatever it shows
_ALL_AROUND: Final = 0.9  # share of its outline where the picture must change then
_PALE: Final = 0.6  # of what is drawn on the palest outlines: less is no card
_STEP: Final = 0.2  # share of the greatest change along all cards from which their edge begins
_SOFT_MM: Final = 0.5  # so far outside of an edge a blurred one begins
_OUTLINED: Final = 0.6  # share of a card's outline where the picture must change
_GUESSED: Final = 0.05  # what a place guessed from single edges is held to deviate, in widths of a card
_SLACK_PX: Final = 4.0
_MOST_OUTLINES: Final = 900
_IS_CARD: Final = 0.5  # probability from which an outline is taken for a card
_APART: Final = 0.07  # cards that lie apart do not overlap more
_SMALL_PX: Final = 55.0  # height under which a face is too coarse to be learnt well


@dataclass(frozen=True, slots=True, eq=False)
class SpreadCard:
    """A card found in a picture: corners (4, 2) px clockwise from one of its short sides, and how surely it is one.

    `guessed` if it has no outline of its own but only edges that a card would have.
    """

    corners_px: NDArray[np.float32]
    probability: float
    guessed: bool = False

    @property
    def height_px(self) -> float:
        """Its height in the picture."""
        return float(np.linalg.norm(self.corners_px[3] - self.corners_px[0]))

    @property
    def small(self) -> bool:
        """Whether it is too small in the picture to be learnt well."""
        return self.height_px < _SMALL_PX


def find_spread(
    image: NDArray[np.uint8], card_mm: tuple[float, float] = (33.0, 54.0), net: Embedding | None = None
) -> tuple[SpreadCard, ...]:
    """The cards that lie apart in `image`, uint8 (H, W, 3) BGR, row by row; none in a picture without cards."""
    if min(image.shape[:2]) < 32:
        return ()
    scale = min(1.0, _WORK_PX / max(image.shape[:2]))
    work = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    pyramid = Pyramid.of(np.asarray(work, np.uint8))
    quads = find_quads(pyramid.colour[0], _MOST_OUTLINES)
    if len(quads) == 0:
        return ()
    eyes = net or embedding()
    plane = find_plane(quads, _are_cards(pyramid, quads, eyes).tolist(), card_mm)
    if plane is None or not plane.kept:
        return ()
    grow_mm = _border_mm(pyramid, plane, card_mm)
    cuts = resized(np.concatenate([plane.quads, _rescued(pyramid, plane)]), plane, card_mm, grow_mm)
    sure = _are_cards(pyramid, cuts, eyes)
    outlined = np.array([edge_share(pyramid.patch(grown(cut, 1 / 6))) for cut in cuts])
    off = np.concatenate([plane.deviations, np.full(len(cuts) - len(plane.quads), _GUESSED)])
    drawn = np.array([_drawn(pyramid.patch(cut)) for cut in cuts])
    known = len(plane.quads)
    enough = _PALE * float(np.percentile(drawn[:known], 10))
    own = np.arange(len(cuts)) < known
    exact = own & (off < _EXACT) & (outlined >= _ALL_AROUND)  # a back, or a drawing like no other
    fits = (
        ((sure >= np.where(own, _IS_CARD, _SURELY_CARD)) | exact)
        & (outlined >= _OUTLINED)
        & (drawn >= enough)
        & _inside(cuts, pyramid.grey[0].shape)
    )
    kept = _apart(cuts, fits, sure + outlined - 8 * off + own)  # outlines before guesses
    edges = [settled(pyramid.colour[0], cuts[i]) for i in kept]
    found = [
        SpreadCard(np.asarray((quad + 0.5) / scale - 0.5, np.float32), float(sure[i]), i >= known)
        for i, quad in zip(kept, edges, strict=True)
    ]
    return tuple(_row_by_row(found))


def face_of(image: NDArray[np.uint8], card: SpreadCard, card_mm: tuple[float, float]) -> NDArray[np.uint8]:
    """The card's face rectified, uint8 (H, W, 3) BGR, about as fine as the picture shows it, either way up."""
    height = int(np.clip(round(card.height_px), 48, 640))
    width = max(24, round(height * card_mm[0] / card_mm[1]))
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(square, card.corners_px)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(image, warp, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _rescued(pyramid: Pyramid, plane: Plane) -> NDArray[np.float32]:
    """Further places (N, 4, 2) px where single edges allow a card in `plane`."""
    return guess_quads(pyramid.grey[0], [np.asarray(quad, np.float32) for quad in plane.quads])


def _border_mm(pyramid: Pyramid, plane: Plane, card_mm: tuple[float, float]) -> float:
    """How far outside the outlines the cards end: an outline may be a printed frame or lie beside the paper's edge.

    Where, seen from outside, the picture begins to change along all cards: the table is even there, cards are not.
    """
    steps = np.arange(-1.5, 4.01, 0.25)
    grey = pyramid.grey[0].astype(np.float32)
    along = np.linspace(0.14, 0.86, 24)
    rings = []
    for step in (*steps, steps[-1] + 0.25):
        quads = resized(plane.quads, plane, card_mm, float(step) - 0.125)
        sides = np.stack([quads, np.roll(quads, -1, axis=1)], axis=2)  # (N, 4, 2 ends, 2)
        points = sides[:, :, :1] * (1 - along)[:, None] + sides[:, :, 1:] * along[:, None]
        points = points.reshape(-1, len(along), 2).astype(np.float32)
        seen = cv2.remap(grey, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        rings.append(seen.mean(axis=1))
    change = np.abs(np.diff(np.stack(rings), axis=0)).mean(axis=1)
    quiet = float(np.median(change[-8:]))
    clear = np.flatnonzero(change >= max(_STEP * float(change.max()), 3 * quiet))
    return float(steps[clear.max()] - _SOFT_MM) if len(clear) else 0.0


def _drawn(patch: NDArray[np.uint8]) -> float:
    """How much is drawn on a patch (108, 66): the spread of its colours, coarsely seen; a table's grain is little."""
    inner = cv2.GaussianBlur(patch, (0, 0), 2.5)[8:-8, 5:-5].astype(np.float32)
    return float(inner.std(axis=(0, 1)).max())


def _inside(cuts: NDArray[np.float32], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which cuts lie in the picture, but for a few px, (N,)."""
    limit = np.array([shape[1], shape[0]]) - 1 + _SLACK_PX
    return np.asarray(np.all((cuts > -_SLACK_PX) & (cuts < limit), axis=(1, 2)), np.bool_)


def _are_cards(pyramid: Pyramid, cuts: NDArray[np.float32], net: Embedding) -> NDArray[np.float32]:
    """How surely a card lies there as cut (N, 4, 2) px, shape (N,)."""
    parts = [np.zeros(0, np.float32)]
    for start in range(0, len(cuts), 256):
        patches = np.stack([pyramid.patch(cut, CROP_PX) for cut in cuts[start : start + 256]])
        parts.append(net.look(patches).card)
    return np.concatenate(parts)


def _apart(cuts: NDArray[np.float32], fits: NDArray[np.bool_], worth: NDArray[np.floating[Any]]) -> list[int]:
    """The best cuts by `worth` that do not lie over each other, of those that fit."""
    kept: list[int] = []
    for i in np.argsort(-worth, kind="stable").tolist():
        if fits[i] and all(_covered(cuts[i], cuts[k]) < _APART for k in kept):
            kept.append(i)
    return kept


def _covered(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """Share of the smaller of two quads that the other covers; 0 where their middles are far apart."""
    small = min(abs(float(area(first))), abs(float(area(second))))
    if float(np.linalg.norm(first.mean(axis=0) - second.mean(axis=0))) > 3 * np.sqrt(max(small, 1.0)):
        return overlap(first, second)
    common, _ = cv2.intersectConvexConvex(first, second)
    return float(common) / max(small, 1.0)


def _row_by_row(found: list[SpreadCard]) -> list[SpreadCard]:
    """As one reads: rows from the top, each from the left."""
    if not found:
        return []
    tall = float(np.median([card.height_px for card in found]))
    rows: list[list[SpreadCard]] = []
    for card in sorted(found, key=lambda card: float(card.corners_px[:, 1].mean())):
        top = float(card.corners_px[:, 1].mean())
        if rows and top - float(np.mean([one.corners_px[:, 1].mean() for one in rows[-1]])) < 0.6 * tall:
            rows[-1].append(card)
        else:
            rows.append([card])
    return [card for row in rows for card in sorted(row, key=lambda card: float(card.corners_px[:, 0].mean()))]
