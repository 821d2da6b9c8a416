"""Folders and disk: whether decks, profiles and sessions can be written, and how long a recording may become."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from app.recorder import bytes_a_minute
from calibration.findings import Check, Mark

LITTLE_MINUTES: Final = 60.0
NONE_MINUTES: Final = 5.0
_FPS: Final = 15.0
_USUAL_PX: Final = (1920, 1080)


def checks(home: Path, camera_px: tuple[int, int] | None) -> Iterator[Check]:
    """The checks, one after the other. `camera_px` is the size of the pictures that would be recorded."""
    yield check_folder("data folder", home)
    for name in ("decks", "sessions"):
        if (home / name).exists():
            yield check_folder(name, home / name)
    yield check_disk(home, shutil.disk_usage(_there(home)).free, camera_px or _USUAL_PX)


def check_folder(topic: str, folder: Path) -> Check:
    """Whether `folder`, or the one in which it would be made, can be written."""
    there = _there(folder)
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        fix = f"make {there} writable, or set HANAFUDA_HOME to a folder that is"
        return Check(topic, Mark.BAD, f"{folder} cannot be written ({(error.strerror or '').lower()})", fix)
    return Check(topic, Mark.WELL, str(folder) + ("" if there == folder else " (is made when first needed)"))


def check_disk(home: Path, free: int, camera_px: tuple[int, int]) -> Check:
    """Whether `free` bytes are enough to record."""
    minutes = free / bytes_a_minute(camera_px, _FPS)
    hours = f"{minutes / 60:.0f} hours" if minutes >= 120 else f"{minutes:.0f} minutes"
    found = f"{free / 1e9:.1f} GB free, about {hours} of recording at {camera_px[0]}x{camera_px[1]}"
    fix = f"delete old sessions in {home / 'sessions'}, or play with --no-record"
    if minutes < NONE_MINUTES:
        return Check("disk", Mark.BAD, found, fix)
    return Check("disk", Mark.NOTE, found, fix) if minutes < LITTLE_MINUTES else Check("disk", Mark.WELL, found)


def _there(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    return next((path for path in (folder, *folder.parents) if path.exists()), folder)
