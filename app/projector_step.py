"""What `calibrate projector` does: patterns to a folder, photographs from one, live on a table or a simulated rig."""

import re
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from app.calibrating import now_text
from app.image_folder import image_paths, read_image
from app.output import ProgressLine, answer, answer_json, progress
from app.report.page import page
from app.report.refused import findings_of
from calibration import graycode, patterns
from calibration.findings import Findings, Mark
from calibration.photographs import Photographs, photo
from calibration.profile import Profile, load_profile, save_profile
from calibration.projector_live import calibrate_live
from calibration.projector_step import Outcome, calibrate_projector
from calibration.refusals import Refusal
from calibration.stillness import misnamed
from engine import yamldump
from engine.errors import ConfigError

_SIZE_PX: Final = (1920, 1080)
_MARKS: Final = {Mark.WELL: "ok  ", Mark.NOTE: "note", Mark.BAD: "BAD "}


@dataclass(frozen=True, slots=True)
class Wish:
    """What the operator asked for, as typed; None where nothing was said."""

    profile: Path
    out: Path | None = None
    size: str | None = None
    camera: str | None = None
    display: str | None = None
    report: Path | None = None
    as_json: bool = False
    language: str = "en"


def export(wish: Wish, folder: Path) -> int:
    """Writes every pattern as a PNG whose name tells what it is and the projector's size. Raises ConfigError."""
    size = _size(wish.size) or _profile_size(wish.profile) or _SIZE_PX
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"--export-patterns {folder}: is no folder")
    names = patterns.names(fallback=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            data = cv2.imencode(".png", patterns.pattern(name, size).image)[1]
            (folder / f"{patterns.file_stem(name, size)}.png").write_bytes(data.tobytes())
    except OSError as problem:
        reason = (problem.strerror or type(problem).__name__).lower()
        raise ConfigError(f"--export-patterns {folder}: cannot be written ({reason})") from problem
    needed = len(names) - len(graycode.code_names())
    if wish.as_json:
        answer_json({"folder": str(folder), "size_px": list(size), "patterns": len(names), "needed": needed})
        return 0
    answer(f"{len(names)} pictures of {size[0]}x{size[1]} in {folder}")
    answer("project each over the whole picture, photograph the table with the camera untouched, and keep the names;")
    answer(f"the 44 called gray-… are needed only on a patterned cloth, the other {needed} always")
    return 0


def from_folder(wish: Wish, folder: Path) -> int:
    """The step from photographs under the patterns' names. Raises ConfigError or Refusal."""
    profile = load_profile(wish.profile)
    photos, size = read_photographs(folder, _size(wish.size), _profile_size(wish.profile))
    outcome = calibrate_projector(photos, profile, size, now_text(), _display(profile))
    return keep(outcome, wish, wish.out or wish.profile)


def read_photographs(
    folder: Path, size_px: tuple[int, int] | None, usual_px: tuple[int, int] | None = None
) -> tuple[Photographs, tuple[int, int]]:
    """The photographs in a folder, and the projector's size: `size_px`, by their names, `usual_px`, or full HD.

    Raises ConfigError that names the file or what is missing.
    """
    known = set(patterns.names(fallback=True))
    found: dict[str, Path] = {}
    told: set[tuple[int, int]] = set()
    for path in image_paths(folder):
        name, size = patterns.parse_stem(path.stem)
        if name in known:
            if name in found:
                raise ConfigError(f"--images {folder}: {found[name].name} and {path.name} are the same pattern")
            found[name] = path
            told |= {size} if size is not None else set()
    if patterns.IDLE not in found:
        raise ConfigError(
            f"--images {folder}: holds no photograph called {patterns.IDLE}…, of the table without projected light; "
            "photographs need the names of the exported patterns"
        )
    if not any(name.startswith("board") for name in found):
        raise ConfigError(f"--images {folder}: holds no photograph called board-…; take one of each pattern")
    if len(told) > 1:
        raise ConfigError(f"--images {folder}: holds photographs of patterns of different sizes; take all of one size")
    size = size_px or next(iter(told), usual_px or _SIZE_PX)
    if told and size not in told:
        raise ConfigError(
            f"--projector {size[0]}x{size[1]}: the photographs' names say {'x'.join(map(str, min(told)))}"
        )
    photos = {}
    for name, path in sorted(found.items(), key=lambda item: item[0] != patterns.IDLE):  # the dark one is the measure
        image = read_image(path)
        photos[name] = photo([image])
        if photos[name].size_px != next(iter(photos.values())).size_px:
            raise ConfigError(f"{path}: is {image.shape[1]}x{image.shape[0]}, unlike the other photographs")
    taken = Photographs(photos)
    wrong = misnamed(taken)
    if wrong is not None:
        raise ConfigError(
            f"{found[wrong[0]]}: shows the pattern {wrong[1]}; each photograph needs the name of the pattern in it"
        )
    if not told and size_px is None:
        progress(
            f"note: the photographs' names do not tell the projector's size; taken as {size[0]}x{size[1]} "
            "(--projector tells it)"
        )
    return taken, size


def on_a_rig(wish: Wish, seed: int) -> int:
    """The step on a simulated rig, with its true error beside.

    Where the steps before have made a profile of this rig it goes on from there, and is added to; else what they would
    have found is worked out, and a profile is written only where `out` says so.
    """
    from app.rig_trials import grid_mm
    from app.rigs.rig import SimulatedRig
    from app.rigs.setup import profile_before
    from app.rigs.spec import random_spec

    spec = random_spec(seed)
    rig = SimulatedRig(spec)
    line = ProgressLine()
    known = _made_before(wish.profile, rig.camera_id)
    before, out = (profile_before(spec, rig), wish.out) if known is None else (known, wish.out or wish.profile)
    display: dict[str, str | float] = {"name": "simulated", "refresh_hz": 60}
    outcome = calibrate_live(rig, rig.size_px, before, rig.camera_id, now_text(), display, line.show)
    line.done()
    grid = grid_mm(spec.mat_mm)
    error = rig.overlay_error_mm(outcome.fit.map.map(grid), grid)
    progress(f"the rig knows the truth: {np.sqrt(np.mean(error**2)):.2f} mm rms, {error.max():.2f} mm at most")
    return keep(outcome, wish, out)


def _made_before(path: Path, camera_id: str) -> Profile | None:
    """The profile at `path` if it is of that camera and knows the mat; None else."""
    if not path.is_file():
        return None
    from calibration import history

    holds = history.load_any(path)
    return holds if isinstance(holds, Profile) and holds.camera.id == camera_id else None


def live(wish: Wish) -> int:
    """The step with the camera and the projector of this machine. Raises DeviceError, ConfigError or Refusal."""
    from app.handwork import open_eye
    from app.projector_stage import open_stage

    profile = load_profile(wish.profile)
    with ExitStack() as stack:
        size = f"{profile.camera.size_px[0]}x{profile.camera.size_px[1]}"
        camera, name, _ = open_eye(wish.camera or profile.camera.id or None, size, stack)
        stage = open_stage(camera, wish.display, stack)
        line = ProgressLine()
        display: dict[str, str | float] = {"name": stage.display.name, "refresh_hz": stage.refresh_hz()}
        outcome = calibrate_live(stage, stage.size_px, profile, name, now_text(), display, line.show)
        line.done()
    return keep(outcome, wish, wish.out or wish.profile)


def keep(outcome: Outcome, wish: Wish, path: Path | None) -> int:
    """Writes profile and report and says what was found; 1 where something is wanting."""
    report = wish.report or (None if path is None else path.with_name(f"{path.stem}-report.html"))
    if path is not None:
        save_profile(path, outcome.profile)
        progress(f"wrote {path}")
    if report is not None:
        write_report(report, outcome.findings, outcome.profile.made_at, wish.language)
        progress(f"wrote {report} and {report.with_suffix('.json').name}")
    if wish.as_json:
        answer_json(outcome.findings.as_dict() | {"profile": None if path is None else str(path)})
    else:
        for line in lines(outcome.findings):
            answer(line)
    return int(outcome.findings.mark is Mark.BAD)


def keep_refusal(refusal: Refusal, wish: Wish, mat_mm: tuple[float, float]) -> None:
    """Writes why nothing came of it beside the profile; its report, and the one of the calibration before, stay."""
    profile = wish.out or wish.profile
    path = wish.report or profile.with_name(f"{profile.stem}-refused.html")
    if wish.report is None and not profile.parent.is_dir():
        return
    write_report(path, findings_of(refusal, mat_mm), now_text(), wish.language, refused=True)
    progress(f"why, in detail: {path}")


def write_report(path: Path, findings: Findings, made_at: str, language: str = "en", refused: bool = False) -> None:
    """The report as a page at `path` and as JSON beside it. Raises ConfigError where it cannot be written."""
    import json

    yamldump.write(path, page(findings, made_at, language, refused))
    yamldump.write(path.with_suffix(".json"), json.dumps(findings.as_dict(), indent=1) + "\n")


def lines(findings: Findings) -> tuple[str, ...]:
    """The report in plain lines: the verdict, every check, causes."""
    told = [findings.verdict, ""]
    for check in findings.checks:
        told.append(f"{_MARKS[check.mark]}  {check.topic:<16} {check.found}")
        if check.fix:
            told.append(f"      {'':<16} -> {check.fix}")
    for cause in findings.causes:
        told.append(f"likely: {cause}")
    return tuple(told)


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d{3,5})\s*[x×]\s*(\d{3,5})\s*", text)
    if match is None:
        raise ConfigError(f"--projector {text!r}: must be WIDTHxHEIGHT in px, such as 1920x1080")
    return int(match[1]), int(match[2])


def _profile_size(path: Path) -> tuple[int, int] | None:
    """The projector's size in a profile that knows one; None without a profile or projector."""
    if not path.is_file():
        return None
    from calibration import history

    holds = history.load_any(path)
    return holds.projector.size_px if isinstance(holds, Profile) and holds.projector is not None else None


def _display(profile: Profile) -> Mapping[str, str | float]:
    return {} if profile.projector is None else profile.projector.display
