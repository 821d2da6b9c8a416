"""Junior's Chotto case by case (`cases/junior-chotto.yaml`): lengths, what is revealed together, scores."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from engine.cards import DECK, Card
from engine.catalogue import load
from engine.chance import random_deal, random_states
from engine.errors import RuleError
from engine.events import Moved, Place, Signalled
from engine.junior_state import JuniorState, Phase
from engine.places import FIELD, REMOVED, captured, select
from tests.engine.table import cards, move
from tests.engine.tables import by_name, read

CASES = read("junior-chotto")
JUNIOR = load("junior-chotto")


def hand(seat: int) -> Place:
    return Place("hand", seat)


@pytest.mark.parametrize("case", CASES["lengths"], ids=lambda case: f"{case['seats']} seats")
def test_the_length(case: dict[str, int]) -> None:
    seats, random = case["seats"], Random(1)
    assert JUNIOR.deal(seats)[Place("draw")] == case["draw"]
    state = JUNIOR.apply(JUNIOR.start(seats), random_deal(JUNIOR, seats, random))
    piles, played = [state.round.draw], 0
    while JUNIOR.to_act(state):
        before = state.round.phase
        move = random.choice(JUNIOR.expected(state))
        played += move.source.zone == "hand"
        state = JUNIOR.apply(state, move)
        if before is Phase.RESOLVE and state.round.phase is not Phase.RESOLVE:
            piles.append(state.round.draw)
    drawn = sum(a > b for a, b in pairwise(piles))
    sequences = len(piles) - 1
    assert (drawn, sequences - 1 - drawn) == (case["with_draw"], case["without"])
    assert played == seats * case["each"]


def reveal(case: dict[str, Any], extra_hand: int = 1) -> tuple[Any, JuniorState]:
    """The game and its state when all cards of the case have been revealed."""
    game: Any = load("junior-chotto", case.get("options", {})).game  # type: ignore[attr-defined]
    plays, field = cards(case["plays"]), frozenset(cards(case["field"]))
    seats = len(plays)
    state = replace(
        game.start(seats),
        hand_counts=(1 + extra_hand,) * seats,
        field=field,
        unseen=frozenset(DECK) - field,
        draw=48 - len(field) - seats * (1 + extra_hand),
        phase=Phase.SELECT,
        opening=case.get("opening", False),
    )
    for seat, card in enumerate(plays):
        state = game.apply(state, Moved(0.0, card, hand(seat), select(seat)))
    return game, state


def faces(found: Sequence[Card] | frozenset[Card]) -> Counter[str]:
    return Counter(card.face for card in found)


@by_name(CASES, "reveals")
def test_what_becomes_of_a_reveal(case: dict[str, Any]) -> None:
    game, state = reveal(case)
    assert state.phase is Phase.RESOLVE
    if "asks" in case:
        assert set(game.choices(state)) == set(cards(case["asks"]))
    if "left" not in case:
        return
    chosen = cards(" ".join(case.get("chosen", [])))
    for seat, card in enumerate(chosen):
        state = game.apply(state, Moved(0.0, card, FIELD, captured(seat)))
    refused = cards(case["asks"]) if "asks" in case and not case.get("chosen") else ()
    for _ in range(20):
        if state.phase is not Phase.RESOLVE:
            break
        # onwards only: nothing laid on the field on its way, nothing taken back
        moves = [m for m in game.expected(state) if m.source.zone in ("select", "field") and m.target.zone != "select"]
        elsewhere = {m.card for m in moves if m.target != FIELD}
        onwards = [m for m in moves if m.card not in refused and (m.target != FIELD or m.card not in elsewhere)]
        state = game.apply(state, next((m for m in onwards if m.target == REMOVED), onwards[0]))
    assert state.phase is Phase.SELECT
    assert faces(state.field) == faces(cards(case["left"]))
    assert faces(state.removed) == faces(cards(case.get("removed", "")))
    for pile, wanted in zip(state.captured, case.get("captured", []), strict=False):
        assert faces(pile) == faces(cards(wanted))


def test_a_card_may_be_laid_beside_what_it_takes() -> None:
    game, state = reveal({"field": "04-ribbon 09-chaff-1", "plays": "04-animal 12-bright"})
    for text in ("04-animal select-0 field", "04-ribbon field captured-0", "04-animal field captured-0"):
        state = game.apply(state, move(text))
    assert state.phase is Phase.RESOLVE
    state = game.apply(state, move("12-bright select-1 field"))
    assert state.captured[0] == set(cards("04-animal 04-ribbon"))


def test_a_choice_may_be_changed_until_the_capture_is_complete() -> None:
    game, state = reveal({"field": "01-chaff-1 01-bright", "plays": "01-ribbon 06-animal"})
    first = game.apply(state, Moved(0.0, cards("01-chaff-1")[0], FIELD, captured(0)))
    back = game.apply(first, Moved(0.0, cards("01-chaff-1")[0], captured(0), FIELD))
    assert back == state
    with pytest.raises(RuleError):
        game.apply(first, Moved(0.0, cards("01-bright")[0], FIELD, captured(0)))


def test_the_fourth_card_may_leave_the_stack_where_the_option_says_so() -> None:
    options, field = {"capture_four": "ask"}, "08-bright 08-animal 08-chaff-1"
    game, state = reveal({"options": options, "field": field, "plays": "08-chaff-2 03-ribbon"})
    for seat, card in enumerate(cards("08-chaff-2 03-ribbon")):
        state = game.apply(state, Moved(0.0, card, select(seat), FIELD))
    assert len(state.field) == 5


@by_name(CASES, "scores")
def test_scores_less_par(case: dict[str, Any]) -> None:
    game: Any = JUNIOR.game  # type: ignore[attr-defined]
    without = cards(case["without"])
    piles = tuple(frozenset(c for c in DECK if c.month in months and c not in without) for months in case["months"])
    state = replace(game.start(2), captured=piles, removed=frozenset(without), phase=Phase.OVER)
    assert [tally.total for tally in game.score(state)] == case["totals"]


def test_a_choice_is_told_without_its_card_and_may_be_taken_back() -> None:
    state = JUNIOR.apply(JUNIOR.start(2), random_deal(JUNIOR, 2, Random(3)))
    one = JUNIOR.apply(state, Signalled(1.0, "selected", 0))
    assert [cue.seat for cue in JUNIOR.guide(one).cues] == [1]
    both = JUNIOR.apply(one, Signalled(2.0, "selected", 1))
    headline = JUNIOR.guide(both).headline
    assert headline is not None and headline.en == "All have chosen: reveal!"
    assert JUNIOR.apply(JUNIOR.apply(both, Signalled(3.0, "unselected", 1)), Signalled(4.0, "unselected", 0)) == state
    with pytest.raises(RuleError):
        JUNIOR.apply(one, Signalled(2.0, "selected", 0))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_field_is_empty_in_the_end(seats: int) -> None:
    chance = Random(9)
    ends = [list(random_states(JUNIOR, seats, chance))[-1].round for _ in range(10)]
    assert not any(end.field for end in ends)
    assert sum(len(end.removed) for end in ends) % 2 == 0 and any(end.removed for end in ends)
