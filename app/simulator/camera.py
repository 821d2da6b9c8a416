"""The simulated camera: composes mat, cards, hands and light into pictures, drawing again only what changed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from app.simulator.boxes import Box, clip, grow, merge, touch
from app.simulator.hands import HandPainter, HandPicture, HandPose
from app.simulator.light import Light
from app.simulator.markers import print_markers
from app.simulator.rig import Eye, Rig
from app.simulator.sprites import CardPainter, Sprite, blend, smear
from app.simulator.surface import Look, paint_surface, room_light
from app.simulator.world import Lying, World
from calibration.profile import Markers
from engine.cards import Card

_NOISE_SHIFT = 48  # how far the noise tile is moved about
_EDGE_MM = 160.0  # table around the mat


@dataclass(frozen=True, slots=True)
class VisibleHand:
    """A hand in view: its pictures, where it is, and which carried cards are under its fingers."""

    picture: HandPicture
    pose: HandPose
    cards: tuple[Card, ...] = ()


class Camera:
    """Turns a World, hands and projected light into pictures, uint8 (H, W, 3) BGR. Deterministic by seed."""

    def __init__(
        self,
        rig: Rig,
        look: Look,
        cards: CardPainter,
        seed: int,
        delay_frames: int,
        jpeg: int | None,
        markers: Markers | None = None,
    ) -> None:
        self._markers = markers
        self._seed = seed
        self._hidden: frozenset[int] = frozenset()
        self._rig = rig
        self._look = look
        self._cards = cards
        self._jpeg = jpeg
        self._px_per_mm = rig.px_per_mm
        self._hands = HandPainter(Eye(rig.view), rig.size_px, look)
        self.light = Light(rig, room_light(look, rig.size_px, seed), look.projector_gain, delay_frames)
        self._mat = self._paint_mat()
        self._still = self._mat.copy()
        width, height = rig.size_px
        self._clean = np.zeros((height, width, 3), dtype=np.uint8)
        self._lying: dict[Card, tuple[Lying, Sprite]] = {}
        self._key: tuple[object, ...] = ((), ())
        self._air: list[Sprite] = []
        self._first = True
        self._owed: list[Box] = []
        self._rng = np.random.default_rng([seed, 503])
        self._noise = self._noise_tiles()

    def take(self, world: World, hands: Sequence[VisibleHand]) -> NDArray[np.uint8]:
        """The next picture; advances the projector's light by one frame."""
        dirty = [*self._owed, *self.light.advance()]
        self._owed = []
        dirty += self._settle(world)
        key = (
            tuple(world.carried.values()),
            tuple((id(hand.picture), hand.pose, hand.cards) for hand in hands),
        )
        if key != self._key:
            before, self._air, self._key = self._air, self._in_the_air(world, hands), key
            dirty += [sprite.box for sprite in (*before, *self._air)]
        if self._first:
            dirty = [(0, 0, *self._rig.size_px)]
            self._first = False
        for box in merge((grow(b, 2, self._rig.size_px) for b in dirty), self._rig.size_px):
            self._develop(box)
        return self._sensor()

    def skip(self) -> None:
        """Let a frame pass without a picture."""
        self._owed += self.light.advance()

    def hang(self, rig: Rig, cards: CardPainter, hidden: frozenset[int] = frozenset()) -> None:
        """Camera, projector or mat are elsewhere from now on, or the markers `hidden` are."""
        self._rig, self._cards, self._hidden = rig, cards, hidden
        self._hands = HandPainter(Eye(rig.view), rig.size_px, self._look)
        self._mat = self._paint_mat()
        self.light.hang(rig)
        self._key, self._air = ((), ()), []
        self.redraw()

    def redraw(self) -> None:
        """Forget what is drawn: the next picture is drawn anew as a whole (it must come out the same)."""
        self._first = True
        self._lying = {}
        self._still = self._mat.copy()

    def _settle(self, world: World) -> list[Box]:
        """Bring the picture of resting cards up to date; the boxes that changed."""
        now = world.lying
        changed: list[Box] = []
        for card in [c for c, (lying, _) in self._lying.items() if now.get(c) != lying]:
            changed.append(self._lying.pop(card)[1].box)
        for card, lying in now.items():
            if card not in self._lying:
                air = max(0.0, lying.pose.height_mm - world.thickness_mm)
                sprite = self._cards.paint(card, lying.pose, lying.face_up, lift_mm=min(air, 0.7))
                self._lying[card] = (lying, sprite)
                changed.append(sprite.box)
        stack = sorted(self._lying.values(), key=lambda pair: pair[0].order)
        for box in merge(changed, self._rig.size_px):
            here = (slice(box[1], box[3]), slice(box[0], box[2]))
            self._still[here] = self._mat[here]
            for _, sprite in stack:
                if touch(sprite.box, box):
                    blend(self._still, sprite, box)
        return changed

    def _in_the_air(self, world: World, hands: Sequence[VisibleHand]) -> list[Sprite]:
        """Sprites of carried cards and hands in painting order."""
        held = {card for hand in hands for card in hand.cards}
        sprites = [self._loose(world, card, (0.0, 0.0)) for card in world.carried if card not in held]
        for hand in sorted(hands, key=lambda h: h.pose.height_mm):
            shape = self._hands.paint(hand.picture, hand.pose)
            sprites += shape[:-1]
            sprites += [self._loose(world, card, hand.pose.blur_mm) for card in hand.cards if card in world.carried]
            sprites += shape[-1:]
        return sprites

    def _loose(self, world: World, card: Card, blur_mm: tuple[float, float]) -> Sprite:
        carried = world.carried[card]
        air = max(0.0, carried.pose.height_mm - world.thickness_mm)
        sprite = self._cards.paint(card, carried.pose, carried.face_up, carried.flip, air)
        scale = self._px_per_mm
        way = (blur_mm[0] * scale, -blur_mm[1] * scale)
        return replace(sprite, colour=smear(sprite.colour, way), alpha=smear(sprite.alpha, way))

    def _develop(self, box: Box) -> None:
        """Draw `box` anew: resting picture, what is in the air, light, lens blur."""
        size = self._rig.size_px
        wide = grow(box, 3, size)
        here = (slice(wide[1], wide[3]), slice(wide[0], wide[2]))
        piece = self._still[here].copy()
        for sprite in self._air:
            if touch(sprite.box, wide):
                moved = Sprite(sprite.x - wide[0], sprite.y - wide[1], sprite.colour, sprite.alpha)
                blend(piece, moved, (0, 0, piece.shape[1], piece.shape[0]))
        lit = cv2.multiply(piece, self.light.level[here], dtype=cv2.CV_8U)
        if self._look.blur_px > 0:
            lit = cv2.GaussianBlur(lit, (5, 5), self._look.blur_px * size[0] / 1920 + 0.2)
        inner = clip((box[0] - wide[0], box[1] - wide[1], box[2] - wide[0], box[3] - wide[1]), lit.shape[1::-1])
        self._clean[box[1] : box[3], box[0] : box[2]] = lit[inner[1] : inner[3], inner[0] : inner[2]]

    def _sensor(self) -> NDArray[np.uint8]:
        """The clean picture with this frame's noise and, if wanted, JPEG compression."""
        height, width = self._clean.shape[:2]
        picture = self._clean
        if self._look.noise > 0:
            dx, dy = self._rng.integers(0, _NOISE_SHIFT, 2).tolist()
            here = (slice(dy, dy + height), slice(dx, dx + width))
            picture = np.asarray(cv2.subtract(cv2.add(picture, self._noise[0][here]), self._noise[1][here]), np.uint8)
        else:
            picture = picture.copy()
        if self._jpeg is not None:
            coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._jpeg])[1]
            picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)
        return picture

    def _noise_tiles(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Noise split in its positive and negative part, a little larger than the picture."""
        width, height = self._rig.size_px
        shape = (height + _NOISE_SHIFT, width + _NOISE_SHIFT)
        grey = self._rng.standard_normal(shape, dtype=np.float32)[..., None]
        colour = self._rng.standard_normal((*shape, 3), dtype=np.float32)
        noise = np.rint((0.8 * grey + 0.6 * colour) * self._look.noise * (width / 1920) ** 0.5)
        up = np.clip(noise, 0, 60).astype(np.uint8)
        down = np.clip(-noise, 0, 60).astype(np.uint8)
        return up, down

    def _paint_mat(self) -> NDArray[np.uint8]:
        """The bare table in the camera's view, uint8 (H, W, 3)."""
        width_mm, height_mm = (side + 2 * _EDGE_MM for side in self._rig.mat_mm)
        scale = max(0.2, self._rig.px_per_mm)
        texture = paint_surface(self._look, (width_mm, height_mm), scale, self._seed)
        x_mm, y_mm = self._rig.for_each_px(lambda mm: mm)
        x = (x_mm + np.float32(width_mm / 2)) * np.float32(scale) - np.float32(0.5)
        y = (np.float32(height_mm / 2) - y_mm) * np.float32(scale) - np.float32(0.5)
        mat = np.asarray(cv2.remap(texture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), dtype=np.uint8)
        if self._markers is not None:
            print_markers(mat, self._markers, (x_mm, y_mm), scale, self._hidden)
        return mat
