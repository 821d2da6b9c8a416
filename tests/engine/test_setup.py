"""From the box to the deal: strays, counts, missing cards, misdeal, complete."""

from collections.abc import Mapping

import pytest

from engine.cards import Card
from engine.events import Place
from engine.guidance import Cue, Guidance, Role
from engine.setup import deal_complete, guide_deal
from tests.engine.table import CHOTTO, FIELD, HANDS, cards, place


def laid(**places: str) -> dict[Card, Place]:
    return {card: place(name.replace("_", "-")) for name, text in places.items() for card in cards(text)}


def whole() -> dict[Card, Place]:
    return laid(field=FIELD, hand_0=HANDS[0], hand_1=HANDS[1])


def show(lies: Mapping[Card, Place], draw: int | None = 12) -> Guidance:
    return guide_deal(CHOTTO, 2, lies, draw)


def cues(guidance: Guidance, role: Role) -> list[Cue]:
    return [cue for cue in guidance.cues if cue.role is role]


def test_an_empty_table_asks_to_take_out_four_months_and_shows_the_deal() -> None:
    shown = show({}, 0)
    assert shown.headline is not None
    assert shown.headline.en == "Take out all Wisteria, Iris, Willow, Paulownia. Shuffle and deal"
    found = {str(cue.place): (cue.have, cue.count) for cue in cues(shown, Role.DEAL)}
    assert found == {"field": (0, 8), "draw": (0, 12), "hand-0": (0, 6), "hand-1": (0, 6)}


def test_strays_are_named_and_keep_the_deal_open() -> None:
    lies = {**whole(), **laid(field="04-animal 11-bright")}
    (cue,) = cues(show(lies), Role.STRAY)
    assert cue.cards == cards("04-animal 11-bright")
    assert cue.words is not None and cue.words.en == "Take out: Cuckoo, Rain Man"
    assert not deal_complete(CHOTTO, 2, lies, 12)


def test_many_strays_are_named_by_month() -> None:
    (cue,) = cues(show(laid(field="04-animal 04-ribbon 04-chaff-1 12-bright")), Role.STRAY)
    assert cue.words is not None and cue.words.ja == "藤・桐は使いません。外してください"


def test_strays_in_the_box_are_put_away() -> None:
    lies = {**whole(), **laid(box="04-animal 11-bright")}
    assert deal_complete(CHOTTO, 2, lies, 12)
    assert not cues(show(lies), Role.STRAY)


def test_a_place_with_too_few_or_too_many_cards_says_so() -> None:
    lies = {card: at for card, at in whole().items() if str(card) != "01-ribbon"} | laid(hand_1="01-ribbon")
    shown = show(lies)
    found = {str(cue.place): (cue.have, cue.count) for cue in cues(shown, Role.DEAL)}
    assert found == {"hand-0": (5, 6), "hand-1": (7, 6)}
    assert [line.en if line else None for line in shown.seat_lines] == ["5 of 6", "7, should be 6"]
    assert not deal_complete(CHOTTO, 2, lies, 12)


@pytest.mark.parametrize("draw", [12, None])
def test_the_complete_deal(draw: int | None) -> None:
    assert deal_complete(CHOTTO, 2, whole(), draw)
    shown = show(whole(), draw)
    assert shown.cues == ()
    assert shown.headline is not None and shown.headline.en == "The deal is complete"


@pytest.mark.parametrize("draw", [11, 13])
def test_a_wrong_pile_is_not_complete(draw: int) -> None:
    assert not deal_complete(CHOTTO, 2, whole(), draw)


def test_cards_missing_from_the_pile_are_counted() -> None:
    (cue,) = cues(show(whole(), 10), Role.MISSING)
    assert (cue.count, cue.cards) == (2, ())


def test_while_cards_are_being_dealt_none_is_missing() -> None:
    assert not cues(show(laid(field="01-bright 02-ribbon"), 0), Role.MISSING)
    assert not cues(show(laid(field="01-bright 02-ribbon"), 30), Role.MISSING)
    assert not cues(show(laid(field="01-bright 02-ribbon"), None), Role.MISSING)


def test_cards_missing_from_a_pack_laid_open_are_named() -> None:
    lies = {card: Place("field") for card in CHOTTO.deck if str(card) not in ("09-animal", "06-chaff-2")}
    (cue,) = cues(show(lies, 0), Role.MISSING)
    assert cue.cards == cards("06-chaff-2 09-animal")
    assert cue.words is not None and cue.words.en == "Not found: Peony chaff, Sake Cup"


def test_four_of_a_month_on_the_field_are_the_headline() -> None:
    lies = laid(field="03-bright 03-ribbon 03-chaff-1 03-chaff-2 01-bright")
    shown = show(lies)
    (cue,) = cues(shown, Role.FAULT)
    assert cue.cards == cards("03-bright 03-ribbon 03-chaff-1 03-chaff-2")
    assert shown.headline is not None and shown.headline.ja == "場に桜が4枚。混ぜて配り直してください"
