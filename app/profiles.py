"""Saying in words what a profile holds, which former ones are kept, and going back to one of them."""

from pathlib import Path
from typing import Any

import numpy as np

from app.output import answer, answer_json, progress
from calibration import history
from calibration.draft import Draft
from calibration.profile import Camera, Profile, Projector, Table
from engine.errors import ConfigError


def show(path: Path, as_json: bool) -> int:
    """Prints what the profile at `path` says and which former ones are kept. Raises ConfigError where it cannot."""
    if not path.is_file():
        raise ConfigError(f"{path}: there is no profile yet; run `hanafuda calibrate lens`, or `calibrate --corners`")
    holds, kept = history.load_any(path), history.kept(path)
    if as_json:
        answer_json(facts(path, holds) | {"former": [_former(one) for one in kept]})
        return 0
    for line in lines(holds):
        answer(line)
    for one in kept:
        told = f"cannot be read: {one.problem}" if one.holds is None else summary(one.holds)
        answer(f"{f'former {one.number}':<10} {told}")
    return 0


def back(path: Path, number: int, as_json: bool) -> int:
    """Goes back to a former profile and prints it. Raises CalibrationError where there is none."""
    former = history.go_back(path, number)
    made = former.holds.made_at if former.holds is not None else ""
    progress(f"back to the profile made {made}; the other one is now former profile 1 (--back again swaps them)")
    return show(path, as_json)


def lines(holds: Profile | Draft) -> tuple[str, ...]:
    """A profile in plain lines for the operator."""
    start = (f"made       {holds.made_at}", f"camera     {_camera(holds.camera)}", f"lens       {_lens(holds.camera)}")
    if isinstance(holds, Draft):
        return (*start, "mat        not found yet: run `hanafuda calibrate table`")
    checked = holds.validation
    return (
        *start,
        *_table(holds),
        f"projector  {_projector(holds.projector)}",
        f"checked    {f'{checked.rms_mm:.2f} mm rms, at most {checked.max_mm:.2f}' if checked else 'no'}",
    )


def summary(holds: Profile | Draft) -> str:
    """A profile in half a line."""
    if isinstance(holds, Draft):
        return f"{holds.made_at}: lens only, {_camera(holds.camera)}"
    mat = holds.table.mat_mm
    beam = "with projector" if holds.projector else "no projector"
    return f"{holds.made_at}: {_camera(holds.camera)}, mat {mat[0]:g} x {mat[1]:g} mm, {beam}"


def facts(path: Path, holds: Profile | Draft) -> dict[str, Any]:
    """A profile as a value for JSON."""
    camera = holds.camera
    fit = camera.fit and {
        "views": camera.fit.views,
        "rms_px": camera.fit.rms_px,
        "holdout_px": camera.fit.holdout_px,
    }
    start = {
        "file": str(path),
        "made_at": holds.made_at,
        "camera": {"id": camera.id, "size_px": list(camera.size_px), "fitted": camera.fit is not None, "fit": fit},
    }
    if isinstance(holds, Draft):
        return start | {"mat_mm": None, "projector": None, "validated": False}
    table, projector = holds.table, holds.projector
    return start | {
        "mat_mm": list(table.mat_mm),
        "camera_position_mm": table.camera_position_mm and list(table.camera_position_mm),
        "px_per_mm": round(px_per_mm(holds), 3),
        "markers": table.markers and sorted(table.markers.centres_mm),
        "projector": projector and {"size_px": list(projector.size_px), "display": dict(projector.display)},
        "validated": holds.validation is not None,
    }


def px_per_mm(profile: Profile) -> float:
    """How many camera px a mm in the middle of the mat is long, the mean of both directions."""
    a, b, c, d = profile.view().camera_px([[-10.0, 0.0], [10.0, 0.0], [0.0, -10.0], [0.0, 10.0]])
    return float(np.linalg.norm(b - a) + np.linalg.norm(d - c)) / 40


def _former(one: history.Kept) -> dict[str, Any]:
    made = None if one.holds is None else one.holds.made_at
    return {"number": one.number, "file": str(one.path), "made_at": made, "problem": one.problem or None}


def _camera(camera: Camera) -> str:
    return f"{camera.id or '(unnamed)'}, {camera.size_px[0]}x{camera.size_px[1]}"


def _lens(camera: Camera) -> str:
    fit = camera.fit
    if fit is None:
        return "guessed, not fitted"
    held = "" if fit.holdout_px is None else f", {fit.holdout_px:.2f} px on views left out"
    return f"fitted from {fit.views} views: {fit.rms_px:.2f} px rms{held}"


def _table(profile: Profile) -> tuple[str, ...]:
    table: Table = profile.table
    marks = "" if table.markers is None else f", {len(table.markers.centres_mm)} markers"
    mat = f"mat        {table.mat_mm[0]:g} x {table.mat_mm[1]:g} mm{marks}, {px_per_mm(profile):.2f} px a mm"
    if table.camera_position_mm is None:
        return (mat,)
    return mat, "position   " + "camera at x {:.0f}, y {:.0f}, {:.0f} mm high".format(*table.camera_position_mm)


def _projector(projector: Projector | None) -> str:
    if projector is None:
        return "none"
    name = projector.display.get("name")
    return f"{projector.size_px[0]}x{projector.size_px[1]}{f' on {name}' if name else ''}"
