"""The table step: pictures of the mat's markers from a folder or a live camera, the mat's place, the profile."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app import profiles
from app.calibrating import now_text
from app.image_folder import read_folder, to_grey
from app.output import ProgressLine, progress
from calibration.draft import Draft, load_draft
from calibration.lens_check import implausible, is_guess
from calibration.mat_markers import (
    CORNERS,
    SIZE_MM,
    check_print,
    cloth_markers,
    corner_numbers,
    distances_mm,
    load_markers,
    mat_around,
    mat_markers,
)
from calibration.mat_pose import see_markers
from calibration.profile import Camera, Markers, Profile, save_profile
from calibration.table_fit import TableFit, fit_cloth, fit_table
from engine.errors import CalibrationError, ConfigError

PICTURES: Final = 15
"""So many pictures of a live camera are averaged."""
_PATIENCE_S: Final = 60.0

Look = Callable[[], tuple[NDArray[np.uint8], float]]
"""Gives the newest picture, uint8 (H, W, 3) BGR, and its time in seconds."""


@dataclass(frozen=True, slots=True)
class Mat:
    """Which mat lies on the table: its size, its markers, and whether these were laid by hand."""

    mat_mm: tuple[float, float]
    markers: Markers
    by_hand: bool = False


def known_lens(path: Path, guess_is_fine: bool = False) -> Draft:
    """The lens in the file at `path`. Raises CalibrationError where there is none yet, or where it is a guess."""
    if not path.is_file():
        raise CalibrationError(f"{path}: the lens is not known yet; run `hanafuda calibrate lens` first")
    draft = load_draft(path)
    if is_guess(draft.camera) and not guess_is_fine:
        raise CalibrationError(
            f"{path}: its lens was never measured, it is a guess; run `hanafuda calibrate lens` first (or say "
            "--guessed-lens to go on with some millimetres of error)"
        )
    problem = implausible(draft.camera.lens, draft.camera.size_px)
    if problem is not None:
        raise CalibrationError(f"{path}: {problem}; run `hanafuda calibrate lens` again")
    return draft


def mat_of(
    layout_mm: tuple[float, float] | None,
    file: Path | None,
    by_hand: bool,
    measured: tuple[float, float] | None,
    usual_mm: tuple[float, float],
    marker_mm: float = SIZE_MM,
) -> Mat:
    """The mat that was asked for: of a markers file, laid by hand, or as `hanafuda print mat` prints it.

    `layout_mm` is the mat's size where it was told, `usual_mm` where nobody says; `marker_mm` is the side of markers
    laid by hand. Raises ConfigError.
    """
    if by_hand and file is not None:
        raise ConfigError("--cloth and --markers exclude each other: the file says where the markers are")
    if by_hand and measured is None:
        raise ConfigError(
            "--cloth needs --measured ACROSS AWAY: the distances in mm between the middles of markers 0 and 1, and of "
            "markers 0 and 3"
        )
    if by_hand and measured is not None:
        markers = cloth_markers(*measured, size_mm=marker_mm)
        return Mat(layout_mm or measured, markers, by_hand=True)
    if file is None:
        mat_mm = layout_mm or usual_mm
        return Mat(mat_mm, mat_markers(mat_mm))
    told = load_markers(file)
    found_mm = layout_mm or told.mat_mm
    if found_mm is None:
        found_mm = mat_around(told.markers, usual_mm)
        progress(
            f"note: {file} does not say how large the mat is; taken as {found_mm[0]:g} x {found_mm[1]:g} mm by its "
            "markers (--mat tells it)"
        )
    return Mat(found_mm, told.markers)


def from_folder(folder: Path, mat: Mat, camera: Camera, file: Path) -> TableFit:
    """The table from a folder of pictures. Raises ConfigError or CalibrationError."""
    pictures = []
    for name, image in read_folder(folder):
        _check_size(image, camera, f"{folder / name}", file)
        pictures.append(to_grey(image))
    return _fit(pictures, mat, camera)


def live(look: Look, mat: Mat, camera: Camera, file: Path) -> TableFit:
    """The table from a live camera; waits, and says which marker is missing, until all are seen.

    Raises CalibrationError with the reason where they are not within a minute.
    """
    line, pictures, start_s = ProgressLine(), list[NDArray[np.uint8]](), None
    while len(pictures) < PICTURES:
        image, t_s = look()
        _check_size(image, camera, "the camera's picture", file)
        grey = to_grey(image)
        start_s = t_s if start_s is None else start_s
        seen = see_markers(grey.astype(np.float32), mat.markers, thorough=True)
        missing = sorted(set(mat.markers.centres_mm) - set(seen))
        if not missing:
            pictures.append(grey)
            line.show(f"all markers are seen: {len(pictures)} of {PICTURES} pictures")
            continue
        pictures.clear()
        if t_s - start_s > _PATIENCE_S:
            line.done()
            return _fit([grey], mat, camera)  # which says what is wrong
        line.show("not seen: " + ", ".join(f"marker {n} ({_place(mat.markers, n)})" for n in missing))
    line.done()
    return _fit(pictures, mat, camera)


def ask_measured(markers: Markers, ask: Callable[[str], str] = input) -> tuple[float, float] | None:
    """The two distances as the operator types them, in mm; None where nothing is typed. Raises ConfigError."""
    numbers, told = corner_numbers(markers), distances_mm(markers)
    found = []
    for other, length, edge in ((numbers[1], told[0], "near edge"), (numbers[3], told[1], "left edge")):
        said = ask(
            f"Measure from the middle of marker {numbers[0]} to the middle of marker {other} ({edge}; or left edge to "
            f"left edge, lower edge to lower edge); it should be {length:g} mm. Measured, in mm: "
        ).strip()
        if not said:
            return None
        found.append(_length(said))
    return found[0], found[1]


def keep(fit: TableFit, camera: Camera, out: Path, measured: bool, as_json: bool, option: str = "") -> int:
    """Writes the profile to `out` (what was there is kept as a former one) and says what it is good for.

    `option` belongs to the command that comes next.
    """
    save_profile(out, Profile(now_text(), camera, fit.table))
    notes = list(fit.notes)
    if not measured:
        notes.append("the print was not measured (--measured): were it scaled by the printer, nobody would notice")
    for note in notes:
        progress(f"note: {note}")
    progress(
        f"the mat is found from {fit.pictures} picture{'' if fit.pictures == 1 else 's'}: {fit.rms_mm:.2f} mm rms at "
        f"its markers, {fit.pose_mm:.2f} mm between lens and markers"
    )
    progress(f"wrote {out}; next: hanafuda calibrate projector{option}")
    return profiles.show(out, as_json)


def measured_of(mat: Mat, typed: tuple[float, float] | None, may_ask: bool) -> tuple[tuple[str, ...], bool]:
    """What to note about the print, and whether it was measured. Raises Refusal for a scaled one."""
    if mat.by_hand:
        return (), True
    if typed is None and may_ask and sys.stdin.isatty():
        typed = ask_measured(mat.markers)
    return ((), False) if typed is None else (check_print(mat.markers, typed), True)


def with_notes(fit: TableFit, notes: tuple[str, ...]) -> TableFit:
    """The fit with more notes."""
    return replace(fit, notes=(*notes, *fit.notes))


def _fit(pictures: list[NDArray[np.uint8]], mat: Mat, camera: Camera) -> TableFit:
    fit = fit_cloth if mat.by_hand else fit_table
    return fit(pictures, mat.markers, camera.lens, mat.mat_mm)


def _check_size(image: NDArray[np.uint8], camera: Camera, what: str, file: Path) -> None:
    made, got = camera.size_px, (image.shape[1], image.shape[0])
    if made != got:
        raise CalibrationError(
            f"{what} is {got[0]}x{got[1]}, but the lens in {file} was measured at {made[0]}x{made[1]}; set the camera "
            "to that size, or run `hanafuda calibrate lens` at this one"
        )


def _place(markers: Markers, number: int) -> str:
    corners = corner_numbers(markers)
    return CORNERS[corners.index(number)] if number in corners else "between"


def _length(text: str) -> float:
    try:
        value = float(text.replace(",", ".").removesuffix("mm"))
    except ValueError:
        raise ConfigError(f"{text!r} is no length in mm, such as 1056 or 1056.5") from None
    if not 0 < value < 10_000:
        raise ConfigError(f"{text!r} is no length in mm, such as 1056 or 1056.5")
    return value
