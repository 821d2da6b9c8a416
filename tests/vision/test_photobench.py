"""Readings are counted as the formats say; with shared photographs at hand, the targets hold."""

import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.cards import Card
from engine.errors import ConfigError
from tests.vision.scenes import Lying, photograph, quad, tsuki
from vision.deck import find_deck, load_deck
from vision.photobench import PhotoReport, bench_made, bench_read, count_photo
from vision.phototruth import Photo, load_photo
from vision.still import Reading
from vision.tallies import Count, band_of, reliability, table

SHARED = Path(os.environ.get("HANAFUDA_SHARED", Path(__file__).resolve().parents[3] / "shared"))


def entry(card: str, x: float, **more: Any) -> dict[str, Any]:
    return {"card": card, "corners_px": quad(x, 100, 0, 108).tolist(), **more}


def truth(tmp_path: Path, *cards: dict[str, Any], **more: Any) -> Photo:
    data = {"image": "a.png", "deck": "tsuki", "unlisted": "none", "cards": list(cards), **more}
    (tmp_path / "a.json").write_text(json.dumps(data), encoding="utf-8")
    return load_photo(tmp_path / "a.json")


def reading(card: str, x: float, turn: float = 0) -> Reading:
    corners = tuple((float(px), float(py)) for px, py in quad(x, 100, turn, 108))
    return Reading(Card.parse(card), 0.9, corners)


def test_a_card_is_found_where_it_lies_in_either_half_turn(tmp_path: Path) -> None:
    photo = truth(tmp_path, entry("01-bright", 100), entry("08-bright", 300))
    result = count_photo(photo, [reading("01-bright", 105, 180), reading("08-bright", 350)])
    assert result.whole == Count(2, 1, 1, 1)
    assert result.false == 1
    assert any("08-bright not found" in remark for remark in result.remarks)


def test_chaff_of_a_month_are_one_class_and_the_exact_one_a_bonus(tmp_path: Path) -> None:
    photo = truth(tmp_path, entry("01-chaff-1", 100))
    assert count_photo(photo, [reading("01-chaff-2", 100)]).whole == Count(1, 1, 1, 0)
    assert count_photo(photo, [reading("02-chaff-1", 100)]).whole == Count(1, 1, 0, 0)


@pytest.mark.parametrize("doubt", ["07-chaff-1 or 08-chaff-1", ["07-chaff-1", "08-chaff-1"]])
def test_an_uncertain_card_is_right_as_any_it_names(tmp_path: Path, doubt: object) -> None:
    photo = truth(tmp_path, entry("07-chaff-1", 100, uncertain=doubt))
    assert count_photo(photo, [reading("08-chaff-2", 100)]).whole.right == 1
    assert count_photo(photo, [reading("09-chaff-2", 100)]).whole.right == 0


def test_occluded_cards_are_counted_apart(tmp_path: Path) -> None:
    photo = truth(tmp_path, entry("01-bright", 100, occluded=True))
    assert count_photo(photo, []).occluded == Count(1)
    assert count_photo(photo, []).whole == Count()


def test_with_unlisted_cards_nothing_is_false(tmp_path: Path) -> None:
    photo = truth(tmp_path, unlisted="ignore")
    assert count_photo(photo, [reading("01-bright", 100)]).false == 0


def test_one_reading_finds_one_card(tmp_path: Path) -> None:
    photo = truth(tmp_path, entry("01-bright", 100), entry("01-ribbon", 103))
    assert count_photo(photo, [reading("01-ribbon", 103)]).whole == Count(2, 1, 1, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "JSON"),
        ("[]", "object"),
        ('{"image": "a.png", "cards": []}', "deck"),
        ('{"image": "a.png", "deck": "d", "cards": [{"card": "99-bright"}]}', "corners_px"),
        ('{"image": "a.png", "deck": "d", "cards": [{}]}', "card id"),
        ('{"image": "a.png", "deck": "d", "cards": [], "look": 3}', "look"),
    ],
)
def test_a_wrong_truth_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=words) as caught:
        load_photo(tmp_path / "a.json")
    assert "a.json" in str(caught.value)


def test_a_folder_without_truth_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no"):
        bench_read([tmp_path], lambda name, near: tsuki())


def test_photographs_in_a_folder_are_read_and_counted(tmp_path: Path) -> None:
    image, placed = photograph(tsuki(), [Lying(Card.parse("08-bright"), quad(200, 200, 30, 200))], (420, 400))
    cv2.imwrite(str(tmp_path / "a.png"), image)
    truth(tmp_path, {"card": "08-bright", "corners_px": np.asarray(placed[0].corners_px, float).tolist()})
    report = bench_read([tmp_path], lambda name, near: tsuki())
    assert report.whole == Count(1, 1, 1, 1)
    assert report.as_dict()["photos"][0]["false"] == 0


def test_cards_are_counted_by_how_much_of_them_is_in_view(tmp_path: Path) -> None:
    photo = truth(
        tmp_path,
        entry("01-bright", 100),
        entry("02-animal", 300, occluded=True, visible=0.7),
        entry("03-bright", 500, occluded=True, visible=0.4),
        entry("04-animal", 700, occluded=True),
        entry("05-animal", 900, occluded=True, visible=0.05),
    )
    found = [
        reading("01-bright", 100),
        reading("02-ribbon", 300),
        reading("05-animal", 900),
        reading("08-bright", 1200),
    ]
    report = PhotoReport((count_photo(photo, found),))
    assert report.bands == {
        "whole": Count(1, 1, 1, 1),
        "two thirds": Count(1, 1, 0, 0),
        "a third": Count(1, 0, 0, 0),
        "partly hidden": Count(1, 0, 0, 0),
    }
    assert report.false == 1
    assert report.decks == {"tsuki": Count(4, 2, 1, 1)}
    assert sum(one.readings for one in report.reliability.bins) == 3


@pytest.mark.parametrize(
    ("visible", "occluded", "band"),
    [
        (None, False, "whole"),
        (None, True, "partly hidden"),
        (1.0, False, "whole"),
        (0.7, True, "two thirds"),
        (0.5, True, "half"),
        (0.34, True, "a third"),
        (0.2, True, "less"),
    ],
)
def test_bands(visible: float | None, occluded: bool, band: str) -> None:
    assert band_of(visible, occluded) == band


def test_reliability_compares_confidence_with_what_was_right() -> None:
    diagram = reliability([(0.95, True)] * 19 + [(0.95, False)] + [(0.6, True), (0.62, False), (1.0, True)])
    assert [(one.readings, one.right) for one in diagram.bins] == [(2, 1), (20, 19), (1, 1)]
    assert diagram.error == pytest.approx((2 * 0.11 + 20 * 0.0 + 0) / 23, abs=1e-6)
    assert any("95.0 % of 20 right" in line for line in diagram.lines())
    assert reliability([]).error == 0.0


def test_counts_are_a_table() -> None:
    lines = table("look", {"plain": Count(4, 3, 3, 2), "steep": Count()}, {"plain": 1})
    assert lines[0].startswith("look") and lines[0].endswith("false")
    assert "3 (75.0 %)" in lines[1] and lines[1].endswith(" 1") and lines[2].endswith(" 0")
    assert table("look", {}) == []


def test_photographs_are_made_and_read() -> None:
    report = bench_made(tsuki(), tsuki(), 1, 5, kinds=("near",))
    (photo,) = report.photos
    assert photo.look == "near" and report.whole.cards >= 4
    assert report.whole.right >= 0.8 * report.whole.cards


@pytest.mark.slow
@pytest.mark.skipif(not (SHARED / "photos").is_dir(), reason="no shared photographs (set HANAFUDA_SHARED)")
@pytest.mark.parametrize("deck", [None, "mantia-red-vector"], ids=["own print", "another print"])
def test_shared_photographs_reach_the_target(deck: str | None) -> None:
    report = bench_read(
        [SHARED / "photos"], lambda name, near: load_deck(find_deck(deck or name, None, [SHARED / "decks"]))
    )
    least = 0.95 if deck is None else 0.85
    assert report.whole.found >= least * report.whole.cards
    assert report.whole.right >= 0.97 * report.whole.found
    assert report.false <= 1
