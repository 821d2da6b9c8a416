"""What trials of simulated games find: results, spots heard and missed, slips named and cleared."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from app.main import main
from app.simulator.ledger import Slip
from app.simulator.players import slip_kinds
from app.simulator.stage import SAID_AFTER_S
from app.simulator.surface import LOOKS
from app.trials import GameTrial, length_of, play_trial, result_differences
from app.trials_said import hearing
from app.trials_slips import check_slips
from engine import catalogue
from engine.cards import Card
from engine.events import (
    Dealt,
    Ended,
    Event,
    Fault,
    Moved,
    Place,
    Repaired,
    Scored,
    Signalled,
    Tally,
    Words,
)

PINE, FIELD, HAND = Card.parse("01-chaff-1"), Place("field"), Place("hand", 0)


@pytest.mark.parametrize(
    ("game", "series", "one"),
    [
        ("chotto-hana-awase", {}, {}),
        ("oyohen", {}, {}),
        ("hana-awase", {"rounds": 3}, {"rounds": 1}),
        ("junior-chotto", {"rounds": 3}, {"rounds": 1}),
        ("hiyoko", {"target": 2}, {"target": 1}),
        ("isuri", {"deals": 3}, {"deals": 1}),
    ],
)
def test_a_series_is_as_short_as_the_game_allows(game: str, series: Mapping[str, Any], one: Mapping[str, Any]) -> None:
    assert length_of(game, True) == series
    assert length_of(game, False) == one


def test_the_look_varies_with_the_seed_unless_it_is_given() -> None:
    looks = {GameTrial("isuri", 2, seed, (960, 540)).look_name for seed in range(len(LOOKS))}
    assert looks == set(LOOKS)
    assert GameTrial("isuri", 2, 3, (960, 540), look="wood").look_name == "wood"


def test_a_spot_is_heard_within_the_time_since_the_hand_lay_on_it() -> None:
    truth = [Signalled(10.0, "pass", 1), Signalled(20.0, "stop", 0), Signalled(21.0, "selected", 0)]
    heard = hearing([Signalled(10.2, "pass", 1), Signalled(21.0, "stop", 0)], truth)
    assert heard.delays_s == pytest.approx((SAID_AFTER_S + 0.2, SAID_AFTER_S + 1.0))
    assert (heard.late, heard.missed, heard.false) == (1, (), ())
    assert not heard.good and hearing(truth, truth).good


@pytest.mark.parametrize(
    ("run", "missed", "false"),
    [
        ((), ("pass of seat 1 at 10.00 s",), ()),
        ((Signalled(10.1, "pass", 0),), ("pass of seat 1 at 10.00 s",), ("pass of seat 0 at 10.10 s",)),
        ((Signalled(8.0, "pass", 1),), ("pass of seat 1 at 10.00 s",), ("pass of seat 1 at 8.00 s",)),
        ((Signalled(10.1, "pass", 1), Signalled(10.9, "pass", 1)), (), ("pass of seat 1 at 10.90 s",)),
    ],
    ids=["not heard", "another seat", "too early", "twice"],
)
def test_spots_missed_and_false_are_told(run: Sequence[Event], missed: object, false: object) -> None:
    heard = hearing(run, [Signalled(10.0, "pass", 1)])
    assert (heard.missed, heard.false) == (missed, false)
    assert not heard.good


def fault(t_s: float, code: str) -> Fault:
    return Fault(t_s, code, Words("Not your turn", "順番ではありません"), (PINE,), 0)


SLIP: list[Event | Slip] = [
    Moved(11.0, PINE, HAND, FIELD),
    Moved(14.0, PINE, FIELD, HAND),
    Slip(10.0, "out_of_turn", 14.0, 0),
]


def test_a_slip_is_named_and_cleared() -> None:
    run: list[Event] = [fault(11.6, "out_of_turn"), Repaired(14.5, "out_of_turn"), fault(30.0, "match_left")]
    (check,), other = check_slips(run, SLIP)
    assert check.good and check.sentence == "Not your turn"
    assert [check.named_s, check.cleared_s] == pytest.approx([0.6, 0.5])
    assert [f.code for f in other] == ["match_left"]


@pytest.mark.parametrize(
    ("run", "named", "cleared", "others"),
    [
        ((), False, False, ()),
        ((fault(11.6, "out_of_turn"),), True, False, ()),
        ((fault(11.6, "out_of_turn"), Repaired(25.0, "out_of_turn")), True, False, ()),
        ((fault(11.6, "match_left"), Repaired(14.5, "match_left")), False, True, ("match_left",)),
        ((fault(11, "out_of_turn"), fault(12, "two"), Repaired(14.5, "out_of_turn")), True, False, ("two",)),
    ],
    ids=["not named", "never cleared", "cleared late", "named otherwise", "another one stands"],
)  # fmt: skip
def test_a_slip_not_named_or_not_cleared_is_told(
    run: Sequence[Event], named: bool, cleared: bool, others: object
) -> None:
    (check,), _ = check_slips(run, SLIP)
    assert (check.named_s is not None, check.cleared_s is not None, check.others) == (named, cleared, others)
    assert not check.good


def scored(total: int) -> Scored:
    return Scored(1.0, (Tally(total, (), total), Tally(0, (), -total)))


def ended(total: int) -> Ended:
    return Ended(2.0, "done", scored(total).seats, (0,))


DEAL = Dealt(0.0, (), (), 0, (1, 1))
SERIES = (DEAL, scored(3), DEAL, scored(5), ended(5))


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (SERIES, []),
        ((DEAL, scored(4), DEAL, scored(5), ended(5)), ["deal 1, seat 0: points 4, truly 3"]),
        ((DEAL, scored(3), scored(5), ended(5)), ["1 deals, truly 2"]),
        (SERIES[:-1], ["the game has not ended"]),
    ],
    ids=["the same", "an earlier round", "a deal not seen", "no end"],
)
def test_the_results_of_all_rounds_count(run: Sequence[Event], told: Sequence[str]) -> None:
    assert [line for line in result_differences(run, SERIES) if "total" not in line] == told


def test_a_game_that_stalls_is_told() -> None:
    assert list(result_differences(SERIES, SERIES[:-1])) == ["the game was broken off: nothing happened any more"]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("chotto-hana-awase", {"out_of_turn", "wrong_match", "drawn_card_kept", "hand_card_swapped"}),
        ("hana-awase", {"out_of_turn", "match_left", "two_cards_played"}),
        ("hiyoko", {"out_of_turn", "not_following", "card_returned"}),
        ("junior-chotto", {"match_left", "choose_first"}),
    ],
)
def test_what_can_be_done_wrong_depends_on_the_game(name: str, kinds: set[str]) -> None:
    known = slip_kinds(catalogue.load(name), 2)
    assert kinds <= set(known)
    assert ("drawn_card_kept" in known) == (name == "chotto-hana-awase")


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--game", "poker", "no game 'poker'"),
        ("--seats", "7", "seats must be one of 2, 3, 4"),
        ("--look", "marble", "no table looks like 'marble'"),
        ("--size", "big", "--size: must look like 960x540"),
    ],
)
def test_trials_that_cannot_be_are_answered_in_a_sentence(
    capsys: pytest.CaptureFixture[str], option: str, value: str, sentence: str
) -> None:
    assert main(["bench", "games", option, value]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("oyohen", 3), ("hana-awase", 2), ("hiyoko", 2), ("isuri", 2)])
def test_a_round_of_every_game_ends_as_it_truly_did(game: str, seats: int) -> None:
    outcome = play_trial(GameTrial(game, seats, 5, (960, 540), options=length_of(game, False)))
    assert outcome.wrong_results == ()
    assert outcome.heard.false == () and outcome.heard.missed == ()
