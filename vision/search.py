"""Finding known card faces in a rectified picture: every pose is tried coarsely, good ones are refined.

Works on whole cards and, with a mask of what covers them, on strips and halves. Angles are turns of the card's upright
direction from the raster's up, counter-clockwise, in radians; positions are raster px of the picture's own frame.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.correlate import Faces, Floats, masked_scores, normalised
from vision.rectify import Found, Picture, wrapped

ROUGH = 0.25
COARSE = 0.5
FINE = 1.0
"""px a mm of the sizes at which faces are compared."""
MANY = 1000
ROUGHLY = 0.03
"""More poses than this are sorted out by the roughest size first; what scores less there than asked for is let go."""
BATCH = 8192
"""So many patches are compared at a time: bounds the memory."""
MOST_PLACES = 60_000
"""So many poses are tried at most; a larger area is searched on a wider grid."""


class Finder:
    """Finds the cards of one deck. Unless it is `masked`, what lies over a card counts as part of it (to compare)."""

    def __init__(self, images: dict[Card | None, NDArray[np.uint8]], card_mm: tuple[float, float]) -> None:
        self.card_mm = card_mm
        self.images = images
        self.masked = True
        self.rough = Faces.of(images, card_mm, ROUGH)
        self.coarse = Faces.of(images, card_mm, COARSE)
        self.fine = Faces.of(images, card_mm, FINE)

    def whole(
        self,
        picture: Picture,
        cards: Sequence[Card | None],
        angles: Sequence[float],
        least: float,
        contrast: float = 0.0,
        step_mm: float = 3.0,
    ) -> list[Found]:
        """Poses where one of `cards` seems to lie uncovered on fresh ground, best first, coarse; several a place.

        Ground whose grey levels deviate less than `contrast` times those of a usual face is passed over.
        """
        return self.at(picture, self._places(picture, angles, step_mm, 0.6, contrast * 60.0), cards, least)

    def partial(
        self, picture: Picture, cards: Sequence[Card | None], poses: NDArray[np.float64], least: float, visible: float
    ) -> list[Found]:
        """Of `poses` (N, 3), those where one of `cards` seems to lie under what covers it, best first.

        At least the share `visible` of the card must be open, and most of that fresh.
        """
        rows = self.coarse.rows_of(cards)
        if len(poses) == 0 or len(rows) == 0:
            return []
        rough = picture.share(picture.open_, poses, self.rough.size_px, ROUGH)
        fresh = picture.share(picture.fresh & picture.open_, poses, self.rough.size_px, ROUGH)
        poses = poses[(rough.mean(axis=1) >= visible) & (fresh.sum(axis=1) >= 0.6 * rough.sum(axis=1))]
        if len(poses) == 0:
            return []
        masks = picture.share(picture.open_, poses, self.coarse.size_px, COARSE)
        shown = masks.mean(axis=1)
        masks = masks if self.masked else np.ones_like(masks)
        table = masked_scores(picture.patches(poses, self.coarse, COARSE), masks, self.coarse, rows)
        best = table.argmax(axis=1)
        value = table[np.arange(len(poses)), best]
        order = np.argsort(-(value + 0.15 * np.sqrt(shown)))
        return [
            self._found(poses[i], int(rows[best[i]]), float(value[i]), float(shown[i]))
            for i in order[:200]
            if value[i] >= least
        ]

    def refine(
        self, picture: Picture, found: Found, reach_mm: float = 3.0, reach_rad: float = 0.13, least: float = -1.0
    ) -> Found:
        """The same card at the best pose nearby, scored at the fine size over what is open.

        One that scores less than `least` at the coarse size already is left at that.
        """
        best = found
        for faces, scale, steps, shrink in (
            (self.coarse, COARSE, (-1.0, -0.5, 0.0, 0.5, 1.0), 1.0),
            (self.fine, FINE, (-1.0, 0.0, 1.0), 0.3),
            (self.fine, FINE, (-1.0, 0.0, 1.0), 0.12),
        ):
            offsets = np.array(steps) * shrink
            du, dv, da = np.meshgrid(
                offsets * reach_mm * picture.scale, offsets * reach_mm * picture.scale, offsets * reach_rad
            )
            poses = np.stack([best.u + du.ravel(), best.v + dv.ravel(), best.angle_rad + da.ravel()], axis=1)
            row = faces.rows_of([found.card])[:1]
            value = self._score(picture, poses, row, faces, scale)[:, 0]
            i = int(value.argmax())
            best = replace(found, u=float(poses[i, 0]), v=float(poses[i, 1]), angle_rad=wrapped(float(poses[i, 2])))
            best = replace(best, score=float(value[i]))
            if best.score < least:
                break
        return best

    def score(self, picture: Picture, poses: NDArray[np.float64], rows: NDArray[np.intp]) -> Floats:
        """Fine scores (N, len(rows)) at `poses`, over what is open; −1 where less than a tenth is."""
        return self._score(picture, poses, rows, self.fine, FINE)

    def _score(
        self, picture: Picture, poses: NDArray[np.float64], rows: NDArray[np.intp], faces: Faces, scale: float
    ) -> Floats:
        patches = picture.patches(poses, faces, scale)
        masks = (
            None
            if not self.masked or picture.all_open(poses)
            else picture.share(picture.open_, poses, faces.size_px, scale)
        )
        if masks is None or masks.all():
            unit = normalised(patches).reshape(len(poses), -1)
            return np.asarray(unit @ faces.unit[rows].reshape(len(rows), -1).T / 3, dtype=np.float32)
        value = masked_scores(patches, masks, faces, rows)
        value[masks.mean(axis=1) < 0.1] = -1
        return value

    def contrast(self, picture: Picture, found: Found) -> float:
        """How strong the card's picture is: its deviation over that of the enrolled face, over what is open."""
        pose = np.array([[found.u, found.v, found.angle_rad]])
        patch = picture.patches(pose, self.coarse, COARSE)[0]
        mask = picture.share(picture.open_, pose, self.coarse.size_px, COARSE)[0] > 0
        if mask.sum() < 20:
            return 0.0
        face = self.coarse.pixels[self.coarse.rows_of([found.card])[0]]
        return float(patch[:, mask].std(axis=1).sum() / max(1.0, float(face[:, mask].std(axis=1).sum())))

    def at(
        self, picture: Picture, poses: NDArray[np.float64], cards: Sequence[Card | None], least: float
    ) -> list[Found]:
        """The best of `cards` at each of `poses` (N, 3), coarse, best first."""
        rows = self.coarse.rows_of(cards)
        if len(poses) == 0 or len(rows) == 0:
            return []
        if len(poses) > MANY:
            poses = poses[self._roughly(picture, poses, rows) >= least - ROUGHLY]
        best = np.zeros(len(poses), dtype=np.intp)
        value = np.zeros(len(poses), dtype=np.float32)
        for start in range(0, len(poses), BATCH):
            part = slice(start, start + BATCH)
            table = self._score(picture, poses[part], rows, self.coarse, COARSE)
            best[part] = table.argmax(axis=1)
            value[part] = table.max(axis=1)
        return [
            self._found(poses[i], int(rows[best[i]]), float(value[i]), 1.0)
            for i in np.argsort(-value)[:400]
            if value[i] >= least
        ]

    def _roughly(self, picture: Picture, poses: NDArray[np.float64], rows: NDArray[np.intp]) -> Floats:
        """About the best score at each of `poses` (N, 3), from few pixels: sorts out what is nowhere near a card."""
        parts = (poses[start : start + BATCH] for start in range(0, len(poses), BATCH))
        return np.concatenate([self._score(picture, part, rows, self.rough, ROUGH).max(axis=1) for part in parts])

    def name(self, picture: Picture, found: Found, cards: Sequence[Card | None]) -> Found:
        """`found` with the best-fitting of `cards` at its pose, and the best of another face as rival."""
        rows = self.fine.rows_of(cards)
        poses = np.array([[found.u, found.v, found.angle_rad]])
        value = self.score(picture, poses, rows)[0]
        visible = float(picture.share(picture.open_, poses, self.fine.size_px, FINE).mean())
        i = int(value.argmax())
        card = self.fine.cards[rows[i] // 2]
        angle = found.angle_rad + (math.pi if rows[i] % 2 else 0.0)
        rival, rival_score = None, -1.0
        for k in np.argsort(-value):
            other = self.fine.cards[rows[k] // 2]
            if (other.face if other else "back") != (card.face if card else "back"):
                rival, rival_score = other, float(value[k])
                break
        return Found(card, found.u, found.v, wrapped(angle), float(value[i]), visible, rival, rival_score)

    def _places(
        self, picture: Picture, angles: Sequence[float], step_mm: float, share: float, deviation: float
    ) -> NDArray[np.float64]:
        """Poses on a grid whose card would cover fresh ground by at least `share`, with some structure in it."""
        step = max(1.0, step_mm * picture.scale)
        v, u = np.nonzero(picture.fresh)
        if len(u) == 0:
            return np.zeros((0, 3))
        us = np.arange(u.min() + step / 2, u.max() + step, step)
        vs = np.arange(v.min() + step / 2, v.max() + step, step)
        grid_u, grid_v = np.meshgrid(us, vs)
        centre = np.stack([grid_u.ravel(), grid_v.ravel()], axis=1)
        # a card's centre lies well inside the fresh ground or on a hole of it
        near = cv2.blur(picture.fresh * np.uint8(255), (round(self.card_mm[0] * picture.scale),) * 2)
        rows, columns = np.rint(centre[:, 1]).astype(int), np.rint(centre[:, 0]).astype(int)
        h, w = picture.fresh.shape
        inside = (rows < h) & (columns < w)
        centre, rows, columns = centre[inside], rows[inside], columns[inside]
        spread = _deviation(picture.level(COARSE), 17)
        at = (
            (rows * (spread.shape[0] / h)).astype(int).clip(0, spread.shape[0] - 1),
            (columns * (spread.shape[1] / w)).astype(int).clip(0, spread.shape[1] - 1),
        )
        centre = centre[(near[rows, columns] > 255 * share * 0.8) & (spread[at] >= deviation)]
        skip = -(-len(centre) * len(angles) // MOST_PLACES)
        centre = centre[:: max(1, skip)]
        rough = (max(2, round(self.card_mm[0] * 0.2)), max(2, round(self.card_mm[1] * 0.2)))
        out = [np.zeros((0, 3))]
        for angle in angles:
            poses = np.column_stack([centre, np.full(len(centre), angle)])
            covered = picture.share(picture.fresh, poses, rough, 0.2).mean(axis=1)
            out.append(poses[covered >= share])
        return np.concatenate(out)

    def _found(self, pose: NDArray[np.float64], row: int, score: float, visible: float) -> Found:
        angle = pose[2] + (math.pi if row % 2 else 0.0)
        return Found(self.coarse.cards[row // 2], float(pose[0]), float(pose[1]), wrapped(angle), score, visible)


def _deviation(image: NDArray[np.uint8], window: int) -> NDArray[np.float32]:
    """Deviation of the grey levels in a window around each pixel."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.float32)
    mean = cv2.blur(grey, (window, window))
    return np.asarray(np.sqrt(np.maximum(cv2.blur(grey * grey, (window, window)) - mean * mean, 0)), dtype=np.float32)
