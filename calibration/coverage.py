"""What the views of the board have covered so far, and in words what to show the camera next."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import BoardView
from calibration.lens import Lens
from engine.events import Words

COLUMNS: Final = 6
ROWS: Final = 4
ENOUGH: Final = 18
"""So many good views make a lens that does not depend on luck."""
TILTED_RAD: Final = math.radians(14)
_EACH_TILT: Final = 2
_PLACES: Final = {
    "left": Words("the left edge", "左端"),
    "right": Words("the right edge", "右端"),
    "top": Words("the upper edge", "上端"),
    "bottom": Words("the lower edge", "下端"),
    "top left": Words("the upper left corner", "左上の隅"),
    "top right": Words("the upper right corner", "右上の隅"),
    "bottom left": Words("the lower left corner", "左下の隅"),
    "bottom right": Words("the lower right corner", "右下の隅"),
    "middle": Words("the middle", "中央"),
}
_TILTS: Final = {
    "left": Words("its left side nearer to the camera", "ボードの左側をカメラに近づけて"),
    "right": Words("its right side nearer to the camera", "ボードの右側をカメラに近づけて"),
    "top": Words("its upper side nearer to the camera", "ボードの上側をカメラに近づけて"),
    "bottom": Words("its lower side nearer to the camera", "ボードの下側をカメラに近づけて"),
}


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a set of views has covered.

    `cells` says for each of `ROWS` x `COLUMNS` parts of the picture whether a corner was seen there; `tilts` how many
    views had that side of the board (left, right, top, bottom, as the picture shows it) nearer to the camera.
    """

    cells: tuple[tuple[bool, ...], ...]
    tilts: tuple[tuple[str, int], ...]
    views: int

    @property
    def share(self) -> float:
        """The covered share of the picture, 0-1."""
        return sum(map(sum, self.cells)) / (ROWS * COLUMNS)


def coverage(views: Sequence[BoardView]) -> Coverage:
    """What `views` (of one picture size) have covered; nothing for no views."""
    cells = np.zeros((ROWS, COLUMNS), dtype=bool)
    tilts = dict.fromkeys(_TILTS, 0)
    for view in views:
        cells |= cells_of(view)
        across, down = tilt_rad(view)
        for side, angle in (("right", across), ("left", -across), ("bottom", down), ("top", -down)):
            tilts[side] += angle > TILTED_RAD
    return Coverage(tuple(map(tuple, cells.tolist())), tuple(tilts.items()), len(views))


def advice(seen: Coverage) -> Words | None:
    """What to do next with the board, the most useful first; None when nothing is missing."""
    if seen.views == 0:
        return Words("hold the board into the middle of the picture", "ボードを画面の中央にかざしてください")
    place = _least_covered(seen)
    tilt = next((side for side, count in sorted(seen.tilts, key=lambda one: one[1]) if count < _EACH_TILT), None)
    match place, tilt:
        case None, None if seen.views >= ENOUGH:
            return None
        case None, None:
            return Words("some more: elsewhere, tilted another way", "あと数枚：場所と傾きを変えて")
        case None, str():
            how = _TILTS[tilt]
            return Words(f"tilt more: {how.en}", f"もっと傾けて：{how.ja}ください")
        case str(), None:
            where = _PLACES[place]
            return Words(f"move the board to {where.en} of the picture", f"ボードを画面の{where.ja}へ")
        case _:
            where, how = _PLACES[str(place)], _TILTS[str(tilt)]
            return Words(f"to {where.en} of the picture, {how.en}", f"画面の{where.ja}へ、{how.ja}")


def cells_of(view: BoardView) -> NDArray[np.bool_]:
    """Which parts of the picture hold corners of the view, bool (ROWS, COLUMNS)."""
    cells = np.zeros((ROWS, COLUMNS), dtype=bool)
    scaled = (view.points_px + 0.5) / view.size_px * (COLUMNS, ROWS)
    column, row = np.clip(np.floor(scaled).astype(int), 0, (COLUMNS - 1, ROWS - 1)).T
    cells[row, column] = True
    return cells


def tilt_rad(view: BoardView) -> tuple[float, float]:
    """How the board leans, in radians: positive where its right side, and where its lower side, is nearer.

    Sides are as the picture shows them. Worked out with a usual focal length, so it is good to a fifth of itself.
    """
    width, height = view.size_px
    focal = 0.8 * width
    lens = Lens(np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]]), np.zeros(5))
    space = np.column_stack([view.points_mm, np.zeros(len(view.points_mm))])
    found, turn, _ = cv2.solvePnP(space, view.points_px[:, None], lens.K, lens.dist)
    if not found:
        return 0.0, 0.0
    normal = cv2.Rodrigues(turn)[0][:, 2]
    if normal[2] > 0:
        normal = -normal  # towards the camera
    return math.atan2(-float(normal[0]), -float(normal[2])), math.atan2(-float(normal[1]), -float(normal[2]))


def _least_covered(seen: Coverage) -> str | None:
    """The part of the picture's rim (or the middle) that needs the board most, or None where all is covered."""
    cells = np.array(seen.cells)
    parts = {
        "middle": cells[1:-1, 1:-1],
        "left": cells[:, :1],
        "right": cells[:, -1:],
        "top": cells[:1],
        "bottom": cells[-1:],
        "top left": cells[:1, :1],
        "top right": cells[:1, -1:],
        "bottom left": cells[-1:, :1],
        "bottom right": cells[-1:, -1:],
    }
    shares = {name: float(part.mean()) for name, part in parts.items()}
    edges = {name: share for name, share in shares.items() if " " not in name}
    low = min(edges, key=lambda name: edges[name])
    if edges[low] < 0.5:
        return low
    return next((name for name, share in shares.items() if " " in name and share < 1), None)
