"""Reading projected boards: which camera px sees which corner in projector px, from a ladder of brightness."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import patterns
from calibration.patterns import BoardPlan, board_plan
from calibration.photographs import Photo, Photographs

_CLEAR: Final = 0.10  # of a square: where the four quadrants around a corner are sampled
_LEAST_CONTRAST: Final = 5.0
_SATURATED: Final = 250
_NEIGHBOURS: Final = 5
_REACH: Final = 2.0  # squares: as far from a marker that was read a corner is foreseen
_ENOUGH: Final = 0.8
"""Share of the markers after which no further board is searched for markers: that is slow."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Points of light seen: camera px (distorted) and projector px, both float64 (N, 2), with weights (N,).

    `levels` says which brightness gave how many corners, `wanted` how many there are in the projector's picture, and
    `by` what they were read from (`board` or `gray code`).
    """

    camera_px: NDArray[np.float64]
    projector_px: NDArray[np.float64]
    weight: NDArray[np.float64]
    levels: Mapping[int, int]
    wanted: int
    by: str = "board"


def read_boards(photos: Photographs, size_px: tuple[int, int]) -> Reading:
    """All corners that any of the boards shows well; empty where none is read."""
    plan = board_plan(size_px)
    markers: dict[int, list[NDArray[np.float64]]] = {}
    differences: dict[int, NDArray[np.float32]] = {}
    for level in sorted(patterns.LEVELS, key=lambda level: abs(level - 60)):
        name = patterns.board_name(level)
        if name not in photos.by_name:
            continue
        difference = photos.difference(name)
        first = patterns.first_number(name)
        differences[level] = difference
        if len(markers) > _ENOUGH * plan.markers:
            continue
        for number, quads in patterns.token_markers(patterns.readable(difference)).items():
            if first <= number < first + plan.markers and len(quads) == 1:
                markers.setdefault(number - first, []).append(quads[0])
    rough = _rough_corners(plan, {index: np.median(quads, axis=0) for index, quads in markers.items()})
    sums = dict.fromkeys(rough, 0.0)
    places = {corner: np.zeros(2) for corner in rough}
    levels = {}
    for level, difference in differences.items():
        found = _refined(difference, photos.by_name[patterns.board_name(level)], plan, rough)
        levels[level] = len(found)
        for corner, (px, weight) in found.items():
            places[corner] += weight * px
            sums[corner] += weight
    good = [corner for corner, total in sums.items() if total > 0]
    corners = plan.corners_px()
    if not good:
        return Reading(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0), levels, len(corners))
    strength = np.array([sums[corner] for corner in good], dtype=np.float64)
    camera = np.array([places[corner] / sums[corner] for corner in good], dtype=np.float64)
    return Reading(camera, corners[good], strength / float(np.median(strength)), levels, len(corners))


@dataclass(frozen=True, slots=True, eq=False)
class _Rough:
    """A corner foreseen from the markers beside it: camera px, and camera px for one projector px, shape (2, 2)."""

    px: NDArray[np.float64]
    jacobian: NDArray[np.float64]


def _rough_corners(plan: BoardPlan, quads: Mapping[int, NDArray[np.float64]]) -> dict[int, _Rough]:
    """Corners next to markers that were read; two markers that foresee one differently by much void it."""
    corners, places = plan.corners_px(), plan.marker_corners_px()
    foreseen: dict[int, list[tuple[NDArray[np.float64], NDArray[np.float64]]]] = {}
    for index, quad in quads.items():
        matrix = np.array(cv2.getPerspectiveTransform(places[index].astype(np.float32), quad.astype(np.float32)), float)
        centre = places[index].mean(axis=0)
        near = np.flatnonzero(np.abs(corners - centre).max(axis=1) < 0.6 * plan.square_px)
        for corner in near.tolist():
            foreseen.setdefault(corner, []).append(_foreseen(corners[corner], matrix))
    rough = {}
    for corner, several in foreseen.items():
        places_px = np.array([px for px, _ in several])
        if np.ptp(places_px, axis=0).max() < 8:
            rough[corner] = _Rough(places_px.mean(axis=0), np.mean([j for _, j in several], axis=0))
    numbers = sorted(quads)
    centres = places[numbers].mean(axis=1) if numbers else np.zeros((0, 2))
    for corner in range(len(corners)) if len(numbers) >= _NEIGHBOURS else ():
        away = np.linalg.norm(centres - corners[corner], axis=1)
        near = np.argsort(away)[:_NEIGHBOURS]
        if corner in rough or away[near[0]] > _REACH * plan.square_px:
            continue
        source = np.concatenate([places[numbers[i]] for i in near])
        target = np.concatenate([quads[numbers[i]] for i in near])
        local = np.array(cv2.findHomography(source, target, 0)[0], float)
        if local.shape == (3, 3):
            rough[corner] = _Rough(*_foreseen(corners[corner], local))
    return rough


def _foreseen(
    corner: NDArray[np.float64], matrix: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Camera px of a corner by a local homography, and camera px for one projector px there, shape (2, 2)."""
    steps = corner + np.array([[0, 0], [4, 0], [0, 4], [-4, 0], [0, -4]])
    moved = np.asarray(cv2.perspectiveTransform(steps[None].astype(np.float64), matrix)[0], dtype=np.float64)
    return moved[0], np.stack([moved[1] - moved[3], moved[2] - moved[4]], axis=1) / 8


def _refined(
    difference: NDArray[np.float32], photo: Photo, plan: BoardPlan, rough: Mapping[int, _Rough]
) -> dict[int, tuple[NDArray[np.float64], float]]:
    """Corners of one board with their weight: the square of their contrast, little where the camera saturates."""
    height, width = difference.shape
    found: dict[int, tuple[NDArray[np.float64], float]] = {}
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-3)
    turns = np.array([[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
    for corner, guess in rough.items():
        scale = float(np.sqrt(abs(np.linalg.det(guess.jacobian))))
        window = int(np.clip(0.13 * plan.square_px * scale, 2, 8))
        x, y = guess.px
        if not (window + 3 < x < width - window - 4 and window + 3 < y < height - window - 4):
            continue
        left, top = int(x) - 24, int(y) - 24
        left, top = max(0, left), max(0, top)
        part = difference[top : top + 50, left : left + 50]
        start = np.array([[[x - left, y - top]]], dtype=np.float32)
        px = cv2.cornerSubPix(np.ascontiguousarray(part), start, (window, window), (-1, -1), criteria)[0, 0]
        at = np.asarray(px, dtype=np.float64) + np.array([left, top])
        if np.abs(at - guess.px).max() > 2.5 + 0.05 * plan.square_px * scale:
            continue
        around = at + (turns[4:] * (_CLEAR * plan.square_px)) @ guess.jacobian.T
        values = _sample(difference, around)
        if values is None:
            continue
        pairs = values[[0, 2]].mean(), values[[1, 3]].mean()
        contrast = abs(pairs[0] - pairs[1])
        spread = max(abs(values[0] - values[2]), abs(values[1] - values[3]))
        if contrast < _LEAST_CONTRAST or spread > 0.6 * contrast:
            continue
        peak = _sample(photo.peak, around)
        full = peak is not None and peak.max() >= _SATURATED
        found[corner] = (at, float(contrast) ** 2 * (0.02 if full else 1.0))
    return found


def _sample(image: NDArray[np.float32] | NDArray[np.uint8], points: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Values around points, mean of 3 × 3, shape (N,); None where one lies outside."""
    height, width = image.shape[:2]
    at = np.round(points).astype(int)
    if (at < 1).any() or (at[:, 0] > width - 2).any() or (at[:, 1] > height - 2).any():
        return None
    return np.array([image[y - 1 : y + 2, x - 1 : x + 2].mean() for x, y in at.tolist()], dtype=np.float64)
