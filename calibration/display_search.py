"""Finding the projector among displays: the one on which the camera sees a board that was put there."""

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import patterns
from calibration.photographs import QUIET_S, Stage, photo
from calibration.tokens import find_board

_PATIENCE_S: Final = 1.5


def first_seen(candidates: Iterable[tuple[Stage, tuple[int, int]]]) -> int | None:
    """The number of the first candidate (stage and size in px of its display) whose board is seen, or None."""
    for number, (stage, size_px) in enumerate(candidates):
        if _seen(stage, size_px):
            return number
    return None


def _seen(stage: Stage, size_px: tuple[int, int]) -> bool:
    black = np.zeros((size_px[1], size_px[0]), dtype=np.uint8)
    stage.show(black)
    frame = stage.read()
    start = frame.t_s
    while frame.t_s - start < QUIET_S:
        frame = stage.read()
    idle = photo([stage.read().image for _ in range(3)]).grey
    for level in (50, 100):
        name = patterns.board_name(level)
        stage.show(patterns.pattern(name, size_px).image)
        start = frame.t_s
        while frame.t_s - start < _PATIENCE_S:
            frame = stage.read()
            if find_board(_added(frame.image, idle), name, size_px) is not None:
                stage.show(black)
                return True
    stage.show(black)
    return False


def _added(image: NDArray[np.uint8], idle: NDArray[np.float32]) -> NDArray[np.float32]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(grey - idle, dtype=np.float32)
