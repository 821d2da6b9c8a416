"""Gray code: stripes of light from which every camera px reads the projector px that lights it, on any cloth.

The fallback where a board's markers cannot be read. Each bit comes with its inverse, so that only a comparison of two
pictures decides and the cloth's own pattern does not matter. See Inokuchi et al. 1984, "Range imaging system".
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

BITS: Final = 11
"""Enough for 2,048 px each way."""


def code_names() -> tuple[str, ...]:
    """The 44 stripes: `gray-x-00` and its inverse `gray-x-00-inverse` … for columns and rows, coarse first."""
    return tuple(f"gray-{axis}-{bit:02d}{end}" for axis in "xy" for bit in range(BITS) for end in ("", "-inverse"))


def code_picture(name: str, size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """The stripes called `name`, uint8 (H, W), 0 or 255."""
    _, axis, bit, *inverse = name.split("-")
    places = np.arange(size_px[0] if axis == "x" else size_px[1])
    line = (((places ^ (places >> 1)) >> (BITS - 1 - int(bit))) & 1).astype(np.uint8) * 255
    line = 255 - line if inverse else line
    return np.array(np.broadcast_to(line[None, :] if axis == "x" else line[:, None], size_px[::-1]))


def decode(photos: Mapping[str, NDArray[np.float32]], contrast: float) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The projector px seen by every camera px, shape (H, W, 2), and where they are certain, shape (H, W).

    `photos` holds grey pictures float32 (H, W) by name; a px is certain where each bit differs from its inverse by
    more than `contrast`, but for the finest two bits of an axis, whose doubt costs no more than a px.
    """
    planes, certain = [], None
    for axis in "xy":
        value: NDArray[np.int32] | None = None
        gray: NDArray[np.int32] | None = None
        for bit in range(BITS):
            name = f"gray-{axis}-{bit:02d}"
            difference = photos[name] - photos[f"{name}-inverse"]
            sure = np.abs(difference) > contrast
            if bit < BITS - 2:
                certain = sure if certain is None else certain & sure
            digit = (difference > 0).astype(np.int32)
            gray = digit if gray is None else gray ^ digit
            value = gray.copy() if value is None else (value << 1) | gray
        assert value is not None
        planes.append(value.astype(np.float64))
    assert certain is not None
    return np.stack(planes, axis=-1), certain
