"""Two displays without hardware: weston with two outputs on an X server that nobody sees; one can be unplugged."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ctypes.util import find_library
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SIZES = ((1280, 720), (1600, 900))
_CONFIG = """[core]
idle-time=0
[shell]
panel-position=none
background-color=0xff101010
animation=none
startup-animation=none
[output]
name=X1
mode=1280x720
[output]
name=X2
mode=1600x900
"""


def missing() -> str:
    """What this machine lacks for it; empty where nothing."""
    lacks = [name for name in ("Xvfb", "weston") if shutil.which(name) is None]
    lacks += ["libX11"] if find_library("X11") is None else []
    return f"{', '.join(lacks)} not on this machine" if lacks else ""


@dataclass(slots=True)
class Desktop:
    """A running desktop of two displays. `environment` is what a program needs to open windows on it."""

    environment: Mapping[str, str]
    _x: Any
    _server: int

    def windows(self) -> dict[tuple[int, int], int]:
        """The X window of each display, by its size."""
        x, found = self._x, {}
        root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
        children = ctypes.POINTER(ctypes.c_ulong)()
        x.XQueryTree(
            self._server, x.XDefaultRootWindow(self._server), ctypes.byref(root), ctypes.byref(parent),
            ctypes.byref(children), ctypes.byref(count),
        )  # fmt: skip
        for i in range(count.value):
            place = [ctypes.c_ulong(), *(ctypes.c_int() for _ in range(6))]
            x.XGetGeometry(self._server, children[i], *(ctypes.byref(value) for value in place))
            found[(int(place[3].value), int(place[4].value))] = int(children[i])
        return {size: window for size, window in found.items() if size in SIZES}

    def side_by_side(self) -> None:
        """Moves the displays apart, so that each can be looked at."""
        at = 0
        for size in SIZES:
            self._x.XMoveWindow(self._server, self.windows()[size], at, 0)
            at += size[0]
        self._x.XSync(self._server, 0)

    def unplug(self, size: tuple[int, int]) -> None:
        """The display of that size is gone."""
        message = _Message()
        message.type, message.window, message.format = 33, self.windows()[size], 32  # ClientMessage
        message.message_type = self._atom(b"WM_PROTOCOLS")
        message.data[0] = self._atom(b"WM_DELETE_WINDOW")
        self._x.XSendEvent(self._server, message.window, 0, 0, ctypes.byref(message))
        self._x.XSync(self._server, 0)

    def picture(self, size: tuple[int, int]) -> NDArray[np.uint8]:
        """What the display of that size shows, uint8 (H, W, 3) BGR."""
        width, height = size
        self._x.XGetImage.restype = ctypes.POINTER(_Image)
        image = self._x.XGetImage(
            self._server, self.windows()[size], 0, 0, width, height, ctypes.c_ulong(0xFFFFFFFF), 2
        )
        line = image.contents.bytes_per_line
        data = ctypes.string_at(image.contents.data, line * height)
        return np.frombuffer(data, np.uint8).reshape(height, line // 4, 4)[:, :width, :3].copy()

    def _atom(self, name: bytes) -> int:
        return int(self._x.XInternAtom(self._server, name, 0))


class _Message(ctypes.Structure):
    """XClientMessageEvent, in the room of an XEvent."""

    _fields_ = (
        ("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong), ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 24),
    )  # fmt: skip


class _Image(ctypes.Structure):
    """The beginning of XImage."""

    _fields_ = (
        ("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int), ("format", ctypes.c_int),
        ("data", ctypes.c_void_p), ("byte_order", ctypes.c_int), ("bitmap_unit", ctypes.c_int),
        ("bitmap_bit_order", ctypes.c_int), ("bitmap_pad", ctypes.c_int), ("depth", ctypes.c_int),
        ("bytes_per_line", ctypes.c_int),
    )  # fmt: skip


@contextmanager
def desktop(folder: Path) -> Iterator[Desktop]:
    """Two displays as long as the context lasts; sockets and logs go to `folder`."""
    runtime = folder / "run"
    runtime.mkdir(mode=0o700)
    (folder / "weston.ini").write_text(_CONFIG)
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "3200x1000x24", "-nolisten", "tcp"],
        pass_fds=[write], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    weston = None
    try:
        with os.fdopen(read) as said:
            name = f":{said.readline().strip()}"  # comes when the server is ready
        plain = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        environment = plain | {"XDG_RUNTIME_DIR": str(runtime)}
        weston = subprocess.Popen(
            ["weston", "--backend=x11-backend.so", "--use-pixman", "--output-count=2", "--socket=hanafuda",
             f"--config={folder / 'weston.ini'}", f"--log={folder / 'weston.log'}"],
            env=environment | {"DISPLAY": name}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        x = _library()
        display = x.XOpenDisplay(name.encode())
        found = Desktop(environment | {"WAYLAND_DISPLAY": "hanafuda", "SDL_VIDEODRIVER": "wayland"}, x, display)
        while not (runtime / "hanafuda").exists() or len(found.windows()) < 2:
            if weston.poll() is not None:
                raise RuntimeError((folder / "weston.log").read_text())
        found.side_by_side()
        yield found
    finally:
        for process in (weston, server):
            if process is not None:
                process.terminate()
                process.wait(10)


def _library() -> Any:
    x = ctypes.CDLL(find_library("X11"))
    pointer, number = ctypes.c_void_p, ctypes.c_ulong
    x.XOpenDisplay.restype, x.XOpenDisplay.argtypes = pointer, [ctypes.c_char_p]
    x.XDefaultRootWindow.restype, x.XDefaultRootWindow.argtypes = number, [pointer]
    x.XQueryTree.argtypes = [pointer, number, *[pointer] * 4]
    x.XGetGeometry.argtypes = [pointer, number, *[pointer] * 7]
    x.XMoveWindow.argtypes = [pointer, number, ctypes.c_int, ctypes.c_int]
    x.XInternAtom.restype, x.XInternAtom.argtypes = number, [pointer, ctypes.c_char_p, ctypes.c_int]
    x.XSendEvent.argtypes = [pointer, number, ctypes.c_int, ctypes.c_long, pointer]
    x.XSync.argtypes = [pointer, ctypes.c_int]
    x.XGetImage.argtypes = [pointer, number, *[ctypes.c_int] * 2, *[ctypes.c_uint] * 2, number, ctypes.c_int]
    return x
