"""The verb `layout`: list, show, new."""

import json
from pathlib import Path

import cv2
import pytest

from app.layouts import sketch
from app.main import main
from calibration.layout import builtin_layout, load_layout


def test_the_layouts_that_ship_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["layout", "list"]) == 0
    assert "4-seats      4 seats, mat 1120 x 640 mm" in capsys.readouterr().out
    assert main(["layout", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["name"] == "2-seats"


def test_one_is_shown_drawn_and_checked_for_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "l.png"
    assert main(["layout", "show", "3-seats", "--game", "chotto-hana-awase", "--picture", str(out)]) == 0
    assert "captured-2" in capsys.readouterr().out
    picture = cv2.imread(str(out))
    assert picture is not None
    assert picture.shape == (700, 1180, 3)


def test_the_sketch_shows_zones_with_their_seats_and_the_operator_below() -> None:
    lines = sketch(builtin_layout(2)).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert "h1h1" in lines[2]
    assert "h0h0" in lines[-3]
    assert "ffff" in lines[len(lines) // 2]


def test_a_layout_is_made_for_a_mat_and_never_overwrites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "mine.yaml"
    words = ["layout", "new", "--seats", "3", "--mat", "1200x700", "--name", "mine", "--out", str(out)]
    assert main(words) == 0
    layout = load_layout(out)
    assert (layout.name, layout.mat_mm, len(layout.seats)) == ("mine", (1200, 700), 3)
    assert main(words) == 2
    assert "mine.yaml: is there already" in capsys.readouterr().err
    assert main(["layout", "show", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mat_mm"] == [1200, 700]


def test_without_a_file_it_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["layout", "new", "--seats", "2"]) == 0
    path = tmp_path / "printed.yaml"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    assert load_layout(path) == builtin_layout(2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["show", "nowhere"], "nowhere: is neither a layout file nor a built-in layout (2-seats"),
        (["show", "5-seats", "--game", "chotto-hana-awase"], "5"),
        (["new", "--seats", "9"], "--seats 9: a layout can be made for 2 to 5 seats"),
        (["new", "--seats", "2", "--mat", "big"], "--mat 'big': must be width x height in mm"),
        (["new", "--seats", "2", "--mat", "500x300"], "too small for 2 seats with 10 cards each; the smallest is"),
        (["show", "2-seats", "--picture", "out.gif"], "out.gif: a picture must be a .png file"),
    ],
    ids=["unknown", "seats of the game", "nine", "no size", "too small", "no png"],
)
def test_what_cannot_be_is_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["layout", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
