"""From what is seen to what has happened: deals, moves, their order, and what cannot be seen."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from calibration.frames import Pose
from engine import catalogue, referee
from engine.cards import Card
from engine.events import Dealt, Moved, Place
from engine.referee import Session
from tests.engine.table import CHOTTO, FIELD, HANDS, cards, deal, dealt, move, place, play
from vision import track
from vision.values import Laid, Observation, SeenCard

NOW = 10.0
LONG_AGO = 1.0
HIDDEN = catalogue.load("hana-awase")


def seen(name: str | Card, where: str | None, since_s: float = LONG_AGO) -> SeenCard:
    card = Card.parse(name) if isinstance(name, str) else name
    return SeenCard(card, True, Pose(0, 0, 0), None if where is None else place(where), 0.95, since_s=since_s)


def pile() -> SeenCard:
    return SeenCard(None, False, Pose(0, 0, 0), track.PILE, 0.5)


def observed(
    session: Session[Any], *changes: SeenCard, gone: str = "", hidden: str = "", hands: bool = False, t_s: float = NOW
) -> Observation:
    """The table as `session` knows it, but for `changes`."""
    lies: Mapping[Card, Place] = session.lies
    changed = {one.card for one in changes}
    rest = tuple(seen(card, str(where)) for card, where in lies.items() if card not in changed)
    return Observation(t_s, (*rest, *changes, pile()), frozenset(cards(gone)), frozenset(cards(hidden)), hands=hands)


def told(moves: Iterable[Moved]) -> list[str]:
    return [f"{one.card} {one.source} {one.target}" for one in moves]


def moves_after(session: Session[Any], *changes: SeenCard, **more: Any) -> list[str]:
    return told(track.moved(observed(session, *changes, **more), session))


def test_where_all_lies_as_known_nothing_has_moved() -> None:
    assert moves_after(dealt()) == []


def test_a_card_at_a_new_place_has_moved_there_from_the_old() -> None:
    found = track.moved(observed(dealt(), seen("03-ribbon", "field", 9.0)), dealt())
    assert found == (move("03-ribbon hand-0 field", NOW),)


def test_a_card_nobody_had_seen_was_turned_up_from_the_pile() -> None:
    assert moves_after(dealt(), seen("08-bright", "field", 9.0)) == ["08-bright draw field"]


def test_a_move_counts_once_the_card_has_lain_for_a_moment() -> None:
    assert moves_after(dealt(), seen("03-ribbon", "field", NOW - 0.05)) == []
    assert moves_after(dealt(), seen("03-ribbon", "field", NOW - 0.15)) != []


def test_without_the_rules_moves_are_told_in_the_order_of_time() -> None:
    later, sooner = seen("03-ribbon", "field", 9.0), seen("08-bright", "field", 8.0)
    observation = observed(dealt(), later, sooner)
    assert told(track.moved(observation, dealt())) == ["03-ribbon hand-0 field", "08-bright draw field"]
    assert told(track.moved(observation, dealt(), ruled=False)) == ["08-bright draw field", "03-ribbon hand-0 field"]


@pytest.mark.parametrize("where", [None, "draw", "box"])
def test_a_card_between_the_zones_or_in_a_closed_one_has_not_moved(where: str | None) -> None:
    assert moves_after(dealt(), seen("03-ribbon", where, 9.0)) == []


def test_a_card_of_another_game_does_not_move() -> None:
    assert moves_after(dealt(), seen("12-bright", "field", 9.0)) == []


def test_a_card_that_is_gone_or_hidden_has_not_moved() -> None:
    assert moves_after(dealt(), seen("03-ribbon", "field", 9.0), gone="03-ribbon") == []
    assert moves_after(dealt(), seen("03-ribbon", "field", 9.0), hidden="03-ribbon") == []


def test_order_of_simultaneous_moves_follows_the_rules() -> None:
    pair = [seen("03-bright", "captured-0", 9.0), seen("03-ribbon", "captured-0", 9.0)]
    turned = seen("07-ribbon", "field", 9.0)
    together = moves_after(dealt(), turned, *pair)
    assert together.index("03-ribbon hand-0 captured-0") < together.index("07-ribbon draw field")
    assert together.index("03-bright field captured-0") < together.index("07-ribbon draw field")
    assert len(together) == 3


def test_the_rules_decide_even_against_the_time_of_rest() -> None:
    turned, played = seen("07-ribbon", "field", 8.0), seen("02-ribbon", "field", 9.0)
    assert moves_after(dealt(), turned, played) == ["02-ribbon hand-0 field", "07-ribbon draw field"]


def test_illegal_moves_are_told_all_the_same_in_the_order_of_time() -> None:
    wrong = [seen("02-chaff-1", "field", 9.0), seen("07-animal", "field", 8.0)]
    assert moves_after(dealt(), *wrong) == ["07-animal hand-1 field", "02-chaff-1 hand-1 field"]


def half_taken() -> Session[Any]:
    """The hand card lies in the pile, its match has not been seen to follow; it was taken at 7 s."""
    session, _ = referee.advance(dealt(), replace(move("03-ribbon hand-0 captured-0"), t_s=7.0))
    assert session.fault is None
    return session


def test_the_match_that_cannot_be_seen_is_taken_to_lie_under_its_partner() -> None:
    assert moves_after(half_taken(), gone="03-bright") == ["03-bright field captured-0"]
    assert moves_after(half_taken(), gone="03-chaff-1") == ["03-chaff-1 field captured-0"]


def test_the_match_is_waited_for_first() -> None:
    assert moves_after(half_taken(), gone="03-bright", t_s=7.0 + track.HIDDEN_S - 0.1) == []
    assert moves_after(half_taken(), gone="03-bright", t_s=7.0 + track.HIDDEN_S) != []


def test_while_hands_are_in_view_the_match_may_still_come() -> None:
    assert moves_after(half_taken(), gone="03-bright", hands=True) == []


def test_a_match_that_is_only_hidden_has_not_been_taken() -> None:
    assert moves_after(half_taken(), hidden="03-bright") == []


def test_another_card_that_is_gone_lies_under_nothing() -> None:
    assert moves_after(half_taken(), gone="08-animal") == []
    assert moves_after(dealt(), gone="03-bright") == []


def laid_out(field: str = FIELD, hands: Iterable[str] = HANDS, since_s: float = LONG_AGO) -> tuple[SeenCard, ...]:
    lying = [seen(card, "field", since_s) for card in cards(field)]
    for seat, hand in enumerate(hands):
        lying += [seen(card, f"hand-{seat}", since_s) for card in cards(hand)]
    return (*lying, pile())


BEFORE = referee.begin(CHOTTO, 2)


def deal_of(lying: tuple[SeenCard, ...], session: Session[Any] = BEFORE, t_s: float = NOW) -> Dealt | None:
    return track.dealt(Observation(t_s, lying), session)


def test_a_deal_is_complete_only_with_exact_counts() -> None:
    assert deal_of(laid_out()) == replace(deal(), t_s=NOW)
    assert deal_of(laid_out(field=FIELD[:-11])) is None
    assert deal_of(laid_out(field=FIELD + " 07-ribbon")) is None
    assert deal_of(laid_out(hands=(HANDS[0], HANDS[1] + " 07-ribbon"))) is None
    assert deal_of((*laid_out(), seen("07-ribbon", "captured-0"))) is None


def test_a_deal_is_complete_once_its_last_card_has_lain_for_a_moment() -> None:
    assert deal_of(laid_out(since_s=NOW - 0.05)) is None
    assert deal_of(laid_out(since_s=NOW - 0.15)) is not None


def test_a_deal_with_a_card_of_another_game_is_none() -> None:
    assert deal_of(laid_out(field=FIELD[:-11] + " 12-bright")) is None


def test_a_card_between_the_zones_does_not_hinder_the_deal() -> None:
    assert deal_of((*laid_out(), seen("12-bright", None))) is not None


def test_a_card_of_another_game_in_the_box_does_not_hinder_the_deal() -> None:
    assert deal_of((*laid_out(), seen("12-bright", "box"))) is not None


def test_a_deal_of_which_a_card_is_gone_is_none() -> None:
    lying = Observation(NOW, laid_out(), gone=frozenset(cards("01-bright")))
    assert track.dealt(lying, BEFORE) is None


def test_zones_that_lack_cards_are_named() -> None:
    assert track.lacking(Observation(NOW, laid_out()), BEFORE) == ()
    short = Observation(NOW, laid_out(field=FIELD[:-11], hands=(HANDS[0], HANDS[1][:-11])))
    assert track.lacking(short, BEFORE) == (place("field"), place("hand-1"))


SECRET = referee.begin(HIDDEN, 2)
OPEN = tuple(seen(card, "field") for card in cards(FIELD))


def test_a_deal_with_hidden_hands_is_told_by_its_open_cards() -> None:
    found = deal_of((*OPEN, pile()), SECRET)
    assert found == Dealt(NOW, cards(FIELD), (), 20, (10, 10))
    assert deal_of(OPEN[:-1], SECRET) is None
    assert deal_of((*OPEN, seen("07-ribbon", "field")), SECRET) is None


def test_the_open_cards_of_a_deal_with_hidden_hands_must_lie_for_longer() -> None:
    fresh = (*OPEN[:-1], replace(OPEN[-1], since_s=NOW - 0.3))
    assert deal_of(fresh, SECRET) is None
    assert deal_of(fresh, SECRET, NOW + 0.3) is not None


def test_where_no_card_is_dealt_open_the_pile_tells_of_the_deal() -> None:
    junior = referee.begin(catalogue.load("junior-chotto"), 2)
    assert deal_of((), junior) is None
    found = deal_of((pile(),), junior)
    assert found is not None
    assert (found.field, found.draw) == ((), 42)
    assert deal_of((pile(), seen("07-ribbon", "field")), junior) is None


def test_a_hidden_hand_lacks_nothing_that_could_be_seen() -> None:
    assert track.lacking(Observation(NOW, OPEN), SECRET) == ()
    assert track.lacking(Observation(NOW, OPEN[1:]), SECRET) == (place("field"),)


def secret_deal() -> Session[Any]:
    return referee.advance(SECRET, Dealt(0.0, cards(FIELD), (), 20, (10, 10)))[0]


def test_a_card_never_seen_comes_from_the_hand_whose_turn_it_is() -> None:
    assert moves_after(secret_deal(), seen("12-bright", "field", 9.0)) == ["12-bright hand-0 field"]


def test_the_arm_that_laid_a_card_tells_whose_hand_it_came_from() -> None:
    session = secret_deal()
    laid = observed(session, seen("12-bright", "field", 9.0))
    assert told(track.moved(laid, session, {Card.parse("12-bright"): Laid(1)})) == ["12-bright hand-1 field"]


def test_cards_drawn_for_who_deals_are_told_one_at_a_time() -> None:
    both = Observation(NOW, (seen("12-bright", "captured-0"), seen("07-ribbon", "captured-1"), pile()))
    first = track.drawn(both, SECRET)
    assert len(first) == 1
    assert told(first)[0] in ("12-bright draw captured-0", "07-ribbon draw captured-1")
    after, _ = referee.advance(SECRET, first[0])
    assert len(set(told((*first, *track.drawn(both, after))))) == 2
    assert track.drawn(both, BEFORE) == ()


def test_facts_follow_from_what_is_seen_and_known_alone() -> None:
    session, _ = play(dealt(), "02-ribbon hand-0 field")
    looked = observed(session, seen("07-ribbon", "field", 9.0), seen("02-chaff-1", "field", 9.0))
    assert track.moved(looked, session) == track.moved(looked, session)


@pytest.mark.parametrize(
    ("since_s", "hands", "back"),
    [(8.0, False, True), (9.7, False, False), (8.0, True, True), (8.8, True, False)],
    ids=str,
)
def test_a_card_turned_up_too_early_that_has_left_the_table_is_back_on_the_pile(
    since_s: float, hands: bool, back: bool
) -> None:
    early, _ = referee.advance(dealt(), move("08-bright draw field", 5.0))
    fault = early.fault
    assert fault is not None and fault.belongs == track.PILE
    now = observed(early, seen("08-bright", "field"), gone="08-bright", hands=hands)
    now = replace(now, gone_since=((Card.parse("08-bright"), since_s),))
    found = track.moved(now, early)
    assert told(found) == (["08-bright field draw"] if back else [])
    if back:
        mended, _ = referee.advance(early, found[0])
        assert mended.fault is None


def test_a_card_that_left_the_table_where_nothing_is_wrong_may_come_back() -> None:
    session = dealt()
    card = min(session.lies, key=str)
    now = replace(observed(session, gone=str(card)), gone_since=((card, 1.0),))
    assert track.moved(now, session) == ()


@pytest.mark.parametrize(
    ("laid", "source"),
    [(Laid(0, True), "draw"), (Laid(0, False), "hand-0"), (Laid(0), "hand-0"), (Laid(1, False), "hand-1")],
)
def test_fingers_on_the_pile_tell_that_a_card_was_turned_up_too_early(laid: Laid, source: str) -> None:
    session = secret_deal()
    found = track.moved(observed(session, seen("12-bright", "field", 9.0)), session, {Card.parse("12-bright"): laid})
    assert told(found) == [f"12-bright {source} field"]


@pytest.mark.parametrize(("from_pile", "source"), [(True, "draw"), (False, "hand-0"), (None, "draw")])
def test_where_the_rules_want_a_card_turned_up_one_from_the_hand_is_known(from_pile: bool | None, source: str) -> None:
    session, _ = referee.advance(secret_deal(), Moved(1.0, Card.parse("12-bright"), place("hand-0"), place("field")))
    card = Card.parse("11-bright")
    found = track.moved(observed(session, seen("11-bright", "field", 9.0)), session, {card: Laid(0, from_pile)})
    assert told(found) == [f"11-bright {source} field"]


def test_a_card_that_was_chosen_came_from_the_hand_though_fingers_were_on_the_pile() -> None:
    junior = referee.begin(catalogue.load("junior-chotto"), 2)
    session, _ = referee.advance(junior, Dealt(0.0, (), (), 42, (3, 3)))
    card = Card.parse("05-ribbon")
    found = track.moved(observed(session, seen("05-ribbon", "select-1", 9.0)), session, {card: Laid(1, True)})
    assert told(found) == ["05-ribbon hand-1 select-1"]


@pytest.mark.parametrize(("clear_s", "lain_s", "dealt_"), [(0.0, 1.0, False), (1.0, 1.0, True), (0.0, 2.5, True)])
def test_what_arms_uncover_while_they_clear_the_table_is_no_deal(clear_s: float, lain_s: float, dealt_: bool) -> None:
    cards_ = tuple(replace(seen, since_s=NOW - lain_s) for seen in OPEN)
    found = track.dealt(Observation(NOW, (*cards_, pile()), clear_s=clear_s), SECRET)
    assert (found is not None) == dealt_
