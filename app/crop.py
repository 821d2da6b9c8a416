"""The part of the camera's picture that is kept: the mat and what lies on it, not the room around (privacy, size)."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.homography import Homography
from calibration.lens import Lens
from calibration.profile import Profile
from vision.values import Frame

MARGIN_MM: Final = 25.0
"""How far around the mat the picture is kept, so that a card over the edge and a coming hand are still seen."""
_ALIGNED_PX: Final = 16  # a JPEG block: a crop on its grid keeps the colours where they were


@dataclass(frozen=True, slots=True)
class Crop:
    """A rectangle of a picture: `x, y` are the column and row of its top-left pixel."""

    x: int
    y: int
    width: int
    height: int

    def of(self, frame: Frame) -> Frame:
        """The frame with only this part of its image, contiguous."""
        return replace(frame, image=self.image(frame.image))

    def image(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """This part of `image`, contiguous."""
        return np.ascontiguousarray(image[self.y : self.y + self.height, self.x : self.x + self.width])


def crop_of(profile: Profile) -> Crop:
    """The rectangle of the profile's picture that holds the mat and `MARGIN_MM` around it, on a grid of 16 px."""
    half = np.array(profile.mat_mm) / 2 + MARGIN_MM
    turns = np.linspace(-1, 1, 9)
    border = np.array(
        [(x, s) for x in turns for s in (-1.0, 1.0)] + [(s, y) for y in turns for s in (-1.0, 1.0)], dtype=np.float64
    )
    points = [border * half]
    markers = profile.table.markers
    if markers is not None:  # by them is seen what moves while people play
        reach = markers.size_mm * 1.2
        points += [np.array([centre]) + side for centre in markers.centres_mm.values() for side in (-reach, reach)]
    px = profile.view().camera_px(np.concatenate(points))
    width, height = profile.size_px
    left, top = (max(0, int(v) // _ALIGNED_PX * _ALIGNED_PX) for v in np.floor(px.min(axis=0)))
    right, bottom = (-(-int(v) // _ALIGNED_PX) * _ALIGNED_PX for v in np.ceil(px.max(axis=0)) + 1)
    right, bottom = min(right, width - width % 2), min(bottom, height - height % 2)
    return Crop(left, top, right - left, bottom - top)


def cropped(profile: Profile, crop: Crop) -> Profile:
    """The profile for pictures cut to `crop`: the same rays, so the same millimetres for the same spot of the table."""
    shift = np.array([[1.0, 0, crop.x], [0, 1, crop.y], [0, 0, 1]])
    camera = profile.camera
    lens = Lens(np.linalg.inv(shift) @ camera.lens.K, camera.lens.dist)
    table = profile.table
    moved = Homography("table", "camera", table.table_from_camera.matrix @ shift)
    return replace(
        profile,
        camera=replace(camera, size_px=(crop.width, crop.height), lens=lens),
        table=replace(table, table_from_camera=moved),
    )
