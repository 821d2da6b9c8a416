"""Likeness of a card on which light falls in places: light only adds, so what is too bright for the face is left out.

A trimmed correlation: each face is fitted to the patch by a gain and an offset a channel; pixels that are brighter than
the fit allows are taken for projected light and dropped together with their neighbours, and the fit is made again. A
wrong face loses as many pixels and still does not fit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.changes import without_specks
from vision.correlate import Floats
from vision.rectify import Found, Picture, wrapped
from vision.search import FINE, ROUGH, Finder

ROUNDS: Final = 4
OUTSHINES: Final = 2.0
"""A pixel this many deviations of the fit brighter than the fit is lit."""
OUTSHINES_LEAST: Final = 20.0
"""Grey levels by which it must be brighter at least."""
KEPT_LEAST: Final = 0.7
"""Of a card at least this share must be without light to name it."""
KNOWN_KEPT_LEAST: Final = 0.6
"""The same where only one card is asked for, at its place."""
LIT_LEAST: Final = 0.02
"""Light on less of a card than this does no harm."""
BESIDE_LEAST: Final = 0.45
"""Of a card at least this share must lie beside our own light where that is known."""
LIKE_LEAST: Final = 0.85


@dataclass(frozen=True, slots=True, eq=False)
class Trimmed:
    """Scores −1…1 of each face, and the shares of its area and of its drawing's structure they rest on, (R,) each."""

    scores: Floats
    area: Floats
    structure: Floats

    def enough(self, share: float) -> NDArray[np.bool_]:
        """Whether that share of each face was without light, and nearly that of its drawing."""
        return np.asarray((self.area >= share) & (self.structure >= share - 0.1))


def without_glow(patch: Floats, faces: Floats, size_px: tuple[int, int], shown: NDArray[np.bool_]) -> Trimmed:
    """Compares a patch (3, P) with faces (R, 3, P), grey levels 0–255, over the pixels `shown` (P,) that are not lit.

    `size_px` is the patch's (width, height), P = width x height.
    """
    masks = np.repeat(shown[None].astype(np.float32), len(faces), axis=0)
    for _ in range(ROUNDS):
        face, at, weight = _centred(patch, faces, masks)
        slope = (face * at * weight).sum(axis=2) / np.maximum((face * face * weight).sum(axis=2), 1.0)
        over = at - np.maximum(slope, 0.0)[..., None] * face
        count = np.maximum(masks.sum(axis=1), 1.0)
        deviation = np.sqrt((over * over * weight).sum(axis=2) / count[:, None]).mean(axis=1)
        lit = over.max(axis=1) > np.maximum(OUTSHINES * deviation, OUTSHINES_LEAST)[:, None]
        masks = np.stack([shown & ~_area(one, size_px) for one in lit]).astype(np.float32)
    whole = _centred(patch, faces, np.repeat(shown[None].astype(np.float32), len(faces), axis=0))[0] * shown
    face, at, weight = _centred(patch, faces, masks)
    product = (face * at * weight).sum(axis=2)
    norm = np.sqrt((face * face * weight).sum(axis=2) * (at * at * weight).sum(axis=2))
    scores = (product / np.maximum(norm, 1.0)).mean(axis=1)
    structure = (face * face * weight).sum(axis=(1, 2)) / np.maximum((whole * whole).sum(axis=(1, 2)), 1.0)
    area = masks.mean(axis=1)
    return Trimmed(np.asarray(scores, np.float32), np.asarray(area, np.float32), np.asarray(structure, np.float32))


def may_be_lit(finder: Finder, picture: Picture, found: Found) -> bool:
    """Whether light may fall on a card at `found`: where our own is known, whether that does."""
    if picture.lit is None:
        return True
    pose = np.array([[found.u, found.v, found.angle_rad]])
    return float(picture.share(picture.lit, pose, finder.rough.size_px, ROUGH).mean()) >= LIT_LEAST


def shows_under_light(finder: Finder, picture: Picture, found: Found, card: Card | None) -> float:
    """Likeness of `card`, the way `found` lies, without the light on it; −1 where too little of it is left."""
    if not may_be_lit(finder, picture, found):
        return -1.0
    rows = finder.fine.rows_of([card])[:1]
    trimmed = _trimmed(finder, picture, found, rows)
    score = float(trimmed.scores[0]) if trimmed.enough(KNOWN_KEPT_LEAST)[0] else -1.0
    beside = named_beside_light(finder, picture, found, [card])
    return score if beside is None else max(score, beside.score)


def named_under_light(
    finder: Finder, picture: Picture, found: Found, cards: Sequence[Card | None], least: float
) -> Found | None:
    """`found` named anew out of `cards` by what no light falls on; None where that is less like any than `least`."""
    likely = finder.fine.rows_of([card for card in (found.card, found.rival) if card in cards])
    if not len(likely) or _best(_trimmed(finder, picture, found, likely))[1] < least:
        return None
    rows = finder.fine.rows_of(cards)
    trimmed = _trimmed(finder, picture, found, rows)
    first, score = _best(trimmed)
    card = finder.fine.cards[rows[first] // 2]
    others = [i for i in range(len(rows)) if _face(finder.fine.cards[rows[i] // 2]) != _face(card)]
    second = max(others, key=lambda i: float(trimmed.scores[i]), default=None)
    angle = found.angle_rad + (math.pi if rows[first] % 2 else 0.0)
    return replace(
        found,
        card=card,
        angle_rad=wrapped(angle),
        score=score,
        rival=None if second is None else finder.fine.cards[rows[second] // 2],
        rival_score=-1.0 if second is None else float(trimmed.scores[second]),
    )


def named_beside_light(finder: Finder, picture: Picture, found: Found, cards: Sequence[Card | None]) -> Found | None:
    """`found` at its best pose and named out of `cards` where our own light is known not to fall.

    None where that is unknown, or leaves too little of the card.
    """
    if picture.lit is None or not picture.lit.any():
        return None
    open_ = picture.open_
    picture.open_ = open_ & (1 - picture.lit)
    try:
        named = finder.name(picture, finder.refine(picture, found), cards)
    finally:
        picture.open_ = open_
    return replace(named, visible=found.visible) if named.visible >= BESIDE_LEAST else None


def _trimmed(finder: Finder, picture: Picture, found: Found, rows: NDArray[np.intp]) -> Trimmed:
    pose = np.array([[found.u, found.v, found.angle_rad]])
    patch = picture.patches(pose, finder.fine, FINE)[0]
    shown = picture.share(picture.open_, pose, finder.fine.size_px, FINE)[0] > 0
    return without_glow(patch, finder.fine.pixels[rows], finder.fine.size_px, shown)


def _best(trimmed: Trimmed) -> tuple[int, float]:
    scores = np.where(trimmed.enough(KEPT_LEAST), trimmed.scores, -1.0)
    first = int(scores.argmax())
    return first, float(scores[first])


def _face(card: Card | None) -> object:
    return "back" if card is None else card.face


def _centred(patch: Floats, faces: Floats, masks: Floats) -> tuple[Floats, Floats, Floats]:
    """Faces and patch less their means over `masks`, (R, 3, P) each, and the masks as weights (R, 1, P)."""
    weight = masks[:, None]
    count = np.maximum(masks.sum(axis=1), 1.0)[:, None]
    face_mean = (faces * weight).sum(axis=2) / count
    patch_mean = (patch[None] * weight).sum(axis=2) / count
    return faces - face_mean[..., None], patch[None] - patch_mean[..., None], weight


def _area(lit: NDArray[np.bool_], size_px: tuple[int, int]) -> NDArray[np.bool_]:
    """Lit pixels (P,) without single ones, with their neighbours."""
    width, height = size_px
    blobs = without_specks(lit.reshape(height, width))
    return np.asarray(cv2.dilate(blobs.astype(np.uint8), np.ones((3, 3), np.uint8)).ravel() > 0)
