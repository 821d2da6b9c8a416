"""The mat as a picture with a fixed number of pixels a millimetre: where searching and comparing take place.

Raster px (u, v): u to the table's right, v towards the operator, (0, 0) the centre of the top-left pixel. All heights
are taken as one card's thickness, so poses read here are where the camera sees a card that lies on the mat.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import TableView

_KNOTS = (97, 65)
CARD_TOP_MM = 1.1
"""Height of the top face of a card that lies on the mat."""
_ROOM_MM = 40.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of raster px: columns u0…u1, rows v0…v1, upper bounds excluded."""

    u0: int
    v0: int
    u1: int
    v1: int

    @property
    def rows(self) -> slice:
        """The slice of rows, for indexing a raster picture."""
        return slice(self.v0, self.v1)

    @property
    def columns(self) -> slice:
        """The slice of columns, for indexing a raster picture."""
        return slice(self.u0, self.u1)


class TableRaster:
    """Maps between camera px, raster px and table mm for one view, and cuts rectified pictures out of frames.

    `scale` is raster px per mm; `size` the raster's (width, height) in px.
    """

    def __init__(self, view: TableView, mat_mm: tuple[float, float], scale: float) -> None:
        self.view = view
        self.scale = scale
        self.mat_mm = mat_mm
        self.size = (round(mat_mm[0] * scale), round(mat_mm[1] * scale))
        u, v = np.meshgrid(np.arange(self.size[0]), np.arange(self.size[1]))
        px = view.camera_px(self.mm(np.stack([u, v], axis=-1)), CARD_TOP_MM)
        self._map_x = np.ascontiguousarray(px[..., 0], dtype=np.float32)
        self._blocks: dict[int, tuple[NDArray[np.int32], NDArray[np.int32]]] = {}
        self._map_y = np.ascontiguousarray(px[..., 1], dtype=np.float32)

    @property
    def whole(self) -> Box:
        """The box of the whole mat."""
        return Box(0, 0, *self.size)

    def mm(self, points_px: NDArray[np.generic]) -> NDArray[np.float64]:
        """Table mm of raster px, shape (..., 2)."""
        p = np.asarray(points_px, dtype=np.float64)
        w, h = self.size
        return np.stack([(p[..., 0] + 0.5 - w / 2) / self.scale, (h / 2 - p[..., 1] - 0.5) / self.scale], axis=-1)

    def px(self, points_mm: NDArray[np.generic]) -> NDArray[np.float64]:
        """Raster px of table mm, shape (..., 2)."""
        p = np.asarray(points_mm, dtype=np.float64)
        w, h = self.size
        return np.stack([p[..., 0] * self.scale + w / 2 - 0.5, h / 2 - p[..., 1] * self.scale - 0.5], axis=-1)

    def box_around(self, points_mm: NDArray[np.generic], margin_mm: float) -> Box:
        """The box that holds `points_mm` (N, 2) and a margin, cut at the mat's edge."""
        px = self.px(points_mm)
        margin = margin_mm * self.scale
        low = np.floor(px.min(axis=0) - margin).astype(int)
        high = np.ceil(px.max(axis=0) + margin).astype(int) + 1
        w, h = self.size
        return Box(max(0, int(low[0])), max(0, int(low[1])), min(w, int(high[0])), min(h, int(high[1])))

    def cut(self, image: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
        """The rectified picture of `box`, uint8 (rows, columns[, 3]), out of a full camera picture."""
        map_x = self._map_x[box.rows, box.columns]
        map_y = self._map_y[box.rows, box.columns]
        out = cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(out, dtype=np.uint8)

    def blocks(self, box: Box, block_px: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Column and row of the camera block (`block_px` square) under each raster px of `box`; may lie outside."""
        if block_px not in self._blocks:
            x, y = (np.floor((at + 0.5) / block_px).astype(np.int32) for at in (self._map_x, self._map_y))
            self._blocks[block_px] = x, y
        x, y = self._blocks[block_px]
        return x[box.rows, box.columns], y[box.rows, box.columns]

    def region(self, blocks: NDArray[np.bool_], block_px: int) -> tuple[Box, NDArray[np.uint8]]:
        """The box around camera `blocks` (rows, columns) with a card's room, and which of its px lie in them."""
        rows, columns = np.nonzero(blocks)
        x0, y0 = columns.min() * block_px, rows.min() * block_px
        x1, y1 = (columns.max() + 1) * block_px, (rows.max() + 1) * block_px
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        box = self.box_around(self.view.table_mm(corners, CARD_TOP_MM), _ROOM_MM)
        x, y = self.blocks(box, block_px)
        h, w = blocks.shape
        valid = (x >= 0) & (x < w) & (y >= 0) & (y < h)
        return box, (blocks[y.clip(0, h - 1), x.clip(0, w - 1)] & valid).astype(np.uint8)

    def of_blocks(self, values: NDArray[np.float32], block_px: int, every_px: int) -> NDArray[np.float32]:
        """The `values` of camera blocks over the whole raster, one for `every_px` of its px; 1 outside the picture."""
        x, y = self.blocks(self.whole, block_px)
        x, y = x[::every_px, ::every_px], y[::every_px, ::every_px]
        rows, columns = values.shape
        inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
        return np.where(inside, values[y.clip(0, rows - 1), x.clip(0, columns - 1)], 1).astype(np.float32)


def px_per_mm(view: TableView) -> float:
    """Camera px a mm at the mat's centre."""
    px = view.camera_px(np.array([[-10.0, 0.0], [10.0, 0.0], [0.0, -10.0], [0.0, 10.0]]))
    return float((np.linalg.norm(px[0] - px[1]) + np.linalg.norm(px[2] - px[3])) / 40)


def seen_from(image: NDArray[np.uint8], before: TableView, after: TableView) -> NDArray[np.uint8]:
    """A camera picture, uint8 (H, W, 3), as it would look after the camera or the mat was moved a little.

    It is worked out on a coarse grid and interpolated; what was not in the picture is taken from its edge.
    """
    height, width = image.shape[:2]
    columns, rows = np.linspace(0, width - 1, _KNOTS[0]), np.linspace(0, height - 1, _KNOTS[1])
    coarse = before.camera_px(after.table_mm(np.stack(np.meshgrid(columns, rows), axis=-1))).astype(np.float32)
    at_x, at_y = (np.linspace(0, count - 1, side) for count, side in zip(_KNOTS, (width, height), strict=True))
    u, v = (at.astype(np.float32) for at in np.meshgrid(at_x, at_y))
    x, y = (cv2.remap(np.ascontiguousarray(coarse[..., i]), u, v, cv2.INTER_LINEAR) for i in (0, 1))
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
