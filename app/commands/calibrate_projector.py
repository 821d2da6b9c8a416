"""`hanafuda calibrate projector`: finds by itself where the projector's light falls, and says in mm how exactly."""

import argparse
from pathlib import Path

from app import projector_step
from app.calibrating import default_path
from app.output import answer_json
from app.report.words import LANGUAGES, usual_language
from app.simulated_setup import SEED, simulated_path
from calibration.layout import builtin_layout
from calibration.profile import load_profile
from calibration.refusals import Refusal
from engine.errors import HanafudaError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the step takes."""
    add = parser.add_argument
    add("--profile", type=Path, metavar="FILE", help="the profile with lens and mat (default: that of this machine)")
    add("--out", type=Path, metavar="FILE", help="write the profile here instead of over --profile")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--export-patterns", type=Path, metavar="FOLDER", help="write the pictures to project, and stop")
    ways.add_argument("--images", type=Path, metavar="FOLDER", help="photographs of them, under the same names")
    ways.add_argument(
        "--simulated",
        nargs="?",
        type=int,
        const=SEED,
        metavar="SEED",
        help="try the step on a simulated rig (on its profile, where the steps before have made one)",
    )
    add("--projector", "--size", metavar="WIDTHxHEIGHT", help="the projector's picture (default: of the display)")
    add("--camera", metavar="ID", help="the camera (default: that of the profile)")
    add("--display", metavar="NAME|N", help="the projector's display (default: the one on which the camera sees light)")
    add("--report", type=Path, metavar="FILE", help="the report, .html and .json (default: beside the profile)")
    add("--language", choices=LANGUAGES, help="language of the report (default: that of this computer, else en)")
    add("--json", action="store_true", help="answer as JSON")


def mat_of(path: Path) -> tuple[float, float]:
    """The mat of the profile at `path`, else that of the layout for two."""
    try:
        return load_profile(path).mat_mm
    except HanafudaError:
        return builtin_layout(2).mat_mm


def run(arguments: argparse.Namespace) -> int:
    """0: exact, 1: written but wanting, 2: refused, with the reason. Raises the errors of every step."""
    wish = projector_step.Wish(
        profile=arguments.profile or (default_path() if arguments.simulated is None else simulated_path()),
        out=arguments.out,
        size=arguments.projector,
        camera=arguments.camera,
        display=arguments.display,
        report=arguments.report,
        as_json=arguments.json,
        language=arguments.language or usual_language(),
    )
    if arguments.export_patterns is not None:
        return projector_step.export(wish, arguments.export_patterns)
    try:
        if arguments.images is not None:
            return projector_step.from_folder(wish, arguments.images)
        if arguments.simulated is not None:
            return projector_step.on_a_rig(wish, arguments.simulated)
        return projector_step.live(wish)
    except Refusal as refusal:
        projector_step.keep_refusal(refusal, wish, mat_of(wish.profile))
        if arguments.json:
            answer_json({"refused": refusal.reason.value, "sentence": str(refusal)})
        raise
