"""Decks are enrolled whole or not at all, and tested."""

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from engine.cards import DECK, Card
from engine.errors import ConfigError
from tests.vision.scenes import tsuki, write_deck
from vision.deck import load_deck
from vision.enrol import add_deck, self_test


def test_an_added_deck_lies_in_the_home_under_its_new_name(tmp_path: Path) -> None:
    folder = write_deck(tmp_path / "scans")
    (folder / "notes.psd").write_bytes(b"x")
    deck = add_deck("mine", folder, tmp_path / "home")
    assert deck.name == "mine"
    assert deck.folder == tmp_path / "home" / "decks" / "mine"
    assert len(load_deck(deck.folder).faces) == 48
    assert not (deck.folder / "notes.psd").exists()
    assert [path.name for path in deck.folder.parent.iterdir()] == ["mine"]


def test_a_deck_of_that_name_is_kept_unless_told(tmp_path: Path) -> None:
    first, second = write_deck(tmp_path / "one"), write_deck(tmp_path / "two")
    (second / "deck.yaml").write_text((first / "deck.yaml").read_text().replace("licence: none", "licence: new"))
    add_deck("mine", first, tmp_path)
    with pytest.raises(ConfigError, match="there is a deck 'mine' already"):
        add_deck("mine", second, tmp_path)
    assert load_deck(tmp_path / "decks" / "mine").licence == "none"
    assert add_deck("mine", second, tmp_path, replace=True).licence == "new"


def test_a_broken_deck_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = write_deck(tmp_path / "scans", skip=["05-ribbon"])
    with pytest.raises(ConfigError, match="05-ribbon"):
        add_deck("mine", folder, tmp_path / "home")
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 80])
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be a deck's name"):
        add_deck(name, tmp_path, tmp_path)


def test_the_built_in_deck_reads_back() -> None:
    report = self_test(tsuki(), views=1)
    assert report.readings == 48
    assert report.passed
    assert report.wrong == {}


def test_two_cards_with_the_same_picture_are_named() -> None:
    deck = tsuki()
    crane, moon = Card.parse("01-bright"), Card.parse("08-bright")
    twins = replace(deck, faces=MappingProxyType({card: deck.faces[crane if card == moon else card] for card in DECK}))
    report = self_test(twins, views=1)
    assert (report.alike[0].first, report.alike[0].second) == (crane, moon)
    assert report.alike[0].likeness > 0.95
    assert set(report.wrong) <= {crane, moon}
    assert len(report.wrong) == 1
    assert report.as_dict()["passed"] is False
