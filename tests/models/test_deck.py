"""The built-in deck: complete, told apart by a camera at small size, and drawn by the code beside it."""

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from engine.cards import DECK

MODELS = Path(__file__).resolve().parent.parent.parent / "models"
TSUKI = MODELS / "decks" / "tsuki"
IDS = [str(card) for card in DECK]
FACE = {str(card): card.face for card in DECK}
PX = (396, 648)
THUMBNAIL_PX = (33, 54)


def picture(name: str) -> NDArray[np.uint8]:
    image = cv2.imread(str(TSUKI / f"{name}.png"), cv2.IMREAD_COLOR)
    assert image is not None, f"{name}.png cannot be read"
    return image.astype(np.uint8)


def thumbnail(name: str) -> NDArray[np.float64]:
    """Grey pixels of mean 0 and length 1, so that a dot product is a normalised correlation."""
    grey = cv2.cvtColor(picture(name), cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, THUMBNAIL_PX, interpolation=cv2.INTER_AREA).astype(np.float64)
    small -= small.mean()
    return small / float(np.linalg.norm(small))


def likeness(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """The higher correlation of the two ways a card can lie."""
    return max(float((a * b).sum()), float((a * b[::-1, ::-1]).sum()))


def test_the_deck_file_says_what_the_deck_is() -> None:
    facts = yaml.safe_load((TSUKI / "deck.yaml").read_text(encoding="utf-8"))
    assert facts["schema"] == 1
    assert facts["name"] == "tsuki"
    assert set(facts["title"]) == {"en", "ja"}
    assert facts["licence"] == "Apache-2.0"
    assert facts["card_mm"] == [33, 54]
    assert facts["thickness_mm"] == 1.1
    assert facts["back"] is True


def test_every_card_and_the_back_has_a_picture_and_nothing_else_lies_there() -> None:
    assert sorted(path.stem for path in TSUKI.glob("*.png")) == sorted([*IDS, "back"])


@pytest.mark.parametrize("name", [*IDS, "back"])
def test_a_picture_is_12_px_a_mm_with_a_dark_frame(name: str) -> None:
    image = picture(name)
    assert image.shape == (PX[1], PX[0], 3)
    frame = np.concatenate([image[:14].reshape(-1, 3), image[:, -14:].reshape(-1, 3)])
    assert frame.max() < 60


def test_the_deck_stays_small() -> None:
    assert sum(path.stat().st_size for path in TSUKI.iterdir()) <= 1_500_000


def test_faces_are_told_apart_at_54_px_height() -> None:
    small = {name: thumbnail(name) for name in [*IDS, "back"]}
    pairs = [(a, b) for a, b in combinations(small, 2) if FACE.get(a) != FACE.get(b)]
    alike = {pair: likeness(small[pair[0]], small[pair[1]]) for pair in pairs}
    worst = max(alike, key=lambda pair: alike[pair])
    assert alike[worst] < 0.65, worst


def test_no_face_is_its_own_half_turn_and_the_back_is() -> None:
    turned = {name: thumbnail(name)[::-1, ::-1] for name in [*IDS, "back"]}
    assert max(float((thumbnail(name) * turned[name]).sum()) for name in IDS) < 0.75
    assert float((thumbnail("back") * turned["back"]).sum()) > 0.98


def test_chaff_of_one_month_differ_from_each_other() -> None:
    chaff = [(a, b) for a, b in combinations(IDS, 2) if FACE[a] == FACE[b]]
    assert len(chaff) == 13
    for a, b in chaff:
        assert likeness(thumbnail(a), thumbnail(b)) < 0.9, (a, b)


def test_drawing_again_gives_the_same_picture(tmp_path: Path) -> None:
    names = ["01-bright", "03-ribbon", "11-chaff-1", "back"]
    subprocess.run([sys.executable, str(MODELS / "drawing"), *names, "--out", str(tmp_path)], check=True)
    for name in names:
        again = cv2.imread(str(tmp_path / f"{name}.png"), cv2.IMREAD_COLOR)
        assert again is not None
        differing = (again != picture(name)).any(axis=2).mean()
        assert differing <= 0.001, f"{name}.png is not what models/drawing draws; run python models/drawing"


def test_an_unknown_card_is_refused_in_words(tmp_path: Path) -> None:
    command = [sys.executable, str(MODELS / "drawing"), "13-bright", "--out", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "no such card: 13-bright" in result.stderr
    assert not list(tmp_path.iterdir())
