"""Writes a replay as a video: the camera's picture with what was believed, beside what was projected."""

from pathlib import Path
from types import TracebackType
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import DeviceError

HEIGHT_PX: Final = 540
_CODECS: Final = {".mkv": "MJPG", ".avi": "MJPG", ".mp4": "mp4v", ".mov": "mp4v"}


def side_by_side(camera: NDArray[np.uint8], projected: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """One picture, uint8 (HEIGHT_PX, W, 3) BGR with even W, of two RGB ones."""
    left, right = _scaled(camera[..., ::-1]), _scaled(projected[..., ::-1])
    both = np.concatenate([left, np.full((HEIGHT_PX, 8, 3), 60, dtype=np.uint8), right], axis=1)
    return np.ascontiguousarray(both[:, : both.shape[1] // 2 * 2])


def _scaled(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    size = (round(image.shape[1] * HEIGHT_PX / image.shape[0]), HEIGHT_PX)
    return np.asarray(cv2.resize(np.ascontiguousarray(image), size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


class VideoExport:
    """A video file that takes pictures of one size. The codec follows from the name's ending."""

    def __init__(self, path: Path, fps: float) -> None:
        if path.suffix.lower() not in _CODECS:
            raise DeviceError(f"{path}: a video to write must end in {', '.join(_CODECS)}")
        self._path, self._fps = path, fps
        self._writer: cv2.VideoWriter | None = None

    def add(self, picture: NDArray[np.uint8]) -> None:
        """Appends a picture, uint8 (H, W, 3) BGR. Raises DeviceError where the file cannot be written."""
        if self._writer is None:
            code = cv2.VideoWriter.fourcc(*_CODECS[self._path.suffix.lower()])
            self._writer = cv2.VideoWriter(str(self._path), code, self._fps, (picture.shape[1], picture.shape[0]))
            if not self._writer.isOpened():
                raise DeviceError(f"{self._path}: this video cannot be written")
        self._writer.write(picture)

    def close(self) -> None:
        """Completes the file."""
        if self._writer is not None:
            self._writer.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
