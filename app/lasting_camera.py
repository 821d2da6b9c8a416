"""A camera that may be unplugged, freeze or go black: the game waits, and goes on by itself when it is back."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from app.camera_health import Health
from app.output import progress
from app.unseen import Unseen
from engine.errors import DeviceError
from engine.words import sentences
from vision.values import Frame

NOTICED_S: Final = 0.8
"""A camera that gives nothing for so long is lost."""
TRY_AGAIN_S: Final = 1.0


class Device(Protocol):
    """A live camera; `vision.capture.Camera` is one."""

    def read(self, timeout_s: float = ...) -> Frame:
        """The newest picture. Raises DeviceError where there is none."""
        ...

    def close(self) -> None:
        """Lets go of it."""
        ...


class LastingCamera:
    """Reads the camera that `open_device` gives, and opens it anew after it was lost. Times go on across that.

    `size_px` is what its pictures must be.
    """

    def __init__(
        self,
        open_device: Callable[[], Device],
        name: str,
        size_px: tuple[int, int],
        fps: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._open_device, self._clock, self._sleep = open_device, clock, sleep
        self._name, self._size_px, self._fps = name, size_px, fps
        self._start = self._opened = clock()
        self._device: Device | None = open_device()
        self._health = Health(name, fps)
        self._next_try = self._last_s = 0.0
        self._why = ""

    def read(self) -> Frame:
        """The newest picture, `t_s` since the first opening. Raises Unseen while there is none that can be used."""
        if self._device is None:
            self._try_again()
        try:
            frame = self._frame()
        except DeviceError as error:
            if isinstance(error, Unseen):
                raise
            raise self._lost(str(error)) from error
        height, width = frame.image.shape[:2]
        if (width, height) != self._size_px:
            raise self._unusable(
                "camera_other",
                f"camera {self._name} gives {width}x{height} now, but the calibration is for "
                f"{self._size_px[0]}x{self._size_px[1]}; unplug it and plug it in",
            )
        verdict = self._health.see(frame)
        for sentence in verdict.said:
            progress(f"note: {sentence}")
        if verdict.black:
            raise self._unusable("camera_dark", f"camera {self._name} shows black: is its lens covered, its light off?")
        if self._why:
            progress(f"camera {self._name} is back")
            self._why = ""
        return frame

    def close(self) -> None:
        """Lets go of the camera."""
        if self._device is not None:
            self._device.close()
            self._device = None

    def _frame(self) -> Frame:
        assert self._device is not None
        frame = self._device.read(NOTICED_S)
        self._last_s = max(self._last_s, frame.t_s + self._opened - self._start)  # time never goes back
        return replace(frame, t_s=self._last_s)

    def _try_again(self) -> None:
        """Opens the camera anew, not more often than once a second. Raises Unseen where it is not there."""
        wait_s = self._next_try - self._clock()
        if wait_s > 0:
            self._sleep(min(0.1, wait_s))  # orders are heard meanwhile
            raise Unseen(sentences()("camera_lost"), self._why)
        self._next_try = self._clock() + TRY_AGAIN_S
        try:
            opened = self._clock()
            self._device = self._open_device()
        except DeviceError as error:
            raise Unseen(sentences()("camera_lost"), str(error)) from error
        self._opened = opened
        self._health = Health(self._name, self._fps)

    def _lost(self, why: str) -> Unseen:
        self.close()
        self._next_try = self._clock() + TRY_AGAIN_S / 2
        return self._unusable("camera_lost", why)

    def _unusable(self, key: str, why: str) -> Unseen:
        if why != self._why:
            progress(f"{why}; the game waits")
            self._why = why
        return Unseen(sentences()(key), why)
