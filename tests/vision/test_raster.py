"""Table millimetres, raster px and camera px fit together."""

import numpy as np
import pytest

from tests.vision.table_scenes import MAT_MM, Table, raster, view
from vision.changes import BLOCK
from vision.raster import Box, TableRaster


def test_mm_and_px_are_inverses() -> None:
    points = np.array([[0.0, 0.0], [120.5, -80.25], [-299.0, 199.0]])
    np.testing.assert_allclose(raster().mm(raster().px(points)), points, atol=1e-9)


def test_up_on_the_table_is_up_in_the_raster() -> None:
    centre, up, right = raster().px(np.array([[0.0, 0.0], [0.0, 10.0], [10.0, 0.0]]))
    np.testing.assert_allclose(up - centre, [0, -10])
    np.testing.assert_allclose(right - centre, [10, 0])
    np.testing.assert_allclose(centre, [299.5, 199.5])


@pytest.mark.parametrize(("scale", "size"), [(1.0, (600, 400)), (0.5, (300, 200)), (2.0, (1200, 800))])
def test_the_whole_raster_is_the_mat(scale: float, size: tuple[int, int]) -> None:
    table = TableRaster(view(), MAT_MM, scale)
    assert table.size == size
    assert table.whole == Box(0, 0, *size)
    left, _ = table.mm(np.array([-0.5, -0.5]))
    assert left == pytest.approx(-300)


def test_a_box_holds_its_points_and_their_margin_and_ends_with_the_mat() -> None:
    box = raster().box_around(np.array([[0.0, 0.0], [50.0, 30.0]]), 10.0)
    assert (box.u0, box.v0) == (289, 159)
    assert (box.u1, box.v1) == (361, 211)
    corner = raster().box_around(np.array([[-295.0, 195.0], [-290.0, 190.0]]), 20.0)
    assert (corner.u0, corner.v0) == (0, 0)
    assert corner.u1 < 40


def test_a_cut_shows_what_lies_there() -> None:
    table = Table().lay("12-bright", 100, 50)
    image = table.picture(0)
    box = raster().box_around(np.array([[100.0, 50.0]]), 40.0)
    np.testing.assert_allclose(raster().cut(image, box), image[box.rows, box.columns], atol=1)
    shrunk = TableRaster(view(), MAT_MM, 0.5)
    part = shrunk.cut(image, shrunk.box_around(np.array([[100.0, 50.0]]), 40.0))
    assert 40 <= part.shape[0] <= 42


def test_each_raster_px_knows_its_camera_block() -> None:
    columns, rows = raster().blocks(Box(100, 40, 140, 60), BLOCK)
    assert columns.shape == rows.shape == (20, 40)
    assert (columns[0, 0], rows[0, 0]) == (100 // BLOCK, 40 // BLOCK)
    assert (columns[-1, -1], rows[-1, -1]) == (139 // BLOCK, 59 // BLOCK)
