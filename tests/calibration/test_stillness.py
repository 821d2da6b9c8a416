"""A table that moves while patterns are shown is told, and a photograph under another pattern's name."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import patterns
from calibration.findings import Mark
from calibration.mat_markers import mat_markers
from calibration.mat_pose import see_markers
from calibration.photographs import Photo, Photographs
from calibration.stillness import check_stillness, misnamed
from tests.calibration.mats import seen_by
from tests.calibration.rigs import look_down

RIG = look_down(1250, 0.15, 1.0, dist=(-0.12, 0.02, 0.0005, -0.0003, 0))
MARKERS = mat_markers((900.0, 560.0))
SIZE = (960, 540)


def photo(grey: NDArray[np.uint8]) -> Photo:
    return Photo(grey.astype(np.float32), grey)


@pytest.mark.parametrize(
    ("px", "mark", "said"), [(0, Mark.WELL, "lay still"), (1, Mark.NOTE, "stirred by"), (3, Mark.BAD, "moved by")]
)
def test_a_mat_that_moved_meanwhile_is_told(px: int, mark: Mark, said: str) -> None:
    picture = seen_by(RIG, MARKERS)[0]
    photos = Photographs({patterns.IDLE: photo(picture), patterns.AFTER: photo(np.roll(picture, px, axis=1))})
    seen = see_markers(photos.idle.grey, MARKERS)
    (check,) = check_stillness(photos, RIG.view, MARKERS, seen)
    assert check.mark is mark and said in check.found
    assert check_stillness(Photographs({patterns.IDLE: photos.idle}), RIG.view, MARKERS, seen) == ()
    assert check_stillness(photos, RIG.view, MARKERS, {}) == ()


def taken(**shown: str) -> Photographs:
    """Photographs by name (with _ for -) of the patterns that they show, as a perfect camera sees them."""
    return Photographs(
        {name.replace("_", "-"): photo(patterns.pattern(of, SIZE).image // 2 + 40) for name, of in shown.items()}
    )


def test_photographs_under_their_own_names_are_well() -> None:
    assert misnamed(taken(idle="idle", board_100="board-100", board_050="board-050", white="crosses-100")) is None


def test_a_board_under_the_name_of_another_is_told() -> None:
    assert misnamed(taken(idle="idle", board_100="board-035", board_050="board-050")) == ("board-100", "board-035")


def test_a_board_under_the_dark_ones_name_is_told() -> None:
    assert misnamed(taken(idle="board-100", board_100="board-070")) == ("idle", "board-100")


def test_a_board_that_cannot_be_read_is_not_called_another() -> None:
    assert misnamed(taken(idle="idle", board_100="white", board_050="idle")) is None
