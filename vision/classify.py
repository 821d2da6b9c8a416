"""Names card patches by correlation with the deck's pictures, blind to light, colour cast and what a mask hides."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.deck import Deck

# Each BGR channel is brought to zero mean and unit spread, then mixed into lightness, red-green and yellow-blue. The
# first step takes out any lamp; the weights were the best of fifteen on composites of ten decks under tinted light.
_MIX: Final = np.array([[1 / 3, 1 / 3, 1 / 3], [0, -1, 1], [-1, 0.5, 0.5]], np.float32)
_WEIGHTS: Final = np.array([0.5, 0.25, 0.25], np.float32)
_GRAM: Final = np.asarray(_MIX.T @ (_WEIGHTS[:, None] * _MIX), np.float32)
_FLOOR: Final = 0.02  # spread (of 1) below which a channel counts as plain: noise must not be blown up
_BLUR: Final = 0.03  # of the patch's width: forgives about as much misplacement
_NO_RIVAL: Final = -1.0


@dataclass(frozen=True, slots=True)
class Match:
    """What a patch shows. `card` is None for the back; `half_turn` is True where the patch stands on its head.

    `score` is the correlation (−1 to 1), `margin` its lead over the best card of another month or rank; `confidence`
    is the probability (0–1) that month and rank are right. `alternatives` are the best cards of other classes with
    their scores, best first; chaff of one month are one class, so the exact chaff is only the likeliest.
    """

    card: Card | None
    half_turn: bool
    confidence: float
    score: float
    margin: float
    alternatives: tuple[tuple[Card | None, float], ...] = ()


class Matcher:
    """A deck prepared for matching: `labels` are the columns of `scores`, a card each and None for the deck's back.

    `size_px` is width and height of the patches compared; `insets` are the shares of the card's width and height cut
    off on each side of the pictures, for decks whose border is printed or cut differently and for loose corners.
    """

    def __init__(
        self,
        deck: Deck,
        cards: Sequence[Card] | None = None,
        size_px: tuple[int, int] = (33, 54),
        insets: Sequence[float] = (0.0, 0.05),
    ) -> None:
        chosen = tuple(DECK if cards is None else cards)
        pictures = [deck.faces[card] for card in chosen]
        self.labels: tuple[Card | None, ...] = chosen
        if deck.back is not None:
            self.labels, pictures = (*chosen, None), [*pictures, deck.back]
        self.size_px = size_px
        self.classes: tuple[str, ...] = tuple("back" if card is None else card.face for card in self.labels)
        views = np.stack([_cropped(picture, inset, size_px) for inset in insets for picture in pictures])
        both = np.concatenate([views, views[:, ::-1, ::-1]])
        planes = _planes(both, size_px, None)
        planes -= planes.mean(axis=2, keepdims=True)
        self._shape = (2, len(insets), len(pictures))
        self._planes = np.ascontiguousarray(planes.transpose(1, 2, 0))  # (3, pixels, columns)
        pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        self._moments = np.concatenate([*self._planes, *(self._planes[i] * self._planes[j] for i, j in pairs)], axis=1)
        spread = np.sqrt(np.square(planes).mean(axis=2) + _FLOOR**2)  # (columns, 3)
        even = planes / spread[..., None]
        self._whole = np.concatenate(list(even.transpose(1, 2, 0) / _norms(even, spread, planes.shape[2])), axis=0)

    def scores(self, patches: NDArray[Any], masks: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
        """Correlation (−1 to 1) of N upright or half-turned patches with every label, shape (N, 2, C).

        `patches` uint8 or float32 0–255 (N, H, W, 3) BGR, rectified to the card's edge, any size; `masks` (N, H, W) is
        True where the card is visible. Index 1 of the second axis reads the patch turned by half a turn. A patch of
        which nothing is visible, or that is plain, scores about 0.
        """
        if len(patches) == 0:
            return np.zeros((0, 2, len(self.labels)), np.float32)
        seen = None if masks is None else _masks(masks, self.size_px)
        planes = _planes(patches, self.size_px, seen)
        out = self._of_whole(planes) if seen is None else self._of_seen(planes, seen.reshape(len(seen), -1))
        best = out.reshape(len(planes), *self._shape).max(axis=2)
        return np.asarray(np.clip(best, -1, 1), np.float32)

    def best(self, patches: NDArray[Any], masks: NDArray[np.bool_] | None = None) -> tuple[Match, ...]:
        """What each of the N patches shows, as `scores` sees it alone: the rules of the table are not asked."""
        shares = np.ones(len(patches)) if masks is None else masks.reshape(len(masks), -1).mean(axis=1)
        scores = self.scores(patches, masks)
        return tuple(self.decide(s, float(share)) for s, share in zip(scores, shares, strict=True))

    def decide(self, scores: NDArray[np.float32], visible: float = 1.0) -> Match:
        """The reading of one patch from its `scores` (2, C); `visible` is the share of the card that was compared."""
        upright = scores.max(axis=0)
        order = np.argsort(-upright, kind="stable")
        ranked: dict[str, int] = {}
        for column in order:
            ranked.setdefault(self.classes[column], int(column))
        first, *rest = ranked.values()
        score = float(upright[first])
        margin = score - (float(upright[rest[0]]) if rest else _NO_RIVAL)
        return Match(
            card=self.labels[first],
            half_turn=bool(scores[1, first] > scores[0, first]),
            confidence=confidence(score, margin, visible),
            score=score,
            margin=margin,
            alternatives=tuple((self.labels[c], float(upright[c])) for c in rest[:4]),
        )

    def _of_whole(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        mixed, norms = _mixed(planes, np.float32(planes.shape[2]))
        return np.asarray((mixed.reshape(len(planes), -1) @ self._whole) / norms[:, None], np.float32)

    def _of_seen(self, planes: NDArray[np.float32], seen: NDArray[np.float32]) -> NDArray[np.float32]:
        count = np.maximum(seen.sum(axis=1), 1e-6)
        mixed, norms = _mixed(planes, count, seen)
        columns = self._planes.shape[2]
        sums = ((seen @ self._moments) / count[:, None]).reshape(len(planes), 9, columns)
        mean, second = sums[:, :3], sums[:, 3:]
        spread = np.sqrt(np.maximum(second[:, :3] - mean**2, 0) + _FLOOR**2)
        energy = np.zeros((len(planes), columns), np.float32)
        for k, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
            both = _GRAM[i, j] * (1 if i == j else 2)
            energy += both * (second[:, k] - mean[:, i] * mean[:, j]) / (spread[:, i] * spread[:, j])
        energy = np.maximum(energy, 0) + _plainness(spread, axis=1)
        top = np.sum([(mixed[:, j] @ self._planes[j]) / spread[:, j] for j in range(3)], axis=0)
        return np.asarray(top / (norms[:, None] * np.sqrt(energy * count[:, None])), np.float32)


def confidence(score: float, margin: float, visible: float = 1.0) -> float:
    """Probability (0–1) that a reading names the right month and rank, from its correlation and its lead.

    Fitted on composites of ten decks, read with their own and with other printings' pictures.
    """
    z = -4.1 + 6.0 * score + 23.0 * min(margin, 0.3) + 0.7 * (visible - 1.0)
    return float(1 / (1 + np.exp(-z)))


def _mixed(
    planes: NDArray[np.float32], count: NDArray[np.float32] | np.float32, seen: NDArray[np.float32] | None = None
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Patches (N, 3, P) freed of light and mixed with the channel weights, and the norm of each, shape (N,)."""
    weight = np.ones((1, 1, 1), np.float32) if seen is None else seen[:, None, :]
    divisor = np.reshape(count, (-1, 1, 1))
    centred = (planes - (planes * weight).sum(axis=2, keepdims=True) / divisor) * np.sqrt(weight)
    spread = np.sqrt(np.square(centred).sum(axis=2, keepdims=True) / divisor + _FLOOR**2)
    even = centred / spread
    norms = _norms(even, spread[..., 0], np.reshape(count, -1))
    return np.asarray(np.einsum("ij,njp->nip", _GRAM, even * np.sqrt(weight)), np.float32), norms


def _norms(
    even: NDArray[np.float32], spread: NDArray[np.float32], count: NDArray[np.float32] | int
) -> NDArray[np.float32]:
    """Length (N,) of evened planes (N, 3, P); that of a plain area is not small, so that noise does not correlate."""
    cross = even @ even.transpose(0, 2, 1)
    energy = np.maximum((cross * _GRAM).sum(axis=(1, 2)), 0)
    return np.asarray(np.sqrt(energy + _plainness(spread, axis=1) * count), np.float32)


def _plainness(spread: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    """What the floor of the spread takes from a mean square of a plain area, as mixed: about 0 to a half."""
    return np.asarray(_WEIGHTS[0] * np.mean(_FLOOR**2 / np.square(spread), axis=axis), np.float32)


def _cropped(picture: NDArray[np.uint8], inset: float, size_px: tuple[int, int]) -> NDArray[np.uint8]:
    height, width = picture.shape[:2]
    dy, dx = round(height * inset), round(width * inset)
    return np.asarray(_resized(picture[dy : height - dy, dx : width - dx], size_px), np.uint8)


def _resized(image: NDArray[Any], size_px: tuple[int, int]) -> NDArray[Any]:
    if (image.shape[1], image.shape[0]) == size_px:
        return image
    shrinks = image.shape[0] >= size_px[1]
    return np.asarray(cv2.resize(image, size_px, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR))


def _masks(masks: NDArray[np.bool_], size_px: tuple[int, int]) -> NDArray[np.float32]:
    """Masks as shares 0–1, float32 (N, h, w) at the size compared."""
    return np.stack([np.asarray(_resized(mask.astype(np.float32), size_px), np.float32) for mask in masks])


def _planes(patches: NDArray[Any], size_px: tuple[int, int], seen: NDArray[np.float32] | None) -> NDArray[np.float32]:
    """Blurred colour planes of patches, float32 (N, 3, pixels), 0–1; with `seen` the hidden part does not bleed in."""
    sigma = _BLUR * size_px[0]
    out = np.empty((len(patches), size_px[1], size_px[0], 3), np.float32)
    for i, patch in enumerate(patches):
        small = np.asarray(_resized(patch, size_px), np.float32) / 255
        if seen is None:
            cv2.GaussianBlur(small, (0, 0), sigma, dst=out[i], borderType=cv2.BORDER_REFLECT)
            continue
        weight = cv2.GaussianBlur(seen[i], (0, 0), sigma, borderType=cv2.BORDER_REFLECT)
        cv2.GaussianBlur(small * seen[i][..., None], (0, 0), sigma, dst=out[i], borderType=cv2.BORDER_REFLECT)
        out[i] /= np.maximum(weight, 1e-3)[..., None]
    return np.ascontiguousarray(out.reshape(len(patches), -1, 3).transpose(0, 2, 1))
