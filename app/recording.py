"""The frames of a recorded session, in order and with the times that the pipeline saw them at."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.session import FrameTime, load_frames
from engine.errors import ConfigError, DeviceError
from vision.capture import Video, open_video
from vision.values import Frame

SUFFIXES: Final = (".mkv", ".avi", ".mp4", ".mov", ".m4v", ".webm", ".mpg", ".mpeg", ".ts")
LOST_AT_A_KILL: Final = 10
"""So many frames may be missing at the end of a file whose writer was killed."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A video file of the recording, and the times of its frames (None: index / rate)."""

    path: Path
    times: tuple[FrameTime, ...] | None


@dataclass(frozen=True, slots=True)
class Recording:
    """The video files of a session in order. `frames` is how many frames.jsonl lists, None without one."""

    folder: Path
    pieces: tuple[Piece, ...]
    frames: int | None


def find_recording(folder: Path) -> Recording:
    """The recording of the session in `folder`. Raises ConfigError or DeviceError where there is none."""
    times = load_frames(folder / "frames.jsonl")
    first = _first_video(folder)
    if not times:
        return Recording(folder, (Piece(first, None),), None)
    starts = [i for i, time in enumerate(times) if i == 0 or time.file is not None]
    pieces = []
    for start, end in zip(starts, [*starts[1:], len(times)], strict=True):
        name = times[start].file
        path = first if name is None else folder / Path(name).name
        if not path.is_file():
            raise DeviceError(f"{path}: there is no such video, but frames.jsonl names it")
        pieces.append(Piece(path, times[start:end]))
    return Recording(folder, tuple(pieces), len(times))


def read_frames(recording: Recording) -> Iterator[Frame]:
    """Every frame, decoded. Raises DeviceError where a file cannot be opened or, after its last frame, ends early."""
    for piece in recording.pieces:
        found = 0
        with open_video(piece.path) as video:
            for frame in _frames_of(video, piece):
                yield frame
                found += 1
        if found == 0:
            raise DeviceError(f"{piece.path}: the video has no frames")
        if piece.times is not None and len(piece.times) - found > LOST_AT_A_KILL:
            raise DeviceError(f"{piece.path}: the video ends early, after {found} of {len(piece.times)} frames")


def _frames_of(video: Video, piece: Piece) -> Iterator[Frame]:
    """The frames of one file; without times frame i is at i / rate."""
    times = piece.times if piece.times is not None else (FrameTime(i, i / video.fps) for i in itertools.count())
    for time in times:
        image = video.read()
        if image is None:
            return
        yield Frame(image, time.t_s, time.index)


class FrameReader:
    """Pictures of a recording by frame index, in any order; the next one in order is quick."""

    def __init__(self, recording: Recording) -> None:
        self._pieces = recording.pieces
        self._open: tuple[Piece, Video] | None = None
        self._next = -1
        self._last: tuple[int, NDArray[np.uint8] | None] = (-1, None)

    def image(self, index: int) -> NDArray[np.uint8] | None:
        """The picture of frame `index`, uint8 (H, W, 3) BGR; None where there is none that can be read."""
        if index == self._last[0]:
            return self._last[1]
        piece, local = self._find(index)
        if self._open is None or self._open[0] is not piece:
            self.close()
            self._open = piece, open_video(piece.path)
            self._next = 0
        video = self._open[1]
        if local != self._next:
            video.seek(local)
        image = video.read()
        self._next = local + 1
        self._last = index, image
        return image

    def close(self) -> None:
        """Closes the file that is open."""
        if self._open is not None:
            self._open[1].close()
            self._open = None

    def _find(self, index: int) -> tuple[Piece, int]:
        """The piece that holds frame `index`, and its place in it."""
        found = self._pieces[0], index
        for piece in self._pieces:
            if piece.times and piece.times[0].index <= index:
                found = piece, index - piece.times[0].index
        return found


def _first_video(folder: Path) -> Path:
    """`frames.mkv`, else another `frames.*` video, else the only video of the folder."""
    if not folder.is_dir():
        raise ConfigError(f"{folder}: there is no such session folder")
    videos = sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
    named = [p for p in videos if p.stem == "frames"]
    best = [p for p in named if p.suffix == ".mkv"] or named or videos
    if not best:
        raise DeviceError(f"{folder / 'frames.mkv'}: there is no such file, nor another video in this folder")
    if len(best) > 1:
        raise DeviceError(
            f"{folder}: holds several videos ({', '.join(p.name for p in best)}); keep or name one frames.mkv"
        )
    return best[0]
