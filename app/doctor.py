"""What `doctor` looks at, in the order in which somebody would mend it, and the sentence that it all comes to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app import doctor_camera, doctor_display, doctor_places, doctor_profile, doctor_program
from app.calibrating import default_path
from calibration.findings import Check, Mark
from engine.errors import ConfigError
from vision.deck import hanafuda_home

TITLES: Final = {"program": "Program", "places": "Folders", "table": "Table"}


@dataclass(frozen=True, slots=True)
class Group:
    """Checks under one heading."""

    name: str
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the operator named: None where nothing. `touch`: cameras and displays are opened, not only listed."""

    profile: Path | None = None
    camera: str | None = None
    display: str | None = None
    touch: bool = True


def examine(asked: Asked) -> tuple[Group, ...]:
    """All checks. Raises ConfigError where `asked` names a file that is not there."""
    if asked.profile is not None and not asked.profile.is_file():
        raise ConfigError(f"--profile {asked.profile}: there is no such file")
    path, home = asked.profile or default_path(), hanafuda_home()
    known = doctor_profile.read(path)
    return (
        Group("program", tuple(doctor_program.checks(home))),
        Group("places", tuple(doctor_places.checks(home, known.camera_px))),
        Group("table", tuple(_table(asked, known))),
    )


def _table(asked: Asked, known: doctor_profile.Known) -> Iterator[Check]:
    yield from doctor_camera.checks(asked.camera, known, asked.touch)
    projector = known.projector
    simulated = projector is not None and projector.display.get("name") == "simulated"
    yield from doctor_display.checks(asked.display, None if simulated else projector, asked.touch)
    yield from doctor_profile.checks(known)


def bad(groups: Sequence[Group]) -> tuple[Check, ...]:
    """What must be mended."""
    return tuple(check for group in groups for check in group.checks if check.mark is Mark.BAD)


def summary(groups: Sequence[Group]) -> str:
    """What it all comes to, in a sentence."""
    wrong = bad(groups)
    if wrong:
        what = ", ".join(dict.fromkeys(check.topic for check in wrong))
        return f"not ready: {len(wrong)} thing{'' if len(wrong) == 1 else 's'} must be mended first ({what})"
    notes = {check.topic for group in groups for check in group.checks if check.mark is Mark.NOTE}
    if {"camera", "calibration"} & notes:
        return "ready to play at a simulated table (hanafuda play); a real one needs what is noted above"
    return "ready to play at this table: hanafuda play"
