"""What the verb `calibrate` does: a profile from four corners, given as numbers or picked in a window."""

import datetime
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.corners import CornerWork, Point, camera_picture, click, dots_picture, drag, press
from app.output import progress
from app.profiles import show
from calibration.profile import Profile, save_profile
from engine.errors import ConfigError
from engine.events import Words
from vision.deck import hanafuda_home


@dataclass(frozen=True, slots=True)
class Pressed:
    """A key went down: `name` as a lower-case word (`left`, `return`, `1`), `far` with shift."""

    name: str
    far: bool = False


@dataclass(frozen=True, slots=True)
class Clicked:
    """The left button went down at px of the camera's picture."""

    x_px: float
    y_px: float


@dataclass(frozen=True, slots=True)
class Dragged:
    """The mouse is at px of the camera's picture with its button held."""

    x_px: float
    y_px: float


@dataclass(frozen=True, slots=True)
class Closed:
    """The operator wants to stop without a profile."""


Input = Pressed | Clicked | Dragged | Closed


class Desk(Protocol):
    """Where the operator works: shows the camera's picture and the projector's, and says what keys and mouse did."""

    def inputs(self) -> Iterable[Input]:
        """What happened since the last call, in order."""
        ...

    def show(self, picture_bgr: NDArray[np.uint8], words: Words, problem: str) -> None:
        """Shows the camera's picture (uint8 (H, W, 3) BGR), what to do now and what is wrong."""
        ...

    def project(self, picture_rgb: NDArray[np.uint8]) -> None:
        """Shows a picture of the projector's size (uint8 (H, W, 3) RGB) by the projector."""
        ...


def work_through(work: CornerWork, look: Callable[[], NDArray[np.uint8]], desk: Desk) -> CornerWork | None:
    """The finished work, or None where the operator closed the window. `look` gives the newest picture, BGR."""
    lit: tuple[tuple[Point, ...], int] | None = None
    while not work.done:
        light = (work.dots, work.active) if work.laying else ((), 0)
        if work.projector_px is not None and light != lit:
            desk.project(dots_picture(work))
            lit = light
        desk.show(camera_picture(work, look()), work.words, work.problem)
        for happened in desk.inputs():
            match happened:
                case Closed():
                    return None
                case Pressed(name, far):
                    work = press(work, name, far)
                case Clicked(x, y):
                    work = click(work, x, y)
                case Dragged(x, y):
                    work = drag(work, x, y)
    return work


def default_path() -> Path:
    """Where the profile of this machine's table is kept."""
    return hanafuda_home() / "calibration.yaml"


def now_text() -> str:
    """The time as a profile holds it, UTC."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def keep(path: Path, profile: Profile, warnings: Iterable[str], as_json: bool) -> int:
    """Writes the profile (former ones stay as .bak1 to .bak5) and says what it is good for."""
    save_profile(path, profile)
    for warning in warnings:
        progress(f"note: {warning}")
    progress(f"wrote {path}")
    return show(path, as_json)


def points(texts: Iterable[str], option: str) -> tuple[Point, ...]:
    """Four points of texts such as `120,900`. Raises ConfigError."""
    found = []
    for text in texts:
        match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*", text)
        if match is None:
            raise ConfigError(f"{option} {text!r}: must be X,Y in px, such as 120,900")
        found.append((float(match[1]), float(match[2])))
    if len(found) != 4:
        raise ConfigError(f"{option}: needs four corners X,Y: near left, near right, far right, far left")
    return tuple(found)
