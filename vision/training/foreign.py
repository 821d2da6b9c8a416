"""Pictures that are no hanafuda card: other cards, print, photographs, pieces thrown together."""

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.prints import FACE_PX, Image

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIKLMNOPRSTVWZ0123456789.,    "


def foreign(faces: Image, rng: np.random.Generator) -> Image:
    """Something as large as a face (180, 110, 3) that shows no card; `faces` of a deck may be cut up for it."""
    kinds: tuple[tuple[float, Callable[[], Image]], ...] = (
        (0.30, lambda: _pieces(faces, rng)),
        (0.45, lambda: _shapes(rng)),
        (0.70, lambda: _text(rng)),
        (0.80, lambda: _pips(rng)),
        (0.92, lambda: _photograph(rng)),
        (1.01, lambda: _strokes(rng)),
    )
    at = rng.random()
    image = next(draw for below, draw in kinds if at < below)()
    if rng.random() < 0.3:
        image = np.ascontiguousarray(image[..., rng.permutation(3)])
    if rng.random() < 0.7:
        width, height = FACE_PX
        ink = rng.uniform(0, 255, 3).tolist()
        cv2.rectangle(image, (0, 0), (width - 1, height - 1), ink, int(rng.integers(1, 12)))
    return image


def _pieces(faces: Image, rng: np.random.Generator) -> Image:
    """Six pieces of different cards."""
    width, height = FACE_PX
    image = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, 60):
        for left in range(0, width, 55):
            y, x = int(rng.integers(height - 60)), int(rng.integers(width - 55))
            piece = faces[int(rng.integers(len(faces))), y : y + 60, x : x + 55]
            image[top : top + 60, left : left + 55] = np.rot90(piece, 2 * int(rng.integers(2)))
    return image


def _paper(rng: np.random.Generator, lightest: float = 255.0) -> Image:
    width, height = FACE_PX
    tone = np.full(3, rng.uniform(110, lightest)) * np.exp(rng.normal(0, 0.08, 3))
    return np.full((height, width, 3), np.clip(tone, 0, 255), np.uint8)


def _shapes(rng: np.random.Generator) -> Image:
    """Polygons in any colour."""
    width, height = FACE_PX
    image = _paper(rng)
    for _ in range(int(rng.integers(2, 14))):
        middle = rng.uniform(0, 1, 2) * [width, height]
        points = middle + rng.normal(0, 1, (int(rng.integers(3, 7)), 2)) * rng.uniform(6, 50)
        cv2.fillPoly(image, [np.rint(points).astype(np.int32)], rng.uniform(0, 255, 3).tolist())
    return image


def _text(rng: np.random.Generator) -> Image:
    """Print in lines, upright or on its side, sometimes under a picture."""
    across = rng.random() < 0.5
    page = _paper(rng)
    page = np.ascontiguousarray(np.rot90(page)) if across else page
    ink = (rng.uniform(0, 90) * np.exp(rng.normal(0, 0.2, 3))).tolist()
    scale = rng.uniform(0.22, 0.7)
    step = round(30 * scale * rng.uniform(0.9, 1.6))
    top = round(page.shape[0] * (rng.uniform(0, 0.5) if rng.random() < 0.4 else 0.05))
    for y in range(top + step, page.shape[0], step):
        line = "".join(rng.choice(list(_LETTERS), int(rng.integers(5, 20))))
        cv2.putText(page, line, (int(rng.integers(2, 30)), y), cv2.FONT_HERSHEY_SIMPLEX, scale, ink, 1, cv2.LINE_AA)
    if top > 30:
        photo = cv2.resize(_photograph(rng), (page.shape[1] - 10, top - 5), interpolation=cv2.INTER_AREA)
        page[5:top, 5 : page.shape[1] - 5] = photo
    turned = np.rot90(page, int(rng.choice([1, 3]))) if across else page
    return np.ascontiguousarray(turned)


def _pips(rng: np.random.Generator) -> Image:
    """A number card of a western deck."""
    width, height = FACE_PX
    image = _paper(rng)
    ink = (20.0, 20.0, 190.0) if rng.random() < 0.5 else (20.0, 20.0, 20.0)
    columns, rows, size = int(rng.integers(1, 4)), int(rng.integers(1, 5)), rng.uniform(6, 13)
    corners = int(rng.choice([3, 4, 12]))
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    for x in np.linspace(0.28, 0.72, columns) if columns > 1 else [0.5]:
        for y in np.linspace(0.18, 0.82, rows) if rows > 1 else [0.5]:
            points = np.array([x * width, y * height]) + size * np.stack([np.sin(angles), -np.cos(angles)], axis=1)
            cv2.fillPoly(image, [np.rint(points).astype(np.int32)], ink, cv2.LINE_AA)
    for place in ((4, 18), (width - 16, height - 6)):
        cv2.putText(image, str(rng.choice(list("23456789JQKA"))), place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1)
    return image


def _photograph(rng: np.random.Generator) -> Image:
    """Soft patches of colour at several sizes, as a photograph or painting has."""
    width, height = FACE_PX
    image = np.full((height, width, 3), rng.uniform(30, 220, 3), np.float32)
    for cells in (2, 4, 9, 20):
        patches = rng.normal(0, rng.uniform(15, 60), (cells * 2, cells, 3)).astype(np.float32)
        image += cv2.resize(patches, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(image, 0, 255).astype(np.uint8)


def _strokes(rng: np.random.Generator) -> Image:
    """Bent strokes of a brush on paper."""
    width, height = FACE_PX
    image = _paper(rng)
    for _ in range(int(rng.integers(2, 16))):
        start = rng.uniform(0, 1, 2) * [width, height]
        steps = rng.normal(0, 1, 2) * rng.uniform(1, 8) + np.cumsum(rng.normal(0, 1.2, (14, 2)), axis=0)
        path: NDArray[np.int32] = np.rint(start + np.cumsum(steps, axis=0)).astype(np.int32)
        ink = rng.uniform(0, 255, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(0, 80))
        cv2.polylines(image, [path], False, ink.tolist(), int(rng.integers(1, 9)), cv2.LINE_AA)
    return image
