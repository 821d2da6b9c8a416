"""What the operator's window shows: pictures side by side, a timeline, a status and a help line, as one image."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from projection.overlay import label
from projection.scene import RGB
from projection.theme import EDGE, GOLD, ORANGE, SOFT, WHITE

_GROUND: RGB = (24, 24, 28)
_LINE_PX = 26
_TEXT_PX = 17
_GAP_PX = 6
_HANDLE_PX = 12


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A picture in the window under a title: `image` uint8 (H, W, 3) RGB.

    `handles` are points, in px of the image, drawn as things to drag.
    """

    title: str
    image: NDArray[np.uint8]
    handles: tuple[tuple[float, float], ...] = ()

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the image."""
        return self.image.shape[1], self.image.shape[0]


@dataclass(frozen=True, slots=True)
class Timeline:
    """A bar under the pictures: where we are (0–1), and marks on it (0–1), of which `differs` are drawn larger."""

    position: float
    marks: tuple[float, ...] = ()
    differs: tuple[float, ...] = ()


Box = tuple[int, int, int, int]
"""Left, top, width, height in px of the window."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where things lie in a window: one box for the picture of each panel, one for the timeline if there is one."""

    boxes: tuple[Box, ...]
    timeline: Box | None

    def on_panel(
        self, x: float, y: float, sizes_px: Sequence[tuple[int, int]]
    ) -> tuple[int, tuple[float, float]] | None:
        """The panel and the px of its image under a point of the window, or None beside all of them."""
        for i, (box, size) in enumerate(zip(self.boxes, sizes_px, strict=True)):
            if box[0] <= x < box[0] + box[2] and box[1] <= y < box[1] + box[3]:
                return i, to_image(x, y, box, size)
        return None


def to_image(x: float, y: float, box: Box, size_px: tuple[int, int]) -> tuple[float, float]:
    """The px of an image of `size_px` shown in `box` under a point of the window (pixel centres are whole numbers)."""
    return (
        (x + 0.5 - box[0]) * size_px[0] / box[2] - 0.5,
        (y + 0.5 - box[1]) * size_px[1] / box[3] - 0.5,
    )


def plan(sizes_px: Sequence[tuple[int, int]], window_px: tuple[int, int], has_timeline: bool) -> Plan:
    """Boxes for pictures of these sizes (width, height): as large as the window allows."""
    width, height = window_px
    bottom = 2 * _LINE_PX + (_LINE_PX if has_timeline else 0)
    best: tuple[float, tuple[Box, ...]] = (-1.0, ())
    for columns in range(1, len(sizes_px) + 1):
        rows = -(-len(sizes_px) // columns)
        cell_w = (width - _GAP_PX * (columns + 1)) // columns
        cell_h = (height - bottom - _GAP_PX * (rows + 1)) // rows - _LINE_PX
        boxes = []
        for i, (w, h) in enumerate(sizes_px):
            row, column = divmod(i, columns)
            scale = max(1e-3, min(cell_w / w, cell_h / h))
            size = max(1, int(w * scale)), max(1, int(h * scale))
            left = _GAP_PX + column * (cell_w + _GAP_PX) + (cell_w - size[0]) // 2
            boxes.append((left, _GAP_PX + row * (cell_h + _LINE_PX + _GAP_PX) + _LINE_PX, *size))
        area = float(sum(b[2] * b[3] for b in boxes))
        if area > best[0]:
            best = area, tuple(boxes)
    bar = (_GAP_PX, height - bottom, width - 2 * _GAP_PX, _LINE_PX) if has_timeline else None
    return Plan(best[1], bar)


def draw(
    panels: Sequence[Panel],
    window_px: tuple[int, int],
    status: str = "",
    help_line: str = "",
    timeline: Timeline | None = None,
) -> NDArray[np.uint8]:
    """The window's content, uint8 (H, W, 3) RGB with `window_px` = (W, H)."""
    width, height = window_px
    image = np.full((height, width, 3), _GROUND, dtype=np.uint8)
    where = plan([panel.size_px for panel in panels], window_px, timeline is not None)
    for panel, (left, top, w, h) in zip(panels, where.boxes, strict=True):
        shrinks = w < panel.image.shape[1]
        small = cv2.resize(panel.image, (w, h), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
        visible = image[top : top + h, left : left + w]
        visible[:] = small[: visible.shape[0], : visible.shape[1]]
        label(image, panel.title, left, max(0, top - _LINE_PX + 3), _TEXT_PX, SOFT, w)
        for x, y in panel.handles:
            centre = (
                round(left + (x + 0.5) * w / panel.image.shape[1]),
                round(top + (y + 0.5) * h / panel.image.shape[0]),
            )
            cv2.circle(image, centre, _HANDLE_PX, (0, 0, 0), 4, cv2.LINE_AA)
            cv2.circle(image, centre, _HANDLE_PX, GOLD, 2, cv2.LINE_AA)
            cv2.drawMarker(image, centre, WHITE, cv2.MARKER_CROSS, 2 * _HANDLE_PX, 1)
    if timeline is not None and where.timeline is not None:
        _draw_timeline(image, timeline, where.timeline)
    label(image, status, _GAP_PX, height - 2 * _LINE_PX + 3, _TEXT_PX, WHITE, width - 2 * _GAP_PX)
    label(image, help_line, _GAP_PX, height - _LINE_PX + 3, _TEXT_PX, SOFT, width - 2 * _GAP_PX)
    return image


def _draw_timeline(image: NDArray[np.uint8], timeline: Timeline, box: Box) -> None:
    left, top, width, height = box
    middle = top + height // 2
    cv2.line(image, (left, middle), (left + width - 1, middle), EDGE, 4)
    for share, half, colour in (*((m, 5, SOFT) for m in timeline.marks), *((m, 11, ORANGE) for m in timeline.differs)):
        x = left + round(min(1.0, max(0.0, share)) * (width - 1))
        cv2.line(image, (x, middle - half), (x, middle + half), colour, 2)
    x = left + round(min(1.0, max(0.0, timeline.position)) * (width - 1))
    cv2.circle(image, (x, middle), 8, GOLD, cv2.FILLED, cv2.LINE_AA)
