"""Whether there is a screen to show anything on."""

import os
import sys

from engine.errors import DeviceError


def has_display() -> bool:
    """Whether a window can be opened here. A video driver that shows nothing counts as no display."""
    if os.environ.get("SDL_VIDEODRIVER") in ("dummy", "offscreen"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def need_display(instead: str) -> None:
    """Raises DeviceError where there is no display; `instead` says what to do without one."""
    if not has_display():
        raise DeviceError(f"there is no display here (DISPLAY and WAYLAND_DISPLAY are not set); {instead}")
