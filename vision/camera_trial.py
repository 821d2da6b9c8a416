"""Tries a camera as `doctor` does: what it gives, how fast, and whether its exposure obeys, seen in its pictures."""

import math
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import DeviceError
from vision.capture import Device, configure, get_control, next_picture, open_device, set_control

_TRIED: Final = 30  # pictures that are looked at
_SETTLING: Final = 60  # so many until a camera's automatics have settled
_DELAYED: Final = 10  # a change of exposure is seen some pictures later
_MISSING: Final = 30
_DARKER: Final = 0.88


@dataclass(frozen=True, slots=True)
class Tried:
    """What a camera did when it was tried: pictures as they came, and whether its exposure obeys (None: unknown).

    `level` is the mean grey level, `white` the share of px that are as bright as can be.
    """

    size_px: tuple[int, int]
    fps: float
    level: float
    white: float
    frozen: bool
    obeys: bool | None
    complaints: tuple[str, ...]


def try_camera(
    camera: int | str, size_px: tuple[int, int], fps: float, fourcc: str, locked: Mapping[str, float]
) -> Tried:
    """Opens a camera, looks at some seconds of its pictures, sets its exposure and looks again. Raises DeviceError."""
    device = open_device(camera)
    try:
        return examine_device(device, str(camera), size_px, fps, fourcc, locked)
    finally:
        device.release()


def examine_device(
    device: Device,
    name: str,
    size_px: tuple[int, int],
    fps: float,
    fourcc: str,
    locked: Mapping[str, float],
    clock: Callable[[], float] = time.monotonic,
) -> Tried:
    """The same for a device that is open. Raises DeviceError where it gives no picture."""
    complaints = configure(device, size_px, fps, fourcc, locked)
    _settled(device, name)
    start, marks, image = clock(), set(), None
    for _ in range(_TRIED):
        image = _next(device, name)
        marks.add(zlib.crc32(np.ascontiguousarray(image[::8]).data))
    took = clock() - start
    assert image is not None
    height, width = image.shape[:2]
    level, white = float(image.mean()), float((image.min(axis=2) >= 250).mean())
    obeys = _exposure_obeys(device, name)
    rate = _TRIED / took if took > 0 else fps
    return Tried((width, height), rate, level, white, len(marks) == 1, obeys, complaints)


def _exposure_obeys(device: Device, name: str) -> bool | None:
    """Whether half the exposure makes the picture darker; None where the camera tells no exposure. It is set back."""
    was_auto, was = get_control(device, cv2.CAP_PROP_AUTO_EXPOSURE), get_control(device, cv2.CAP_PROP_EXPOSURE)
    if was == 0 or not math.isfinite(was):
        return None
    before = _settled(device, name)
    set_control(device, cv2.CAP_PROP_AUTO_EXPOSURE, 1.0)
    set_control(
        device, cv2.CAP_PROP_EXPOSURE, was / 2 if was > 0 else was - 1
    )  # some drivers count in powers of two, below 0
    after = _settled(device, name)
    set_control(device, cv2.CAP_PROP_EXPOSURE, was)
    set_control(device, cv2.CAP_PROP_AUTO_EXPOSURE, was_auto)
    return after < _DARKER * before


def _settled(device: Device, name: str) -> float:
    """The mean level once it changes no more from picture to picture, or after a while."""
    levels: list[float] = []
    for _ in range(_SETTLING):
        levels.append(float(_next(device, name)[::8, ::8].mean()))
        last = levels[-6:]
        if len(last) == 6 and max(last) - min(last) < 0.02 * max(last) + 0.5 and len(levels) > _DELAYED:
            break
    return levels[-1]


def _next(device: Device, name: str) -> NDArray[np.uint8]:
    """The next picture; a few may be missing. Raises DeviceError."""
    for _ in range(_MISSING):
        image = next_picture(device)
        if image is not None:
            return image
    raise DeviceError(f"camera {name} opens but gives no picture; another program may be using it")
