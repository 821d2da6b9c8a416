"""The projector on the second of two virtual displays, and what happens when it is unplugged."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.projection.virtual_displays import SIZES, desktop, missing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing()), reason=missing() or "all there"),
]

PLAYER = """
import json, sys, time
import numpy as np
from app.light import Light
from projection.display import Projector
from projection.sdl import displays
from projection.window import keys

def say(**what):
    print(json.dumps(what), flush=True)

say(displays=[[d.index, *d.size_px] for d in displays()])
devices = []
def opened():
    devices.append(Projector(None, (1600, 900)))
    return devices[-1]
light = Light(opened)
red = np.zeros((900, 1600, 3), np.uint8)
red[..., 0] = 200
red.setflags(write=False)
light.show(red)
for _ in range(20):
    keys(); light.keep(); light.show(red.copy())
say(index=devices[-1].display.index, lost=devices[-1].is_lost(), interval_s=devices[-1].flip_interval_s(5))
sys.stdin.readline()
start, frames = time.monotonic(), 0
while light._device is not None and time.monotonic() < start + 20:
    keys(); light.keep(); light.show(red.copy()); frames += 1
say(noticed_s=time.monotonic() - start, frames=frames, gone=light._device is None)
for _ in range(30):
    keys(); light.keep(); light.show(red.copy()); time.sleep(0.05)
say(displays=[[d.index, *d.size_px] for d in displays()], back=light._device is not None)
sys.stdin.readline()
light.close()
"""


def test_light_goes_to_the_second_display_and_never_to_the_first(tmp_path: Path) -> None:
    with desktop(tmp_path) as found:
        player = subprocess.Popen(
            [sys.executable, "-c", PLAYER], env=found.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, cwd=Path(__file__).resolve().parent.parent.parent,
        )  # fmt: skip
        try:
            assert hear(player)["displays"] == [[0, *SIZES[0]], [1, *SIZES[1]]]
            told = hear(player)
            assert told["index"] == 1 and told["lost"] is False and told["interval_s"] > 0
            assert is_red(found.picture(SIZES[1])) > 0.9
            assert is_red(found.picture(SIZES[0])) == 0
            found.unplug(SIZES[1])
            answer(player)
            told = hear(player)
            assert told["gone"] is True
            assert told["noticed_s"] < 5
            assert is_red(found.picture(SIZES[0])) == 0  # nothing of the game on the operator's screen
            told = hear(player)
            assert told["displays"] == [[0, *SIZES[0]]] and told["back"] is False
            assert is_red(found.picture(SIZES[0])) == 0
            answer(player)
            assert player.wait(30) == 0, player.communicate()[1]
        finally:
            player.kill()
            player.communicate()


JUMPS = """
from projection.display import Projector
from projection.sdl import displays
from engine.errors import DeviceError
print(len(displays()))
try:
    Projector(None)
except DeviceError as error:
    print(error)
"""


def test_a_full_screen_that_jumps_to_the_operators_screen_is_taken_away(tmp_path: Path) -> None:
    """Two X screens: SDL lists both, but opens every window on the first."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x720x24", "-screen", "1", "1600x900x24"],
        pass_fds=[write], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    try:
        with os.fdopen(read) as said:
            name = f":{said.readline().strip()}"
        plain = {key: value for key, value in os.environ.items() if key not in ("WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}
        done = subprocess.run(
            [sys.executable, "-c", JUMPS], env=plain | {"DISPLAY": name}, capture_output=True, text=True, timeout=60,
            cwd=Path(__file__).resolve().parent.parent.parent, check=True,
        )  # fmt: skip
    finally:
        server.terminate()
        server.wait(10)
    assert done.stdout.splitlines()[0] == "2"
    assert "a full screen for display 1 opens on display 0" in done.stdout


def is_red(picture: Any) -> float:
    """The share of a BGR picture that is the projected red."""
    return float(((picture[..., 2] > 120) & (picture[..., 0] < 60)).mean())


def hear(player: "subprocess.Popen[str]") -> Any:
    assert player.stdout is not None
    line = player.stdout.readline()
    assert line, player.communicate()[1]
    return json.loads(line)


def answer(player: "subprocess.Popen[str]") -> None:
    assert player.stdin is not None
    player.stdin.write("\n")
    player.stdin.flush()
