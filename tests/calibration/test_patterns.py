import itertools

import cv2
import numpy as np
import pytest

from calibration import graycode, patterns
from calibration.tokens import find_board

SIZES = [(1920, 1080), (1280, 800), (1024, 768)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_two_patterns_share_a_marker(size: tuple[int, int]) -> None:
    tokens = [patterns.pattern(name, size).token for name in patterns.names(fallback=True)]
    assert all(not a & b for a, b in itertools.combinations(tokens, 2))
    assert all(100 - 60 < number < 1000 for token in tokens for number in token)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_pattern_has_the_projectors_size(size: tuple[int, int]) -> None:
    for name in patterns.names():
        image = patterns.pattern(name, size).image
        assert image.shape == size[::-1]
        assert image.dtype == np.uint8


def test_a_boards_corners_lie_where_four_squares_meet() -> None:
    image = patterns.pattern("board-100", (1920, 1080)).image.astype(int)
    for x, y in patterns.board_plan((1920, 1080)).corners_px():
        left, right, top, bottom = int(x - 2), int(x + 3), int(y - 2), int(y + 3)
        assert image[top, left] == image[bottom, right] != image[top, right] == image[bottom, left]


def test_crosses_and_token_markers_do_not_touch() -> None:
    arm = patterns.arm_px((1920, 1080))
    for left, top, right, bottom in patterns.token_boxes_px((1920, 1080)):
        for x, y in patterns.cross_centres_px((1920, 1080)):
            across = left - 3 < x + arm and x - arm < right + 3 and top - 3 < y < bottom + 3
            along = top - 3 < y + arm and y - arm < bottom + 3 and left - 3 < x < right + 3
            assert not (across or along)


@pytest.mark.parametrize("shown", ["board-100", "board-017", "white", "crosses-060", "gray-x-05", "gray-x-05-inverse"])
def test_a_token_is_read_in_its_own_pattern_only(shown: str) -> None:
    size = (1280, 720)
    quarter = patterns.pattern("board-050", size).image.astype(np.float32) / 4
    tokens = find_board(quarter.astype(np.float32), "board-050", size)
    assert tokens is not None
    light = patterns.pattern(shown, size).image.astype(np.float32) / 4
    noisy = np.clip(light + np.random.default_rng(1).normal(0, 2, light.shape), 0, None).astype(np.float32)
    read = {
        name for name in ("board-100", "board-017", "white", "crosses-060", "gray-x-05") if tokens.seen(noisy, name)
    }
    assert read == ({shown} if shown != "gray-x-05-inverse" else set())


def test_gray_code_tells_every_px_its_place() -> None:
    size = (200, 120)
    photos = {name: graycode.code_picture(name, size).astype(np.float32) for name in graycode.code_names()}
    places, certain = graycode.decode(photos, 5.0)
    assert certain.all()
    assert np.array_equal(places[..., 0], np.tile(np.arange(200.0), (120, 1)))
    assert np.array_equal(places[..., 1], np.tile(np.arange(120.0)[:, None], (1, 200)))


def test_gray_code_is_unsure_where_there_is_no_light() -> None:
    size = (64, 48)
    photos = {name: graycode.code_picture(name, size).astype(np.float32) for name in graycode.code_names()}
    for picture in photos.values():
        picture[:, :10] = 3.0
    _, certain = graycode.decode(photos, 5.0)
    assert not certain[:, :10].any()
    assert certain[:, 10:].all()


@pytest.mark.parametrize(
    ("stem", "found"),
    [
        ("board-050_1920x1080", ("board-050", (1920, 1080))),
        ("idle", ("idle", None)),
        ("gray-x-03-inverse_1280x800", ("gray-x-03-inverse", (1280, 800))),
        ("IMG_2024", ("IMG_2024", None)),
    ],
)
def test_names_of_files_tell_pattern_and_size(stem: str, found: tuple[str, tuple[int, int] | None]) -> None:
    assert patterns.parse_stem(stem) == found


def test_a_mirrored_board_is_told() -> None:
    image = cv2.GaussianBlur(patterns.pattern("board-100", (1280, 720)).image, (0, 0), 0.8)
    assert patterns.mirrored(np.ascontiguousarray(image[:, ::-1]))
    assert not patterns.mirrored(np.asarray(image, dtype=np.uint8))
