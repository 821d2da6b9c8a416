"""The former profiles that are kept beside the one in force: which there are, and going back to one of them."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from calibration.draft import Draft, load_draft
from calibration.profile import KEPT, Profile, load_profile
from engine import yamldump, yamlfile
from engine.errors import CalibrationError, ConfigError


@dataclass(frozen=True, slots=True)
class Kept:
    """A former profile: `number` 1 is the newest. `holds` is None where the file cannot be read; `problem` says why."""

    number: int
    path: Path
    holds: Profile | Draft | None
    problem: str = ""


def load_any(path: Path) -> Profile | Draft:
    """The profile at `path`, or the draft of one where the mat was not found yet. Raises ConfigError."""
    section = yamlfile.read(path)
    return load_profile(path) if section.has("table") or not section.has("camera") else load_draft(path)


def kept(path: Path) -> tuple[Kept, ...]:
    """The former profiles of the file at `path`, newest first."""
    found = []
    for number, file in enumerate(yamldump.backups(path)[:KEPT], start=1):
        try:
            found.append(Kept(number, file, load_any(file)))
        except ConfigError as problem:
            found.append(Kept(number, file, None, str(problem)))
    return tuple(found)


def go_back(path: Path, number: int = 1) -> Kept:
    """Puts the former profile `number` in force; the one that was becomes number 1, so that nothing is lost.

    A kill in between leaves one of the two in force and whole. Raises CalibrationError where there is no such former
    profile, ConfigError where it cannot be read.
    """
    former = kept(path)
    if not former:
        raise CalibrationError(f"{path}: there is no former profile to go back to")
    wanted = next((one for one in former if one.number == number), None)
    if wanted is None:
        raise CalibrationError(f"{path}: there is no former profile {number}; there are 1 to {len(former)} (--show)")
    if wanted.holds is None:
        raise ConfigError(wanted.problem)
    text = wanted.path.read_text(encoding="utf-8")
    yamldump.write(path, text, keep=KEPT + 1)
    _close_gap(path, number + 1)  # writing moved all former ones a number up
    return wanted


def _close_gap(path: Path, number: int) -> None:
    """Removes the former profile `number`, if there is one, and moves the older ones up."""
    files = yamldump.backups(path)[number - 1 :]
    if not files:
        return
    for newer, older in pairwise(files):
        older.replace(newer)
    if len(files) == 1:
        files[0].unlink()
