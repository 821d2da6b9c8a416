"""Finds cards that lie partly under others: points of the picture vote for the pose of the card they belong to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.deck import Deck

_FACE_PX: Final = (132, 216)  # the size at which the deck's pictures give their points
_FACE_POINTS: Final = 220
_PICTURE_POINTS: Final = 5000
_NEIGHBOURS: Final = 4
_LEAST_LIKENESS: Final = 0.80  # cosine of two root-SIFT descriptors
_LEAST_VOTES: Final = 4
_MOST_VOTES: Final = 300
_CHUNK: Final = 1000


@dataclass(frozen=True, slots=True, eq=False)
class PointIndex:
    """The points of all faces: where (px of a 132×216 picture), how large, which way, what they look like, whose."""

    points: NDArray[np.float32]  # (K, 4): x, y, size, angle in degrees
    looks: NDArray[np.float32]  # (K, 128)
    owners: NDArray[np.int32]  # (K,) index into DECK

    @classmethod
    def of(cls, deck: Deck) -> "PointIndex":
        """The points of every face of `deck`."""
        parts = [_described(_face_grey(deck.faces[card]), _FACE_POINTS) for card in DECK]
        owners = np.concatenate([np.full(len(points), i, np.int32) for i, (points, _) in enumerate(parts)])
        return cls(np.concatenate([p for p, _ in parts]), np.concatenate([d for _, d in parts]), owners)


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """A card that points agree on: corners (4, 2) px from its own top-left, and where on the face (V, 2), 0–1."""

    card: Card
    quad: NDArray[np.float32]
    votes: int
    places: NDArray[np.float32]


def find_poses(
    grey: NDArray[np.uint8], index: PointIndex, height_px: float | None = None, per_card: int = 2
) -> tuple[Pose, ...]:
    """Cards that at least four points of the picture agree on, most votes first (after Lowe 2004, section 7).

    `grey` uint8 (H, W); `height_px` is about how high cards are in it, where that is known: other sizes are left out.
    """
    points, looks = _described(grey, _PICTURE_POINTS)
    if len(points) == 0 or len(index.points) == 0:
        return ()
    here, there = _pairs(looks, index)
    seen, face = points[here], index.points[there]
    scale = seen[:, 2] / face[:, 2]
    turn = np.deg2rad(seen[:, 3] - face[:, 3])
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    middle = (np.asarray(_FACE_PX, np.float32) - 1) / 2
    dx, dy = middle[0] - face[:, 0], middle[1] - face[:, 1]
    votes = np.stack([seen[:, 0] + cos * dx - sin * dy, seen[:, 1] + sin * dx + cos * dy, np.log2(scale), turn], axis=1)
    plausible = np.ones(len(votes), bool)
    if height_px is not None:
        plausible = np.abs(votes[:, 2] - np.log2(height_px / _FACE_PX[1])) < 0.7
    poses: list[Pose] = []
    for i, card in enumerate(DECK):
        own = np.flatnonzero(plausible & (index.owners[there] == i))
        for _ in range(per_card):
            if len(own) < _LEAST_VOTES:
                break
            own = own[:_MOST_VOTES]
            group = _densest(votes[own])
            pose = _pose(card, seen[own[group], :2], face[own[group], :2])
            own = own[~group]
            if pose is not None:
                poses.append(pose)
    return tuple(sorted(poses, key=lambda pose: -pose.votes))


def best_of(poses: tuple[Pose, ...]) -> Mapping[Card, Pose]:
    """The pose with most votes of each card."""
    best: dict[Card, Pose] = {}
    for pose in poses:
        best.setdefault(pose.card, pose)
    return best


def _face_grey(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    shrinks = picture.shape[0] >= _FACE_PX[1]
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(
        cv2.resize(grey, _FACE_PX, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC), np.uint8
    )


def _described(grey: NDArray[np.uint8], limit: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Points (K, 4) of a grey picture and their root-SIFT descriptors (K, 128) of unit length."""
    keypoints, looks = cv2.SIFT.create(limit, contrastThreshold=0.03).detectAndCompute(grey, None)
    if not keypoints:
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32)
    points = np.array([(*k.pt, k.size, k.angle) for k in keypoints], np.float32)
    rooted = np.sqrt(looks / np.maximum(looks.sum(axis=1, keepdims=True), 1e-6))
    return points, np.asarray(rooted, np.float32)


def _pairs(looks: NDArray[np.float32], index: PointIndex) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices of picture points and of the face points that look like them, a few for each, likest first."""
    here, there, how = [], [], []
    for start in range(0, len(looks), _CHUNK):
        likeness = looks[start : start + _CHUNK] @ index.looks.T
        rows, columns = np.nonzero(likeness > _LEAST_LIKENESS)
        order = np.lexsort((-likeness[rows, columns], rows))
        rows, columns = rows[order], columns[order]
        place = np.arange(len(rows)) - np.searchsorted(rows, rows)
        here.append(rows[place < _NEIGHBOURS] + start)
        there.append(columns[place < _NEIGHBOURS])
        how.append(likeness[rows, columns][place < _NEIGHBOURS])
    order = np.argsort(-np.concatenate(how), kind="stable")
    return np.concatenate(here)[order], np.concatenate(there)[order]


def _densest(votes: NDArray[np.float32]) -> NDArray[np.bool_]:
    """The largest group of `votes` (V, 4: x, y, log2 scale, turn) that agree with one of them."""
    size = _FACE_PX[1] * 2.0 ** votes[:, 2]
    gap = np.hypot(votes[:, None, 0] - votes[None, :, 0], votes[:, None, 1] - votes[None, :, 1]) / size[:, None]
    turn = np.abs((votes[:, None, 3] - votes[None, :, 3] + np.pi) % (2 * np.pi) - np.pi)
    agrees = (gap < 0.18) & (np.abs(votes[:, None, 2] - votes[None, :, 2]) < 0.5) & (turn < 0.4)
    return np.asarray(agrees[int(agrees.sum(axis=1).argmax())])


def _pose(card: Card, seen: NDArray[np.float32], face: NDArray[np.float32]) -> Pose | None:
    """The pose of a group of pairs, if a similarity fits four or more of them at different places of the face."""
    if len(seen) < _LEAST_VOTES:
        return None
    size = float(np.linalg.norm(np.ptp(seen, axis=0)))
    fit, inliers = cv2.estimateAffinePartial2D(
        face, seen, method=cv2.RANSAC, ransacReprojThreshold=max(3.0, 0.04 * size), maxIters=200
    )
    if np.size(fit) != 6:  # no fit: None, which the stubs do not know
        return None
    good = inliers.reshape(-1) > 0
    places = np.unique(np.round(face[good] / 4), axis=0)
    if len(places) < _LEAST_VOTES:
        return None
    fit = _affine_if_well_spread(fit, face[good], seen[good])
    width, height = _FACE_PX
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    quad = corners @ fit[:, :2].T.astype(np.float32) + fit[:, 2].astype(np.float32)
    shares = np.asarray((face[good] + 0.5) / np.asarray(_FACE_PX, np.float32), np.float32)
    return Pose(card, np.asarray(quad, np.float32), len(places), shares)


def _affine_if_well_spread(fit: NDArray[Any], face: NDArray[np.float32], seen: NDArray[np.float32]) -> NDArray[Any]:
    """An affine fit in place of the similarity where many points spread over the face, for slanted cards."""
    if len(face) < 12 or (np.ptp(face, axis=0) < 0.45 * np.asarray(_FACE_PX)).any():
        return fit
    affine, _ = cv2.estimateAffine2D(face, seen, method=cv2.RANSAC, ransacReprojThreshold=3.0)
    return affine if np.size(affine) == 6 else fit
