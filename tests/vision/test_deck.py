"""Decks are found and read; every way a deck can be wrong is said in one sentence."""

import logging
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import DECK, Card
from engine.errors import ConfigError
from tests.vision.scenes import YAML, blots, write_deck
from vision.deck import BUILT_IN, find_deck, load_deck


def test_a_deck_holds_all_faces_and_facts(tmp_path: Path) -> None:
    deck = load_deck(write_deck(tmp_path / "d"))
    assert tuple(deck.faces) == DECK
    assert (deck.name, deck.title.ja, deck.card_mm, deck.thickness_mm) == ("test", "試し", (33.0, 54.0), 1.1)
    assert deck.back is None
    assert np.array_equal(deck.faces[DECK[5]], blots(5))


def test_the_built_in_deck_has_a_back() -> None:
    deck = load_deck(BUILT_IN / "tsuki")
    assert deck.back is not None
    assert deck.faces[Card.parse("01-bright")].ndim == 3


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("schema: 1\n", "", "lacks the key 'schema'"),
        ("licence: none\n", "", "lacks the key 'licence'"),
        ("schema: 1", "schema: 9", "schema 9, newer than the 1"),
        ("schema: 1", "schema: one", "schema must be a number"),
        ("card_mm: [33, 54]", "card_mm: [54, 33]", "card_mm must be"),
        ("card_mm: [33, 54]", "card_mm: 33", "card_mm must be"),
        ("back: false", "back: maybe", "back must be true or false"),
        ("back: false", "back: true", "no back.png"),
        ("name: test", "name: [", "no valid YAML"),
        ("title: {en: Test, ja: 試し}", "title: 3", "title must be"),
        ("back: false", "back: false\nthickness_mm: -1", "thickness_mm must be"),
    ],
)
def test_a_wrong_deck_yaml_names_file_and_key(tmp_path: Path, old: str, new: str, words: str) -> None:
    folder = write_deck(tmp_path / "d", YAML.replace(old, new))
    with pytest.raises(ConfigError) as caught:
        load_deck(folder)
    assert words in str(caught.value)
    assert str(folder) in str(caught.value)


def test_a_folder_without_deck_yaml_is_no_deck(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no deck\.yaml"):
        load_deck(tmp_path)


def test_missing_cards_are_named_with_the_misspelt_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = write_deck(tmp_path / "d", skip=["01-bright"])
    cv2.imwrite(str(folder / "01-birght.png"), blots(0))
    with (
        caplog.at_level(logging.WARNING),
        pytest.raises(ConfigError, match=r"1 of 48 cards.*01-bright.*01-birght\.png"),
    ):
        load_deck(folder)
    assert "did you mean 01-bright.png" in caplog.text


def test_a_card_that_is_there_twice_is_named(tmp_path: Path) -> None:
    folder = write_deck(tmp_path / "d")
    cv2.imwrite(str(folder / "01-bright.jpg"), blots(0))
    with pytest.raises(ConfigError, match=r"01-bright is there twice.*jpg.*png"):
        load_deck(folder)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no picture"),
        (b"not a picture", "no picture"),
        (np.zeros((99, 162, 3), np.uint8), "stands upright"),
        (np.zeros((1620, 99, 3), np.uint8), "stands upright"),
        (np.zeros((8, 5, 3), np.uint8), "too small"),
    ],
    ids=["empty", "text", "lying", "strip", "tiny"],
)
def test_an_unusable_picture_is_named(tmp_path: Path, content: bytes | np.ndarray, words: str) -> None:
    folder = write_deck(tmp_path / "d")
    path = folder / "03-bright.png"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        cv2.imwrite(str(path), content)
    with pytest.raises(ConfigError) as caught:
        load_deck(folder)
    assert words in str(caught.value)
    assert "03-bright.png" in str(caught.value)


def test_grey_transparent_and_deep_pictures_become_bgr(tmp_path: Path) -> None:
    folder = write_deck(tmp_path / "d")
    cv2.imwrite(str(folder / "01-bright.png"), blots(0)[..., 0])
    clear = np.dstack([blots(1), np.zeros((162, 99), np.uint8)])
    cv2.imwrite(str(folder / "01-ribbon.png"), clear)
    cv2.imwrite(str(folder / "01-chaff-1.png"), blots(2).astype(np.uint16) * 257)
    faces = load_deck(folder).faces
    assert np.array_equal(faces[DECK[0]][..., 1], blots(0)[..., 0])
    assert faces[DECK[1]].min() == 255
    assert np.array_equal(faces[DECK[2]], blots(2))


def test_a_deck_is_found_in_the_order_the_format_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HANAFUDA_DECKS", raising=False)
    home, extra, environment, session = (tmp_path / p for p in ("home", "extra", "environment", "a/sessions/one"))
    session.mkdir(parents=True)
    places = [
        session / "mine",
        home / "decks" / "mine",
        extra / "mine",
        environment / "mine",
        tmp_path / "a" / "decks" / "mine",
    ]
    for place in places:
        place.mkdir(parents=True)
        (place / "deck.yaml").write_text("schema: 1\n", encoding="utf-8")
    monkeypatch.setenv("HANAFUDA_DECKS", str(environment))
    for place in places:
        assert find_deck("mine", session, [extra], home).resolve() == place.resolve()
        (place / "deck.yaml").unlink()
    with pytest.raises(ConfigError, match="no deck is called 'mine'"):
        find_deck("mine", session, [extra], home)


def test_a_file_names_a_deck_relative_to_itself(tmp_path: Path) -> None:
    folder = write_deck(tmp_path / "deck")
    (tmp_path / "session.yaml").touch()
    assert find_deck("./deck", tmp_path / "session.yaml", home=tmp_path) == folder


def test_an_unknown_name_lists_decks_and_guesses(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean 'tsuki'"):
        find_deck("tsukki", home=tmp_path)
    assert find_deck("tsuki", home=tmp_path) == BUILT_IN / "tsuki"
