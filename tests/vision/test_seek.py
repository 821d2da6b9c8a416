"""Cards that have come to lie somewhere new are placed; what is not surely a card is left alone."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.frames import Pose
from engine.cards import Card
from tests.vision.table_scenes import Table, card, deck, px, raster, table_of
from vision.memory import Memory
from vision.rectify import Found, Picture
from vision.search import Finder
from vision.seek import Seeker

CARDS = tuple(
    card(text)
    for text in ("01-bright", "01-ribbon", "03-bright", "03-chaff-1", "08-chaff-1", "08-chaff-2", "11-animal")
)
CRANE, PINE, CURTAIN, CHERRY = CARDS[:4]
SWALLOW = CARDS[6]
BARE = Table()
Image = NDArray[np.uint8]


class Desk:
    """A memory and a seeker at work on one table, on which the cards of `known` lie already."""

    def __init__(self, known: Table = BARE, piles: bool = False) -> None:
        images: dict[Card | None, Image] = {one: deck().faces[one] for one in CARDS}
        back = deck().back
        assert back is not None
        self.memory = Memory(raster(), Finder(images | {None: back}, deck().card_mm))
        self.seeker = Seeker(self.memory, self.memory.finder, CARDS, (0.0,), lambda _: piles)
        self.before = known.picture(1)
        for which, pose in known.cards:
            assert which is not None
            u, v = raster().px(np.array([pose.x_mm, pose.y_mm])).tolist()
            whole = Picture(self.before, 1.0, np.zeros((400, 600), np.uint8), raster().whole)
            self.memory.place(Found(which, u, v, pose.angle_rad, 0.97), whole, 1.0)

    def search(
        self,
        now: Image,
        kept: Sequence[Card] = (),
        missing: Sequence[Card] = (),
        strips: bool = False,
        lit: Image | None = None,
    ) -> list[Card]:
        """Looks for what has come; returns the cards placed. `lit` is 1 where our own light falls."""
        changed = cv2.absdiff(now, self.before).max(axis=2) > 14
        fresh = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
        picture = Picture(now, 1.0, np.asarray(fresh, np.uint8), raster().whole)
        picture.lit = lit
        return self.seeker.search(picture, now, kept, missing, 2.0, strips)

    def at(self, which: Card) -> tuple[float, float]:
        """Where a card is believed, mm."""
        pose = self.memory.cards[which].pose
        x, y = raster().mm(np.array([pose.u, pose.v])).tolist()
        return x, y


@pytest.mark.parametrize("turn", [0, 8, 52, 90, 180], ids="{}deg".format)
def test_a_new_card_is_placed_where_it_lies(turn: float) -> None:
    desk = Desk()
    assert desk.search(Table().lay("11-animal", 33, -21, turn).picture(0)) == [SWALLOW]
    assert desk.at(SWALLOW) == pytest.approx((33, -21), abs=0.7)
    off = desk.memory.cards[SWALLOW].pose.angle_rad - math.radians(turn)
    assert abs(math.remainder(off, 2 * math.pi)) < 0.03


def test_cards_side_by_side_are_told_apart() -> None:
    desk = Desk()
    now = table_of({"01-bright": (0, 0), "03-bright": (34, 0), "08-chaff-1": (68, 3), "11-animal": (34, 56)})
    assert set(desk.search(now.picture(0))) == {CRANE, CURTAIN, card("08-chaff-1"), SWALLOW}
    assert desk.at(CURTAIN) == pytest.approx((34, 0), abs=0.7)


def test_both_chaff_of_a_month_are_placed() -> None:
    desk = Desk()
    desk.search(table_of({"08-chaff-1": (0, 0), "08-chaff-2": (60, 0)}).picture(0))
    assert set(desk.memory.cards) == {card("08-chaff-1"), card("08-chaff-2")}


def test_a_card_face_down_is_nobody() -> None:
    desk = Desk()
    assert desk.search(Table().lay(None, 0, 0).picture(0)) == []
    assert not desk.memory.cards


def copies(*poses: Pose) -> Image:
    """The crane at several places at once, as light or a reflection may show it."""
    return Table(tuple((CRANE, pose) for pose in poses)).picture(0)


def test_a_card_is_not_believed_twice() -> None:
    desk = Desk(Table().lay("01-bright", 0, 0))
    assert desk.search(copies(Pose(0, 0, 0), Pose(120, 40, 0))) == []
    assert desk.at(CRANE) == pytest.approx((0, 0), abs=0.1)


def test_a_card_that_has_left_its_place_is_believed_at_the_new_one() -> None:
    desk = Desk(Table().lay("01-bright", 0, 0))
    assert desk.search(copies(Pose(120, 40, 0))) == [CRANE]
    assert desk.at(CRANE) == pytest.approx((120, 40), abs=0.7)


def test_cards_kept_are_not_looked_for() -> None:
    desk = Desk()
    assert desk.search(copies(Pose(120, 40, 0)), kept=[CRANE]) == []


def test_only_expected_cards_turn_up() -> None:
    desk = Desk()
    desk.seeker.cards = (CURTAIN, SWALLOW)
    assert desk.search(Table().lay("01-bright", 0, 0).picture(0)) == []


def things() -> dict[str, Image]:
    """Things as large as a card that are none."""
    white = Table().picture(0)
    cv2.rectangle(white, (283, 173), (315, 226), (225, 230, 235), -1)
    stripes = white.copy()
    for row in range(175, 226, 9):
        cv2.line(stripes, (283, row), (315, row + 4), (60, 60, 200), 2)
    shadow = cv2.GaussianBlur(np.where(white == 225, 60, 0).max(axis=2).astype(np.float32), (0, 0), 4)
    dark = Table().picture(0) * (1 - shadow / 100)[..., None]
    blots = Table().picture(0)
    rng = np.random.default_rng(4)
    for _ in range(14):
        x, y = px(float(rng.integers(-16, 16)), float(rng.integers(-26, 26)))
        cv2.circle(blots, (round(x), round(y)), 6, rng.integers(0, 255, 3).tolist(), -1)
    return {"paper": white, "stripes": stripes, "shadow": np.asarray(dark, np.uint8), "blots": blots}


@pytest.mark.parametrize("thing", ["paper", "stripes", "shadow", "blots"])
def test_what_is_no_card_is_not_placed(thing: str) -> None:
    desk = Desk()
    desk.search(Table().lay("03-bright", 100, 100).picture(0))  # what cards look like here
    assert desk.search(things()[thing]) == []


def test_a_pair_taken_to_the_pile_is_found_with_its_lower_card() -> None:
    now = table_of({"01-ribbon": (0, 0), "01-bright": (16, -2)})
    desk = Desk(piles=True)
    assert desk.search(now.picture(0), strips=True) == [CRANE, PINE]
    assert desk.at(PINE) == pytest.approx((0, 0), abs=1.5)
    assert desk.memory.cards[PINE].order < desk.memory.cards[CRANE].order


@pytest.mark.parametrize("over", [(24, 0), (10, 15)], ids=["beside", "across"])
def test_a_card_that_shows_enough_to_be_read_is_known_to_lie_under_the_other(over: tuple[float, float]) -> None:
    desk = Desk()
    now = table_of({"01-ribbon": (0, 0), "01-bright": over})
    assert desk.search(now.picture(0)) == [CRANE, PINE]
    assert desk.memory.cards[PINE].order < desk.memory.cards[CRANE].order
    picture = Picture(now.picture(2), 1.0, np.zeros((400, 600), np.uint8), raster().whole)
    assert desk.memory.verify(picture, desk.memory.cards) == []


def test_no_card_is_guessed_under_one_on_the_field() -> None:
    desk = Desk()
    assert desk.search(table_of({"01-ribbon": (0, 0), "01-bright": (3, -13)}).picture(0), strips=True) == [CRANE]
    piled = Desk(piles=True)
    assert piled.search(table_of({"01-ribbon": (0, 0), "01-bright": (3, -13)}).picture(0), strips=True) == [CRANE, PINE]


def test_a_card_that_left_its_place_is_found_under_the_one_it_came_with() -> None:
    desk = Desk(Table().lay("03-chaff-1", -150, 60))
    now = table_of({"03-chaff-1": (0, 0), "01-bright": (16, -2)})
    assert desk.search(now.picture(0), missing=[CHERRY], strips=True) == [CRANE, CHERRY]
    assert desk.at(CHERRY) == pytest.approx((0, 0), abs=1.5)


def test_a_card_that_still_lies_elsewhere_is_not_guessed_under_another() -> None:
    desk = Desk(Table().lay("01-ribbon", -150, 60), piles=True)
    desk.search(table_of({"01-ribbon": (-150, 60), "01-bright": (16, -2)}).picture(0), strips=True)
    assert desk.at(PINE) == pytest.approx((-150, 60), abs=0.1)


@pytest.mark.parametrize(
    ("score", "rival", "patient", "holds"),
    [
        (0.95, 0.80, False, True),
        (0.95, 0.92, False, False),
        (0.80, 0.45, False, True),
        (0.80, 0.52, False, False),
        (0.80, 0.52, True, True),
        (0.80, 0.58, True, False),
        (0.76, 0.30, True, False),
    ],
    ids=["clear", "two alike", "lit", "lit, not clear", "lit, patient", "lit, two alike", "faint"],
)
def test_how_like_a_card_must_be(score: float, rival: float, patient: bool, holds: bool) -> None:
    desk = Desk()
    desk.search(Table().lay("03-bright", 100, 100).picture(0))  # cards are very like themselves here
    desk.seeker.patient = patient
    assert desk.seeker._is_like(Found(CRANE, 0, 0, 0, score, 1.0, PINE, rival)) == holds


def test_what_is_nearly_good_enough_is_doubtful_until_the_next_search() -> None:
    desk = Desk()
    desk.search(Table().lay("03-bright", 100, 100).picture(0))
    doubts = [desk.seeker.doubtful]
    desk.seeker._is_like(Found(CRANE, 0, 0, 0, 0.8, 1.0, PINE, 0.52))
    doubts.append(desk.seeker.doubtful)
    desk.search(Table().picture(0))
    assert [*doubts, desk.seeker.doubtful] == [False, True, False]


def test_a_card_laid_across_a_ring_of_our_own_light_is_found() -> None:
    light = np.zeros((400, 600, 3), np.uint8)
    cv2.circle(light, tuple(round(x) for x in px(18, 0)), 22, (170, 100, 150), 4, cv2.LINE_AA)
    before = cv2.add(BARE.picture(1), light)
    desk = Desk()
    desk.before = np.asarray(before, np.uint8)
    now = np.asarray(cv2.add(table_of({"08-chaff-1": (0, 0)}).picture(2), light), np.uint8)
    assert desk.search(now) == [card("08-chaff-1")]
    assert np.hypot(*desk.at(card("08-chaff-1"))) < 2


def test_a_card_laid_across_our_own_light_is_found_by_what_lies_beside_it() -> None:
    desk = Desk()
    now = table_of({"01-bright": (0, 0)}).picture(2)
    u, v = (round(x) for x in px(0, 0))
    light, known = np.zeros_like(now), np.zeros(now.shape[:2], np.uint8)
    cv2.rectangle(light, (u + 3, v - 26), (u + 14, v + 26), (250, 250, 250), -1)
    cv2.circle(light, (u + 3, v), 8, (250, 250, 250), -1)
    known[light.max(axis=2) > 0] = 1
    now = np.asarray(cv2.add(now, light), np.uint8)
    assert desk.search(now) == []  # nobody knows of light
    known = np.asarray(cv2.dilate(known, np.ones((3, 3), np.uint8)), np.uint8)
    assert desk.search(now, lit=known) == [CRANE]
    assert desk.at(CRANE) == pytest.approx((0, 0), abs=1.0)
