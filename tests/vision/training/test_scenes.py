import numpy as np
import pytest

from vision.deck import find_deck, load_deck
from vision.embedding import CROP_PX
from vision.training.prints import Print, print_of, redrawn
from vision.training.scenes import NONE, Conditions, Painter, View, scans
from vision.training.surfaces import projected

PRINT = print_of(load_deck(find_deck("tsuki")), "tsuki")


def painter(seed: int = 1, source: Print = PRINT) -> Painter:
    return Painter(source, np.random.default_rng(seed))


def upright(view: View) -> np.ndarray:
    return view.crop[::-1, ::-1] if view.turned else view.crop


def likeness(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.corrcoef(first.mean(axis=2).ravel(), second.mean(axis=2).ravel())[0, 1])


def test_the_same_seed_gives_the_same_view() -> None:
    one, same, other = (painter(seed).view(7, Conditions()) for seed in (5, 5, 6))
    assert np.array_equal(one.crop, same.crop)
    assert not np.array_equal(one.crop, other.crop)


def test_a_view_shows_its_card_the_way_up_it_says() -> None:
    calm = Conditions(covered=0, light=0, worn=0, harsh=0.3, height_px=(90, 140))
    faces = scans(PRINT)
    one = painter(2)
    views = [one.view(card, calm) for card in range(0, 48, 2)]
    right = np.array([likeness(upright(view), faces[view.card]) for view in views])
    wrong = np.array([likeness(upright(view)[::-1, ::-1], faces[view.card]) for view in views])
    assert np.median(right) > 0.6
    assert (right > wrong).mean() > 0.85
    assert {view.turned for view in views} == {True, False}


@pytest.mark.parametrize(("low", "high"), [(0.2, 0.3), (0.45, 0.55), (0.62, 0.70)], ids=["quarter", "half", "third"])
def test_covers_hide_as_much_as_asked(low: float, high: float) -> None:
    one = painter(3)
    hidden = [1 - one.view(card, Conditions(hidden=(low, high), covered=1)).seen.mean() for card in range(40)]
    inside = [low - 0.06 < share < high + 0.06 for share in hidden]
    assert np.mean(inside) > 0.85
    assert low - 0.02 < np.mean(hidden) < high + 0.02


def test_whole_cards_are_all_visible() -> None:
    one = painter(4)
    assert all(one.view(card, Conditions(covered=0)).seen.all() for card in range(8))


def test_a_view_of_nothing_names_no_card() -> None:
    one = painter(5)
    views = [one.nothing(Conditions()) for _ in range(12)]
    assert {view.card for view in views} == {NONE}
    assert all(view.crop.shape == (CROP_PX[1], CROP_PX[0], 3) for view in views)


def test_our_own_light_only_adds_and_stays_under_a_third() -> None:
    rng = np.random.default_rng(9)
    for _ in range(20):
        light = projected(90, 120, 80.0, rng)
        assert light.min() >= 0
        assert 5 < light.max() < 0.33 * 255


def test_another_print_is_the_same_drawing_in_other_looks() -> None:
    other = redrawn(PRINT, np.random.default_rng(7))
    assert other.faces.shape == PRINT.faces.shape
    assert other.family == PRINT.family
    own = [likeness(a, b) for a, b in zip(PRINT.faces, other.faces, strict=True)]
    crossed = [likeness(a, b) for a, b in zip(PRINT.faces, np.roll(other.faces, 9, axis=0), strict=True)]
    assert np.mean(own) > np.mean(crossed) + 0.2
    assert not np.array_equal(PRINT.faces, other.faces)
