"""Arms are known by where they come from; cards, light and things on the table are none."""

import numpy as np
import pytest

from tests.vision.table_scenes import MATS, Table, raster
from tests.vision.test_ground import ground_of
from vision.ground import Ground, Mask
from vision.raster import Box
from vision.reach import Reach

BARE = Table()


def arms(now: Table, before: Table = BARE, lit: Mask | None = None, ground: Ground | None = None) -> Mask:
    reach = Reach(ground or ground_of(Table(mat=before.mat)))
    reach.look(now.picture(1), before.picture(2), lit)
    return reach.near(raster().whole)


def at(mask: Mask, *points_mm: tuple[float, float]) -> list[int]:
    u, v = np.rint(raster().px(np.array(points_mm))).astype(int).T
    return [int(x) for x in mask[v, u]]


@pytest.mark.parametrize("mat", MATS)
def test_an_arm_reaches_in_from_the_edge_and_hides_what_is_near_it(mat: str) -> None:
    bare = Table(mat=mat)
    assert at(arms(bare.reach(0, 20), bare), (0, -100), (0, 40), (0, 190), (150, -100)) == [1, 1, 0, 0]


def test_cards_and_rings_of_light_are_no_arms_even_at_the_edge() -> None:
    assert not arms(Table(ring=(-60, 10)).lay("01-bright", 285, 0).lay("03-ribbon", 100, -170)).any()


@pytest.mark.parametrize(("low_mm", "is_arm"), [(-50, False), (-205, True)], ids=["in the middle", "from the edge"])
def test_only_what_comes_in_from_the_edge_is_an_arm(low_mm: float, is_arm: bool) -> None:
    table = Table(arms=(((-100, 100), (50, 100), (50, low_mm), (-100, low_mm)),))
    assert arms(table).any() == is_arm


def test_where_an_arm_has_left_there_is_none() -> None:
    assert not arms(BARE, BARE.reach(0, 20)).any()


def test_light_that_changed_is_no_arm_but_an_arm_across_it_is() -> None:
    lit = np.zeros((400, 600), np.uint8)
    lit[300:400, 240:360] = 1
    panel = Table(arms=(((-60, -101), (60, -101), (60, -205), (-60, -205)),))  # light, seen from above
    assert arms(panel).any()
    assert not arms(panel, lit=lit).any()
    stripe = np.zeros_like(lit)
    stripe[330:340] = 1
    assert at(arms(BARE.reach(0, 20), lit=stripe), (0, -100), (0, 40)) == [1, 1]


def test_before_the_table_is_known_what_has_come_counts() -> None:
    ground = Ground(raster(), (33.0, 54.0), np.ones((400, 600), np.uint8))
    assert at(arms(BARE.reach(0, 20), ground=ground), (0, -100)) == [1]


def test_a_part_of_the_table_is_cut_out_of_the_whole() -> None:
    reach = Reach(ground_of(BARE))
    reach.look(BARE.reach(0, 20).picture(1), BARE.picture(2))
    box = Box(250, 100, 350, 300)
    assert (reach.near(box) == reach.near(raster().whole)[100:300, 250:350]).all()


def test_of_a_point_it_is_told_where_the_arms_over_it_come_in() -> None:
    reach = Reach(ground_of(BARE))
    reach.look(BARE.reach(-150, 0).reach(150, 50).picture(1), BARE.picture(2))
    over = reach.now()
    ((x_mm, y_mm),) = over(150, 0)
    assert x_mm == pytest.approx(150, abs=10) and y_mm == pytest.approx(-195, abs=8)
    assert len(over(-150, -50)) == 1
    assert over(0, 150) == ()


def test_how_near_an_arm_is_to_a_point_and_how_far_beyond_it() -> None:
    reach = Reach(ground_of(BARE))
    reach.look(BARE.reach(0, 20).picture(1), BARE.picture(2))
    (there,) = reach.touching()(0, 20)
    (past,) = reach.touching()(0, -80)
    (beside,) = reach.touching()(150, 20)
    assert there.gap_mm < 25 and abs(there.beyond_mm) < 25
    assert past.gap_mm < 10 and past.beyond_mm == pytest.approx(there.beyond_mm + 100, abs=10)
    assert beside.gap_mm > 100
    assert there.from_mm == past.from_mm
    assert Reach(ground_of(BARE)).touching()(0, 0) == ()


def test_a_line_of_light_that_looks_alike_on_sleeve_and_table_does_not_cut_an_arm() -> None:
    line = ((-300, -144), (300, -144), (300, -164), (-300, -164))
    lit = Table(arms=(line,))
    arm = BARE.reach(0, 20)
    sleeve = Table(arms=(*arm.arms, line))  # the line lies over the sleeve
    shone_on = np.zeros((400, 600), np.uint8)
    shone_on[340:370] = 1
    cut, whole = Reach(ground_of(BARE)), Reach(ground_of(BARE))
    cut.look(sleeve.picture(1), lit.picture(2))
    whole.look(sleeve.picture(1), lit.picture(2), None, shone_on)
    assert at(cut.near(raster().whole), (0, 20)) == [0]
    assert at(whole.near(raster().whole), (0, 20), (0, -100)) == [1, 1]


def test_a_hand_of_which_a_part_looks_like_the_table_is_a_whole_one() -> None:
    hand = BARE.reach(0, 20)
    hole = Table(arms=(*hand.arms, ((-14, 10), (14, 10), (14, -20), (-14, -20))))
    picture, bare = hole.picture(1), BARE.picture(1)
    u, v = np.rint(raster().px(np.array([(-14.0, 10.0), (14.0, -20.0)]))).astype(int).T
    picture[v[0] : v[1], u[0] : u[1]] = bare[v[0] : v[1], u[0] : u[1]]
    reach = Reach(ground_of(BARE))
    reach.look(picture, BARE.picture(2))
    (touch,) = reach.touching()(0, -5)
    assert touch.gap_mm < 6


def test_a_hand_hangs_on_its_arm_by_a_narrow_wrist() -> None:
    wrist = ((-16, -60), (16, -60), (16, -130), (-16, -130))
    hand = ((-40, 20), (40, 20), (40, -70), (-40, -70))
    sleeve = ((-40, -120), (40, -120), (40, -205), (-40, -205))
    found = arms(Table(arms=(wrist, hand, sleeve)))
    assert at(found, (0, -160), (0, 0)) == [1, 1]
    assert at(arms(Table(arms=(hand, sleeve))), (0, -180), (0, 10)) == [1, 0]


def test_a_line_across_an_arm_that_looks_like_the_table_does_not_cut_it() -> None:
    reach = Reach(ground_of(BARE))
    before = BARE.picture(2)
    bare_line = slice(296, 316)
    before[bare_line] = 200  # something bright lay there: where the arm is now, the table's own colour shows
    now = BARE.reach(0, 20).picture(1)
    now[bare_line] = BARE.picture(1)[bare_line]
    reach.look(now, before)
    assert at(reach.near(raster().whole), (0, -150), (0, 10)) == [1, 1]


def test_two_arms_that_touch_are_two_and_keep_what_was_their_own() -> None:
    near = ((-40, -205), (40, -205), (40, 100), (-40, 100))
    far = ((-40, 205), (40, 205), (40, 90), (-40, 90))
    reach = Reach(ground_of(BARE))
    for shapes in ((near, far), (near,), (near, far)):
        reach.look(Table(arms=shapes).picture(1), BARE.picture(2))
        found = {touch.from_mm[1] > 0: touch.gap_mm for touch in reach.touching()(0, 0)}
        assert set(found) == ({False, True} if len(shapes) == 2 else {False})
    assert found[False] < 10
    assert found[True] > 80  # the near one's fingers lay there before the far one came


def test_an_arm_cut_at_the_edge_by_our_light_is_one() -> None:
    left, right = ((-50, -205), (-8, -205), (-8, -60), (-50, -60)), ((8, -205), (50, -205), (50, -60), (8, -60))
    palm = ((-50, -100), (50, -100), (50, 20), (-50, 20))
    reach = Reach(ground_of(BARE))
    reach.look(Table(arms=(left, right, palm)).picture(1), BARE.picture(2))
    assert len(reach.touching()(0, 0)) == 1
