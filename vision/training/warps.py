"""Cards laid into a picture and cut out of it again."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.embedding import CROP_PX
from vision.training.prints import Image


def lay(canvas: NDArray[np.float32], face: Image, quad: NDArray[np.float32]) -> None:
    """Draws `face` into `canvas` with its corners at `quad` (4, 2) px, its edge smooth."""
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, [canvas.shape[1], canvas.shape[0]])
    if np.any(high <= low):
        return
    part = canvas[low[1] : high[1], low[0] : high[0]]
    local = (quad - low).astype(np.float32)
    tall = float(np.linalg.norm(quad[3] - quad[0]))
    small = face
    if small.shape[0] > 2.2 * tall:
        small = np.asarray(cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    fh, fw = small.shape[:2]
    square = np.array([[0, 0], [fw, 0], [fw, fh], [0, fh]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(square, local)
    size = (part.shape[1], part.shape[0])
    shown = cv2.warpPerspective(small, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(local * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    weight = (mask.astype(np.float32) * np.float32(1 / 255))[..., None]
    part += weight * (shown - part)


def cut(image: Image, quad: NDArray[np.float32]) -> Image:
    """The crop at `quad`, uint8 (104, 64, 3); shrunk without aliasing."""
    width, height = CROP_PX
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    tall = max(float(np.linalg.norm(quad[3] - quad[0])), 1.0)
    source = image
    if tall > 1.25 * height:
        source = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.45 * tall / height), np.uint8)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), square)
    return np.asarray(cv2.warpPerspective(source, warp, CROP_PX, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def cut_mask(hidden: NDArray[np.uint8], quad: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where the card at `quad` is visible, bool (104, 64)."""
    if not hidden.any():
        return np.ones((CROP_PX[1], CROP_PX[0]), np.bool_)
    width, height = CROP_PX
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), square)
    return np.asarray(cv2.warpPerspective(hidden, warp, CROP_PX, flags=cv2.INTER_NEAREST) == 0)


def cut_loosely(face: Image, rng: np.random.Generator, spread: float) -> Image:
    """A flat picture cut by hand: its corners off by `spread` (a share of its height)."""
    height, width = face.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    small = np.asarray(cv2.GaussianBlur(face, (0, 0), 0.7), np.uint8)
    return cut(small, (corners + rng.normal(0, spread * height, (4, 2))).astype(np.float32))
