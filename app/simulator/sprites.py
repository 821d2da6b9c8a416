"""Cards as the camera sees them: picture, rounded corners, side wall and shadow, warped to where the card is."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.simulator.rig import Eye
from app.simulator.surface import Look
from calibration.frames import Pose
from engine.cards import Card

_SCALE: Final = 2  # supersampling of a card, for smooth edges
_FACE_PX: Final = (132, 216)  # working size of a card's picture, then halved until it fits the camera
_SHIFT: Final = 4  # fractional bits of polygon corners


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A piece of picture to lay over the camera's: `colour` uint8 (h, w, 3) BGR already multiplied by `alpha`.

    `alpha` uint8 (h, w, 3), the same in each channel; `x`, `y` the column and row of its first pixel.
    """

    x: int
    y: int
    colour: NDArray[np.uint8]
    alpha: NDArray[np.uint8]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom in camera px, the last two exclusive."""
        return (self.x, self.y, self.x + self.colour.shape[1], self.y + self.colour.shape[0])


class CardPainter:
    """Paints cards of one deck for one camera; keeps the pictures at the size the camera needs."""

    def __init__(
        self,
        faces: Mapping[Card, NDArray[np.uint8]],
        back: NDArray[np.uint8] | None,
        eye: Eye,
        look: Look,
        card_mm: tuple[float, float],
        thickness_mm: float,
        seed: int,
    ) -> None:
        self._eye = eye
        self._look = look
        self._card_mm = card_mm
        self._thickness_mm = thickness_mm
        near = eye.camera_px([[0.0, -card_mm[1] / 2], [0.0, card_mm[1] / 2]], thickness_mm)
        tall_px = float(np.linalg.norm(near[1] - near[0])) * _SCALE
        height = int(np.clip(tall_px * 1.05, 40, 648))
        size = (max(24, round(height * card_mm[0] / card_mm[1])), height)
        rng = np.random.default_rng([seed, 307])
        self._faces = {card: _worn(_fit(faces[card], size), look.wear, rng) for card in sorted(faces)}
        plain = np.full((*_FACE_PX[::-1], 3), (38, 34, 122), dtype=np.uint8)
        whole_back = _fit(back if back is not None else plain, size)
        self._backs = {card: _worn(whole_back, look.wear * 0.6, rng) for card in sorted(faces)}
        self._edge = np.clip(whole_back[:3].reshape(-1, 3).mean(axis=0) * 0.8, 8, 200)
        self._mask = _rounded(size, radius=max(1.0, size[0] * 0.045))

    def paint(self, card: Card, pose: Pose, face_up: bool, flip: float = 0.0, lift_mm: float = 0.0) -> Sprite:
        """The card at `pose` with its shadow. `lift_mm` is the height of air below it; `flip` as in Carried."""
        turned = face_up if flip < 0.5 else not face_up
        squeeze = max(0.06, abs(math.cos(math.pi * flip)))
        width, height = self._card_mm[0] * squeeze, self._card_mm[1]
        corners = np.array(pose.corners_mm(width, height))
        top_px = self._eye.camera_px(corners, pose.height_mm)
        foot_px = self._eye.camera_px(corners, max(0.0, pose.height_mm - self._thickness_mm))
        drop = lift_mm + self._thickness_mm
        shade_px = self._eye.camera_px(
            corners + np.array(self._look.fall) * drop, max(0.0, pose.height_mm - self._thickness_mm - lift_mm)
        )
        spread = self._px_per_mm(top_px) * (0.7 + 0.22 * drop)
        pad = math.ceil(2.2 * spread) + 2
        every = np.concatenate([top_px, foot_px, shade_px])
        left, top = (np.floor(every.min(axis=0)) - pad).astype(int).tolist()
        right, bottom = (np.ceil(every.max(axis=0)) + pad + 1).astype(int).tolist()
        origin = np.array([left, top])
        size = ((right - left) * _SCALE, (bottom - top) * _SCALE)

        def fine(points_px: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.asarray((points_px - origin + 0.5) * _SCALE - 0.5)

        strength = 255 * self._look.shadow / (1 + drop / 45)
        shade = _soft(shade_px - origin, (right - left, bottom - top), spread * 0.55, round(strength))
        colour = np.zeros((*size[::-1], 3), dtype=np.uint8)
        solid = np.zeros(size[::-1], dtype=np.uint8)
        both = np.concatenate([fine(top_px), fine(foot_px)]).astype(np.float32)
        hull = np.asarray(cv2.convexHull(both), dtype=np.float64).reshape(-1, 2)
        _fill(colour, hull, tuple(self._edge.tolist()))
        _fill(solid, hull, 255)
        picture = (self._faces if turned else self._backs)[card]
        rows, columns = picture.shape[:2]
        source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float32) - 0.5
        if flip > 0.5:
            source = source[[1, 0, 3, 2]]
        warp = cv2.getPerspectiveTransform(source, fine(top_px).astype(np.float32))
        face = cv2.warpPerspective(picture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        mask = cv2.warpPerspective(self._mask, warp, size, flags=cv2.INTER_LINEAR)
        mask3 = cv2.merge([mask, mask, mask])
        colour = cv2.add(cv2.multiply(colour, 255 - mask3, scale=1 / 255), cv2.multiply(face, mask3, scale=1 / 255))
        small = (right - left, bottom - top)
        colour = cv2.resize(colour, small, interpolation=cv2.INTER_AREA)
        alpha = cv2.max(shade, cv2.resize(solid, small, interpolation=cv2.INTER_AREA))
        return Sprite(left, top, np.asarray(colour, np.uint8), three(np.asarray(alpha, np.uint8)))

    def _px_per_mm(self, corners_px: NDArray[np.float64]) -> float:
        return float(np.linalg.norm(corners_px[1] - corners_px[2])) / self._card_mm[1]


def blend(picture: NDArray[np.uint8], sprite: Sprite, box: tuple[int, int, int, int]) -> None:
    """Lay `sprite` over `picture` (the whole camera picture, changed in place) inside `box` only."""
    left, top = max(box[0], sprite.x, 0), max(box[1], sprite.y, 0)
    right, bottom = (min(a, b) for a, b in zip(box[2:], sprite.box[2:], strict=True))
    right, bottom = min(right, picture.shape[1]), min(bottom, picture.shape[0])
    if left >= right or top >= bottom:
        return
    here = (slice(top, bottom), slice(left, right))
    there = (slice(top - sprite.y, bottom - sprite.y), slice(left - sprite.x, right - sprite.x))
    kept = cv2.multiply(picture[here], cv2.bitwise_not(sprite.alpha[there]), scale=1 / 255)
    picture[here] = cv2.add(kept, sprite.colour[there])


def three(alpha: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """An alpha, uint8 (H, W), for each channel of a picture: uint8 (H, W, 3)."""
    return np.asarray(cv2.cvtColor(alpha, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def _soft(
    corners_px: NDArray[np.float64], size_px: tuple[int, int], sigma_px: float, strength: int
) -> NDArray[np.uint8]:
    """A blurred quadrilateral, uint8 (H, W); drawn coarsely where the blur hides it."""
    coarse = max(1, min(6, int(sigma_px / 1.2)))
    small = (max(2, -(-size_px[0] // coarse)), max(2, -(-size_px[1] // coarse)))
    shade = np.zeros(small[::-1], dtype=np.uint8)
    _fill(shade, (corners_px + 0.5) * np.array(small) / np.array(size_px) - 0.5, strength)
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), max(0.3, sigma_px / coarse)), dtype=np.uint8)
    return shade if coarse == 1 else np.asarray(cv2.resize(shade, size_px, interpolation=cv2.INTER_LINEAR), np.uint8)


def smear(picture: NDArray[np.uint8], way_px: tuple[float, float]) -> NDArray[np.uint8]:
    """The picture, uint8 (H, W, C), blurred along `way_px` by adding it to itself three times."""
    out = picture
    for share in (2, 4, 8):
        dx, dy = round(way_px[0] / share), round(way_px[1] / share)
        if dx == 0 and dy == 0:
            break
        height, width = out.shape[:2]
        if abs(dx) >= width or abs(dy) >= height:
            continue
        one = out[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)]
        two = out[max(0, -dy) : height + min(0, -dy), max(0, -dx) : width + min(0, -dx)]
        mixed = out.copy()
        top, left = abs(dy) // 2, abs(dx) // 2
        mixed[top : top + one.shape[0], left : left + one.shape[1]] = cv2.addWeighted(one, 0.5, two, 0.5, 0)
        out = mixed
    return out


def _fill(picture: NDArray[np.uint8], corners_px: NDArray[np.float64], colour: int | tuple[float, ...]) -> None:
    points = np.round(np.asarray(corners_px) * 2**_SHIFT).astype(np.int32)
    cv2.fillConvexPoly(picture, points, colour, cv2.LINE_AA, _SHIFT)


def _fit(picture: NDArray[np.uint8], size_px: tuple[int, int]) -> NDArray[np.uint8]:
    shrinks = picture.shape[1] > size_px[0]
    fitted = cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)
    return np.asarray(fitted, dtype=np.uint8)


def _rounded(size_px: tuple[int, int], radius: float) -> NDArray[np.uint8]:
    """A mask of a card with rounded corners, uint8 (H, W)."""
    width, height = size_px
    x = np.abs(np.arange(width) - (width - 1) / 2)[None, :] - (width / 2 - radius)
    y = np.abs(np.arange(height) - (height - 1) / 2)[:, None] - (height / 2 - radius)
    outside = np.hypot(np.maximum(x, 0), np.maximum(y, 0)) - radius
    return np.asarray(np.clip(0.5 - outside, 0, 1) * 255, dtype=np.uint8)


def _worn(picture: NDArray[np.uint8], wear: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The picture as a used card shows it: a little lighter or darker, ivory, rubbed at the edges and corners."""
    height, width = picture.shape[:2]
    level = np.float32(0.93 * (1 + rng.normal(0, 0.012 + 0.02 * wear)))
    tint = np.array([1 - 0.05 * wear * rng.random(), 1, 1], dtype=np.float32)
    out = picture.astype(np.float32) * (level * tint)
    x = np.minimum(np.arange(width), np.arange(width)[::-1])[None, :] / width
    y = np.minimum(np.arange(height), np.arange(height)[::-1])[:, None] / width
    grain = cv2.resize(rng.random((12, 8)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    rubbed = np.exp(-np.minimum(x, y) / 0.035) + 0.8 * np.exp(-(x + y) / 0.09)
    share = np.clip(wear * 0.75 * rubbed * (grain - 0.35), 0, 0.7)[..., None]
    out = out * (1 - share) + np.array([186, 196, 202], dtype=np.float32) * share
    speckle = rng.normal(0, 1.2 + 2.5 * wear, (height, width, 1))
    return np.asarray(np.clip(out + speckle, 0, 255), dtype=np.uint8)
