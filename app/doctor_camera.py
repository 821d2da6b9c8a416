"""The camera: there, the one of the profile, its size and rate, and whether it obeys when its exposure is set."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from app.doctor_profile import Known
from calibration.findings import Check, Mark
from calibration.profile import Camera
from engine.errors import DeviceError
from vision.camera_trial import Tried, try_camera
from vision.capture import list_cameras

SLOW_SHARE: Final = 0.8
_USUAL_PX: Final = (1920, 1080)
_FPS: Final = 30.0

Try = Callable[[str, tuple[int, int], float, str, dict[str, float]], Tried]


def checks(
    wanted: str | None,
    known: Known,
    touch: bool,
    cameras: Sequence[str] | None = None,
    attempt: Try = try_camera,
) -> Iterator[Check]:
    """The checks, one after the other. `touch`: the camera is opened for some seconds."""
    found = list_cameras() if cameras is None else cameras
    camera = None if known.holds is None else known.holds.camera
    if wanted is None and camera is not None and camera.id.startswith("simulated-"):
        fix = "for a real table: hanafuda calibrate lens"
        yield Check("camera", Mark.NOTE, f"{camera.id} is a simulated rig's, nothing to open", fix)
        return
    name = wanted or (camera.id if camera is not None and camera.id else None)
    needed = known.holds is not None
    if (not found and name is None) or (not found and wanted is None and not needed):
        fix = "plug a camera in; on Linux you must be in the group video. Without one, play simulates a table"
        yield Check("camera", Mark.NOTE, "none found", fix)
        return
    if name is None and len(found) > 1:
        yield Check("camera", Mark.NOTE, f"several: {', '.join(found)}", "name the one over the table with --camera")
        return
    name = name or found[0]
    if not is_there(name, found):
        there = ", ".join(found) or "none"
        fix = "plug it in; for another camera: hanafuda calibrate lens (or play --simulated)"
        yield Check("camera", Mark.BAD, f"{name} of the profile is not plugged in; there is: {there}", fix)
        return
    if not touch:
        yield Check("camera", Mark.WELL, name)
        return
    yield from tried(name, camera, attempt)


def is_there(name: str, found: Sequence[str]) -> bool:
    """Whether a camera of that name, number or path is plugged in."""
    path = Path(f"/dev/video{name}") if name.isdigit() else Path(name)
    return name in found or (path.is_absolute() and path.exists())


def tried(name: str, camera: Camera | None, attempt: Try) -> Iterator[Check]:
    """The checks that need the camera open."""
    size = _USUAL_PX if camera is None else camera.size_px
    mode = {} if camera is None else camera.mode
    fps, locked = float(mode.get("fps", _FPS)), {} if camera is None else dict(camera.locked)
    try:
        seen = attempt(name, size, fps, str(mode.get("fourcc", "MJPG")), locked)
    except DeviceError as error:
        yield Check("camera", Mark.BAD, str(error), "close other programs that use it, plug it out and in again")
        return
    got = f"{seen.size_px[0]}x{seen.size_px[1]}"
    if seen.size_px != size and camera is not None:
        fix = "set it to that size, or calibrate at this one: hanafuda calibrate lens"
        yield Check("camera", Mark.BAD, f"{name} gives {got}, the profile is for {size[0]}x{size[1]}", fix)
    else:
        yield Check("camera", Mark.WELL, f"{name}, {got}")
    yield check_rate(seen.fps, fps)
    yield check_picture(seen)
    yield check_exposure(seen)
    for complaint in seen.complaints:
        yield Check("camera mode", Mark.NOTE, complaint, "another USB socket, or another camera; play goes on as it is")


def check_rate(fps: float, asked: float) -> Check:
    """How many pictures a second it gives."""
    found = f"{fps:.0f} pictures a second"
    if fps < SLOW_SHARE * asked:
        fix = "more light or a fixed exposure (dim light halves the rate), a USB 3 socket, no hub"
        return Check("camera rate", Mark.NOTE, f"{found} instead of {asked:g}", fix)
    return Check("camera rate", Mark.WELL, found)


def check_picture(seen: Tried) -> Check:
    """Whether its picture shows anything."""
    if seen.frozen:
        return Check("picture", Mark.BAD, "always the very same picture: it is frozen", "unplug it and plug it in")
    if seen.level < 8:
        return Check("picture", Mark.BAD, "black", "take the cap off, open the shutter, switch the lamps on")
    if seen.white > 0.1:
        fix = "dim the lamps, or shorten the exposure"
        return Check("picture", Mark.NOTE, f"{100 * seen.white:.0f} % of it is white: too bright", fix)
    return Check("picture", Mark.WELL, f"mean {seen.level:.0f} of 255, {100 * seen.white:.0f} % white")


def check_exposure(seen: Tried) -> Check:
    """Whether its exposure can be set, seen in the picture, and so be locked."""
    match seen.obeys:
        case True:
            return Check("exposure", Mark.WELL, "obeys: a shorter one made the picture darker, so it can be locked")
        case False:
            fix = "set it to manual with its maker's tool (v4l2-ctl on Linux); keep the lamps as they are while playing"
            return Check("exposure", Mark.NOTE, "does not obey: setting it changed nothing in the picture", fix)
        case None:
            fix = "keep the lamps as they are while playing"
            return Check("exposure", Mark.NOTE, "this camera does not tell its exposure", fix)
