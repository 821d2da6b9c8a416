"""Taking photographs of projected patterns so that a late frame is never taken for the pattern that was asked for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import patterns
from calibration.refusals import Reason, Refusal
from calibration.tokens import Tokens, find_board

QUIET_S: Final = 0.6
"""So long the dark picture is shown before it is photographed: longer than any usable delay."""
LONGEST_DELAY_S: Final = 0.8
"""A light that comes later than this cannot follow a game."""
_PATIENCE_S: Final = 6.0
_LESS_PATIENCE_S: Final = 1.0
_TRIES: Final = 4
"""So many pictures with light in them are searched for a board: searching is slow."""
_FRAMES: Final = 3
_IDLE_FRAMES: Final = 6
DIMMEST: Final = 0.6
"""Of the room's light: less than this of the projector's white is too little to calibrate by."""
_DARK: Final = 10
_WHITE: Final = 245


class Seen(Protocol):
    """A frame: `image` uint8 (H, W, 3) BGR, taken at `t_s`."""

    @property
    def image(self) -> NDArray[np.uint8]:
        """The picture."""
        ...

    @property
    def t_s(self) -> float:
        """Seconds since the start."""
        ...


class Stage(Protocol):
    """A camera and a projector over a table: `show` a picture, uint8 (H, W) in projector px, `read` the next frame."""

    def show(self, picture: NDArray[np.uint8], /) -> None:
        """Projects the picture from now on."""
        ...

    def read(self) -> Seen:
        """The next frame."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A still picture: `grey` float32 (H, W), the mean of some frames, and `peak` uint8 (H, W), the largest channel."""

    grey: NDArray[np.float32]
    peak: NDArray[np.uint8]

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self.grey.shape[1], self.grey.shape[0]


@dataclass(frozen=True, slots=True, eq=False)
class Photographs:
    """Photographs by the name of their pattern. `delay_s` from showing to seeing and `fps` are None for files."""

    by_name: Mapping[str, Photo]
    delay_s: float | None = None
    fps: float | None = None
    late_frames: int = 0
    notes: tuple[str, ...] = field(default=())

    @property
    def idle(self) -> Photo:
        """The table without projected light."""
        return self.by_name[patterns.IDLE]

    def difference(self, name: str) -> NDArray[np.float32]:
        """pattern − idle, the light that was added, float32 (H, W); below zero where noise is all there is."""
        return np.asarray(self.by_name[name].grey - self.idle.grey, dtype=np.float32)


def photo(images: Sequence[NDArray[np.uint8]]) -> Photo:
    """The mean of some pictures of the same thing, each uint8 (H, W, 3) BGR."""
    total = np.zeros(images[0].shape[:2], dtype=np.float32)
    peak = np.zeros(images[0].shape[:2], dtype=np.uint8)
    for image in images:
        total += cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        for channel in cv2.split(image):
            cv2.max(peak, channel, dst=peak)
    return Photo(total / np.float32(len(images)), peak)


def take(
    stage: Stage, size_px: tuple[int, int], names: Iterable[str], say: Callable[[str], None] = lambda _: None
) -> Photographs:
    """Shows each pattern and photographs it. Patterns that are never read are left out, said in `notes`.

    Raises Refusal where no pattern is ever seen, or so late that the light could not follow a game.
    """
    taker = _Taker(stage, size_px, say)
    return taker.all(list(names))


class _Taker:
    def __init__(self, stage: Stage, size_px: tuple[int, int], say: Callable[[str], None]) -> None:
        self._stage, self._size, self._say = stage, size_px, say
        self._photos: dict[str, Photo] = {}
        self._delay_s: float | None = None
        self._delays: list[float] = []
        self._notes: list[str] = []
        self._times: list[float] = []
        self._late = 0
        self._tokens: Tokens | None = None
        self._brightened = False

    def all(self, names: Sequence[str]) -> Photographs:
        self._dark(patterns.IDLE, QUIET_S)
        boards = [name for name in names if name.startswith("board")]
        first = boards[len(boards) // 2 :: -1] + boards[len(boards) // 2 + 1 :]  # the middle is readable most often
        seen = self._lit(first[0], _PATIENCE_S)
        if not seen and self._brightened:
            _refuse_mirrored(self._added(photo([self._read().image for _ in range(_FRAMES)]).grey))
        seen = seen or any(self._lit(name, _LESS_PATIENCE_S) for name in first[1:])
        if not seen or self._delay_s is None:
            self._explain()
        assert self._delay_s is not None
        if self._delay_s > LONGEST_DELAY_S:
            raise Refusal(
                Reason.LATE,
                f"the projected light is seen {self._delay_s:.1f} s after it was sent, too late to follow a game; "
                "switch the projector to its game mode, turn off its picture enhancement, or use another input",
            )
        for name in names:
            if name == patterns.AFTER:
                self._dark(name, max(0.1, 2 * self._delay_s))
            elif name not in self._photos and name != patterns.IDLE and not self._lit(name):
                self._notes.append(f"{name} could not be read")
        self._stage.show(patterns.pattern(patterns.IDLE, self._size).image)
        steps = np.diff(self._times)
        fps = float(1 / np.median(steps)) if steps.size and np.median(steps) > 0 else None
        return Photographs(dict(self._photos), self._delay_s, fps, self._late, tuple(self._notes))

    def _read(self) -> Seen:
        frame = self._stage.read()
        self._times.append(frame.t_s)
        return frame

    def _dark(self, name: str, wait_s: float) -> None:
        self._stage.show(patterns.pattern(patterns.IDLE, self._size).image)
        frame = self._read()
        start = frame.t_s
        while frame.t_s - start < wait_s:
            frame = self._read()
        self._photos[name] = photo([self._read().image for _ in range(_IDLE_FRAMES)])

    def _lit(self, name: str, patience_s: float | None = None) -> bool:
        """Shows a pattern and photographs it once its token is read; False where that does not happen in time."""
        wanted = patterns.pattern(name, self._size)
        self._say(name)
        self._stage.show(wanted.image)
        start = self._times[-1]
        known = self._delay_s
        patience = patience_s if patience_s is not None else 2 * (known or 0.3) + 0.5
        frame = self._read()
        tries = 0
        while frame.t_s - start <= patience and tries < _TRIES:
            if known is not None and frame.t_s - start < 0.6 * known:
                frame = self._read()
                continue
            if self._shows(frame.image, name):
                self._delays.append(frame.t_s - start)
                self._delay_s = float(np.median(self._delays))  # noise may hide a token for some frames
                if known is None and self._delay_s > LONGEST_DELAY_S:
                    return True
                self._photos[name] = photo([self._read().image for _ in range(_FRAMES)])  # the first may be half
                if known is None:
                    self._tokens = find_board(self._added(self._photos[name].grey), name, self._size) or self._tokens
                return True
            self._late += 1
            tries += self._tokens is None and self._brightened
            frame = self._read()
        return False

    def _shows(self, image: NDArray[np.uint8], name: str) -> bool:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
        difference = self._added(grey)
        self._brightened = patterns.lit(difference) > patterns.FAINTEST
        if self._tokens is None:
            self._tokens = find_board(difference, name, self._size)
            return self._tokens is not None
        return self._tokens.seen(difference, name)

    def _added(self, grey: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(grey - self._photos[patterns.IDLE].grey, dtype=np.float32)

    def _explain(self) -> None:
        """Raises the Refusal that fits what is seen of a bright board that could not be read."""
        bright = patterns.pattern(patterns.board_name(patterns.LEVELS[0]), self._size)
        self._stage.show(bright.image)
        start = self._times[-1]
        while self._times[-1] - start < 1.0:
            frame = self._read()
        explain_unread(photo([frame.image]), self._photos[patterns.IDLE])


def outshone(lit: Photo, idle: Photo) -> bool:
    """Whether the room's light leaves too little of the projector's, where a bright board falls, to be read."""
    height, width = idle.grey.shape
    small = (max(1, width // 8), max(1, height // 8))
    room, both = (cv2.resize(one.grey, small, interpolation=cv2.INTER_AREA) for one in (idle, lit))
    usable = (room > _DARK) & (both < _WHITE)
    if usable.mean() < 0.02:
        return False
    added = (both[usable] / room[usable]) ** 2 - 1  # a camera's grey values go about with the root of light
    return float(np.percentile(added, 99)) < DIMMEST


def explain_unread(lit: Photo, idle: Photo) -> None:
    """Raises the Refusal for a bright board that was photographed but cannot be read."""
    difference = np.asarray(lit.grey - idle.grey, dtype=np.float32)
    added = patterns.lit(difference)
    _refuse_mirrored(difference)
    if float(np.mean(idle.peak >= 250)) > 0.3:
        raise Refusal(
            Reason.TOO_BRIGHT,
            "the room is so bright that the camera's picture is white even without projected light; shorten the "
            "camera's exposure, or dim the lamps over the table",
        )
    if added < 6 or outshone(lit, idle):
        faint = added > 1.5
        raise Refusal(
            Reason.TOO_BRIGHT if faint else Reason.NOTHING_SEEN,
            "the projected light hardly shows against the lamps of the room; dim them or shade the table"
            if faint
            else "the camera sees nothing of what is projected; is the projector on, its lens open, and the right "
            "display chosen?",
        )
    raise Refusal(
        Reason.UNREADABLE,
        "projected light is seen, but no pattern can be read in it; clear the table and focus the projector",
    )


def _refuse_mirrored(difference: NDArray[np.float32]) -> None:
    """Raises the Refusal for light in whose mirror image markers can be read."""
    if patterns.mirrored(patterns.readable(difference)):
        raise Refusal(
            Reason.MIRRORED,
            "the projected pattern is seen mirrored; turn off rear projection (or mirroring) in the projector's menu, "
            "or mirroring in the camera's",
        )
