"""`hanafuda calibrate lens`: the camera's lens from pictures of the printed board, live or from a folder."""

import argparse
import re
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app import lens_step, simulated_setup
from app.calibrating import default_path
from app.handwork import open_eye
from app.output import progress
from app.simulated_setup import SEED
from calibration.board import Board
from engine.errors import ConfigError


def add_board_arguments(parser: argparse.ArgumentParser) -> None:
    """What says which board it is; the defaults are the board that `hanafuda print board` prints."""
    add, usual = parser.add_argument, Board()
    add("--board", metavar="COLUMNSxROWS", default=str(usual), help=f"squares of the board (default {usual})")
    add("--square-mm", type=float, metavar="MM", default=usual.square_mm, help="side of a square, as measured")
    add("--marker-mm", type=float, metavar="MM", default=usual.marker_mm, help="side of a marker in a square")
    add("--dictionary", metavar="NAME", default=usual.dictionary, help=f"its markers (default {usual.dictionary})")


def board_of(arguments: argparse.Namespace) -> Board:
    """The board that was asked for. Raises ConfigError."""
    found = re.fullmatch(r"\s*(\d{1,3})\s*[x×]\s*(\d{1,3})\s*", arguments.board)
    if found is None:
        raise ConfigError(f"--board {arguments.board!r}: must be columns x rows of squares, such as 11x8")
    return Board(int(found[1]), int(found[2]), arguments.square_mm, arguments.marker_mm, arguments.dictionary)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the step takes."""
    add = parser.add_argument
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--images", type=Path, metavar="FOLDER", help="take pictures from this folder, no live camera")
    ways.add_argument(
        "--simulated", nargs="?", type=int, const=SEED, metavar="SEED", help="try the step on a simulated rig"
    )
    add("--camera", metavar="ID", help="the camera (default: the only one there is)")
    add("--size", metavar="WIDTHxHEIGHT", default="1920x1080", help="the camera's picture size (default 1920x1080)")
    add_board_arguments(parser)
    add("--out", type=Path, metavar="FILE", help="the profile (default: calibration.yaml in the user data folder)")
    add("--json", action="store_true", help="answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Finds the lens; 1 where the operator stopped. Raises ConfigError, CalibrationError or DeviceError."""
    board = board_of(arguments)
    if arguments.simulated is not None:
        return _simulated(arguments, board)
    out = arguments.out or default_path()
    if arguments.images is not None:
        found = lens_step.from_folder(arguments.images, board)
        return lens_step.keep(found, arguments.camera or "", {}, out, arguments.json)
    return _live(arguments, board, out)


def _simulated(arguments: argparse.Namespace, board: Board) -> int:
    bench, desk = simulated_setup.put_up(arguments.simulated), simulated_setup.QuietDesk()
    found = simulated_setup.lens(bench, board, desk)
    out = arguments.out or simulated_setup.simulated_path()
    off = 100 * (found.result.lens.K[0, 0] / bench.spec.camera.lens.K[0, 0] - 1)
    progress(f"the rig knows the truth: the focal length is off by {off:+.2f} %")
    mode: dict[str, str | float] = {"fourcc": "MJPG", "fps": bench.spec.fps}
    option = simulated_setup.option(bench)
    return lens_step.keep(found, bench.spec.camera_id, mode, out, arguments.json, option)


def _live(arguments: argparse.Namespace, board: Board, out: Path) -> int:
    from app.desk import WindowDesk
    from projection.window import Window

    with ExitStack() as stack:
        camera, name, mode = open_eye(arguments.camera, arguments.size, stack)
        window = stack.enter_context(closing(Window("hanafuda calibrate lens")))

        def look() -> tuple[NDArray[np.uint8], float]:
            frame = camera.read()
            return frame.image, frame.t_s

        live = lens_step.live(board, look, WindowDesk(window))
    if live is None:
        progress("stopped; nothing was written")
        return 1
    return lens_step.keep(live, name, mode, out, arguments.json)
