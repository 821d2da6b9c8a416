"""Tables and things that lie about on them, for made photographs: cloth, wood, mats, plaid, paper, other cards."""

import math
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Canvas = NDArray[np.float32]
_TILE: Final = 1024  # px of a texture, which is laid out again and again
_TILE_MM: Final = 400.0
_WORDS: Final = ("receipt", "No. 4711", "thank you", "total 12.80", "table 3", "open daily", "hello")


def paint_ground(size_px: tuple[int, int], image_from_table: NDArray[np.float64], rng: np.random.Generator) -> Canvas:
    """A table as the camera sees it, float32 (H, W, 3) BGR."""
    textures = (_felt, _wood, _weave, _plaid, _flowers, _plain)
    texture = textures[int(rng.integers(len(textures)))](rng)
    table_from_image = np.linalg.inv(image_from_table)
    x, y = np.meshgrid(np.arange(size_px[0], dtype=np.float32), np.arange(size_px[1], dtype=np.float32))
    points = np.stack([x.ravel(), y.ravel()], axis=1)[None]
    mm = cv2.perspectiveTransform(points, table_from_image)[0].reshape(size_px[1], size_px[0], 2)
    at = np.mod(mm * (_TILE / _TILE_MM), _TILE).astype(np.float32)
    wrapped = cv2.copyMakeBorder(texture, 0, 1, 0, 1, cv2.BORDER_WRAP)
    return np.asarray(cv2.remap(wrapped, at[..., 0], at[..., 1], cv2.INTER_LINEAR), np.float32)


def paint_things(
    canvas: Canvas, image_from_table: NDArray[np.float64], card_mm: tuple[float, float], rng: np.random.Generator
) -> Canvas:
    """`canvas` with papers, playing cards of another game, coins, a phone and pens on the table."""
    for _ in range(int(rng.integers(6, 12))):
        x, y = rng.uniform(-240, 240, 2)
        angle = float(rng.uniform(-math.pi, math.pi))
        kind = int(rng.integers(4))
        picture = (_paper, _suit_card, _phone, _pattern)[kind](rng)
        width = (card_mm[0] * float(rng.uniform(1.0, 4.0)), 58.0, 70.0, card_mm[0] * float(rng.uniform(0.7, 1.6)))[kind]
        height = width * picture.shape[0] / picture.shape[1]
        half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array([width, height]) / 2
        c, s = math.cos(angle), math.sin(angle)
        quad = cv2.perspectiveTransform((half @ np.array([[c, s], [-s, c]]) + [x, y])[None], image_from_table)[0]
        h, w = picture.shape[:2]
        source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
        size = (canvas.shape[1], canvas.shape[0])
        share = cv2.warpPerspective(np.ones((h, w), np.float32), warp, size)[..., None]
        canvas = canvas * (1 - share) + cv2.warpPerspective(picture, warp, size) * share
    for _ in range(int(rng.integers(2, 7))):
        at = cv2.perspectiveTransform(rng.uniform(-200, 200, (1, 1, 2)), image_from_table)[0, 0]
        edge = cv2.perspectiveTransform(np.array([[[0.0, 0.0], [12.0, 0.0]]]), image_from_table)[0]
        radius = max(3, int(np.linalg.norm(edge[1] - edge[0])))
        grey = float(rng.uniform(90, 200))
        centre = (int(np.clip(at[0], -999, 9999)), int(np.clip(at[1], -999, 9999)))
        cv2.circle(canvas, centre, radius, (grey * 0.6, grey * 0.85, grey), -1, cv2.LINE_AA)
        cv2.circle(canvas, centre, max(1, radius - 3), (grey * 0.5, grey * 0.7, grey * 0.85), 2, cv2.LINE_AA)
    return canvas


def _smooth_noise(rng: np.random.Generator, sigma: float) -> NDArray[np.float32]:
    """Noise of spread 1 and grain `sigma` px that tiles, float32 (_TILE, _TILE)."""
    spectrum = np.fft.rfft2(rng.standard_normal((_TILE, _TILE)))
    fy, fx = np.fft.fftfreq(_TILE)[:, None], np.fft.rfftfreq(_TILE)[None]
    out = np.fft.irfft2(spectrum * np.exp(-2 * (math.pi * sigma) ** 2 * (fx**2 + fy**2)), (_TILE, _TILE))
    return np.asarray(out / max(float(out.std()), 1e-9), np.float32)


def _coloured(grey: NDArray[np.float32], colour: NDArray[Any]) -> Canvas:
    return np.asarray(np.clip(grey[..., None] * colour.astype(np.float32), 0, 255), np.float32)


def _felt(rng: np.random.Generator) -> Canvas:
    colour = np.array([(60, 110, 40), (90, 60, 40), (50, 40, 120), (70, 70, 70), (120, 140, 150)])[rng.integers(5)]
    return _coloured(1 + 0.10 * _smooth_noise(rng, 1.2) + 0.04 * _smooth_noise(rng, 25), colour)


def _wood(rng: np.random.Generator) -> Canvas:
    colour = np.array([(70, 120, 170), (45, 75, 115), (110, 160, 200), (30, 45, 70)])[rng.integers(4)]
    y = np.arange(_TILE, dtype=np.float32)[:, None]
    bend = 14 * _smooth_noise(rng, 90)
    grain = np.sin((y * 2 * math.pi * 24 / _TILE) + bend * 0.6) * 0.08 + 0.05 * _smooth_noise(rng, 3)
    planks = np.where(np.mod(y, _TILE / 4) < 4, 0.55, 1.0)
    return _coloured(((1 + grain) * planks).astype(np.float32), colour)


def _weave(rng: np.random.Generator) -> Canvas:
    colour = np.array([(120, 175, 185), (90, 140, 150), (100, 130, 120)])[rng.integers(3)]
    y, x = np.mgrid[0:_TILE, 0:_TILE].astype(np.float32)
    strands = 0.10 * np.sin(x * 2 * math.pi * 128 / _TILE) + 0.05 * np.sin(y * 2 * math.pi * 16 / _TILE)
    return _coloured((1 + strands + 0.05 * _smooth_noise(rng, 2)).astype(np.float32), colour)


def _plaid(rng: np.random.Generator) -> Canvas:
    out = np.full((_TILE, _TILE, 3), rng.uniform(140, 220, 3), np.float32)
    for _ in range(5):
        start, width = int(rng.integers(0, _TILE - 140)), int(rng.integers(12, 130))
        colour = rng.uniform(30, 200, 3).astype(np.float32)
        out[start : start + width] = 0.5 * out[start : start + width] + 0.5 * colour
        out[:, start : start + width] = 0.5 * out[:, start : start + width] + 0.5 * colour
    return out * (1 + 0.03 * _smooth_noise(rng, 1)[..., None])


def _flowers(rng: np.random.Generator) -> Canvas:
    out = np.full((_TILE, _TILE, 3), rng.uniform(60, 230, 3), np.float32)
    for _ in range(90):
        centre = (int(rng.integers(_TILE)), int(rng.integers(_TILE)))
        axes = (int(rng.integers(8, 50)), int(rng.integers(6, 30)))
        colour = [float(v) for v in rng.uniform(20, 240, 3)]
        cv2.ellipse(out, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
    return cv2.GaussianBlur(out, (0, 0), 1.2).astype(np.float32)


def _plain(rng: np.random.Generator) -> Canvas:
    colour = np.array([(235, 238, 240), (25, 25, 28), (150, 150, 150)])[rng.integers(3)]
    return _coloured(1 + 0.015 * _smooth_noise(rng, 2), colour)


def _paper(rng: np.random.Generator) -> Canvas:
    out = np.full((420, 300, 3), int(rng.integers(205, 250)), np.uint8)
    for y in range(30, 400, 26):
        word = _WORDS[int(rng.integers(len(_WORDS)))]
        cv2.putText(out, word, (20, y), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 40, 60), 2, cv2.LINE_AA)
    return out.astype(np.float32)


def _suit_card(rng: np.random.Generator) -> Canvas:
    out = np.full((264, 189, 3), 245, np.uint8)
    red = rng.random() < 0.5
    colour = (40, 30, 200) if red else (25, 25, 25)
    cv2.putText(out, "A23456789JQK"[int(rng.integers(12))], (8, 34), cv2.FONT_HERSHEY_SIMPLEX, 1.1, colour, 3)
    for _ in range(int(rng.integers(1, 9))):
        centre = (int(rng.integers(40, 150)), int(rng.integers(50, 215)))
        cv2.circle(out, centre, 13, colour, -1, cv2.LINE_AA)
    cv2.rectangle(out, (1, 1), (187, 262), (150, 150, 150), 2)
    return out.astype(np.float32)


def _phone(rng: np.random.Generator) -> Canvas:
    out = np.full((300, 150, 3), 22, np.float32)
    out[12:-12, 8:-8] = rng.uniform(20, 220, 3)
    for _ in range(12):
        x, y = int(rng.integers(12, 110)), int(rng.integers(16, 250))
        cv2.rectangle(out, (x, y), (x + 26, y + 26), [float(v) for v in rng.uniform(0, 255, 3)], -1)
    return out


def _pattern(rng: np.random.Generator) -> Canvas:
    """A card-like thing that is none: a frame and blots of colour."""
    out = np.full((324, 198, 3), rng.uniform(150, 245, 3), np.float32)
    for _ in range(int(rng.integers(3, 14))):
        centre = (int(rng.integers(198)), int(rng.integers(324)))
        colour = [float(v) for v in rng.uniform(0, 230, 3)]
        cv2.circle(out, centre, int(rng.integers(10, 70)), colour, -1, cv2.LINE_AA)
    cv2.rectangle(out, (0, 0), (197, 323), [float(v) for v in rng.uniform(0, 90, 3)], int(rng.integers(2, 14)))
    return out
