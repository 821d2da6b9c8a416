"""Made layouts: room for every card, everything on the mat, text free of zones and facing its seat."""

import math
import random

import pytest

from calibration import arrange
from calibration.layout import Layout, Seat, Zone, builtin_layout, dump_layout, layout_from, new_layout
from calibration.polygons import overlap
from calibration.textareas import TextArea, text_areas
from engine import yamlfile
from engine.errors import ConfigError
from engine.events import Place

CARD = (33, 54)
SEATS = (2, 3, 4, 5)


def own_size(layout: Layout, place: Place) -> tuple[float, float]:
    """Width and depth of a seat's zone as the seat sees it."""
    zone = layout.zone(place)
    assert zone is not None
    left, low, right, high = zone.bounds_mm
    sideways = place.seat is not None and layout.seats[place.seat].facing_deg in (90, 270)
    return (high - low, right - left) if sideways else (right - left, high - low)


def mats(seats: int) -> list[tuple[float, float]]:
    """The smallest mat, the one that ships and eight others from a seed."""
    draw, (width, height) = random.Random(seats), arrange.smallest_mat_mm(seats)
    others = [(round(width * draw.uniform(1, 2)), round(height * draw.uniform(1, 2))) for _ in range(8)]
    return [(width, height), arrange.DEFAULT_MAT_MM[seats], *others]


CASES = [(seats, mat) for seats in SEATS for mat in mats(seats)]
IDS = [f"{seats} seats on {mat[0]:g}x{mat[1]:g}" for seats, mat in CASES]


@pytest.mark.parametrize(("seats", "mat"), CASES, ids=IDS)
def test_every_card_has_room_on_any_mat(seats: int, mat: tuple[float, float]) -> None:
    layout = layout_from(yamlfile.parse(dump_layout(new_layout(mat, seats)), "made"))  # no overlap, all on the mat
    hand, most = arrange.LARGEST_HAND[seats], {2: 26, 3: 26, 4: 20, 5: 16}[seats]
    for seat in range(seats):
        width, depth = own_size(layout, Place("hand", seat))
        assert width >= hand * CARD[0] + (hand - 1) * 8 + 10
        assert depth >= CARD[1] + 10
        width, depth = own_size(layout, Place("captured", seat))
        assert depth >= 2 * CARD[1] + 10
        assert width >= CARD[0] + (most / 2 - 1) * 12 + 4  # two fanned rows, 12 mm of each card to be seen
    width, height = own_size(layout, Place("field"))
    assert (width, height) >= (6 * (CARD[0] + 30), 2 * CARD[1] + 80)
    for pile in ("draw", "box"):
        width, height = own_size(layout, Place(pile))
        assert width >= CARD[0] + 20
        assert height >= CARD[1] + 20


@pytest.mark.parametrize(("seats", "mat"), CASES, ids=IDS)
def test_each_hand_lies_before_its_seat(seats: int, mat: tuple[float, float]) -> None:
    layout = new_layout(mat, seats)
    for seat, place in enumerate(layout.seats):
        zone = layout.zone(Place("hand", seat))
        assert zone is not None
        turn = math.radians(place.facing_deg)
        outwards = zone.centre_mm[0] * math.sin(turn) - zone.centre_mm[1] * math.cos(turn)
        edge = mat[1] / 2 if place.facing_deg in (0, 180) else mat[0] / 2
        assert edge - 65 < outwards < edge
        captured = layout.zone(Place("captured", seat))
        assert captured is not None
        assert math.dist(captured.centre_mm, zone.centre_mm) < 500


@pytest.mark.parametrize("seats", SEATS)
def test_seats_are_numbered_anticlockwise_from_the_operator(seats: int) -> None:
    facings = arrange.FACINGS_DEG[seats]
    assert facings[0] == 0
    assert list(facings) == sorted(facings)
    layout = builtin_layout(seats)
    around = []
    for seat in range(seats):
        zone = layout.zone(Place("hand", seat))
        assert zone is not None
        around.append(math.atan2(zone.centre_mm[1], zone.centre_mm[0]))
    steps = [(b - a) % (2 * math.pi) for a, b in zip(around, [*around[1:], around[0]], strict=True)]
    assert sum(steps) == pytest.approx(2 * math.pi)


@pytest.mark.parametrize("seats", SEATS)
def test_a_mat_too_small_names_the_smallest_that_does(seats: int) -> None:
    width, height = arrange.smallest_mat_mm(seats)
    for small in ((width - 1, height), (width, height - 1)):
        with pytest.raises(ConfigError, match=f"the smallest is {width:g} x {height:g} mm"):
            new_layout(small, seats)


def test_a_smaller_hand_fits_a_smaller_mat() -> None:
    assert arrange.smallest_mat_mm(2, 6)[0] < arrange.smallest_mat_mm(2)[0] - 100
    new_layout(arrange.smallest_mat_mm(2, 6), 2, hand=6)


@pytest.mark.parametrize(("seats", "hand"), [(1, None), (6, None), (2, 0), (2, 21)])
def test_numbers_that_cannot_be_are_refused(seats: int, hand: int | None) -> None:
    with pytest.raises(ConfigError, match=r"2 to 5 seats|1 to 20 cards"):
        new_layout((2000, 2000), seats, hand)


def all_areas(layout: Layout) -> list[TextArea]:
    found = text_areas(layout)
    return [area for area in (*found.panels, *found.lines, found.centre) if area is not None]


@pytest.mark.parametrize(("seats", "mat"), [(seats, mat) for seats in SEATS for mat in mats(seats)[:4]])
def test_text_areas_lie_on_the_mat_clear_of_zones_and_each_other(seats: int, mat: tuple[float, float]) -> None:
    layout = new_layout(mat, seats)
    areas = all_areas(layout)
    for i, area in enumerate(areas):
        for x, y in area.corners_mm:
            assert abs(x) <= mat[0] / 2 - 5.9
            assert abs(y) <= mat[1] / 2 - 5.9
        assert not any(overlap(area.corners_mm, zone.polygon_mm, 0.01) for zone in layout.zones)
        assert not any(overlap(area.corners_mm, other.corners_mm, 0.01) for other in areas[i + 1 :])
        assert area.facing_deg == (0 if area.seat is None else layout.seats[area.seat].facing_deg)


@pytest.mark.parametrize("seats", SEATS)
def test_the_layouts_that_ship_have_a_panel_and_a_line_near_every_seat(seats: int) -> None:
    layout = builtin_layout(seats)
    found = text_areas(layout)
    for seat, (panel, line) in enumerate(zip(found.panels, found.lines, strict=True)):
        assert panel is not None
        assert panel.width_mm >= 110
        assert panel.height_mm >= 80
        assert line is not None
        assert line.width_mm >= 140
        assert line.height_mm >= 40
        home = layout.zone(Place("hand", seat))
        assert home is not None
        assert math.dist(panel.centre_mm, home.centre_mm) < 420
        assert math.dist(line.centre_mm, home.centre_mm) < 300


def test_the_corners_of_an_area_begin_at_the_readers_top_left() -> None:
    area = TextArea(1, (100, 50), 40, 10, 90)  # read from +x: the reader's up is −x, its right +y
    assert area.corners_mm == ((95, 30), (95, 70), (105, 70), (105, 30))


def test_a_layout_with_slanted_zones_and_seats_has_text_too() -> None:
    diamond = Zone(Place("field"), ((-200, 0), (0, -150), (200, 0), (0, 150)))
    layout = Layout("odd", (900, 600), (Seat(30), Seat(200)), (diamond,))
    areas = all_areas(layout)
    assert len(areas) == 5
    for area in areas:
        assert not overlap(area.corners_mm, diamond.polygon_mm, 0.1)
        assert all(abs(x) < 450 and abs(y) < 300 for x, y in area.corners_mm)


def test_a_mat_without_room_has_no_text() -> None:
    full = Zone(Place("field"), ((-440, -290), (440, -290), (440, 290), (-440, 290)))
    found = text_areas(Layout("full", (900, 600), (Seat(0),), (full,)))
    assert (found.panels, found.lines, found.centre) == ((None,), (None,), None)
