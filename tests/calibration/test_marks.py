"""Marks of light are found where they are faint, small or half hidden, and nowhere else."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import opencv
from calibration.marks import DICTIONARY, FIRST, find_near

MATRIX = np.array([[3.9, 0.3, 61], [-0.2, 3.4, 66], [1e-3, 2e-3, 1]])


def quad(dx: float = 0.0, dy: float = 0.0) -> NDArray[np.float64]:
    unit = np.array([[0, 0], [7, 0], [7, 7], [0, 7]], dtype=float) + np.array([dx, dy])
    return np.asarray(cv2.perspectiveTransform(unit[None], MATRIX)[0], dtype=np.float64)


def picture(number: int, light: float, seed: int = 1, noise: float = 3.0) -> NDArray[np.float32]:
    """A mark of cells of about four px on a wooden cloth, float32 (160, 180)."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 40, (160, 180)).astype(np.float32), (0, 0), sigmaX=9, sigmaY=1.2)
    light_cells = np.pad(~opencv.marker_cells(DICTIONARY, FIRST + number), 1, constant_values=True)
    cells = np.kron(light_cells, np.ones((16, 16)))
    place = MATRIX @ np.array([[1 / 16, 0, 1 / 32 - 1], [0, 1 / 16, 1 / 32 - 1], [0, 0, 1]])
    lit = cv2.warpPerspective(cells.astype(np.float32), place, (180, 160), flags=cv2.INTER_AREA)
    seen = 70 + grain + light * cv2.GaussianBlur(lit, (0, 0), 0.8) + rng.normal(0, noise, lit.shape)
    return np.asarray(seen, dtype=np.float32)


@pytest.mark.parametrize("light", [20.0, 45.0, 120.0])
@pytest.mark.parametrize("moved", [(0.0, 0.0), (1.7, -2.3), (-3.5, 3.0)])
def test_a_mark_is_found_near_its_place(light: float, moved: tuple[float, float]) -> None:
    found = find_near(picture(2, light), quad(*moved), FIRST + 2)
    assert found is not None
    assert np.abs(found - quad()).max() < 1.0
    assert np.abs((found - quad()).mean(axis=0)).max() < 0.35


def test_a_mark_with_a_corner_hidden_is_found() -> None:
    seen = picture(1, 60.0)
    seen[60:74, 55:70] = 95
    found = find_near(seen, quad(1.0, 1.0), FIRST + 1)
    assert found is not None
    assert np.abs(found - quad()).max() < 1.5


def test_another_mark_and_mere_cloth_are_not_taken_for_it() -> None:
    for seed in range(40):
        assert find_near(picture(3, 60.0, seed), quad(), FIRST + seed % 3) is None
        assert find_near(picture(0, 0.0, seed), quad(), FIRST + seed % 4) is None


def test_an_even_picture_holds_no_mark() -> None:
    assert find_near(np.full((160, 180), 90, dtype=np.float32), quad(), FIRST) is None


def test_a_place_outside_the_picture_holds_no_mark() -> None:
    assert find_near(picture(0, 60.0), quad() + 400, FIRST) is None
