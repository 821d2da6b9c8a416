import numpy as np
import pytest

from vision.deck import find_deck, load_deck
from vision.training.prints import print_of
from vision.training.rivals import RIVALS
from vision.training.scenes import scans

PRINT = print_of(load_deck(find_deck("tsuki")), "tsuki")


@pytest.mark.parametrize("name", RIVALS)
def test_a_rival_names_clean_pictures_either_way_up(name: str) -> None:
    chosen = [0, 8, 28, 40]
    crops = scans(PRINT)[chosen]
    crops[1::2] = crops[1::2, ::-1, ::-1]
    scores = RIVALS[name](crops, None, PRINT.faces)
    assert scores.shape == (4, 48)
    assert scores.argmax(axis=1).tolist() == chosen


@pytest.mark.parametrize("name", RIVALS)
def test_nothing_visible_is_no_error(name: str) -> None:
    crops = scans(PRINT)[:1]
    assert RIVALS[name](crops, np.zeros(crops.shape[:3], np.bool_), PRINT.faces).shape == (1, 48)
