"""Loads pictures of any kind from files."""

import io
import warnings
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from engine.errors import ConfigError

_LARGEST_BYTES: Final = 400_000_000
_LARGEST_PX: Final = 160_000_000
_DEEP: Final = ("I", "F", "I;16", "I;16B", "I;16L", "I;16N")
"""Modes of more than 8 bits, which Pillow cuts off instead of scaling them down."""
_COMMON: Final = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM")
"""How files begin that Pillow reads if they can be read."""
_STRIP: Final = 512  # rows that are laid on white at a time, so that huge pictures need no huge copies


def load_image(path: Path) -> NDArray[np.uint8]:
    """The picture in a file as uint8 (H, W, 3) BGR, the way up that the camera noted (EXIF).

    Grey, CMYK, 16-bit and transparent pictures are converted (transparent parts become white), of an animation the
    first picture is taken; very large ones come at the size they are, up to 160 megapixels. Raises ConfigError that
    names the file.
    """
    if path.is_dir():
        raise ConfigError(f"{path} is a folder, not a picture; name the pictures in it")
    try:
        size = path.stat().st_size
        if size > _LARGEST_BYTES:
            raise ConfigError(f"{path} is {size // 1_000_000} MB large, too much for a picture")
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from None
    if not data:
        raise ConfigError(f"{path} is empty: it is no picture that can be read")
    image = _decoded(path, data)
    if image is None or image.size == 0:
        hint = "; export it as JPEG or PNG" if data[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1") else ""
        raise ConfigError(f"{path} is no picture that can be read{hint}")
    return image


def _decoded(path: Path, data: bytes) -> NDArray[np.uint8] | None:
    """The picture in `data`; None if nothing can read it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the size, which is judged here, and of odd notes in files
        try:
            with Image.open(io.BytesIO(data)) as opened:
                if opened.width * opened.height > _LARGEST_PX:
                    raise _too_large(path)
                if opened.format == "PNG":
                    _verify(data)
                if opened.mode not in _DEEP:
                    return _bgr(opened)
        except Image.DecompressionBombError:
            raise _too_large(path) from None
        except UnidentifiedImageError:
            if data.startswith(_COMMON):
                return None
        except (OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError, OverflowError, MemoryError):
            return None
    return _by_opencv(data)


def _too_large(path: Path) -> ConfigError:
    return ConfigError(f"{path} has more than {_LARGEST_PX // 1_000_000} megapixels, too much for a picture")


def _verify(data: bytes) -> None:
    """Raises SyntaxError where a checksum in a PNG is wrong: it would be read with black holes otherwise."""
    with Image.open(io.BytesIO(data)) as again:
        again.verify()


def _bgr(opened: Image.Image) -> NDArray[np.uint8]:
    """An opened picture, decoded, turned as EXIF says, laid on white where it is transparent."""
    turned = opened
    ImageOps.exif_transpose(turned, in_place=True)
    if not turned.has_transparency_data:
        rgb = np.asarray(turned if turned.mode == "RGB" else turned.convert("RGB"), np.uint8)
        return np.ascontiguousarray(rgb[..., ::-1])
    rgba = np.asarray(turned.convert("RGBA"), np.uint8)
    out = np.empty((*rgba.shape[:2], 3), np.uint8)
    for top in range(0, len(rgba), _STRIP):
        strip = rgba[top : top + _STRIP]
        alpha = strip[..., 3:].astype(np.float32) / 255
        out[top : top + _STRIP] = np.rint(strip[..., 2::-1] * alpha + 255 * (1 - alpha))
    return out


def _by_opencv(data: bytes) -> NDArray[np.uint8] | None:
    """What Pillow does not read or would cut off: deep grey, some TIFF, HDR. As uint8 (H, W, 3) BGR."""
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)
