"""A projector that scales is judged by the brightness at which most of its px can be seen."""

import numpy as np
import pytest

from calibration import light_checks, patterns
from calibration.findings import Mark
from calibration.homography import Homography
from calibration.photographs import Photo, Photographs
from calibration.projector_map import ProjectorMap
from tests.calibration.rigs import look_down

RIG = look_down(1250, 0.15, 1.0)
MAP = ProjectorMap(Homography("projector", "table", np.array([[1.5, 0, 960], [0, -1.5, 540], [0, 0, 1]])))


@pytest.mark.parametrize(
    ("bright", "dim", "mark"),
    [
        ((0.06, 1200), (0.14, 3074), Mark.NOTE),  # most of the bright one saturates
        ((0.06, 3000), (0.14, 3074), Mark.WELL),  # noise of the dim one
        ((0.15, 3000), (0.14, 3074), Mark.NOTE),
        (None, (0.02, 900), Mark.WELL),
        (None, None, Mark.NOTE),
    ],
)
def test_bands_are_taken_from_where_most_is_seen(
    bright: tuple[float, int] | None, dim: tuple[float, int] | None, mark: Mark, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = iter((bright, dim))
    monkeypatch.setattr(light_checks, "_unevenness", lambda *_: next(found))
    grey = np.zeros((4, 4), np.uint8)
    names = [f(level) for level in patterns.CHECKER_LEVELS for f in (patterns.checker_name, patterns.flat_name)]
    photos = Photographs(dict.fromkeys(names, Photo(grey.astype(np.float32), grey)))
    check = light_checks.check_scaling(photos, RIG.view, MAP, (900.0, 560.0), (1920, 1080))
    assert check.mark is mark
