"""The rules of Chotto, Hana-Awase hold case by case (`cases/chotto-hana-awase.yaml`), for hand and turned cards."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from engine.cards import DECK, Card
from engine.catalogue import load
from engine.chance import random_states
from engine.errors import RuleError
from engine.events import Dealt, Place, Tally
from engine.fishing_state import FishingState, Phase
from engine.places import FIELD, PILE, captured, hand
from engine.yaku import card_points, tally, winners
from tests.engine.table import CHOTTO, cards, deal, move

CASES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "cases" / "chotto-hana-awase.yaml").read_text("utf-8"))
POINTS = {"bright": 20, "animal": 10, "ribbon": 5, "chaff": 1}


def by_name(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", CASES[kind].values(), ids=CASES[kind].keys())


@pytest.mark.parametrize("case", CASES["deals"], ids=lambda case: f"{case['seats']} seats")
def test_the_deal(case: dict[str, int]) -> None:
    hands = {hand(seat): case["hand"] for seat in range(case["seats"])}
    assert CHOTTO.deal(case["seats"]) == {FIELD: case["field"], PILE: case["draw"], **hands}


@by_name("misdeals")
def test_four_of_a_month_on_the_field_are_a_misdeal(case: dict[str, Any]) -> None:
    lies = dict.fromkeys(cards(case["field"]), FIELD)
    fault = CHOTTO.misdeal(lies)
    assert (fault is not None) is case["misdeal"]


def before(field: tuple[Card, ...], card: Card, phase: Phase) -> FishingState:
    """A state in which seat 0 plays or turns `card` onto `field`; the rest of the deck is spread as it may be."""
    rest = [c for c in CHOTTO.deck if c not in (*field, card)]
    others = [c for c in rest if c.month != card.month]
    unseen = frozenset(rest) - {others[0], others[1]}
    return FishingState(
        seats=2,
        dealer=0,
        hands=(frozenset({others[0], card} if phase is Phase.PLAY else {others[0]}), frozenset({others[1]})),
        hand_counts=(),
        field=frozenset(field),
        captured=(frozenset(), frozenset()),
        unseen=unseen | ({card} if phase is Phase.DRAW else set()),
        draw=len(unseen) + (phase is Phase.DRAW),
        turn=0,
        phase=phase,
    )


def play_out(state: FishingState, moves: list[str]) -> FishingState:
    for text in moves:
        wanted = replace(move(text), t_s=0.0)
        assert wanted in CHOTTO.expected(state)
        state = CHOTTO.apply(state, wanted)
    return state


@pytest.mark.parametrize("phase", [Phase.PLAY, Phase.DRAW])
@pytest.mark.parametrize("way", ["laid", "laid, match first", "straight", "straight, match first"])
@by_name("plays")
def test_a_card_is_played(case: dict[str, Any], way: str, phase: Phase) -> None:
    field, (card,) = cards(case["field"]), cards(case["card"])
    source = "hand-0" if phase is Phase.PLAY else "draw"
    lay, straight = f"{card} {source} field", f"{card} {source} captured-0"
    start = before(field, card, phase)
    laid = play_out(start, [lay])
    if "choices" in case:
        assert CHOTTO.choices(laid) == cards(case["choices"])
    if "take" not in case:
        if "left" in case:
            assert laid.field == set(cards(case["left"]))
            assert laid.captured[0] == set(cards(case["captured"]))
            with pytest.raises(RuleError):
                CHOTTO.apply(start, move(straight))
        return
    own, match = f"{card} field captured-0", f"{case['take']} field captured-0"
    ways = {
        "laid": [lay, own, match],
        "laid, match first": [lay, match, own],
        "straight": [straight, match],
        "straight, match first": [match, straight],
    }
    end = play_out(start, ways[way])
    assert Counter(c.face for c in end.captured[0]) == Counter(c.face for c in cards(case["captured"]))
    assert end.field == set(cards(case["left"]))
    assert (end.phase, end.turn) == ((Phase.DRAW, 0) if phase is Phase.PLAY else (Phase.PLAY, 1))
    assert end.dead() == cards(case.get("dead", ""))


@by_name("scores")
def test_captured_cards_score(case: dict[str, Any]) -> None:
    score = tally(frozenset(cards(case["cards"])), CHOTTO.book.points, CHOTTO.book.yaku)
    assert {y.id: y.value for y in score.yaku} == case["yaku"]
    assert score.total == case["total"] == score.points + sum(case["yaku"].values())


def test_the_whole_deck_as_one_player_s() -> None:
    want = CASES["whole_deck"]
    ranks = Counter(card.rank.value for card in CHOTTO.deck)
    score = tally(frozenset(CHOTTO.deck), CHOTTO.book.points, CHOTTO.book.yaku)
    assert {"cards": len(CHOTTO.deck), **ranks} == {key: want[key] for key in ("cards", *ranks)}
    assert (score.points, score.total) == (want["points"], want["total"])
    assert {card.month for card in DECK} - {card.month for card in CHOTTO.deck} == {4, 5, 11, 12}


@pytest.mark.parametrize(
    ("without", "ranks", "points"),
    [
        ((), (5, 9, 10, 24), 264),
        (("12-chaff-1", "12-chaff-2", "12-chaff-3"), (5, 9, 10, 21), 261),
        (("12-chaff-2", "12-chaff-3"), (5, 9, 10, 22), 262),
    ],
    ids=["48", "45", "46"],
)
def test_the_decks_of_all_games(without: tuple[str, ...], ranks: tuple[int, ...], points: int) -> None:
    pack = [card for card in DECK if str(card) not in without]
    found = Counter(card.rank.value for card in pack)
    assert tuple(found[rank] for rank in POINTS) == ranks
    assert card_points(pack, POINTS) == points


@pytest.mark.parametrize(("chaff", "points"), [(1, 36), (0, 35)])
def test_chaff_may_count_nothing(chaff: int, points: int) -> None:
    pack = cards("01-bright 09-animal 11-ribbon 11-chaff-1")
    assert card_points(pack, {**POINTS, "chaff": chaff}) == points


@by_name("winners")
def test_who_wins(case: dict[str, Any]) -> None:
    assert list(winners(Tally(total, (), total) for total in case["totals"])) == case["winner"]


def test_a_played_chaff_may_be_left_for_its_twin() -> None:
    state = before(cards("03-chaff-2 03-bright 08-animal"), cards("03-chaff-1")[0], Phase.PLAY)
    moves = ["03-chaff-1 hand-0 field", "03-chaff-2 field captured-0", "03-bright field captured-0"]
    end = play_out(state, moves)
    assert end.captured[0] == set(cards("03-chaff-2 03-bright"))
    assert end.field == set(cards("03-chaff-1 08-animal"))


def test_a_capture_under_way_may_be_taken_back_and_does_not_score() -> None:
    state = CHOTTO.apply(CHOTTO.start(2), deal())
    half = play_out(state, ["01-ribbon hand-0 captured-0"])
    assert [score.total for score in CHOTTO.score(half)] == [0, 0]
    back = play_out(half, ["01-ribbon captured-0 field"])
    assert back.active == cards("01-ribbon")[0]
    assert back.taken == ()


@pytest.mark.parametrize(("direction", "order"), [("anticlockwise", [1, 2, 0]), ("clockwise", [1, 0, 2])])
def test_the_turn_goes_round_from_the_dealer(direction: str, order: list[int]) -> None:
    game = load("chotto-hana-awase", {"direction": direction})
    held = ("02-animal 02-ribbon 03-ribbon 07-chaff-1", "02-chaff-1 02-chaff-2 08-bright 09-chaff-1",
            "03-chaff-2 07-ribbon 08-chaff-1 09-chaff-2")  # fmt: skip
    field = "01-bright 01-ribbon 03-bright 06-animal 06-ribbon 10-animal 10-ribbon 10-chaff-1"
    state = game.apply(game.start(3, 1), deal(field, held))
    seats = []
    for _ in range(3):
        (seat,) = game.to_act(state)
        seats.append(seat)
        turns = seat
        while game.to_act(state) == {turns}:
            lay = [m for m in game.expected(state) if m.source.zone in ("hand", "draw") and m.target == FIELD]
            take = [m for m in game.expected(state) if m.target == captured(seat)]
            state = game.apply(state, (take if state.active else lay)[0])
    assert seats == order
    assert game.next_dealer(state) == order[1]


def test_three_of_a_month_go_to_the_fourth_where_the_option_says_so() -> None:
    game = load("chotto-hana-awase", {"capture_three": "all"})
    state = game.apply(game.start(2), deal())
    moves = ["10-chaff-1 field captured-0", "10-ribbon hand-0 field", "10-animal field captured-0",
             "10-ribbon field captured-0", "10-chaff-2 field captured-0"]  # fmt: skip
    for text in moves:
        wanted = replace(move(text), t_s=0.0)
        assert wanted in game.expected(state)
        state = game.apply(state, wanted)
    assert state.captured[0] == set(cards("10-animal 10-ribbon 10-chaff-1 10-chaff-2"))
    assert state.phase is Phase.DRAW


def test_the_zones_a_layout_must_have() -> None:
    assert CHOTTO.zones(2) == {Place("field"), Place("draw"), hand(0), hand(1), captured(0), captured(1)}


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("chotto-hana-awase", replace(deal(), hands=(), hand_counts=(6, 6))),
        ("chotto-hana-awase", replace(deal(), hands=(*deal().hands, cards("09-animal")))),
        ("hana-awase", Dealt(0.0, cards("01-bright"), (), 20, (10, 10))),
        ("hiyoko", Dealt(0.0, cards("01-bright"), (), 32, (6, 6, 6))),
        ("junior-chotto", Dealt(0.0, (), (), 42, (3,))),
    ],
    ids=["open hands as counts", "a third hand", "field", "a third count", "one hand"],
)
def test_a_deal_of_wrong_counts_is_refused(name: str, wrong: Dealt) -> None:
    game = load(name)
    with pytest.raises(RuleError, match="cards dealt"):
        game.apply(game.start(2), wrong)


@pytest.mark.parametrize(("name", "seats"), [("chotto-hana-awase", 2), ("chotto-hana-awase", 4), ("oyohen", 3)])
def test_what_is_left_in_the_end_are_two_of_each_month_dealt_three_times(name: str, seats: int) -> None:
    game, chance, left = load(name), Random(8), 0
    for _ in range(40):
        states = list(random_states(game, seats, chance))
        dealt, end = Counter(card.month for card in states[0].field), states[-1]
        assert Counter(card.month for card in end.field) == {month: 2 for month, n in dealt.items() if n == 3}
        assert end.dead() == tuple(sorted(end.field))
        left += len(end.field)
    assert left > 0
