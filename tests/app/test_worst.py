"""The worst pictures of a bench are kept, drawn and saved, and nothing is overwritten."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from app.worst import Mark, Worst, draw
from engine.errors import ConfigError
from vision.picture import load_image

GREY = np.full((50, 80, 3), 90, np.uint8)


def plain(level: int) -> NDArray[np.uint8]:
    return np.full((8, 8, 3), level, np.uint8)


def test_the_worst_are_saved_the_worst_first(tmp_path: Path) -> None:
    worst = Worst(tmp_path / "out", most=2)
    for wrong in (1, 5, 0, 3, 3):
        worst.add(wrong, f"look-{wrong}", lambda wrong=wrong: plain(10 * wrong))  # type: ignore[misc]
    files = worst.save()
    assert [file.name for file in files] == ["01-look-5.png", "02-look-3.png"]
    assert (load_image(files[0]) == 50).all()


def test_without_a_folder_nothing_is_drawn() -> None:
    worst = Worst(None)
    worst.add(3, "look", lambda: pytest.fail("drawn"))
    assert worst.save() == ()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.png").touch()
    with pytest.raises(ConfigError, match="is not empty"):
        Worst(tmp_path)
    with pytest.raises(ConfigError, match="no pictures can be saved"):
        Worst(tmp_path / "mine.png")


def test_what_is_wrong_stands_out_and_lines_stand_below() -> None:
    quad = np.array([[20, 20], [40, 20], [40, 40], [20, 40]], np.float64)
    small = draw(GREY, [])
    scale = small.shape[1] // 80
    assert scale > 1 and small.shape == (50 * scale, 80 * scale, 3)

    def ink(true: bool, right: bool) -> list[int]:
        """The colour on the left side of the quad."""
        row = draw(GREY, [Mark(quad, "x", true, right)])[30 * scale, : 30 * scale].astype(int)
        return list(row[int(np.abs(row - 90).sum(axis=1).argmax())])

    right, missed, false = ink(True, True), ink(True, False), ink(False, False)
    assert max(right) == right[1] and max(missed) == missed[2] > 2 * missed[0] and false[0] == false[2] > 2 * false[1]
    assert draw(GREY, [], ["one", "two"]).shape[0] > small.shape[0]
