"""Poses on the table in the table frame: mm, origin at the mat's centre, x right, y away from the operator."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pose:
    """A card lying on the table: centre in table mm and the counter-clockwise turn of its upright direction from +y.

    `angle_rad` 0 means that the card's top edge points to +y (upright for the operator at −y).
    `height_mm` is how far its top face lies above the mat.
    """

    x_mm: float
    y_mm: float
    angle_rad: float
    height_mm: float = 1.1

    def corners_mm(self, width_mm: float = 33.0, height_mm: float = 54.0) -> tuple[tuple[float, float], ...]:
        """The card's corners in table mm, clockwise (seen from above) from its own top-left."""
        c, s = math.cos(self.angle_rad), math.sin(self.angle_rad)
        half = ((-width_mm, height_mm), (width_mm, height_mm), (width_mm, -height_mm), (-width_mm, -height_mm))
        return tuple((self.x_mm + (x * c - y * s) / 2, self.y_mm + (x * s + y * c) / 2) for x, y in half)
