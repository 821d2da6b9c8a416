"""From guidance to the projected picture: drawn anew only when what is shown has changed."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.follow import Moment
from app.saying import Offer
from app.watching import can_watch
from app.watching_marks import mark_grounds, mark_places, mark_shapes
from calibration.frames import Pose
from calibration.homography import Homography
from calibration.layout import Layout
from calibration.profile import Profile
from calibration.projector_map import ProjectorMap
from engine.cards import Card
from engine.events import Words
from engine.game import Game
from engine.guidance import Guidance
from projection.compose import compose
from projection.raster import Painter
from projection.scene import Scene
from projection.spots import SpotMark
from vision.values import Observation

PREVIEW_PX: Final = 1280
"""Width of the picture where the profile knows no projector: the mat from above."""
LANGUAGES: Final = ("both", "en", "ja")
STEADY_MM: Final = 1.0
STEADY_RAD: Final = 0.02
STEADY_HEIGHT_MM: Final = 3.0


class Lights:
    """The picture on the mat. `language` (`en`, `ja`, `both`) may be changed at any time."""

    def __init__(self, profile: Profile, layout: Layout, game: Game[Any], language: str) -> None:
        self.language = language
        self.projector_from_table, self.size_px = projector_of(profile)
        self.scene = Scene()
        self._layout = layout
        self._titles: Mapping[str, Words] = {yaku.id: yaku.title for yaku in game.book.yaku}
        self._painter = Painter(self.projector_from_table, self.size_px)
        markers = profile.table.markers if can_watch(profile) and profile.projector is not None else None
        places = {} if markers is None else mark_places(layout, markers)
        self._marks, self._taken = mark_shapes(places), mark_grounds(places)
        self._poses: Mapping[Card, Pose] = {}
        self._others: tuple[Pose, ...] = ()
        self._shown: object = None

    def picture(self, moment: Moment) -> NDArray[np.uint8]:
        """The projector's picture, uint8 (H, W, 3) RGB: the same object as before while nothing has changed."""
        seen = moment.observation
        self._aim(moment)
        if seen.wants_dark:
            return self._painter.paint(Scene())
        self._poses = steady(self._poses, poses(seen))
        pile = draw_pile(seen)
        self._others = steady_others(self._others, (*others(seen), *(() if pile is None else (pile,))))
        pile = None if pile is None else self._others[-1]
        occupied = self._others if pile is None else self._others[:-1]
        shown = (moment.guidance, self._poses, occupied, pile, self.language, moment.offers)
        if shown != self._shown:
            self._shown = shown
            self.scene = compose(
                moment.guidance,
                self._poses,
                self._layout,
                self.language,
                pile,
                occupied,
                self._titles,
                marks_of(moment.offers),
                self._taken,
            )
            self.scene = Scene((*self._marks, *self.scene.shapes))
        return self._painter.paint(self.scene)

    def notice(self, words: Words) -> NDArray[np.uint8]:
        """A picture with nothing but these words to all seats, uint8 (H, W, 3) RGB, where nothing else is known."""
        self._shown = None
        scene = compose(Guidance(headline=words), {}, self._layout, self.language, taken=self._taken)
        return self._painter.paint(scene)

    def _aim(self, moment: Moment) -> None:
        """Where the projector points now: its picture is drawn anew where that has changed."""
        light = None if moment.aim is None else moment.aim.light
        if light is not None and light is not self.projector_from_table:
            self.projector_from_table = light
            self._painter = Painter(light, self.size_px)


def marks_of(offers: Iterable[Offer]) -> tuple[SpotMark, ...]:
    """The spots as they are drawn."""
    return tuple(SpotMark(o.spot.x_mm, o.spot.y_mm, o.spot.radius_mm, o.spot.seat, o.words, o.progress) for o in offers)


def poses(observation: Observation) -> Mapping[Card, Pose]:
    """Where the known cards lie."""
    return {
        seen.card: seen.pose
        for seen in observation.cards
        if seen.card is not None and seen.face_up and seen.card not in observation.gone
    }


def draw_pile(observation: Observation) -> Pose | None:
    """Where the top of the draw pile lies: the highest of the face-down cards in its zone."""
    down = [s.pose for s in observation.cards if not s.face_up and s.place is not None and s.place.zone == "draw"]
    return max(down, key=lambda pose: pose.height_mm, default=None)


def others(observation: Observation) -> tuple[Pose, ...]:
    """Cards that are not known: face down outside the draw pile's zone, or not readable."""
    return tuple(
        s.pose
        for s in observation.cards
        if (s.card is None or not s.face_up) and not (not s.face_up and s.place is not None and s.place.zone == "draw")
    )


def steady(shown: Mapping[Card, Pose], seen: Mapping[Card, Pose]) -> Mapping[Card, Pose]:
    """The poses to show: a card that is nearly where it is shown stays there, so that its ring does not tremble."""
    return {card: shown[card] if card in shown and _near(shown[card], pose) else pose for card, pose in seen.items()}


def steady_others(shown: Iterable[Pose], seen: Iterable[Pose]) -> tuple[Pose, ...]:
    """The same for cards without a name: each takes the shown pose that is nearly its own."""
    known = tuple(shown)
    return tuple(next((old for old in known if _near(old, pose)), pose) for pose in seen)


def _near(a: Pose, b: Pose) -> bool:
    turn = (a.angle_rad - b.angle_rad + math.pi) % (2 * math.pi) - math.pi
    return (
        math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) <= STEADY_MM
        and abs(turn) <= STEADY_RAD
        and abs(a.height_mm - b.height_mm) <= STEADY_HEIGHT_MM
    )


def projector_of(profile: Profile) -> tuple[Homography | ProjectorMap, tuple[int, int]]:
    """The map from table mm to the projector's px and its picture's size; without a projector, the mat from above."""
    if profile.projector is not None:
        return profile.projector.bent or profile.projector.projector_from_table, profile.projector.size_px
    width, height = profile.mat_mm
    scale = PREVIEW_PX / width
    size_px = (PREVIEW_PX, round(height * scale))
    rows = [scale, 0, (size_px[0] - 1) / 2, 0, -scale, (size_px[1] - 1) / 2, 0, 0, 1]
    return Homography.from_rows("projector", "table", rows), size_px
