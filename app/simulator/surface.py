"""What lies under the cards: procedural pictures of felt, wood, tatami and white cloth, and the light of the room."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import ConfigError

PX_PER_MM: Final = 1.6
"""Resolution of the mat's texture."""

_Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Look:
    """How a table looks: the mat's surface, the lamp, and how noisy and sharp the camera is.

    `lamp` are factors for B, G, R; `gradient` the share of light lost across the table; `noise` the standard
    deviation in grey values; `wear` 0–1 how used the cards are; `projector_gain` how many times brighter than the
    room a white projected picture is (linear light).
    """

    name: str
    surface: str
    exposure: float = 0.92
    lamp: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gradient: float = 0.15
    noise: float = 1.6
    blur_px: float = 0.55
    wear: float = 0.25
    shadow: float = 0.45
    projector_gain: float = 6.0


LOOKS: Final[Mapping[str, Look]] = {
    look.name: look
    for look in (
        Look("felt", "felt"),
        Look("blue", "blue", exposure=0.9, lamp=(1.04, 1.0, 0.97), gradient=0.2),
        Look("wood", "wood", exposure=0.9, lamp=(0.78, 0.92, 1.06), gradient=0.45, wear=0.7, noise=1.8),
        Look("tatami", "tatami", exposure=0.62, lamp=(0.92, 0.98, 1.0), gradient=0.25, noise=2.6, projector_gain=9.0),
        Look("white", "white", exposure=1.0, lamp=(0.97, 1.0, 1.0), gradient=0.2, noise=3.0, shadow=0.35),
    )
}
"""The looks that ship, by name."""


def find_look(name: str) -> Look:
    """The look called `name`. Raises ConfigError that lists the names there are."""
    if name not in LOOKS:
        raise ConfigError(f"no table looks like {name!r}; looks are {', '.join(LOOKS)}")
    return LOOKS[name]


def paint_surface(look: Look, size_mm: tuple[float, float], seed: int) -> NDArray[np.uint8]:
    """A texture of the surface, uint8 (H, W, 3) BGR at `PX_PER_MM`, row 0 at the far side (+y)."""
    rng = np.random.default_rng([seed, 211])
    shape = (round(size_mm[1] * PX_PER_MM), round(size_mm[0] * PX_PER_MM))
    picture = _PAINTERS[look.surface](rng, shape)
    return np.asarray(np.clip(picture, 0, 255), dtype=np.uint8)


def room_light(look: Look, size_px: tuple[int, int], seed: int) -> _Floats:
    """The room's light in every camera pixel, float32 (H, W, 3) BGR, 1 = a white card looks white."""
    rng = np.random.default_rng([seed, 223])
    width, height = size_px
    angle = rng.uniform(0, 2 * np.pi)
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * height / width
    across = (x * np.cos(angle) + y * np.sin(angle)).astype(np.float32)
    vignette = 1 - 0.16 * (x * x + y * y)
    level = look.exposure * (1 - look.gradient * (0.5 + 0.5 * across)) * vignette
    return np.asarray(level[..., None] * np.array(look.lamp, dtype=np.float32), dtype=np.float32)


def _cloud(rng: np.random.Generator, shape: tuple[int, int], grain: float, stretch: float = 1.0) -> _Floats:
    """Smooth noise of about unit spread with blobs `grain` px high and `grain * stretch` px wide."""
    rows, columns = max(3, round(shape[0] / grain)), max(3, round(shape[1] / (grain * stretch)))
    coarse = rng.standard_normal((rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def _tinted(level: _Floats, colour: tuple[float, float, float]) -> _Floats:
    return np.asarray(level[..., None] * np.array(colour, dtype=np.float32), dtype=np.float32)


def _felt(rng: np.random.Generator, shape: tuple[int, int], colour: tuple[float, float, float]) -> _Floats:
    fuzz = _cloud(rng, shape, 2.2) * 0.035 + _cloud(rng, shape, 1.2, 3.0) * 0.03 + _cloud(rng, shape, 3.0, 0.4) * 0.025
    nap = _cloud(rng, shape, 60) * 0.03 + _cloud(rng, shape, 240) * 0.03
    return _tinted(1 + fuzz + nap, colour)


def _green(rng: np.random.Generator, shape: tuple[int, int]) -> _Floats:
    return _felt(rng, shape, (62, 98, 34))


def _blue(rng: np.random.Generator, shape: tuple[int, int]) -> _Floats:
    return _felt(rng, shape, (108, 66, 38))


def _wood(rng: np.random.Generator, shape: tuple[int, int]) -> _Floats:
    height = shape[0]
    y = np.arange(height, dtype=np.float32)[:, None]
    wave = _cloud(rng, shape, 90, 9) * 26 + _cloud(rng, shape, 20, 22) * 5
    rings = np.sin((y + wave) / 9.0) * 0.5 + np.sin((y + 1.7 * wave) / 3.7) * 0.3
    fibre = _cloud(rng, shape, 1.6, 40) * 0.05 + _cloud(rng, shape, 4, 60) * 0.05
    plank_mm = 130
    edges = (np.arange(height) // round(plank_mm * PX_PER_MM)).astype(int)
    tone = rng.uniform(0.88, 1.08, int(edges.max()) + 1).astype(np.float32)[edges][:, None]
    joint = np.ones((height, 1), dtype=np.float32)
    joint[np.flatnonzero(np.diff(edges))] = 0.45
    level = (1 + 0.09 * rings + fibre) * tone * joint
    return _tinted(np.asarray(level, dtype=np.float32), (74, 118, 168))


def _tatami(rng: np.random.Generator, shape: tuple[int, int]) -> _Floats:
    height, width = shape
    y = np.arange(height, dtype=np.float32)[:, None]
    x = np.arange(width, dtype=np.float32)[None, :]
    pitch = 2.4 * PX_PER_MM
    weave = 0.10 * np.sin(2 * np.pi * y / pitch) + 0.05 * np.sin(
        2 * np.pi * x / (9 * PX_PER_MM) + np.pi * np.floor(y / pitch)
    )
    straw = _cloud(rng, shape, 2.0, 26) * 0.06 + _cloud(rng, shape, 160) * 0.03
    return _tinted(np.asarray(1 + weave + straw, dtype=np.float32), (112, 164, 172))


def _white(rng: np.random.Generator, shape: tuple[int, int]) -> _Floats:
    weave = _cloud(rng, shape, 1.3) * 0.012 + _cloud(rng, shape, 2.5, 5) * 0.008
    creases = _cloud(rng, shape, 130, 1.6) * 0.012
    return _tinted(1 + weave + creases, (206, 214, 216))


_PAINTERS: Final[Mapping[str, Callable[[np.random.Generator, tuple[int, int]], _Floats]]] = {
    "felt": _green,
    "blue": _blue,
    "wood": _wood,
    "tatami": _tatami,
    "white": _white,
}
