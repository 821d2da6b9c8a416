"""`hanafuda calibrate --corners`: where camera, mat and projector are, by four corners; `--show` says what is known."""

import argparse
from pathlib import Path

from app.calibrating import default_path, show
from app.handwork import Wish, by_numbers, by_window


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    add = parser.add_argument
    steps = parser.add_mutually_exclusive_group(required=True)
    steps.add_argument("--corners", action="store_true", help="make a profile from the mat's four corners")
    steps.add_argument("--show", action="store_true", help="say what the profile holds")
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


def run(arguments: argparse.Namespace) -> int:
    """Makes or shows a profile. Raises ConfigError, CalibrationError or DeviceError; then nothing is written."""
    out = arguments.out or default_path()
    if arguments.show:
        return show(out, arguments.json)
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
