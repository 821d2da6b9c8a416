from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.homography import Homography
from calibration.lens import Lens
from calibration.mat_pose import marker_corners_mm
from calibration.profile import Markers
from calibration.watch import Alarm, Culprit, Reference, Shift, Watching, compare, reference, watch

MAT = (900.0, 600.0)
MARKERS = Markers("DICT_4X4_50", 40.0, {0: (-410, -260), 1: (410, -260), 2: (410, 260), 3: (-410, 260)})
CAMERA = Homography("camera", "table", np.array([[1.5, 0.03, 960], [0.02, -1.5, 540], [2e-5, 9e-5, 1]]))
LENS = Lens(np.array([[1500.0, 0, 960], [0, 1500, 540], [0, 0, 1]]), np.array([-0.1, 0.01, 0, 0, 0]))
PRINTED = {n: marker_corners_mm(MARKERS, n) for n in MARKERS.centres_mm}
SMALLER = Markers("DICT_5X5_1000", 28.0, {n: (x - 54 * np.sign(x), y) for n, (x, y) in MARKERS.centres_mm.items()})
LIGHTS = {n: marker_corners_mm(SMALLER, n) for n in SMALLER.centres_mm}
NOISE_PX = 0.05

Mm = NDArray[np.float64]
Move = Callable[[Mm], Mm]


def still(mm: Mm) -> Mm:
    return mm


def by(dx: float, dy: float, turn: float = 0.0) -> Move:
    return lambda mm: mm @ np.array([[1, turn], [-turn, 1]]) + [dx, dy]


def seen(places: dict[int, Mm], rng: np.random.Generator, camera: Homography = CAMERA) -> dict[int, Mm]:
    return {n: LENS.distort(camera.map(mm)) + rng.normal(0, NOISE_PX, mm.shape) for n, mm in places.items()}


def known() -> Reference:
    rng = np.random.default_rng(0)
    return reference(seen(PRINTED, rng), seen(LIGHTS, rng), CAMERA.inverse, LENS, MAT)


def shift(printed: Move = still, lights: Move = still, seed: int = 1, hidden: tuple[int, ...] = ()) -> Shift:
    rng = np.random.default_rng(seed)
    own = {n: printed(mm) for n, mm in PRINTED.items() if n not in hidden}
    return compare(known(), seen(own, rng), seen({n: lights(mm) for n, mm in LIGHTS.items()}, rng))


@pytest.mark.parametrize("move", [by(1, 0), by(0, -3), by(2, 2, 0.002), by(0, 0, 0.004), by(-12, 8)])
@pytest.mark.parametrize(
    ("printed", "lights", "culprit"),
    [(1, 0, Culprit.MAT), (0, 1, Culprit.PROJECTOR), (1, 1, Culprit.CAMERA)],
    ids=["mat", "projector", "camera"],
)
def test_what_moves_together_tells_what_moved(move: Move, printed: int, lights: int, culprit: Culprit) -> None:
    found = shift(move if printed else still, move if lights else still)
    corners = np.array([[-450, -300], [450, -300], [450, 300], [-450, 300]], dtype=float)
    assert found.culprit is culprit
    assert found.moved_mm == pytest.approx(np.linalg.norm(move(corners) - corners, axis=1).max(), rel=0.12, abs=0.3)


def test_mat_and_projector_moved_apart_is_several() -> None:
    assert shift(by(4, 0), by(0, 5)).culprit is Culprit.SEVERAL


def test_nothing_moved() -> None:
    assert shift().culprit is Culprit.NOTHING


def test_a_covered_marker_is_named() -> None:
    found = shift(hidden=(2,))
    assert (found.culprit, found.markers) == (Culprit.COVERED, (2,))


def test_a_covered_marker_is_named_beside_half_a_millimetre_of_drift() -> None:
    found = shift(lights=by(0.45, 0.1), hidden=(0,))
    assert (found.culprit, found.markers) == (Culprit.COVERED, (0,))


def test_a_camera_moved_while_a_marker_is_covered() -> None:
    assert shift(by(3, 1), by(3, 1), hidden=(1,)).culprit is Culprit.CAMERA


def test_a_single_marker_that_came_loose_is_not_the_mat() -> None:
    rng = np.random.default_rng(2)
    own = dict(PRINTED) | {3: by(2.5, 0)(PRINTED[3])}
    found = compare(known(), seen(own, rng), seen(LIGHTS, rng))
    assert (found.culprit, found.markers) == (Culprit.MARKER, (3,))


@pytest.mark.parametrize("half", ["print", "light"])
def test_what_a_hand_half_hides_is_not_believed_to_have_moved(half: str) -> None:
    rng = np.random.default_rng(4)
    own, lights = dict(PRINTED), dict(LIGHTS)
    moved = own if half == "print" else lights
    moved[1] = moved[1] + [1.2, 0]
    found = compare(known(), seen(own, rng), seen(lights, rng))
    assert found.culprit is (Culprit.MARKER if half == "print" else Culprit.PROJECTOR)
    del (lights if half == "print" else own)[1]
    found = compare(known(), seen(own, rng), seen(lights, rng))
    assert found.culprit is (Culprit.NOTHING if half == "print" else Culprit.COVERED)
    del lights[2]
    assert compare(known(), seen(own, rng), seen(lights, rng)).culprit is not Culprit.NOTHING  # too few are whole


def test_with_one_group_hidden_nobody_is_blamed() -> None:
    rng = np.random.default_rng(4)
    found = compare(known(), seen({n: by(3, 0)(mm) for n, mm in PRINTED.items()}, rng), {})
    assert found.culprit is Culprit.SEVERAL


def alarms(shifts: list[Shift]) -> list[Alarm]:
    state, said = Watching(), []
    for second, one in enumerate(shifts, 1):
        state, alarm = watch(state, float(second), one)
        said += [alarm] if alarm is not None else []
    return said


def test_three_mm_are_said_by_the_second_check_and_once() -> None:
    said = alarms([Shift(Culprit.CAMERA, 3.0)] * 20)
    assert [(a.t_s, a.culprit) for a in said] == [(2.0, Culprit.CAMERA)]


def test_one_mm_is_said_by_the_third() -> None:
    assert [(a.t_s, a.culprit) for a in alarms([Shift(Culprit.MAT, 1.0)] * 9)] == [(3.0, Culprit.MAT)]


def test_a_single_odd_check_says_nothing() -> None:
    quiet = Shift(Culprit.NOTHING, 0.1)
    assert alarms([quiet, Shift(Culprit.SEVERAL, 9.0), quiet, Shift(Culprit.MAT, 2.0), quiet, quiet]) == []


def test_what_is_back_is_said_and_can_be_said_again() -> None:
    moved, quiet = [Shift(Culprit.PROJECTOR, 2.5)] * 3, [Shift(Culprit.NOTHING, 0.1)] * 4
    said = alarms([*moved, *quiet, *moved])
    assert [a.over for a in said] == [False, True, False]


def test_a_value_between_the_limits_neither_starts_nor_ends_an_alarm() -> None:
    middling = [Shift(Culprit.MAT, 0.5)] * 6
    assert alarms(middling) == []
    assert [a.over for a in alarms([Shift(Culprit.MAT, 2.0)] * 3 + middling)] == [False]


def test_a_move_that_grows_is_said_again() -> None:
    said = alarms([Shift(Culprit.MAT, 1.0)] * 4 + [Shift(Culprit.MAT, 6.0)] * 3)
    assert [round(a.moved_mm) for a in said] == [1, 6]


def test_minutes_without_a_knock_are_quiet() -> None:
    base, rng, state = known(), np.random.default_rng(5), Watching()
    own, lights = seen(PRINTED, np.random.default_rng(0)), seen(LIGHTS, np.random.default_rng(0))
    for second in range(300):
        one = {n: q + rng.normal(0, 0.1, q.shape) for n, q in own.items()}
        other = {n: q + rng.normal(0, 0.1, q.shape) for n, q in lights.items()}
        state, alarm = watch(state, float(second), compare(base, one, other))
        assert alarm is None


def test_near_moves_are_judged_together_where_single_looks_err() -> None:
    """A mat moved by 0.9 mm, and marks of light that each look jumps by half a millimetre another way."""
    state, alarm = Watching(), None
    jumps = [by(0.5, 0.1), by(-0.5, 0.2), by(0.0, -0.55), by(0.1, 0.5), by(-0.2, 0.0)]
    alone = [shift(by(0.9, 0), jump, seed) for seed, jump in enumerate(jumps)]
    assert sum(one.culprit is Culprit.MAT for one in alone) < 3
    for at, one in enumerate(alone):
        state, said = watch(state, float(at), one)
        alarm = alarm or said
    assert alarm is not None
    assert alarm.culprit is Culprit.MAT
    assert alarm.moved_mm == pytest.approx(0.9, abs=0.2)
