"""A projector that may be unplugged: the game goes on without light, and the light comes back by itself."""

import logging
import time
from collections.abc import Callable
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from app.output import progress
from engine.errors import DeviceError

logger = logging.getLogger(__name__)

TRY_AGAIN_S: Final = 1.0


class Device(Protocol):
    """What shows pictures; `projection.display.Projector` is one."""

    def show(self, picture: NDArray[np.uint8]) -> object:
        """Shows an RGB picture. Raises DeviceError when the display is gone."""
        ...

    def is_lost(self) -> bool:
        """Whether the display is gone."""
        ...

    def close(self) -> None:
        """Gives the display back."""
        ...


class Light:
    """Shows pictures by the device that `open_device` gives, and opens it anew after it was lost."""

    def __init__(self, open_device: Callable[[], Device], clock: Callable[[], float] = time.monotonic) -> None:
        self._open_device, self._clock = open_device, clock
        self._device: Device | None = open_device()
        self._picture: NDArray[np.uint8] | None = None
        self._next_try = 0.0

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Shows `picture` now, or as soon as there is a display again."""
        self._picture = picture
        if self._device is not None:
            self._try_to_show(self._device, picture)

    def keep(self) -> None:
        """To be called every frame: notices a display that has gone, and one that has come back."""
        if self._device is not None:
            if self._device.is_lost():
                self._lost("its display is gone")
            return
        if self._clock() < self._next_try:
            return
        self._next_try = self._clock() + TRY_AGAIN_S
        try:
            self._device = self._open_device()
        except DeviceError as error:
            logger.debug("no projector yet: %s", error)
            return
        progress("the projector is back")
        if self._picture is not None:
            self._try_to_show(self._device, self._picture)

    def close(self) -> None:
        """Gives the display back."""
        if self._device is not None:
            self._device.close()
            self._device = None

    def _try_to_show(self, device: Device, picture: NDArray[np.uint8]) -> None:
        try:
            device.show(picture)
        except DeviceError as error:
            self._lost(str(error))

    def _lost(self, why: str) -> None:
        progress(f"no light from the projector: {why}")
        self.close()
        self._next_try = self._clock() + TRY_AGAIN_S
