"""Lays a deck's picture exactly over what a photograph shows and says how far the two agree in detail."""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import area

PATCH_PX: Final = (66, 108)
"""Width and height of the patches in which pictures are aligned and compared in detail."""

_SQUARE: Final = np.array([[0, 0], [66, 0], [66, 108], [0, 108]], np.float32) - 0.5
_STEPS: Final = (3, 25, 1e-3)  # iterations or gain of the correlation at which alignment ends
_WINDOW_PX: Final = 5.0  # spread of the window in which details are compared
_NOISE: Final = 8.0  # grey levels of an evened patch below which nothing is a detail


@dataclass(frozen=True, slots=True, eq=False)
class Pyramid:
    """A picture at halving sizes, so that patches of any size are cut without aliasing."""

    colour: tuple[NDArray[np.uint8], ...]
    grey: tuple[NDArray[np.uint8], ...]

    @classmethod
    def of(cls, image: NDArray[np.uint8]) -> "Pyramid":
        """The levels of `image`, uint8 (H, W, 3) BGR, down to about 100 px."""
        levels = [image]
        while min(levels[-1].shape[:2]) > 100:
            levels.append(np.asarray(cv2.pyrDown(levels[-1]), np.uint8))
        greys = [np.asarray(cv2.cvtColor(level, cv2.COLOR_BGR2GRAY), np.uint8) for level in levels]
        return cls(tuple(levels), tuple(greys))

    def patch(self, quad: NDArray[np.float32], size_px: tuple[int, int] = PATCH_PX) -> NDArray[np.uint8]:
        """The card at `quad` (4, 2) px, clockwise from its top-left, upright, uint8 BGR of that width and height."""
        return _cut(self.colour, quad, size_px)

    def grey_patch(self, quad: NDArray[np.float32]) -> NDArray[np.float32]:
        """The same in grey, float32 (108, 66)."""
        return _cut(self.grey, quad, PATCH_PX).astype(np.float32)


def grey_face(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A deck's picture as `align` and `agreement` compare it: grey, slightly blurred, uint8 (108, 66)."""
    grey = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), PATCH_PX, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.uint8)


def grown(quad: NDArray[np.float32], share: float) -> NDArray[np.float32]:
    """`quad` (4, 2) grown about its middle by `share` of its size (negative shrinks)."""
    middle = quad.mean(axis=0)
    return np.asarray((quad - middle) * (1 + share) + middle, np.float32)


def align(
    pyramid: Pyramid,
    quad: NDArray[np.float32],
    face: NDArray[np.uint8],
    mask: NDArray[np.uint8] | None = None,
    motion: int = cv2.MOTION_HOMOGRAPHY,
) -> NDArray[np.float32]:
    """The quad (4, 2) px near `quad` at which the picture correlates best with `face` (ECC, Evangelidis 2008).

    `mask` uint8 (108, 66) limits the comparison to what of the face is visible. Gives `quad` back where nothing better
    is found or the best is no card any more.
    """
    level = _level(quad, len(pyramid.grey), PATCH_PX)
    local = _to_level(quad, level)
    low = np.maximum(np.floor(local.min(axis=0) - 24), 0).astype(int)
    high = np.ceil(local.max(axis=0) + 24).astype(int)
    grey = pyramid.grey[level][low[1] : high[1], low[0] : high[0]]
    if min(grey.shape) < 8:
        return quad
    moved = local - low.astype(np.float32)
    if motion == cv2.MOTION_AFFINE:
        start = cv2.getAffineTransform(_SQUARE[:3], moved[:3].astype(np.float32)).astype(np.float32)
    else:
        start = cv2.getPerspectiveTransform(_SQUARE, moved.astype(np.float32)).astype(np.float32)
    try:
        if mask is None:
            _, warp = cv2.findTransformECC(face, grey, start, motion, _STEPS)
        else:
            _, warp = cv2.findTransformECCWithMask(face, grey, mask, _all(grey), start, motion, _STEPS)
    except cv2.error:  # does not converge: the two have nothing in common
        return quad
    full = np.vstack([warp, [0, 0, 1]]) if motion == cv2.MOTION_AFFINE else np.asarray(warp)
    corners = cv2.perspectiveTransform(_SQUARE[None], full.astype(np.float32))[0] + low
    found = np.asarray((corners + 0.5) * 2**level - 0.5, np.float32)
    grew = float(area(found)) / max(float(area(quad)), 1.0)
    kept = np.all(np.isfinite(found)) and 0.5 < grew < 2.0 and cv2.isContourConvex(found)
    return found if kept else quad


def agreement(patch: NDArray[np.float32], face: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Local correlation (−1 to 1) of an aligned grey patch (108, 66) with the face and its weight, (2, 108, 66).

    The weight is how much there is to see in either: plain areas agree with anything and count little.
    """
    a = _evened(patch)
    b = _evened(face.astype(np.float32))
    mean_a, mean_b = _window(a), _window(b)
    spread_a = np.maximum(_window(a * a) - mean_a**2, 0)
    spread_b = np.maximum(_window(b * b) - mean_b**2, 0)
    both = _window(a * b) - mean_a * mean_b
    local = both / np.sqrt((spread_a + _NOISE**2) * (spread_b + _NOISE**2))
    return np.stack([local, np.sqrt(np.maximum(spread_a, spread_b))])


def detail(patch: NDArray[np.float32], face: NDArray[np.uint8]) -> float:
    """How far the details of an aligned patch are those of the face: 0.6 to 0.9 for a card, under 0.5 for others."""
    local, weight = agreement(patch, face)
    return float((local * weight).sum() / max(float(weight.sum()), 1e-6))


def edge_share(patch: NDArray[np.uint8]) -> float:
    """Share (0–1) of a card's outline where the picture changes across it.

    `patch` uint8 (108, 66, 3) BGR is cut at the card `grown` by a sixth, so that its outline lies inside.
    """
    smooth = cv2.GaussianBlur(patch, (0, 0), 1.0).astype(np.float32)
    spots = np.linspace(0.15, 0.85, 15)
    height, width = patch.shape[:2]
    inset = 1 / 14
    changes = []
    for rows, columns in (((1, 1), (spots, spots)), ((spots, spots), (1, 1))):
        for far in (False, True):
            strips = []
            for shift in np.linspace(-0.06, 0.06, 7):
                at = inset + shift if not far else 1 - inset - shift
                y = (rows[0] * at if columns[0] is spots else inset + rows[0] * (1 - 2 * inset)) * (height - 1)
                x = (columns[0] * at if rows[0] is spots else inset + columns[0] * (1 - 2 * inset)) * (width - 1)
                ys, xs = np.broadcast_arrays(np.rint(y).astype(int), np.rint(x).astype(int))
                strips.append(smooth[ys, xs])
            steps = np.abs(np.diff(np.stack(strips), axis=0)).max(axis=2)
            changes.append(steps.max(axis=0))
    return float((np.concatenate(changes) > 8).mean())


def _all(grey: NDArray[Any]) -> NDArray[np.uint8]:
    return np.full(grey.shape[:2], 255, np.uint8)


def _to_level(quad: NDArray[np.float32], level: int) -> NDArray[np.float32]:
    return np.asarray((quad + 0.5) / 2**level - 0.5, np.float32)


def _level(quad: NDArray[np.float32], count: int, size_px: tuple[int, int]) -> int:
    """The index of the smallest of `count` levels in which the card at `quad` is still as high as the patch."""
    height = max(float(np.linalg.norm(quad[0] - quad[3])), float(np.linalg.norm(quad[1] - quad[2])))
    return int(np.clip(np.floor(np.log2(max(height / size_px[1], 1))), 0, count - 1))


def _cut(
    levels: tuple[NDArray[np.uint8], ...], quad: NDArray[np.float32], size_px: tuple[int, int]
) -> NDArray[np.uint8]:
    level = _level(quad, len(levels), size_px)
    square = (_SQUARE + 0.5) * np.array([size_px[0] / PATCH_PX[0], size_px[1] / PATCH_PX[1]], np.float32) - 0.5
    patch_from_level = cv2.getPerspectiveTransform(_to_level(quad, level), square.astype(np.float32))
    patch = cv2.warpPerspective(levels[level], patch_from_level, size_px, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


def _evened(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(grey * (50 / (float(grey.std()) + 5)), np.float32)


def _window(plane: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(plane, (0, 0), _WINDOW_PX), np.float32)
