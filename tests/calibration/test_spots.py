"""Where hands say something: free, near their seat, far enough from each other."""

import math
from itertools import combinations

import pytest

from calibration.layout import builtin_layout, new_layout
from calibration.polygons import distance, inside
from calibration.spots import LEAST_RADIUS_MM, SLOTS, Spot, slots, spots

SEATS = (2, 3, 4, 5)


@pytest.mark.parametrize("seats", SEATS)
def test_every_seat_has_slots_on_the_free_mat(seats: int) -> None:
    layout = builtin_layout(seats)
    for own in slots(layout):
        assert len(own) == SLOTS
        for x, y, radius in own:
            assert radius >= LEAST_RADIUS_MM
            assert abs(x) + radius <= layout.mat_mm[0] / 2
            assert abs(y) + radius <= layout.mat_mm[1] / 2
            for zone in layout.zones:
                assert not inside(zone.polygon_mm, x, y)
                assert distance(zone.polygon_mm, x, y) >= radius


@pytest.mark.parametrize("seats", SEATS)
def test_a_hand_on_one_spot_does_not_lie_on_another(seats: int) -> None:
    places = [(x, y) for own in slots(builtin_layout(seats)) for x, y, _ in own]
    assert all(math.dist(a, b) >= 78 for a, b in combinations(places, 2))


@pytest.mark.parametrize("seats", SEATS)
def test_a_spot_is_nearest_to_its_own_hand(seats: int) -> None:
    layout = builtin_layout(seats)
    homes = [
        next(z.centre_mm for z in layout.zones if z.place.zone == "hand" and z.place.seat == s) for s in range(seats)
    ]
    for seat, own in enumerate(slots(layout)):
        for x, y, _ in own:
            assert min(range(seats), key=lambda s: math.dist(homes[s], (x, y))) == seat


def test_a_mat_with_little_room_still_has_a_slot_for_every_seat() -> None:
    for seats in SEATS:
        assert all(own for own in slots(new_layout((1400.0, 700.0), seats)))


def test_names_take_the_slots_of_their_seat_in_order_whatever_others_say() -> None:
    layout = builtin_layout(3)
    alone = spots(layout, {1: ("pass", "stop")})
    together = spots(layout, {0: ("pass",), 1: ("pass", "stop"), 2: ()})
    assert alone == tuple(spot for spot in together if spot.seat == 1)
    assert [spot.name for spot in alone] == ["pass", "stop"]
    assert alone[0] == Spot("pass", 1, *slots(layout)[1][0])


def test_no_more_spots_than_slots() -> None:
    assert len(spots(builtin_layout(2), {0: tuple("abcdefgh")})) == SLOTS
