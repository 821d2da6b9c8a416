"""`hanafuda calibrate STEP`: tell the program where camera, mat and projector are; or `--corners`, `--show`, `--back`.

Each step is a module `app.commands.calibrate_<step>` with `add_arguments(parser)` and `run(arguments) -> exit code`.
"""

import argparse
import importlib
from pathlib import Path
from typing import Final

from app import profiles
from app.calibrating import default_path
from app.handwork import Wish, by_numbers, by_window
from engine.errors import ConfigError

STEPS: Final = {
    "lens": "1. once per camera: hold the printed board into its picture until the lens is known",
    "table": "2. when camera or mat hang or lie elsewhere: find the mat by its printed markers",
    "projector": "3. by itself: find where the projector's light falls, and say in mm how exactly",
}
"""The steps of a whole calibration, in order, and what each is for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    add = parser.add_argument
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--corners", action="store_true", help="make a quick profile from the mat's four corners")
    ways.add_argument("--show", action="store_true", help="say what the profile holds, and which former ones are kept")
    ways.add_argument(
        "--back",
        nargs="?",
        type=int,
        const=1,
        metavar="N",
        help="go back to a former profile: the last one, or number N of --show; the one in force is kept",
    )
    add("--mat", metavar="WIDTHxHEIGHT", help="the mat's size in mm (default: that of the built-in layout for two)")
    add("--camera", metavar="ID", help="the camera over the table (default: the only one there is)")
    add("--size", metavar="WIDTHxHEIGHT", default="1920x1080", help="the camera's picture size (default 1920x1080)")
    add("--display", metavar="NAME|N", help="the projector's display, `none` without one (default: the second display)")
    add("--image", type=Path, metavar="FILE", help="take the corners from a picture instead of a live camera")
    add("--at", nargs=4, metavar="X,Y", help="without a window: the corners in --image, from near left anticlockwise")
    add("--projector", metavar="WIDTHxHEIGHT", help="without a window: the projector's picture size")
    add("--dots", nargs=4, metavar="X,Y", help="without a window: projector px that light the same four corners")
    add("--lens", type=Path, metavar="PROFILE", help="use the lens of this profile instead of a guess")
    add("--out", type=Path, metavar="FILE", help="the profile (default: calibration.yaml in the user data folder)")
    add("--json", action="store_true", help="answer as JSON")
    steps = parser.add_subparsers(metavar="STEP", dest="step")
    for step, help_ in STEPS.items():
        module = importlib.import_module(f"app.commands.calibrate_{step}")
        sub = steps.add_parser(step, help=help_, description=help_[3].upper() + help_[4:] + ".", allow_abbrev=False)
        module.add_arguments(sub)
        sub.set_defaults(run_step=module.run)


def run(arguments: argparse.Namespace) -> int:
    """Makes or shows a profile. Raises ConfigError, CalibrationError or DeviceError; then nothing is written."""
    if arguments.step is not None:
        return int(arguments.run_step(arguments))
    out = arguments.out or default_path()
    if arguments.show:
        return profiles.show(out, arguments.json)
    if arguments.back is not None:
        return profiles.back(out, arguments.back, arguments.json)
    if not arguments.corners:
        raise ConfigError(f"calibrate: say what to do: {', '.join(STEPS)} (in this order), --corners, --show or --back")
    wish = Wish(
        out=out,
        mat=arguments.mat,
        camera=arguments.camera,
        size=arguments.size,
        display=arguments.display,
        image=arguments.image,
        lens=arguments.lens,
        as_json=arguments.json,
    )
    if arguments.at is None:
        return by_window(wish)
    return by_numbers(wish, arguments.at, arguments.projector, arguments.dots)
