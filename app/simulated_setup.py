"""A whole setup without hardware: every step of `calibrate` on a simulated rig, through the code of the real ones."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app import lens_step, table_step
from app.calibrating import Input
from app.output import ProgressLine
from app.rigs.rig import SimulatedRig
from app.rigs.spec import RigSpec, random_spec
from app.simulated_board import BoardHolder
from calibration import history
from calibration.board import Board
from calibration.mat_markers import distances_mm
from calibration.profile import Camera
from calibration.table_fit import TableFit
from engine.errors import ConfigError
from engine.events import Words
from vision.deck import hanafuda_home

SEED: Final = 1
"""The rig that is taken where nobody says which."""


def simulated_path() -> Path:
    """Where the profile of a simulated rig is kept: never over that of the real table."""
    return hanafuda_home() / "simulated.yaml"


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """A simulated rig that has been put up, with what is known of it before anything is measured."""

    spec: RigSpec
    rig: SimulatedRig

    def look(self) -> tuple[NDArray[np.uint8], float]:
        """The rig's newest picture, uint8 (H, W, 3) BGR, and its time."""
        frame = self.rig.read()
        return frame.image, frame.t_s


def put_up(seed: int) -> Bench:
    """The rig of that seed."""
    spec = random_spec(seed)
    return Bench(spec, SimulatedRig(spec))


class QuietDesk:
    """A desk without a window: says what a person would read, and keeps the last picture."""

    def __init__(self) -> None:
        self._line = ProgressLine()
        self.picture: NDArray[np.uint8] | None = None

    def inputs(self) -> Iterable[Input]:
        """Nobody touches anything."""
        return ()

    def show(self, picture_bgr: NDArray[np.uint8], words: Words, problem: str) -> None:
        """Keeps the picture and says the words."""
        self.picture = picture_bgr
        self._line.show(problem or words.en)

    def project(self, picture_rgb: NDArray[np.uint8]) -> None:
        """There is no light in this step."""

    def done(self) -> None:
        """Ends the line."""
        self._line.done()


def lens(bench: Bench, board: Board, desk: QuietDesk) -> lens_step.Found:
    """The lens step: a simulated person holds the board where the words say. Raises CalibrationError."""
    background = bench.look()[0]
    holder = BoardHolder(board, bench.spec.camera.lens, background, bench.spec.noise, bench.spec.seed)
    found = lens_step.live(board, holder.look, desk)
    assert found is not None  # nobody closes the window
    desk.done()
    return found


def mat(bench: Bench) -> tuple[table_step.Mat, tuple[float, float]]:
    """The mat as printed, and the two distances that a ruler shows."""
    markers = bench.spec.markers
    return table_step.Mat(bench.spec.mat_mm, markers), distances_mm(markers)


def table(bench: Bench, camera: Camera, path: Path) -> TableFit:
    """The table step on the rig. Raises CalibrationError."""
    return table_step.live(bench.look, mat(bench)[0], camera, path)


def option(bench: Bench) -> str:
    """What to add to the next command, so that it goes on with this rig."""
    return " --simulated" + ("" if bench.spec.seed == SEED else f" {bench.spec.seed}")


def is_of(path: Path, bench: Bench) -> bool:
    """Whether the file at `path` holds what the steps before found on this very rig."""
    return path.is_file() and history.load_any(path).camera.id == bench.spec.camera_id


def check_is_of(path: Path, bench: Bench) -> None:
    """Raises ConfigError where the profile at `path` is another camera's."""
    if path.is_file() and not is_of(path, bench):
        raise ConfigError(
            f"{path}: is not of the simulated rig {bench.spec.seed}; begin with: "
            f"hanafuda calibrate lens --simulated {bench.spec.seed}"
        )
