"""The only place that opens cameras and videos."""

import logging
import math
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import DeviceError
from vision.values import Frame

logger = logging.getLogger(__name__)

_RATE_IF_UNKNOWN: Final = 30.0
_BY_ID: Final = Path("/dev/v4l/by-id")
_SILENT_S: Final = 2.0  # without a new picture for so long the camera counts as lost
_FROZEN_S: Final = 3.0  # the very same picture for so long: a live one always has noise
_CONTROLS: Final[Mapping[str, tuple[tuple[tuple[int, float], ...], int, float]]] = {
    # name in a profile: what to switch off first, the property, how many of its units one of ours is
    "exposure_us": (((cv2.CAP_PROP_AUTO_EXPOSURE, 1.0),), cv2.CAP_PROP_EXPOSURE, 0.01),  # Video4Linux: 1 is manual
    "gain": ((), cv2.CAP_PROP_GAIN, 1.0),
    "white_balance_k": (((cv2.CAP_PROP_AUTO_WB, 0.0),), cv2.CAP_PROP_WB_TEMPERATURE, 1.0),
    "focus": (((cv2.CAP_PROP_AUTOFOCUS, 0.0),), cv2.CAP_PROP_FOCUS, 1.0),
}


class Device(Protocol):
    """What a camera must do: the part of cv2.VideoCapture that is used."""

    def read(self) -> tuple[bool, Any]:
        """Whether there is a picture, and the picture."""
        ...

    def get(self, propId: int, /) -> float:  # noqa: N803  # OpenCV's name
        """A property's value."""
        ...

    def set(self, propId: int, value: float, /) -> bool:  # noqa: N803  # OpenCV's name
        """Sets a property; whether the driver took it."""
        ...

    def release(self) -> None:
        """Closes the device."""
        ...


class Camera:
    """A live camera. A thread reads it all the time and keeps the newest picture only.

    `complaints` says in words what of the wished size, rate and controls did not stick.
    """

    def __init__(self, device: Device, name: str, complaints: tuple[str, ...], clock: Callable[[], float]) -> None:
        self.name = name
        self.complaints = complaints
        self._device = device
        self._clock = clock
        self._start = clock()
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._given = -1
        self._changed_s = self._heard_s = 0.0
        self._closing = False
        self._thread = threading.Thread(target=self._listen, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self, timeout_s: float = _SILENT_S) -> Frame:
        """The newest picture that was not given yet, `t_s` since the camera was opened; waits for it.

        Raises DeviceError when the camera is silent for `timeout_s`, or shows the very same picture for seconds.
        """
        with self._news:
            if not self._news.wait_for(lambda: self._fresh() or self._closing, timeout_s) or self._frame is None:
                raise DeviceError(f"camera {self.name} gives no picture any more; check its cable, then start again")
            if self._closing:
                raise DeviceError(f"camera {self.name} is closed")
            if self._heard_s - self._changed_s > _FROZEN_S:
                raise DeviceError(f"camera {self.name} is frozen: always the same picture; unplug it and plug it in")
            self._given = self._frame.index
            return self._frame

    def close(self) -> None:
        """Lets go of the camera."""
        with self._news:
            self._closing = True
            self._news.notify_all()
        self._thread.join(timeout=_SILENT_S)
        self._device.release()

    def _fresh(self) -> bool:
        return self._frame is not None and self._frame.index > self._given

    def _listen(self) -> None:
        """Reads until closed. Failures are told by silence: a camera may stutter."""
        index, last = 0, None
        while not self._closing:
            image = next_picture(self._device)
            if image is None:
                time.sleep(0.01)
                continue
            now = self._clock() - self._start
            mark = zlib.crc32(np.ascontiguousarray(image[::8]).data)
            with self._news:
                self._heard_s = now
                self._changed_s = now if mark != last else self._changed_s
                self._frame = Frame(image, now, index)
                self._news.notify_all()
            index, last = index + 1, mark

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_camera(
    camera: int | str,
    size_px: tuple[int, int],
    fps: float = 30.0,
    fourcc: str = "MJPG",
    locked: Mapping[str, float] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Camera:
    """The camera with that number, path or name (of /dev/v4l/by-id), set up and read back.

    `locked` holds controls as in a profile: exposure_us, gain, white_balance_k, focus. Raises DeviceError where there
    is no such camera or it gives no picture; what else does not stick is in the camera's `complaints`.
    """
    device = open_device(camera)
    complaints = configure(device, size_px, fps, fourcc, locked or {})
    first = next_picture(device)
    if first is None:
        device.release()
        raise DeviceError(f"camera {camera} opens but gives no picture; another program may be using it")
    if (first.shape[1], first.shape[0]) != size_px and not any("x" in c for c in complaints):
        complaints += (f"asked for {size_px[0]}x{size_px[1]}, the pictures are {first.shape[1]}x{first.shape[0]}",)
    for complaint in complaints:
        logger.warning("camera %s: %s", camera, complaint)
    return Camera(device, str(camera), complaints, clock)


def configure(
    device: Device, size_px: tuple[int, int], fps: float, fourcc: str, locked: Mapping[str, float]
) -> tuple[str, ...]:
    """Sets format, size, rate and controls, in the order that drivers need, and says what did not stick."""
    complaints = []
    set_control(device, cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*fourcc))
    set_control(device, cv2.CAP_PROP_FRAME_WIDTH, size_px[0])
    set_control(device, cv2.CAP_PROP_FRAME_HEIGHT, size_px[1])
    set_control(device, cv2.CAP_PROP_FPS, fps)
    got = round(get_control(device, cv2.CAP_PROP_FRAME_WIDTH)), round(get_control(device, cv2.CAP_PROP_FRAME_HEIGHT))
    if got != size_px:
        complaints.append(f"asked for {size_px[0]}x{size_px[1]}, got {got[0]}x{got[1]}")
    code = int(get_control(device, cv2.CAP_PROP_FOURCC)).to_bytes(4, "little", signed=True).decode("latin-1")
    if code != fourcc:
        complaints.append(f"asked for {fourcc}, got {code.strip() or 'another format'!r}")
    rate = get_control(device, cv2.CAP_PROP_FPS)
    if rate > 0 and abs(rate - fps) > 0.05 * fps:
        complaints.append(f"asked for {fps:g} frames a second, got {rate:g}")
    for name, value in locked.items():
        if name not in _CONTROLS:
            complaints.append(f"{name} is no control that can be locked; known are {', '.join(_CONTROLS)}")
            continue
        switches, control, factor = _CONTROLS[name]
        for switch, off in switches:
            set_control(device, switch, off)
        set_control(device, control, value * factor)
        is_now = get_control(device, control) / factor
        if abs(is_now - value) > max(0.05 * abs(value), 1.0 / factor if factor < 1 else 0.5):
            complaints.append(f"{name} was to be locked at {value:g} but is {is_now:g}")
    return tuple(complaints)


def set_control(device: Device, control: int, value: float) -> bool:
    """Sets a control; False where the driver refuses or breaks on it: the others are tried all the same."""
    try:
        return device.set(control, value)
    except (cv2.error, OSError) as problem:
        logger.debug("control %d: %s", control, problem)
        return False


def get_control(device: Device, control: int) -> float:
    """A control's value; 0 where the driver breaks on it."""
    try:
        return float(device.get(control))
    except (cv2.error, OSError) as problem:
        logger.debug("control %d: %s", control, problem)
        return 0.0


def next_picture(device: Device) -> NDArray[np.uint8] | None:
    """The next picture, uint8 (H, W, 3) BGR; None where there is none."""
    try:
        found, image = device.read()
    except cv2.error:
        return None
    if not found or image is None or image.size == 0:
        return None
    if image.ndim == 2 or image.shape[2] == 1:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    return np.asarray(image, dtype=np.uint8)


def _source(camera: int | str) -> int | str:
    """What OpenCV opens for a camera's number, path or name."""
    if isinstance(camera, int) or camera.isdigit():
        number = int(camera)
        if Path("/dev").is_dir() and Path("/sys/class").is_dir() and not Path(f"/dev/video{number}").exists():
            known = ", ".join(list_cameras()) or "none is plugged in"
            raise DeviceError(f"no camera {number}: there is no /dev/video{number} (there is: {known})")
        return number
    path = Path(camera) if "/" in camera else _BY_ID / camera
    if not path.exists():
        known = ", ".join(list_cameras()) or "none is plugged in"
        raise DeviceError(f"no camera {camera}: there is no {path} (there is: {known})")
    return str(path)


class Video:
    """A video file, read frame by frame. Raises DeviceError where the file is none that can be opened."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise DeviceError(f"{path}: there is no such video")
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise DeviceError(f"{path}: is no video that can be opened")

    @property
    def fps(self) -> float:
        """Frames a second as the file says, 30 where it says nothing sensible."""
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        return float(rate) if math.isfinite(rate) and 0 < rate <= 1000 else _RATE_IF_UNKNOWN

    def read(self) -> NDArray[np.uint8] | None:
        """The next picture, uint8 (H, W, 3) BGR; None at the end, and from where the file is damaged."""
        return next_picture(self._capture)

    def seek(self, index: int) -> None:
        """Makes picture `index` (from 0) the next to be read."""
        self._capture.set(cv2.CAP_PROP_POS_FRAMES, index)

    def close(self) -> None:
        """Closes the file."""
        self._capture.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_device(camera: int | str) -> Device:
    """A camera as the driver gives it, nothing set, to be released. Raises DeviceError."""
    device = cv2.VideoCapture(_source(camera))
    if not device.isOpened():
        device.release()
        known = ", ".join(list_cameras()) or "none is plugged in"
        raise DeviceError(f"no camera {camera}: it cannot be opened (there is: {known})")
    return device


def open_video(path: Path) -> Video:
    """The video file at `path`, to be closed. Raises DeviceError."""
    return Video(path)


def list_cameras() -> tuple[str, ...]:
    """Stable names of the cameras of this machine, as `play --camera` takes them."""
    by_id = sorted(Path("/dev/v4l/by-id").glob("*-video-index0")) if Path("/dev/v4l/by-id").is_dir() else []
    return tuple(path.name for path in by_id) or tuple(str(path) for path in sorted(Path("/dev").glob("video*")))
