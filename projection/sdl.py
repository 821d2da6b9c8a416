"""The one door to pygame: imported quietly, and an SDL that finds no screen becomes a sentence."""

import ctypes
import os
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_VIDEO_MINIMIZE_ON_FOCUS_LOSS", "0")

import pygame
import pygame.freetype
from pygame._sdl2 import video

from engine.errors import DeviceError

__all__ = ["DisplayInfo", "displays", "position_on", "pygame", "start_video", "video"]

_WITHOUT_A_SCREEN = ("offscreen", "dummy")
_CENTERED = 0x2FFF0000  # SDL_WINDOWPOS_CENTERED_DISPLAY(0)


@dataclass(frozen=True, slots=True)
class DisplayInfo:
    """A screen or projector: its index, the name its driver gives (may be empty), size in px (width, height)."""

    index: int
    name: str
    size_px: tuple[int, int]


def start_video() -> None:
    """Start SDL's video. Raises DeviceError where there is no display; a driver asked for by name is taken as it is."""
    try:
        pygame.display.init()
    except pygame.error as error:
        raise DeviceError(f"no display can be opened ({error}); run without a window or check the screen") from error
    driver = pygame.display.get_driver()
    if driver in _WITHOUT_A_SCREEN and os.environ.get("SDL_VIDEODRIVER") != driver:
        pygame.display.quit()
        raise DeviceError("there is no display here; run without a window, or start it from a desktop")


def displays() -> tuple[DisplayInfo, ...]:
    """All displays there are now. Raises DeviceError where there is none."""
    start_video()
    sizes = pygame.display.get_desktop_sizes()
    return tuple(DisplayInfo(i, _name(i), (int(w), int(h))) for i, (w, h) in enumerate(sizes))


def position_on(index: int) -> tuple[int, int]:
    """The position that puts a window into the middle of display `index`."""
    return (_CENTERED | index, _CENTERED | index)


def _name(index: int) -> str:
    """The display's name from the SDL that pygame brings along; empty where it cannot be asked."""
    package = Path(pygame.__file__).parent
    files = [
        *(package.parent / "pygame.libs").glob("libSDL2-2*"),
        *package.glob("SDL2.dll"),
        *(package / ".dylibs").glob("libSDL2-2*"),
    ]
    for file in files:
        try:
            get_name = ctypes.CDLL(str(file)).SDL_GetDisplayName
        except (OSError, AttributeError):
            continue
        get_name.restype = ctypes.c_char_p
        name: bytes | None = get_name(index)
        return (name or b"").decode("utf-8", "replace")
    return ""
