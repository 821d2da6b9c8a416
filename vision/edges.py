"""Whether a card's outline shows: what only looks like a card, a shadow or the grain of the table, has none."""

import math
from typing import Final

import cv2
import numpy as np

from vision.rectify import Found, Picture

EDGE_LEVEL: Final = 3.0
"""Grey levels a mm by which the picture, averaged along a side, must change where a card's edge is."""


def edges(picture: Picture, found: Found, card_mm: tuple[float, float]) -> int:
    """On how many of its four sides the card's edge shows: a step or a line along the side, however thin.

    A side out of the picture counts as shown.
    """
    across = np.arange(-3.0, 3.01, 1.0)
    c, s = math.cos(found.angle_rad), math.sin(found.angle_rad)
    h, w = picture.image.shape[:2]
    shown = 0
    for half, length, flip in ((0, 1, -1), (0, 1, 1), (1, 0, -1), (1, 0, 1)):
        along = np.linspace(-0.42, 0.42, 24) * card_mm[length]
        out = flip * (card_mm[half] / 2 + across)
        grid_out, grid_along = np.meshgrid(out, along)
        x, y = (grid_out, grid_along) if half == 0 else (grid_along, grid_out)
        u = found.u + (x * c - y * s) * picture.scale
        v = found.v - (x * s + y * c) * picture.scale
        if u.min() < 0 or v.min() < 0 or u.max() > w - 1 or v.max() > h - 1:
            shown += 1
            continue
        line = cv2.remap(picture.image, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR)
        profile = line.astype(np.float32).mean(axis=0)
        shown += int(np.abs(np.diff(profile, axis=0)).max() >= EDGE_LEVEL)
    return shown
