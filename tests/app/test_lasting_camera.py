"""Cameras that are lost, freeze, go black, slow down, change size or brightness while people play."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.camera_health import BLACK_S, DRIFT_S, Health
from app.camera_venue import CameraVenue, tell_knocks
from app.follow import Moment
from app.lasting_camera import NOTICED_S, TRY_AGAIN_S, LastingCamera
from app.lights import Lights
from app.loop import RGB, Desk, Ending, play
from app.orders import AnyOrder, Order
from app.tables import Real
from app.unseen import Unseen
from engine.errors import DeviceError
from engine.events import Knocked
from engine.guidance import Guidance
from engine.words import sentences
from tests.app import fakes
from vision.values import Frame, Observation

SIZE = (64, 48)


def picture(level: float = 120.0, size: tuple[int, int] = SIZE, seed: int = 1) -> Any:
    rng = np.random.default_rng(seed)
    return np.clip(rng.normal(level, 6, (size[1], size[0], 3)), 0, 255).astype(np.uint8)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Scripted:
    """A camera that gives `pictures`, 1/30 s apart; None: nothing comes and the wait is over; text: that error."""

    def __init__(self, clock: Clock, pictures: Sequence[Any]) -> None:
        self.clock, self.pictures = clock, list(pictures)
        self.start, self.count = clock.now, 0
        self.closed = False

    def read(self, timeout_s: float = 2.0) -> Frame:
        what = self.pictures[min(self.count, len(self.pictures) - 1)]
        self.count += 1
        if what is None:
            self.clock.now += timeout_s
            raise DeviceError("camera overhead gives no picture any more; check its cable")
        if isinstance(what, str):
            raise DeviceError(what)
        self.clock.now += 1 / 30
        return Frame(what, self.clock.now - self.start, self.count)

    def close(self) -> None:
        self.closed = True


def camera(clock: Clock, devices: list[Any], fps: float = 30.0) -> LastingCamera:
    """The devices are those that opening gives, one after the other; text: opening fails so."""

    def opened() -> Scripted:
        device = devices.pop(0) if len(devices) > 1 or not isinstance(devices[0], str) else devices[0]
        if isinstance(device, str):
            raise DeviceError(device)
        device.start = clock.now
        assert isinstance(device, Scripted)
        return device

    return LastingCamera(opened, "overhead", SIZE, fps, clock, clock.sleep)


def until_seen(eye: LastingCamera, clock: Clock, limit_s: float = 30.0) -> tuple[Frame, float]:
    start = clock.now
    while clock.now < start + limit_s:
        try:
            return eye.read(), clock.now - start
        except Unseen:
            continue
    raise AssertionError("the camera did not come back")


def test_a_lost_camera_is_noticed_within_a_second_and_comes_back_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    first, again = Scripted(clock, [picture(), picture(), None]), Scripted(clock, [picture()])
    eye = camera(clock, [first, "no camera overhead", "no camera overhead", again])
    before = [eye.read(), eye.read()]
    start = clock.now
    with pytest.raises(Unseen, match="check its cable") as caught:
        eye.read()
    assert clock.now - start <= 1.0
    assert caught.value.words == sentences()("camera_lost")
    assert first.closed
    frame, took_s = until_seen(eye, clock)
    assert took_s <= 5.0
    assert frame.t_s > before[-1].t_s + NOTICED_S  # the session's time went on meanwhile
    said = capsys.readouterr().err
    assert said.count("check its cable; the game waits") == 1 and "camera overhead is back" in said


def test_a_frozen_camera_is_opened_anew() -> None:
    clock = Clock()
    frozen = Scripted(clock, [picture(), "camera overhead is frozen: always the same picture"])
    eye = camera(clock, [frozen, Scripted(clock, [picture(seed=2)])])
    eye.read()
    took_s = until_seen(eye, clock)[1]
    assert frozen.closed and took_s <= TRY_AGAIN_S + 0.5


def test_while_it_is_away_orders_are_heard_ten_times_a_second() -> None:
    clock = Clock()
    eye = camera(clock, [Scripted(clock, [picture(), None]), "no camera overhead"])
    eye.read()
    times = []
    for _ in range(40):
        with pytest.raises(Unseen):
            eye.read()
        times.append(clock.now)
    assert max(np.diff(times[1:])) <= 0.11


def test_a_camera_that_comes_back_with_another_size_is_not_used() -> None:
    clock = Clock()
    eye = camera(clock, [Scripted(clock, [picture(size=(32, 24))]), Scripted(clock, [picture()])])
    with pytest.raises(Unseen, match="gives 32x24 now, but the calibration is for 64x48") as caught:
        eye.read()
    assert caught.value.words == sentences()("camera_other")


def test_black_pictures_are_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    black = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    eye = camera(clock, [Scripted(clock, [picture(), *[black] * 30, picture()])])
    eye.read()
    seen, unseen = 0, 0
    for _ in range(30):
        try:
            eye.read()
            seen += 1
        except Unseen as dark:
            assert dark.words == sentences()("camera_dark")
            unseen += 1
    assert seen / 30 <= BLACK_S + 0.1 and unseen > 10
    assert eye.read().image.mean() > 50
    assert capsys.readouterr().err.count("shows black") == 1


def said_by(health: Health, frames: Sequence[Frame]) -> list[str]:
    return [sentence for frame in frames for sentence in health.see(frame).said]


def frames(count: int, fps: float, level: float = 120.0, start_s: float = 0.0, index: int | None = None) -> list[Frame]:
    image, first = picture(level), round(30 * start_s) if index is None else index
    return [Frame(image, start_s + i / fps, first + i) for i in range(count)]


def test_slow_frames_are_said_once_and_that_they_are_right_again() -> None:
    health = Health("overhead", 30.0)
    assert said_by(health, frames(150, 30.0)) == []
    slow = said_by(health, frames(75, 12.0, start_s=5.0, index=150))
    assert len(slow) == 1 and "not 30" in slow[0] and "exposure" in slow[0]
    right = said_by(health, frames(150, 30.0, start_s=11.3, index=225))
    assert len(right) == 1 and right[0].endswith("pictures a second again")


def test_frames_that_the_pipeline_left_out_do_not_make_a_camera_slow() -> None:
    every_third = [Frame(picture(), i / 30, i) for i in range(0, 300, 3)]
    assert said_by(Health("overhead", 30.0), every_third) == []


@pytest.mark.parametrize(("level", "way"), [(60.0, "darker"), (220.0, "brighter")])
def test_exposure_that_drifts_is_said_after_a_while_and_once(level: float, way: str) -> None:
    health = Health("overhead", 30.0)
    said_by(health, frames(120, 30.0))
    assert said_by(health, frames(60, 30.0, level, start_s=4.0)) == []  # a passing shadow
    found = said_by(health, frames(round(30 * DRIFT_S) + 60, 30.0, level, start_s=6.0))
    assert len(found) == 1 and way in found[0] and "not locked" in found[0]
    assert len(said_by(health, frames(60, 30.0, start_s=16.0))) == 1


def test_our_own_light_is_no_drift() -> None:
    health = Health("overhead", 30.0)
    said_by(health, frames(120, 30.0))
    assert said_by(health, frames(400, 30.0, 150.0, start_s=4.0)) == []


def test_the_mat_says_that_the_camera_is_gone_and_the_game_goes_on() -> None:
    clock, profile = Clock(), fakes.profile()
    image = picture(size=fakes.SIZE)
    first = Scripted(clock, [image, image, None])
    devices: list[Any] = [first, "no camera", Scripted(clock, [image])]

    def opened() -> Scripted:
        device = devices.pop(0)
        if isinstance(device, str):
            raise DeviceError(device)
        device.start = clock.now
        assert isinstance(device, Scripted)
        return device

    eye = LastingCamera(opened, "overhead", fakes.SIZE, 30.0, clock, clock.sleep)
    shown: list[RGB] = []
    table = Real(eye.read, shown.append, eye.close, profile)
    follower = fakes.told(fakes.facts())(_setup(), lambda _: None, profile.size_px)
    lights = Lights(profile, fakes.LAYOUT, fakes.GAME, "en")
    asked = 0

    def orders() -> Sequence[AnyOrder]:
        nonlocal asked
        asked += 1
        return (Order.QUIT,) if asked > 40 else ()

    follower.begin()
    assert play(table, follower, lights, Desk(orders, lambda *_: None), lambda: None, None) is Ending.QUIT
    notice = lights.notice(sentences()("camera_lost"))
    assert any(np.array_equal(one, notice) for one in shown)
    assert not np.array_equal(shown[-1], notice)  # and the game is shown again


def _setup() -> Any:
    from app.session import SessionInfo
    from app.setup import Setup

    info = SessionInfo(fakes.GAME.name, 2, 0, "layout.yaml", "none")
    return Setup(info, fakes.GAME, fakes.LAYOUT, fakes.profile(), fakes.DECK)


def test_a_table_under_a_camera_lets_it_go_and_come_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock, image = Clock(), picture(size=fakes.SIZE)

    class Live(Scripted):
        complaints = ("asked for 30 frames a second, got 15",)

    opened = [Live(clock, [image, image, None]), Live(clock, [image])]
    left = list(opened)

    def open_camera(*_: Any) -> Live:
        device = left.pop(0)
        device.start = clock.now
        return device

    monkeypatch.setattr("app.camera_venue.open_camera", open_camera)
    monkeypatch.setattr("app.lasting_camera.TRY_AGAIN_S", 0.0)
    venue = CameraVenue("overhead", fakes.profile(), "calibration.yaml", None, None)
    table = venue.open(fakes.wish(Path()), 0, 0.0)
    first = table.read()
    assert first is not None and first.t_s == 0.0
    with pytest.raises(Unseen):
        table.read()
    assert opened[0].closed
    seen = table.read()
    assert seen is not None and seen.index == 1 and seen.t_s >= first.t_s
    venue.close()
    assert opened[1].closed
    said = capsys.readouterr().err
    assert "got 15" in said and "the game waits" in said and "is back" in said


def test_the_operator_reads_what_was_knocked(capsys: pytest.CaptureFixture[str]) -> None:
    moment = Moment(0, 12.4, Observation(12.4, ()), (Knocked(12.4, "mat", 8.02, (), "followed"),), Guidance())
    tell_knocks(Frame(picture(), 12.4, 0), moment, picture())
    assert capsys.readouterr().err == "12 s: mat 8.0 mm: followed\n"
