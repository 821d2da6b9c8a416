"""The camera's picture of all that has been made sense of: what differs from it is new.

Light that changes slowly, a cloud, dusk, the shadow of somebody who sits down, must not become new: where all is
explained and at rest and a block only becomes brighter or darker, the picture follows.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.changes import Blocks, Change, grown, runs, without_specks
from vision.values import Frame

LIGHT_STILL_S: Final = 0.5
LIGHT_EVERY_S: Final = 0.25
"""Light is followed when nothing has moved for so long, so often."""
SHADOW_BLOCKS: Final = 21
"""What is not explained, an arm that rests, casts its shadow within a square of so many blocks: no change of light."""


class Explained:
    """The picture and which of its blocks, `block_px` camera px wide, are settled: nothing unexplained lies there."""

    def __init__(self, block_px: int) -> None:
        self.block_px = block_px
        self.image: NDArray[np.uint8] | None = None
        self._settled: Blocks | None = None
        self._light_s = 0.0

    def begin(self, image: NDArray[np.uint8], blocks: Blocks) -> None:
        """Nothing was known: all of `image` is explained. `blocks` is any mask of its blocks."""
        self.image = image.copy()
        self._settled = np.ones_like(blocks)

    def forget(self) -> None:
        """Nothing is explained any more."""
        self.image = None

    def doubt(self, blocks: Blocks) -> None:
        """Something is new in `blocks`: until they are kept their light is not followed."""
        if self._settled is not None:
            self._settled &= ~blocks

    def keep(self, image: NDArray[np.uint8], blocks: Blocks) -> None:
        """`blocks` of the camera's picture are explained as they look in `image`."""
        if self.image is None or self._settled is None:
            return
        for row, x0, x1 in runs(blocks):
            rows = slice(row * self.block_px, (row + 1) * self.block_px)
            part = (rows, slice(x0 * self.block_px, x1 * self.block_px))
            self.image[part] = image[part]
        self._settled |= blocks

    def follow_light(self, frame: Frame, change: Change) -> NDArray[np.float32] | None:
        """The picture follows light that changes; by what factor in which block, float (rows, columns); None if not."""
        if self.image is None or self._settled is None or frame.t_s < self._light_s + LIGHT_EVERY_S:
            return None
        if without_specks(change.still_s < LIGHT_STILL_S).any():
            return None
        lit = (change.brighter != 1) & ~grown(~self._settled & ~change.never, SHADOW_BLOCKS)
        if not lit.any():
            return None
        self._light_s = frame.t_s
        self.keep(frame.image, lit)
        return np.where(lit, change.brighter, 1).astype(np.float32)
