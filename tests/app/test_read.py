"""`hanafuda read`: any picture gets an answer or one sentence; a game says what the cards are worth."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from app.main import main
from app.photos import worth_of
from engine import catalogue
from engine.cards import Card
from tests.vision.scenes import Lying, photograph, quad, tsuki
from vision.still import Reading

VIEWING = ("03-bright", "08-bright", "09-animal")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANAFUDA_HOME", str(tmp_path / "home"))


def photo(path: Path, *cards: str) -> Path:
    """A photograph of `cards` side by side."""
    lying = [Lying(Card.parse(card), quad(110 + 150 * i, 150, 5 * i, 180)) for i, card in enumerate(cards)]
    cv2.imwrite(str(path), photograph(tsuki(), lying, (150 * len(cards) + 80, 300), seed=3)[0])
    return path


def read(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["read", *(str(word) for word in words), "--deck", "tsuki"])
    said = capsys.readouterr()
    return code, said.out, said.err


def as_json(capsys: pytest.CaptureFixture[str], *words: object) -> list[dict[str, Any]]:
    code, out, _ = read(capsys, *words, "--json")
    assert code == 0
    return [json.loads(line) for line in out.splitlines()]


def test_cards_are_named_and_counted_for_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = photo(tmp_path / "a.png", *VIEWING)
    (answer,) = as_json(capsys, path, "--game", "chotto-hana-awase")
    assert sorted(card["card"] for card in answer["cards"]) == sorted(VIEWING)
    assert answer["score"]["points"] == 50
    assert answer["score"]["total"] == 50 + sum(yaku["value"] for yaku in answer["score"]["yaku"])
    assert {yaku["id"] for yaku in answer["score"]["yaku"]} >= {"moon_viewing"}
    assert all(len(card["corners_px"]) == 4 for card in answer["cards"])


def readings(*cards: str) -> tuple[Reading, ...]:
    return tuple(Reading(Card.parse(card), 0.9, ((0.0, 0.0),) * 4) for card in cards)


@pytest.mark.parametrize(
    ("game", "points", "left_out", "counts"),
    [
        ("chotto-hana-awase", 21, ["11-bright"], True),
        ("oyohen", 41, [], True),
        ("hana-awase", 41, [], True),
        ("junior-chotto", 40, [], True),
        ("hiyoko", 41, [], False),
        ("isuri", 41, [], False),
    ],
)
def test_points_are_those_of_the_game(game: str, points: int, left_out: list[str], counts: bool) -> None:
    worth = worth_of(readings("08-bright", "11-bright", "02-chaff-1", "02-chaff-1"), catalogue.load(game))
    assert worth.tally.points == points
    assert [str(card) for card in worth.left_out] == left_out
    assert worth.counts == counts


def test_what_a_game_leaves_out_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = photo(tmp_path / "a.png", "08-bright", "11-bright")
    _, out, _ = read(capsys, path, "--game", "chotto-hana-awase")
    assert "not in that game: 11-bright" in out and "worth 20 = 20 in Chotto" in out


def test_no_cards_is_an_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(2)
    for name, image in {
        "plain.png": np.full((300, 400, 3), 90, np.uint8),
        "noise.png": rng.integers(0, 256, (120, 160, 3), np.uint8),
        "pixel.png": np.full((1, 1, 3), 90, np.uint8),
        "line.png": np.full((1, 500, 3), 90, np.uint8),
    }.items():
        cv2.imwrite(str(tmp_path / name), image)
        assert as_json(capsys, tmp_path / name) == [{"image": str(tmp_path / name), "cards": [], "score": None}]
    assert read(capsys, tmp_path / "plain.png")[1].strip().endswith("plain.png: no cards")


def test_a_broken_picture_is_named_and_the_others_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = photo(tmp_path / "a.png", "08-bright")
    (tmp_path / "b.png").write_bytes(good.read_bytes()[:900])
    (tmp_path / "empty.jpg").write_bytes(b"")
    code, out, err = read(capsys, tmp_path / "b.png", tmp_path / "empty.jpg", tmp_path, good, "--json")
    assert code == 2
    assert [json.loads(line)["image"] for line in out.splitlines()] == [str(good)]
    lines = err.splitlines()
    assert len(lines) == 3 and all(line.startswith("hanafuda: ") for line in lines)
    assert "b.png" in lines[0] and "empty.jpg" in lines[1] and "folder" in lines[2]


def test_the_same_card_is_read_from_any_kind_of_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = cv2.imread(str(photo(tmp_path / "a.png", "08-bright")))
    assert image is not None
    rgb = Image.fromarray(np.ascontiguousarray(image[..., ::-1]))
    exif = Image.Exif()
    exif[0x112] = 6
    rgb.save(tmp_path / "turned.jpg", exif=exif, quality=95)
    rgb.convert("CMYK").save(tmp_path / "cmyk.jpg", quality=95)
    rgb.convert("L").save(tmp_path / "grey.png")
    cv2.imwrite(str(tmp_path / "deep.png"), image.astype(np.uint16) * 257)
    names = [p for p in sorted(tmp_path.iterdir()) if p.is_file()]
    answers = as_json(capsys, *names)
    assert [[card["card"] for card in answer["cards"]] for answer in answers] == [["08-bright"]] * len(names)
