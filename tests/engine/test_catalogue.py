"""Games are found by their files; wrong names, options and rule books are named in one sentence."""

from pathlib import Path
from typing import Any

import pytest

from engine.catalogue import load, names, rulebook
from engine.errors import ConfigError
from engine.rulebook import read_rulebook

GAMES = Path(__file__).parents[2] / "engine" / "games"


def test_every_game_has_its_two_files() -> None:
    assert "chotto-hana-awase" in names()
    for name in names():
        stem = name.replace("-", "_")
        assert (GAMES / f"{stem}.py").is_file() and (GAMES / f"{stem}.yaml").is_file()
        assert load(name).name == name


@pytest.mark.parametrize("name", names())
def test_every_game_tells_its_rules_in_both_languages(name: str) -> None:
    book = rulebook(name)
    told = [book.title, *book.rules, *(y.title for y in book.yaku), *(o.about for o in book.options)]
    assert book.rules
    assert all(words.en.strip() and words.ja.strip() for words in told)


def test_options_are_bound_and_shown_where_they_differ() -> None:
    game = load("chotto-hana-awase", {"direction": "clockwise", "tie": "shared"})
    assert game.options == {"direction": "clockwise"}
    assert game.book.settings["hand_four"] == "ignore"


@pytest.mark.parametrize(
    ("name", "options", "problem"),
    [
        ("poker", {}, "there is no game 'poker'; the games are"),
        ("../chotto", {}, "there is no game"),
        ("chotto-hana-awase", {"rounds": 3}, "unknown option 'rounds'; allowed are capture_three, direction"),
        ("chotto-hana-awase", {"direction": 1}, "option direction is 1, of the wrong type; allowed are anticlockwise"),
        ("chotto-hana-awase", {"direction": True}, "option direction is True, of the wrong type"),
        (
            "chotto-hana-awase",
            {"direction": "up"},
            "option direction must be one of anticlockwise, clockwise, not 'up'",
        ),
    ],
)
def test_wrong_names_and_options_are_named(name: str, options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(name, options)
    assert problem in str(caught.value)


@pytest.mark.parametrize("seats", [0, 1, 5, -2, True])
def test_seats_that_the_game_does_not_allow_are_refused(seats: int) -> None:
    with pytest.raises(ConfigError, match="chotto-hana-awase: seats must be one of 2, 3, 4, not"):
        load("chotto-hana-awase").start(seats)


@pytest.mark.parametrize("dealer", [-1, 2, 7])
def test_a_dealer_who_has_no_seat_is_refused(dealer: int) -> None:
    with pytest.raises(ConfigError, match="dealer must be a seat from 0 to 1, not"):
        load("chotto-hana-awase").start(2, dealer)


BROKEN = {
    "newer schema": ("schema: 1", "schema: 2", "schema 2 is newer"),
    "no name": ("name: chotto-hana-awase", "", "name is missing"),
    "a misspelt key": ("points:", "pionts:", "pionts is unknown"),
    "a value that is no number": ("ribbon: 5", "ribbon: five", "points.ribbon must be a whole number"),
    "a yaku card that does not exist": ("06-ribbon, 09-ribbon", "06-bright, 09-ribbon", "blue_ribbons.cards names"),
    "a title in one language": ("{en: Spring, ja: 表菅原}", "{en: Spring}", "spring.title.ja is missing"),
    "a default that is not allowed": ("default: pair", "default: two", "capture_three.default is none of"),
    "seats that are no number": ("  2: {hand", "  two: {hand", "deal.two must be a number of seats"),
}


@pytest.mark.parametrize(("old", "new", "problem"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_rule_book_is_named(tmp_path: Path, old: str, new: str, problem: str) -> None:
    text = (GAMES / "chotto_hana_awase.yaml").read_text("utf-8")
    assert old in text
    path = tmp_path / "game.yaml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_rulebook(path, {})
    assert str(path) in str(caught.value)
    assert problem in str(caught.value)
