"""Watching the table itself while people play: what moved, how far, and what is done about it.

About once a second the printed markers and the marks of light are looked at, sooner where a marker's surroundings
change. The camera and the mat are followed as soon as they rest; the projector is put right when nobody plays.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.watching_aim import Aim, Places, followed, middle_of, moved_with_mat, own_shape, relit
from app.watching_look import AtOnce, Expected, Look, Worker, look, mean_of
from app.watching_marks import mark_places
from calibration.layout import Layout
from calibration.mat_pose import marker_corners_mm
from calibration.profile import Markers, Profile
from calibration.watch import FAR_MM, NEAR_MM, Alarm, Culprit, Reference, Shift, Watching, compare, watch
from engine.events import Knocked
from vision.values import Frame

logger = logging.getLogger(__name__)

CHECK_S: Final = 1.0
HURRY_S: Final = 0.12
"""So often where something changes, or is to be mended."""
REST_MM: Final = 0.35
"""Two looks that differ by less than this, at the mat's corners, show something at rest."""
AFTER_S: Final = 0.6
"""So long after the light was sent elsewhere it may still be seen where it was."""
HOLD_S: Final = 2.5
"""Nobody is read for so long at most while something that moved has not been followed yet."""
STIRRED: Final = 14.0
"""Grey levels by which a marker's surroundings must change, on average, to be looked at at once."""
PATIENCE_S: Final = 10.0
"""So long a pause is waited for; then the projector is put right while people play."""
MENDING: Final = 5
"""So many looks at rest make the projector's new place."""
BLANK_S: Final = 10.0
"""So often a picture is looked at in which no markers were ever seen."""
LOOKS: Final = 5
"""So many looks tell how markers and marks lie while nothing has moved."""
_BLANK: Final = 5
_FEWEST: Final = 2
_MOST_NUMBER: Final = 99
_MOVING: Final = (Culprit.CAMERA, Culprit.MAT, Culprit.SEVERAL)
"""What moves the cards in the camera's picture."""


@dataclass(frozen=True, slots=True)
class News:
    """What a frame led to. `aim` is where camera and projector point from now on, None where that has not changed.

    `hold`: something has moved and was not followed yet, so what is seen on the table lies elsewhere.
    """

    events: tuple[Knocked, ...] = ()
    aim: Aim | None = None
    hold: bool = False


def can_watch(profile: Profile) -> bool:
    """Whether the profile knows printed markers by which a move can be seen."""
    markers = profile.table.markers
    return markers is not None and len(markers.centres_mm) >= 3 and max(markers.centres_mm) <= _MOST_NUMBER


class Sentry:
    """Watches one table from frame to frame. `profile` is the one of the frames and knows markers."""

    def __init__(self, profile: Profile, layout: Layout, worker: Worker | None = None) -> None:
        markers = profile.table.markers
        assert markers is not None
        self.aim = Aim.of(profile)
        self.markers: Markers = markers
        self._mat_mm = profile.mat_mm
        self._told_mm: Places = {n: marker_corners_mm(markers, n) for n in markers.centres_mm}
        self._printed_mm = self._told_mm
        self._meant_mm: Places = {} if profile.projector is None else mark_places(layout, markers)
        self._lights_mm = self._meant_mm
        self._projector_px = (0, 0) if profile.projector is None else profile.projector.size_px
        self._shapes: list[Places] = []
        self._lit: list[Places] = []
        self._worker: Worker = worker or AtOnce()
        self._state = Watching()
        self._last: Look | None = None
        self._fed_s = -CHECK_S
        self._due_s = 0.0
        self._blind_s = 0.0
        self._moved_s: float | None = None
        self._around: Places = {}
        self._patches: Mapping[int, NDArray[np.int16]] = {}
        self._loose: frozenset[int] = frozenset()
        self._turns: dict[int, int] = {}
        self._ever: set[int] = set()
        self._blank = 0
        self._waiting: Alarm | None = None
        self._searched_s = -CHECK_S
        self._unsure_light = False
        self._mending: list[Look] = []

    def see(self, frame: Frame, busy: bool) -> News:
        """What the next frame leads to. `busy`: hands are over the table."""
        found = self._worker.done()
        if found is None and not self._worker.busy and self._is_due(frame):
            self._begin(frame)
            found = self._worker.done()  # a worker that works at once has it already
        news = News() if found is None else self._take(found, busy)
        hold = self._moved_s is not None and frame.t_s - self._moved_s < HOLD_S
        return News(news.events, news.aim, hold and news.aim is None)

    def _is_due(self, frame: Frame) -> bool:
        if frame.t_s < self._blind_s:
            return False
        if frame.t_s >= self._due_s:
            return True
        last = self._last
        return last is not None and frame.t_s >= last.t_s + HURRY_S and self._stirred(frame.image)

    def _stirred(self, image: NDArray[np.uint8]) -> bool:
        """Whether a marker's surroundings look otherwise than when they were last looked at."""
        now = _patches(image, self._around)
        return any(float(np.abs(patch - now[n]).mean()) > STIRRED for n, patch in self._patches.items())

    def _begin(self, frame: Frame) -> None:
        image, markers, t_s, expected = frame.image, self.markers, frame.t_s, self._expected()
        everywhere = t_s >= self._searched_s + CHECK_S or self._moved_s is not None
        self._searched_s = t_s if everywhere else self._searched_s
        self._due_s = t_s + CHECK_S
        self._worker.start(lambda: look(image, t_s, markers, expected, everywhere))
        self._around = expected.printed
        self._patches = _patches(image, self._around)

    def _expected(self) -> Expected:
        """Where everything should be seen, or was seen last; marks of light keep the shape they should have."""
        view, last = self.aim.view, self._last
        printed = {n: view.camera_px(quad) for n, quad in self._printed_mm.items()}
        lights = {n: view.camera_px(quad) for n, quad in self._lights_mm.items()}
        if last is None:
            return Expected(printed, lights)
        both = set(lights) & set(last.lights)
        moved = {n: lights[n] + last.lights[n].mean(axis=0) - lights[n].mean(axis=0) for n in both}
        return Expected({**printed, **last.printed}, {**lights, **moved}, (printed, lights))

    def _take(self, look: Look, busy: bool) -> News:
        """What a look leads to."""
        look = replace(look, printed=self._upright(look.printed))
        before, self._last = self._last, look
        self._ever |= set(look.printed)
        if len(self._ever) < _FEWEST:  # a picture without the markers: a recording cut to the mat, another's mat
            self._blank += 1
            self._due_s = look.t_s + (BLANK_S if self._blank > _BLANK else CHECK_S)
            return News()
        if look.t_s < self._blind_s:
            return News()
        self._learn_shape(look)
        shift = compare(self._known(), look.printed, look.lights)
        self._learn_lights(look, shift)
        rests = before is not None and self._apart_mm(before, look) < REST_MM
        moved = shift.culprit in _MOVING and shift.moved_mm >= FAR_MM and len(look.printed) >= 3
        self._moved_s = (look.t_s if self._moved_s is None else self._moved_s) if moved else None
        if not rests or moved or self._waiting is not None:
            self._due_s = min(self._due_s, look.t_s + HURRY_S)
        if len(look.lights) >= 3 and shift.moved_mm < NEAR_MM:
            self._unsure_light = False
        if self._waiting is not None and (not busy or look.t_s > self._waiting.t_s + PATIENCE_S):
            mended = self._mend(look, rests)
            if mended is not None:
                return mended
        if not rests and look.t_s < self._fed_s + (HOLD_S if moved else CHECK_S):
            return News()  # what is being pulled about is judged when it rests
        self._fed_s = look.t_s
        self._state, alarm = watch(self._state, look.t_s, shift)
        if alarm is None:
            return News()
        return self._act(alarm, look if before is None or not rests else mean_of(before, look))

    def _upright(self, printed: Places) -> Places:
        """The markers' corners, each begun at the one that lies far left: a print may have them any way up."""
        view = self.aim.view
        for number, quad in printed.items():
            if number not in self._turns:
                wanted = view.camera_px(self._printed_mm[number])
                wanted, have = wanted - wanted.mean(axis=0), quad - quad.mean(axis=0)
                self._turns[number] = min(
                    range(4), key=lambda k: float(np.abs(np.roll(have, k, axis=0) - wanted).sum())
                )
        return {n: np.roll(quad, self._turns[n], axis=0) for n, quad in printed.items()}

    def _act(self, alarm: Alarm, look: Look) -> News:
        """What is done about what was found."""
        logger.info("%s moved by %.1f mm%s", alarm.culprit.value, alarm.moved_mm, ": over" if alarm.over else "")
        if alarm.over:
            self._waiting = None if alarm.culprit is Culprit.PROJECTOR else self._waiting
            self._loose -= frozenset(alarm.markers)
            return self._said(alarm, "over")
        culprit = alarm.culprit
        if culprit is Culprit.PROJECTOR and self._unsure_light:
            culprit = Culprit.SEVERAL  # it was the mat, while the marks of light could not be seen
        if culprit in (Culprit.COVERED, Culprit.MARKER):
            self._loose |= frozenset(alarm.markers) if culprit is Culprit.MARKER else frozenset()
            return self._said(alarm, "seen")
        if culprit is Culprit.PROJECTOR:
            self._waiting, self._mending = alarm, []
            return self._said(alarm, "waits")
        steady = {n: quad for n, quad in look.printed.items() if n not in self._loose}
        aim = followed(self.aim, self._printed_mm, steady)
        if aim is None:
            return self._said(alarm, "seen")
        if culprit is Culprit.MAT:
            aim = moved_with_mat(self.aim, aim)
        elif culprit is Culprit.SEVERAL and self.aim.light is not None:
            mended = relit(aim, self._lights_mm, look.lights, self._projector_px)
            if mended is None and self._unsure_light:
                return self._said(alarm, "seen")
            self._unsure_light = mended is None
            aim = mended or moved_with_mat(self.aim, aim)  # had the camera moved, the marks would be seen
        return self._follow(alarm, aim, look.t_s, "followed")

    def _mend(self, look: Look, rests: bool) -> News | None:
        """Puts the projector's light right once its marks have been seen at rest for a while."""
        if not rests or len(look.lights) < 2:
            self._mending = []
            return None
        self._mending.append(look)
        if len(self._mending) < MENDING:
            return None
        numbers = set.intersection(*(set(one.lights) for one in self._mending))
        mean = {n: np.mean([one.lights[n] for one in self._mending], axis=0) for n in numbers}
        aim, alarm = relit(self.aim, self._lights_mm, mean, self._projector_px), self._waiting
        self._mending = []
        if aim is None or alarm is None:
            return None
        self._waiting = None
        return self._follow(alarm, aim, look.t_s, "mended")

    def _follow(self, alarm: Alarm, aim: Aim, t_s: float, done: str) -> News:
        """From now on `aim` holds; what was seen before says nothing any more."""
        self.aim = aim
        self._state, self._moved_s, self._last = Watching(), None, None
        self._blind_s = t_s + AFTER_S
        self._due_s = self._blind_s
        return News(self._said(alarm, done, t_s).events, aim)

    def _said(self, alarm: Alarm, done: str, t_s: float | None = None) -> News:
        when = alarm.t_s if t_s is None else t_s
        return News((Knocked(when, alarm.culprit.value, round(alarm.moved_mm, 2), alarm.markers, done),))

    def _known(self) -> Reference:
        """Where everything should be seen now."""
        camera = self.aim.view.table_from_camera.inverse
        printed = {n: camera.map(quad) for n, quad in self._printed_mm.items()}
        lights = {n: camera.map(quad) for n, quad in self._lights_mm.items()}
        view = self.aim.view
        return Reference(printed, lights, view.table_from_camera, view.lens, self._mat_mm)

    def _learn_shape(self, look: Look) -> None:
        """From the first looks at all of them: how the markers really lie to each other."""
        if len(self._shapes) < LOOKS and len(look.printed) == len(self._told_mm):
            self._shapes.append(own_shape(self._told_mm, self.aim.seen_mm(look.printed)))
            self._printed_mm = middle_of(self._shapes)
            self._due_s = min(self._due_s, look.t_s + HURRY_S)

    def _learn_lights(self, look: Look, shift: Shift) -> None:
        """From the first looks, while all is in its place: where the marks of light are really seen.

        Cloth, lens and px of the projector make a mark look some tenths of a mm beside its place: that is no movement.
        """
        if len(self._lit) >= LOOKS or len(look.lights) < _FEWEST:
            return
        if shift.moved_mm >= NEAR_MM or len(look.printed) < len(self._told_mm):
            self._lit.clear()
            return
        if self._lit and len(look.lights) > len(self._lit[0]):  # the light was still coming
            self._lit.clear()
        self._lit.append(self.aim.seen_mm(look.lights))
        self._due_s = min(self._due_s, look.t_s + HURRY_S)
        if len(self._lit) == LOOKS:
            self._lights_mm = {**self._meant_mm, **middle_of(self._lit)}

    def _apart_mm(self, one: Look, other: Look) -> float:
        """How far what both looks saw is apart, mm: the largest move of a marker's middle; 0 where nothing is."""
        view, most = self.aim.view, 0.0
        for a, b in ((one.printed, other.printed), (one.lights, other.lights)):
            for n in set(a) & set(b):
                away = view.table_mm(a[n].mean(axis=0)) - view.table_mm(b[n].mean(axis=0))
                most = max(most, float(np.hypot(*away)))
        return most


def _patches(image: NDArray[np.uint8], corners_px: Places) -> dict[int, NDArray[np.int16]]:
    """The green around each marker, thinned out, int16, by number."""
    found = {}
    for number, quad in corners_px.items():
        low = np.maximum(quad.min(axis=0).astype(int) - 4, 0)
        high = np.maximum(quad.max(axis=0).astype(int) + 5, 0)
        part = image[low[1] : high[1] : 3, low[0] : high[0] : 3, 1]
        if part.size >= 9:
            found[number] = part.astype(np.int16)
    return found
