"""The physical table: where each card lies, in which order they cover each other, and what is in somebody's hand."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from calibration.frames import Pose
from engine.cards import Card

CARD_MM: Final = (33.0, 54.0)


@dataclass(frozen=True, slots=True)
class Lying:
    """A card at rest. A higher `order` covers a lower one; `pose.height_mm` is the height of its top side."""

    card: Card
    pose: Pose
    face_up: bool
    order: int


@dataclass(frozen=True, slots=True)
class Carried:
    """A card in the air. `flip` 0 = as `face_up` says, 1 = turned over, between: edge-on at 0.5."""

    card: Card
    pose: Pose
    face_up: bool
    flip: float = 0.0


class World:
    """All cards of the table by card; each is either lying or carried or not on the table (in the box)."""

    def __init__(self, card_mm: tuple[float, float] = CARD_MM, thickness_mm: float = 1.1) -> None:
        self.card_mm = card_mm
        self.thickness_mm = thickness_mm
        self.lying: dict[Card, Lying] = {}
        self.carried: dict[Card, Carried] = {}
        self._order = 0

    def lay(self, card: Card, x_mm: float, y_mm: float, angle_rad: float, face_up: bool) -> Lying:
        """Lay `card` down on top of whatever is there."""
        self.carried.pop(card, None)
        self.lying.pop(card, None)
        self._order += 1
        flat = Pose(x_mm, y_mm, _turn(angle_rad), 0.0)
        pose = replace(flat, height_mm=self._height(flat, self.lying.values()))
        self.lying[card] = Lying(card, pose, face_up, self._order)
        return self.lying[card]

    def lift(self, card: Card) -> Lying:
        """Take `card` off the table; cards that lay on it sink. Raises KeyError where it does not lie."""
        gone = self.lying.pop(card)
        for above in sorted((c for c in self.lying.values() if c.order > gone.order), key=lambda c: c.order):
            if self.overlap(above.pose, gone.pose):
                below = [c for c in self.lying.values() if c.order < above.order]
                pose = replace(above.pose, height_mm=self._height(above.pose, below))
                self.lying[above.card] = replace(above, pose=pose)
        return gone

    def carry(self, carried: Carried) -> None:
        """Show `carried` in the air (it must have been lifted)."""
        self.carried[carried.card] = carried

    def top_at(self, x_mm: float, y_mm: float) -> Lying | None:
        """The uppermost card at a point in table mm, None where the mat is bare."""
        hits = [c for c in self.lying.values() if self.holds(c.pose, x_mm, y_mm)]
        return max(hits, key=lambda c: c.order, default=None)

    def holds(self, pose: Pose, x_mm: float, y_mm: float, grow_mm: float = 0.0) -> bool:
        """Whether a card at `pose`, grown by `grow_mm` on each side, covers the point."""
        dx, dy = x_mm - pose.x_mm, y_mm - pose.y_mm
        c, s = math.cos(pose.angle_rad), math.sin(pose.angle_rad)
        along, up = abs(dx * c + dy * s), abs(dy * c - dx * s)
        return along <= self.card_mm[0] / 2 + grow_mm and up <= self.card_mm[1] / 2 + grow_mm

    def overlap(self, a: Pose, b: Pose, grow_mm: float = 0.0) -> bool:
        """Whether two cards, one grown by `grow_mm`, lie over each other (separating axes)."""
        if math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) > math.hypot(*self.card_mm) + grow_mm:
            return False
        width, height = self.card_mm
        first = a.corners_mm(width + 2 * grow_mm, height + 2 * grow_mm)
        second = b.corners_mm(width, height)
        for angle in (a.angle_rad, a.angle_rad + math.pi / 2, b.angle_rad, b.angle_rad + math.pi / 2):
            c, s = math.cos(angle), math.sin(angle)
            one = [x * c + y * s for x, y in first]
            two = [x * c + y * s for x, y in second]
            if max(one) <= min(two) or max(two) <= min(one):
                return False
        return True

    def hidden_share(self, lying: Lying) -> float:
        """The share of a card's face that other lying or carried cards cover, 0–1, sampled on a 7 × 11 grid."""
        over = [c.pose for c in self.lying.values() if c.order > lying.order and self.overlap(c.pose, lying.pose)]
        over += [c.pose for c in self.carried.values() if self.overlap(c.pose, lying.pose)]
        if not over:
            return 0.0
        points = self._samples(lying.pose, 7, 11)
        return sum(any(self.holds(pose, x, y) for pose in over) for x, y in points) / len(points)

    def _height(self, pose: Pose, below: Iterable[Lying]) -> float:
        """Mean height of a card's top side: a card that leans on others is tilted, so the mean counts."""
        under = [c for c in below if self.overlap(c.pose, pose)]
        if not under:
            return self.thickness_mm
        points = self._samples(pose, 3, 3)
        layers = sum(self.holds(c.pose, x, y) for c in under for x, y in points)
        return self.thickness_mm * (1 + layers / len(points))

    def _samples(self, pose: Pose, columns: int, rows: int) -> list[tuple[float, float]]:
        c, s = math.cos(pose.angle_rad), math.sin(pose.angle_rad)
        width, height = self.card_mm
        return [
            (pose.x_mm + u * c - v * s, pose.y_mm + u * s + v * c)
            for u in ((i + 0.5) / columns * width - width / 2 for i in range(columns))
            for v in ((j + 0.5) / rows * height - height / 2 for j in range(rows))
        ]

    def snapshot(self) -> Mapping[Card, Lying]:
        """What lies where now, as a value that later moves do not change."""
        return dict(self.lying)


def _turn(angle_rad: float) -> float:
    """The same direction within −π … π."""
    return math.remainder(angle_rad, 2 * math.pi)
