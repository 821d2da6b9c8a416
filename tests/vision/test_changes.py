"""What counts as a change of the picture, and what does not."""

import numpy as np
from numpy.typing import NDArray

from tests.vision.table_scenes import Table
from vision.changes import BLOCK, ChangeWatcher, grown, patches, runs, without_specks

BARE = Table()
WITH_CARD = BARE.lay("03-bright", 0, 0)


def watching(table: Table = BARE, frames: int = 8) -> ChangeWatcher:
    """A watcher that has seen `table` for a while and looked at all of it."""
    watcher = ChangeWatcher(1)
    for i in range(frames):
        watcher.watch(table.picture(i), i / 10)
    watcher.looked_at(np.ones_like(watcher.never))
    return watcher


def blocks_of(*cells: tuple[int, int], shape: tuple[int, int] = (6, 8)) -> NDArray[np.bool_]:
    out = np.zeros(shape, dtype=bool)
    for row, column in cells:
        out[row, column] = True
    return out


def test_everything_is_new_at_first_and_nothing_moves() -> None:
    change = ChangeWatcher(1).watch(BARE.picture(0), 0.0)
    assert change.never.all()
    assert not change.moving.any()
    assert not change.dirty.any()
    assert change.never.shape == (400 // BLOCK, 600 // BLOCK)


def test_noise_is_no_change() -> None:
    watcher = watching()
    changes = [watcher.watch(BARE.picture(100 + i), 1 + i / 10) for i in range(10)]
    assert not any(change.dirty.any() or change.moving.any() for change in changes)


def test_a_card_is_a_change_where_it_lies_until_it_is_looked_at() -> None:
    watcher = watching()
    change = watcher.watch(WITH_CARD.picture(20), 1.0)
    rows, columns = np.nonzero(change.dirty)
    assert len(rows) > 12
    assert (abs((rows + 0.5) * BLOCK - 200) < 27 + BLOCK).all()
    assert (abs((columns + 0.5) * BLOCK - 300) < 16.5 + BLOCK).all()
    assert watcher.watch(WITH_CARD.picture(21), 1.1).dirty.any()
    watcher.looked_at(change.dirty)
    assert not watcher.watch(WITH_CARD.picture(22), 1.2).dirty.any()


def test_what_has_come_to_rest_is_still_for_as_long_as_it_has_lain() -> None:
    watcher = watching()
    moved = watcher.watch(WITH_CARD.picture(20), 1.0).moving
    assert moved.any()
    change = watcher.watch(WITH_CARD.picture(21), 1.3)
    assert not change.moving.any()
    np.testing.assert_allclose(change.still_s[moved], 0.3, atol=1e-5)
    assert change.still_s[~moved].min() > 0.9


def test_lamp_flicker_is_no_change() -> None:
    watcher = watching()
    for i, gain in enumerate((1.06, 0.95, 1.04, 0.97)):
        change = watcher.watch(Table(gain=gain).picture(30 + i), 1 + i / 10)
        assert not change.dirty.any()
        assert not change.moving.any()


def test_a_strong_change_of_light_is_a_change() -> None:
    assert watching().watch(Table(gain=1.5).picture(30), 1.0).dirty.mean() > 0.9


def test_looking_again_makes_everything_new_once_more() -> None:
    watcher = watching()
    assert not watcher.never.any()
    watcher.look_again()
    assert watcher.never.all()


def test_a_larger_camera_is_watched_in_smaller_pictures() -> None:
    image = np.repeat(np.repeat(BARE.picture(0), 2, axis=0), 2, axis=1)
    assert ChangeWatcher(2).small(image).shape == ChangeWatcher(1).small(BARE.picture(0)).shape
    assert ChangeWatcher(1).small(image[:, : 3 * BLOCK + 5]).shape[1] == 3 * BLOCK


def test_grown_blocks_reach_their_neighbours() -> None:
    assert grown(blocks_of((2, 3)), 3).sum() == 9


def test_single_blocks_are_specks() -> None:
    square = [(1, 1), (1, 2), (2, 1), (2, 2)]
    np.testing.assert_array_equal(without_specks(blocks_of(*square, (4, 6))), blocks_of(*square))


def test_blocks_that_touch_at_a_corner_are_one_patch() -> None:
    found = list(patches(blocks_of((0, 0), (1, 1), (4, 4))))
    assert sorted(int(patch.sum()) for patch in found) == [1, 2]


def test_runs_name_each_row_of_blocks() -> None:
    assert list(runs(blocks_of((1, 0), (1, 1), (1, 4), (5, 7)))) == [(1, 0, 2), (1, 4, 5), (5, 7, 8)]
