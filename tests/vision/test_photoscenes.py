"""Made photographs are as said: seeded, of the tilt and size of their kind, with true corners and shares."""

import cv2
import numpy as np
import pytest

from tests.vision.scenes import tsuki
from vision.photoscenes import make_photo
from vision.quads import area


@pytest.mark.parametrize("kind", ["steep", "clutter", "touching", "dim"])
def test_a_photograph_shows_its_cards_where_it_says(kind: str) -> None:
    made = make_photo(tsuki(), kind, 1)
    assert made.image.shape == (1200, 1600, 3) and len(made.cards) >= 6
    assert len({card.card for card in made.cards}) == len(made.cards)
    best = max((card for card in made.cards if card.visible > 0.97), key=lambda card: area(card.corners_px))
    square = np.array([[0, 0], [66, 0], [66, 108], [0, 108]], np.float32)
    warp = cv2.getPerspectiveTransform(best.corners_px.astype(np.float32), square)
    patch = cv2.cvtColor(cv2.warpPerspective(made.image, warp, (66, 108)), cv2.COLOR_BGR2GRAY)
    face = cv2.cvtColor(
        cv2.resize(tsuki().faces[best.card], (66, 108), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
    )
    smooth = [cv2.GaussianBlur(one, (0, 0), 2).ravel().astype(float) for one in (patch, face)]
    assert np.corrcoef(smooth[0], smooth[1])[0, 1] > 0.85


def test_the_same_seed_makes_the_same_photograph() -> None:
    first, again, other = (make_photo(tsuki(), "plain", seed) for seed in (3, 3, 4))
    assert np.array_equal(first.image, again.image)
    assert not np.array_equal(first.image, other.image)


def test_in_a_pile_cards_cover_each_other() -> None:
    shares = [card.visible for card in make_photo(tsuki(), "pile", 2).cards]
    assert min(shares) < 0.8 < max(shares) <= 1.0


@pytest.mark.parametrize(("kind", "low", "high"), [("far", 25, 80), ("near", 170, 360)])
def test_cards_are_as_large_as_their_kind_says(kind: str, low: float, high: float) -> None:
    for card in make_photo(tsuki(), kind, 2).cards:
        sides = np.linalg.norm(np.roll(card.corners_px, -1, axis=0) - card.corners_px, axis=1)
        assert low < max(sides) < high
