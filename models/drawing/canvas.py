"""Turns shapes in millimetres into the picture of a card."""

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
    return small.astype(np.uint8)


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
    """Writes `image` as PNG, as small as it gets."""
    ok, data = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    if not ok:
        raise OSError(f"{path}: the picture could not be encoded")
    path.write_bytes(data.tobytes())
