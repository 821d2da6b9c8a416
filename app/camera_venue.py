"""The table under a real camera, with a projector if the profile knows one."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack

from app.follow import Moment
from app.lasting_camera import LastingCamera
from app.light import Light
from app.lights import Lights
from app.loop import RGB, Desk, Ending, Table
from app.orders import AnyOrder
from app.output import progress
from app.play import Wish
from app.setup import Setup
from app.stdin_orders import LineOrders
from app.tables import Real
from app.venues import wait_for_ending
from app.viewer import describe
from calibration.profile import Profile, check_size
from engine.events import Knocked
from projection import window
from projection.display import Projector
from vision.capture import Camera, open_camera
from vision.values import Frame


class CameraVenue:
    """Opens the camera, and the projector's display, once for all games. Raises DeviceError or CalibrationError.

    `display` names the projector's display (None: the only second one). `screen` is the operator's window or None.
    """

    def __init__(
        self, camera: str, profile: Profile, file: str, display: str | None, screen: window.Window | None
    ) -> None:
        self._devices = ExitStack()
        mode = profile.camera.mode
        self.fps = float(mode.get("fps", 30))

        def opened() -> Camera:
            return open_camera(
                camera, profile.size_px, self.fps, str(mode.get("fourcc", "MJPG")), profile.camera.locked
            )

        first_device = opened()
        self._devices.callback(first_device.close)
        for complaint in first_device.complaints:
            progress(f"note: camera {camera}: {complaint}")
        first = first_device.read()
        check_size(profile, (first.image.shape[1], first.image.shape[0]), file)
        spare = [first_device]
        self._camera = LastingCamera(lambda: spare.pop() if spare else opened(), camera, profile.size_px, self.fps)
        self._devices.callback(self._camera.close)
        self._profile = profile
        self._screen = screen
        self._light: Light | None = None
        if profile.projector is not None:
            size_px = profile.projector.size_px
            wanted = display or str(profile.projector.display.get("name", "")) or None
            self._light = Light(lambda: Projector(wanted, size_px))
            self._devices.callback(self._light.close)
        self._lines = LineOrders(sys.stdin) if sys.stdin is not None and sys.stdin.isatty() else None

    facts = None

    def open(self, _wish: Wish, _number: int, start_s: float) -> Table:
        """The table for a game; the camera stays open from game to game."""
        light = self._light
        return Real(self._read, (lambda _: None) if light is None else light.show, lambda: None, self._profile, start_s)

    def _read(self) -> Frame:
        if self._light is not None:
            self._light.keep()
        return self._camera.read()

    def desk(self, _table: Table, setup: Setup, _lights: Lights) -> Desk:
        """The operator's window, or only the keys of the projector's; and orders typed as lines."""
        from app.play_window import WindowDesk, key_orders

        if self._screen is None:
            return Desk(lambda: (*key_orders(self._light is not None), *self._typed()), tell_knocks)
        desk = WindowDesk(self._screen, setup)

        def watch(frame: Frame, moment: Moment, picture: RGB) -> None:
            tell_knocks(frame, moment, picture)
            desk.watch(frame, moment, picture)

        return Desk(lambda: (*desk.orders(), *self._typed()), watch)

    def _typed(self) -> Sequence[AnyOrder]:
        return () if self._lines is None else self._lines.take()

    def linger(self, desk: Desk) -> Ending:
        """Waits for the next game or the end."""
        return wait_for_ending(desk.orders)

    def close(self) -> None:
        """Lets go of camera and display."""
        self._devices.close()


def tell_knocks(_frame: Frame, moment: Moment, _picture: RGB) -> None:
    """Says on stderr what was moved, and what was done about it."""
    for event in moment.events:
        if isinstance(event, Knocked):
            progress(f"{event.t_s:.0f} s: {describe(event)}")
