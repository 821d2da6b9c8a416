"""A scene as the projector's picture: vertices go through the homography, never a warped frame."""

import math
import time
from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import Homography
from calibration.projector_map import ProjectorMap
from engine.errors import CalibrationError
from projection.outline import pieces, text_box
from projection.scene import BLACK, Scene, Text
from projection.text import tile

_SHIFT = 4  # cv2 draws with 1/16 px
_FAR_PX = 16_000.0
_OVERSAMPLE = 2


Map = Homography | ProjectorMap
"""Table mm to projector px: a homography, or with the bend of the projector's lens."""


def rasterise(scene: Scene, projector_from_table: Map, size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture to project, uint8 (H, W, 3) RGB with `size_px` = (W, H), antialiased, black where nothing is drawn.

    `projector_from_table` maps table mm to projector px. Shapes outside the picture are cut off.
    """
    flat_map = projector_from_table if isinstance(projector_from_table, Homography) else projector_from_table.plain
    if (flat_map.target, flat_map.source) != ("projector", "table"):
        name = f"{flat_map.target}_from_{flat_map.source}"
        raise CalibrationError(f"a scene needs projector_from_table, got {name}")
    width, height = size_px
    image = np.zeros((height, width, 3), dtype=np.uint8)
    shapes = [(shape, pieces(shape)) for shape in scene.shapes]
    flat = [point for _, parts in shapes for polygon, _ in parts for point in polygon]
    mapped = projector_from_table.map(np.array(flat, dtype=np.float64).reshape(-1, 2))
    usable: NDArray[np.bool_] = np.all(np.isfinite(mapped) & (np.abs(mapped) < _FAR_PX), axis=1)
    fixed = np.round(np.where(usable[:, None], mapped, 0.0) * (1 << _SHIFT)).astype(np.int32)
    at = 0
    for shape, parts in shapes:
        if isinstance(shape, Text):
            _write(image, shape, projector_from_table)
        for polygon, colour in parts:
            end = at + len(polygon)
            if usable[at:end].all():
                cv2.fillConvexPoly(image, fixed[at:end], colour, cv2.LINE_AA, _SHIFT)
            at = end
    return image


class Painter:
    """Keeps the last picture, so that a scene that has not changed costs nothing."""

    def __init__(self, projector_from_table: Map, size_px: tuple[int, int]) -> None:
        self._projector_from_table = projector_from_table
        self._size_px = size_px
        self._scene: Scene | None = None
        self._image = np.zeros((size_px[1], size_px[0], 3), dtype=np.uint8)

    def paint(self, scene: Scene) -> NDArray[np.uint8]:
        """The picture of `scene`, uint8 (H, W, 3) RGB, not to be written to: the same object while the scene stays."""
        if scene != self._scene:
            self._image = rasterise(scene, self._projector_from_table, self._size_px)
            self._image.setflags(write=False)
            self._scene = scene
        return self._image


def _write(image: NDArray[np.uint8], text: Text, to_px: Map) -> None:
    """Add a light text to what is there; a dark one takes light away, as on a disc."""
    ink, x, y = _warped(text, to_px.matrix.tobytes() if isinstance(to_px, Homography) else to_px)
    h, w = ink.shape[:2]
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(image.shape[1], x + w), min(image.shape[0], y + h)
    if x1 <= x0 or y1 <= y0:
        return
    part, seen = image[y0:y1, x0:x1], ink[y0 - y : y1 - y, x0 - x : x1 - x]
    if text.colour == BLACK:
        np.minimum(part, seen, out=part)
    else:
        np.maximum(part, seen, out=part)


@lru_cache(maxsize=512)
def _warped(text: Text, to_px: bytes | ProjectorMap) -> tuple[NDArray[np.uint8], int, int]:
    """The text as the projector needs it, uint8 (H, W, 3) in its colour on black, and the px of its top left corner.

    A black text is black on white.
    """
    nothing = np.zeros((0, 0, 3), dtype=np.uint8)
    if isinstance(to_px, bytes):  # a matrix by its value, as equal ones come anew with every picture
        to_px = ProjectorMap(Homography("projector", "table", np.frombuffer(to_px, dtype=np.float64).reshape(3, 3)))
    corners = to_px.map(text_box(text))
    if not (np.isfinite(corners).all() and (np.abs(corners) < _FAR_PX).all()) or text.width_mm <= 0:
        return nothing, 0, 0
    low, high = np.floor(corners.min(axis=0)) - 1, np.ceil(corners.max(axis=0)) + 2
    px_per_mm = math.dist(corners[0], corners[1]) / text.width_mm
    source = tile(text.text, min(400, max(4, round(text.size_mm * px_per_mm * _OVERSAMPLE))), text.strong)
    h, w = source.shape
    scaled = ((corners - low) * _OVERSAMPLE + (_OVERSAMPLE - 1) / 2).astype(np.float32)
    edge = np.array([[0, h], [w, h], [w, 0], [0, 0]], dtype=np.float32) - np.float32(0.5)
    size = tuple(int(n) for n in (high - low) * _OVERSAMPLE)
    big = cv2.warpPerspective(source, cv2.getPerspectiveTransform(edge, scaled), size, flags=cv2.INTER_LINEAR)
    small = cv2.resize(big, (size[0] // _OVERSAMPLE, size[1] // _OVERSAMPLE), interpolation=cv2.INTER_AREA)
    share = np.asarray(small, dtype=np.uint16)[..., None]
    shaded = 255 - share if text.colour == BLACK else share * np.array(text.colour, dtype=np.uint16) // 255
    ink = np.ascontiguousarray(np.broadcast_to(shaded, (*small.shape, 3)).astype(np.uint8))
    ink.setflags(write=False)
    return ink, int(low[0]), int(low[1])


def bench(scene: Scene, projector_from_table: Map, size_px: tuple[int, int], rounds: int = 5) -> dict[str, float]:
    """CPU-seconds of this thread, and the number of `shapes`.

    `draw_s` (warm caches) and `floor_s` (one copy of the picture) are the best of `rounds`; `cold_s` has empty caches.
    """

    def best(work: Callable[[], object]) -> float:
        times = []
        for _ in range(rounds):
            start = time.thread_time()
            work()
            times.append(time.thread_time() - start)
        return min(times)

    _warped.cache_clear()
    tile.cache_clear()
    pieces.cache_clear()
    start = time.thread_time()
    image = rasterise(scene, projector_from_table, size_px)
    cold = time.thread_time() - start
    copy = np.empty_like(image)
    return {
        "draw_s": best(lambda: rasterise(scene, projector_from_table, size_px)),
        "cold_s": cold,
        "floor_s": best(lambda: np.copyto(copy, image)),
        "shapes": float(len(scene.shapes)),
    }
