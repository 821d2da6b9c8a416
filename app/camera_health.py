"""Whether a camera's pictures are as they were: not black, not slower than asked for, not brighter or darker."""

import logging
from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.values import Frame

logger = logging.getLogger(__name__)

BLACK: Final = 4.0
"""Below this mean grey level there is nothing to be seen."""
BLACK_S: Final = 0.5
SLOW_SHARE: Final = 0.6
"""Fewer than this share of the frames asked for are said; more than `RIGHT_SHARE` are right again."""
RIGHT_SHARE: Final = 0.8
WINDOW_S: Final = 3.0
DRIFT: Final = 1.5
"""So many times brighter or darker than at the start is said."""
DRIFT_BACK: Final = 1.25
DRIFT_S: Final = 5.0
_START_S: Final = 2.0
_THIN: Final = 16


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a frame is: `black` shows nothing for a while. `said` are new sentences for the operator."""

    black: bool = False
    said: tuple[str, ...] = ()


class Health:
    """Judges one camera's frames in order. `fps` is what was asked for."""

    def __init__(self, name: str, fps: float) -> None:
        self._name, self._fps = name, fps
        self._black_since_s: float | None = None
        self._times: deque[tuple[float, int]] = deque()
        self._slow = False
        self._usual: list[float] = []
        self._usual_s: float | None = None
        self._drifted: str = ""
        self._drift_since_s: float | None = None

    def see(self, frame: Frame) -> Verdict:
        """What is to be said of the next frame; `frame.index` counts all that the camera gave."""
        level = float(frame.image[::_THIN, ::_THIN].mean())
        if level < BLACK:
            self._black_since_s = frame.t_s if self._black_since_s is None else self._black_since_s
            return Verdict(black=frame.t_s - self._black_since_s >= BLACK_S)
        self._black_since_s = None
        said = (*self._rate(frame), *self._brightness(frame))
        for sentence in said:
            logger.warning("%s", sentence)
        return Verdict(said=said)

    def _rate(self, frame: Frame) -> tuple[str, ...]:
        times = self._times
        times.append((frame.t_s, frame.index))
        while times[-1][0] - times[0][0] > WINDOW_S:
            times.popleft()
        (first_s, first), (last_s, last) = times[0], times[-1]
        if last_s - first_s < 0.7 * WINDOW_S:
            return ()
        rate = (last - first) / (last_s - first_s)
        if not self._slow and rate < SLOW_SHARE * self._fps:
            self._slow = True
            return (
                f"camera {self._name} gives {rate:.0f} pictures a second, not {self._fps:g}: more light, a fixed "
                "exposure, or another USB socket helps",
            )
        if self._slow and rate > RIGHT_SHARE * self._fps:
            self._slow = False
            return (f"camera {self._name} gives {rate:.0f} pictures a second again",)
        return ()

    def _brightness(self, frame: Frame) -> tuple[str, ...]:
        level = float(np.median(frame.image[::_THIN, ::_THIN, 1])) + 1.0
        if self._usual_s is None or frame.t_s - self._usual_s < _START_S:
            self._usual_s = frame.t_s if self._usual_s is None else self._usual_s
            self._usual.append(level)
            return ()
        ratio = level / float(np.median(self._usual))
        way = "brighter" if ratio > 1 else "darker"
        share = max(ratio, 1 / ratio)
        if self._drifted:
            if share < DRIFT_BACK:
                self._drifted, self._drift_since_s = "", None
                return (f"camera {self._name}: its picture is as bright as at the start again",)
            return ()
        if share < DRIFT:
            self._drift_since_s = None
            return ()
        self._drift_since_s = frame.t_s if self._drift_since_s is None else self._drift_since_s
        if frame.t_s - self._drift_since_s < DRIFT_S:
            return ()
        self._drifted = way
        return (
            f"camera {self._name}: its picture is {share:.1f} times {way} than at the start; if no lamp was switched, "
            "its exposure is not locked: hanafuda doctor",
        )
