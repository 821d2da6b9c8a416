"""One look at the table's markers and marks of light, in small pieces of the picture, at once or beside the frames."""

from collections.abc import Callable
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
_FAR_CELLS: Final = 18  # 72 mm
_CELLS: Final = 7


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """Corners of printed markers and of marks of light in a frame, distorted px (4, 2) by number."""

    t_s: float
    printed: Places
    lights: Places


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """Where markers and marks should be seen, distorted px (4, 2) by number.

    `told` is where both would be seen had nothing moved, where that is not the same.
    """

    printed: Places
    lights: Places
    told: tuple[Places, Places] | None = None


def mean_of(one: Look, other: Look) -> Look:
    """Two looks at a table at rest as one, with less noise; what only one saw is taken from it."""
    printed = {**one.printed, **other.printed, **_means(one.printed, other.printed)}
    lights = {**one.lights, **other.lights, **_means(one.lights, other.lights)}
    return Look(other.t_s, printed, lights)


def _means(one: Places, other: Places) -> Places:
    return {n: (one[n] + other[n]) / 2 for n in set(one) & set(other)}


def look(image: NDArray[np.uint8], t_s: float, markers: Markers, expected: Expected, everywhere: bool) -> Look:
    """What is seen in a picture, uint8 (H, W, 3) BGR, near where it is expected.

    With `everywhere` the whole picture is searched for what is missing there, which takes ten times as long, and each
    missing mark of light far around where it was, and around where it would be had the camera moved.
    """
    printed = _near(image, expected.printed, lambda part, n, _: see_markers(part, markers).get(n))
    count = max(expected.lights, default=-1) + 1
    lights = _near(image, expected.lights, lambda part, n, quad: _see_light(part, n, quad, count))
    few_printed = len(printed) < min(3, len(expected.printed))
    if everywhere and few_printed:
        printed = see_markers(_grey(image), markers)
    if everywhere and len(lights) < len(expected.lights):
        lights |= _far(
            image, {n: q for n, q in expected.lights.items() if n not in lights}, _by_printed(expected, printed)
        )
    if everywhere and len(lights) < min(2, len(expected.lights)):
        lights = _see_lights(_grey(image), count)
    return Look(t_s, printed, lights)


def _near(
    image: NDArray[np.uint8],
    expected: Places,
    see: Callable[[NDArray[np.float32], int, NDArray[np.float64]], NDArray[np.float64] | None],
) -> dict[int, NDArray[np.float64]]:
    """What `see` makes of the part of the picture around each expected place, given its number and expected corners."""
    found = {}
    for number, quad in expected.items():
        if not np.isfinite(quad).all():
            continue
        reach = int(_AROUND * np.ptp(quad, axis=0).max())
        low = np.maximum(quad.min(axis=0).astype(int) - reach, 0)
        high = np.maximum(quad.max(axis=0).astype(int) + reach, 0)
        part = image[low[1] : high[1], low[0] : high[0]]
        if min(part.shape[:2]) >= _LEAST_PX:
            seen = see(_grey(part), number, quad - low)
            found.update({} if seen is None else {number: seen + low})
    return found


def _far(image: NDArray[np.uint8], missing: Places, elsewhere: Places) -> dict[int, NDArray[np.float64]]:
    """Missing marks of light found further around their expected places, or around other ones."""
    found = {}
    for number, quad in missing.items():
        for place in (quad, elsewhere.get(number)):
            if place is None or number in found or not np.isfinite(place).all():
                continue
            reach = int(_FAR_CELLS / _CELLS * np.ptp(place, axis=0).max()) + _LEAST_PX
            low = np.maximum(place.min(axis=0).astype(int) - reach, 0)
            high = np.maximum(place.max(axis=0).astype(int) + reach, 0)
            part = image[low[1] : high[1], low[0] : high[0]]
            if min(part.shape[:2]) >= _LEAST_PX:
                like = find_near(_grey(part), place - low, FIRST + number, _FAR_CELLS)
                found.update({} if like is None else {number: like + low})
    return found


def _by_printed(expected: Expected, printed: Places) -> Places:
    """Where the marks would be seen, px (4, 2) by number, had the camera alone moved: as the printed markers have."""
    if expected.told is None:
        return {}
    told, lights = expected.told
    numbers = sorted(set(told) & set(printed))
    if len(numbers) < 2:
        return {}
    old, new = (np.concatenate([places[n] for n in numbers]) for places in (told, printed))
    matrix = np.asarray(cv2.findHomography(old, new, 0)[0], dtype=np.float64)
    if matrix.shape != (3, 3):
        return {}
    return {n: np.asarray(cv2.perspectiveTransform(q[None], matrix)[0], dtype=np.float64) for n, q in lights.items()}


def _see_light(
    grey: NDArray[np.float32], number: int, expected_px: NDArray[np.float64], count: int
) -> NDArray[np.float64] | None:
    """A mark of light by its likeness to what is expected, which is steadier than its edges; far off by detecting."""
    like = find_near(grey, expected_px, FIRST + number)
    return _see_lights(grey, count).get(number) if like is None else like


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
