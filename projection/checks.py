"""What a picture on the mat must hold, checked on the scene itself: used by the tests and by `bench`."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frames import Pose
from calibration.homography import Homography
from calibration.layout import Layout
from engine.cards import Card
from engine.events import Place, Tally, Words
from engine.guidance import Cue, Guidance, Role
from projection.compose import compose
from projection.outline import text_box
from projection.raster import rasterise
from projection.scene import CARD_MM, Point, Scene, Text
from projection.space import meet
from projection.text import missing

SMALLEST_TEXT_MM: Final = 5.5
"""A full-width character below this cannot be read at half a metre with 0.65 mm pixels."""
ALIKE: Final = 0.75
"""Two roles look alike when they share this part of the pixels that either of them lights."""
_PX_PER_MM: Final = 1.5


def problems(scene: Scene, layout: Layout, cards: Iterable[Pose]) -> tuple[str, ...]:
    """One sentence for everything that is wrong with the picture; `cards` are all cards and piles on the mat."""
    poses = tuple(cards)
    found = [*_texts(scene.texts, layout, poses), *_overlaps(scene.texts)]
    dark = darkness(scene, layout, poses)
    found += [f"light falls on the card at ({p.x_mm:.0f}, {p.y_mm:.0f})" for p in poses if dark[p] > 0]
    return tuple(found)


def _texts(texts: Sequence[Text], layout: Layout, poses: Sequence[Pose]) -> Iterable[str]:
    width, height = layout.mat_mm[0] / 2, layout.mat_mm[1] / 2
    for text in texts:
        box = text_box(text)
        if any(abs(x) > width or abs(y) > height for x, y in box):
            yield f"{text.text!r} leaves the mat"
        if any(meet(box, pose.corners_mm(*CARD_MM)) for pose in poses):
            yield f"{text.text!r} lies over a card"
        if text.seat is None or text.seat >= len(layout.seats):
            yield f"{text.text!r} is for no seat"
        elif (text.facing_deg - layout.seats[text.seat].facing_deg) % 360 != 0:
            yield f"{text.text!r} does not face seat {text.seat}"
        if text.size_mm < SMALLEST_TEXT_MM:
            yield f"{text.text!r} is only {text.size_mm:.1f} mm high"
        if missing(text.text):
            yield f"{text.text!r} has characters that the font lacks: {missing(text.text)}"


def _overlaps(texts: Sequence[Text]) -> Iterable[str]:
    for one, other in combinations(texts, 2):
        if meet(_ink(one), _ink(other)):
            yield f"{one.text!r} and {other.text!r} lie over each other"


def _ink(text: Text) -> tuple[Point, ...]:
    """A text's box without the space above and below its characters."""
    box = text_box(text)
    a, b, c, d = box
    k = 0.1

    def between(p: Point, q: Point) -> Point:
        return (p[0] + (q[0] - p[0]) * k, p[1] + (q[1] - p[1]) * k)

    return between(a, d), between(b, c), between(c, b), between(d, a)


def darkness(scene: Scene, layout: Layout, poses: Iterable[Pose]) -> Mapping[Pose, int]:
    """The brightest value, 0–255, that falls on each card's face."""
    image, projector_from_table = flat_picture(scene, layout)
    brightest = image.max(axis=2)
    out: dict[Pose, int] = {}
    for pose in poses:
        face = np.zeros(brightest.shape, dtype=np.uint8)
        corners = projector_from_table.map(pose.corners_mm(*CARD_MM))
        cv2.fillConvexPoly(face, np.round(corners).astype(np.int32), 1)
        out[pose] = int(brightest[face == 1].max(initial=0))
    return out


def flat_picture(scene: Scene, layout: Layout) -> tuple[NDArray[np.uint8], Homography]:
    """The scene seen from straight above, uint8 (H, W, 3) RGB, the whole mat at 1.5 px a mm, and its homography."""
    width, height = (round(side * _PX_PER_MM) for side in layout.mat_mm)
    matrix = np.array([[_PX_PER_MM, 0, (width - 1) / 2], [0, -_PX_PER_MM, (height - 1) / 2], [0, 0, 1]])
    projector_from_table = Homography("projector", "table", matrix)
    return rasterise(scene, projector_from_table, (width, height)), projector_from_table


def role_pictures(layout: Layout) -> Mapping[Role, NDArray[np.uint8]]:
    """Each role alone on the same table in greyscale, uint8 (H, W): what somebody who sees no colours sees."""
    poses = _three_cards(layout)
    return {
        role: _grey(compose(_only(role, tuple(poses)), poses, layout, "en", _pile(layout)), layout) for role in Role
    }


def alike_roles(layout: Layout) -> tuple[tuple[Role, Role], ...]:
    """Pairs of roles that cannot be told apart without colour and without reading; none is what is wanted."""
    lit = {role: picture > 60 for role, picture in role_pictures(layout).items()}
    idle = _grey(compose(Guidance(), _three_cards(layout), layout, "en", _pile(layout)), layout) > 60
    marks = {role: picture & ~idle for role, picture in lit.items()}
    pairs = []
    for one, other in combinations(Role, 2):
        union = np.count_nonzero(marks[one] | marks[other])
        if union == 0 or np.count_nonzero(marks[one] & marks[other]) / union > ALIKE:
            pairs.append((one, other))
    return tuple(pairs)


def _three_cards(layout: Layout) -> dict[Card, Pose]:
    """A card in the hand of seat 0 and two on the field."""
    hand, field = layout.zone(Place("hand", 0)), layout.zone(Place("field"))
    assert hand is not None
    assert field is not None
    x, y = field.centre_mm
    return {
        Card.parse("08-chaff-1"): Pose(*hand.centre_mm, 0.0),
        Card.parse("08-bright"): Pose(x - 40, y, 0.0),
        Card.parse("08-animal"): Pose(x + 40, y, 0.0),
    }


def _pile(layout: Layout) -> Pose | None:
    zone = layout.zone(Place("draw"))
    return None if zone is None else Pose(*zone.centre_mm, 0.0)


def _only(role: Role, cards: tuple[Card, ...]) -> Guidance:
    """The one cue of `role`, as a game would give it, without words but where only words show it."""
    match role:
        case Role.CHOICE:
            return Guidance((Cue(role, cards, Place("captured", 0), 0, cards[0]),))
        case Role.TAKE | Role.ECHO | Role.FAULT:
            return Guidance((Cue(role, cards[1:], Place("captured", 0), 0),))
        case Role.DEAL:
            return Guidance((Cue(role, place=Place("field"), count=8, have=2),))
        case Role.DRAW:
            return Guidance((Cue(role, place=Place("draw"), seat=0),))
        case Role.TURN:
            return Guidance((Cue(role, seat=0, place=Place("hand", 0)),))
        case Role.WINNER:
            return Guidance((Cue(role, seat=0),), scores=(Tally(20, (), 20),))
        case Role.MISSING:
            return Guidance((Cue(role, (Card.parse("01-bright"),), words=Words("Not found: Crane", "松に鶴")),))
        case _:
            return Guidance((Cue(role, cards if role is Role.MATCH else cards[1:], seat=0),))


def _grey(scene: Scene, layout: Layout) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(flat_picture(scene, layout)[0], cv2.COLOR_RGB2GRAY), dtype=np.uint8)
