"""Known cards at their places: seen, nudged, covered, gone."""

import math
from collections.abc import Iterable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import Card
from tests.vision.table_scenes import Table, card, deck, raster, table_of
from vision.memory import Memory
from vision.raster import Box
from vision.rectify import Found, Picture
from vision.search import Finder

CARDS = ("01-bright", "03-ribbon", "08-chaff-1", "11-animal", "12-bright")
CRANE, RIBBON = card("01-bright"), card("03-ribbon")
LAID = table_of({"01-bright": (0, 0), "03-ribbon": (17, 2), "12-bright": (120, 50)})


def memory_of(table: Table) -> Memory:
    """Knows every card of `table`, in painting order, with the likeness that it has there."""
    images: dict[Card | None, NDArray[np.uint8]] = {card(name): deck().faces[card(name)] for name in CARDS}
    memory = Memory(raster(), Finder(images, deck().card_mm))
    for which, pose in table.cards:
        assert which is not None
        u, v = raster().px(np.array([pose.x_mm, pose.y_mm])).tolist()
        memory.place(Found(which, u, v, pose.angle_rad, 0.95), picture_of(table), 1.0)
    return memory


def picture_of(table: Table, box: Box | None = None) -> Picture:
    box = box or raster().whole
    image = raster().cut(table.picture(0), box)
    return Picture(image, 1.0, np.ones(image.shape[:2], np.uint8), box)


def verify(memory: Memory, table: Table, cards: Iterable[Card] | None = None) -> set[Card]:
    return set(memory.verify(picture_of(table), memory.cards if cards is None else cards))


def test_cards_that_lie_where_they_lay_are_seen() -> None:
    memory = memory_of(LAID)
    assert verify(memory, LAID) == set()
    assert all(lying.pose.score > 0.9 for lying in memory.cards.values())


def test_a_card_that_was_taken_is_not_seen() -> None:
    assert verify(memory_of(LAID), LAID.take("12-bright")) == {card("12-bright")}


def test_a_card_with_another_on_it_that_nobody_knows_is_not_seen() -> None:
    assert verify(memory_of(LAID), LAID.lay("11-animal", 120, 50)) == {card("12-bright")}


def test_a_card_under_known_ones_stays_as_it_is() -> None:
    table = table_of({"01-bright": (0, 0), "03-ribbon": (2, 1)})
    memory = memory_of(table)
    before = memory.cards[CRANE]
    assert verify(memory, table) == set()
    assert memory.cards[CRANE] == before


def test_what_lies_under_a_card_that_is_not_seen_must_show_until_a_new_one_covers_it() -> None:
    table = table_of({"01-bright": (0, 0), "03-ribbon": (2, 1)})
    memory, other = memory_of(table), table.take("03-ribbon").lay("11-animal", 2, 1)
    assert verify(memory, table.take("03-ribbon")) == {RIBBON}
    assert verify(memory, other) == {RIBBON, CRANE}
    u, v = raster().px(np.array([2.0, 1.0])).tolist()
    memory.place(Found(card("11-animal"), u, v, 0.0, 0.95), picture_of(other), 2.0)
    assert verify(memory, other, [CRANE]) == set()


def test_a_card_that_a_hand_hid_is_back_when_the_card_on_it_is() -> None:
    table = table_of({"01-bright": (0, 0), "03-ribbon": (2, 1)})
    memory = memory_of(table)
    for which in (CRANE, RIBBON):
        memory.lose(which, 2.0, bare=False)
    assert verify(memory, table) == set()
    assert not memory.cards[CRANE].lost
    memory.lose(CRANE, 3.0, bare=True)
    assert verify(memory, table) == set()
    assert memory.cards[CRANE].lost


def open_share(memory: Memory, which: Card) -> float:
    """How much of a card no known card covers."""
    picture = picture_of(LAID)
    return float(memory.uncovered(which, picture)[memory.cover(which, picture)].mean())


def test_only_what_shows_of_a_card_under_another_is_compared() -> None:
    memory = memory_of(LAID)
    assert open_share(memory, CRANE) == pytest.approx(0.53, abs=0.05)
    assert open_share(memory, RIBBON) == 1
    memory.lose(RIBBON, 2.0, bare=False)
    assert open_share(memory, CRANE) == 1


def test_a_card_put_under_another_is_covered_by_it() -> None:
    memory = memory_of(LAID.take("01-bright"))
    u, v = raster().px(np.array([0.0, 0.0])).tolist()
    memory.place(Found(CRANE, u, v, 0.0, 0.9), picture_of(LAID), 2.0, under=RIBBON)
    assert open_share(memory, CRANE) == pytest.approx(0.53, abs=0.05)
    assert open_share(memory, RIBBON) == 1


def test_a_nudged_card_is_followed() -> None:
    memory = memory_of(LAID)
    nudged = LAID.lay("12-bright", 122.5, 48, 4)
    assert verify(memory, nudged) == set()
    pose = memory.cards[card("12-bright")].pose
    assert raster().mm(np.array([pose.u, pose.v])) == pytest.approx([122.5, 48], abs=0.7)
    assert pose.angle_rad == pytest.approx(math.radians(4), abs=0.03)


def test_a_card_pushed_far_is_not_followed() -> None:
    assert verify(memory_of(LAID), LAID.lay("12-bright", 140, 48)) == {card("12-bright")}


def test_light_on_a_card_does_not_lose_it() -> None:
    table = Table(LAID.cards, ring=(120, 50), gain=0.7)
    assert verify(memory_of(LAID), table) == set()


def test_poses_hold_for_the_whole_raster_although_they_were_found_in_a_part() -> None:
    memory = memory_of(Table())
    box = Box(380, 100, 500, 240)
    memory.place(Found(card("12-bright"), 39.5, 49.5, 0.0, 0.95), picture_of(LAID, box), 1.0)
    assert verify(memory, LAID) == set()
    local = memory.local(card("12-bright"), picture_of(LAID, box))
    assert (local.u, local.v) == (39.5, 49.5)


def test_a_card_lost_twice_is_lost_since_the_first_time_and_found_again() -> None:
    memory = memory_of(LAID)
    memory.lose(CRANE, 2.0, bare=False)
    memory.lose(CRANE, 3.0, bare=True)
    assert (memory.cards[CRANE].lost_since_s, memory.cards[CRANE].bare) == (2.0, True)
    verify(memory, LAID)
    assert not memory.cards[CRANE].lost
    assert not memory.cards[CRANE].bare


def test_renaming_exchanges_two_cards() -> None:
    memory = memory_of(LAID)
    crane, ribbon = memory.cards[CRANE], memory.cards[RIBBON]
    memory.rename(CRANE, RIBBON)
    assert (memory.cards[RIBBON].pose.u, memory.cards[RIBBON].order) == (crane.pose.u, crane.order)
    assert (memory.cards[CRANE].pose.u, memory.cards[CRANE].order) == (ribbon.pose.u, ribbon.order)
    assert memory.cards[CRANE].pose.card == memory.cards[CRANE].card == CRANE


def test_renaming_to_a_card_that_was_nowhere_leaves_the_first_nowhere() -> None:
    memory = memory_of(LAID)
    memory.rename(CRANE, card("11-animal"))
    assert set(memory.cards) == {card("11-animal"), RIBBON, card("12-bright")}


def test_a_forgotten_card_lies_nowhere() -> None:
    memory = memory_of(LAID)
    memory.forget(CRANE)
    memory.forget(card("08-chaff-1"))
    assert CRANE not in memory.cards
    assert len(memory.cards) == 2


def test_cards_near_a_place_and_on_it() -> None:
    memory = memory_of(LAID)
    assert set(memory.near(Box(280, 180, 320, 220))) == {CRANE, RIBBON}
    mask = np.zeros((400, 600), np.uint8)
    mask[200, 288] = 1
    assert memory.on(picture_of(LAID), mask) == [CRANE]
    mask[200, 288], mask[200, 340] = 0, 1
    assert memory.on(picture_of(LAID), mask) == []


def test_a_card_is_still_there_in_a_whole_picture_of_the_camera() -> None:
    memory = memory_of(LAID)
    assert memory.still_there(CRANE, LAID.picture(5))
    assert not memory.still_there(CRANE, LAID.take("01-bright").picture(5))
    covered = memory_of(table_of({"01-bright": (0, 0), "03-ribbon": (1, 1)}))
    assert covered.still_there(CRANE, table_of({"03-ribbon": (1, 1)}).picture(5))


def test_a_card_across_which_light_falls_is_still_seen() -> None:
    memory = memory_of(LAID)
    scene = picture_of(LAID)
    u, v = (round(x) for x in raster().px(np.array([120.0, 50.0])))
    light = np.zeros_like(scene.image)
    cv2.line(light, (u - 4, v - 50), (u - 4, v + 50), (200, 200, 200), 5)
    scene.image = np.asarray(cv2.add(scene.image, light), np.uint8)
    assert memory.verify(scene, [card("12-bright")]) == []


def test_a_lost_card_is_not_taken_to_lie_under_one_that_was_laid_later() -> None:
    memory = memory_of(table_of({"01-bright": (0, 0)}))
    memory.lose(CRANE, 2.0, bare=False)
    later = table_of({"11-animal": (2, 1)})
    u, v = raster().px(np.array([2.0, 1.0])).tolist()
    memory.place(Found(card("11-animal"), u, v, 0.0, 0.95), picture_of(later), 5.0)
    verify(memory, later)
    assert memory.cards[CRANE].lost
