"""Displays: the operator's screen and the projector, its size and how often it really shows a picture."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Final

from app.screen import has_display
from calibration.findings import Check, Mark
from calibration.profile import Projector
from engine.errors import DeviceError
from projection.sdl import DisplayInfo

_HZ_SLACK: Final = 0.15
_TORN_HZ: Final = 130.0


def checks(wanted: str | None, projector: Projector | None, touch: bool) -> Iterator[Check]:
    """The checks, one after the other. `touch`: the projector shows black for a moment, to measure its rate."""
    if not has_display():
        fix = "start it from a desktop session; without one, play runs headless and replay writes --video"
        yield Check("display", Mark.NOTE, "none: DISPLAY and WAYLAND_DISPLAY are not set", fix)
        if projector is not None:
            yield Check("projector", Mark.BAD, "the profile knows one, but there is no display here", fix)
        return
    try:
        from projection.sdl import displays

        found = displays()
    except DeviceError as error:
        yield Check("display", Mark.BAD, str(error), "start it from a desktop session")
        return
    yield from check_displays(found, wanted, projector, rate_of if touch else None)


def check_displays(
    found: Sequence[DisplayInfo],
    wanted: str | None,
    projector: Projector | None,
    rate: Callable[[DisplayInfo], float] | None,
) -> Iterator[Check]:
    """The screens that there are, and whether one can be the projector. `rate` measures pictures a second."""
    from projection.display import choose

    yield Check("display", Mark.WELL, f"{_named(found[0])}, the operator's")
    named = wanted or (str(projector.display.get("name", "")) if projector is not None else "") or None
    if projector is None and wanted is None and len(found) < 2:
        fix = "plug the projector in and extend the desktop to it (do not mirror)"
        yield Check("projector", Mark.NOTE, "there is no second display", fix)
        return
    try:
        chosen = choose(found, named, None if projector is None else projector.size_px)
    except DeviceError as error:
        fix = "plug it in, extend the desktop to it, set its size; else: hanafuda calibrate projector"
        yield Check("projector", Mark.BAD, str(error), fix)
        return
    if chosen.index == 0 and len(found) > 1:
        yield Check("projector", Mark.NOTE, f"{_named(chosen)} is the operator's screen", "name another with --display")
        return
    yield check_rate(chosen, None if rate is None else rate, projector)


def check_rate(display: DisplayInfo, rate: Callable[[DisplayInfo], float] | None, projector: Projector | None) -> Check:
    """How many pictures a second the projector really shows."""
    if rate is None:
        return Check("projector", Mark.WELL, _named(display))
    try:
        hz = rate(display)
    except DeviceError as error:
        return Check("projector", Mark.BAD, str(error), "plug it out and in again, and close what else covers it")
    found, told = (
        f"{_named(display)}, {hz:.0f} pictures a second",
        projector.display.get("refresh_hz") if projector else 0,
    )
    if hz > _TORN_HZ:
        fix = "turn vertical synchronisation on in the driver; without it pictures may tear"
        return Check("projector", Mark.NOTE, f"{found}: it does not wait for the display", fix)
    if isinstance(told, int | float) and told and abs(hz - told) > _HZ_SLACK * told:
        fix = "set its refresh rate back, or run hanafuda calibrate projector"
        return Check("projector", Mark.NOTE, f"{found}; it was {told:g} when calibrated", fix)
    return Check("projector", Mark.WELL, found)


def rate_of(display: DisplayInfo) -> float:
    """Pictures a second that a display shows, measured with black ones. Raises DeviceError."""
    from projection.display import Projector as Screen

    with closing(Screen(display.index)) as screen:
        if screen.is_lost():
            raise DeviceError(f"a picture for display {display.index} opens on another one")
        return 1 / max(1e-4, screen.flip_interval_s())


def _named(display: DisplayInfo) -> str:
    session = "" if display.name else f" ({os.environ.get('WAYLAND_DISPLAY') or os.environ.get('DISPLAY') or ''})"
    return f"{display.index} {display.name or 'unnamed'}{session} {display.size_px[0]}x{display.size_px[1]}"
