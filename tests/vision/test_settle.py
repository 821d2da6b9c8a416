"""A card's outline settles on the paper's edge, past a printed frame, and stays where nothing shows."""

import numpy as np
import pytest

from engine.cards import Card
from tests.vision.scenes import tsuki
from vision.photoscenes import make_spread
from vision.quads import overlap
from vision.settle import settled


@pytest.mark.parametrize("grow", [-0.03, 0.0, 0.03])
def test_a_displaced_outline_finds_the_edge(grow: float) -> None:
    made = make_spread(tsuki(), [Card.parse("08-bright"), Card.parse("01-chaff-1")], 6, (640, 480))
    rng = np.random.default_rng(3)
    for card in made.cards:
        true = card.corners_px
        width = float(np.linalg.norm(true[1] - true[0]))
        off = (true - true.mean(axis=0)) * (1 + grow) + true.mean(axis=0) + rng.normal(0, 0.012 * width, (4, 2))
        found = settled(made.image, np.asarray(off, np.float32))
        assert overlap(found, true) > 0.96
        assert overlap(found, true) >= overlap(off, true) - 0.01


def test_an_outline_on_an_empty_table_stays() -> None:
    quad = np.array([[100, 100], [200, 100], [200, 260], [100, 260]], np.float32)
    assert np.array_equal(settled(np.full((400, 400, 3), 90, np.uint8), quad), quad)
