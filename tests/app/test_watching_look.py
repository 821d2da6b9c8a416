"""Markers and marks are seen near their places, and further off where the whole picture is searched."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from app.watching_look import Expected, Look, look
from calibration import opencv
from calibration.homography import Homography
from calibration.marks import DICTIONARY, FIRST
from calibration.mat_markers import mat_markers
from calibration.mat_pose import marker_corners_mm
from calibration.profile import Markers

MAT_MM = (500.0, 300.0)
PRINTED = mat_markers(MAT_MM)
LIGHTS = Markers(DICTIONARY, 28.0, {0: (-130, -80), 1: (130, -80), 2: (130, 80), 3: (-130, 80)})
CAMERA = Homography("camera", "table", np.array([[1.3, 0.05, 520], [0.03, -1.3, 330], [2e-5, 6e-5, 1]]))


def shift(x: float, y: float) -> Homography:
    return Homography("table", "table", np.array([[1, 0, x], [0, 1, y], [0, 0, 1]]))


def places(markers: Markers, camera: Homography) -> dict[int, NDArray[np.float64]]:
    return {n: camera.map(marker_corners_mm(markers, n)) for n in markers.centres_mm}


def picture(printed: Homography, lights: Homography, faint: float = 30.0, seed: int = 1) -> NDArray[np.uint8]:
    """Printed markers as one camera sees them, marks of light as another does, uint8 (660, 1040, 3)."""
    seen = np.full((660, 1040), 90.0, dtype=np.float32)
    for name, first, markers, camera in (("DICT_4X4_50", 0, PRINTED, printed), (DICTIONARY, FIRST, LIGHTS, lights)):
        for number, quad in places(markers, camera).items():
            cells = ~opencv.marker_cells(name, first + number)
            side = len(cells)
            fine = np.asarray(
                cv2.resize(
                    np.pad(cells, 1, constant_values=True).astype(np.float32),
                    None,
                    fx=16,
                    fy=16,
                    interpolation=cv2.INTER_NEAREST,
                ),
                dtype=np.float32,
            )
            unit = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float32) * 16 + 15.5
            matrix = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
            part = cv2.warpPerspective(fine, matrix, (1040, 660), flags=cv2.INTER_AREA, borderValue=-1)
            if first:
                seen += faint * np.clip(part, 0, 1)
            else:
                seen = np.where(part >= 0, 20 + 200 * np.clip(part, 0, 1), seen).astype(np.float32)
    seen += np.random.default_rng(seed).normal(0, 2, seen.shape).astype(np.float32)
    grey = np.clip(cv2.GaussianBlur(seen, (0, 0), 0.8), 0, 255).astype(np.uint8)
    return np.asarray(cv2.merge([grey, grey, grey]), dtype=np.uint8)


def looked(image: NDArray[np.uint8], everywhere: bool = True) -> Look:
    told = places(PRINTED, CAMERA), places(LIGHTS, CAMERA)
    return look(image, 1.0, PRINTED, Expected(*told, told), everywhere)


@pytest.mark.parametrize("faint", [12.0, 40.0, 120.0])
def test_marks_are_seen_at_the_same_place_in_every_look(faint: float) -> None:
    looks = [looked(picture(CAMERA, CAMERA, faint, seed), everywhere=False) for seed in range(6)]
    for number, quad in places(LIGHTS, CAMERA).items():
        middles = np.array([one.lights[number].mean(axis=0) for one in looks])
        assert np.abs(middles - quad.mean(axis=0)).max() < 0.3
        assert middles.std(axis=0).max() < 0.08


@pytest.mark.parametrize("away", [(45.0, 10.0), (-50.0, 40.0), (10.0, -62.0)])
@pytest.mark.parametrize("what", ["camera", "mat", "projector"])
def test_what_has_gone_further_than_its_own_size_is_seen(what: str, away: tuple[float, float]) -> None:
    moved = CAMERA @ shift(*away)
    moved = Homography("camera", "table", moved.matrix)
    printed = CAMERA if what == "projector" else moved
    lights = CAMERA if what == "mat" else moved
    found = looked(picture(printed, lights))
    for markers, camera, seen in ((PRINTED, printed, found.printed), (LIGHTS, lights, found.lights)):
        inside = {n: q for n, q in places(markers, camera).items() if (q > 4).all() and (q < (1036, 656)).all()}
        if what == "mat" and markers is LIGHTS:  # what a printed marker now lies over is not seen
            inside = {n: inside[n] for n in inside if n in seen}
            assert len(inside) >= 2
        for number, quad in inside.items():
            assert np.abs(seen[number].mean(axis=0) - quad.mean(axis=0)).max() < 0.7


def test_without_searching_everywhere_only_what_is_near_is_seen() -> None:
    moved = Homography("camera", "table", (CAMERA @ shift(60.0, 60.0)).matrix)
    assert looked(picture(CAMERA, moved), everywhere=False).lights == {}


def test_where_the_light_is_off_nothing_is_taken_for_it() -> None:
    assert looked(picture(CAMERA, CAMERA, faint=0.0)).lights == {}
