"""The room's light: it goes up, down or warmer while a game is on, and the camera's own exposure follows it.

Everything the eyes compare was seen in the light of the first look. So later pictures are brought back to that light:
by one factor a channel, the one by which most of the table has become brighter. What only a part of the table shows,
a hand, a card, a shadow, does not sway it; `vision.explained` follows that place by place.
"""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.values import Frame

_EVERY_PX: Final = 32
_DARKEST, _BRIGHTEST = 16.0, 240.0
"""Grey levels between which a px tells of the light: below is noise, above the sensor is full."""
_ENOUGH: Final = 0.25
"""So many of the px looked at must tell something."""
_MOST: Final = 0.65
"""So many of those must agree: not a half of the table in the shadow."""
_ALIKE: Final = 0.12
"""Px whose factors differ from the middle one by less than this agree with it."""
_NOTICED: Final = 0.02
"""A change by less than this is left alone: nothing is disturbed by it."""
_LIMITS: Final = (0.2, 5.0)
"""Beyond these factors it is no lamp: the camera is covered or dazzled."""

Levels = NDArray[np.float64]


class Lamp:
    """Remembers the light of the first frame, and gives every later one as it would look in that light."""

    def __init__(self) -> None:
        self._first: Levels | None = None
        self._factor: Levels = np.ones(3)
        self._table: NDArray[np.uint8] | None = None

    @property
    def factor(self) -> tuple[float, float, float]:
        """How much brighter blue, green and red are than at first."""
        blue, green, red = self._factor.tolist()
        return blue, green, red

    def even(self, frame: Frame) -> Frame:
        """The frame in the light of the first one; the very same one where the light has not changed."""
        now = frame.image[_EVERY_PX // 2 :: _EVERY_PX, _EVERY_PX // 2 :: _EVERY_PX].astype(np.float64)
        if self._first is None or self._first.shape != now.shape or _telling(self._first).mean() < _ENOUGH:
            self._first = now
        change = _change(self._first, now)
        if change is not None and np.abs(change / self._factor - 1).max() > _NOTICED:
            self._become(change)
        if self._table is None:
            return frame
        return replace(frame, image=np.asarray(cv2.LUT(frame.image, self._table), np.uint8))

    def _become(self, factor: Levels) -> None:
        steady = bool(np.abs(factor - 1).max() < _NOTICED / 2)
        self._factor = np.ones(3) if steady else factor
        levels = (np.arange(256)[:, None] / self._factor).round().clip(0, 255)
        self._table = None if steady else levels.astype(np.uint8)[None]


def _telling(levels: Levels) -> NDArray[np.bool_]:
    return np.asarray(((levels > _DARKEST) & (levels < _BRIGHTEST)).all(axis=2))


def _change(before: Levels, now: Levels) -> Levels | None:
    """By how much each channel of most px has become brighter, shape (3,); None where that cannot be told."""
    told = _telling(before) & (now < _BRIGHTEST).all(axis=2)
    if told.mean() < _ENOUGH:
        return None
    was, is_ = before[told], now[told]
    ratio = is_ / was
    middle = np.median(ratio, axis=0)
    if not ((middle > _LIMITS[0]) & (middle < _LIMITS[1])).all():
        return None
    agreed = (np.abs(ratio / middle - 1) < _ALIKE + 3.0 / was).all(axis=1)
    if agreed.mean() < _MOST:
        return None
    return np.asarray(is_[agreed].sum(axis=0) / was[agreed].sum(axis=0))
