"""Hands with arms as pictures: modelled once from rounded limbs, then warped to where they reach."""

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.simulator.rig import Eye
from app.simulator.sprites import Sprite, smear, three
from app.simulator.surface import Look

_ARM_MM: Final = 1000.0  # from the fingertips backwards
_AHEAD_MM: Final = 30.0  # picture in front of the grip
_HALF_MM: Final = 78.0  # picture to either side

SKINS: Final = ((150, 178, 226), (128, 162, 214), (104, 138, 196), (78, 108, 166), (58, 78, 122), (160, 184, 222))
"""Skin colours, BGR albedo."""
SLEEVES: Final = ((92, 52, 30), (52, 48, 46), (206, 206, 210), (48, 42, 130), (84, 108, 72), (150, 168, 186), None)
"""Sleeve colours, BGR albedo; None is a bare arm."""

_Floats = NDArray[np.float32]
# Limbs of a right hand seen from above, fingers to +y, in mm about the grip point: x0, y0, r0, x1, y1, r1, height
_PINCH: Final = (
    (6, -4, 7.2, 9, -30, 8.2, 9), (9, -30, 8.2, 12, -66, 10.0, 15),  # index finger
    (-9, -2, 7.4, -7, -30, 8.6, 8), (-7, -30, 8.6, -6, -68, 10.4, 15),  # middle finger
    (-24, -12, 7.0, -24, -38, 8.2, 5), (-24, -38, 8.2, -22, -70, 10.0, 12),  # ring finger
    (-38, -30, 6.0, -39, -50, 7.0, 2), (-39, -50, 7.0, -36, -76, 9.0, 8),  # little finger
    (24, -26, 8.4, 30, -50, 9.4, -4), (30, -50, 9.6, 22, -96, 14, 4),  # thumb
    (10, -68, 13, 8, -118, 17, 8), (-6, -70, 13, -4, -120, 18, 9),  # back of the hand
    (-22, -72, 12, -14, -118, 17, 7), (-34, -78, 11, -20, -116, 16, 4),
    (-4, -120, 24, -4, -170, 23, 0), (-4, -165, 23, -4, -340, 34, 0),  # wrist, forearm
)  # fmt: skip
_FLAT: Final = (
    (14, -2, 6.8, 14, -34, 8.0, 5), (14, -34, 8.0, 12, -72, 10.0, 8),
    (-4, 4, 7.0, -4, -32, 8.4, 5), (-4, -32, 8.4, -4, -74, 10.2, 9),
    (-22, -4, 6.8, -20, -38, 8.0, 5), (-20, -38, 8.0, -18, -74, 10.0, 8),
    (-40, -22, 5.8, -37, -46, 6.8, 4), (-37, -46, 6.8, -32, -78, 9.0, 6),
    (44, -46, 8.0, 38, -70, 9.2, 2), (38, -70, 9.2, 22, -104, 14, 4),
    (10, -74, 13, 8, -120, 17, 6), (-6, -76, 13, -4, -120, 18, 7),
    (-20, -78, 12, -14, -120, 17, 6), (-32, -82, 11, -20, -118, 16, 4),
    (-4, -120, 24, -4, -170, 23, 0), (-4, -165, 23, -4, -340, 34, 0),
)  # fmt: skip
_NAILS: Final = {"pinch": ((7, 0), (-9, 2), (-24, -8)), "flat": ((14, 2), (-4, 8), (-22, 0), (-40, -18))}


@dataclass(frozen=True, slots=True, eq=False)
class HandPicture:
    """A hand and arm from above: `colour` uint8 (H, W, 4) = BGR times alpha, and alpha. The grip point is at `grip_px`.

    Fingers point to the top; the arm runs down. `shadow` uint8 (H/4, W/4) is its soft shape.
    """

    colour: NDArray[np.uint8]
    shadow: NDArray[np.uint8]
    grip_px: tuple[float, float]
    px_per_mm: float


@dataclass(frozen=True, slots=True)
class HandPose:
    """Where a hand is: grip point and height in table mm; `angle_rad` 0 = fingers towards +y."""

    x_mm: float
    y_mm: float
    height_mm: float
    angle_rad: float
    blur_mm: tuple[float, float] = (0.0, 0.0)


def paint_hand(
    skin: tuple[int, int, int], sleeve: tuple[int, int, int] | None, grip: str, left: bool, px_per_mm: float, seed: int
) -> HandPicture:
    """The picture of one hand. `grip` is `pinch` or `flat`; `left` mirrors it; the same seed gives the same bytes."""
    rng = np.random.default_rng([seed, 409])
    shape = (round((_AHEAD_MM + _ARM_MM) * px_per_mm), round(2 * _HALF_MM * px_per_mm))
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    x_mm, y_mm = x / px_per_mm - _HALF_MM, _AHEAD_MM - y / px_per_mm
    limbs = _PINCH if grip == "pinch" else _FLAT
    height = _surface(x_mm, y_mm, limbs)
    body = _surface(x_mm, y_mm, ((-4, -300, 33, -4, -_ARM_MM - 60, 52, 0),))
    height = np.maximum(height, body)
    cloth = np.full(shape, -1.0, dtype=np.float32)
    if sleeve is not None:
        cuff = rng.uniform(-215, -165)
        folds = _folds(rng, x_mm, y_mm)
        cloth = _surface(x_mm, y_mm, ((-4, cuff, 33, -4, cuff - 6, 33, 0), (-4, cuff, 34, -4, -_ARM_MM - 60, 58, 0)))
        cloth = np.where((cloth > 0) & (y_mm < cuff + 3), cloth + 3 + folds, -1.0).astype(np.float32)
    dressed = cloth > 0
    height = np.where(dressed, cloth, height).astype(np.float32)
    alpha = np.asarray(np.clip(np.where(dressed, 1.0, height / 2.2), 0, 1), dtype=np.float32)
    light = _shade(np.maximum(height, 0), alpha, px_per_mm, left)
    tone = _skin(rng, x_mm, y_mm, skin, _NAILS[grip])
    if sleeve is not None:
        weave = 1 + rng.normal(0, 0.05, shape).astype(np.float32)
        tone = np.where(dressed[..., None], np.array(sleeve, dtype=np.float32) * weave[..., None], tone)
    colour = np.clip(tone * light[..., None], 0, 255) * alpha[..., None]
    whole = np.dstack([colour, alpha * 255]).astype(np.uint8)
    grip_px = (_HALF_MM * px_per_mm, _AHEAD_MM * px_per_mm)
    if left:
        whole = np.ascontiguousarray(whole[:, ::-1])
        grip_px = (shape[1] - 1 - grip_px[0], grip_px[1])
    small = cv2.resize(whole[..., 3], (shape[1] // 4, shape[0] // 4), interpolation=cv2.INTER_AREA)
    padded = cv2.GaussianBlur(small, (0, 0), 3.0)
    return HandPicture(whole, np.asarray(padded, dtype=np.uint8), grip_px, px_per_mm)


class HandPainter:
    """Warps one hand's pictures into the camera's view."""

    def __init__(self, eye: Eye, size_px: tuple[int, int], look: Look) -> None:
        self._eye = eye
        self._size_px = size_px
        self._look = look

    def paint(self, hand: HandPicture, pose: HandPose) -> tuple[Sprite, ...]:
        """Shadow and hand as sprites, clipped to the picture; empty when all of it is out of view."""
        rows, columns = hand.colour.shape[:2]
        across, along = columns / hand.px_per_mm, rows / hand.px_per_mm
        left, front = -hand.grip_px[0] / hand.px_per_mm, hand.grip_px[1] / hand.px_per_mm
        box = np.array([[left, front], [left + across, front], [left + across, front - along], [left, front - along]])
        c, s = math.cos(pose.angle_rad), math.sin(pose.angle_rad)
        turned = box @ np.array([[c, s], [-s, c]]) + np.array([pose.x_mm, pose.y_mm])
        raised = (pose.height_mm + 6, pose.height_mm + 6, pose.height_mm + 70, pose.height_mm + 70)
        quad = np.concatenate([self._eye.camera_px(turned[i : i + 1], raised[i]) for i in range(4)])
        source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float32) - 0.5
        sprites = []
        fall = np.array(self._look.fall)
        shade_mm = turned + fall * np.array([[pose.height_mm + 14]] * 2 + [[pose.height_mm + 60]] * 2)
        shade_quad = self._eye.camera_px(shade_mm, 0.0)
        shade = self._warp(hand.shadow, np.asarray(source / 4, dtype=np.float32), shade_quad)
        if shade is not None:
            x, y, alpha = shade
            strength = self._look.shadow * 1.15 / (1 + pose.height_mm / 160)
            alpha = np.asarray(cv2.convertScaleAbs(alpha, alpha=min(0.8, strength)), dtype=np.uint8)
            sprites.append(Sprite(x, y, np.zeros((*alpha.shape, 3), np.uint8), three(alpha)))
        body = self._warp(hand.colour, source, quad)
        if body is not None:
            x, y, picture = body
            picture = self._smear(picture, pose)
            bgr = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGRA2BGR), dtype=np.uint8)
            sprites.append(Sprite(x, y, bgr, three(np.asarray(cv2.extractChannel(picture, 3), np.uint8))))
        return tuple(sprites)

    def _warp(
        self, picture: NDArray[np.uint8], source: NDArray[np.float32], quad_px: NDArray[np.float64]
    ) -> tuple[int, int, NDArray[np.uint8]] | None:
        low = np.maximum(np.floor(quad_px.min(axis=0)) - 6, 0).astype(int)
        high = np.minimum(np.ceil(quad_px.max(axis=0)) + 7, self._size_px).astype(int)
        if (high - low < 2).any():
            return None
        warp = cv2.getPerspectiveTransform(source, (quad_px - low).astype(np.float32))
        width, height = (high - low).tolist()
        out = cv2.warpPerspective(picture, warp, (width, height), flags=cv2.INTER_LINEAR)
        return int(low[0]), int(low[1]), np.asarray(out, dtype=np.uint8)

    def _smear(self, picture: NDArray[np.uint8], pose: HandPose) -> NDArray[np.uint8]:
        """Motion blur along the way the hand goes while the shutter is open."""
        here = np.array([[pose.x_mm, pose.y_mm]])
        ends = self._eye.camera_px(np.concatenate([here, here + np.array([pose.blur_mm])]), pose.height_mm)
        x, y = (ends[1] - ends[0]).tolist()
        return smear(picture, (x, y))


def _surface(x: _Floats, y: _Floats, limbs: tuple[tuple[float, ...], ...]) -> _Floats:
    """Height in mm of limbs with round cross-sections above their axes' plane; −1 where there is nothing."""
    out = np.full(x.shape, -1.0, dtype=np.float32)
    for x0, y0, r0, x1, y1, r1, base in limbs:
        reach = max(r0, r1) + 1
        rows = np.flatnonzero((y[:, 0] <= max(y0, y1) + reach) & (y[:, 0] >= min(y0, y1) - reach))
        if rows.size == 0:
            continue
        part = slice(int(rows[0]), int(rows[-1]) + 1)
        px, py = x[part] - x0, y[part] - y0
        dx, dy = x1 - x0, y1 - y0
        t = np.clip((px * dx + py * dy) / (dx * dx + dy * dy), 0, 1)
        radius = r0 + (r1 - r0) * t
        room = radius * radius - (px - t * dx) ** 2 - (py - t * dy) ** 2
        z = np.where(room > 0, np.sqrt(np.maximum(room, 0)) * 0.8 + (10 + base) * np.clip(room / 25, 0, 1), -1.0)
        out[part] = np.maximum(out[part], z)
    return out


def _shade(height: _Floats, alpha: _Floats, px_per_mm: float, mirrored: bool) -> _Floats:
    """Light on a height map in mm, about 1 where it is level; the seams of the limbs are smoothed like skin."""
    weight = cv2.GaussianBlur(alpha, (0, 0), 2.6 * px_per_mm) + 1e-3
    skin = cv2.GaussianBlur(height * alpha, (0, 0), 2.6 * px_per_mm) / weight
    smooth = 0.6 * skin + 0.4 * cv2.GaussianBlur(height, (0, 0), max(0.4, 0.7 * px_per_mm))
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=px_per_mm / 8)
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=px_per_mm / 8)
    slope = np.sqrt(1 + dx * dx + dy * dy)
    side = -0.35 if mirrored else 0.35
    lambert = (1.0 - side * dx + 0.3 * dy) / (slope * 1.06)
    hollow = np.clip((cv2.GaussianBlur(height, (0, 0), 4 * px_per_mm) - height) / 26, 0, 0.35)
    return np.asarray(0.42 + 0.6 * np.clip(lambert, 0, 1.3) - hollow, dtype=np.float32)


def _skin(
    rng: np.random.Generator, x: _Floats, y: _Floats, skin: tuple[int, int, int], nails: tuple[tuple[float, float], ...]
) -> _Floats:
    blotch = cv2.resize(rng.standard_normal((60, 14)).astype(np.float32), x.shape[::-1], interpolation=cv2.INTER_CUBIC)
    fine = cv2.GaussianBlur(rng.standard_normal(x.shape).astype(np.float32), (0, 0), 1.0)
    base = np.array(skin, dtype=np.float32)
    tone = np.asarray(base * (1 + 0.025 * blotch + 0.03 * fine)[..., None], dtype=np.float64)
    redness = np.zeros(x.shape, dtype=np.float32)
    for knuckle_x, knuckle_y, r in (
        (12, -68, 9),
        (-6, -70, 9),
        (-22, -72, 8),
        (-35, -78, 7),
        (9, -30, 7),
        (-7, -30, 7),
    ):
        redness += np.exp(-((x - knuckle_x) ** 2 + (y - knuckle_y) ** 2) / (r * r)) * 0.35
    redness += np.clip((y + 18) / 30, 0, 0.4)
    tone = tone * (1 - redness[..., None] * np.array([0.16, 0.13, 0.0], dtype=np.float32))
    for nail_x, nail_y in nails:
        inside = np.clip(1.3 - ((x - nail_x) / 4.2) ** 2 - ((y - nail_y) / 5.4) ** 2, 0, 0.3) / 0.3
        tone = tone * (1 - 0.75 * inside[..., None]) + (base * np.array([1.12, 1.06, 1.04], dtype=np.float32) + 8) * (
            0.75 * inside[..., None]
        )
    return np.asarray(tone, dtype=np.float32)


def _folds(rng: np.random.Generator, x: _Floats, y: _Floats) -> _Floats:
    wander = cv2.resize(rng.standard_normal((24, 5)).astype(np.float32), x.shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(2.4 * np.sin(y / 11 + x / 26 + 1.6 * wander) * (0.5 + 0.5 * np.sin(y / 47)), dtype=np.float32)
