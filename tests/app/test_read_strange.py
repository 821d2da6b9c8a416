"""`hanafuda read` with no deck enrolled and none named: the trained eyes name traditional cards."""

import json
from pathlib import Path

import cv2
import pytest

from app.main import main
from app.photos import photo_reader
from engine.cards import Card
from engine.errors import ConfigError
from tests.vision.scenes import Lying, photograph, quad, tsuki
from vision.still import PhotoReader
from vision.strange import StrangeReader


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HANAFUDA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def enrol(home: Path, name: str) -> None:
    target = home / "decks" / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.symlink_to(tsuki().folder, target_is_directory=True)


def test_cards_are_named_with_nothing_enrolled(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards = ("01-bright", "08-bright", "06-animal")
    lying = [Lying(Card.parse(name), quad(120 + 150 * i, 150, 5 * i, 180)) for i, name in enumerate(cards)]
    cv2.imwrite(str(tmp_path / "p.png"), photograph(tsuki(), lying, (530, 300), seed=3)[0])
    assert main(["read", str(tmp_path / "p.png"), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {one["card"] for one in answer["cards"]} == set(cards)
    assert all(one["confidence"] > 0.5 for one in answer["cards"])


def test_what_is_enrolled_or_named_is_what_is_read_with(home: Path) -> None:
    assert isinstance(photo_reader(None, []), StrangeReader)
    assert isinstance(photo_reader("tsuki", []), PhotoReader)
    enrol(home, "mine")
    assert isinstance(photo_reader(None, []), PhotoReader)
    enrol(home, "yours")
    with pytest.raises(ConfigError, match=r"several decks are enrolled \(mine, yours\)"):
        photo_reader(None, [])
