"""The lens from views of the board: as true as the targets ask, bad views dropped, nonsense refused."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.board import BoardView, find_board
from calibration.lens import Lens
from calibration.lens_check import halves_mm, implausible, is_guess
from calibration.lens_fit import fit_lens, pose_of
from calibration.profile import Camera, LensFit
from engine.errors import CalibrationError
from tests.calibration.boards import BOARD, random_lens, random_poses, render, views

SIZE = (1920, 1080)


def plain(focal: float = 1500.0, dist: tuple[float, ...] = (0, 0, 0, 0, 0), cx: float = 959.5, fy: float = 0) -> Lens:
    return Lens(np.array([[focal, 0, cx], [0, fy or focal, 539.5], [0, 0, 1]]), np.array(dist, float))


@pytest.mark.parametrize("seed", range(5))
def test_the_lens_is_found_from_noisy_corners(seed: int) -> None:
    truth = random_lens(seed)
    found = fit_lens(views(truth, seed, noise_px=0.15))
    assert found.fit.rms_px < 0.3 and found.fit.holdout_px is not None and found.fit.holdout_px < 0.4
    assert abs(found.lens.K[0, 0] / truth.K[0, 0] - 1) < 0.002
    assert abs(found.lens.K[1, 1] / truth.K[1, 1] - 1) < 0.002
    assert halves_mm(truth, truth, found.lens, SIZE)[1] < 0.3  # what it does to the table, in mm
    assert found.halves_mm is not None and found.halves_mm[0] < 0.4
    assert found.dropped == () and found.fit.views == 24


def test_the_stated_doubt_of_the_focal_length_is_no_idle_figure() -> None:
    errors, doubts = [], []
    for seed in range(12):
        truth = random_lens(seed)
        found = fit_lens(views(truth, seed, noise_px=0.3, count=12))
        errors.append(found.lens.K[0, 0] / truth.K[0, 0] - 1)
        doubts.append(found.focal_doubt)
    assert 0.4 < np.std(errors) / np.mean(doubts) < 2


def test_more_noise_is_more_error_in_every_figure() -> None:
    truth = random_lens(2)
    calm, wild = (fit_lens(views(truth, 2, noise_px=noise)) for noise in (0.05, 0.5))
    assert calm.fit.rms_px < 0.1 < 0.5 < wild.fit.rms_px
    assert (calm.fit.holdout_px or 9) < 0.1 < 0.5 < (wild.fit.holdout_px or 0)
    assert calm.halves_mm is not None and wild.halves_mm is not None and calm.halves_mm[0] < wild.halves_mm[0]


def bent(view: BoardView, px: float) -> BoardView:
    """A view whose corners are off by some px in a wave, as of a board that was bent."""
    wave = px * np.sin(view.points_mm[:, :1] / 40) * [[1.0, 0.6]]
    return replace(view, points_px=view.points_px + wave)


def test_bad_views_are_dropped_and_named() -> None:
    truth = random_lens(3)
    seen = list(views(truth, 3))
    for number in (4, 11):
        seen[number] = replace(bent(seen[number], 4), name=f"bad-{number}")
    found = fit_lens(seen)
    assert {name for name, _ in found.dropped} == {"bad-4", "bad-11"}
    assert found.fit.rms_px < 0.2 and found.fit.views == 22
    assert abs(found.lens.K[0, 0] / truth.K[0, 0] - 1) < 0.002


def test_a_misread_corner_does_not_cost_its_view() -> None:
    seen = list(views(random_lens(4), 4))
    points = seen[7].points_px.copy()
    points[5] += [9, -7]
    seen[7] = replace(seen[7], points_px=points)
    found = fit_lens(seen)
    assert found.dropped == () and found.fit.rms_px < 0.2


def test_a_third_radial_term_is_kept_only_where_it_is_there() -> None:
    base = random_lens(1)
    strong = Lens(base.K, np.array([-0.25, 0.1, 0.0, 0.0, 0.1]))
    assert fit_lens(views(base, 1)).lens.dist[4] == 0
    assert fit_lens(views(strong, 1, noise_px=0.05)).lens.dist[4] == pytest.approx(0.1, abs=0.05)


def same_tilt(seed: int) -> tuple[BoardView, ...]:
    """Views of a board held square to the camera always: they tell no focal length."""
    from tests.calibration.boards import Pose, view

    lens, draw = random_lens(seed), np.random.default_rng(seed)
    poses = [Pose(np.eye(3), np.array([*draw.uniform(-60, 60, 2), 600.0])) for _ in range(12)]
    found = (view(lens, pose, SIZE, 0.2, i) for i, pose in enumerate(poses))
    return tuple(one for one in found if one is not None)


def test_unusable_views_are_refused_with_what_to_do() -> None:
    lens = random_lens(5)
    good = views(lens, 5)
    with pytest.raises(CalibrationError, match="only 5 usable pictures of the board; at least 8"):
        fit_lens(good[:5])
    with pytest.raises(CalibrationError, match=r"different sizes .1280x720, 1920x1080."):
        fit_lens([*good, replace(good[0], size_px=(1280, 720))])
    for seed in range(4):  # whose residuals are as small as those of good views
        with pytest.raises(CalibrationError, match="tilt"):
            fit_lens(same_tilt(seed))
    with pytest.raises(CalibrationError, match=r"do not fit together.*worst in view-.*flat"):
        fit_lens([bent(view, 5) for view in good])


@pytest.mark.parametrize(
    ("lens", "said"),
    [
        (plain(400), "focal length of 400 px"),
        (plain(12_000), "focal length of 12000 px"),
        (plain(1500, fy=1900), "stretch pictures by 21 %"),
        (plain(1500, cx=204), "past the middle of the picture .its centre at 204"),
        (plain(1000, (-0.6, 0, 0, 0, 0)), "fold the picture's corners over"),
        (plain(1000, (3000.0, -2e6, 0, 0, 0)), "fold the picture's corners over"),
    ],
    ids=["short", "long", "stretched", "aside", "folding", "in the thousands"],
)
def test_a_lens_that_cannot_be_is_told(lens: Lens, said: str) -> None:
    assert said.replace(".", "") in (implausible(lens, SIZE) or "").replace("(", "")


def test_real_lenses_may_be() -> None:
    assert implausible(plain(), SIZE) is None
    assert [implausible(random_lens(seed), SIZE) for seed in range(30)] == [None] * 30


@pytest.mark.parametrize("k1", [-0.3, -0.2, 0.05])
@pytest.mark.parametrize("share", [0.62, 0.78, 0.94])
def test_a_wide_lens_of_one_radial_term_may_be_though_the_farthest_corners_fold(k1: float, share: float) -> None:
    assert implausible(plain(share * SIZE[0], (k1, 0, 0, 0, 0)), SIZE) is None


def test_a_factory_guess_is_told_from_a_lens() -> None:
    fitted = LensFit(20, 0.2, 0.3)
    assert is_guess(Camera("", SIZE, plain(), {}, {}))
    assert not is_guess(Camera("", SIZE, plain(), {}, {}, fitted))
    assert not is_guess(Camera("", SIZE, plain(dist=(-0.1, 0, 0, 0, 0)), {}, {}))
    assert not is_guess(Camera("", SIZE, plain(cx=967), {}, {}))


def test_the_pose_is_the_true_one() -> None:
    lens = random_lens(6)
    for view, pose in zip(views(lens, 6, noise_px=0.05)[:4], random_poses(6, lens, SIZE), strict=False):
        rotation, shift = pose_of(view, lens)
        assert np.allclose(rotation, pose.rotation, atol=0.01)
        half = np.array([*BOARD.size_mm, 0]) / 2
        assert np.allclose(rotation @ half + shift, pose.middle_mm, atol=2)


@pytest.mark.parametrize("strip", [[2, 9, 10, 16, 17, 23, 24, 30, 31], [0, 1, 11, 21, 31, 41, 51, 61]])
def test_a_strip_of_few_corners_does_not_spoil_the_holdout(strip: list[int]) -> None:
    all_views = list(views(random_lens(7), 7))
    at = next(i for i, one in enumerate(all_views) if np.isin(strip, one.ids).all())
    view = all_views[at]
    some = np.isin(view.ids, strip)
    few = replace(view, ids=view.ids[some], points_px=view.points_px[some], points_mm=view.points_mm[some])
    fit = fit_lens([few if i == at else one for i, one in enumerate(all_views)]).fit
    assert fit.holdout_px is not None and fit.holdout_px < 0.4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_rendered_views_give_the_lens_within_the_targets(seed: int) -> None:
    truth = random_lens(seed)
    draw = np.random.default_rng(seed)
    found = []
    for i, pose in enumerate(random_poses(seed, truth, SIZE, 24)):
        picture = render(
            truth, pose, SIZE, seed * 100 + i, blur_px=draw.uniform(0.5, 1.4), noise=draw.uniform(1, 4), motion_px=i % 3
        )
        view = find_board(picture, BOARD, f"{i}")
        if isinstance(view, BoardView):
            found.append(view)
    result = fit_lens(found)
    held = result.fit.holdout_px or 9
    focal = max(abs(result.lens.K[i, i] / truth.K[i, i] - 1) for i in (0, 1))
    worst = halves_mm(truth, truth, result.lens, SIZE)[1]
    print(f"seed {seed}: {len(found)} views, rms {result.fit.rms_px:.3f}, held out {held:.3f}", end=" ")  # noqa: T201
    print(f"focal {100 * focal:.3f} %, table {worst:.3f} mm")  # noqa: T201
    assert len(found) >= 20 and result.fit.rms_px <= 0.3 and held <= 0.4 and focal < 0.005 and worst < 0.5


def test_distortion_in_the_thousands_is_implausible() -> None:
    matrix = np.array([[1795.0, 0, 954], [0, 1795, 530], [0, 0, 1]])
    found = implausible(Lens(matrix, np.array([3370.0, -46437, 0, 0, 0])), (1920, 1080))
    assert found is not None
    assert "times its size" in found
    assert implausible(Lens(matrix, np.array([-0.3, 0.09, 0, 0, 0])), (1920, 1080)) is None
