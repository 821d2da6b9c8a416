"""The floor that frame times are measured against: what any program must do to see a camera's frame at all."""

import time
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray


def floor_s(jpegs: Sequence[bytes], rounds: int = 5) -> float:
    """Seconds a frame for decoding MJPEG, grey and the difference to the frame before at half size: best of `rounds`.

    `jpegs` are at least two encoded frames of one size.
    """

    def once() -> float:
        start = time.perf_counter()
        before: NDArray[np.uint8] | None = None
        for jpeg in jpegs:
            before = _look(jpeg, before)
        return (time.perf_counter() - start) / len(jpegs)

    return best(once, rounds)


def _look(jpeg: bytes, before: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
    grey = cv2.cvtColor(decode(jpeg), cv2.COLOR_BGR2GRAY)
    half = cv2.resize(grey, (grey.shape[1] // 2, grey.shape[0] // 2), interpolation=cv2.INTER_AREA)
    if before is not None:
        cv2.absdiff(half, before)
    return np.asarray(half, dtype=np.uint8)


def encode(image: NDArray[np.uint8], quality: int = 90) -> bytes:
    """The JPEG of a BGR picture, as a camera sends it."""
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def decode(jpeg: bytes) -> NDArray[np.uint8]:
    """The BGR picture of a JPEG."""
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)


def best(measure: Callable[[], float], rounds: int = 5) -> float:
    """The least of several measurements: what is left when the machine does nothing else."""
    return min(measure() for _ in range(rounds))
