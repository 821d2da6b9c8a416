"""`hanafuda calibrate table`: where the mat lies under the camera, by the markers printed on it."""

import argparse
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app import layouts, projector_step, simulated_setup, table_step
from app.calibrating import default_path
from app.handwork import open_eye
from app.report.words import LANGUAGES, usual_language
from app.simulated_setup import SEED
from calibration.layout import builtin_layout
from calibration.mat_markers import SIZE_MM
from calibration.profile import Camera
from calibration.refusals import Refusal
from calibration.table_fit import TableFit
from engine.errors import ConfigError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the step takes."""
    add = parser.add_argument
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--images", type=Path, metavar="FOLDER", help="take pictures from this folder, no live camera")
    ways.add_argument(
        "--simulated", nargs="?", type=int, const=SEED, metavar="SEED", help="try the step on a simulated rig"
    )
    add("--camera", metavar="ID", help="the camera (default: that of the profile)")
    add("--profile", type=Path, metavar="FILE", help="the profile with the lens; the mat is added to it")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--layout", metavar="NAME_OR_FILE", help="the layout that was printed (default: 2-seats)")
    size.add_argument("--mat", metavar="WIDTHxHEIGHT", help="the mat's size in mm, instead of a layout's")
    add("--markers", type=Path, metavar="FILE", help="another mat: the `markers:` block of a profile says its markers")
    add("--cloth", action="store_true", help="markers 0-3 lie by hand on your own cloth, as a rectangle as measured")
    add(
        "--measured",
        type=float,
        nargs=2,
        metavar=("ACROSS", "AWAY"),
        help="by ruler, in mm: between the middles of the two near markers, and of the two left ones",
    )
    add(
        "--marker-mm", type=float, metavar="MM", default=SIZE_MM, help=f"with --cloth: their side (default {SIZE_MM:g})"
    )
    add("--language", choices=LANGUAGES, help="language of the report of a refusal (default: that of this computer)")
    add("--guessed-lens", action="store_true", help="go on with a lens that was never measured")
    add("--json", action="store_true", help="answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Finds the mat and adds it to the profile. Raises ConfigError, CalibrationError or DeviceError."""
    if arguments.simulated is not None:
        return _simulated(arguments)
    path = arguments.profile or default_path()
    typed = None if arguments.measured is None else (arguments.measured[0], arguments.measured[1])
    if arguments.marker_mm <= 0:
        raise ConfigError(f"--marker-mm {arguments.marker_mm:g}: must be a length in mm above 0")
    usual = builtin_layout(2).mat_mm
    told = _told_mm(arguments)
    mat = table_step.mat_of(told, arguments.markers, arguments.cloth, typed, usual, arguments.marker_mm)
    draft = table_step.known_lens(path, arguments.guessed_lens)
    try:
        notes, measured = table_step.measured_of(mat, typed, may_ask=arguments.images is None)
        if arguments.images is not None:
            fit = table_step.from_folder(arguments.images, mat, draft.camera, path)
        else:
            fit = _live(arguments.camera or draft.camera.id, mat, draft.camera, path)
    except Refusal as refusal:
        projector_step.keep_refusal(
            refusal, projector_step.Wish(path, language=arguments.language or usual_language()), mat.mat_mm
        )
        raise
    return table_step.keep(table_step.with_notes(fit, notes), draft.camera, path, measured, arguments.json)


def _simulated(arguments: argparse.Namespace) -> int:
    bench = simulated_setup.put_up(arguments.simulated)
    path = arguments.profile or simulated_setup.simulated_path()
    simulated_setup.check_is_of(path, bench)
    draft = table_step.known_lens(path, arguments.guessed_lens)
    mat, ruler_mm = simulated_setup.mat(bench)
    typed = ruler_mm if arguments.measured is None else (arguments.measured[0], arguments.measured[1])
    notes, measured = table_step.measured_of(mat, typed, may_ask=False)
    fit = table_step.with_notes(simulated_setup.table(bench, draft.camera, path), notes)
    return table_step.keep(fit, draft.camera, path, measured, arguments.json, simulated_setup.option(bench))


def _live(name: str, mat: table_step.Mat, camera: Camera, path: Path) -> TableFit:
    with ExitStack() as stack:
        eye, _, _ = open_eye(name or None, "{}x{}".format(*camera.size_px), stack)

        def look() -> tuple[NDArray[np.uint8], float]:
            frame = eye.read()
            return frame.image, frame.t_s

        return table_step.live(look, mat, camera, path)


def _told_mm(arguments: argparse.Namespace) -> tuple[float, float] | None:
    """The mat's size as the operator told it; None where nothing was said."""
    if arguments.mat is not None:
        return layouts.mat_size(arguments.mat)
    return None if arguments.layout is None else layouts.find(arguments.layout).mat_mm
