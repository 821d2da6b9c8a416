"""Builders of small tables for tests: a mat seen straight from above, cards laid on it in order, hands and light."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frames import Pose
from calibration.homography import Homography
from calibration.layout import Layout, Seat, Zone
from calibration.lens import Lens
from calibration.view import TableView
from engine.cards import Card
from engine.events import Place
from tests.vision.scenes import tsuki
from vision.deck import Deck
from vision.raster import TableRaster
from vision.values import Frame

MAT_MM: Final = (600.0, 400.0)
SIZE_PX: Final = (600, 400)
"""The camera's picture: one px a mm, the mat and nothing else."""
FPS: Final = 10
SKIN: Final = (120, 150, 205)
MATS: Final = {"felt": (60, 95, 70), "white": (205, 208, 210), "wood": (95, 135, 175)}
Point = tuple[float, float]

FIELD: Final = Place("field")
DRAW: Final = Place("draw")
HANDS: Final = (Place("hand", 0), Place("hand", 1))
PILES: Final = (Place("captured", 0), Place("captured", 1))
_ZONES: Final = {
    FIELD: (-160, -110, 190, 110),
    DRAW: (210, -50, 300, 50),
    Place("hand", 0): (-160, -200, 160, -120),
    Place("hand", 1): (-160, 120, 160, 200),
    Place("captured", 0): (170, -200, 300, -60),
    Place("captured", 1): (-300, 60, -170, 200),
}


def layout() -> Layout:
    """A field in the middle, two seats facing each other, the draw pile on the right."""
    zones = tuple(
        Zone(place, ((left, low), (right, low), (right, high), (left, high)))
        for place, (left, low, right, high) in _ZONES.items()
    )
    return Layout("small", MAT_MM, (Seat(0.0), Seat(180.0)), zones)


def view() -> TableView:
    """The camera: no lens, straight above, so far away that heights do not show."""
    camera = np.array([[1000.0, 0, 299.5], [0, 1000.0, 199.5], [0, 0, 1]])
    rows = [1, 0, -299.5, 0, -1, 199.5, 0, 0, 1]
    return TableView(Lens(camera, np.zeros(5)), Homography.from_rows("table", "camera", rows))


@cache
def raster() -> TableRaster:
    """The raster of the mat, one px a mm."""
    return TableRaster(view(), MAT_MM, 1.0)


@cache
def deck() -> Deck:
    """The built-in deck with small pictures."""
    whole = tsuki()
    assert whole.back is not None
    return replace(whole, faces={card: _small(face) for card, face in whole.faces.items()}, back=_small(whole.back))


def _small(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(face, (66, 108), interpolation=cv2.INTER_AREA), np.uint8)


def card(text: str) -> Card:
    """The card of an id such as `03-bright`."""
    return Card.parse(text)


def px(x_mm: float, y_mm: float) -> Point:
    """Where the camera sees a point of the table, px."""
    return x_mm + 299.5, 199.5 - y_mm


@dataclass(frozen=True, slots=True)
class Table:
    """What lies on the mat and how it is lit. `cards` are painted in order, the last on top; None is a card's back.

    `arms` are polygons in table mm over all of it. `ring` is our own light around a point. `gain` is the lamp's light.
    """

    cards: tuple[tuple[Card | None, Pose], ...] = ()
    arms: tuple[tuple[Point, ...], ...] = ()
    ring: Point | None = None
    gain: float = 1.0
    mat: str = "felt"
    mottle: float = 2.0

    def lay(self, name: str | None, x_mm: float, y_mm: float, turn_deg: float = 0.0) -> "Table":
        """The table with one card more on top, or an old one taken from its place and laid there; None is a back."""
        which = None if name is None else card(name)
        rest = tuple(one for one in self.cards if which is None or one[0] != which)
        return replace(self, cards=(*rest, (which, Pose(x_mm, y_mm, float(np.deg2rad(turn_deg))))))

    def take(self, name: str) -> "Table":
        """The table without a card."""
        return replace(self, cards=tuple(one for one in self.cards if one[0] != card(name)))

    def reach(self, x_mm: float, y_mm: float, width_mm: float = 70.0) -> "Table":
        """The table with an arm from the lower edge whose fingers end at a point."""
        w = width_mm / 2
        arm = ((x_mm - w, -210.0), (x_mm - w, y_mm - 20), (x_mm, y_mm), (x_mm + w, y_mm - 20), (x_mm + w, -210.0))
        return replace(self, arms=(*self.arms, arm))

    def leave(self) -> "Table":
        """The table without arms."""
        return replace(self, arms=())

    def picture(self, seed: int = 0) -> NDArray[np.uint8]:
        """The camera's picture, uint8 (400, 600, 3) BGR, its noise drawn from `seed`."""
        down, right = np.random.default_rng(seed).integers(0, 64, 2)
        noise = _noise()[down : down + SIZE_PX[1], right : right + SIZE_PX[0]]
        return cv2.add(_clean(self), noise, dtype=cv2.CV_8U).astype(np.uint8, copy=False)


@lru_cache(maxsize=4)
def _clean(table: Table) -> NDArray[np.int16]:
    """The picture of a table without noise."""
    image = _mat(table.mat, table.mottle).copy()
    for which, pose in table.cards:
        _paste(image, which, pose)
    for arm in table.arms:
        corners = np.array([px(*point) for point in arm])
        cv2.fillPoly(image, [np.rint(corners * 16).astype(np.int32)], SKIN, cv2.LINE_AA, 4)
    if table.ring is not None:
        light = np.zeros_like(image)
        x, y = px(*table.ring)
        cv2.circle(light, (round(x), round(y)), 36, (45.0, 45.0, 45.0), 4, cv2.LINE_AA)
        image += light
    return np.asarray(np.rint(cv2.GaussianBlur(image, (0, 0), 0.5) * table.gain), np.int16)


@cache
def _noise() -> NDArray[np.int16]:
    shape = (SIZE_PX[1] + 64, SIZE_PX[0] + 64, 3)
    return np.rint(np.random.default_rng(0).normal(0, 1.5, shape)).astype(np.int16)


@cache
def _mat(name: str, mottle: float) -> NDArray[np.float32]:
    image = np.empty((SIZE_PX[1], SIZE_PX[0], 3), np.float32)
    image[:] = MATS[name]
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 1, image.shape[:2]), (0, 0), 2.5)
    return np.asarray(image + (grain * (mottle / grain.std()))[..., None], np.float32)


def _paste(image: NDArray[np.float32], which: Card | None, pose: Pose) -> None:
    """Draws a card into a picture of the table."""
    known = deck()
    face = known.back if which is None else known.faces[which]
    assert face is not None
    small = cv2.resize(face, (44, 72), interpolation=cv2.INTER_AREA).astype(np.float32)
    corners = np.array([px(*corner) for corner in pose.corners_mm(*known.card_mm)], np.float32)
    source = np.array([[-0.5, -0.5], [43.5, -0.5], [43.5, 71.5]], np.float32)
    warp = cv2.getAffineTransform(source, corners[:3])
    painted = cv2.warpAffine(small, warp, SIZE_PX, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    share = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(share, np.rint((corners) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    weight = (share.astype(np.float32) / 255)[..., None]
    image[:] = image * (1 - weight) + painted * weight


class Looks(Protocol):
    """Whatever takes in frames."""

    def look(self, frame: Frame) -> bool: ...


class Film:
    """A camera that runs: shows one table after the other to some eyes, at FPS frames a second, noise on each."""

    def __init__(self, looks: Looks) -> None:
        self.looks = looks
        self.t_s = 0.0
        self._index = 0

    def frame(self, table: Table) -> Frame:
        """The next frame."""
        self._index += 1
        self.t_s = self._index / FPS
        return Frame(table.picture(self._index), self.t_s, self._index)

    def show(self, table: Table, seconds: float = 0.6) -> int:
        """Shows `table` for a while; how often something was looked at."""
        return sum(self.looks.look(self.frame(table)) for _ in range(round(seconds * FPS)))


def table_of(poses: Mapping[str, tuple[float, float] | tuple[float, float, float]], mat: str = "felt") -> Table:
    """A table with these cards: x mm, y mm and perhaps a turn in degrees."""
    table = Table(mat=mat)
    for name, pose in poses.items():
        table = table.lay(name, *pose)
    return table
