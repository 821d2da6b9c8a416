"""A folder of pictures in place of a camera, for every step of calibrating."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import ConfigError

ENDINGS: Final = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")


def image_paths(folder: Path) -> tuple[Path, ...]:
    """The pictures of a folder by name. Raises ConfigError where there is no folder or no picture in it."""
    if not folder.is_dir():
        raise ConfigError(f"--images {folder}: there is no such folder")
    found = tuple(sorted(p for p in folder.iterdir() if p.suffix.lower() in ENDINGS and not p.name.startswith(".")))
    if not found:
        raise ConfigError(f"--images {folder}: holds no picture ({' '.join(ENDINGS)})")
    return found


def read_image(path: Path) -> NDArray[np.uint8]:
    """A picture as uint8 (H, W, 3) BGR, as it is stored (no turning by EXIF). Raises ConfigError."""
    try:
        data = np.fromfile(path, dtype=np.uint8)
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be read ({(problem.strerror or '').lower()})") from problem
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    image = cv2.imdecode(data, flags) if data.size else None
    if image is None:
        raise ConfigError(f"{path}: is no picture that can be read")
    return np.asarray(image, dtype=np.uint8)


def read_folder(folder: Path) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Name and picture, uint8 (H, W, 3) BGR, of each picture in the folder, by name. Raises ConfigError."""
    for path in image_paths(folder):
        yield path.name, read_image(path)


def to_grey(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture, uint8 (H, W, 3) BGR, in grey, uint8 (H, W)."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
