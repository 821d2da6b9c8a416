"""Turns shapes in millimetres into the picture of a card."""

import struct
import zlib
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from shapes import BLACK, PAPER, Art, Colour, Points, Stroke

CARD_MM: Final = (33.0, 54.0)
PX_PER_MM: Final = 12
FRAME_MM: Final = 1.3
_OVERSAMPLE: Final = 4
_SUBPIXEL: Final = 4

Image = NDArray[np.uint8]


def paint(art: Art, *, paper: Colour = PAPER, frame: Colour = BLACK) -> Image:
    """The card with its frame, shape (648, 396, 3), BGR; what reaches over the frame is cut off by it."""
    scale = PX_PER_MM * _OVERSAMPLE
    width, height = (round(side * scale) for side in CARD_MM)
    image = np.full((height, width, 3), paper, dtype=np.uint8)
    for item in art:
        if isinstance(item, Stroke):
            _stroke(image, item, scale)
            continue
        path = _fixed(item.points, scale)
        if item.fill is not None:
            cv2.fillPoly(image, [path], item.fill, cv2.LINE_8, _SUBPIXEL)
        if item.line > 0:
            thick = max(1, round(item.line * scale))
            cv2.polylines(image, [path], item.closed, item.ink, thick, cv2.LINE_8, _SUBPIXEL)
    edge = round(FRAME_MM * scale)
    for band in (image[:edge], image[-edge:], image[:, :edge], image[:, -edge:]):
        band[:] = frame
    small = cv2.resize(image, None, fx=1 / _OVERSAMPLE, fy=1 / _OVERSAMPLE, interpolation=cv2.INTER_AREA)
    return flatten(small.astype(np.uint8))


def _stroke(image: Image, stroke: Stroke, scale: float) -> None:
    path = _fixed(stroke.points, scale)
    for a, b, w, v in zip(path, path[1:], stroke.widths, stroke.widths[1:], strict=False):
        thick = max(1, round(float(w + v) / 2 * scale))
        start, end = (int(a[0]), int(a[1])), (int(b[0]), int(b[1]))
        cv2.line(image, start, end, stroke.ink, thick, cv2.LINE_8, _SUBPIXEL)


def _fixed(path: Points, scale: float) -> NDArray[np.int32]:
    """Fixed-point px of a path in mm; (0, 0) px is the centre of the first pixel."""
    return np.round((path * scale - 0.5) * 2**_SUBPIXEL).astype(np.int32)


def write(path: Path, image: Image) -> None:
    """Writes `image`, which must hold at most 256 colours (see `flatten`), as a PNG with a palette."""
    codes, index = np.unique(_codes(image), return_inverse=True)
    height, width = image.shape[:2]
    rows = np.zeros((height, width + 1), dtype=np.uint8)
    rows[:, 1:] = index.reshape(height, width)
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", _values(codes)[:, ::-1].tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in chunks:
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    path.write_bytes(data)


def flatten(image: Image, colours: int = 192) -> Image:
    """`image` in at most `colours` colours: flat areas keep theirs, blends at edges go to the nearest that stays."""
    codes, index, counts = np.unique(_codes(image), return_inverse=True, return_counts=True)
    values = _values(codes)
    by_count = values[np.lexsort((codes, -counts))]
    coarse = np.right_shift(by_count, 4).astype(np.uint8)
    _, first = np.unique(_codes(coarse), return_index=True)
    kept: Image = by_count[np.sort(first)[:colours]]
    a, b = values.astype(np.float64), kept.astype(np.float64)
    far = (b**2).sum(axis=1) - 2 * a @ b.T
    result: Image = kept[far.argmin(axis=1)][index.reshape(-1)].reshape(image.shape)
    return result


def _codes(image: Image) -> NDArray[np.int64]:
    """Each pixel as one number, shape (N,)."""
    b, g, r = image.reshape(-1, 3).astype(np.int64).T
    return b | g << 8 | r << 16


def _values(codes: NDArray[np.int64]) -> Image:
    """The pixels of `_codes`, shape (N, 3)."""
    return np.column_stack([codes & 255, codes >> 8 & 255, codes >> 16]).astype(np.uint8)
