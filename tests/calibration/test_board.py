"""The lens board: its geometry as OpenCV knows it, found in rendered pictures to a fraction of a px."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import Board, BoardView, NoBoard, find_board, matching_board
from calibration.opencv import detect_markers, dictionary_names, marker_cells
from engine.errors import ConfigError
from tests.calibration.boards import BOARD, board_texture, random_lens, random_poses, render, true_px

SIZE = (1280, 720)
LENS = random_lens(1, SIZE)
POSES = tuple(random_poses(1, LENS, SIZE, 8))


def flat(board: Board) -> NDArray[np.uint8]:
    """The board as printed, small enough to be found quickly."""
    return board_texture(board)[::4, ::4]


@pytest.mark.parametrize("number", [0, 3, 6])
def test_corners_are_found_where_they_are(number: int) -> None:
    found = find_board(render(LENS, POSES[number], SIZE, seed=number), BOARD, "a.png")
    assert isinstance(found, BoardView) and len(found.ids) > 30
    assert (found.size_px, found.name) == (SIZE, "a.png")
    off = found.points_px - true_px(LENS, POSES[number], found.points_mm)
    assert np.sqrt(np.mean(np.sum(off**2, axis=1))) < 0.15
    assert np.abs(off.mean(axis=0)).max() < 0.03  # no half px anywhere


def test_a_blurred_picture_has_wide_edges() -> None:
    sharp, soft = (find_board(render(LENS, POSES[0], SIZE, blur_px=blur), BOARD) for blur in (0.7, 2.0))
    assert isinstance(sharp, BoardView) and isinstance(soft, BoardView)
    assert sharp.edge_px < 3.5 < 4.5 < soft.edge_px


@pytest.mark.parametrize("board", [BOARD, Board(7, 6, 30, 22, "DICT_4X4_50", legacy=True)], ids=["usual", "legacy"])
def test_squares_and_markers_lie_where_opencv_draws_them(board: Board) -> None:
    picture, step = flat(board), 2.0 * board.square_mm  # 2 px a mm, a margin of a square
    for row in range(board.rows):
        for column in range(board.columns):
            corner = picture[round(step * (row + 1)) + 2, round(step * (column + 1)) + 2]
            assert (corner < 128) == board.is_black(column, row)
    seen = {marker: corners.mean(axis=0) for marker, corners in detect_markers(picture, board.dictionary)}
    drawn = {number: ((c + 1.5) * step - 0.5, (r + 1.5) * step - 0.5) for number, c, r in board.markers()}
    assert seen.keys() == drawn.keys()
    assert all(np.allclose(seen[number], drawn[number], atol=1) for number in drawn)


@pytest.mark.parametrize(
    "other",
    [replace(BOARD, legacy=True), Board(8, 11), Board(8, 11, legacy=True)],
    ids=["legacy", "turned", "legacy turned"],
)
def test_the_board_in_the_picture_is_recognised_though_another_was_named(other: Board) -> None:
    assert isinstance(find_board(flat(other), BOARD), NoBoard)
    known = matching_board([np.full((200, 200), 90, np.uint8), flat(other)], BOARD)
    assert isinstance(find_board(flat(other), known), BoardView)
    assert (known.columns * known.rows, known.square_mm) == (88, 25)


def test_no_board_says_whether_markers_of_one_were_seen() -> None:
    empty = find_board(np.full((300, 400), 90, np.uint8), BOARD)
    assert empty == NoBoard(0)
    other = find_board(flat(Board(6, 5, 40, 30)), Board(11, 8))
    assert isinstance(other, NoBoard) and other.markers > 5
    assert matching_board([flat(Board(6, 5, 40, 30))], BOARD) == BOARD


@pytest.mark.parametrize(
    ("columns", "rows", "marker_mm", "dictionary", "named"),
    [
        (2, 8, 18, "DICT_5X5_100", "2x8"),
        (11, 8, 25, "DICT_5X5_100", "25 mm"),
        (11, 8, 18, "DICT_9X9_9", "DICT_9X9_9"),
        (20, 20, 18, "DICT_5X5_100", "needs 200"),
    ],
    ids=["too few squares", "marker as large as its square", "unknown dictionary", "too many markers"],
)
def test_a_board_that_cannot_be_is_refused(
    columns: int, rows: int, marker_mm: float, dictionary: str, named: str
) -> None:
    with pytest.raises(ConfigError, match=named):
        Board(columns, rows, 25.0, marker_mm, dictionary)


def test_marker_cells_have_a_black_border_and_differ() -> None:
    cells = [marker_cells("DICT_4X4_50", marker) for marker in range(4)]
    for one in cells:
        assert one.shape == (6, 6) and one[0].all() and one[-1].all() and one[:, 0].all() and one[:, -1].all()
        assert not one.all()
    assert len({one.tobytes() for one in cells}) == 4
    assert "DICT_4X4_50" in dictionary_names()
    assert marker_cells("DICT_APRILTAG_36h11", 3).shape == marker_cells("DICT_APRILTAG_36H11", 3).shape == (8, 8)
    with pytest.raises(ConfigError, match="markers 0 to 49, not 50"):
        marker_cells("DICT_4X4_50", 50)
