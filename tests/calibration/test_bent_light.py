"""Light seen bent is a wrong lens where a few radial terms explain it, else something that stands on the mat."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.homography import Homography
from calibration.projector_map import Bend, fit_projector_map
from calibration.projector_step import _check_bend
from calibration.refusals import Reason, Refusal

SIZE = (1920, 1080)
MATRIX = Homography("projector", "table", np.array([[1.7, 0.05, 960], [0.02, -1.65, 540], [4e-5, 6e-5, 1]]))
X, Y = np.meshgrid(np.linspace(-520, 520, 17), np.linspace(-310, 310, 11))
PLACES = np.stack([X, Y], axis=-1).reshape(-1, 2)


def reason(seen_mm: NDArray[np.float64], px: NDArray[np.float64]) -> Reason | None:
    try:
        _check_bend(fit_projector_map(seen_mm, px, SIZE), seen_mm, px, 0.7)
    except Refusal as refusal:
        return refusal.reason
    return None


def test_even_light_and_a_projectors_own_barrel_are_well() -> None:
    noise = np.random.default_rng(1).normal(0, 0.1, PLACES.shape)
    assert reason(PLACES, MATRIX.map(PLACES) + noise) is None
    assert reason(PLACES, Bend((-0.015, 0.0), (970, 530), 1101).map(MATRIX.map(PLACES)) + noise) is None


def test_a_camera_whose_lens_is_another_is_told() -> None:
    bent = Bend((-0.05, 0.0), (900, 560), 1101).map(MATRIX.map(PLACES))
    seen_mm = MATRIX.inverse.map(bent)
    assert reason(seen_mm, MATRIX.map(PLACES)) is Reason.LENS


@pytest.mark.parametrize("side", [-1, 1])
def test_a_coat_over_half_the_mat_is_no_lens(side: int) -> None:
    rng = np.random.default_rng(3)
    over = (side * PLACES[:, 1] > -60) & (np.abs(PLACES[:, 0]) < 430)
    shift = (PLACES - [-700, 500]) * 0.022  # 20 mm high, seen and lit from aside
    seen_mm = PLACES + np.where(over[:, None], shift, 0) + rng.normal(0, 0.1, PLACES.shape)
    assert reason(seen_mm, MATRIX.map(PLACES)) is Reason.COVERED_BOARD
