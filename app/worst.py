"""The worst pictures of a bench: what was believed beside the truth, as PNG files to look at."""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import ConfigError

MOST: Final = 12
"""So many pictures are saved at most."""
_GOOD: Final = (90, 210, 90)
_MISSED: Final = (60, 60, 235)
_FALSE: Final = (235, 60, 235)
_LEAST_PX: Final = 1400
_STRIP_PX: Final = 18
_LETTERS: Final = 0.45


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A quad (4, 2) px with its name: a card that is there (`true`) or was believed to be, and whether that is right.

    A true card is right where it was found and named; those are drawn without their names.
    """

    quad: NDArray[np.floating]
    name: str
    true: bool
    right: bool


def draw(image: NDArray[np.uint8], marks: Sequence[Mark], lines: Sequence[str] = ()) -> NDArray[np.uint8]:
    """The picture, uint8 (H, W, 3) BGR, enlarged if small: green is right, red there but not found, magenta believed.

    `lines` stand below it.
    """
    scale = max(1, round(_LEAST_PX / max(image.shape[:2])))
    out = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
    for mark in sorted(marks, key=lambda mark: not mark.right):
        colour = _GOOD if mark.right else _MISSED if mark.true else _FALSE
        quad = np.rint((mark.quad + 0.5) * scale - 0.5).astype(np.int32)
        cv2.polylines(out, [quad], True, colour, 1 if mark.right else 2, cv2.LINE_AA)
        if not mark.right:
            low = int(quad[:, 1].max()) + _STRIP_PX if mark.true else int(quad[:, 1].min())
            (width, _), _ = cv2.getTextSize(mark.name, cv2.FONT_HERSHEY_SIMPLEX, _LETTERS, 1)
            x = int(np.clip(quad[:, 0].min(), 0, max(0, out.shape[1] - width - 8)))
            y = int(np.clip(low, _STRIP_PX, out.shape[0]))
            cv2.rectangle(out, (x, y - _STRIP_PX), (x + width + 8, y), (0, 0, 0), -1)
            cv2.putText(out, mark.name, (x + 4, y - 5), cv2.FONT_HERSHEY_SIMPLEX, _LETTERS, colour, 1, cv2.LINE_AA)
    below = np.full((_STRIP_PX * len(lines), out.shape[1], 3), 255, np.uint8)
    for i, line in enumerate(lines):
        at = (6, _STRIP_PX * (i + 1) - 5)
        cv2.putText(below, line, at, cv2.FONT_HERSHEY_SIMPLEX, _LETTERS, (0, 0, 0), 1, cv2.LINE_AA)
    return np.concatenate([out, below])


class Worst:
    """Keeps the pictures in which most was wrong and saves them in `folder`; without one it keeps none.

    Raises ConfigError where the folder holds anything, before the work begins.
    """

    def __init__(self, folder: Path | None, most: int = MOST) -> None:
        self._folder, self._most = folder, most
        self._kept: list[tuple[float, int, str, NDArray[np.uint8]]] = []
        self._count = 0
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            full = any(folder.iterdir())
        except OSError as error:
            raise ConfigError(f"--worst {folder}: no pictures can be saved there ({error.strerror})") from None
        if full:
            raise ConfigError(f"--worst {folder}: is not empty, and nothing is overwritten")

    def add(self, wrong: float, name: str, picture: Callable[[], NDArray[np.uint8]]) -> None:
        """A picture in which so much was `wrong` (0: nothing); it is drawn only if it is among the worst so far."""
        full = len(self._kept) >= self._most
        if self._folder is None or wrong <= 0 or (full and wrong <= self._kept[0][0]):
            return
        self._count += 1
        entry = (wrong, -self._count, name, picture())
        (heapq.heapreplace if full else heapq.heappush)(self._kept, entry)

    def save(self) -> tuple[Path, ...]:
        """Writes what was kept, the worst first, and returns the files."""
        files = []
        for number, (_, _, name, picture) in enumerate(sorted(self._kept, reverse=True), 1):
            assert self._folder is not None
            files.append(self._folder / f"{number:02d}-{name}.png")
            cv2.imwrite(str(files[-1]), picture)
        return tuple(files)
