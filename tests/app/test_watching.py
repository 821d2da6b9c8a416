"""What is done about a camera, mat or projector that moves in mid-game; looks at the markers are scripted."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from app.watching import HOLD_S, PATIENCE_S, News, Sentry, can_watch
from app.watching_aim import Aim, Places
from app.watching_look import Beside, Look
from app.watching_marks import mark_grounds, mark_places, mark_shapes
from calibration.homography import Homography
from calibration.layout import builtin_layout, builtin_layouts, load_layout
from calibration.lens import Lens
from calibration.mat_markers import mat_markers
from calibration.mat_pose import marker_corners_mm
from calibration.profile import Camera, Profile, Projector, Table
from calibration.projector_map import Bend, ProjectorMap
from engine.events import Knocked
from vision.values import Frame

LAYOUT = builtin_layout(2)
MARKERS = mat_markers(LAYOUT.mat_mm)
LENS = Lens(np.array([[1500.0, 0, 960], [0, 1500, 540], [0, 0, 1]]), np.array([-0.1, 0.01, 0, 0, 0]))
CAMERA = Homography("camera", "table", np.array([[1.45, 0.03, 960], [0.02, -1.45, 540], [2e-5, 9e-5, 1]]))
LAMP = Homography("projector", "table", np.array([[1.6, 0.01, 960], [0.015, -1.6, 540], [1e-5, -4e-5, 1]]))
PRINTED = {n: marker_corners_mm(MARKERS, n) for n in MARKERS.centres_mm}
MARKS = mark_places(LAYOUT, MARKERS)
GRID = np.stack(np.meshgrid(np.linspace(-500, 500, 9), np.linspace(-320, 320, 7)), axis=-1).reshape(-1, 2)
BLANK = np.zeros((1080, 1920, 3), np.uint8)
STEP_S = 1 / 15


def shift(x: float, y: float, turn: float = 0.0) -> Homography:
    return Homography("table", "table", np.array([[1, -turn, x], [turn, 1, y], [0, 0, 1]]))


class Room:
    """A table whose camera, mat and projector can be moved; it gives the looks. `hidden`, `dark`: not seen."""

    def __init__(self, noise_px: float = 0.05, projector: bool = True, bend: Bend | None = None, seed: int = 3) -> None:
        self.camera, self.lamp = CAMERA, LAMP
        self.bend = bend
        self.noise_px = noise_px
        self.hidden: frozenset[int] = frozenset()
        self.dark: frozenset[int] = frozenset()
        self.loose: dict[int, tuple[float, float]] = {}
        self.seems: dict[int, tuple[float, float]] = {}
        self.looks = 0
        self.roll = 0
        self._rng = np.random.default_rng(seed)
        light = ProjectorMap(LAMP, LAMP, bend) if bend is not None else None
        lamp = Projector((1920, 1080), LAMP, {}, light) if projector else None
        camera = Camera("scripted", (1920, 1080), LENS, {}, {})
        self.profile = Profile("now", camera, Table(LAYOUT.mat_mm, CAMERA.inverse, (0.0, 0.0, 1000.0), MARKERS), lamp)
        self.sentry = Sentry(self.profile, LAYOUT, self)
        self.t_s = 0.0
        self.events: list[Knocked] = []
        self.held: list[float] = []
        self._pending = False

    # the worker
    def start(self, job: Callable[[], Look]) -> None:
        self._pending = True

    @property
    def busy(self) -> bool:
        return False

    def done(self) -> Look | None:
        if not self._pending:
            return None
        self._pending = False
        self.looks += 1
        printed = {n: mm + self.loose.get(n, (0.0, 0.0)) for n, mm in PRINTED.items() if n not in self.hidden}
        lights = {
            n: self.lit(mm) + self.seems.get(n, (0.0, 0.0))
            for n, mm in MARKS.items()
            if n not in self.dark and self.sentry.aim.light
        }
        seen = {n: np.roll(quad, self.roll, axis=0) for n, quad in self.seen(printed).items()}
        return Look(self.t_s, seen, self.seen(lights))

    def seen(self, places: Places) -> Places:
        return {
            n: LENS.distort(self.camera.map(mm)) + self._rng.normal(0, self.noise_px, mm.shape)
            for n, mm in places.items()
        }

    def lit(self, mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where light that is meant for points of the mat falls."""
        light = self.sentry.aim.light
        assert light is not None
        px = light.map(mm)
        return self.lamp.inverse.map(px if self.bend is None else self.bend.unmap(px))

    # what happens
    def move_mat(self, by: Homography) -> None:
        back = by.inverse
        self.camera, self.lamp = (
            Homography("camera", "table", (self.camera @ by).matrix),
            Homography("projector", "table", (self.lamp @ by).matrix),
        )
        assert back is not None

    def move_camera(self, by: Homography) -> None:
        self.camera = Homography("camera", "table", (self.camera @ by).matrix)

    def move_lamp(self, by: Homography) -> None:
        self.lamp = Homography("projector", "table", (self.lamp @ by).matrix)

    def run(self, seconds: float, busy: bool = False) -> list[Knocked]:
        """The events of so many seconds."""
        before = len(self.events)
        for _ in range(round(seconds / STEP_S)):
            self.t_s += STEP_S
            news: News = self.sentry.see(Frame(BLANK, self.t_s, 0), busy)
            self.events += news.events
            self.held += [self.t_s] if news.hold else []
        return self.events[before:]

    def view_error_mm(self) -> float:
        px = LENS.distort(self.camera.map(GRID))
        return float(np.linalg.norm(self.sentry.aim.view.table_mm(px) - GRID, axis=1).max())

    def light_error_mm(self) -> float:
        return float(np.linalg.norm(self.lit(GRID) - GRID, axis=1).max())


def said(events: list[Knocked]) -> list[tuple[str, str]]:
    return [(event.what, event.done) for event in events]


@pytest.mark.parametrize(("mm", "limit_s"), [(1.0, 10.0), (3.0, 2.0), (25.0, 2.0)])
def test_a_camera_is_followed_and_the_light_stays(mm: float, limit_s: float) -> None:
    room = Room()
    assert room.run(5) == []
    room.move_camera(shift(mm, 0.3 * mm, 0.0004))
    knocked_s = room.t_s
    events = room.run(12)
    assert said(events) == [("camera", "followed")]
    assert events[0].t_s - knocked_s <= limit_s
    assert room.view_error_mm() < 0.3
    assert room.light_error_mm() < 0.1


@pytest.mark.parametrize(("mm", "limit_s"), [(1.0, 10.0), (3.0, 2.0), (25.0, 2.0)])
def test_a_mat_is_followed_and_the_light_goes_with_it(mm: float, limit_s: float) -> None:
    room = Room()
    room.run(5)
    room.move_mat(shift(-mm, 0.5 * mm, 0.0005))
    knocked_s = room.t_s
    events = room.run(12)
    assert said(events) == [("mat", "followed")]
    assert events[0].t_s - knocked_s <= limit_s
    assert room.view_error_mm() < 0.3
    assert room.light_error_mm() < 0.3


@pytest.mark.parametrize("mm", [1.0, 3.0, 12.0])
def test_a_projector_waits_for_a_pause_and_is_then_put_right(mm: float) -> None:
    room = Room()
    room.run(5)
    room.move_lamp(shift(mm, -0.4 * mm))
    assert said(room.run(6, busy=True)) == [("projector", "waits")]
    assert said(room.run(3)) == [("projector", "mended")]
    assert room.light_error_mm() < 0.5
    assert room.run(20) == []


def test_a_projector_is_put_right_while_people_play_where_they_never_pause() -> None:
    room = Room()
    room.run(3, busy=True)
    room.move_lamp(shift(4, 1))
    assert said(room.run(PATIENCE_S + 4, busy=True)) == [("projector", "waits"), ("projector", "mended")]


def test_two_marks_are_enough_to_put_a_turned_projector_right() -> None:
    room = Room()
    room.run(3)
    throw = np.array([[1.4 * 1920, 0, 959.5], [0, 1.4 * 1920, 539.5], [0, 0, 1]])
    turn = np.array([[1, -2e-3, 1.5e-3], [2e-3, 1, 1e-3], [-1.5e-3, -1e-3, 1]])
    room.lamp = Homography("projector", "projector", throw @ turn @ np.linalg.inv(throw)) @ room.lamp
    room.dark = frozenset({1, 3})
    assert room.light_error_mm() > 2
    assert said(room.run(6)) == [("projector", "waits"), ("projector", "mended")]
    assert room.light_error_mm() < 0.3


def test_the_bend_of_a_projector_stays_with_it() -> None:
    room = Room(bend=Bend((-0.02, 0.0), (980.0, 520.0), 1101.0))
    room.run(3)
    room.move_mat(shift(10, 4, 0.002))
    room.run(4)
    assert room.light_error_mm() < 0.3
    room.move_lamp(shift(4, 4))
    room.run(6)
    assert room.light_error_mm() < 0.5


@pytest.mark.parametrize("culprit", ["camera", "mat", "projector"])
def test_marks_that_always_look_beside_their_place_name_nobody_else(culprit: str) -> None:
    for seed in range(4):
        room = Room(noise_px=0.1, seed=seed)
        room.seems = {0: (0.1, 0.35), 1: (-0.1, 0.3), 2: (0.0, 0.2), 3: (0.2, 0.3)}  # as cloth and lens do
        assert room.run(8) == []
        move = {"camera": room.move_camera, "mat": room.move_mat, "projector": room.move_lamp}[culprit]
        move(shift(1.2, 1.2) if culprit == "projector" else shift(0.3, -0.9))
        assert room.run(12)[0].what == culprit
        assert room.run(30) == []
        assert room.light_error_mm() < 0.5


def test_the_reference_is_taken_from_several_looks() -> None:
    room = Room(noise_px=0.0)
    room.seems = dict.fromkeys(MARKS, (1.0, 1.0))  # one wild look, which alone must not count
    room.run(0.2)
    room.seems = dict.fromkeys(MARKS, (0.3, 0.0))
    room.run(5)
    room.move_mat(shift(0.0, 0.9))
    assert said(room.run(8)) == [("mat", "followed")]
    assert room.light_error_mm() < 0.1


def test_mat_moved_since_calibrating_is_followed_from_the_start() -> None:
    room = Room()
    room.move_mat(shift(6, 2))
    assert said(room.run(3)) == [("mat", "followed")]
    assert room.view_error_mm() < 0.3


def test_nothing_is_read_while_it_is_not_known_where_the_table_lies() -> None:
    room = Room()
    room.run(3)
    knocked_s = room.t_s
    for _ in range(20):  # it is being pulled for more than a second
        room.move_mat(shift(2.0, 0))
        room.run(STEP_S)
    room.run(3)
    assert said(room.events) == [("mat", "followed")]
    assert room.held and room.held[0] <= knocked_s + 1.1
    assert max(room.held) - min(room.held) < HOLD_S
    assert room.view_error_mm() < 0.3


def test_a_covered_marker_is_named_and_does_not_stop_following() -> None:
    room = Room()
    room.run(3)
    room.hidden = frozenset({2})
    events = room.run(4)
    assert said(events) == [("covered", "seen")]
    assert events[0].markers == (2,) and events[0].t_s < 5.2
    room.move_camera(shift(5, 0))
    assert ("camera", "followed") in said(room.run(4))
    assert room.view_error_mm() < 1.0
    room.hidden = frozenset()
    assert ("covered", "over") in said(room.events + room.run(4)) or room.view_error_mm() < 0.5


def test_a_loose_marker_is_named_and_no_longer_leads() -> None:
    room = Room()
    room.run(3)
    room.loose = {1: (6.0, 3.0)}
    events = room.run(4)
    assert said(events) == [("marker", "seen")]
    assert events[0].markers == (1,)
    room.move_mat(shift(9, -3, 0.001))
    room.run(8)
    assert room.view_error_mm() < 0.8


def test_without_marks_of_light_a_move_is_taken_for_the_mats() -> None:
    room = Room()
    room.run(3)
    room.dark = frozenset(MARKS)
    room.run(2)
    room.move_mat(shift(8, 0))
    assert said(room.run(4)) == [("several", "followed")]
    assert room.view_error_mm() < 0.3
    assert room.light_error_mm() < 0.3
    room.dark = frozenset()
    assert room.run(6) == []


def test_without_marks_of_light_the_light_is_mended_once_they_are_seen() -> None:
    room = Room()
    room.run(3)
    room.dark = frozenset(MARKS)
    room.run(2)
    room.move_camera(shift(8, 0))
    assert said(room.run(4)) == [("several", "followed")]
    assert room.view_error_mm() < 0.3
    assert room.light_error_mm() > 5
    room.dark = frozenset()
    events = room.run(6)
    assert all(event.done in ("followed", "mended") for event in events)
    assert room.light_error_mm() < 0.5


def test_markers_printed_another_way_up_are_the_same_markers() -> None:
    room = Room()
    room.roll = 1
    assert room.run(6) == []
    room.move_mat(shift(5, 5))
    assert said(room.run(4)) == [("mat", "followed")]
    assert room.view_error_mm() < 0.3


def test_where_no_marker_was_ever_seen_nothing_is_said_and_hardly_looked() -> None:
    room = Room()
    room.hidden = frozenset(PRINTED)
    assert room.run(60) == []
    assert room.looks < 15
    room.hidden = frozenset()
    room.run(15)
    room.move_camera(shift(4, 0))
    assert said(room.run(5)) == [("camera", "followed")]


def test_a_table_without_projector_is_followed() -> None:
    room = Room(projector=False)
    room.run(3)
    room.move_mat(shift(4, 4))
    assert said(room.run(4)) == [("several", "followed")]
    assert room.view_error_mm() < 0.3


def test_many_knocks_do_not_add_up() -> None:
    room, rng = Room(), np.random.default_rng(1)
    room.run(3)
    for _ in range(12):
        by = shift(float(rng.uniform(-6, 6)), float(rng.uniform(-6, 6)), float(rng.normal() * 1e-3))
        (room.move_mat if rng.random() < 0.5 else room.move_camera)(by)
        room.run(3)
    assert room.view_error_mm() < 0.4
    assert room.light_error_mm() < 1.0


def test_minutes_without_a_knock_say_nothing_and_look_about_once_a_second() -> None:
    room = Room(noise_px=0.1)
    room.run(10)
    room.looks = 0
    assert room.run(300) == []
    assert room.looks <= 320


def test_marks_lie_outside_of_zones_and_are_drawn_as_they_are_read() -> None:
    for path in builtin_layouts().values():
        layout = load_layout(path)
        places = mark_places(layout, mat_markers(layout.mat_mm))
        assert set(places) == {0, 1, 2, 3}
        for ground in mark_grounds(places):
            assert all(layout.place_at(x, y) is None for x, y in ground)
            assert all(abs(x) <= layout.mat_mm[0] / 2 and abs(y) <= layout.mat_mm[1] / 2 for x, y in ground)
        assert len(mark_shapes(places)) > 4 * 8


def test_a_profile_without_markers_is_not_watched() -> None:
    profile = Room().profile
    assert can_watch(profile)
    bare = Profile("now", profile.camera, Table(LAYOUT.mat_mm, CAMERA.inverse))
    assert not can_watch(bare)
    assert Aim.of(bare).light is None


def test_a_worker_beside_gives_its_result_once() -> None:
    worker = Beside()
    worker.start(lambda: Look(1.0, {}, {}))
    assert worker.busy
    worker.close()
    found = worker.done()
    assert found is not None and found.t_s == 1.0
    assert worker.done() is None and not worker.busy
