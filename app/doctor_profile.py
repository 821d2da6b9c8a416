"""The calibration profile: how old, how exact, and whether it fits what is plugged in."""

import datetime
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from calibration import history
from calibration.draft import Draft
from calibration.findings import Check, Mark, verdict
from calibration.layout import builtin_layouts, load_layout
from calibration.lens_check import implausible, is_guess
from calibration.profile import Profile, Projector
from engine.errors import HanafudaError

OLD_DAYS: Final = 180


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What lies at `path`: a profile, a draft of one, nothing, or something that cannot be used (`problem`)."""

    path: Path
    holds: Profile | Draft | None = None
    problem: str = ""

    @property
    def camera_px(self) -> tuple[int, int] | None:
        """The size of the pictures that it is for."""
        return None if self.holds is None else self.holds.camera.size_px

    @property
    def projector(self) -> Projector | None:
        """The projector that it knows."""
        return self.holds.projector if isinstance(self.holds, Profile) else None


def read(path: Path) -> Known:
    """What lies at `path`."""
    if not path.exists():
        return Known(path)
    try:
        return Known(path, history.load_any(path))
    except HanafudaError as error:
        return Known(path, problem=str(error))


def checks(known: Known) -> Iterator[Check]:
    """The checks, one after the other."""
    begin = "hanafuda calibrate lens, then table, then projector"
    if known.problem:
        yield Check("calibration", Mark.BAD, known.problem, f"hanafuda calibrate --back, or {begin}")
        return
    if known.holds is None:
        yield Check("calibration", Mark.NOTE, f"{known.path}: not made yet", begin)
        return
    yield check_age(known.holds.made_at, known.path, _today())
    yield check_lens(known.holds)
    if isinstance(known.holds, Draft):
        yield Check("mat", Mark.BAD, "not found yet, only the lens is known", "hanafuda calibrate table")
        return
    yield check_mat(known.holds)
    yield check_light(known.holds, known.path)


def check_age(made_at: str, path: Path, today: datetime.date) -> Check:
    """How old the profile is."""
    found = f"{path}, made {made_at or 'nobody knows when'}"
    try:
        days = (today - datetime.datetime.fromisoformat(made_at).date()).days
    except ValueError:
        return Check("calibration", Mark.WELL, found)
    if days > OLD_DAYS:
        fix = "see whether rings lie around cards; if not: hanafuda calibrate projector"
        return Check("calibration", Mark.NOTE, f"{found}, {days} days ago", fix)
    return Check("calibration", Mark.WELL, f"{found}, {'today' if days <= 0 else f'{days} days ago'}")


def check_lens(holds: Profile | Draft) -> Check:
    """Whether the lens was measured and can be one."""
    camera, fix = holds.camera, "hanafuda calibrate lens"
    problem = implausible(camera.lens, camera.size_px)
    if problem is not None:
        return Check("lens", Mark.BAD, problem, fix)
    if is_guess(camera) or camera.fit is None:
        return Check("lens", Mark.NOTE, "guessed, not measured: some millimetres of error", fix)
    held = "" if camera.fit.holdout_px is None else f", {camera.fit.holdout_px:.2f} px on pictures left out"
    return Check("lens", Mark.WELL, f"measured from {camera.fit.views} pictures{held}")


def check_mat(profile: Profile) -> Check:
    """Whether the mat has a layout, and markers by which it is followed."""
    width, height = profile.mat_mm
    fits = [
        name
        for name, path in builtin_layouts().items()
        if all(abs(a - b) <= 0.5 for a, b in zip(load_layout(path).mat_mm, profile.mat_mm, strict=True))
    ]
    found = f"{width:g} x {height:g} mm, fits {', '.join(fits) or 'no built-in layout'}"
    if profile.table.markers is None:
        fix = "hanafuda calibrate table: a mat with markers is followed when it moves"
        return Check("mat", Mark.NOTE, f"{found}; no markers are known", fix)
    if not fits:
        return Check("mat", Mark.NOTE, found, "play with --layout FILE, a layout for this mat (hanafuda layout)")
    return Check("mat", Mark.WELL, f"{found}, {len(profile.table.markers.centres_mm)} markers")


def check_light(profile: Profile, path: Path) -> Check:
    """How exactly the projector's light falls, in mm, as it was measured."""
    fix = "hanafuda calibrate projector"
    if profile.projector is None:
        return Check("light", Mark.NOTE, "no projector is calibrated: nothing is shown on the mat", fix)
    checked = profile.validation
    if checked is None:
        return Check("light", Mark.NOTE, "its error was never measured", fix)
    figures = {"rms_mm": checked.rms_mm, "p95_mm": checked.p95_mm, "max_mm": checked.max_mm}
    said, mark = verdict(figures, ())
    if mark is Mark.WELL:
        return Check("light", mark, said)
    cause = _likely_cause(path)
    return Check("light", mark, said + (f"; likely: {cause}" if cause else ""), fix)


def _likely_cause(path: Path) -> str:
    """The likeliest cause in the report beside the profile; empty where there is none."""
    try:
        causes = json.loads(path.with_name(f"{path.stem}-report.json").read_text(encoding="utf-8"))["causes"]
        return str(causes[0]) if causes else ""
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return ""


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()
