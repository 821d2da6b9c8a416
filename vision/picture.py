"""Loads pictures of any kind from files."""

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import ConfigError

_LARGEST_BYTES: Final = 400_000_000


def load_image(path: Path) -> NDArray[np.uint8]:
    """The picture in a file as uint8 (H, W, 3) BGR, the way up that the camera noted (EXIF).

    Grey, CMYK, 16-bit and transparent pictures are converted (transparent parts become white); very large ones come
    at the size they are. Raises ConfigError that names the file.
    """
    try:
        size = path.stat().st_size
        if size > _LARGEST_BYTES:
            raise ConfigError(f"{path} is {size // 1_000_000} MB large, too much for a picture")
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from None
    image = _decoded(data, cv2.IMREAD_COLOR)
    if image is None or image.size == 0:
        raise ConfigError(f"{path} is no picture that can be read")
    if data[:4] == b"\x89PNG" or data[8:12] == b"WEBP":
        image = _on_white(image, data)
    return np.asarray(image, np.uint8)


def _decoded(data: bytes, flags: int) -> NDArray[np.uint8] | None:
    if not data:
        return None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _on_white(image: NDArray[np.uint8], data: bytes) -> NDArray[np.uint8]:
    """`image` with its transparent parts white instead of whatever colour lies behind them."""
    full = _decoded(data, cv2.IMREAD_UNCHANGED)
    if full is None or full.ndim != 3 or full.shape[2] != 4 or full.shape[:2] != image.shape[:2]:
        return image
    alpha = full[..., 3:].astype(np.float32) / 255
    return np.rint(image * alpha + 255 * (1 - alpha)).astype(np.uint8)
