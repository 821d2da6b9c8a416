"""The rival: what usual projector tables do, four marks clicked and a plain homography, no lens."""

import cv2
import numpy as np
from numpy.typing import NDArray

from app.rigs.spec import RigSpec
from calibration.homography import Homography


def four_corners(spec: RigSpec, camera_px: NDArray[np.float64], projector_px: NDArray[np.float64]) -> Homography:
    """projector_from_table by the four printed markers' centres and four points of light, the lens left out.

    It gets the markers' true px and, of the points of light seen, shape (N, 2), those nearest to the mat's corners.
    """
    places = np.array([spec.markers.centres_mm[n] for n in sorted(spec.markers.centres_mm)])
    c, s = np.cos(spec.mat[2]), np.sin(spec.mat[2])
    on_table = places @ np.array([[c, s], [-s, c]]) + spec.mat[:2]
    centres = spec.camera.px(on_table)
    table = _exact("table", "camera", centres, places)
    wanted = [int(np.argmin(np.linalg.norm(camera_px - centre, axis=1))) for centre in centres]
    beam = _exact("projector", "camera", camera_px[wanted], projector_px[wanted])
    return beam @ table.inverse


def _exact(target: str, source: str, start: NDArray[np.float64], end: NDArray[np.float64]) -> Homography:
    matrix = cv2.getPerspectiveTransform(start.astype(np.float32), end.astype(np.float32))
    return Homography(target, source, np.asarray(matrix, dtype=np.float64))
