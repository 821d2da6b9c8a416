"""Cameras and videos, with scripted devices in place of real ones."""

import itertools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.errors import DeviceError
from vision.capture import Camera, configure, open_camera, open_video


class ScriptedDevice:
    """A camera that plays back `pictures` and repeats the last; `stuck` are properties that cannot be set."""

    def __init__(self, pictures: list[Any], stuck: dict[int, float] | None = None) -> None:
        self.pictures = pictures
        self.stuck = stuck or {}
        self.values: dict[int, float] = {}
        self.order: list[int] = []
        self.reads = 0
        self.released = False

    def read(self) -> tuple[bool, Any]:
        picture = self.pictures[min(self.reads, len(self.pictures) - 1)]
        self.reads += 1
        return picture is not None, picture

    def get(self, propId: int, /) -> float:  # noqa: N803
        return self.stuck.get(propId, self.values.get(propId, 0.0))

    def set(self, propId: int, value: float, /) -> bool:  # noqa: N803
        self.order.append(propId)
        self.values[propId] = value
        return propId not in self.stuck

    def release(self) -> None:
        self.released = True


def noise(seed: int) -> Any:
    return np.random.default_rng(seed).integers(0, 255, (48, 64, 3), dtype=np.uint8)


def ticking(step_s: float) -> Callable[[], float]:
    """A clock that goes on by `step_s` each time it is read."""
    ticks = itertools.count()
    return lambda: next(ticks) * step_s


def test_a_camera_gives_each_picture_once_and_in_order() -> None:
    endless = [noise(i) for i in range(50)] * 100_000  # the thread that reads is faster than a busy machine's test
    device = ScriptedDevice(endless)
    with Camera(device, "test", (), ticking(0.001)) as camera:
        first, second = camera.read(), camera.read()
    assert second.index > first.index
    assert second.t_s > first.t_s
    assert np.array_equal(second.image, device.pictures[second.index])
    assert device.released


def test_a_grey_picture_is_given_in_three_channels() -> None:
    with Camera(ScriptedDevice([noise(1)[..., 0]]), "test", (), ticking(0.0)) as camera:
        assert camera.read().image.shape == (48, 64, 3)


def test_a_silent_camera_is_an_error_that_names_it() -> None:
    with (
        Camera(ScriptedDevice([None]), "overhead", (), ticking(0.01)) as camera,
        pytest.raises(DeviceError, match="overhead gives no picture"),
    ):
        camera.read(timeout_s=0.05)


def test_a_camera_that_repeats_the_same_bytes_is_frozen() -> None:
    with (
        Camera(ScriptedDevice([noise(1)]), "overhead", (), ticking(1.0)) as camera,
        pytest.raises(DeviceError, match="overhead is frozen"),
    ):
        for _ in range(10_000):
            camera.read()


def test_format_is_asked_for_before_size_and_rate() -> None:
    device = ScriptedDevice([noise(1)])
    assert configure(device, (1920, 1080), 30, "MJPG", {"gain": 40}) == ()
    assert device.order[:4] == [
        cv2.CAP_PROP_FOURCC,
        cv2.CAP_PROP_FRAME_WIDTH,
        cv2.CAP_PROP_FRAME_HEIGHT,
        cv2.CAP_PROP_FPS,
    ]


@pytest.mark.parametrize(
    ("stuck", "words"),
    [
        ({cv2.CAP_PROP_FRAME_WIDTH: 1280.0, cv2.CAP_PROP_FRAME_HEIGHT: 720.0}, "got 1280x720"),
        ({cv2.CAP_PROP_FOURCC: float(cv2.VideoWriter.fourcc(*"YUYV"))}, "YUYV"),
        ({cv2.CAP_PROP_FPS: 15.0}, "got 15"),
        ({cv2.CAP_PROP_GAIN: 80.0}, "gain was to be locked at 40 but is 80"),
        ({cv2.CAP_PROP_EXPOSURE: 300.0}, "exposure_us was to be locked at 16700 but is 30000"),
    ],
    ids=["size", "format", "rate", "gain", "exposure"],
)
def test_what_does_not_stick_is_said(stuck: dict[int, float], words: str) -> None:
    device = ScriptedDevice([noise(1)], stuck)
    complaints = configure(device, (1920, 1080), 30, "MJPG", {"gain": 40, "exposure_us": 16700})
    assert len(complaints) == 1
    assert words in complaints[0]


def test_an_unknown_control_is_named() -> None:
    assert "zoom" in configure(ScriptedDevice([noise(1)]), (64, 48), 30, "MJPG", {"zoom": 2})[0]


def test_a_control_on_which_the_driver_breaks_costs_only_itself() -> None:
    class Brittle(ScriptedDevice):
        def set(self, propId: int, value: float, /) -> bool:  # noqa: N803
            if propId in (cv2.CAP_PROP_GAIN, cv2.CAP_PROP_AUTO_EXPOSURE):
                raise BrokenPipeError("control 9963795")
            return super().set(propId, value)

        def get(self, propId: int, /) -> float:  # noqa: N803
            if propId == cv2.CAP_PROP_GAIN:
                raise BrokenPipeError("control 9963795")
            return super().get(propId)

    device = Brittle([noise(1)])
    complaints = configure(device, (64, 48), 30, "MJPG", {"gain": 40, "exposure_us": 16700, "focus": 30})
    assert complaints == ("gain was to be locked at 40 but is 0",)
    assert device.values[cv2.CAP_PROP_FOCUS] == 30 and device.values[cv2.CAP_PROP_EXPOSURE] == 167


def test_a_camera_that_hangs_inside_its_driver_is_told_by_the_watchdog() -> None:
    hung = threading.Event()

    class Hanging(ScriptedDevice):
        def read(self) -> tuple[bool, Any]:
            if self.reads > 0:
                hung.wait(10)  # as a network camera does whose cable was pulled
            return super().read()

    camera = Camera(Hanging([noise(1), None]), "overhead", (), ticking(0.001))
    try:
        camera.read()
        with pytest.raises(DeviceError, match="overhead gives no picture any more"):
            camera.read(timeout_s=0.05)
    finally:
        hung.set()
        camera.close()


def test_a_camera_that_is_not_there_is_named() -> None:
    with pytest.raises(DeviceError, match="no camera no-such-camera"):
        open_camera("no-such-camera", (640, 480))


def written(path: Path, frames: int) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    for i in range(frames):
        writer.write(np.full((48, 64, 3), 10 * i, np.uint8))
    writer.release()
    return path


def test_a_video_gives_its_frames_then_none(tmp_path: Path) -> None:
    with open_video(written(tmp_path / "frames.mkv", 5)) as video:
        assert video.fps == pytest.approx(20)
        pictures = [video.read() for _ in range(6)]
    assert pictures[5] is None
    means = [float(p.mean()) for p in pictures[:5] if p is not None]
    assert means == pytest.approx([0, 10, 20, 30, 40], abs=3)


def test_a_video_torn_off_in_its_last_frame_gives_the_frames_before(tmp_path: Path) -> None:
    path = written(tmp_path / "frames.mkv", 12)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * 0.7)])
    with open_video(path) as video:
        count = 0
        while video.read() is not None:
            count += 1
    assert 4 <= count < 12


def test_a_file_that_is_no_video_is_named(tmp_path: Path) -> None:
    (tmp_path / "frames.mkv").write_bytes(b"no video at all")
    with pytest.raises(DeviceError, match=r"frames\.mkv"):
        open_video(tmp_path / "frames.mkv")
    with pytest.raises(DeviceError, match=r"other\.mkv"):
        open_video(tmp_path / "other.mkv")
