"""The real camera and projector as a stage for calibrating, and finding the display that the camera sees."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

import numpy as np
from numpy.typing import NDArray

from app.output import progress
from calibration.display_search import first_seen
from engine.errors import CalibrationError, DeviceError
from projection.display import Projector
from projection.sdl import DisplayInfo, displays
from projection.window import Quit, keys
from vision.capture import Camera
from vision.values import Frame


class RealStage:
    """A camera and a projector of this machine."""

    def __init__(self, camera: Camera, projector: Projector) -> None:
        self._camera, self._projector = camera, projector

    @property
    def display(self) -> DisplayInfo:
        """The projector's display."""
        return self._projector.display

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the projector's picture."""
        return self._projector.size_px

    def refresh_hz(self) -> float:
        """How many pictures a second the display really shows."""
        return round(1 / max(1e-3, self._projector.flip_interval_s()), 1)

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Projects a picture, uint8 (H, W)."""
        self._projector.show(np.ascontiguousarray(np.broadcast_to(picture[..., None], (*picture.shape, 3))))

    def read(self) -> Frame:
        """The newest frame. Raises CalibrationError where the operator closes the picture."""
        if any(isinstance(key, Quit) for key in keys()):
            raise CalibrationError("stopped; nothing was written")
        return self._camera.read()


def open_stage(camera: Camera, wanted: str | None, stack: ExitStack) -> RealStage:
    """The stage on the display that `wanted` names, or on the one on which the camera sees a projected board.

    The operator's display (the first) is never tried unless it is named. Raises DeviceError.
    """
    if wanted is None:
        wanted = str(_find(camera).index)
    return RealStage(camera, stack.enter_context(closing(Projector(wanted))))


def _find(camera: Camera) -> DisplayInfo:
    found = [display for display in displays() if display.index > 0]
    if not found:
        raise DeviceError("there is no second display for the projector; plug it in, or name one with --display")
    if len(found) == 1:
        return found[0]
    seen = first_seen(_candidates(camera, found))
    if seen is None:
        names = ", ".join(f"{d.index} {d.name or 'unnamed'}" for d in found)
        raise DeviceError(f"the camera sees light from none of the displays {names}; is the projector on?")
    progress(f"the projector is display {found[seen].index} {found[seen].name}")
    return found[seen]


def _candidates(camera: Camera, found: Sequence[DisplayInfo]) -> Iterator[tuple[RealStage, tuple[int, int]]]:
    for display in found:
        with _opened(camera, display) as stage:
            yield stage, stage.size_px


@contextmanager
def _opened(camera: Camera, display: DisplayInfo) -> Iterator[RealStage]:
    with closing(Projector(display.index)) as projector:
        yield RealStage(camera, projector)
