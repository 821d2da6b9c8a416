from pathlib import Path

import numpy as np

from vision.deck import find_deck, load_deck
from vision.training import pool
from vision.training.prints import load_prints, print_of

FOLDER = find_deck("tsuki")
PRINT = print_of(load_deck(FOLDER), "tsuki")


def test_a_shard_is_kept_and_read_back(tmp_path: Path) -> None:
    shard = pool.make_shard(PRINT, 1, 0)
    pool.save(tmp_path / "shard-00000.npz", shard)
    again = pool.load(tmp_path / "shard-00000.npz")
    assert (again.deck, again.family) == ("tsuki", "tsuki")
    assert np.array_equal(again.crops, shard.crops)
    assert np.array_equal(again.seen, shard.seen)
    assert np.array_equal(again.card, shard.card)
    assert again.card[:48].tolist() == list(range(48))
    assert len(again.card) == 48 + pool.VIEWS + pool.NOTHINGS
    assert pool.families_of(tmp_path) == {tmp_path / "shard-00000.npz": "tsuki"}


def test_a_pool_goes_on_where_it_ended_and_is_the_same(tmp_path: Path) -> None:
    whole, halted = tmp_path / "whole", tmp_path / "halted"
    made: list[int] = []
    pool.fill_pool(whole, [PRINT], 2, 3)
    pool.fill_pool(halted, [PRINT], 1, 3)
    pool.fill_pool(halted, [PRINT], 2, 3, made.append)
    assert made == [1]
    for name in ("shard-00000.npz", "shard-00001.npz"):
        assert np.array_equal(pool.load(whole / name).crops, pool.load(halted / name).crops)
    assert not list(tmp_path.rglob("*.part"))


def test_decks_are_found_one_by_one_and_in_folders() -> None:
    assert [one.name for one in load_prints([FOLDER])] == ["tsuki"]
    assert [one.family for one in load_prints([FOLDER.parent])] == ["tsuki"]
