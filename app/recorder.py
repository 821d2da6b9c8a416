"""Records the frames that the pipeline processed, in its own thread, so that writing never delays the light."""

import json
import logging
import queue
import threading
from pathlib import Path
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from app.session import LineLog
from vision.values import Frame

logger = logging.getLogger(__name__)

WAITING: Final = 48
"""Frames that may wait for the disk; then `add` waits too, so that frame i stays the i-th processed frame."""


class Recorder:
    """Writes MJPG into the first free of `frames.mkv`, `frames-2.mkv`, … of `folder`, and frames.jsonl beside it.

    MJPG in Matroska stays readable when the process is killed. `first_index` is the index of the first frame to come.
    A disk that refuses stops the recording, never the game: `problem` then says why.
    """

    def __init__(self, folder: Path, fps: float, first_index: int = 0) -> None:
        self._folder = folder
        self._fps = fps
        self._index = first_index
        self._frames: queue.Queue[Frame | None] = queue.Queue(WAITING)
        self.path = free_path(folder)
        self.problem: str | None = None
        self._thread = threading.Thread(target=self._work, name="recorder", daemon=True)
        self._thread.start()

    def add(self, frame: Frame) -> None:
        """Hands a frame over; its image must not be changed afterwards. Waits only when the disk cannot keep up."""
        if self.problem is None:
            self._frames.put(frame)

    def close(self) -> None:
        """Writes what is waiting and closes the files."""
        self._frames.put(None)
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _work(self) -> None:
        writer: cv2.VideoWriter | None = None
        try:
            with LineLog(self._folder / "frames.jsonl") as times:
                while (frame := self._frames.get()) is not None:
                    if writer is None:
                        writer = open_writer(self.path, frame.image, self._fps)
                    writer.write(frame.image)
                    times.append(self._line(frame.t_s))
                    self._index += 1
        except (OSError, cv2.error) as error:
            self._give_up(str(error))
        finally:
            if writer is not None:
                writer.release()

    def _line(self, t_s: float) -> str:
        line: dict[str, object] = {"i": self._index, "t_s": round(t_s, 4)}
        if self.path.name != "frames.mkv" and self._index_in_file == 0:
            line["file"] = self.path.name
        self._index_in_file += 1
        return json.dumps(line)

    _index_in_file = 0

    def _give_up(self, why: str) -> None:
        """Keeps emptying the queue, so that nobody waits for a recording that has ended."""
        self.problem = f"{self.path}: the recording has stopped ({why})"
        logger.warning("%s", self.problem)
        while self._frames.get() is not None:
            pass


def free_path(folder: Path) -> Path:
    """Where the next piece of the recording goes: `frames.mkv`, else the first `frames-N.mkv` that is not there."""
    path, number = folder / "frames.mkv", 2
    while path.exists():
        path, number = folder / f"frames-{number}.mkv", number + 1
    return path


def open_writer(path: Path, image: NDArray[np.uint8], fps: float) -> cv2.VideoWriter:
    """An open MJPG writer for pictures like `image` (uint8 (H, W, 3) BGR, even sides). Raises OSError if it cannot."""
    height, width = image.shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (width, height))
    if not writer.isOpened():
        raise OSError(f"no MJPG video of {width}x{height} can be written there")
    return writer


def bytes_a_minute(image_px: tuple[int, int], fps: float) -> int:
    """About how many bytes a minute of recording takes for frames of `image_px` (width, height)."""
    return round(image_px[0] * image_px[1] * BYTES_A_PX * fps * 60)


BYTES_A_PX: Final = 0.1
"""Bytes a pixel of MJPG as written here, measured on table scenes (noise makes it more, an empty table less)."""
