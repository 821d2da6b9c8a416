"""The operator's desk for calibrating by hand: the window on the screen, the light of the projector."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.calibrating import Clicked, Closed, Dragged, Input, Pressed
from engine.events import Words
from projection import window as screen

_TITLE = "camera · カメラ"
_NAMES = {"enter": "return", "keypad enter": "return"}


class Screen(Protocol):
    """What is used of `projection.window.Window`."""

    def show(self, panels: Sequence[screen.Panel], status: str = "", help_line: str = "") -> None:
        """Draws panels, status and help."""
        ...

    def inputs(self) -> tuple[screen.Input, ...]:
        """What happened since the last call."""
        ...


class Light(Protocol):
    """What is used of `projection.display.Projector`."""

    def show(self, picture: NDArray[np.uint8]) -> bool:
        """Puts a picture, uint8 (H, W, 3) RGB, onto the table."""
        ...


class WindowDesk:
    """A desk on a window and, where there is one, a projector. It opens and closes neither."""

    def __init__(self, window: Screen, projector: Light | None = None) -> None:
        self._window = window
        self._projector = projector

    def inputs(self) -> Iterable[Input]:
        """What happened since the last call, in the words of calibrating."""
        return tuple(said for happened in self._window.inputs() if (said := _translated(happened)) is not None)

    def show(self, picture_bgr: NDArray[np.uint8], words: Words, problem: str) -> None:
        """Shows the camera's picture with what to do now and what is wrong."""
        image = np.ascontiguousarray(picture_bgr[:, :, ::-1])
        self._window.show([screen.Panel(_TITLE, image)], problem or words.ja, words.en)

    def project(self, picture_rgb: NDArray[np.uint8]) -> None:
        """Shows a picture by the projector, if there is one."""
        if self._projector is not None:
            self._projector.show(picture_rgb)


def _translated(happened: screen.Input) -> Input | None:
    """The input as calibrating knows it; None for what means nothing here."""
    match happened:
        case screen.Quit() | screen.Key("escape"):
            return Closed()
        case screen.Key(name, shift):
            # the number block's keys come as `[1]`
            return Pressed(_NAMES.get(name, name.strip("[]")), shift)
        case screen.Click(0, x, y, 1):
            return Clicked(x, y)
        case screen.Drag(0, _, (x, y), _):
            return Dragged(x, y)
        case _:
            return None
