"""Finds cards that lie partly under others which came with them: a heap thrown down, a spread pushed together.

What is left of the fresh ground once whole cards are found shows parts of cards. Every pose is tried of which the open
part is fresh ground; the likeliest are named by a second look. Which of two cards lies on top is seen where both lie.
"""

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.correlate import Floats, masked_scores
from vision.rectify import Found, Picture
from vision.search import COARSE, FINE, ROUGH, Finder

PART_MM2: Final = 330.0
"""So much of a card must be left in view for it to be looked for."""
MOST_MM2: Final = 6000.0
"""More ground than this in one piece is no part of a heap: light, an arm, a thing."""
VISIBLE_LEAST: Final = 0.3
FRESH_LEAST: Final = 0.85
"""Of what is in view of a card at least this share must be fresh ground."""
_STEP_MM: Final = 4.0
_TURNS: Final = tuple(math.radians(turn) for turn in np.arange(0, 180, 11.25))
_KEPT: Final = 240
_REFINED: Final = 12
_APART_MM: Final = 4.0
_APART_RAD: Final = 0.17
_COMMON_MM2: Final = 40.0
_CLEARLY: Final = 0.8
_ROOM_MM: Final = 18.0


def left_over(picture: Picture) -> list[NDArray[np.uint8]]:
    """Patches of fresh and open ground as large as the part of a card, largest first; each 1 there, of the picture."""
    solid = cv2.morphologyEx(picture.fresh & picture.open_, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=4)
    areas = stats[1:count, cv2.CC_STAT_AREA]
    mm2 = areas / picture.scale**2
    large = [int(i) for i in np.argsort(-mm2, kind="stable") if PART_MM2 <= mm2[i] <= MOST_MM2]
    return [np.asarray(labels == i + 1, np.uint8) for i in large]


def hidden_in(finder: Finder, picture: Picture, cards: Sequence[Card | None], part: NDArray[np.uint8]) -> list[Found]:
    """Cards that may lie partly hidden where `part` is 1, refined, likeliest first; one may come out several times."""
    rows = finder.rough.rows_of(cards)
    poses = _poses(finder, picture, part)
    if len(poses) == 0 or len(rows) == 0:
        return []
    masks = picture.share(picture.open_, poses, finder.rough.size_px, ROUGH)
    table = masked_scores(picture.patches(poses, finder.rough, ROUGH), masks, finder.rough, rows)
    order = np.argsort(-_worth(table, masks), kind="stable")[:_KEPT]
    poses = poses[order]
    masks = picture.share(picture.open_, poses, finder.coarse.size_px, COARSE)
    table = masked_scores(picture.patches(poses, finder.coarse, COARSE), masks, finder.coarse, rows)
    chosen: list[Found] = []
    for i in np.argsort(-_worth(table, masks), kind="stable").tolist():
        row = int(rows[int(table[i].argmax())])
        angle = float(poses[i, 2]) + (math.pi if row % 2 else 0.0)
        card = finder.coarse.cards[row // 2]
        found = Found(card, float(poses[i, 0]), float(poses[i, 1]), angle, float(table[i].max()))
        if all(_differ(found, other, picture.scale) for other in chosen):
            chosen.append(found)
        if len(chosen) >= _REFINED:
            break
    return [finder.refine(picture, found, 4.0, 0.15) for found in chosen]


def lies_over(finder: Finder, picture: Picture, one: Found, other: Found) -> bool | None:
    """Whether `one` lies over `other`, by whose drawing their common ground shows; None where that tells nothing."""
    common = picture.cover(one, finder.card_mm, -0.5) & picture.cover(other, finder.card_mm, -0.5)
    if common.sum() < _COMMON_MM2 * picture.scale**2:
        return None
    off, other_off = (_misfit(finder, picture, found, common) for found in (one, other))
    return None if min(off, other_off) > _CLEARLY * max(off, other_off) else bool(off < other_off)


def _misfit(finder: Finder, picture: Picture, found: Found, common: NDArray[np.bool_]) -> float:
    """How far, in grey levels, the picture on `common` is from the card's face, lit as the rest of the card is."""
    pose = np.array([[found.u, found.v, found.angle_rad]])
    size = finder.fine.size_px
    there = picture.share(common.astype(np.uint8), pose, size, FINE)[0] > 0
    own = (picture.share(picture.open_, pose, size, FINE)[0] > 0) | there
    return float(_off(finder, picture, found, own)[there].mean()) if there.any() else math.inf


def _off(finder: Finder, picture: Picture, found: Found, own: NDArray[np.bool_]) -> Floats:
    """Grey levels (P,) by which the picture differs from the card's face, lit as it is on the pixels `own` (P,)."""
    pose = np.array([[found.u, found.v, found.angle_rad]])
    seen = picture.patches(pose, finder.fine, FINE)[0]
    face = finder.fine.pixels[finder.fine.rows_of([found.card])[0]]
    centred = face[:, own] - face[:, own].mean(axis=1, keepdims=True)
    gain = (centred * seen[:, own]).sum(axis=1) / np.maximum((centred**2).sum(axis=1), 1.0)
    gain = np.clip(gain, 0.1, 3.0)[:, None]
    offset = np.median(seen[:, own] - gain * face[:, own], axis=1, keepdims=True)
    return np.asarray(np.abs(seen - gain * face - offset).mean(axis=0), np.float32)


def _worth(table: Floats, masks: Floats) -> Floats:
    """Likeness of the best face at each pose, (N,); the more of it is in view, the more that says."""
    return np.asarray(table.max(axis=1) + 0.2 * np.sqrt(masks.mean(axis=1)), dtype=np.float32)


def _poses(finder: Finder, picture: Picture, part: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Poses (N, 3) of cards that show on `part` and, where they are open, on little but fresh ground."""
    rows, columns = np.nonzero(part)
    room, step = _ROOM_MM * picture.scale, _STEP_MM * picture.scale
    us = np.arange(columns.min() - room, columns.max() + room + 1, step)
    vs = np.arange(rows.min() - room, rows.max() + room + 1, step)
    u, v, angle = np.meshgrid(us, vs, _TURNS)
    poses = np.stack([u.ravel(), v.ravel(), angle.ravel()], axis=1)
    size = finder.rough.size_px
    mine = picture.share(part, poses, size, ROUGH).sum(axis=1)
    poses = np.asarray(poses[mine >= PART_MM2 * ROUGH**2], np.float64)
    if len(poses) == 0:
        return poses
    open_ = picture.share(picture.open_, poses, size, ROUGH)
    fresh = picture.share(picture.fresh & picture.open_, poses, size, ROUGH).sum(axis=1)
    good = (open_.mean(axis=1) >= VISIBLE_LEAST) & (fresh >= FRESH_LEAST * open_.sum(axis=1))
    return np.asarray(poses[good], np.float64)


def _differ(one: Found, other: Found, scale: float) -> bool:
    """Whether two finds are different cards or lie at different places."""
    if one.card != other.card or math.hypot(one.u - other.u, one.v - other.v) > _APART_MM * scale:
        return True
    return abs(math.remainder(one.angle_rad - other.angle_rad, 2 * math.pi)) > _APART_RAD
