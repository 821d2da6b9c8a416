"""The full Hana-Awase case by case (`cases/hana-awase.yaml`), its announcements and its presets."""

from dataclasses import replace
from typing import Any

import pytest

from engine.catalogue import load
from engine.dealer import order_of
from engine.errors import ConfigError, RuleError
from engine.events import Dealt, Moved, Place, Signalled
from engine.fishing_state import Phase
from engine.payments import settle
from engine.places import FIELD, PILE, captured, hand
from tests.engine.table import cards
from tests.engine.tables import by_name, read

CASES = read("hana-awase")


@pytest.mark.parametrize("case", CASES["deals"], ids=lambda case: f"{case['seats']} seats")
def test_the_deal(case: dict[str, int]) -> None:
    hands = {hand(seat): case["hand"] for seat in range(case["seats"])}
    assert load("hana-awase").deal(case["seats"]) == {FIELD: case["field"], PILE: case["draw"], **hands}


def test_five_cannot_play() -> None:
    with pytest.raises(ConfigError, match="seats must be one of 2, 3, 4, not 5"):
        load("hana-awase").start(5)


@pytest.mark.parametrize("way", ["laid", "straight", "match first"])
@pytest.mark.parametrize("phase", [Phase.PLAY, Phase.DRAW])
@by_name(CASES, "plays")
def test_a_card_is_played(case: dict[str, Any], phase: Phase, way: str) -> None:
    game, field, (card,) = load("hana-awase", case.get("options", {})).game, cards(case["field"]), cards(case["card"])  # type: ignore[attr-defined]
    start = game.start(2)
    state = replace(
        start,
        hand_counts=(5, 5),
        field=frozenset(field),
        unseen=start.unseen - set(field),
        draw=48 - len(field) - 10,
        phase=phase,
    )
    source = hand(0) if phase is Phase.PLAY else PILE
    own = Moved(0.0, card, source, FIELD if way == "laid" else captured(0))
    takes = [Moved(0.0, cards(taken)[0], FIELD, captured(0)) for taken in case["takes"]]
    first = takes[:1] if way == "match first" else []
    lifted = [Moved(0.0, card, FIELD, captured(0))] if way == "laid" else []
    for number, one in enumerate((*first, own, *takes[len(first) :], *lifted)):
        assert not state.captured[0]
        assert one in game.expected(state)
        state = game.apply(state, one)
        if number == 0 and "choices" in case and way != "match first":
            assert game.choices(state) == cards(case["choices"])
    assert state.captured[0] == {card, *cards(" ".join(case["takes"]))}
    assert state.field == set(cards(case["left"]))
    assert (state.phase, state.turn) == ((Phase.DRAW, 0) if phase is Phase.PLAY else (Phase.PLAY, 1))


@by_name(CASES, "dealer_draws")
def test_who_deals(case: dict[str, Any]) -> None:
    draws = dict(enumerate(cards(" ".join(case["draws"]))))
    assert [list(group) for group in order_of(draws, by_rank=case.get("by_rank", True))] == case["order"]


@by_name(CASES, "settlements")
def test_what_a_round_brings(case: dict[str, Any]) -> None:
    book = load("hana-awase", case.get("options", {})).book
    piles = [frozenset(cards(pile)) for pile in case["piles"]]
    claims = [(name, seat) for name, seat in case.get("claims", [])]
    found = settle(book, piles, range(len(piles)), claims)
    assert [tally.total for tally in found] == case["totals"]
    assert sum(case["totals"]) == 0


def test_what_is_announced_in_time_counts_and_later_it_cannot_be() -> None:
    game = load("hana-awase", {"teyaku": True, "fuke": "announced", "hand_four": "redeal"})
    field = cards("01-chaff-1 02-chaff-1 03-chaff-1 04-chaff-1 05-chaff-1 06-chaff-1")
    state = game.apply(game.start(3), Dealt(0.0, field, (), 21, (7, 7, 7)))
    names = {(s.name, s.seat) for s in game.expected_signals(state)}
    assert names == {(name, seat) for name in ("fuke", "teyaku_6", "teyaku_7", "redeal") for seat in range(3)}
    claimed = game.apply(state, Signalled(1.0, "teyaku_7", 1))
    assert [tally.total for tally in game.score(claimed)] == [-88 - 30, -88 + 60, -88 - 30]
    with pytest.raises(RuleError):
        game.apply(claimed, Signalled(2.0, "teyaku_6", 1))
    played = game.apply(claimed, Moved(3.0, cards("07-animal")[0], hand(0), FIELD))
    left = {(s.name, s.seat) for s in game.expected_signals(played)}
    assert left == {("fuke", 1), ("fuke", 2), ("teyaku_6", 2), ("teyaku_7", 2)}
    assert game.apply(state, Signalled(1.0, "redeal", 2)) == replace(game.start(3), draw=None)


def test_the_presets() -> None:
    french = load("hana-awase", {"preset": "french"})
    assert (french.book.settings["dealer_tie"], french.book.settings["yaku"]) == ("redraw", "none")
    assert load("hana-awase", french.options).options == french.options
    assert french.book.yaku == ()
    assert load("hana-awase", {"preset": "nintendo_fudawiki"}).options == {}


def test_with_eight_cards_each_the_rest_of_the_pile_is_turned_in_turn() -> None:
    game = load("hana-awase", {"two_player_hand": 8})
    assert game.deal(2) == {Place("field"): 8, Place("draw"): 24, hand(0): 8, hand(1): 8}


def test_four_in_a_hand_cannot_be_said_where_it_is_no_misdeal() -> None:
    game = load("hana-awase")
    field = cards("01-chaff-1 02-chaff-1 03-chaff-1 04-chaff-1 05-chaff-1 06-chaff-1")
    state = game.apply(game.start(3), Dealt(0.0, field, (), 21, (7, 7, 7)))
    assert game.expected_signals(state) == ()
    with pytest.raises(RuleError):
        game.apply(state, Signalled(1.0, "redeal", 0))
