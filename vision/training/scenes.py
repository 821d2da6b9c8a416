"""Views of cards as the camera has them: laid among others, covered, lit by our own light, blurred, and cut out again.

Everything is made up from a seed. A view is what the run-time embedding gets: a crop rectified to the card's edge as
well as the eyes know it, and a mask of what hides the card.
"""

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.embedding import CROP_PX
from vision.training.covers import WIDE, card_over, displaced, misplaced, round_over, spun
from vision.training.foreign import foreign
from vision.training.prints import FACE_PX, Image, Print, sized
from vision.training.surfaces import cast_shadow, ground, projected, shadow_edge, shaken, skin, worn
from vision.training.warps import cut, cut_loosely, cut_mask, lay

NONE: Final = -1
"""The label of a view that shows no card, or none that lies where the crop is."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a view is drawn under. `hidden` bounds the share (0–1) that something covers, None leaves all cards whole.

    `covered` is the share of views that are covered at all; `light` the share under our own light; `height_px` bounds
    the card's height in the camera's picture, `worn` the share of worn cards.
    """

    height_px: tuple[float, float] = (38.0, 140.0)
    hidden: tuple[float, float] | None = (0.05, 0.75)
    covered: float = 0.62
    light: float = 0.35
    worn: float = 0.25
    pose: float = 1.0
    harsh: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A crop, uint8 (104, 64, 3) BGR, where its card is visible (104, 64) bool, and what it shows.

    `card` is the index in `DECK` or `NONE`; `turned` says that the card stands on its head; `height_px` its height in
    the camera's picture.
    """

    crop: Image
    seen: NDArray[np.bool_]
    card: int
    turned: bool
    height_px: float


@dataclass(slots=True)
class Painter:
    """Draws views of one print; `rng` is what they depend on."""

    source: Print
    rng: np.random.Generator
    grounds: tuple[Image, ...] = field(init=False)
    _noise: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        self.grounds = tuple(ground(self.rng) for _ in range(6))
        self._noise = self.rng.standard_normal((480, 480, 3), np.float32)

    def scan(self, card: int) -> View:
        """The flat picture of a card as somebody might enrol it: cut a little loosely, nothing else."""
        crop = cut_loosely(self.source.faces[card], self.rng, 0.008)
        return View(crop, np.ones(crop.shape[:2], np.bool_), card, False, float(FACE_PX[1]))

    def view(self, card: int, conditions: Conditions) -> View:
        """A camera's view of a card."""
        rng = self.rng
        height = float(np.exp(rng.uniform(*np.log(conditions.height_px))))
        canvas, quad = self._table(height)
        self._neighbours(canvas, quad, below=True)
        face = worn(self.source.faces[card], rng) if rng.random() < conditions.worn else self.source.faces[card]
        lay(canvas, face, quad)
        hidden = np.zeros(canvas.shape[:2], np.uint8)
        if conditions.hidden is not None and rng.random() < conditions.covered:
            self._cover(canvas, hidden, quad, conditions.hidden)
        seen = self._photographed(canvas, height, conditions)
        turned = bool(rng.random() < 0.5)
        found = misplaced(quad, height, rng, conditions.pose)
        found = np.roll(found, 2, axis=0) if turned else found
        return View(cut(seen, found), cut_mask(hidden, found), card, turned, height)

    def nothing(self, conditions: Conditions) -> View:
        """A view that shows no card where the crop is: a wrong place among cards, a back, table, foreign art."""
        rng = self.rng
        height = float(np.exp(rng.uniform(*np.log(conditions.height_px))))
        canvas, quad = self._table(height)
        what = rng.random()
        if what < 0.4:  # a wrong place: across cards, at a wrong size or turn
            self._neighbours(canvas, quad, below=True)
            lay(canvas, self.source.faces[int(rng.integers(48))], quad)
            if rng.random() < 0.6:
                self._neighbours(canvas, quad, below=False)
            quad = displaced(quad, height, rng)
        elif what < 0.48:
            lay(canvas, self.source.back, quad)
        elif what < 0.54:
            pass  # the bare table
        else:
            lay(canvas, foreign(self.source.faces, rng), quad)
        hidden = np.zeros(canvas.shape[:2], np.uint8)
        if conditions.hidden is not None and rng.random() < 0.4 * conditions.covered:
            self._cover(canvas, hidden, quad, conditions.hidden)
        seen = self._photographed(canvas, height, conditions)
        found = misplaced(quad, height, rng, conditions.pose)
        return View(cut(seen, found), cut_mask(hidden, found), NONE, False, height)

    def _table(self, height: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """A piece of table as float32 (H, W, 3) and the corners (4, 2) px of a card on it, slightly in perspective."""
        rng = self.rng
        w, h = round(height * WIDE * 2.0), round(height * 1.55)
        table = self.grounds[int(rng.integers(len(self.grounds)))]
        y, x = int(rng.integers(table.shape[0] - h)), int(rng.integers(table.shape[1] - w))
        canvas = table[y : y + h, x : x + w].astype(np.float32)
        half = np.array([[-WIDE, -1], [WIDE, -1], [WIDE, 1], [-WIDE, 1]], np.float32) * height / 2
        turn = rng.normal(0, 0.12)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        slant = 1 + np.outer(half @ rng.normal(0, 0.09 / height, 2), [1, 1])
        squeeze = np.array([1.0, rng.uniform(0.72, 1.0) if rng.random() < 0.4 else 1.0])
        quad = (half @ spin.T) * slant * squeeze + np.array([w / 2, h / 2])
        return canvas, quad.astype(np.float32)

    def _neighbours(self, canvas: NDArray[np.float32], quad: NDArray[np.float32], below: bool) -> None:
        """Other cards of the deck beside the card (below: also reaching under it)."""
        rng = self.rng
        for way in rng.permutation(4)[: int(rng.integers(0, 4 if below else 2))]:
            side = (quad[1] - quad[0]) if way % 2 == 0 else (quad[3] - quad[0])
            far = rng.uniform(0.85 if below else 0.5, 1.12) * (1 if way < 2 else -1)
            near = (quad[3] - quad[0]) if way % 2 == 0 else (quad[1] - quad[0])
            moved = quad + far * side + rng.normal(0, 0.12) * near
            other = self.source.faces[int(rng.integers(48))] if rng.random() < 0.9 else self.source.back
            lay(canvas, other, spun(moved, rng.normal(0, 0.06)))

    def _cover(
        self,
        canvas: NDArray[np.float32],
        hidden: NDArray[np.uint8],
        quad: NDArray[np.float32],
        share: tuple[float, float],
    ) -> None:
        """Hides a share of the card at `quad` under another card, a hand or a thing, and marks it in `hidden`."""
        rng = self.rng
        wanted = rng.uniform(*share)
        kind = rng.random()
        if kind < 0.62:
            cover = card_over(quad, wanted, share, rng)
            other = self.source.faces[int(rng.integers(48))] if rng.random() < 0.92 else self.source.back
            if rng.random() < 0.5:
                cast_shadow(canvas, cover, rng)
            lay(canvas, other, cover)
            cv2.fillConvexPoly(hidden, np.rint(cover * 16).astype(np.int32), 1, cv2.LINE_8, 4)
            return
        outline = round_over(quad, wanted, share, rng) if kind < 0.85 else card_over(quad, wanted, share, rng)
        ink = skin(rng) if kind < 0.85 and rng.random() < 0.75 else rng.uniform(5, 245, 3)
        body = np.zeros(canvas.shape[:2], np.uint8)
        cv2.fillPoly(body, [np.rint(outline * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
        middle = outline.mean(axis=0)
        y, x = np.mgrid[0 : canvas.shape[0], 0 : canvas.shape[1]]
        tone = 1 + rng.normal(0, 0.25) * ((x - middle[0]) + (y - middle[1])) / (2 * canvas.shape[0])
        canvas[body > 0] = (tone[..., None] * ink)[body > 0]
        hidden |= body

    def _photographed(self, canvas: NDArray[np.float32], height: float, conditions: Conditions) -> Image:
        """The table as the camera has it: our light, the room's light, blur, noise, compression."""
        rng = self.rng
        h, w = canvas.shape[:2]
        harsh = conditions.harsh
        shade = np.ones((h, w), np.float32)
        x, y = np.linspace(-1, 1, w, dtype=np.float32), np.linspace(-1, 1, h, dtype=np.float32)
        shade += rng.normal(0, 0.12 * harsh) * x[None] + rng.normal(0, 0.12 * harsh) * y[:, None]
        if rng.random() < 0.2:
            shade *= shadow_edge(x, y, rng)
        lit = canvas * shade[..., None].astype(np.float32)
        if rng.random() < conditions.light:
            light = projected(w, h, height, rng)
            lit += (0.12 + canvas * np.float32(0.88 / 255)) * light
        gain = np.exp(rng.normal(-0.18, 0.28 * harsh)) * np.exp(rng.normal(0, 0.09 * harsh, 3))
        lit *= gain.astype(np.float32)
        lit += np.float32(rng.uniform(0, 22) * harsh)
        np.clip(lit, 0, 262, out=lit)
        sigma = float(rng.uniform(0.35, 1.15) * (1 if height > 60 else 0.75))
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), sigma), np.float32)
        if rng.random() < 0.12 * harsh:
            lit = shaken(lit, rng)
        at = rng.integers(0, np.array(self._noise.shape[:2]) - (h, w))
        lit += self._noise[at[0] : at[0] + h, at[1] : at[1] + w] * np.float32(rng.uniform(0.5, 7.0) * harsh)
        image = np.clip(lit, 0, 255).astype(np.uint8)
        if rng.random() < 0.4:
            curve = 255 * (np.arange(256) / 255) ** rng.uniform(0.7, 1.4)
            image = np.asarray(cv2.LUT(image, np.rint(curve).astype(np.uint8)), np.uint8)
        if rng.random() < 0.5:
            quality = int(rng.integers(35, 92))
            _, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
            image = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
        return image


def scans(source: Print) -> Image:
    """The 48 faces of a print exactly as they are, at the size of crops, uint8 (48, 104, 64, 3)."""
    return np.stack([sized(face, CROP_PX) for face in source.faces])
