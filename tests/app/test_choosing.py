"""Telling the table what a card is."""

import pytest

from app.choosing import Choosing, card_at, click, parse_short, press
from app.orders import ThatCardIs
from calibration.frames import Pose
from engine.cards import DECK, Card
from engine.errors import ConfigError
from vision.values import SeenCard


def seen(card: str | None, x: float, y: float, height: float = 1.1) -> SeenCard:
    return SeenCard(None if card is None else Card.parse(card), True, Pose(x, y, 0.3, height), None, 0.9)


CARDS = (seen("03-bright", 0, 0), seen("03-ribbon", 10, 0, 2.2), seen(None, 200, 0))


def test_the_topmost_card_under_a_point_is_found() -> None:
    assert card_at(CARDS, -14, 0) == Card.parse("03-bright")
    assert card_at(CARDS, 5, 0) == Card.parse("03-ribbon")
    assert card_at(CARDS, 200, 0) is None and card_at(CARDS, 90, 90) is None


def test_click_type_and_return_make_the_order() -> None:
    state = click(Choosing(), CARDS, -14, 0)
    for key in ("1", "2", "x", "c", "2"):
        after = press(state, key)
        assert isinstance(after, Choosing)
        state = after
    assert "12c2" in state.words
    assert press(state, "return") == ThatCardIs(Card.parse("03-bright"), Card.parse("12-chaff-2"))


def test_a_card_that_is_none_is_said_and_can_be_mended() -> None:
    state = press(Choosing(Card.parse("03-bright"), "3a"), "return")
    assert isinstance(state, Choosing) and "3a" in state.note
    state = press(state, "backspace")
    assert isinstance(state, Choosing) and state.typed == "3"
    assert press(state, "escape") is None


def test_nothing_is_chosen_before_a_card_is_clicked() -> None:
    assert press(Choosing(), "3") == Choosing()
    missed = click(Choosing(), CARDS, 90, 90)
    assert missed.was is None and missed.note


def test_every_card_has_a_short_form() -> None:
    forms = {parse_short(f"{card.month}{_letter(card)}") for card in DECK}
    assert forms == set(DECK)


def _letter(card: Card) -> str:
    kind = card.kind.value
    return f"c{kind[-1]}" if kind.startswith("chaff") else kind[0]


@pytest.mark.parametrize("text", ["", "b", "3", "13b", "3x", "3b3", "c1", "1a"])
def test_other_texts_are_no_card(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_short(text)
