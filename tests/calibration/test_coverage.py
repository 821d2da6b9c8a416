"""What the board's views have covered, and what to do next in words of both languages."""

import cv2
import numpy as np
import pytest

from calibration.board import BoardView
from calibration.coverage import COLUMNS, ENOUGH, ROWS, Coverage, advice, coverage, tilt_rad
from tests.calibration.boards import Pose, random_lens, view, views

SIZE = (1920, 1080)
LENS = random_lens(3)
TILTS = {"left": 2, "right": 2, "top": 2, "bottom": 2}


def turned(axis: tuple[float, float], angle: float) -> BoardView:
    """The board in the picture's middle, turned about an axis of the camera (x right, y down)."""
    rotation = np.asarray(cv2.Rodrigues(np.array([*axis, 0.0]) * angle)[0], dtype=np.float64)
    found = view(LENS, Pose(rotation, np.array([0, 0, 500.0])), SIZE, 0.1)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("axis", "nearer"),
    [((0, 1), "right"), ((0, -1), "left"), ((-1, 0), "bottom"), ((1, 0), "top")],
    ids=["right", "left", "bottom", "top"],
)
def test_the_nearer_side_is_told(axis: tuple[float, float], nearer: str) -> None:
    seen = dict(coverage([turned(axis, 0.4)]).tilts)
    assert seen == {side: int(side == nearer) for side in TILTS}
    across, down = tilt_rad(turned(axis, 0.4))
    assert max(abs(across), abs(down)) == pytest.approx(0.4, abs=0.08)


def test_a_board_held_square_leans_to_no_side() -> None:
    assert set(dict(coverage([turned((0, 1), 0.05)]).tilts).values()) == {0}


def covered(*open_cells: tuple[int, int], tilts: dict[str, int] | None = None, count: int = ENOUGH) -> Coverage:
    """All parts but these (row, column) are covered."""
    cells = tuple(tuple((row, column) not in open_cells for column in range(COLUMNS)) for row in range(ROWS))
    return Coverage(cells, tuple((tilts or TILTS).items()), count)


LEFT = tuple((row, 0) for row in range(ROWS))


@pytest.mark.parametrize(
    ("seen", "en", "ja"),
    [
        (coverage([]), "hold the board into the middle of the picture", "中央"),
        (covered(*LEFT), "move the board to the left edge of the picture", "左端"),
        (covered(*((0, c) for c in range(COLUMNS))), "move the board to the upper edge of the picture", "上端"),
        (covered((3, 5)), "move the board to the lower right corner of the picture", "右下の隅"),
        (covered(tilts=TILTS | {"top": 0}), "tilt more: its upper side nearer to the camera", "上側"),
        (covered(*LEFT, tilts=TILTS | {"right": 1}),
         "to the left edge of the picture, its right side nearer to the camera", "右側"),
        (covered(count=9), "some more: elsewhere, tilted another way", "あと数枚"),
    ],
    ids=["nothing", "left edge", "upper edge", "a corner", "tilt", "edge and tilt", "too few"],
)  # fmt: skip
def test_the_next_thing_to_do_is_said(seen: Coverage, en: str, ja: str) -> None:
    said = advice(seen)
    assert said is not None and said.en == en and ja in said.ja


def test_nothing_more_is_asked_for_when_all_is_there() -> None:
    assert advice(covered()) is None
    assert advice(coverage(views(LENS, 3))) is None
    assert covered(*LEFT).share == pytest.approx(5 / 6)
