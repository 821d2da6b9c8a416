"""The only place that opens cameras and videos."""

import math
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import DeviceError

_RATE_IF_UNKNOWN: Final = 30.0


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
        try:
            found, image = self._capture.read()
        except cv2.error:
            return None
        return np.asarray(image, dtype=np.uint8) if found and image is not None else None

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


def open_video(path: Path) -> Video:
    """The video file at `path`, to be closed. Raises DeviceError."""
    return Video(path)


def list_cameras() -> tuple[str, ...]:
    """Stable names of the cameras of this machine, as `play --camera` takes them."""
    by_id = sorted(Path("/dev/v4l/by-id").glob("*-video-index0")) if Path("/dev/v4l/by-id").is_dir() else []
    return tuple(path.name for path in by_id) or tuple(str(path) for path in sorted(Path("/dev").glob("video*")))
