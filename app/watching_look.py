"""One look at the table's markers and marks of light, in small pieces of the picture, at once or beside the frames."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from app.watching_aim import Places
from calibration import opencv
from calibration.marker_edges import refine
from calibration.marks import DICTIONARY, FIRST, find_near
from calibration.mat_pose import see_markers
from calibration.profile import Markers

_AROUND: Final = 1.1  # sides of a marker around it: so far it may have moved
_LEAST_PX: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """Corners of printed markers and of marks of light in a frame, distorted px (4, 2) by number."""

    t_s: float
    printed: Places
    lights: Places


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """Where markers and marks should be seen, distorted px (4, 2) by number."""

    printed: Places
    lights: Places


def mean_of(one: Look, other: Look) -> Look:
    """Two looks at a table at rest as one, with less noise; what only one saw is taken from it."""
    printed = {**one.printed, **other.printed, **_means(one.printed, other.printed)}
    lights = {**one.lights, **other.lights, **_means(one.lights, other.lights)}
    return Look(other.t_s, printed, lights)


def _means(one: Places, other: Places) -> Places:
    return {n: (one[n] + other[n]) / 2 for n in set(one) & set(other)}


def look(image: NDArray[np.uint8], t_s: float, markers: Markers, expected: Expected, everywhere: bool) -> Look:
    """What is seen in a picture, uint8 (H, W, 3) BGR, near where it is expected.

    With `everywhere` the whole picture is searched for what is missing there, which takes ten times as long.
    """
    printed = _near(image, expected.printed, lambda part: see_markers(part, markers))
    count = max(expected.lights, default=-1) + 1
    lights = _near(image, expected.lights, lambda part: _see_lights(part, count), faint=True)
    few_printed, few_lights = len(printed) < min(3, len(expected.printed)), len(lights) < min(2, len(expected.lights))
    if everywhere and (few_printed or few_lights):
        grey = _grey(image)
        printed = see_markers(grey, markers) if few_printed else printed
        lights = _see_lights(grey, count) if few_lights else lights
    return Look(t_s, printed, lights)


def _near(
    image: NDArray[np.uint8],
    expected: Places,
    see: Callable[[NDArray[np.float32]], Mapping[int, NDArray[np.float64]]],
    faint: bool = False,
) -> dict[int, NDArray[np.float64]]:
    """What is seen near its expected place; with `faint` also what only looks like the mark of light meant for it."""
    found = {}
    for number, quad in expected.items():
        if not np.isfinite(quad).all():
            continue
        reach = int(_AROUND * np.ptp(quad, axis=0).max())
        low = np.maximum(quad.min(axis=0).astype(int) - reach, 0)
        high = np.maximum(quad.max(axis=0).astype(int) + reach, 0)
        part = image[low[1] : high[1], low[0] : high[0]]
        if min(part.shape[:2]) >= _LEAST_PX:
            grey = _grey(part)
            found.update({n: seen + low for n, seen in see(grey).items() if n == number})
            if faint and number not in found:
                like = find_near(grey, quad - low, FIRST + number)
                found.update({} if like is None else {number: like + low})
    return found


def _see_lights(grey: NDArray[np.float32], count: int) -> dict[int, NDArray[np.float64]]:
    """The marks of light in a picture float32 (H, W), by the number of the printed marker beside them."""
    values = np.asarray(grey, dtype=np.uint8)
    found = {}
    for number, corners in opencv.detect_some(values, DICTIONARY, FIRST, count):
        fine = refine(grey, corners)
        found[number - FIRST] = corners if fine is None else fine
    return found


def _grey(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_BGR2GRAY), dtype=np.float32)


class Worker(Protocol):
    """Where looking is done: at once, or beside the frames."""

    def start(self, job: Callable[[], Look]) -> None:
        """Begins a job; there is never more than one."""
        ...

    def done(self) -> Look | None:
        """Its result, once; None while there is none."""
        ...

    @property
    def busy(self) -> bool:
        """Whether a job runs whose result was not taken."""
        ...


class AtOnce:
    """Looks in the frame's own time: the same frames always give the same."""

    def __init__(self) -> None:
        self._result: Look | None = None

    def start(self, job: Callable[[], Look]) -> None:
        """Does the job."""
        self._result = job()

    def done(self) -> Look | None:
        """The result, once."""
        result, self._result = self._result, None
        return result

    @property
    def busy(self) -> bool:
        """Whether the result was not taken."""
        return self._result is not None


class Beside:
    """Looks in a thread of its own, so that no frame waits for it."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "watch")
        self._job: Future[Look] | None = None

    def start(self, job: Callable[[], Look]) -> None:
        """Hands the job to the thread."""
        self._job = self._pool.submit(job)

    def done(self) -> Look | None:
        """The result, once it is there."""
        if self._job is None or not self._job.done():
            return None
        job, self._job = self._job, None
        return job.result()

    def close(self) -> None:
        """Waits until the thread has ended."""
        self._pool.shutdown()

    @property
    def busy(self) -> bool:
        """Whether the thread is at it, or its result was not taken."""
        return self._job is not None
