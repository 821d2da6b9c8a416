"""Decks are learnt from pictures: named all at once, doubtful ones asked for, enrolled whole or not at all."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from app.deck_lessons import Files, LiveCamera, SimulatedCamera, ask_doubtful, look_at_all, parse_told
from app.learning import Learning, enrol, sheet
from app.main import main
from engine.cards import DECK, Card
from engine.errors import ConfigError
from tests.vision.scenes import tsuki
from vision.classify import Matcher
from vision.deck import load_deck
from vision.photoscenes import make_spread


@cache
def matcher() -> Matcher:
    return Matcher(tsuki())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HANAFUDA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def scans(folder: Path, skip: tuple[Card, ...] = ()) -> Path:
    """Scans of all cards under names that say nothing, every third on its head."""
    folder.mkdir()
    for i, card in enumerate(DECK):
        if card not in skip:
            face = cv2.resize(tsuki().faces[card], (132, 216), interpolation=cv2.INTER_AREA)
            cv2.imwrite(str(folder / f"scan{i:02}.png"), face[::-1, ::-1] if i % 3 == 0 else face)
    return folder


def seen(cards: tuple[Card, ...] = DECK) -> Learning:
    learning = Learning((matcher(),))
    for card in cards:
        learning = learning.with_scan(f"{card}", np.asarray(tsuki().faces[card], np.uint8))
    return learning


def test_scans_of_any_name_become_a_deck(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["deck", "add", "mine", str(scans(tmp_path / "scans")), "--title", "Grandmother's", "--json"])
    said = capsys.readouterr()
    assert code == 0, said.err
    assert json.loads(said.out)["passed"] is True
    deck = load_deck(home / "decks" / "mine")
    assert deck.title.en == "Grandmother's"
    for card in (Card.parse("01-bright"), Card.parse("07-animal"), Card.parse("11-chaff-1")):
        face = cv2.resize(tsuki().faces[card], (132, 216), interpolation=cv2.INTER_AREA)
        assert np.abs(deck.faces[card].astype(int) - face).mean() < 3, "each card under its name, upright"


def test_a_deck_with_missing_cards_is_not_enrolled(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = (Card.parse("03-bright"), Card.parse("12-bright"))
    code = main(["deck", "add", "mine", str(scans(tmp_path / "scans", gone)), "--trust"])
    said = capsys.readouterr()
    assert code == 2 and "2 of 48 cards have not been seen: 03-bright, 12-bright" in said.err.splitlines()[-1]
    assert not (home / "decks").exists()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("add", "mine", "{tmp}/none.jpg"), "none.jpg"),
        (("add", "mine", "{tmp}/empty"), "has no deck.yaml"),
        (("add", "mine", "{tmp}/blank.png"), "no card was found"),
        (("learn", "mine", "--images", "{tmp}/blank.png"), "no card was found"),
        (("learn", "mine", "--images", "{tmp}/nowhere"), "nowhere"),
        (("learn", "mine", "--simulated", "nothing-like-it"), "nothing-like-it"),
        (("learn", "mine", "--camera", "/dev/none"), "/dev/none"),
    ],
)
def test_bad_input_is_one_sentence(
    words: tuple[str, ...], named: str, tmp_path: Path, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    cv2.imwrite(str(tmp_path / "blank.png"), np.full((300, 400, 3), 130, np.uint8))
    assert main(["deck", *(word.replace("{tmp}", str(tmp_path)) for word in words)]) == 2
    said = capfd.readouterr()
    assert said.out == "" and named in said.err.splitlines()[-1] and "Traceback" not in said.err
    assert not (home / "decks").exists()


def test_pictures_of_spread_cards_add_up() -> None:
    said: list[str] = []

    class Two:
        def pictures(self) -> Iterator[tuple[str, NDArray[np.uint8]]]:
            for number in (1, 2):
                yield (
                    f"look {number}",
                    make_spread(tsuki(), DECK[4 * number : 4 * number + 4], number, (640, 480)).image,
                )

    learning = look_at_all(Learning((matcher(),)), Two(), said.append)
    assert {name.card for name in learning.names} == set(DECK[4:12])
    assert said == ["look 1: 4 cards, 4 of 48 so far", "look 2: 4 cards, 8 of 48 so far"]


def test_the_simulated_camera_shows_every_card_once() -> None:
    looks = [image.shape for _, image in SimulatedCamera(tsuki()).pictures()]
    assert looks == [(960, 1280, 3)] * 3


def test_a_live_camera_takes_a_picture_for_each_enter() -> None:
    answers = iter(["", "", "d", ""])
    blank = np.zeros((8, 8, 3), np.uint8)
    eye = LiveCamera(lambda: blank, lambda _: next(answers, None))
    assert [name for name, _ in eye.pictures()] == ["look 1", "look 2"]
    assert list(LiveCamera(lambda: blank, lambda _: None).pictures()) == []


def test_only_doubtful_cards_are_asked_for() -> None:
    learning = seen()
    crane, curtain = DECK.index(Card.parse("01-bright")), DECK.index(Card.parse("03-bright"))
    half = (learning.seen[crane].face.astype(np.uint16) + learning.seen[curtain].face) // 2
    learning = Learning((matcher(),))
    for i, card in enumerate(DECK):
        learning = learning.with_scan(
            str(card), half.astype(np.uint8) if i in (crane, curtain) else tsuki().faces[card]
        )
    assert set(learning.doubtful) == {crane, curtain}
    asked: list[str] = []
    said: list[str] = []
    answers = iter(["99-bright", "03-bright", ""])

    def ask(text: str) -> str | None:
        asked.append(text)
        return next(answers, None)

    settled = ask_doubtful(learning, ask, said.append)
    assert settled.doubtful == () and settled.missing == ()
    assert settled.names[crane].card == Card.parse("03-bright")
    assert settled.names[curtain].card == Card.parse("01-bright")
    assert len(said) == 1 and "99-bright" in said[0]
    assert "01-bright (Crane" in asked[0]
    assert ask_doubtful(learning, lambda _: None, said.append).doubtful == learning.doubtful
    drawn = sheet(learning)
    assert drawn.ndim == 3 and drawn.dtype == np.uint8


def test_doubt_with_nobody_to_ask_enrols_nothing(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = scans(tmp_path / "scans")
    crane, curtain = DECK.index(Card.parse("01-bright")), DECK.index(Card.parse("03-bright"))
    pair = [cv2.imread(str(folder / f"scan{i:02}.png")) for i in (crane, curtain)]
    assert pair[0] is not None and pair[1] is not None
    half = ((pair[0][::-1, ::-1].astype(np.uint16) + pair[1]) // 2).astype(np.uint8)
    for i in (crane, curtain):
        cv2.imwrite(str(folder / f"scan{i:02}.png"), half)
    out = tmp_path / "sheet.png"
    words = ["deck", "add", "mine", str(folder), "--sheet", str(out), "--json"]
    code = main(words)
    said = capsys.readouterr()
    answer = json.loads(said.out)
    assert code == 1 and answer["enrolled"] is False and len(answer["doubtful"]) >= 2
    assert out.is_file() and not (home / "decks").exists()
    tell = [part for d in answer["doubtful"] for part in ("--is", f"{d['number']}={d['choices'][0]}")]
    main([*words, *tell])
    assert (home / "decks" / "mine" / "03-bright.png").is_file()


@pytest.mark.slow
def test_a_deck_is_learnt_from_the_simulated_camera(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "learn", "mine", "--simulated", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["passed"] is True and "48 of 48 so far" in said.err
    deck = load_deck(home / "decks" / "mine")
    small = [cv2.resize(d.faces[DECK[30]], (33, 54), interpolation=cv2.INTER_AREA) for d in (deck, tsuki())]
    assert np.corrcoef(small[0].ravel(), small[1].ravel())[0, 1] > 0.8
    assert (home / "learning" / "mine.png").is_file()


def test_a_persons_word_is_checked() -> None:
    learning = seen(DECK[:3])
    with pytest.raises(ConfigError, match="no card 4"):
        learning.told(4, None)
    with pytest.raises(ConfigError, match="too: card 1 is"):
        learning.told(1, DECK[7]).told(2, DECK[7])
    assert parse_told("7=none") == (7, None)
    for text in ("7", "x=none", "=03-ribbon"):
        with pytest.raises(ConfigError, match="--is"):
            parse_told(text)


def test_the_back_is_enrolled_if_it_was_shown(tmp_path: Path) -> None:
    back = np.full((216, 132, 3), (30, 30, 120), np.uint8)
    deck = enrol(replace(seen(), back=back), "mine", tmp_path)
    assert deck.back is not None and deck.back.shape == (216, 132, 3)


def test_the_one_card_that_is_none_of_them_is_the_back_unless_it_is_a_double() -> None:
    back = np.full((216, 132, 3), (30, 30, 120), np.uint8)
    back[::12] = back[:, ::12] = 200
    learning = seen().with_scan("49", back)
    assert learning.back_seen == 48
    assert learning.told(49, None).back_seen is None, "somebody said it is not"
    assert seen().back_seen is None
    assert seen().with_scan("again", np.asarray(tsuki().faces[DECK[5]], np.uint8)).back_seen is None
    assert learning.with_scan("50", back).back_seen is None, "two are left"


def test_files_come_by_name(tmp_path: Path) -> None:
    folder = scans(tmp_path / "scans", DECK[2:])
    assert [name for name, _ in Files([folder]).pictures()] == ["scan00.png", "scan01.png"]
