"""Where camera and projector point now, and how that changes when one of them, or the mat, was moved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners import camera_position
from calibration.homography import Homography
from calibration.profile import Profile
from calibration.projector_map import ProjectorMap, least_squares
from calibration.view import TableView

_THROW: Final = 1.4
"""Focal length of a usual projector, in widths of its picture: no plane tells it, and a small turn hardly needs it."""
_FREER: Final = 0.6
"""The whole map is taken where it leaves so much less than a mere turn."""

Places = Mapping[int, NDArray[np.float64]]
"""Corners of markers by number, each (4, 2)."""


@dataclass(frozen=True, slots=True, eq=False)
class Aim:
    """What the camera sees of the table and where light must be sent to fall; `light` is None without a projector."""

    view: TableView
    light: ProjectorMap | None

    @classmethod
    def of(cls, profile: Profile) -> Self:
        """As calibrated."""
        projector = profile.projector
        return cls(profile.view(), None if projector is None else projector.map)

    @property
    def flat_light(self) -> Homography | None:
        """The best homography from table mm to projector px; None without a projector."""
        return None if self.light is None else self.light.plain

    def seen_mm(self, corners_px: Places) -> dict[int, NDArray[np.float64]]:
        """Where on the table corners (distorted px) are seen, mm, each (4, 2), by number."""
        return {n: self.view.table_mm(quad) for n, quad in corners_px.items()}

    def seen_from(self, table_from_camera: Homography) -> "Aim":
        """The same light, looked at by a camera for which this map holds."""
        eye = self.view.camera_mm
        if eye is not None:
            eye = np.array(camera_position(table_from_camera, self.view.lens)[0])
        return replace(self, view=TableView(self.view.lens, table_from_camera, eye))

    def light_after(self, projector_from_projector: Homography) -> "Aim":
        """The same view, with each px of the light sent where this map says instead."""
        if self.light is None:
            return self
        move, light = projector_from_projector, self.light
        pinhole = None if light.pinhole is None else move @ light.pinhole
        return replace(self, light=ProjectorMap(move @ light.plain, pinhole, light.bend))


def followed(aim: Aim, places_mm: Places, corners_px: Places) -> Aim | None:
    """The aim with the view by which the printed markers, seen at `corners_px` (distorted), lie at `places_mm`.

    None where fewer than three of them are seen.
    """
    numbers = sorted(set(places_mm) & set(corners_px))
    if len(numbers) < 3:
        return None
    table = np.concatenate([places_mm[n] for n in numbers])
    camera = np.concatenate([aim.view.lens.undistort(corners_px[n]) for n in numbers])
    found = joined("camera", "table", table, camera)
    return None if found is None else aim.seen_from(found.inverse)


def moved_with_mat(before: Aim, after: Aim) -> Aim:
    """`after` with the light moved along: camera and projector are to each other as before, the mat lies elsewhere."""
    light = after.light
    if light is None:
        return after
    old_from_new = before.view.table_from_camera @ after.view.table_from_camera.inverse
    pinhole = None if light.pinhole is None else light.pinhole @ old_from_new
    return replace(after, light=ProjectorMap(light.plain @ old_from_new, pinhole, light.bend))


def relit(aim: Aim, places_mm: Places, corners_px: Places, size_px: tuple[int, int]) -> Aim | None:
    """The aim with the light put right: marks of light meant for `places_mm` are seen at `corners_px` (distorted).

    A projector that was knocked has turned, which two marks tell; where four say that this is not all, the whole map
    is taken from them. `size_px` is the projector's picture. None where fewer than two marks are seen.
    """
    numbers = sorted(set(places_mm) & set(corners_px))
    light = aim.light
    if len(numbers) < 2 or light is None:
        return None
    ideal = light.pinhole or light.plain
    wanted = ideal.map(np.concatenate([places_mm[n] for n in numbers]))
    have = ideal.map(np.concatenate([aim.view.table_mm(corners_px[n]) for n in numbers]))
    move = turned(have, wanted, size_px)
    if len(numbers) >= 4:
        free = joined("projector", "projector", have, wanted)
        if free is not None and _rms(free, have, wanted) < _FREER * _rms(move, have, wanted):
            move = free
    return aim.light_after(move)


def turned(old: NDArray[np.float64], new: NDArray[np.float64], size_px: tuple[int, int]) -> Homography:
    """The turn of a projector about its eye that takes px `old` (N, 2) to `new` best."""
    width, height = size_px
    pinhole = np.array([[_THROW * width, 0, (width - 1) / 2], [0, _THROW * width, (height - 1) / 2], [0, 0, 1]])
    back = np.linalg.inv(pinhole)

    def by(vector: NDArray[np.float64]) -> Homography:
        rotation = np.asarray(cv2.Rodrigues(vector)[0], dtype=np.float64)
        return Homography("projector", "projector", pinhole @ rotation @ back)

    return by(least_squares(lambda vector: np.asarray((by(vector).map(old) - new).ravel()), np.zeros(3)))


def _rms(found: Homography, old: NDArray[np.float64], new: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean((found.map(old) - new) ** 2)))


def joined(target: str, source: str, old: NDArray[np.float64], new: NDArray[np.float64]) -> Homography | None:
    """The homography that takes points `old` (N, 2) to `new` with least squares; None where there is none."""
    found = cv2.findHomography(old, new, 0)[0]
    matrix = np.asarray(found, dtype=np.float64)
    return None if found is None or matrix.shape != (3, 3) else Homography(target, source, matrix)


def own_shape(places_mm: Places, seen_mm: Places) -> dict[int, NDArray[np.float64]]:
    """The places as they really are to each other: as seen, but moved back as a whole to where they should be.

    Markers laid by hand lie a little askew, edges look softer than they are: that is no movement.
    """
    numbers = sorted(set(places_mm) & set(seen_mm))
    if len(numbers) < 3:
        return dict(places_mm)
    told = np.concatenate([places_mm[n] for n in numbers])
    found = joined("table", "table", told, np.concatenate([seen_mm[n] for n in numbers]))
    if found is None:
        return dict(places_mm)
    return dict(places_mm) | {n: found.inverse.map(seen_mm[n]) for n in numbers}


def middle_of(several: Sequence[Places]) -> dict[int, NDArray[np.float64]]:
    """The median of places, corner by corner, of the numbers that all of them have."""
    numbers = set.intersection(*(set(one) for one in several))
    return {n: np.asarray(np.median([one[n] for one in several], axis=0), dtype=np.float64) for n in sorted(numbers)}
