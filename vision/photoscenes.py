"""Makes photographs with known cards, harder than a table's camera sees: steep, far, cluttered, dim, covered.

A pinhole camera looks at a plane in millimetres; the picture is painted in its own pixels, card by card. Used by
`bench read --made` only; nothing is trained on these.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from vision.deck import Deck
from vision.photogrounds import paint_ground, paint_things

KINDS: Final = ("plain", "steep", "far", "near", "clutter", "pile", "touching", "dim")
"""What makes each photograph hard; `steep` tilts by 30 to 45 degrees, `far` shows cards 40 to 60 px high."""
_SIZE_PX: Final = (1600, 1200)
_HEIGHTS_PX: Final = {"far": (40, 60), "near": (200, 300)}
_USUAL_PX: Final = (80, 170)
_ROUND_MM: Final = 2.2
_FINE: Final = 3  # the claims of cards are counted on a grid of so many px


@dataclass(frozen=True, slots=True, eq=False)
class MadeCard:
    """A card in a made photograph: its corners (4, 2) px from its own top-left, and the share (0–1) of it in view."""

    card: Card
    corners_px: NDArray[np.float64]
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class MadePhoto:
    """A made photograph, uint8 (H, W, 3) BGR, and the cards in it of which any part is in view."""

    kind: str
    image: NDArray[np.uint8]
    cards: tuple[MadeCard, ...]


def make_spread(
    deck: Deck, cards: Sequence[Card | None], seed: int, size_px: tuple[int, int] = (2000, 1500)
) -> MadePhoto:
    """A photograph of `cards` (None: one that lies face down) spread side by side in that order, not touching.

    As somebody does who shows a deck to a camera: roughly in rows, each a little askew, some on their head.
    """
    rng = np.random.default_rng((len(KINDS), seed))
    columns = max(1, math.ceil(math.sqrt(len(cards) * size_px[0] / size_px[1] * deck.card_mm[1] / deck.card_mm[0])))
    rows = math.ceil(len(cards) / columns)
    step = deck.card_mm[0] * 1.42, deck.card_mm[1] * 1.3
    scale = min(size_px[0] / (columns + 0.4) / step[0], size_px[1] / (rows + 0.4) / step[1])
    tilt = float(rng.uniform(0, 0.0004))
    image_from_table = np.array(
        [
            [scale, 0, size_px[0] / 2],
            [0, -scale, size_px[1] / 2],
            [0, tilt, 1.0],
        ]
    )
    canvas = paint_ground(size_px, image_from_table, rng)
    made = []
    for i, card in enumerate(cards):
        x = (i % columns - (columns - 1) / 2) * step[0] + float(rng.uniform(-2, 2))
        y = ((rows - 1) / 2 - i // columns) * step[1] + float(rng.uniform(-2, 2))
        turn = float(rng.normal(0, 0.09)) + (math.pi if rng.random() < 0.4 else 0.0)
        quad = _mapped(image_from_table, _corners_mm((x, y, turn), deck.card_mm))
        face = deck.faces[card] if card is not None else deck.back
        if face is None:
            raise ValueError(f"deck {deck.name} has no back to show")
        canvas = _laid(canvas, _worn(face, rng), quad, deck.card_mm)
        if card is not None:
            made.append(MadeCard(card, quad, 1.0))
    return MadePhoto("spread", _exposed(canvas, "plain", rng), tuple(made))


def make_photo(deck: Deck, kind: str, seed: int) -> MadePhoto:
    """The photograph of this `kind` with this `seed`: always the same."""
    rng = np.random.default_rng((KINDS.index(kind), seed))
    image_from_table = _camera(kind, deck, rng)
    canvas = paint_ground(_SIZE_PX, image_from_table, rng)
    if kind == "clutter":
        canvas = paint_things(canvas, image_from_table, deck.card_mm, rng)
    poses = _poses(kind, deck, image_from_table, rng)
    cards = [DECK[i] for i in rng.permutation(len(DECK))[: len(poses)]]
    quads = []
    for card, pose in zip(cards, poses, strict=True):
        quads.append(_mapped(image_from_table, _corners_mm(pose, deck.card_mm)))
        canvas = _laid(canvas, _worn(deck.faces[card], rng), quads[-1], deck.card_mm)
    made = [
        MadeCard(card, quad, share)
        for card, quad, share in zip(cards, quads, _visible(quads), strict=True)
        if share > 0.02
    ]
    return MadePhoto(kind, _exposed(canvas, kind, rng), tuple(made))


def _camera(kind: str, deck: Deck, rng: np.random.Generator) -> NDArray[np.float64]:
    """The 3×3 map from table mm (y away from the viewer) to px: a camera that looks at the origin from one side."""
    low, high = {"steep": (30, 45), "far": (0, 30)}.get(kind, (0, 22))
    tilt = math.radians(float(rng.uniform(low, high)))
    roll = math.radians(float(rng.uniform(-25, 25)))
    focal = float(rng.uniform(0.8, 1.4)) * max(_SIZE_PX)
    height_px = float(rng.uniform(*_HEIGHTS_PX.get(kind, _USUAL_PX)))
    distance = focal * deck.card_mm[1] / height_px
    ct, st, cr, sr = math.cos(tilt), math.sin(tilt), math.cos(roll), math.sin(roll)
    # table (x, y, 0) seen from above and from the near side, then turned about the line of sight
    view = np.array([[1.0, 0, 0], [0, -ct, 0], [0, st, distance]])
    turn = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
    lens = np.array([[focal, 0, _SIZE_PX[0] / 2], [0, focal, _SIZE_PX[1] / 2], [0, 0, 1]])
    return np.asarray(lens @ turn @ view, np.float64)


def _poses(
    kind: str, deck: Deck, image_from_table: NDArray[np.float64], rng: np.random.Generator
) -> list[tuple[float, float, float]]:
    """Centre mm and angle rad of each card, in the order of laying."""
    width, height = deck.card_mm
    reach = max(width, height) * 1.12
    if kind == "pile":
        return _pile(width, height, rng)
    if kind == "touching":
        angle = float(rng.uniform(-math.pi, math.pi))
        rows, columns = int(rng.integers(2, 4)), int(rng.integers(3, 6))
        gaps = rng.uniform(0, 1.0, (rows, columns, 2))
        c, s = math.cos(angle), math.sin(angle)
        out = []
        for j in range(rows):
            for i in range(columns):
                x = (i - (columns - 1) / 2) * (width + 0.5) + gaps[j, i, 0]
                y = (j - (rows - 1) / 2) * (height + 0.5) + gaps[j, i, 1]
                if _in_view(image_from_table, x * c - y * s, x * s + y * c, reach / 2):
                    half = math.pi if rng.random() < 0.5 else 0.0
                    out.append((x * c - y * s, x * s + y * c, angle + half + float(rng.normal(0, 0.01))))
        return out
    wanted = int(rng.integers(8, 16))
    out = []
    for _ in range(900):
        spread = 4.5 * height if kind != "far" else 9 * height
        x, y = rng.uniform(-spread, spread, 2)
        apart = all(math.hypot(x - a, y - b) > reach for a, b, _ in out)
        if apart and _in_view(image_from_table, x, y, reach / 2):
            out.append((float(x), float(y), float(rng.uniform(-math.pi, math.pi))))
        if len(out) == wanted:
            break
    return out


def _pile(width: float, height: float, rng: np.random.Generator) -> list[tuple[float, float, float]]:
    """Fans and heaps: rows of cards that cover a share of the one before, some askew."""
    out = []
    for row in range(int(rng.integers(2, 4))):
        angle = float(rng.uniform(-0.4, 0.4)) + (math.pi if rng.random() < 0.5 else 0.0)
        x, y = float(rng.uniform(-3.2, -2.2)) * width, (row - 1) * 1.25 * height + float(rng.normal(0, 3))
        for _ in range(int(rng.integers(4, 7))):
            out.append((x, y, angle + float(rng.normal(0, 0.12))))
            x += width * float(rng.uniform(0.4, 1.05))
            y += float(rng.normal(0, 0.06)) * height
    return out


def _in_view(image_from_table: NDArray[np.float64], x: float, y: float, reach: float) -> bool:
    """Whether a disc on the table lies wholly in the picture."""
    turns = np.linspace(0, 2 * math.pi, 8, endpoint=False)
    ring = np.stack([x + reach * np.cos(turns), y + reach * np.sin(turns)], axis=1)
    px = _mapped(image_from_table, ring)
    return bool(np.all(px > 6) and np.all(px < np.array(_SIZE_PX) - 7))


def _corners_mm(pose: tuple[float, float, float], card_mm: tuple[float, float]) -> NDArray[np.float64]:
    x, y, angle = pose
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(card_mm) / 2
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + [x, y], np.float64)


def _mapped(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(points.reshape(1, -1, 2), matrix)[0], np.float64)


def _worn(face: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.float32]:
    """A face as printed and used: a slight cast of its own, scuffs, faded corners; float32 (H, W, 3)."""
    out = face.astype(np.float32) * np.exp(rng.normal(0, 0.03, 3)).astype(np.float32)
    h, w = face.shape[:2]
    if rng.random() < 0.4:
        scuffs = cv2.resize(rng.random((h // 12 + 2, w // 12 + 2)).astype(np.float32), (w, h))
        out += np.maximum(scuffs - 0.72, 0)[..., None] * float(rng.uniform(60, 160))
    return out


def _laid(
    canvas: NDArray[np.float32], face: NDArray[np.float32], quad: NDArray[np.float64], card_mm: tuple[float, float]
) -> NDArray[np.float32]:
    """`canvas` with a card at `quad` and its faint shadow."""
    height_px = float(np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
    shrink = max(1.0, face.shape[0] / max(height_px * 1.3, 1))
    small = cv2.resize(face, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    h, w = small.shape[:2]
    mask = _rounded(w, h, _ROUND_MM / card_mm[0] * w)
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 14, 0)
    high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 15, np.array(canvas.shape[1::-1]))
    if np.any(high <= low):
        return canvas
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    warp = cv2.getPerspectiveTransform(source, (quad - low).astype(np.float32))
    share = cv2.warpPerspective(mask, warp, size, flags=cv2.INTER_LINEAR)[..., None]
    seen = cv2.warpPerspective(small, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shadow = cv2.GaussianBlur(np.roll(share[..., 0], (2, 2), (0, 1)), (0, 0), 0.02 * height_px + 0.5)[..., None]
    part = canvas[low[1] : high[1], low[0] : high[0]]
    part *= 1 - 0.35 * shadow
    part[:] = part * (1 - share) + seen * share
    return canvas


def _rounded(width: int, height: int, radius: float) -> NDArray[np.float32]:
    """A mask of a card with round corners, float32 (H, W) 0–1."""
    x = np.maximum(np.abs(np.arange(width) + 0.5 - width / 2) - (width / 2 - radius), 0)
    y = np.maximum(np.abs(np.arange(height) + 0.5 - height / 2) - (height / 2 - radius), 0)
    out = radius - np.hypot(x[None], y[:, None]) + 0.5
    return np.asarray(np.clip(out, 0, 1), np.float32)


def _visible(quads: Sequence[NDArray[np.float64]]) -> list[float]:
    """The share of each quad that is in the picture and not under a later one."""
    size = (_SIZE_PX[0] // _FINE, _SIZE_PX[1] // _FINE)
    claims = np.zeros((size[1], size[0]), np.uint8)
    for i, quad in enumerate(quads, 1):
        cv2.fillConvexPoly(claims, np.rint(quad / _FINE * 16).astype(np.int32), i, shift=4)
    counts = np.bincount(claims.ravel(), minlength=len(quads) + 1)
    areas = [float(cv2.contourArea(quad.astype(np.float32))) / _FINE**2 for quad in quads]
    return [min(1.0, float(counts[i]) / max(area, 1.0)) for i, area in enumerate(areas, 1)]


def _exposed(canvas: NDArray[np.float32], kind: str, rng: np.random.Generator) -> NDArray[np.uint8]:
    """What a camera makes of the scene: light from one side, a cast, blur, noise, JPEG."""
    height, width = canvas.shape[:2]
    dim = kind == "dim"
    turn = float(rng.uniform(0, 2 * math.pi))
    x, y = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    slope = np.float32(rng.uniform(0.15, 0.45) if dim else rng.uniform(0, 0.25))
    light = 1 + slope * (math.cos(turn) * x[None] + math.sin(turn) * y[:, None])
    level = float(rng.uniform(0.22, 0.5) if dim else rng.uniform(0.7, 1.1))
    warm = float(rng.uniform(0.05, 0.3) if dim else rng.normal(0, 0.06))
    cast = np.array([1 - warm, 1.0, 1 + warm * 0.8], np.float32)
    seen: NDArray[Any] = canvas * light[..., None] * (level * cast)
    seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.7, 1.5) if dim else rng.uniform(0.4, 1.0)))
    noise = rng.standard_normal(seen.shape, np.float32) * np.float32(rng.uniform(4, 9) if dim else rng.uniform(1, 4))
    image = np.clip(np.rint(seen + noise), 0, 255).astype(np.uint8)
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(72, 95))])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
