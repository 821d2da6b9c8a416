"""What `doctor` looks at: each check says how it is, and how to mend it where it is not well."""

import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from app.calibrating import default_path
from app.screen import has_display
from calibration.profile import load_profile
from engine.errors import HanafudaError
from vision.deck import BUILT_IN, hanafuda_home, load_deck

PACKAGES: Final = (
    ("numpy", "numpy", (2, 3)),
    ("opencv-python", "cv2", (5, 6)),
    ("pygame", "pygame", (2, 3)),
    ("pyyaml", "yaml", (6, 7)),
    ("platformdirs", "platformdirs", (4, 5)),
)
"""Package, the module it gives, and the major versions (from, below) that this program is made for."""
PYTHON: Final = (3, 11)


class State(StrEnum):
    """How a check came out."""

    WELL = "ok"
    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Line:
    """One check: what was looked at, how it is, and how to mend it (empty where there is nothing to mend)."""

    topic: str
    state: State
    found: str
    fix: str = ""


def examine(profile: Path | None = None) -> tuple[Line, ...]:
    """All checks, in the order in which somebody would mend things."""
    home = hanafuda_home()
    checks: tuple[Callable[[], tuple[Line, ...]], ...] = (
        lambda: (check_python(),),
        lambda: tuple(check_package(*package) for package in PACKAGES),
        lambda: (check_home(home),),
        lambda: check_decks(home),
        lambda: (check_display(),),
        check_cameras,
        lambda: (check_profile(profile or default_path()),),
    )
    return tuple(line for check in checks for line in check())


def check_python() -> Line:
    """Whether this Python is new enough."""
    found = f"{platform.python_version()} ({sys.executable})"
    if sys.version_info < PYTHON:
        return Line("python", State.BAD, found, f"install Python {PYTHON[0]}.{PYTHON[1]} or newer")
    return Line("python", State.WELL, found)


def check_package(package: str, module: str, majors: tuple[int, int]) -> Line:
    """Whether `package` is there, can be loaded, and has a major version from `majors[0]` to below `majors[1]`."""
    fix = f"pip install '{package}>={majors[0]},<{majors[1]}'"
    try:
        found = version(package)
    except PackageNotFoundError:
        return Line(package, State.BAD, "is not installed", fix)
    tried = subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        why = (tried.stderr.strip().splitlines() or ["it crashes"])[-1]
        return Line(package, State.BAD, f"{found} cannot be loaded: {why}", fix)
    major = int(found.split(".")[0])
    if not majors[0] <= major < majors[1]:
        return Line(package, State.BAD, f"{found}, but this program is made for version {majors[0]}", fix)
    return Line(package, State.WELL, found)


def check_home(home: Path) -> Line:
    """Whether decks, profiles and sessions can be written."""
    there = next((p for p in (home, *home.parents) if p.exists()), home)
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        fix = f"make {there} writable, or set HANAFUDA_HOME to a folder that is"
        return Line("home folder", State.BAD, f"{home} cannot be written ({error.strerror})", fix)
    return Line("home folder", State.WELL, str(home) + ("" if there == home else " (is made when first needed)"))


def check_decks(home: Path) -> tuple[Line, ...]:
    """Whether each deck that is enrolled or built in can be read."""
    lines = []
    for folder in sorted(path.parent for root in (BUILT_IN, home / "decks") for path in root.glob("*/deck.yaml")):
        try:
            deck = load_deck(folder)
        except HanafudaError as error:
            lines.append(Line(f"deck {folder.name}", State.BAD, str(error), f"hanafuda deck add {folder.name} FOLDER"))
            continue
        lines.append(Line(f"deck {folder.name}", State.WELL, f"{len(deck.faces)} cards, {deck.title.en}"))
    if not any((home / "decks").glob("*/deck.yaml")):
        fix = "for real cards: hanafuda deck add NAME FOLDER"
        lines.append(Line("your decks", State.NOTE, "none is enrolled", fix))
    return tuple(lines)


def check_display() -> Line:
    """Whether windows and the projected picture can be shown."""
    if has_display():
        return Line("display", State.WELL, os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or "found")
    fix = "start from a desktop session; without one, play runs headless and replay writes --video"
    return Line("display", State.NOTE, "none: DISPLAY and WAYLAND_DISPLAY are not set", fix)


def check_cameras() -> tuple[Line, ...]:
    """Which cameras there are."""
    from vision.capture import list_cameras

    cameras = list_cameras()
    if not cameras:
        fix = "plug a camera in; on Linux you must be in the group video. Without one, play simulates a table"
        return (Line("camera", State.NOTE, "none found", fix),)
    return tuple(Line("camera", State.WELL, str(camera)) for camera in cameras)


def check_profile(path: Path) -> Line:
    """Whether the calibration profile is there and can be used."""
    if not path.exists():
        return Line("calibration", State.NOTE, f"{path}: not made yet", "hanafuda calibrate --corners")
    try:
        profile = load_profile(path)
    except HanafudaError as error:
        return Line("calibration", State.BAD, str(error), "hanafuda calibrate --corners")
    size = f"{profile.size_px[0]}x{profile.size_px[1]}"
    light = "with a projector" if profile.projector is not None else "without a projector"
    return Line("calibration", State.WELL, f"{path}: camera {size}, {light}, made {profile.made_at}")
