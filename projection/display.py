"""The projector: a full screen on a chosen display that shows finished pictures and notices when it is unplugged."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import DeviceError
from projection.sdl import DisplayInfo, displays, position_on, pygame, video


def choose(found: Sequence[DisplayInfo], wanted: str | int | None, size_px: tuple[int, int] | None) -> DisplayInfo:
    """The display that `wanted` names: by index, by a part of its name, or None for the only one besides the first.

    The first display is the operator's and is taken only where it is asked for. `size_px` decides between several and
    must agree in the end. Raises DeviceError with a sentence that lists what there is.
    """
    there = ", ".join(f"{d.index} {d.name or 'unnamed'} {d.size_px[0]}x{d.size_px[1]}" for d in found) or "none"
    if wanted is None:
        fits = [d for d in found if d.index > 0]
        problem = "there is no second display for the projector; name one with --display"
    elif isinstance(wanted, int) or wanted.isdigit():
        fits = [d for d in found if d.index == int(wanted)]
        problem = f"there is no display {wanted}"
    else:
        fits = [d for d in found if wanted.lower() in d.name.lower()]
        problem = f"there is no display called {wanted!r}"
    if not fits:
        raise DeviceError(f"{problem}; displays: {there}")
    sized = [d for d in fits if size_px is None or d.size_px == size_px]
    if not sized:
        assert size_px is not None
        raise DeviceError(
            f"the display is {fits[0].size_px[0]}x{fits[0].size_px[1]}, the calibration was made for "
            f"{size_px[0]}x{size_px[1]}; set the projector to that size or calibrate again; displays: {there}"
        )
    if len(sized) > 1:
        raise DeviceError(f"more than one display could be the projector; choose with --display: {there}")
    return sized[0]


class Projector:
    """A borderless full-screen window on one display. Open it once, `show` pictures, `close` it."""

    def __init__(self, wanted: str | int | None = None, size_px: tuple[int, int] | None = None) -> None:
        self.display = choose(displays(), wanted, size_px)
        self.size_px = self.display.size_px
        try:
            self._window = video.Window(
                "hanafuda table",
                size=self.size_px,
                position=position_on(self.display.index),
                fullscreen_desktop=True,
            )
            self._renderer: Any = video.Renderer(self._window, vsync=True)
            self._texture: Any = video.Texture(self._renderer, self.size_px, streaming=True)
        except pygame.error as error:
            raise DeviceError(f"display {self.display.index} cannot be opened ({error})") from error
        opened, at = tuple(self._window.size), self._window.display_index
        if at != self.display.index:
            self._window.hide()
            self.close()
            raise DeviceError(
                f"a full screen for display {self.display.index} opens on display {at}; extend the desktop to the "
                "projector, in one desktop"
            )
        if opened != self.size_px:
            self.close()
            raise DeviceError(
                f"display {self.display.index} says it is {self.size_px[0]}x{self.size_px[1]}, but a full screen there "
                f"is {opened[0]}x{opened[1]}: set its scale to 100 %"
            )
        pygame.mouse.set_visible(False)
        self._last: Any = None
        self.show(np.zeros((self.size_px[1], self.size_px[0], 3), dtype=np.uint8))

    def show(self, picture: NDArray[np.uint8]) -> bool:
        """Put `picture`, uint8 (H, W, 3) RGB, on the table; False where it is the very picture already shown.

        Raises DeviceError when the display is gone: the window is hidden first, so that no game appears elsewhere.
        """
        if self.is_lost():
            self._window.hide()
            raise DeviceError("the projector's display is gone; plug it in again, the game goes on")
        height, width = picture.shape[:2]
        if (width, height) != self.size_px:
            raise DeviceError(
                f"the picture is {width}x{height}, the projector {self.size_px[0]}x{self.size_px[1]}; calibrate again"
            )
        if picture is self._last and not picture.flags.writeable:
            return False
        self._texture.update(pygame.image.frombuffer(np.ascontiguousarray(picture).data, self.size_px, "RGB"))
        self._renderer.clear()
        self._texture.draw()
        self._renderer.present()
        self._last = picture
        return True

    def is_lost(self) -> bool:
        """Whether the display was unplugged, or the window has been moved to another one."""
        sizes = pygame.display.get_desktop_sizes()
        index = self.display.index
        moved = self._window.display_index != index
        return moved or index >= len(sizes) or tuple(sizes[index]) != self.size_px

    def flip_interval_s(self, rounds: int = 10) -> float:
        """The measured time between two pictures in seconds: what the display really does, not what it claims."""
        start = time.perf_counter()
        for _ in range(rounds):
            self._renderer.clear()
            self._texture.draw()
            self._renderer.present()
        return (time.perf_counter() - start) / rounds

    def close(self) -> None:
        """Give the display back. Closing it again does nothing."""
        pygame.mouse.set_visible(True)
        self._texture = self._renderer = self._last = None  # before their window: SDL crashes on Wayland else
        self._window.destroy()
