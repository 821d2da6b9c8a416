"""The pictures that are projected to find out where the projector's px fall, each with a token that names it.

A frame of the camera is taken for a pattern only where the pattern's own markers are read in it: a late frame never is.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from calibration.graycode import code_names, code_picture

DICTIONARY: Final = "DICT_6X6_1000"
"""Another one than printed markers are likely to be of; numbers start at 100 so that even then none is shared."""
LEVELS: Final = (100, 70, 50, 35, 25, 17)
"""Brightness of the boards in percent of the largest value: a ladder, as nobody knows the room's light."""
CROSS_LEVELS: Final = (100, 60, 35, 20)
CHECKER_LEVELS: Final = (100, 40)
IDLE: Final = "idle"
AFTER: Final = "idle-after"
WHITE: Final = "white"
FAINTEST: Final = 2.0
"""Less light than this, grey values, is not searched for markers."""
_FIRST: Final = 100
_FEW_PX: Final = 1200  # pictures less wide are enlarged before markers are looked for
_CROSSES: Final = (15, 9)
_ARM_SHARE: Final = 0.013  # of the picture's width
_SQUARES: Final = 264  # about so many squares has a board
_MARKER_SHARE: Final = 0.72
_HALF_LIGHT: Final = 0.73  # value with half the light of full value, for a gamma of 2.2


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """A picture to project, uint8 (H, W), and the numbers of the projected markers that are in no other pattern."""

    name: str
    image: NDArray[np.uint8]
    token: frozenset[int]


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A board of squares in the projector's picture: columns × rows of `square_px`, its top left px at `origin_px`."""

    columns: int
    rows: int
    square_px: int
    module_px: int
    origin_px: tuple[int, int]

    @property
    def markers(self) -> int:
        """How many markers a board holds."""
        return self.columns * self.rows // 2

    def corners_px(self) -> NDArray[np.float64]:
        """The inner corners in projector px, shape ((columns - 1)(rows - 1), 2), row by row."""
        x = self.origin_px[0] + np.arange(1, self.columns) * self.square_px - 0.5
        y = self.origin_px[1] + np.arange(1, self.rows) * self.square_px - 0.5
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)

    def marker_corners_px(self) -> NDArray[np.float64]:
        """Corners of the markers in projector px, shape (markers, 4, 2), clockwise from top left, by number."""
        side = 8 * self.module_px
        margin = (self.square_px - side) // 2
        places = [(c, r) for r in range(self.rows) for c in range(self.columns) if (c + r) % 2 == 1]
        low = np.array(places) * self.square_px + np.array(self.origin_px) + margin - 0.5
        return np.asarray(low[:, None, :] + np.array([[0, 0], [side, 0], [side, side], [0, side]]), dtype=np.float64)


@lru_cache(maxsize=8)
def board_plan(size_px: tuple[int, int]) -> BoardPlan:
    """The board for a projector of this size."""
    width, height = size_px
    square = max(16, round((width * height / _SQUARES) ** 0.5))
    columns, rows = width // square, height // square
    module = max(1, int(square * _MARKER_SHARE / 8))
    return BoardPlan(columns, rows, square, module, ((width - columns * square) // 2, (height - rows * square) // 2))


def board_name(level: int) -> str:
    """The board of that brightness."""
    return f"board-{level:03d}"


def crosses_name(level: int) -> str:
    """The crosses of that brightness."""
    return f"crosses-{level:03d}"


def checker_name(level: int) -> str:
    """The checker of single px of that brightness."""
    return f"checker-{level:03d}"


def flat_name(level: int) -> str:
    """The even grey with the light of the checker of that brightness."""
    return f"flat-{level:03d}"


def names(fallback: bool = False) -> tuple[str, ...]:
    """All patterns in the order in which they are shown; with `fallback` the 44 of the Gray code too."""
    shown = [IDLE, *map(board_name, LEVELS), *map(crosses_name, CROSS_LEVELS), WHITE]
    for level in CHECKER_LEVELS:
        shown += [checker_name(level), flat_name(level)]
    return (*shown, AFTER, *(code_names() if fallback else ()))


def first_number(name: str) -> int:
    """The first marker number that belongs to a board, as the boards have a range of numbers each."""
    return _FIRST + 145 * LEVELS.index(int(name.split("-")[1]))


def pattern(name: str, size_px: tuple[int, int]) -> Pattern:
    """The pattern called `name` for a projector of `size_px`. Raises KeyError for a name that `names` does not give."""
    width, height = size_px
    kind, _, rest = name.partition("-")
    if name in (IDLE, AFTER):
        return Pattern(name, np.zeros((height, width), dtype=np.uint8), frozenset())
    if kind == "board":
        return _board(name, size_px)
    value = round(255 * int(rest) / 100) if rest.isdigit() else 255
    match kind:
        case "crosses":
            image = _crosses(size_px, value)
        case "white":
            image = np.full((height, width), 255, dtype=np.uint8)
        case "checker":
            image = ((np.indices((height, width)).sum(axis=0) % 2) * value).astype(np.uint8)
        case "flat":
            image = np.full((height, width), round(value * _HALF_LIGHT), dtype=np.uint8)
        case "gray":
            image = code_picture(name, size_px)
        case _:
            raise KeyError(name)
    number = token_number(name)
    _stamp(image, number, max(value, 1))
    return Pattern(name, image, frozenset({number}))


def cross_centres_px(size_px: tuple[int, int]) -> NDArray[np.float64]:
    """Where the crosses are, projector px, shape (135, 2)."""
    width, height = size_px
    x = np.round(np.linspace(0.03, 0.97, _CROSSES[0]) * (width - 1))
    y = np.round(np.linspace(0.045, 0.955, _CROSSES[1]) * (height - 1))
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def arm_px(size_px: tuple[int, int]) -> int:
    """Length of a cross's arm in projector px."""
    return max(8, round(_ARM_SHARE * size_px[0]))


def token_boxes_px(size_px: tuple[int, int]) -> tuple[tuple[int, int, int, int], ...]:
    """Where the nine token markers are in patterns that are no board: left, top, right, bottom with their pads."""
    side = token_module(size_px) * 10
    width, height = size_px
    across, down = _CROSSES[0] - 1, _CROSSES[1] - 1  # between four crosses
    places = [
        (0.03 + 0.94 * (i + 0.5) / across, 0.045 + 0.91 * (j + 0.5) / down) for j in (1, 4, 6) for i in (1, 6, 12)
    ]
    left_top = [(round(x * (width - 1) - side / 2), round(y * (height - 1) - side / 2)) for x, y in places]
    return tuple((left, top, left + side, top + side) for left, top in left_top)


def file_stem(name: str, size_px: tuple[int, int]) -> str:
    """What a pattern's file is called, without its ending: it tells the projector's size."""
    return f"{name}_{size_px[0]}x{size_px[1]}"


def parse_stem(stem: str) -> tuple[str, tuple[int, int] | None]:
    """A pattern's name and the projector's size from a file's name without its ending."""
    match = re.fullmatch(r"(.+)_(\d+)x(\d+)", stem)
    return (stem, None) if match is None else (match[1], (int(match[2]), int(match[3])))


def token_number(name: str) -> int:
    """A number of its own for each pattern that is no board, above those of the boards."""
    others = [n for n in names(fallback=True) if not n.startswith(("board", "idle"))]
    return _FIRST - len(others) + others.index(name)


def token_module(size_px: tuple[int, int]) -> int:
    """Px of a module of the token markers."""
    return max(2, round(0.003 * size_px[0]))


def _stamp(image: NDArray[np.uint8], number: int, value: int) -> None:
    """Puts the token marker nine times over the picture, black on `value`."""
    module = token_module((image.shape[1], image.shape[0]))
    for left, top, right, bottom in token_boxes_px((image.shape[1], image.shape[0])):
        image[top:bottom, left:right] = value
        inner = (slice(top + module, bottom - module), slice(left + module, right - module))
        image[inner] = _modules(number, module) * np.uint8(value)


def _modules(number: int, module_px: int) -> NDArray[np.uint8]:
    """A marker of `module_px` px a module, 1 light and 0 dark."""
    light = (~opencv.marker_cells(DICTIONARY, number)).astype(np.uint8)
    return np.kron(light, np.ones((module_px, module_px), dtype=np.uint8))


def _board(name: str, size_px: tuple[int, int]) -> Pattern:
    plan = board_plan(size_px)
    value = round(255 * int(name.split("-")[1]) / 100)
    image = np.zeros((size_px[1], size_px[0]), dtype=np.uint8)
    first = first_number(name)
    margin = (plan.square_px - 8 * plan.module_px) // 2
    number = first
    for row in range(plan.rows):
        for column in range(plan.columns):
            if (column + row) % 2 == 0:
                continue
            left, top = plan.origin_px[0] + column * plan.square_px, plan.origin_px[1] + row * plan.square_px
            image[top : top + plan.square_px, left : left + plan.square_px] = value
            side = 8 * plan.module_px
            marker = _modules(number, plan.module_px) * np.uint8(value)
            image[top + margin : top + margin + side, left + margin : left + margin + side] = marker
            number += 1
    return Pattern(name, image, frozenset(range(first, number)))


def _crosses(size_px: tuple[int, int], value: int) -> NDArray[np.uint8]:
    """Upright crosses of three px width, black elsewhere."""
    image = np.zeros((size_px[1], size_px[0]), dtype=np.uint8)
    arm = arm_px(size_px)
    for x, y in cross_centres_px(size_px).astype(int).tolist():
        image[y - 1 : y + 2, x - arm : x + arm + 1] = value
        image[y - arm : y + arm + 1, x - 1 : x + 2] = value
    return image


def lit(difference: NDArray[np.float32]) -> float:
    """How much light was added where most was, grey values, from pattern − idle, float32 (H, W).

    Squares of 8 px are averaged first, and nothing is clipped before: noise alone would look like light.
    """
    height, width = difference.shape
    small = cv2.resize(difference, (max(1, width // 8), max(1, height // 8)), interpolation=cv2.INTER_AREA)
    return float(np.percentile(small, 99))


def readable(difference: NDArray[np.float32]) -> NDArray[np.uint8]:
    """pattern − idle, float32 (H, W), freed of noise and stretched to uint8 so that its markers can be read."""
    smooth = cv2.GaussianBlur(difference, (0, 0), float(np.clip(difference.shape[1] / 2400, 0.5, 1.0)))
    top = max(8.0, float(np.percentile(smooth[::4, ::4], 99.0)))
    return np.asarray(np.clip(smooth * (255 / top), 0, 255), dtype=np.uint8)


def token_markers(grey: NDArray[np.uint8]) -> dict[int, list[NDArray[np.float64]]]:
    """Projected markers in a readable difference: corners in px, shape (4, 2), of every place, by number."""
    found: dict[int, list[NDArray[np.float64]]] = {}
    share = 2 if grey.shape[1] < _FEW_PX else 1  # cells of two px are read better when they are four px large
    large = grey if share == 1 else cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_CUBIC)
    for number, corners in opencv.detect_markers(
        np.asarray(large, dtype=np.uint8), DICTIONARY, _windows_px(large.shape[1])
    ):
        found.setdefault(number, []).append((corners + 0.5) / share - 0.5)
    return found


def _windows_px(width: int) -> tuple[int, int, int]:
    """Two windows of some modules: more markers in faint light, and half the time, of OpenCV's own three small ones."""
    least = max(9, 2 * round(0.006 * width) - 1)
    return least, least + 2 * round(0.0052 * width), 2 * max(1, round(0.0052 * width))


def mirrored(grey: NDArray[np.uint8]) -> bool:
    """Whether projected markers are read in the picture's mirror image: then light or camera is mirrored."""
    flipped = np.asarray(np.ascontiguousarray(grey[:, ::-1]), dtype=np.uint8)
    return len(token_markers(flipped)) > 0
