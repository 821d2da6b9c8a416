"""Believed cards are compared with where they truly lie: by how much is in view, late is not false."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from app.session_cards import CardTally, Placed, compared, load_truth
from calibration.frames import Pose
from engine.cards import Card
from engine.errors import ConfigError
from vision.tallies import Count
from vision.values import SeenCard


def square(x: float, y: float) -> NDArray[np.float64]:
    return np.array([[x, y], [x + 33, y], [x + 33, y + 54], [x, y + 54]], np.float64)


def seen(card: str, probability: float = 0.95) -> SeenCard:
    return SeenCard(Card.parse(card), True, Pose(0.0, 0.0, 0.0), None, probability)


def line(t_s: float, *cards: tuple[str, float, float], hands: int = 0, face_up: bool = True) -> str:
    entries = [
        {"card": card, "zone": "field", "face_up": face_up, "px": square(x, y).tolist(), "mm": [x, y], "order": i}
        for i, (card, x, y) in enumerate(cards)
    ]
    return json.dumps({"t_s": t_s, "hands": hands, "cards": entries})


def write(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "cards.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_cards_are_found_right_or_wrong_and_false_ones_are_named() -> None:
    truth = [
        Placed(Card.parse("01-bright"), square(10, 10), 1.0, True),
        Placed(Card.parse("02-chaff-1"), square(100, 10), 0.6, True),
        Placed(Card.parse("03-bright"), square(200, 10), 1.0, True),
        Placed(Card.parse("04-animal"), square(300, 10), 0.05, True),
    ]
    believed = [seen("01-ribbon", 0.6), seen("02-chaff-2"), seen("08-bright", 0.7)]
    tally = compared(truth, believed, [square(12, 11), square(101, 10), square(500, 10)], 7.0)
    assert tally.bands == {"whole": Count(2, 1, 0, 0), "half": Count(1, 1, 1, 0)}
    assert tally.false == 1 and tally.looks == 1
    assert sorted(tally.readings) == [(0.6, False), (0.7, False), (0.95, True)]
    assert [remark.split(": ")[1].split(" ")[0] for remark in tally.remarks] == ["01-bright", "03-bright", "08-bright"]


def test_a_card_that_just_moved_is_neither_missed_nor_false() -> None:
    truth = [Placed(Card.parse("01-bright"), square(10, 10), 1.0, False)]
    tally = compared(truth, [seen("01-bright")], [square(400, 10)], 1.0)
    assert tally == CardTally(looks=1)


def test_truth_knows_what_rests_and_what_is_covered(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        line(0.0, ("01-bright", 10, 10), ("02-animal", 100, 10)),
        line(1.0, ("01-bright", 10, 10), ("02-animal", 26.5, 10)),
        line(2.0, ("01-bright", 10, 10), hands=1),
        line(3.0, ("01-bright", 10, 10), face_up=False),
    )
    truth = load_truth(path, (640, 480))
    assert sorted(truth) == [0.0, 1.0, 3.0]
    under, over = truth[1.0]
    assert under.rests and not over.rests
    assert under.visible == pytest.approx(0.5, abs=0.06) and over.visible == pytest.approx(1.0, abs=0.06)
    assert truth[3.0] == ()
    assert load_truth(tmp_path / "none.jsonl", (640, 480)) == {}


@pytest.mark.parametrize("row", ["{", "[]", '{"t_s": 1}', '{"t_s": 1, "hands": 0, "cards": [{"order": 1}]}'])
def test_a_broken_line_is_named(row: str, tmp_path: Path) -> None:
    path = write(tmp_path, line(0.0, ("01-bright", 10, 10)), row)
    with pytest.raises(ConfigError, match=r"cards\.jsonl: line 2"):
        load_truth(path, (640, 480))
