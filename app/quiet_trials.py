"""Hours of watching a rig that nobody moves: whatever is then said to have moved is a false alarm.

Eight hours are 28,800 checks, too many to render. A watch looks only at what lies around its markers, so only that is
made anew for each check, from one picture in the dark and one under light: noise, lamps and daylight that change,
shadows, a camera that trembles, hands over a part of a marker. It is then looked at by the sentry that watches games.
"""

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.rigs.rig import SimulatedRig
from app.rigs.spec import RigSpec, random_spec
from app.rigs.watched import WatchedRig
from calibration.watch import Culprit
from engine.events import Knocked
from vision.values import Frame

_HAND_SHARE: Final = 0.02  # of checks: a hand or a sleeve comes to lie over a marker or beside it
_HAND_S: Final = (1, 8)
_SHADOW_SHARE: Final = 0.05
_SHADOW: Final = (0.35, 0.9)  # of the room's light is left
_SLOW_S: Final = 5400.0  # daylight comes and goes
_SLOW: Final = 0.35
_LAMP_SHARE: Final = 0.001  # somebody turns a lamp on or off
_LAMP: Final = (0.75, 1.3)
_TREMBLE_PX: Final = 0.08
_SKIN: Final = 0.4
_GRAIN_PX: Final = 16
_AROUND: Final = 1.3  # sides of a marker: a little more than is looked at
_BEFORE_S: Final = 3.0


@dataclass(frozen=True, slots=True)
class Quiet:
    """What was said in `checks` of a rig that nobody moved: `alarms` that something had, and `covered` markers."""

    checks: int
    alarms: tuple[Knocked, ...]
    covered: int


@dataclass(frozen=True, slots=True, eq=False)
class _Patch:
    """The surroundings of a marker: px in the picture, light (linear, 255² is white) of the room and of the projector.

    `grain` is noise, larger than the surroundings, of which every check takes another part.
    """

    low: tuple[int, int]
    room: NDArray[np.float32]
    lamp: NDArray[np.float32]
    grain: NDArray[np.float32]


@dataclass(slots=True)
class _Life:
    """What changes from check to check."""

    lamp: float = 1.0
    hands: dict[int, tuple[int, NDArray[np.float64]]] = field(default_factory=dict)


def quiet_hour(job: tuple[int, float]) -> Quiet:
    """Watches the rig of a seed for so many hours, a check a second."""
    seed, hours = job
    spec = random_spec(seed)
    rng = np.random.default_rng([seed, 23])
    watched = WatchedRig(spec)
    watched.run(_BEFORE_S)
    start = watched.t_s
    patches = _patches(watched, rng)
    image = np.asarray(np.clip(watched.rig.clean(), 0, 255), dtype=np.uint8)
    life, said = _Life(), list[Knocked]()
    for second in range(1, round(hours * 3600) + 1):
        _develop(image, patches, spec, life, second, rng)
        said += watched.sentry.see(Frame(image, start + second, second), busy=False).events
    told = [event for event in said if event.done != "over"]
    alarms = tuple(event for event in told if event.what != Culprit.COVERED.value)
    return Quiet(round(hours * 3600), alarms, len(told) - len(alarms))


def _patches(watched: WatchedRig, rng: np.random.Generator) -> dict[int, _Patch]:
    """The surroundings of each printed marker and of the mark of light beside it, by number."""
    lit, room = _light(watched.rig), _light(SimulatedRig(watched.rig.spec))
    found = {}
    for number, corners in watched.corners_px().items():
        reach = int(_AROUND * max(np.ptp(quad, axis=0).max() for quad in corners))
        low = np.maximum(np.concatenate(corners).min(axis=0).astype(int) - reach, 0)
        right, bottom = np.concatenate(corners).max(axis=0).astype(int) + reach
        part = (slice(low[1], bottom), slice(low[0], right))
        height, width = room[part].shape
        grain = rng.standard_normal((height + _GRAIN_PX, width + _GRAIN_PX), dtype=np.float32)
        left, top = low.tolist()
        found[number] = _Patch((left, top), room[part].copy(), np.clip(lit[part] - room[part], 0, None), grain)
    return found


def _light(rig: SimulatedRig) -> NDArray[np.float32]:
    grey = cv2.cvtColor(np.clip(rig.clean(), 0, 510), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey * grey, dtype=np.float32)


def _develop(
    image: NDArray[np.uint8],
    patches: dict[int, _Patch],
    spec: RigSpec,
    life: _Life,
    second: int,
    rng: np.random.Generator,
) -> None:
    """Writes the surroundings of the markers into `image`, uint8 (H, W, 3), as the camera sees them at that second."""
    if rng.random() < _LAMP_SHARE:
        life.lamp = float(rng.uniform(*_LAMP))
    room = life.lamp * (1 + _SLOW * float(np.sin(2 * np.pi * second / _SLOW_S)))
    life.hands = {n: (left - 1, at) for n, (left, at) in life.hands.items() if left > 1}
    if rng.random() < _HAND_SHARE:
        number = int(rng.choice(list(patches)))
        life.hands[number] = (int(rng.integers(*_HAND_S)), _hand(patches[number], rng))
    shadow = _shadow(rng) if rng.random() < _SHADOW_SHARE else None
    tremble = rng.normal(0, _TREMBLE_PX, 2)
    for number, patch in patches.items():
        height, width = patch.room.shape
        level = np.full((height, width), room, dtype=np.float32)
        if shadow is not None:
            level *= _shade(patch, shadow)
        light = patch.room * level + patch.lamp
        if number in life.hands:
            skin = np.float32(_SKIN * spec.exposure * room * 255 * 255)
            cv2.fillPoly(light, [np.round(life.hands[number][1] * 16).astype(np.int32)], float(skin), cv2.LINE_AA, 4)
            light = np.asarray(cv2.GaussianBlur(light, (0, 0), 0.6), dtype=np.float32)
        moved = np.array([[1, 0, tremble[0]], [0, 1, tremble[1]]])
        shaken = cv2.warpAffine(light, moved, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        dy, dx = rng.integers(0, _GRAIN_PX, 2).tolist()
        seen = np.sqrt(np.clip(shaken, 0, None)) + spec.noise * patch.grain[dy : dy + height, dx : dx + width]
        left, top = patch.low
        image[top : top + height, left : left + width] = np.clip(np.rint(seen), 0, 255)[..., None]


def _hand(patch: _Patch, rng: np.random.Generator) -> NDArray[np.float64]:
    """A hand or a sleeve that comes from one side and ends somewhere in the patch, px of it, shape (4, 2)."""
    height, width = patch.room.shape
    side = np.array([width, height])
    tip = side * rng.uniform(0.1, 0.9, 2)
    way = rng.uniform(0, 2 * np.pi)
    along, across = np.array([np.cos(way), np.sin(way)]), np.array([-np.sin(way), np.cos(way)])
    half = rng.uniform(0.08, 0.4) * width
    far = tip + along * 3 * width
    return np.array([tip - half * across, tip + half * across, far + half * across, far - half * across])


def _shadow(rng: np.random.Generator) -> tuple[float, float, float, float, float]:
    """A soft edge over the table: its direction, place and width in px of the picture, and the light that is left."""
    way = rng.uniform(0, 2 * np.pi)
    return (
        float(np.cos(way)),
        float(np.sin(way)),
        float(rng.uniform(-900, 1900)),
        float(rng.uniform(8, 200)),
        float(rng.uniform(*_SHADOW)),
    )


def _shade(patch: _Patch, shadow: tuple[float, float, float, float, float]) -> NDArray[np.float32]:
    c, s, at, width, left = shadow
    height, wide = patch.room.shape
    x, y = np.arange(wide) + patch.low[0], np.arange(height) + patch.low[1]
    share = 1 / (1 + np.exp(-np.clip((x[None, :] * c + y[:, None] * s - at) / width, -30, 30)))
    return np.asarray(1 - (1 - left) * share, dtype=np.float32)
