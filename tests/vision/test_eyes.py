"""What is believed of a table, frame after frame: cards come, go, lie under each other; hands and light are neither."""

import math
from dataclasses import replace

import pytest

from engine.cards import Card
from engine.events import Place
from tests.vision.table_scenes import (
    DRAW,
    FIELD,
    HANDS,
    MATS,
    PILES,
    Film,
    Table,
    card,
    deck,
    layout,
    table_of,
    view,
)
from vision.eyes import PATIENCE_S, Eyes
from vision.later import HELD_S
from vision.values import Observation, SeenCard

CRANE, PINE, CURTAIN, IRIS, SWALLOW = (
    card(text) for text in ("01-bright", "01-ribbon", "03-bright", "05-ribbon", "11-animal")
)
MORE = ("05-animal", "08-chaff-1", "12-bright", "04-chaff-1", "04-ribbon")
CARDS = (CRANE, PINE, CURTAIN, IRIS, SWALLOW, *(card(text) for text in MORE))
LAID = table_of({"01-bright": (-100, 40), "05-ribbon": (0, 40, 8), "11-animal": (60, -155, 180)}).lay(None, 255, 0)


class Watch(Film):
    """Eyes at a table under a running camera."""

    def __init__(self, first: Table | None = LAID) -> None:
        self.eyes = Eyes(view(), layout(), deck(), CARDS)
        super().__init__(self.eyes)
        if first is not None:
            self.show(first)

    @property
    def seen(self) -> Observation:
        return self.eyes.observation(self.t_s)

    def looked(self) -> bool:
        return self.eyes.looked

    def hands(self) -> bool:
        return self.seen.hands

    def known(self) -> dict[Card, Place | None]:
        """Every face believed, with its place."""
        return {seen.card: seen.place for seen in self.seen.cards if seen.card is not None}

    def in_view(self) -> set[Card]:
        """Every face that was there when last looked for."""
        return set(self.known()) - self.seen.gone - self.seen.hidden

    def card(self, which: Card) -> SeenCard:
        return next(seen for seen in self.seen.cards if seen.card == which)


@pytest.mark.parametrize("mat", MATS)
def test_the_first_look_finds_what_lies_there(mat: str) -> None:
    watch = Watch(Table(LAID.cards, mat=mat, mottle=3.0))
    assert watch.known() == {CRANE: FIELD, IRIS: FIELD, SWALLOW: HANDS[0]}
    assert watch.card(IRIS).pose.angle_rad == pytest.approx(math.radians(8), abs=0.02)
    assert (watch.card(CRANE).pose.x_mm, watch.card(CRANE).pose.y_mm) == pytest.approx((-100, 40), abs=0.6)
    assert watch.card(CRANE).face_up
    assert watch.card(CRANE).probability > 0.9
    assert watch.seen.gone == watch.seen.hidden == frozenset()


def test_the_draw_pile_is_a_card_face_down() -> None:
    watch = Watch()
    piles = [seen for seen in watch.seen.cards if seen.card is None]
    assert [(seen.place, seen.face_up) for seen in piles] == [(DRAW, False)]
    assert (piles[0].pose.x_mm, piles[0].pose.y_mm) == pytest.approx((255, 0), abs=2)
    watch.show(LAID.lay("03-bright", 255, 0))
    assert CURTAIN not in watch.known()


def test_before_the_first_look_nothing_is_known() -> None:
    watch = Watch(None)
    assert watch.show(LAID, 0.1) == 0
    assert not watch.looked()
    assert watch.seen.cards == ()
    assert watch.seen.wants_dark
    watch.show(LAID)
    assert watch.looked()


def test_once_all_is_seen_no_darkness_is_wanted() -> None:
    assert not Watch().seen.wants_dark


def test_the_first_look_waits_for_a_hand_to_leave() -> None:
    watch = Watch(None)
    for i in range(8):
        watch.show(LAID.reach(-100 + 4 * i, 60), 0.1)
    assert not watch.known()
    watch.show(LAID)
    assert set(watch.known()) == {CRANE, IRIS, SWALLOW}


def test_the_first_look_does_not_wait_for_ever() -> None:
    watch = Watch(None)
    for i in range(round(10 * PATIENCE_S) + 4):
        watch.show(LAID.reach(120 + 20 * (i % 2), -60), 0.1)
    assert {CRANE, IRIS} <= set(watch.known())
    assert not watch.looked()


def test_a_still_table_is_not_looked_at_again() -> None:
    assert Watch().show(LAID, 2.0) == 0


def test_a_card_laid_down_is_seen_where_it_lies_since_it_lies_there() -> None:
    watch = Watch()
    watch.show(LAID)
    before = watch.t_s
    watch.show(LAID.lay("03-bright", 60, 0, -12), 0.8)
    seen = watch.card(CURTAIN)
    assert seen.place == FIELD
    assert before < seen.since_s < before + 0.5
    assert watch.card(CRANE).since_s < before


def test_a_card_taken_away_is_gone_where_the_table_shows() -> None:
    watch = Watch()
    watch.show(LAID.take("01-bright"))
    assert watch.seen.gone == {CRANE}
    assert watch.in_view() == {IRIS, SWALLOW}


def test_a_card_put_elsewhere_is_seen_there_only() -> None:
    watch = Watch()
    watch.show(LAID.lay("01-bright", 240, -130, 90))
    assert watch.card(CRANE).place == PILES[0]
    assert [seen.card for seen in watch.seen.cards].count(CRANE) == 1
    assert watch.in_view() == {CRANE, IRIS, SWALLOW}


def test_a_card_put_back_is_there_again() -> None:
    watch = Watch()
    watch.show(LAID.take("01-bright"))
    watch.show(LAID)
    assert watch.in_view() == {CRANE, IRIS, SWALLOW}


def test_a_hand_over_a_card_hides_it_and_does_not_remove_it() -> None:
    watch = Watch()
    for _ in range(3):
        watch.show(LAID.reach(0, 60))
        assert set(watch.known()) == {CRANE, IRIS, SWALLOW}
        assert watch.seen.gone == frozenset()
    watch.show(LAID)
    assert watch.in_view() == {CRANE, IRIS, SWALLOW}


def test_a_hand_that_takes_a_card_is_found_out_when_it_has_left() -> None:
    watch = Watch()
    watch.show(LAID.reach(0, 60))
    watch.show(LAID.take("05-ribbon"))
    assert watch.seen.gone == {IRIS}


def test_hands_that_move_are_told() -> None:
    watch = Watch()
    assert not watch.hands()
    watch.show(LAID.reach(0, 60), 0.1)
    assert watch.hands()
    watch.show(LAID)
    assert not watch.hands()


def test_an_arm_that_rests_is_no_card() -> None:
    watch = Watch()
    watch.show(LAID.reach(-30, 0), 2 * HELD_S + 1.0)
    assert set(watch.known()) == {CRANE, IRIS, SWALLOW}
    watch.show(LAID)
    assert watch.in_view() == {CRANE, IRIS, SWALLOW}


def test_a_card_in_a_resting_hand_is_not_taken_for_laid_down() -> None:
    watch = Watch()
    held = LAID.lay("03-bright", 60, 30).reach(60, 10)
    watch.show(held, 0.7)
    assert CURTAIN not in watch.known()


@pytest.mark.parametrize("tip_mm", [0, -30], ids=["on it", "touching it"])
def test_a_card_laid_by_a_hand_that_rests_on_it_is_read_when_the_hand_has_left(tip_mm: float) -> None:
    watch = Watch()
    laid = LAID.lay("03-bright", 100, 10)
    watch.show(laid.reach(100, tip_mm), 0.5)
    watch.show(laid, 0.6)
    assert watch.known()[CURTAIN] == FIELD


def test_a_card_laid_at_the_edge_of_the_mat_is_read() -> None:
    watch = Watch()
    watch.show(LAID.lay("03-bright", -285, 130))
    assert watch.known()[CURTAIN] == PILES[1]


def test_a_card_laid_half_over_another_leaves_the_lower_one_known() -> None:
    watch = Watch()
    over = LAID.lay("01-ribbon", -86, 30)
    watch.show(over)
    assert watch.in_view() == {CRANE, PINE, IRIS, SWALLOW}
    watch.show(over.reach(-100, 30))
    watch.show(over)
    assert watch.in_view() == {CRANE, PINE, IRIS, SWALLOW}
    watch.show(over.take("01-bright"))
    assert watch.seen.gone | watch.seen.hidden == {CRANE}
    assert PINE in watch.in_view()


def test_a_card_wholly_under_another_is_kept() -> None:
    watch = Watch()
    watch.show(LAID.lay("01-ribbon", -100, 40))
    watch.show(LAID.lay("01-ribbon", -100, 40).reach(-100, 80))
    watch.show(LAID.lay("01-ribbon", -100, 40))
    assert {PINE} <= watch.in_view()
    watch.show(LAID)
    assert CRANE in watch.in_view()


def test_a_pair_taken_to_the_pile_is_found_with_its_lower_card() -> None:
    watch = Watch(LAID.lay("01-ribbon", 60, 0))
    away = LAID.take("01-bright")
    watch.show(away)
    watch.show(away.reach(235, -120), 0.4)
    pile = away.lay("01-bright", 235, -130).lay("01-ribbon", 235, -110)
    watch.show(pile.reach(235, -120), 0.3)
    watch.show(pile, 0.6)
    assert (watch.known()[CRANE], watch.known()[PINE]) == (PILES[0], PILES[0])
    watch.show(pile.reach(240, -100))
    watch.show(pile, 1.5)
    assert {CRANE, PINE} <= watch.in_view()


def test_a_nudged_card_is_followed() -> None:
    watch = Watch()
    since = watch.card(CRANE).since_s
    watch.show(LAID.lay("01-bright", -97.5, 42, 4))
    assert watch.in_view() == {CRANE, IRIS, SWALLOW}
    assert (watch.card(CRANE).pose.x_mm, watch.card(CRANE).pose.y_mm) == pytest.approx((-97.5, 42), abs=0.8)
    assert watch.card(CRANE).since_s == since


def test_a_card_is_not_believed_twice() -> None:
    watch = Watch()
    twice = Table((*LAID.cards, (CRANE, LAID.lay("01-bright", 100, 0).cards[-1][1])))
    watch.show(twice, 2.0)
    assert watch.card(CRANE).pose.x_mm == pytest.approx(-100, abs=1)


@pytest.mark.parametrize("gain", [0.6, 1.25], ids=["darker", "brighter"])
def test_light_that_changes_over_the_whole_table_changes_no_card(gain: float) -> None:
    watch = Watch()
    poses = {which: watch.card(which).pose for which in watch.known()}
    lit = replace(LAID, gain=gain)
    watch.show(lit, 2.0)
    assert watch.in_view() == {CRANE, IRIS, SWALLOW}
    for which, pose in poses.items():
        assert (watch.card(which).pose.x_mm, watch.card(which).pose.y_mm) == pytest.approx(
            (pose.x_mm, pose.y_mm), abs=1
        )
    watch.show(replace(LAID.lay("03-bright", 60, 0), gain=1.0))
    assert CURTAIN in watch.in_view()


def test_lamp_flicker_is_no_change() -> None:
    watch = Watch()
    looks = [watch.show(replace(LAID, gain=gain), 0.1) for gain in (1.03, 0.97, 1.02, 0.98, 1.0)]
    assert sum(looks) == 0


def test_our_own_light_is_no_card_and_moves_none() -> None:
    watch = Watch()
    watch.show(replace(LAID, ring=(-100, 40)), 2.0)
    watch.show(replace(LAID, ring=(60, 0)), 2.0)
    assert watch.in_view() == {CRANE, IRIS, SWALLOW}
    watch.show(replace(LAID, ring=(60, 0)).lay("03-bright", 60, 0), 2.0)
    assert watch.known()[CURTAIN] == FIELD


def test_looking_again_reads_everything_anew() -> None:
    watch = Watch()
    watch.eyes.memory.forget(CRANE)
    watch.show(LAID)
    assert watch.in_view() == {IRIS, SWALLOW}
    watch.eyes.look_again()
    assert not watch.looked()
    watch.show(LAID)
    assert watch.in_view() == {CRANE, IRIS, SWALLOW}


def test_only_expected_cards_turn_up() -> None:
    watch = Watch()
    watch.eyes.expect([one for one in CARDS if one.month != 3])
    watch.show(LAID.lay("03-bright", 60, 0))
    assert set(watch.known()) == {CRANE, IRIS, SWALLOW}


def test_looking_harder_finds_a_card_that_does_not_stand_out() -> None:
    watch = Watch()
    watch.eyes.memory.forget(SWALLOW)
    watch.show(LAID)
    assert SWALLOW not in watch.known()
    assert not watch.eyes.look_harder(PILES[1])
    assert watch.eyes.look_harder(HANDS[0])
    assert watch.card(SWALLOW).place == HANDS[0]
    assert not watch.eyes.look_harder(HANDS[0])


def test_looking_harder_waits_for_the_first_look_and_for_hands() -> None:
    watch = Watch(None)
    watch.show(LAID, 0.1)
    assert not watch.eyes.look_harder(FIELD)
    watch.show(LAID)
    watch.eyes.memory.forget(CRANE)
    watch.show(LAID.reach(100, 0), 0.1)
    assert not watch.eyes.look_harder(FIELD)
    assert not watch.eyes.look_harder(Place("discard"))


def test_light_that_fades_slowly_is_followed_and_nothing_is_searched_for_anew() -> None:
    watch = Watch()
    searched = []
    search = watch.eyes.seeker.search
    watch.eyes.seeker.search = lambda *a, **k: searched.append(watch.t_s) or search(*a, **k)  # type: ignore[func-returns-value,method-assign]
    for step in range(60):
        watch.show(replace(LAID, gain=1 - 0.007 * step), 0.1)
    assert searched == []
    assert watch.in_view() == {CRANE, IRIS, SWALLOW}
    dim = replace(LAID, gain=0.58)
    watch.show(dim.lay("03-bright", 60, 30))
    assert watch.known()[CURTAIN] == FIELD
    watch.show(dim)
    assert CURTAIN in watch.seen.gone


def test_where_a_card_was_taken_away_another_of_its_month_is_another_card() -> None:
    watch = Watch(LAID.lay("04-chaff-1", 60, 30))
    watch.show(LAID)
    assert Card.parse("04-chaff-1") in watch.seen.gone
    watch.show(LAID.lay("04-ribbon", 61, 30))
    assert watch.known()[Card.parse("04-ribbon")] == FIELD
    assert Card.parse("04-chaff-1") in watch.seen.gone


def test_a_card_put_back_at_its_very_place_lies_there_anew() -> None:
    watch = Watch(LAID.lay("04-chaff-1", 60, 30))
    watch.show(LAID)
    back_s = watch.t_s
    watch.show(LAID.lay("04-chaff-1", 60, 30))
    assert Card.parse("04-chaff-1") in watch.in_view()
    assert watch.card(Card.parse("04-chaff-1")).since_s > back_s
