"""Where the picture changes: blocks that move now, and blocks that differ from what has been looked at."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

BLOCK = 8
WHOLE_BLOCK = 12.0
"""Grey levels by which a block may become brighter or darker as a whole without counting as changed."""
LIGHT_LEVEL = 3.0
"""Grey levels by which a block must become brighter or darker for its light to have changed."""
Blocks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Blocks of one frame, (rows, columns) each: `moving` now, `dirty` since looked at or `never` looked at, bool;
    `still_s` seconds at rest, float. `brighter` is the factor by which the light on a block has changed since it was
    looked at, as far as it only became brighter or darker; 1 elsewhere.
    """

    moving: Blocks
    dirty: Blocks
    never: Blocks
    still_s: NDArray[np.float32]
    brighter: NDArray[np.float32]


class ChangeWatcher:
    """Compares small grey pictures of consecutive frames. One block is BLOCK x BLOCK small px.

    `divisor` is how many camera px make a small px. `motion_level` and `dirty_level` are grey levels above the noise.
    """

    def __init__(self, divisor: int, motion_level: float = 3.0, dirty_level: float = 3.5) -> None:
        self.divisor = divisor
        self.motion_level = motion_level
        self.dirty_level = dirty_level
        self._previous: NDArray[np.uint8] | None = None
        self._seen: NDArray[np.uint8] | None = None
        self._last_motion: NDArray[np.float32] | None = None
        self._never: Blocks | None = None
        self._noise: NDArray[np.float32] | None = None

    def small(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The small grey picture of a camera picture, cropped to whole blocks."""
        step = self.divisor
        if step > 1:
            size = (image.shape[1] // step, image.shape[0] // step)
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        return grey[: grey.shape[0] // BLOCK * BLOCK, : grey.shape[1] // BLOCK * BLOCK]

    def watch(self, image: NDArray[np.uint8], t_s: float) -> Change:
        """What changed in this frame."""
        now = self.small(image)
        shape = (now.shape[0] // BLOCK, now.shape[1] // BLOCK)
        if self._previous is None or self._seen is None or self._last_motion is None or self._never is None:
            self._previous, self._seen = now, now.copy()
            self._last_motion = np.full(shape, t_s, dtype=np.float32)
            self._never = np.ones(shape, dtype=bool)
            nothing = np.zeros(shape, dtype=bool)
            zeros = np.zeros(shape, dtype=np.float32)
            return Change(nothing, nothing, self._never, zeros, np.ones_like(zeros))
        motion, _ = _block_difference(now, self._previous)
        if self._noise is None:
            self._noise = np.full(shape, float(np.median(motion)), dtype=np.float32)
        # bright and textured blocks are noisier than others: each has its own level, which motion hardly lifts
        self._noise += 0.15 * (np.minimum(motion, 1.5 * self._noise + 1.0) - self._noise)
        moving = motion > self._noise * 1.4 + self.motion_level
        changed, lighter = _block_difference(now, self._seen)
        dirty = changed > self._noise * 1.4 + self.dirty_level
        self._last_motion[moving] = t_s
        self._previous = now
        brighter = np.ones_like(lighter)
        plain = ~dirty & ~self._never & (np.abs(lighter) >= LIGHT_LEVEL)
        if plain.any():
            level = np.asarray(cv2.resize(now, shape[::-1], interpolation=cv2.INTER_AREA), dtype=np.float32)
            brighter[plain] = (level / np.maximum(level - lighter, 1))[plain]
        return Change(moving, dirty & ~self._never, self._never, t_s - self._last_motion, brighter)

    def looked_at(self, blocks: Blocks) -> None:
        """Take the newest picture of `blocks` as seen: they are no longer dirty."""
        if self._seen is None or self._previous is None or self._never is None:
            return
        big = np.repeat(np.repeat(blocks, BLOCK, axis=0), BLOCK, axis=1)
        np.copyto(self._seen, self._previous, where=big)
        self._never[blocks] = False

    @property
    def never(self) -> Blocks:
        """Blocks that were never looked at; empty before the first frame."""
        return np.zeros((0, 0), dtype=bool) if self._never is None else self._never

    def moved(self, image: NDArray[np.uint8]) -> None:
        """The camera looks from elsewhere: `image`, uint8 (H, W, 3) BGR, is what was looked at, seen from there."""
        if self._previous is not None:
            self._previous = self.small(image)
            self._seen = self._previous.copy()

    def look_again(self) -> None:
        """Everything counts as never looked at."""
        if self._never is not None:
            self._never[:] = True


def _block_difference(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How much the structure of each block differs, grey levels: the deviation of the difference about its mean.

    A block that only became brighter or darker as a whole (lamp flicker, rolling bands, a soft shadow) counts little.
    The second is by how much it became brighter.
    """
    difference = cv2.subtract(a, b, dtype=cv2.CV_32F)
    size = (a.shape[1] // BLOCK, a.shape[0] // BLOCK)
    mean = np.asarray(cv2.resize(difference, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
    square = np.asarray(cv2.resize(cv2.multiply(difference, difference), size, interpolation=cv2.INTER_AREA))
    spread = np.sqrt(np.maximum(square - mean * mean, 0))
    return np.asarray(spread + np.maximum(np.abs(mean) - WHOLE_BLOCK, 0), dtype=np.float32), mean


def grown(blocks: Blocks, size: int) -> Blocks:
    """`blocks` and their neighbours in a square of `size`."""
    return np.asarray(cv2.dilate(blocks.astype(np.uint8), np.ones((size, size), np.uint8)) > 0)


def without_specks(blocks: Blocks) -> Blocks:
    """`blocks` but for single ones, which are noise: hands and cards cover several."""
    square = np.ones((2, 2), np.uint8)
    # by hand: MORPH_OPEN with a square of even size gives blocks one row and one column off
    return np.asarray(cv2.dilate(cv2.erode(blocks.astype(np.uint8), square), square, anchor=(0, 0)) > 0)


def patches(blocks: Blocks) -> Iterable[Blocks]:
    """Each connected patch of blocks, diagonal neighbours included."""
    count, labels = cv2.connectedComponents(blocks.astype(np.uint8), connectivity=8)
    yield from (labels == label for label in range(1, count))


def runs(blocks: Blocks) -> Iterable[tuple[int, int, int]]:
    """Rows of set blocks as (row, first column, column after the last)."""
    padded = np.pad(blocks.astype(np.int8), ((0, 0), (1, 1)))
    edges = np.diff(padded, axis=1)
    for y in np.nonzero(blocks.any(axis=1))[0]:
        starts, ends = np.nonzero(edges[y] == 1)[0], np.nonzero(edges[y] == -1)[0]
        yield from ((int(y), int(a), int(b)) for a, b in zip(starts, ends, strict=True))
