"""A simulated rig under watch while nobody plays: its marks of light are lit, and every frame goes to the sentry."""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.rigs.rig import SimulatedRig
from app.rigs.spec import RigSpec
from app.watching import Sentry
from app.watching_marks import mark_places, mark_shapes
from calibration.corners import camera_position
from calibration.layout import Layout, Seat, Zone
from calibration.mat_pose import find_mat, marker_corners_mm
from calibration.photographs import photo
from calibration.profile import Camera, Profile, Projector, Table
from calibration.projector_map import ProjectorMap, fit_projector_map
from engine.events import Knocked, Place
from projection.raster import Painter
from projection.scene import Scene
from vision.values import Frame

FPS: Final = 15.0
"""Frames a second, as a game is followed."""
_LOOKS: Final = 6
_ROOM: Final = 0.75  # sides of a marker around its middle that stay free of other light


class WatchedRig:
    """A rig that was calibrated as its truth says, and its sentry. `rig` may be changed at any time."""

    def __init__(self, spec: RigSpec) -> None:
        self.rig = SimulatedRig(replace(spec, fps=FPS))
        self.layout = bare_layout(spec)
        self._markers = spec.markers
        self.sentry = Sentry(true_profile(self.rig), self.layout)
        self._lit: ProjectorMap | None = None
        self._light()

    @property
    def t_s(self) -> float:
        """The time of the last frame, s."""
        return self.rig.frame / FPS

    def run(self, seconds: float, busy: bool = False) -> list[Knocked]:
        """What is said in so many seconds; the light goes where the sentry says."""
        said: list[Knocked] = []
        for _ in range(round(seconds * FPS)):
            said += self.see(busy)
        return said

    def see(self, busy: bool = False) -> tuple[Knocked, ...]:
        """What the next frame leads to."""
        seen = self.rig.read()
        news = self.sentry.see(Frame(seen.image, seen.t_s, self.rig.frame), busy)
        self._light()
        return news.events

    def light_error_mm(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far from points of the mat, shape (N, 2), light that is meant for them falls now, mm, shape (N,)."""
        light = self.sentry.aim.light
        assert light is not None
        return self.rig.overlay_error_mm(light.map(points_mm), points_mm)

    def corners_px(self) -> dict[int, list[NDArray[np.float64]]]:
        """Where each printed marker, and the mark of light meant for its corner, should be seen: px (4, 2) each."""
        markers, view = self._markers, self.sentry.aim.view
        lights = mark_places(self.layout, markers)
        return {
            n: [view.camera_px(marker_corners_mm(markers, n)), *([view.camera_px(lights[n])] if n in lights else [])]
            for n in markers.centres_mm
        }

    def _light(self) -> None:
        light, size = self.sentry.aim.light, self.rig.size_px
        if light is None or light is self._lit:
            return
        shapes = mark_shapes(mark_places(self.layout, self._markers))
        self.rig.show(cv2.cvtColor(Painter(light, size).paint(Scene(shapes)), cv2.COLOR_RGB2GRAY).astype(np.uint8))
        self._lit = light


def bare_layout(spec: RigSpec) -> Layout:
    """A layout of the rig's mat without zones but those that keep its printed markers free."""
    reach = spec.markers.size_mm * _ROOM
    zones = []
    for x, y in spec.markers.centres_mm.values():
        box = ((x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach))
        zones.append(Zone(Place("box"), box))
    return Layout("bare", spec.mat_mm, (Seat(0.0), Seat(180.0)), tuple(zones))


def true_profile(rig: SimulatedRig) -> Profile:
    """The profile that a perfect calibration of lens and projector makes, and the mat as it is seen now."""
    spec = rig.spec
    for _ in range(spec.delay_frames + 2):
        rig.read()
    lens = spec.camera.lens
    pose = find_mat(photo([rig.read().image for _ in range(_LOOKS)]).grey, spec.markers, lens)
    position, _, _ = camera_position(pose.table_from_camera, lens)
    camera = Camera(spec.camera_id, spec.camera.size_px, lens, {"fourcc": "MJPG", "fps": spec.fps}, {})
    fitted = true_map(spec)
    beam = Projector(spec.projector.size_px, fitted.plain, {}, fitted if fitted.bend else None)
    table = Table(spec.mat_mm, pose.table_from_camera, position, spec.markers)
    return Profile("2026-01-01T00:00:00Z", camera, table, beam)


def true_map(spec: RigSpec) -> ProjectorMap:
    """The projector's map as a perfect calibration finds it."""
    x, y = (np.linspace(-side / 2, side / 2, 12) for side in spec.mat_mm)
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    return fit_projector_map(points, spec.projector.px(points), spec.projector.size_px).map
