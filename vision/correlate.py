"""Normalised correlation of card patches with card faces, per colour channel, so that light and tint cancel out.

Each channel is compared after taking out its mean and scale (Lewis 1995, "Fast normalized cross-correlation"), and the
channels are averaged: any gain and offset of a channel, as lamps and projected light give, leaves the score unchanged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card

Floats = NDArray[np.float32]
_SMALL = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Card faces at one size, both half turns: row 2i is cards[i] upright, row 2i + 1 turned by half.

    `pixels` float32 (2C, 3, P) raw values 0–255; `unit` the same with mean 0 and norm 1 a channel; `size_px` (w, h).
    A card `None` is the back.
    """

    cards: tuple[Card | None, ...]
    size_px: tuple[int, int]
    pixels: Floats
    unit: Floats

    @classmethod
    def of(cls, images: Mapping[Card | None, NDArray[np.uint8]], card_mm: tuple[float, float], scale: float) -> "Faces":
        """Faces at `scale` px a mm out of images of any size, BGR."""
        size = (max(4, round(card_mm[0] * scale)), max(4, round(card_mm[1] * scale)))
        rows: list[Floats] = []
        for image in images.values():
            small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
            small = np.asarray(cv2.GaussianBlur(small, (0, 0), 0.5), dtype=np.float32)
            for turned in (small, small[::-1, ::-1]):
                rows.append(np.ascontiguousarray(turned.transpose(2, 0, 1)).reshape(3, -1))
        pixels = np.stack(rows)
        return cls(tuple(images), size, pixels, normalised(pixels))

    def rows_of(self, cards: Sequence[Card | None]) -> NDArray[np.intp]:
        """Row numbers of the given cards, both half turns."""
        place = {card: i for i, card in enumerate(self.cards)}
        return np.array([2 * place[c] + turn for c in cards if c in place for turn in (0, 1)], dtype=np.intp)


def normalised(patches: Floats) -> Floats:
    """`patches` float32 (N, 3, P) with mean 0 and norm 1 in each channel; a flat channel becomes 0."""
    centred = patches - patches.mean(axis=-1, keepdims=True)
    norm = np.sqrt(np.einsum("ncp,ncp->nc", centred, centred))[..., None]
    return np.asarray(centred / np.maximum(norm, _SMALL * patches.shape[-1] + 1.0), dtype=np.float32)


def scores(patches: Floats, faces: Faces, rows: NDArray[np.intp]) -> Floats:
    """Correlation −1…1 of whole `patches` (N, 3, P) with face rows, float32 (N, len(rows))."""
    unit = normalised(patches).reshape(len(patches), -1)
    chosen = faces.unit[rows].reshape(len(rows), -1)
    return np.asarray(unit @ chosen.T / 3, dtype=np.float32)


def masked_scores(patches: Floats, masks: Floats, faces: Faces, rows: NDArray[np.intp]) -> Floats:
    """The same over visible pixels only: `masks` float32 (N, P) is 1 where the card can be seen, 0 elsewhere."""
    count = np.maximum(masks.sum(axis=1, keepdims=True), 1.0)
    total = np.zeros((len(patches), len(rows)), dtype=np.float32)
    for channel in range(3):
        face = faces.pixels[rows, channel] / 255.0
        x = patches[:, channel] / 255.0 * masks
        sum_x, sum_xx = x.sum(axis=1, keepdims=True), np.einsum("np,np->n", x, x)[:, None]
        sum_f, sum_ff = masks @ face.T, masks @ (face * face).T
        cov = x @ face.T - sum_x * sum_f / count
        var = np.maximum(sum_xx - sum_x**2 / count, 0) * np.maximum(sum_ff - sum_f**2 / count, 0)
        total += cov / (np.sqrt(var) + _SMALL * count + 4e-3)
    return np.asarray(total / 3, dtype=np.float32)
