"""A shadow that comes over the table changes nothing of what lies there; arms and cards in it are still new."""

import cv2
import numpy as np
import pytest

from tests.vision.table_scenes import MATS, Table, raster, table_of
from tests.vision.test_ground import ground_of
from vision.ground import differs
from vision.reach import Reach
from vision.shade import Picture, Shade

CARDS = table_of({"01-bright": (0, 0), "08-bright": (-100, 30), "03-ribbon": (80, -120)})


def shaded(image: Picture, left: float = 0.65, at_px: int = 330, soft_px: float = 3.0) -> Picture:
    """The picture with a shadow on all that lies left of a column; `left` is what is left of the light."""
    share = 1 / (1 + np.exp((np.arange(image.shape[1]) - at_px) / soft_px))
    return np.asarray((image * (1 - (1 - left) * share)[None, :, None]).clip(0, 255), np.uint8)


def new(now: Picture, before: Picture) -> float:
    """The area that is new, mm²."""
    box = raster().whole
    shades = Shade(raster()).look(now, before, 1.0)
    cut = raster().cut(before, box)
    return float(
        differs(raster().cut(now, box), cut if shades is None else shades.fit(now, cut, box, raster().size), 9).sum()
    )


@pytest.mark.parametrize("left", [0.5, 0.65, 0.85, 1.2])
@pytest.mark.parametrize("soft_px", [1.0, 20.0, 80.0])
def test_a_shadow_or_a_patch_of_light_is_not_new(left: float, soft_px: float) -> None:
    before = CARDS.picture(1)
    now = shaded(CARDS.picture(2), left, soft_px=soft_px)
    assert differs(now, before, 9).sum() > 40_000
    assert new(now, before) < 600  # a hair along its edge


@pytest.mark.parametrize("mat", MATS)
def test_a_card_that_came_with_the_shadow_is_new(mat: str) -> None:
    table = Table(mat=mat, cards=CARDS.cards)
    now = shaded(table.lay("11-animal", -60, -100).picture(2))
    assert 1_000 < new(now, table.picture(1)) < 2_300


def test_an_arm_in_the_shadow_is_an_arm_and_the_shadow_is_none() -> None:
    before = CARDS.picture(1)
    reach = Reach(ground_of(Table()))
    for table, arms in ((CARDS, 0), (CARDS.reach(-100, -60), 1)):
        now = shaded(table.picture(2))
        shades = Shade(raster()).look(now, before, 1.0)
        reach.look(now, before, shades=shades)
        assert len(reach.touching()(0, 0)) == arms
        assert reach.width_mm() < 120
    reach.look(shaded(CARDS.picture(2)), before)
    assert reach.width_mm() > 250  # nobody knows of the shadow


def test_what_is_too_small_or_of_another_colour_is_no_shade() -> None:
    before = CARDS.picture(1)
    assert Shade(raster()).look(CARDS.picture(2), before, 1.0) is None
    assert Shade(raster()).look(shaded(CARDS.picture(2), at_px=60), before, 1.0) is None
    red = before.copy()
    red[:, :330, 2] = np.minimum(red[:, :330, 2] * 1.5, 255).astype(np.uint8)
    assert Shade(raster()).look(red, before, 1.0) is None
    cloth = before.copy()
    cloth[:, :330] = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (400, 330, 3), np.uint8), (0, 0), 2)
    assert Shade(raster()).look(cloth, before, 1.0) is None


def test_a_shadow_that_moves_on_little_by_little_is_one_shadow() -> None:
    shade, before = Shade(raster()), CARDS.picture(1)
    explained = before
    for t_s, at_px in ((1.0, 330), (2.0, 350), (3.0, 370), (4.0, 350)):
        now = shaded(CARDS.picture(round(t_s)), at_px=at_px)
        shades = shade.look(now, explained, t_s)
        assert shades is not None
        box = raster().whole
        cut = raster().cut(explained, box)
        assert (
            differs(raster().cut(now, box), shades.fit(raster().cut(now, box), cut, box, raster().size), 9).sum() < 600
        )
        factor = shade.keep(t_s, np.ones((40, 60), np.bool_))
        assert factor is not None
        explained = now
    assert shade.fell()
    assert shade.look(before, explained, 5.0) is not None
    shade.keep(5.0, np.ones((40, 60), np.bool_))
    assert not shade.fell()
    assert shade.look(shaded(before, at_px=60), before, 6.0) is None  # too narrow


def test_a_panel_of_words_at_the_edge_is_no_shade() -> None:
    before = CARDS.picture(1)
    now = before.copy()
    now[:100, 380:590] = (now[:100, 380:590] * 0.75).astype(np.uint8)
    assert Shade(raster()).look(now, before, 1.0) is None


def test_a_brown_arm_on_brown_wood_is_no_shadow() -> None:
    rng = np.random.default_rng(3)
    grain = cv2.GaussianBlur(rng.normal(0, 40, (400, 600, 1)), (0, 0), sigmaX=25, sigmaY=1)[..., None]
    wood = (np.array([45, 84, 136]) + grain).clip(0, 255).astype(np.uint8)
    now = wood.copy()
    cv2.line(now, (300, 400), (250, 120), (34, 60, 100), 90)
    assert Shade(raster()).look(now, wood, 1.0) is None
