"""Reading the token of a projected pattern: its markers, looked for where the first board said they must be."""

from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import opencv, patterns
from calibration.patterns import BoardPlan, board_plan

_ALIKE: Final = 0.72
"""Least correlation of what is seen with the marker that should be there; other markers reach about 0.4."""
_SHARE: Final = 0.5
_LEAST_MARKERS: Final = 6
_NEIGHBOURS: Final = 5


class Tokens:
    """Where projected markers fall in the camera's picture, learned from one board, and whether a pattern is seen."""

    def __init__(self, quads: Mapping[int, NDArray[np.float64]], size_px: tuple[int, int]) -> None:
        self._size = size_px
        self._plan: BoardPlan = board_plan(size_px)
        places = self._plan.marker_corners_px()
        self._quads = {index: (places[index], quad) for index, quad in quads.items()}
        self._centres = {index: places[index].mean(axis=0) for index in quads}
        self._maps: dict[tuple[float, float], NDArray[np.float64]] = {}

    def seen(self, difference: NDArray[np.float32], name: str) -> bool:
        """Whether the pattern called `name` is what was added to the dark picture, float32 (H, W)."""
        smooth = np.asarray(cv2.GaussianBlur(difference, (0, 0), 0.8), dtype=np.float32)
        if name.startswith("board"):
            first = patterns.first_number(name)
            side = self._plan.module_px * 8
            alike = [
                self._alike(smooth, self._centres[index] - side / 2 + 0.5, self._plan.module_px, first + index)
                for index in self._quads
            ]
            known = [a for a in alike if a is not None]
            return len(known) > 0 and float(np.mean(np.array(known) > _ALIKE)) >= _SHARE
        number = patterns.token_number(name)
        module = patterns.token_module(self._size)
        good = there = 0
        for left, top, _, _ in patterns.token_boxes_px(self._size):
            likeness = self._alike(smooth, np.array([left + module, top + module], dtype=np.float64), module, number)
            there += likeness is not None
            good += likeness is not None and likeness > _ALIKE
        return good >= max(1, min(3, there))

    def _map_at(self, place: NDArray[np.float64]) -> NDArray[np.float64]:
        """Camera px from projector px around a place, by the markers next to it: lenses bend less over so little."""
        key = (float(place[0]), float(place[1]))
        if key not in self._maps:
            near = sorted(self._centres, key=lambda index: float(np.hypot(*(self._centres[index] - place))))[
                :_NEIGHBOURS
            ]
            source = np.concatenate([self._quads[index][0] for index in near])
            target = np.concatenate([self._quads[index][1] for index in near])
            matrix, _ = cv2.findHomography(source, target, 0)
            self._maps[key] = np.eye(3) if matrix is None else np.asarray(matrix, dtype=np.float64)
        return self._maps[key]

    def _alike(self, smooth: NDArray[np.float32], low: NDArray[np.float64], module: int, number: int) -> float | None:
        """Correlation of the modules seen with the marker `number` at projector px `low`; None where not in view."""
        light = (~opencv.marker_cells(patterns.DICTIONARY, number)).astype(np.float64)
        at = (np.arange(light.shape[0]) + 0.5) * module - 0.5
        grid = np.stack(np.meshgrid(at + low[0], at + low[1]), axis=-1).reshape(1, -1, 2)
        px = cv2.perspectiveTransform(grid, self._map_at(low + at[-1] / 2))[0]
        height, width = smooth.shape
        if (px < 0).any() or (px[:, 0] > width - 1).any() or (px[:, 1] > height - 1).any():
            return None
        values = cv2.remap(smooth, px[:, 0].astype(np.float32), px[:, 1].astype(np.float32), cv2.INTER_LINEAR).ravel()
        spread = float(values.std())
        if spread < 0.8:
            return 0.0
        return float(np.mean((values - values.mean()) * (light.ravel() - light.mean())) / (spread * light.std()))


def find_board(difference: NDArray[np.float32], name: str, size_px: tuple[int, int]) -> Tokens | None:
    """What a board's markers tell of all others, or None where it is not seen, or another board with it."""
    if patterns.lit(difference) < patterns.FAINTEST:
        return None
    first, plan = patterns.first_number(name), board_plan(size_px)
    found = patterns.token_markers(patterns.readable(difference))
    own = {n - first: quads[0] for n, quads in found.items() if first <= n < first + plan.markers and len(quads) == 1}
    if len(own) < _LEAST_MARKERS or len(found) - len(own) > len(own) // 8:
        return None
    return Tokens(own, size_px)
