"""The simulated table plays by the rules, shows what is true, and does the same again for the same seed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from app.simulator.dealing import Setup
from app.simulator.ledger import Slip
from app.simulator.players import Habits
from app.simulator.rig import build_rig
from app.simulator.surface import LOOKS, find_look
from app.simulator.table import SimulatedTable
from engine import catalogue
from engine.cards import DECK, Card
from engine.errors import ConfigError, DeviceError
from engine.events import Dealt, Ended, Moved, Place, Scored
from vision.deck import Deck, find_deck, load_deck
from vision.values import Frame

SMALL = (320, 180)
QUIET = replace(find_look("felt"), noise=0.0)


@cache
def deck() -> Deck:
    return load_deck(find_deck("tsuki"))


def a_table(seats: int = 2, seed: int = 3, **options: Any) -> SimulatedTable:
    settings: dict[str, Any] = {"size_px": SMALL, "fps": 5.0, "look": QUIET} | options
    return SimulatedTable(catalogue.load("chotto-hana-awase"), seats, seed, deck(), **settings)


def frames(table: SimulatedTable) -> Iterator[Frame]:
    while (frame := table.read()) is not None:
        yield frame


def settle(table: SimulatedTable, count: int) -> NDArray[np.uint8]:
    seen = [frame for _, frame in zip(range(count), frames(table), strict=False)]
    assert len(seen) == count
    return seen[-1].image


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_follows_the_rules_and_its_truth_replays_to_the_same_score(seats: int) -> None:
    table = a_table(seats)
    last = list(frames(table))[-1]
    game = catalogue.load("chotto-hana-awase")
    state = game.start(seats)
    for event in table.truth:
        assert not isinstance(event, Slip)
        state = game.apply(state, event)
    ended = table.truth[-1]
    assert isinstance(ended, Ended)
    assert not game.to_act(state)
    assert ended.seats == game.score(state)
    assert [e for e in table.truth if isinstance(e, Scored)][-1].seats == ended.seats
    assert table.progress == (24, 24)
    assert 1.2 <= last.t_s - ended.t_s <= 1.8


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cards_lie_in_the_zones_where_the_truth_says(seats: int) -> None:
    table = a_table(seats, seed=9)
    for _ in frames(table):
        pass
    where: dict[Card, Place] = {}
    for event in table.truth:
        if isinstance(event, Dealt):
            where |= dict.fromkeys(event.field, Place("field"))
            where |= {card: Place("hand", seat) for seat, cards in enumerate(event.hands) for card in cards}
        if isinstance(event, Moved):
            assert where.get(event.card, Place("draw")) == event.source
            where[event.card] = event.target
    lies = {card: true.place for card, true in table.true_cards().items()}
    assert lies == where
    assert all(true.face_up for true in table.true_cards().values())


@pytest.mark.parametrize("seed", range(4))
def test_every_card_of_a_captured_pile_shows_a_strip(seed: int) -> None:
    table = a_table(2, seed, fps=3.0, size_px=(160, 90))
    for _ in frames(table):
        pass
    piled = {c: t for c, t in table.true_cards().items() if t.place is not None and t.place.zone == "captured"}
    assert len(piled) >= 20
    shown = {card: (1 - true.hidden) * 33 for card, true in piled.items()}
    assert min(shown.values()) > 7.5, shown


def test_the_same_seed_gives_the_same_pictures() -> None:
    def pictures(seed: int) -> list[bytes]:
        table = a_table(3, seed, look="wood")
        return [settle(table, 1).tobytes() for _ in range(40)]

    first = pictures(5)
    assert pictures(5) == first
    assert pictures(6)[0] != first[0]


def test_drawing_only_what_changed_gives_the_same_picture_as_drawing_all() -> None:
    light = np.zeros((1080, 1920, 3), dtype=np.uint8)
    cv2.circle(light, (900, 500), 300, (0, 200, 80), 30)
    one, two = a_table(seed=8), a_table(seed=8)
    for i in range(150):
        if i == 20:
            one.show(light)
            two.show(light)
        if i % 10 == 9:
            two.redraw()
        assert np.array_equal(settle(one, 1), settle(two, 1)), i


def test_resting_cards_look_like_themselves_at_their_true_poses() -> None:
    table = a_table(4, seed=2, size_px=(1280, 720))
    image = settle(table, 1)
    for card, true in table.true_cards().items():
        if not true.face_up:
            continue
        corners = table.view.camera_px(true.pose.corners_mm(), true.pose.height_mm).astype(np.float32)
        flat = np.array([[0, 0], [66, 0], [66, 108], [0, 108]], dtype=np.float32) - 0.5
        patch = cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, flat), (66, 108))
        face = cv2.resize(deck().faces[card], (66, 108), interpolation=cv2.INTER_AREA)
        likeness = np.corrcoef(patch.ravel(), face.ravel())[0, 1]
        assert likeness > 0.85, (card, likeness)


def test_face_down_cards_show_the_back() -> None:
    table = a_table(size_px=(1280, 720))
    image = settle(table, 1)
    top = max((true for true in table.true_cards().values() if not true.face_up), key=lambda true: true.order)
    x, y = table.view.camera_px([top.pose.x_mm, top.pose.y_mm + 15], top.pose.height_mm).round().astype(int).tolist()
    back = deck().back
    assert back is not None
    blue, _, red = image[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3).mean(axis=0)
    assert (red > 1.5 * blue) == (
        back[60:90, 150:250].reshape(-1, 3).mean(axis=0)[2] > 1.5 * back[60:90, 150:250, 0].mean()
    )


def test_projected_light_falls_where_it_is_aimed_and_some_frames_late() -> None:
    table = a_table(size_px=(640, 360), delay_frames=3)
    dark = settle(table, 1).astype(int)
    projector = table.profile.projector
    assert projector is not None
    aim_mm = (-250.0, 190.0)
    square = [(aim_mm[0] + dx, aim_mm[1] + dy) for dx, dy in ((-20, -20), (20, -20), (20, 20), (-20, 20))]
    picture = np.zeros((1080, 1920, 3), dtype=np.uint8)
    cv2.fillConvexPoly(picture, projector.projector_from_table.map(square).round().astype(np.int32), (255, 255, 255))
    table.show(picture)
    x, y = table.view.camera_px(aim_mm).round().astype(int).tolist()
    gains = []
    for _ in range(5):
        lit = settle(table, 1).astype(int)
        gains.append(int((lit - dark)[y, x].sum()))
    assert max(gains[:3]) <= 10 < 60 < min(gains[3:])
    far_x, far_y = table.view.camera_px((aim_mm[0] + 45, aim_mm[1])).round().astype(int).tolist()
    assert abs((lit - dark)[far_y, far_x]).max() <= 6
    table.show(None)
    assert abs(settle(table, 5).astype(int) - dark)[y, x].max() <= 6


def test_maps_for_every_pixel_agree_with_the_camera_model() -> None:
    rig = build_rig((1000.0, 640.0), (640, 360), 3)
    x, y = rig.for_each_px(lambda mm: rig.projector_from_table.map(mm))
    px = np.stack(np.meshgrid(np.arange(0, 640, 7), np.arange(0, 360, 7)), axis=-1)
    exact = rig.projector_from_table.map(rig.view.table_mm(px))
    assert np.abs(np.stack([x[::7, ::7], y[::7, ::7]], axis=-1) - exact).max() < 0.15


def test_a_still_table_changes_by_noise_alone() -> None:
    still = a_table(human_seats=frozenset({0, 1}))
    assert np.array_equal(settle(still, 1), settle(still, 1))
    noisy = a_table(human_seats=frozenset({0, 1}), look="white")
    difference = settle(noisy, 1).astype(int) - settle(noisy, 1).astype(int)
    assert 0.3 < difference.std() < 4
    assert abs(difference.mean()) < 0.1


def test_skipped_frames_change_nothing_but_the_time_it_takes() -> None:
    light = np.full((1080, 1920, 3), 40, dtype=np.uint8)
    watched, skipped = a_table(seed=8), a_table(seed=8)
    for table in (watched, skipped):
        settle(table, 10)
        table.show(light)
    settle(watched, 80)
    assert all(skipped.skip() for _ in range(80))
    assert np.array_equal(settle(watched, 1), settle(skipped, 1))
    assert watched.truth == skipped.truth
    while skipped.skip():
        pass
    assert skipped.over and skipped.read() is None


def test_a_deal_from_the_pile_ends_with_the_table_dealt() -> None:
    table = a_table(3, setup=Setup.DEAL)
    assert not table.truth
    assert all(not true.face_up for true in table.true_cards().values())
    while not table.truth:
        assert table.read() is not None
    dealt = table.truth[0]
    assert isinstance(dealt, Dealt)
    lies = {card: true.place for card, true in table.true_cards().items()}
    assert {card for card, place in lies.items() if place == Place("field")} == set(dealt.field)
    for seat in range(3):
        assert {c for c, place in lies.items() if place == Place("hand", seat)} == set(dealt.hands[seat])
    assert dealt.t_s > 5
    assert dealt.t_s == table.clock


def test_a_whole_deck_is_sorted_before_the_deal() -> None:
    table = a_table(2, setup=Setup.FULL)
    assert set(table.true_cards()) == set(DECK)
    while not table.truth:
        assert table.read() is not None
    strays = set(DECK) - set(table.game.deck)
    box = {card for card, true in table.true_cards().items() if true.place == Place("box")}
    assert box == strays
    assert sum(true.place == Place("draw") for true in table.true_cards().values()) == 12


def test_a_slip_is_put_right_and_written_down() -> None:
    table = a_table(3, habits=Habits(slip=1.0, pace=0.6))
    for _ in frames(table):
        pass
    slips = [event for event in table.truth if isinstance(event, Slip)]
    assert slips and all(slip.until_s > slip.t_s + 1 for slip in slips)
    assert any(isinstance(event, Ended) for event in table.truth)
    clean = [event for event in table.truth if isinstance(event, Moved)]
    assert len(clean) > 24 + 2 * len(slips)


@pytest.mark.parametrize("look", LOOKS)
def test_every_look_shows_cards_brighter_than_darkness_and_below_white(look: str) -> None:
    image = settle(a_table(look=look), 1)
    assert 20 < image.mean() < 215
    assert (image == 255).mean() < 0.02


def test_an_unknown_look_is_named() -> None:
    with pytest.raises(ConfigError, match="no table looks like 'lava'; looks are felt"):
        a_table(look="lava")


def test_a_picture_of_another_size_cannot_be_projected() -> None:
    with pytest.raises(DeviceError, match="1920x1080"):
        a_table().show(np.zeros((100, 100, 3), dtype=np.uint8))


def test_the_game_does_not_depend_on_how_python_hashes() -> None:
    script = (
        "import sys; from engine import catalogue; from app.simulator.table import SimulatedTable;"
        "from vision.deck import find_deck, load_deck;"
        "t = SimulatedTable(catalogue.load('chotto-hana-awase'), 2, 3, load_deck(find_deck('tsuki')), "
        "size_px=(160, 90), fps=3.0)\n"
        "while t.read() is not None: pass\n"
        "print(t.truth)"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", script], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        for seed in ("1", "2")
    ]
    assert told[0].stdout and told[0].stdout == told[1].stdout
