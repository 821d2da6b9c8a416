"""A folder of pictures in place of a camera, for every step of calibrating."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.output import progress
from engine.errors import ConfigError

ENDINGS: Final = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")

_ODD_SHARE: Final = 0.25
"""Of the pictures may have another size: they are left out; where there are more, nobody knows which are meant."""


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


def read_folder(folder: Path, say: Callable[[str], None] = progress) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Name and picture, uint8 (H, W, 3) BGR, of each picture in the folder, by name.

    What cannot be read, or is not as large as most of the others, is left out and told. Raises ConfigError where
    nothing is left, or where no size is that of most.
    """
    paths = image_paths(folder)
    sizes = {path: _size_px(path) for path in paths}
    counts = Counter(size for size in sizes.values() if size is not None)
    usual, most = counts.most_common(1)[0] if counts else ((0, 0), 0)
    mixed = sum(counts.values()) - most > _ODD_SHARE * len(paths)
    for path in paths:
        if sizes[path] is None:
            if most == 0:
                read_image(path)  # which says what is wrong
            say(f"{path.name}: left out, it is no picture that can be read")
        elif sizes[path] != usual and not mixed:
            say("{}: left out, it is {}x{}, unlike the others".format(path.name, *sizes[path] or usual))
        else:
            yield path.name, read_image(path)


def _size_px(path: Path) -> tuple[int, int] | None:
    """Width and height of a picture; None where it cannot be read."""
    try:
        image = read_image(path)
    except ConfigError:
        return None
    return image.shape[1], image.shape[0]


def to_grey(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture, uint8 (H, W, 3) BGR, in grey, uint8 (H, W)."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
