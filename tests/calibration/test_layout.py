"""Layout files: read, checked, written back; places on the mat."""

import random
from pathlib import Path

import pytest

from calibration.layout import (
    Layout,
    builtin_layout,
    builtin_layouts,
    check_for_game,
    dump_layout,
    layout_from,
    load_layout,
    new_layout,
)
from engine import yamlfile
from engine.errors import ConfigError
from engine.events import Place

GOOD = """
schema: 1
name: two
mat_mm: [900, 600]
seats: [{facing_deg: 0}, {facing_deg: 180}]
zones:
  - {name: field, polygon_mm: [[-210, -110], [210, -110], [210, 110], [-210, 110]]}
  - {name: draw, polygon_mm: [[220, -50], [220, 50], [300, 50], [300, -50]]}
  - {name: hand, seat: 0, polygon_mm: [[-200, -290], [200, -290], [200, -200], [-200, -200]]}
  - {name: hand, seat: 1, polygon_mm: [[-200, 290], [200, 290], [200, 200], [-200, 200]]}
"""


def parse(text: str) -> Layout:
    return layout_from(yamlfile.parse(text, "l.yaml"))


BAD = {
    "typo of a key": ("name: two", "nmae: two", "nmae is unknown; allowed here: schema, name"),
    "missing name": ("name: two\n", "", "name is missing"),
    "name no text": ("name: two", "name: 2", "name must be text, got 2"),
    "newer schema": ("schema: 1", "schema: 3", "schema 3 is newer"),
    "mat of three": ("[900, 600]", "[900, 600, 3]", "mat_mm needs 2 numbers, got 3"),
    "mat of nothing": ("[900, 600]", "[900, 0]", "mat_mm must be two lengths above 0"),
    "no seats": ("[{facing_deg: 0}, {facing_deg: 180}]", "[]", "seats must name at least one"),
    "seat without facing": ("{facing_deg: 180}", "{}", r"seats\[1\].facing_deg is missing"),
    "seat typo": ("{facing_deg: 180}", "{facing: 180}", r"seats\[1\].facing is unknown"),
    "facing in words": ("{facing_deg: 180}", "{facing_deg: far}", r"seats\[1\].facing_deg must be a finite number"),
    "zones no list": ("zones:\n", "zones: 3\nx:\n", "x is unknown; allowed here: schema, name, mat_mm, seats, zones"),
    "zone name unknown": ("name: draw", "name: pile", r"zones\[1\].name 'pile' is no zone; zones are field, draw"),
    "hand without seat": ("name: hand, seat: 0", "name: hand", r"zones\[2\].seat is missing; a hand zone"),
    "field with seat": ("name: field", "name: field, seat: 0", r"zones\[0\].seat must not be given; the field"),
    "seat out of range": ("seat: 1", "seat: 2", r"zones\[3\].seat 2 does not exist; the layout has seats 0 to 1"),
    "seat below zero": ("seat: 1", "seat: -1", r"zones\[3\].seat -1 does not exist"),
    "seat in words": ("seat: 1", "seat: one", r"zones\[3\].seat must be a whole number"),
    "zone twice": ("seat: 1", "seat: 0", r"zones\[3\].name gives the zone hand-0 a second time"),
    "two points": (
        "[[220, -50], [220, 50], [300, 50], [300, -50]]",
        "[[220, -50], [300, 50]]",
        r"zones\[1\].polygon_mm needs at least 3 different points, got 2",
    ),
    "same points": (
        "[[220, -50], [220, 50], [300, 50], [300, -50]]",
        "[[220, -50], [300, 50], [220, -50], [300, 50]]",
        r"needs at least 3 different points, got 2",
    ),
    "no pairs": ("[220, -50]", "220, -50", r"zones\[1\].polygon_mm\[0\] must be a pair"),
    "crossed": (
        "[[220, -50], [220, 50], [300, 50], [300, -50]]",
        "[[220, -50], [300, 50], [300, -50], [220, 50]]",
        r"zones\[1\].polygon_mm crosses itself",
    ),
    "no area": (
        "[[220, -50], [220, 50], [300, 50], [300, -50]]",
        "[[220, -50], [220, 50], [220, 10]]",
        r"zones\[1\].polygon_mm crosses itself or has no area",
    ),
    "outside the mat": ("[300, 50]", "[460, 50]", r"zones\[1\].polygon_mm leaves the mat at \[460, 50\]"),
    "overlap": (
        "[[220, -50], [220, 50]",
        "[[200, -50], [200, 50]",
        r"zones\[1\].polygon_mm overlaps: zone draw .* field",
    ),
    "one inside another": (
        "[[220, -50], [220, 50], [300, 50], [300, -50]]",
        "[[20, -50], [20, 50], [100, 50], [100, -50]]",
        "zone draw lies over zone field",
    ),
    "one around another": (
        "[[220, -50], [220, 50], [300, 50], [300, -50]]",
        "[[-300, -150], [300, -150], [300, 150], [-300, 150]]",
        "zone draw lies over zone field",
    ),
    "the same outline": (
        "[[220, -50], [220, 50], [300, 50], [300, -50]]",
        "[[-210, 110], [210, 110], [210, -110], [-210, -110]]",
        "zone draw lies over zone field",
    ),
    "a cross": (
        "[[220, -50], [220, 50], [300, 50], [300, -50]]",
        "[[-20, -180], [-20, 180], [20, 180], [20, -180]]",
        "zone draw lies over zone field",
    ),
}


@pytest.mark.parametrize(("old", "new", "sentence"), BAD.values(), ids=BAD.keys())
def test_a_mistake_is_one_sentence_with_file_and_key(old: str, new: str, sentence: str) -> None:
    assert old in GOOD
    with pytest.raises(ConfigError, match=f"^l.yaml: .*{sentence}|^l.yaml: {sentence}") as caught:
        parse(GOOD.replace(old, new, 1))
    assert "\n" not in str(caught.value)


def test_zones_may_touch_and_wind_either_way() -> None:
    text = GOOD.replace(
        "[[220, -50], [220, 50], [300, 50], [300, -50]]", "[[210, -50], [210, 50], [300, 50], [300, -50]]"
    )
    assert parse(text).place_at(211, 0) == Place("draw")


def test_a_zone_may_lie_in_the_notch_of_another() -> None:
    notched = "[[-210, -110], [210, -110], [210, -50], [100, -50], [100, 50], [210, 50], [210, 110], [-210, 110]]"
    text = GOOD.replace("[[-210, -110], [210, -110], [210, 110], [-210, 110]]", notched)
    text = text.replace(
        "[[220, -50], [220, 50], [300, 50], [300, -50]]", "[[100, -50], [210, -50], [210, 50], [100, 50]]"
    )
    layout = parse(text)
    assert (layout.place_at(150, 0), layout.place_at(150, 60)) == (Place("draw"), Place("field"))


def test_a_polygon_closed_by_its_first_point_is_the_same() -> None:
    closed = GOOD.replace("[-210, 110]]}", "[-210, 110], [-210, -110]]}")
    assert parse(closed) == parse(GOOD)


def test_a_layout_survives_its_file(tmp_path: Path) -> None:
    layout = parse(GOOD)
    path = tmp_path / "l.yaml"
    path.write_text(dump_layout(layout), encoding="utf-8")
    assert load_layout(path) == layout


def test_random_points_lie_in_the_zone_that_was_drawn_around_them() -> None:
    layout, draw = builtin_layout(4), random.Random(7)
    for _ in range(2000):
        x, y = draw.uniform(-560, 560), draw.uniform(-320, 320)
        inside = [
            zone.place
            for zone in layout.zones
            if zone.bounds_mm[0] < x < zone.bounds_mm[2] and zone.bounds_mm[1] < y < zone.bounds_mm[3]
        ]
        assert layout.place_at(x, y) == (inside[0] if inside else None)


def test_nothing_lies_outside_all_zones() -> None:
    layout = parse(GOOD)
    assert layout.place_at(-440, 0) is None
    assert layout.place_at(float("nan"), 0) is None
    assert layout.zone(Place("captured", 0)) is None


def test_zones_that_a_game_needs_are_named() -> None:
    needed = frozenset({Place("field"), Place("captured", 0), Place("captured", 1)})
    with pytest.raises(ConfigError, match=r"l.yaml: zones that the game needs are missing: captured-0, captured-1"):
        check_for_game(parse(GOOD), needed, 2, "l.yaml")
    with pytest.raises(ConfigError, match=r"layout 'two': there are 2 seats, but the game has 3"):
        check_for_game(parse(GOOD), needed, 3)
    check_for_game(parse(GOOD), frozenset({Place("field"), Place("hand", 1)}), 2)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_layout_ships_for_each_number_of_seats_as_it_is_made(seats: int) -> None:
    layout = builtin_layout(seats)
    assert layout == new_layout(layout.mat_mm, seats)
    per_seat = {Place(zone, seat) for zone in ("hand", "captured") for seat in range(seats)}
    check_for_game(layout, frozenset(per_seat | {Place("field"), Place("draw"), Place("box")}), seats)


def test_the_layouts_that_ship_are_listed() -> None:
    assert list(builtin_layouts())[:4] == ["2-seats", "3-seats", "4-seats", "5-seats"]
    with pytest.raises(ConfigError, match="no built-in layout for 6 seats; there are 2-seats, 3-seats"):
        builtin_layout(6)
