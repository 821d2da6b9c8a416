"""`hanafuda calibrate --corners`: where camera, mat and projector are, by four corners; `--show` says what is known."""

import argparse
import re
from pathlib import Path

import cv2

from app.calibrating import default_path, keep, now_text, points, show
from app.corners import begin, finish
from app.layouts import mat_size
from calibration.layout import builtin_layout
from calibration.profile import load_profile
from engine.errors import ConfigError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    add = parser.add_argument
    steps = parser.add_mutually_exclusive_group(required=True)
    steps.add_argument("--corners", action="store_true", help="make a profile from the mat's four corners")
    steps.add_argument("--show", action="store_true", help="say what the profile holds")
    add("--mat", metavar="WIDTHxHEIGHT", help="the mat's size in mm (default: that of the built-in layout for two)")
    add("--image", type=Path, metavar="FILE", help="a picture of the camera to take the corners from")
    add("--at", nargs=4, metavar="X,Y", help="the corners in that picture: near left, near right, far right, far left")
    add("--projector", metavar="WIDTHxHEIGHT", help="the projector's picture size in px")
    add("--dots", nargs=4, metavar="X,Y", help="projector px that light the same four corners")
    add("--lens", type=Path, metavar="PROFILE", help="use the lens of this profile instead of a guess")
    add("--camera", metavar="ID", default="", help="the camera's name for the profile")
    add("--out", type=Path, metavar="FILE", help=f"the profile (default: {default_path()})")
    add("--json", action="store_true", help="answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Makes or shows a profile. Raises ConfigError or CalibrationError; then nothing is written."""
    path = arguments.out or default_path()
    if arguments.show:
        return show(path, arguments.json)
    if arguments.at is None or arguments.image is None:
        raise ConfigError("--corners: give a picture with --image FILE and its corners with --at X,Y X,Y X,Y X,Y")
    size = _picture_size(arguments.image)
    mat = builtin_layout(2).mat_mm if arguments.mat is None else mat_size(arguments.mat)
    if (arguments.projector is None) != (arguments.dots is None):
        raise ConfigError("--projector and --dots belong together: the picture's size and four lit corners")
    projector = None if arguments.projector is None else _size_px(arguments.projector)
    work = begin(size, mat, projector)
    dots = () if arguments.dots is None else points(arguments.dots, "--dots")
    lens = load_profile(arguments.lens).camera if arguments.lens is not None else None
    if lens is not None and lens.size_px != size:
        raise ConfigError(
            f"{arguments.lens}: camera.size_px is {lens.size_px[0]}x{lens.size_px[1]}, "
            f"but {arguments.image} is {size[0]}x{size[1]}"
        )
    profile, warnings = finish(
        work.with_points(points(arguments.at, "--at"), dots),
        now_text(),
        arguments.camera,
        lens.lens if lens else None,
        lens.fit if lens else None,
    )
    return keep(path, profile, warnings, arguments.json)


def _picture_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture file. Raises ConfigError."""
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such picture")
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise ConfigError(f"{path}: is no picture that can be read")
    return image.shape[1], image.shape[0]


def _size_px(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{2,5})[x×](\d{2,5})", text)
    if found is None:
        raise ConfigError(f"--projector {text!r}: must be width x height in px, such as 1920x1080")
    return int(found[1]), int(found[2])
