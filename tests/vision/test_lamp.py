"""Whatever the room's light does, the eyes see the table in the light of their first look."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.table_scenes import Table
from vision.lamp import Lamp
from vision.values import Frame

TABLE = Table(mat="wood").lay("01-bright", -60, 0).lay("03-ribbon", 60, 0)


def lit(table: Table, factor: float | tuple[float, float, float], seed: int = 1) -> NDArray[np.uint8]:
    return (table.picture(seed).astype(np.float64) * factor).round().clip(0, 255).astype(np.uint8)


def seen(lamp: Lamp, image: NDArray[np.uint8], t_s: float = 1.0) -> NDArray[np.uint8]:
    return lamp.even(Frame(image, t_s)).image


def factor_of(lamp: Lamp) -> tuple[float, ...]:
    return lamp.factor


def off(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> float:
    """Mean difference in grey levels."""
    return float(np.abs(a.astype(float) - b.astype(float)).mean())


@pytest.mark.parametrize("factor", [0.5, 0.7, 1.2, (0.7, 0.9, 1.1)], ids=str)
def test_a_table_in_other_light_looks_as_before(factor: float | tuple[float, float, float]) -> None:
    lamp, first = Lamp(), TABLE.picture(1)
    assert seen(lamp, first) is first
    now = lit(TABLE, factor, seed=2)
    assert off(now, first) > 8
    assert off(seen(lamp, now), first) < 3.5


def test_what_changes_on_the_table_does_not_sway_it() -> None:
    lamp = Lamp()
    seen(lamp, TABLE.picture(1))
    busy = TABLE.reach(0, 20).reach(-150, 60).lay("12-bright", 150, 60).lay("08-bright", -200, 80)
    image = busy.picture(2)
    assert seen(lamp, image) is image
    assert factor_of(lamp) == (1, 1, 1)
    seen(lamp, lit(busy, 0.7))
    assert factor_of(lamp) == pytest.approx((0.7, 0.7, 0.7), abs=0.02)


def test_light_that_comes_back_leaves_frames_alone_again() -> None:
    lamp, first = Lamp(), TABLE.picture(1)
    for image in (first, lit(TABLE, 0.6), first):
        last = seen(lamp, image)
    assert last is first


def test_a_small_change_is_not_followed() -> None:
    lamp = Lamp()
    seen(lamp, TABLE.picture(1))
    image = lit(TABLE, 1.01)
    assert seen(lamp, image) is image


@pytest.mark.parametrize("image", [np.zeros((400, 600, 3), np.uint8), np.full((400, 600, 3), 255, np.uint8)])
def test_a_covered_or_dazzled_camera_is_no_lamp(image: NDArray[np.uint8]) -> None:
    lamp = Lamp()
    seen(lamp, TABLE.picture(1))
    assert seen(lamp, image) is image
    late = Lamp()
    seen(late, image)  # the camera was not ready yet: what comes next is the first look
    assert seen(late, lit(TABLE, 0.7)) is not None and factor_of(late) == (1, 1, 1)
    seen(late, lit(TABLE, 0.35))
    assert factor_of(late) == pytest.approx((0.5, 0.5, 0.5), abs=0.02)


def test_light_on_one_half_alone_is_not_made_up_for_by_the_other() -> None:
    lamp = Lamp()
    seen(lamp, TABLE.picture(1))
    image = TABLE.picture(2)
    image[:, :290] = (image[:, :290] * 0.5).astype(np.uint8)
    assert seen(lamp, image) is image


def test_light_that_fades_slowly_is_followed_in_small_steps() -> None:
    lamp = Lamp()
    seen(lamp, TABLE.picture(1))
    for step in range(1, 20):
        image = seen(lamp, lit(TABLE, 1 - 0.02 * step), t_s=float(step))
        assert off(image, TABLE.picture(1)) < 4.5
    assert factor_of(lamp) == pytest.approx((0.62, 0.62, 0.62), abs=0.02)
