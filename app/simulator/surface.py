"""What lies under the cards: procedural pictures of felt, wood, tatami and white cloth, and the light of the room."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import ConfigError

_Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Look:
    """How a table looks: the mat's surface, the lamp, and how noisy and sharp the camera is.

    `lamp` are factors for B, G, R; `gradient` the share of light lost across the table; `noise` the standard
    deviation in grey values; `wear` 0–1 how used the cards are; `projector_gain` how many times brighter than the
    room a white projected picture is (linear light). A shadow falls `fall` (x, y table mm) for each mm of height.
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
    fall: tuple[float, float] = (-0.55, 0.8)
    projector_gain: float = 6.0


_LOW_LAMP: Final = (-1.4, 1.0)

LOOKS: Final[Mapping[str, Look]] = {
    look.name: look
    for look in (
        Look("felt", "felt"),
        Look("blue", "blue", exposure=0.9, lamp=(1.04, 1.0, 0.97), gradient=0.2),
        Look("wood", "wood", exposure=0.9, lamp=(0.78, 0.92, 1.06), gradient=0.45, wear=0.7, noise=1.8),
        Look("tatami", "tatami", exposure=0.62, lamp=(0.92, 0.98, 1.0), gradient=0.25, noise=2.6, projector_gain=9.0),
        Look("white", "white", exposure=1.0, lamp=(0.97, 1.0, 1.0), gradient=0.2, noise=3.0, shadow=0.35),
        # one lamp, 30 degrees above the table: shadows are 1.7 times as long as things are high
        Look(
            "evening",
            "felt",
            exposure=0.7,
            lamp=(0.72, 0.9, 1.08),
            gradient=0.4,
            noise=2.2,
            shadow=0.6,
            fall=_LOW_LAMP,
        ),
    )
}
"""The looks that ship, by name."""


def find_look(name: str) -> Look:
    """The look called `name`. Raises ConfigError that lists the names there are."""
    if name not in LOOKS:
        raise ConfigError(f"no table looks like {name!r}; looks are {', '.join(LOOKS)}")
    return LOOKS[name]


def paint_surface(look: Look, size_mm: tuple[float, float], px_per_mm: float, seed: int) -> NDArray[np.uint8]:
    """A texture of the surface, uint8 (H, W, 3) BGR with `px_per_mm`, row 0 at the far side (+y)."""
    shape = (round(size_mm[1] * px_per_mm), round(size_mm[0] * px_per_mm))
    picture = _PAINTERS[look.surface](_Sheet(np.random.default_rng([seed, 211]), shape, px_per_mm))
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


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What a surface is painted on: pixels of `shape` (rows, columns)."""

    rng: np.random.Generator
    shape: tuple[int, int]
    px_per_mm: float

    def cloud(self, grain_mm: float, stretch: float = 1.0) -> _Floats:
        """Smooth noise of about unit spread with blobs `grain_mm` high and `grain_mm * stretch` wide."""
        grain = np.maximum(np.array([1.0, stretch]) * grain_mm * self.px_per_mm, 1.0)
        rows, columns = (max(3, round(side / blob)) for side, blob in zip(self.shape, grain.tolist(), strict=True))
        coarse = self.rng.standard_normal((rows, columns)).astype(np.float32)
        smooth = cv2.resize(coarse, self.shape[::-1], interpolation=cv2.INTER_CUBIC)
        return np.asarray(smooth, dtype=np.float32)

    def x_mm(self) -> _Floats:
        """Across the sheet, shape (1, columns)."""
        return np.arange(self.shape[1], dtype=np.float32)[None, :] / np.float32(self.px_per_mm)

    def y_mm(self) -> _Floats:
        """Down the sheet, shape (rows, 1)."""
        return np.arange(self.shape[0], dtype=np.float32)[:, None] / np.float32(self.px_per_mm)


def _tinted(level: _Floats, colour: tuple[float, float, float]) -> _Floats:
    return np.asarray(level[..., None] * np.array(colour, dtype=np.float32), dtype=np.float32)


def _felt(sheet: _Sheet, colour: tuple[float, float, float]) -> _Floats:
    fuzz = sheet.cloud(1.4) * 0.035 + sheet.cloud(0.75, 3.0) * 0.03 + sheet.cloud(1.9, 0.4) * 0.025
    nap = sheet.cloud(38) * 0.03 + sheet.cloud(150) * 0.03
    return _tinted(1 + fuzz + nap, colour)


def _green(sheet: _Sheet) -> _Floats:
    return _felt(sheet, (70, 110, 40))


def _blue(sheet: _Sheet) -> _Floats:
    return _felt(sheet, (118, 76, 46))


def _wood(sheet: _Sheet) -> _Floats:
    y = sheet.y_mm()
    wave = sheet.cloud(56, 9) * 16 + sheet.cloud(12, 22) * 3
    rings = np.sin((y + wave) / 5.6) * 0.5 + np.sin((y + 1.7 * wave) / 2.3) * 0.3
    fibre = sheet.cloud(1.0, 40) * 0.05 + sheet.cloud(2.5, 60) * 0.05
    plank = (y[:, 0] // 130).astype(int)
    tone = sheet.rng.uniform(0.88, 1.08, int(plank.max()) + 1).astype(np.float32)[plank][:, None]
    joint = np.ones(y.shape, dtype=np.float32)
    joint[np.flatnonzero(np.diff(plank))] = 0.45
    level = (1 + 0.09 * rings + fibre) * tone * joint
    return _tinted(np.asarray(level, dtype=np.float32), (82, 128, 180))


def _tatami(sheet: _Sheet) -> _Floats:
    x, y = sheet.x_mm(), sheet.y_mm()
    pitch = 2.6
    weave = 0.10 * np.sin(2 * np.pi * y / pitch) + 0.05 * np.sin(2 * np.pi * x / 9 + np.pi * np.floor(y / pitch))
    straw = sheet.cloud(1.2, 26) * 0.06 + sheet.cloud(100) * 0.03
    return _tinted(np.asarray(1 + weave + straw, dtype=np.float32), (112, 164, 172))


def _white(sheet: _Sheet) -> _Floats:
    weave = sheet.cloud(0.8) * 0.012 + sheet.cloud(1.6, 5) * 0.008
    creases = sheet.cloud(80, 1.6) * 0.012
    return _tinted(1 + weave + creases, (206, 214, 216))


_PAINTERS: Final[Mapping[str, Callable[[_Sheet], _Floats]]] = {
    "felt": _green,
    "blue": _blue,
    "wood": _wood,
    "tatami": _tatami,
    "white": _white,
}
