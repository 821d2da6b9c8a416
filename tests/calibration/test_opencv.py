"""Printed markers are read in noise, where they are small and their dictionary dense."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import opencv

IDS = (130, 359, 828, 945)


def picture(seed: int, side_px: float, noise: float) -> NDArray[np.uint8]:
    """Four markers of DICT_4X4_1000, turned a little, uint8 (200, 420)."""
    rng = np.random.default_rng(seed)
    seen = np.full((200, 420), 120, np.float32)
    share = side_px / 240
    for i, number in enumerate(IDS):
        cells = (~opencv.marker_cells("DICT_4X4_1000", number)).astype(np.float32)
        large = np.asarray(cv2.resize(cells, (240, 240), interpolation=cv2.INTER_NEAREST), dtype=np.float32)
        print_ = cv2.copyMakeBorder(25 + 95 * large, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=120)
        turn = rng.uniform(-0.1, 0.1)
        way = share * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        middle = np.array([60 + 100 * i, 100]) + rng.uniform(-1, 1, 2)
        matrix = np.column_stack([way, middle - way @ [160, 160]])
        soft = cv2.GaussianBlur(print_, (0, 0), 0.4 / share)
        part = np.asarray(cv2.warpAffine(soft, matrix, (420, 200), borderValue=-1), dtype=np.float32)
        seen = np.where(part >= 0, part, seen).astype(np.float32)
    seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.7), dtype=np.float32)
    return np.clip(seen + rng.normal(0, noise, seen.shape), 0, 255).astype(np.uint8)


def read(dense: bool) -> int:
    """How many of 80 markers are read."""
    pictures = (picture(seed, 20, 5) for seed in range(20))
    seen = (opencv.detect_markers(one, "DICT_4X4_1000", dense=dense) for one in pictures)
    return sum(len({number for number, _ in markers} & set(IDS)) for markers in seen)


def test_small_markers_of_a_dense_dictionary_are_read_in_noise_when_calibrating() -> None:
    assert read(dense=True) >= 78
    assert read(dense=False) <= 72
