import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.homography import Homography
from calibration.projector_map import Bend, ProjectorMap, fit_projector_map

SIZE = (1920, 1080)
MATRIX = Homography("projector", "table", np.array([[1.5, 0.05, 960], [0.02, -1.45, 540], [4e-5, 6e-5, 1]]))
BEND = Bend((-0.006, 0.0), (970.0, 530.0), 1101.0)


def points() -> NDArray[np.float64]:
    x, y = np.meshgrid(np.linspace(-560, 560, 17), np.linspace(-330, 330, 11))
    return np.stack([x, y], axis=-1).reshape(-1, 2)


def noisy(px: NDArray[np.float64], noise: float, seed: int = 0) -> NDArray[np.float64]:
    return px + np.random.default_rng(seed).normal(0, noise, px.shape)


def test_bending_back_undoes_the_bend() -> None:
    px = np.random.default_rng(0).uniform(0, 1080, (50, 2))
    assert BEND.unmap(BEND.map(px)) == pytest.approx(px, abs=1e-6)


def test_a_projector_without_distortion_gets_a_plain_homography() -> None:
    fit = fit_projector_map(points(), noisy(MATRIX.map(points()), 0.15), SIZE)
    assert fit.model == "homography"
    assert fit.map.bend is None
    assert np.abs(fit.map.map(points()) - MATRIX.map(points())).max() < 0.2


def test_barrel_distortion_is_found_where_it_gains() -> None:
    truth = BEND.map(MATRIX.map(points()))
    fit = fit_projector_map(points(), noisy(truth, 0.15), SIZE)
    assert fit.map.bend is not None
    assert np.abs(fit.map.map(points()) - truth).max() < 0.25
    plain = np.abs(fit.map.plain.map(points()) - truth).max()
    assert 0.5 < plain < 5  # the best homography alone, for readers who know of no bend


def test_back_from_light_to_table() -> None:
    fit = fit_projector_map(points(), BEND.map(MATRIX.map(points())), SIZE)
    assert fit.map.table_mm(fit.map.map(points())) == pytest.approx(points(), abs=1e-5)


def test_misread_points_are_left_out() -> None:
    px = noisy(MATRIX.map(points()), 0.1)
    px[::9] += np.random.default_rng(3).uniform(5, 60, px[::9].shape)
    fit = fit_projector_map(points(), px, SIZE)
    assert not fit.used[::9].any()
    assert np.abs(fit.map.map(points()) - MATRIX.map(points())).max() < 0.2


def test_a_map_without_bend_is_its_homography() -> None:
    assert ProjectorMap(MATRIX).map([[10.0, 20.0]]) == pytest.approx(MATRIX.map([[10.0, 20.0]]))


@pytest.mark.parametrize("seed", range(7))
def test_a_slight_bend_is_found_among_points_that_a_patterned_cloth_draws_aside(seed: int) -> None:
    rng = np.random.default_rng([seed, 4])
    truth = Bend((-0.002, 0.0), (970.0, 530.0), 1101.0).map(MATRIX.map(points()))
    spread = np.where(rng.random((len(truth), 1)) < 0.3, 1.1, 0.25)
    fit = fit_projector_map(points(), truth + rng.normal(size=truth.shape) * spread, SIZE)
    assert fit.map.bend is not None
    assert np.abs(fit.map.map(points()) - truth).max() < 0.4
    straight = fit_projector_map(points(), MATRIX.map(points()) + rng.normal(size=truth.shape) * spread, SIZE)
    assert straight.map.bend is None
    assert np.abs(straight.map.map(points()) - MATRIX.map(points())).max() < 0.4
