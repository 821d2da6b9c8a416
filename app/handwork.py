"""The two ways of calibrating by hand: corners given as numbers, or picked in a window from picture or live camera."""

import re
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from app.calibrating import keep, now_text, points, work_through
from app.corners import CornerWork, begin, finish
from app.layouts import mat_size
from app.output import progress
from calibration import profile
from calibration.layout import builtin_layout
from engine.errors import ConfigError
from vision.capture import Camera, list_cameras, open_camera

Look = Callable[[], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class Wish:
    """What the operator asked for, as typed; None where nothing was said."""

    out: Path
    mat: str | None = None
    camera: str | None = None
    size: str = "1920x1080"
    display: str | None = None
    image: Path | None = None
    lens: Path | None = None
    as_json: bool = False


def by_numbers(wish: Wish, at: Sequence[str], projector: str | None, dots: Sequence[str] | None) -> int:
    """A profile from corners of a picture and projector px as numbers. Raises ConfigError or CalibrationError."""
    if wish.image is None:
        raise ConfigError("--at: say with --image FILE in which picture these corners are")
    if (projector is None) != (dots is None):
        raise ConfigError("--projector and --dots belong together: the picture's size and four lit corners")
    image = _picture(wish.image)
    projector_px = None if projector is None else _size_px(projector, "--projector")
    work = begin(_size_of(image), _mat(wish), projector_px)
    work = work.with_points(points(at, "--at"), () if dots is None else points(dots, "--dots"))
    return _keep(work, wish, wish.camera or "", {}, {})


def by_window(wish: Wish) -> int:
    """A profile picked in a window, 1 where the operator stopped. Raises ConfigError, CalibrationError, DeviceError."""
    from app.desk import WindowDesk
    from projection.display import Projector
    from projection.sdl import displays
    from projection.window import Window

    mat = _mat(wish)
    _lens(wish, None)
    with ExitStack() as stack:
        look, name, mode = _eye(wish, stack)
        found = displays()
        projector = None
        if wish.display != "none" and (wish.display is not None or len(found) > 1):
            projector = stack.enter_context(closing(Projector(wish.display)))
        else:
            progress("note: no projector; name its display with --display to light the mat")
        window = stack.enter_context(closing(Window("hanafuda calibrate")))
        size = _size_of(look())
        _lens(wish, size)
        work = begin(size, mat, None if projector is None else projector.size_px)
        done = work_through(work, look, WindowDesk(window, projector))
        display: dict[str, str | float] = {} if projector is None else {"name": projector.display.name}
    if done is None:
        progress("stopped; nothing was written")
        return 1
    return _keep(done, wish, name, mode, display)


def _keep(
    work: CornerWork, wish: Wish, camera: str, mode: dict[str, str | float], display: dict[str, str | float]
) -> int:
    lens = _lens(wish, work.size_px)
    made, warnings = finish(
        work,
        now_text(),
        camera,
        None if lens is None else lens.lens,
        None if lens is None else lens.fit,
        mode,
        display,
    )
    return keep(wish.out, made, warnings, wish.as_json)


def _eye(wish: Wish, stack: ExitStack) -> tuple[Look, str, dict[str, str | float]]:
    """What gives pictures, its name, and its mode for the profile. A camera is closed with the stack."""
    if wish.image is not None:
        return _still(_picture(wish.image)), wish.camera or "", {}
    camera, name, mode = open_eye(wish.camera, wish.size, stack)
    return (lambda: camera.read().image), name, mode


def open_eye(wanted: str | None, size: str, stack: ExitStack) -> tuple[Camera, str, dict[str, str | float]]:
    """The camera `wanted` (the only one there is where None) at `size`, its name and its mode for the profile.

    It is closed with the stack. Raises ConfigError or DeviceError.
    """
    size_px = _size_px(size, "--size")
    name = wanted or _only_camera()
    camera = stack.enter_context(open_camera(name, size_px))
    for complaint in camera.complaints:
        progress(f"note: camera {name}: {complaint}")
    return camera, name, {"fourcc": "MJPG", "fps": 30}


def _still(image: NDArray[np.uint8]) -> Look:
    """Gives the same picture thirty times a second, as a camera would."""

    def look() -> NDArray[np.uint8]:
        time.sleep(1 / 30)
        return image

    return look


def _only_camera() -> str:
    known = list_cameras()
    if len(known) != 1:
        there = ", ".join(known) or "none is plugged in"
        raise ConfigError(f"--camera: say which camera ({there}), or give a picture with --image FILE")
    return known[0]


def _mat(wish: Wish) -> tuple[float, float]:
    return builtin_layout(2).mat_mm if wish.mat is None else mat_size(wish.mat)


def _lens(wish: Wish, size_px: tuple[int, int] | None) -> profile.Camera | None:
    """The camera of the profile whose lens is to be used. Raises ConfigError for one of another picture size."""
    if wish.lens is None:
        return None
    camera = profile.load_profile(wish.lens).camera
    if size_px is not None and camera.size_px != size_px:
        raise ConfigError(
            f"{wish.lens}: camera.size_px is {camera.size_px[0]}x{camera.size_px[1]}, "
            f"but the picture is {size_px[0]}x{size_px[1]}"
        )
    return camera


def _picture(path: Path) -> NDArray[np.uint8]:
    """A picture file as uint8 (H, W, 3) BGR. Raises ConfigError."""
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such picture")
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise ConfigError(f"{path}: is no picture that can be read")
    return np.asarray(image, dtype=np.uint8)


def _size_of(image: NDArray[np.uint8]) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


def _size_px(text: str, option: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{2,5})[x×](\d{2,5})", text)
    if found is None:
        raise ConfigError(f"{option} {text!r}: must be width x height in px, such as 1920x1080")
    return int(found[1]), int(found[2])
