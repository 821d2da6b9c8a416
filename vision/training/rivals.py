"""Other ways to name a card from one flat picture each, tried on the same crops as the embedding."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.prints import Image

_INSETS: Final = (-0.05, 0.0, 0.05, 0.1)
_TALL: Final = 312  # px to which crops and scans are enlarged before points are looked for
_RATIO: Final = 0.8  # Lowe's ratio of the nearest to the next descriptor
_NEAR_PX: Final = 6.0

Rival = Callable[[Image, NDArray[np.bool_] | None, Image], NDArray[np.float64]]
"""Scores (N, 48), higher is likelier, of crops (N, 104, 64, 3), masks (N, 104, 64) or None, and scans (48, H, W, 3)."""


def by_hash(crops: Image, masks: NDArray[np.bool_] | None, scans: Image) -> NDArray[np.float64]:
    """Bits that agree of 64-bit perceptual hashes (signs of low DCT terms), at the best of four insets, either way up.

    What a mask hides is set to the mean of the rest: a hash knows no mask.
    """
    known = np.stack([_hash(scan) for scan in scans])
    out = np.zeros((len(crops), len(scans)))
    for i, crop in enumerate(crops):
        image = crop if masks is None else _filled(crop, masks[i])
        for inset in _INSETS:
            view = _inset(image, inset)
            for turned in (view, view[::-1, ::-1]):
                out[i] = np.maximum(out[i], (known == _hash(np.ascontiguousarray(turned))).sum(axis=1))
    return out


def by_orb(crops: Image, masks: NDArray[np.bool_] | None, scans: Image) -> NDArray[np.float64]:
    """Inliers of a homography through matched ORB points."""
    return _by_points(cv2.ORB.create(400), cv2.NORM_HAMMING, crops, masks, scans)


def by_sift(crops: Image, masks: NDArray[np.bool_] | None, scans: Image) -> NDArray[np.float64]:
    """Inliers of a homography through matched SIFT points."""
    return _by_points(cv2.SIFT.create(300), cv2.NORM_L2, crops, masks, scans)


RIVALS: Final[Mapping[str, Rival]] = {"perceptual hash": by_hash, "ORB + RANSAC": by_orb, "SIFT + RANSAC": by_sift}


def _by_points(
    detector: Any, norm: int, crops: Image, masks: NDArray[np.bool_] | None, scans: Image
) -> NDArray[np.float64]:
    matcher = cv2.BFMatcher(norm)
    known = [detector.detectAndCompute(_tall(scan), None) for scan in scans]
    out = np.zeros((len(crops), len(scans)))
    for i, crop in enumerate(crops):
        image = _tall(crop)
        seen = None
        if masks is not None:
            shown = masks[i].astype(np.uint8) * 255
            seen = cv2.resize(shown, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_NEAREST)
        points, words = detector.detectAndCompute(image, seen)
        if words is None or len(points) < 4:
            continue
        for k, (others, others_words) in enumerate(known):
            if others_words is not None and len(others) >= 4:
                out[i, k] = _inliers(matcher, points, words, others, others_words)
    return out


def _inliers(matcher: Any, points: Any, words: Any, others: Any, others_words: Any) -> int:
    pairs = [pair for pair in matcher.knnMatch(words, others_words, k=2) if len(pair) == 2]
    good = [first for first, second in pairs if first.distance < _RATIO * second.distance]
    if len(good) < 4:
        return 0
    here = np.array([points[match.queryIdx].pt for match in good], np.float32)
    there = np.array([others[match.trainIdx].pt for match in good], np.float32)
    _, kept = cv2.findHomography(here, there, cv2.RANSAC, _NEAR_PX)
    return 0 if kept is None else int(kept.sum())


def _tall(image: Image) -> NDArray[np.uint8]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = _TALL / grey.shape[0]
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)


def _hash(image: Image) -> NDArray[np.bool_]:
    grey = cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (32, 32), interpolation=cv2.INTER_AREA)
    terms = cv2.dct(grey.astype(np.float32))[:8, :8].ravel()
    return np.asarray(terms > np.median(terms[1:]))


def _inset(image: Image, share: float) -> Image:
    height, width = image.shape[:2]
    dx, dy = round(abs(share) * width), round(abs(share) * height)
    if share < 0:
        return np.asarray(cv2.copyMakeBorder(image, dy, dy, dx, dx, cv2.BORDER_REPLICATE), np.uint8)
    return image[dy : height - dy, dx : width - dx] if dx else image


def _filled(crop: Image, mask: NDArray[np.bool_]) -> Image:
    if mask.all() or not mask.any():
        return crop
    return np.where(mask[..., None], crop, crop[mask].mean(axis=0)).astype(np.uint8)
