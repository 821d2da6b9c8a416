"""Where people put cards: free slots of the field, rows of a hand, fanned captured piles, the draw pile."""

import math
import random
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from app.simulator.world import Lying, World
from calibration.frames import Pose
from calibration.layout import Layout, Zone
from engine.cards import Card, Rank
from engine.errors import ConfigError
from engine.events import Place

_ROW_MM: Final = 59.0
_GAP_MM: Final = 5.0
_ORDER: Final = (Rank.BRIGHT, Rank.ANIMAL, Rank.RIBBON, Rank.CHAFF)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a card is to lie: table mm, radians."""

    x_mm: float
    y_mm: float
    angle_rad: float


@dataclass(frozen=True, slots=True)
class Side:
    """A zone in the axes of its reader: `u` to the reader's right, `v` away from the reader, both in mm."""

    zone: Zone
    facing_rad: float
    low: tuple[float, float]
    high: tuple[float, float]

    @classmethod
    def of(cls, zone: Zone, facing_rad: float) -> "Side":
        """The zone as a reader at `facing_rad` has it before them."""
        c, s = math.cos(facing_rad), math.sin(facing_rad)
        us = [x * c + y * s for x, y in zone.polygon_mm]
        vs = [y * c - x * s for x, y in zone.polygon_mm]
        return cls(zone, facing_rad, (min(us), min(vs)), (max(us), max(vs)))

    def spot(self, u: float, v: float, angle_rad: float = 0.0) -> Spot:
        """A spot at `u`, `v`, turned by `angle_rad` from upright for the reader."""
        c, s = math.cos(self.facing_rad), math.sin(self.facing_rad)
        return Spot(u * c - v * s, u * s + v * c, self.facing_rad + angle_rad)


@dataclass(slots=True)
class _Fan:
    """Cards of one kind, each beside and over the one before. `way` is +1 to the reader's right, −1 to the left."""

    rank: Rank
    row: int
    ends: list[float] = field(default_factory=list)
    way: int = 1

    def room(self) -> tuple[float, float]:
        """Least and greatest `u` of its cards' edges in mm."""
        return min(self.ends) - 16.5, max(self.ends) + 16.5


class Places:
    """Chooses spots for cards as people would; random, but decided by `rng` alone."""

    def __init__(self, layout: Layout, world: World, rng: random.Random, sloppy: float = 0.2) -> None:
        self.layout = layout
        self.world = world
        self._rng = rng
        self._fans: dict[Place, list[_Fan]] = {}
        self._sloppy = [rng.random() < sloppy for _ in layout.seats]
        self._strip = [rng.uniform(10.5, 15.0) for _ in layout.seats]
        self._way = [rng.choice((1, 1, -1)) for _ in layout.seats]

    def facing(self, seat: int | None) -> float:
        """The direction in radians in which `seat` reads; 0 for shared zones."""
        return 0.0 if seat is None else math.radians(self.layout.seats[seat].facing_deg)

    def side(self, place: Place) -> Side:
        """The zone of `place` in its reader's axes. Raises ConfigError where the layout lacks it."""
        zone = self.layout.zone(place)
        if zone is None:
            raise ConfigError(f"layout {self.layout.name!r} has no zone {place}")
        return Side.of(zone, self.facing(place.seat))

    def jitter(self, degrees: float = 8.0, half_turns: float = 0.3) -> float:
        """A careless turn in radians: within `degrees`, mostly less, now and then by half a turn."""
        turn = max(-degrees, min(degrees, self._rng.gauss(0, degrees / 2.6)))
        return math.radians(turn) + (math.pi if self._rng.random() < half_turns else 0.0)

    def draw_pile(self) -> Spot:
        """A spot for one more card of the draw pile, a little off its middle."""
        x, y = self.side(Place("draw")).zone.centre_mm
        return Spot(x + self._rng.gauss(0, 0.9), y + self._rng.gauss(0, 0.9), self.jitter(4, 0.5))

    def discard_pile(self) -> Spot:
        """A spot for one more card of the discard pile: the card hides nearly all of those below."""
        x, y = self.side(Place("discard")).zone.centre_mm
        return Spot(x + self._rng.gauss(0, 1.5), y + self._rng.gauss(0, 1.5), self.jitter(6, 0.3))

    def select_spot(self, seat: int) -> Spot:
        """A spot for the card that the seat has chosen."""
        side = self.side(Place("select", seat))
        u, v = (side.low[0] + side.high[0]) / 2, (side.low[1] + side.high[1]) / 2
        return side.spot(u + self._rng.gauss(0, 3), v + self._rng.gauss(0, 1.2), self.jitter(6, 0.2))

    def shown_spot(self, place: Place) -> Spot:
        """A free spot for a card laid face up in a zone; where it is full, its middle."""
        side = self.side(place)
        angle = self.jitter(6, 0.2)
        return self._free(side, angle, 40) or Spot(*side.zone.centre_mm, side.facing_rad + angle)

    def clear(self) -> None:
        """The piles of captured and removed cards are gone."""
        self._fans = {}

    def hand_spots(self, seat: int, count: int) -> tuple[Spot, ...]:
        """`count` spots in rows from the reader's left, turned to the seat."""
        side = self.side(Place("hand", seat))
        width, depth = side.high[0] - side.low[0], side.high[1] - side.low[1]
        rows = max(1, min(2, int(depth // 57)))
        a_row = max(1, int((width - 33 - 4) // 38) + 1)
        rows = 1 if count <= a_row else rows
        in_row = -(-count // rows)
        pitch = min(self._rng.uniform(40, 47), (width - 37) / max(1, in_row - 1))
        spots = []
        middle = (side.low[0] + side.high[0]) / 2
        for i in range(count):
            row, column = divmod(i, in_row)
            u = middle + (column - (in_row - 1) / 2) * pitch + self._rng.gauss(0, 0.8)
            v = (side.low[1] + side.high[1]) / 2 + ((rows - 1) / 2 - row) * _ROW_MM + self._rng.gauss(0, 1.2)
            spots.append(side.spot(u, v, self.jitter(8, 0.12)))
        return tuple(spots)

    def free_hand_spot(self, seat: int) -> Spot | None:
        """A gap in the seat's hand zone, or None where it is full."""
        return self._free(self.side(Place("hand", seat)), self.jitter(8, 0.1), tries=40)

    def field_spots(self, count: int) -> tuple[Spot, ...]:
        """Different free slots of the field for `count` cards of a deal."""
        spots: list[Spot] = []
        for _ in range(count):
            spots.append(self.field_spot(None, tuple(spots)))
        return tuple(spots)

    def field_spot(self, seat: int | None, taken: tuple[Spot, ...] = ()) -> Spot:
        """A free slot of the field, mostly in its rows, clear of the spots in `taken` too."""
        side = self.side(Place("field"))
        angle = self.jitter(8, 0.25) + (math.pi if math.cos(self.facing(seat)) < -0.1 else 0.0)
        spots = []
        columns = max(1, int((side.high[0] - side.low[0] - 8) // 41))
        rows = max(1, int((side.high[1] - side.low[1] - 4) // _ROW_MM))
        for row in range(rows):
            for column in range(columns):
                u = (side.low[0] + side.high[0]) / 2 + (column - (columns - 1) / 2) * 41
                v = (side.low[1] + side.high[1]) / 2 + (row - (rows - 1) / 2) * (_ROW_MM + 2)
                spots.append(side.spot(u + self._rng.gauss(0, 1.2), v + self._rng.gauss(0, 1.5), angle))
        free = [
            spot
            for spot in spots
            if self._is_free(spot, 2.0)
            and all(abs(spot.x_mm - t.x_mm) > 36 or abs(spot.y_mm - t.y_mm) > 57 for t in taken)
        ]
        middle = sorted(free, key=lambda s: abs(s.x_mm - side.zone.centre_mm[0]) + 2 * abs(s.y_mm))
        if middle:
            return self._rng.choice(middle[: max(3, len(middle) // 2)])
        found = self._free(side, angle, tries=200)
        return found or self._rng.choice(spots)

    def beside(self, match: Lying, seat: int, over: bool) -> Spot | None:
        """A spot beside `match`, or half over it, that touches no other card; None where there is none."""
        side = self.side(Place("field"))
        angle = self.jitter(8, 0.25) + (math.pi if math.cos(self.facing(seat)) < -0.1 else 0.0)
        width = self.world.card_mm[0]
        for _ in range(14):
            if over and self._rng.random() < 0.5:
                u, v = self._rng.choice((-1, 1)) * self._rng.uniform(17, 23), self._rng.uniform(-7, 7)
            elif over:
                u, v = self._rng.uniform(-7, 7), self._rng.choice((-1, 1)) * self._rng.uniform(27, 36)
            else:
                u, v = self._rng.choice((-1, 1)) * (width + self._rng.uniform(3, 9)), self._rng.uniform(-4, 4)
            c, s = math.cos(match.pose.angle_rad), math.sin(match.pose.angle_rad)
            spot = Spot(match.pose.x_mm + u * c - v * s, match.pose.y_mm + u * s + v * c, match.pose.angle_rad + angle)
            if self._inside(side.zone, spot, 12.0) and self._is_free(spot, 1.0, {match.card}):
                return spot
        return None

    def captured_spots(self, seat: int, cards: tuple[Card, ...]) -> tuple[Spot, ...]:
        """Where these cards go on the seat's captured piles, in this order."""
        return tuple(self._piled(Place("captured", seat), seat, card) for card in cards)

    def removed_spots(self, cards: tuple[Card, ...]) -> tuple[Spot, ...]:
        """Where these cards go among those out of play, in this order."""
        return tuple(self._piled(Place("removed"), 0, card) for card in cards)

    def forget_captured(self, seat: int, card: Card, spot: Spot) -> None:
        """Undo the last `captured_spots` of a card that was not put there after all, or was taken away again."""
        side = self.side(Place("captured", seat))
        c, s = math.cos(side.facing_rad), math.sin(side.facing_rad)
        u = spot.x_mm * c + spot.y_mm * s
        for fan in self._fans.get(Place("captured", seat), []):
            if fan.rank == card.rank and fan.ends and abs(fan.ends[-1] - u) < 9:
                fan.ends.pop()
                return

    def _piled(self, place: Place, seat: int, card: Card) -> Spot:
        """A spot on the piles of a zone, sorted as carefully as `seat` does it."""
        side = self.side(place)
        strip = self._strip[seat] * (self._rng.uniform(0.9, 1.3) if self._sloppy[seat] else 1.0)
        fan = self._grow(place, side, card.rank, max(10.0, strip))
        rows = self._rows(side)
        wobble = 5.0 if self._sloppy[seat] else 1.2
        middle = (side.low[1] + side.high[1]) / 2
        v = middle + ((rows - 1) / 2 - fan.row) * self._pitch(side) + max(-6, min(6, self._rng.gauss(0, wobble / 2)))
        turn = self.jitter(10 if self._sloppy[seat] else 5, 0.2)
        return side.spot(fan.ends[-1], v, turn)

    def _rows(self, side: Side) -> int:
        return max(1, min(3, int((side.high[1] - side.low[1]) // (_ROW_MM - 1))))

    def _pitch(self, side: Side) -> float:
        """Distance of two rows of captured cards in mm."""
        return max(_ROW_MM, min(72.0, (side.high[1] - side.low[1] - 60) / max(1, self._rows(side) - 1)))

    def _grow(self, place: Place, side: Side, rank: Rank, strip: float) -> _Fan:
        """The fan of `rank` with one more card; a new one where the old has no room left."""
        fans = self._fans.setdefault(place, [])
        own = [fan for fan in fans if fan.rank == rank and fan.ends]
        for fan in own[-1:]:
            u = fan.ends[-1] + fan.way * strip
            if self._has_room(fans, fan, u, side):
                fan.ends.append(u)
                return fan
        return self._start(fans, side, rank, self._way[place.seat or 0])

    def _start(self, fans: list[_Fan], side: Side, rank: Rank, way: int) -> _Fan:
        rows = self._rows(side)
        low, high = side.low[0] + 18.0, side.high[0] - 18.0
        if rows >= 2:
            row, share = (rows - 1, 0.0) if rank is Rank.CHAFF else (0, {0: 0.0, 1: 0.30, 2: 0.66}[_ORDER.index(rank)])
        else:
            row, share = 0, (0.0, 0.17, 0.40, 0.64)[_ORDER.index(rank)]
        wanted = low + share * (high - low) if way > 0 else high - share * (high - low)
        fan = _Fan(rank, row, [wanted], way)
        if self._has_room(fans, fan, wanted, side):
            fans.append(fan)
            return fan
        best: tuple[float, int, float] | None = None
        for row in range(rows):
            taken = sorted(f.room() for f in fans if f.row == row and f.ends)
            edges = [(side.low[0], side.low[0] + 1), *taken, (side.high[0] - 1, side.high[0])]
            for (_, left), (right, _) in pairwise(edges):
                gap = right - left
                if gap >= 33 + _GAP_MM + 2 and (best is None or gap > best[0]):
                    u = left + 16.5 + _GAP_MM / 2 if way > 0 else right - 16.5 - _GAP_MM / 2
                    best = (gap, row, u)
        if best is not None:
            fan = _Fan(rank, best[1], [best[2]], way)
        else:
            last = next((f for f in reversed(fans) if f.ends), fan)
            u = min(max(last.ends[-1] - last.way * 10, low), high)
            fan = _Fan(rank, last.row, [u], -last.way)
        fans.append(fan)
        return fan

    def _has_room(self, fans: list[_Fan], fan: _Fan, u: float, side: Side) -> bool:
        if not side.low[0] + 14 <= u <= side.high[0] - 14:
            return False
        rooms = [other.room() for other in fans if other is not fan and other.row == fan.row and other.ends]
        return all(u + 16.5 + _GAP_MM / 2 <= low or u - 16.5 - _GAP_MM / 2 >= high for low, high in rooms)

    def _free(self, side: Side, angle: float, tries: int) -> Spot | None:
        for _ in range(tries):
            u = self._rng.uniform(side.low[0] + 19, side.high[0] - 19)
            v = self._rng.uniform(side.low[1] + 26, max(side.low[1] + 27, side.high[1] - 26))
            spot = side.spot(u, v, angle)
            if self._inside(side.zone, spot, 10.0) and self._is_free(spot, 2.0):
                return spot
        return None

    def _inside(self, zone: Zone, spot: Spot, margin_mm: float) -> bool:
        around = ((0, 0), (margin_mm, 0), (-margin_mm, 0), (0, margin_mm), (0, -margin_mm))
        return all(zone.contains(spot.x_mm + dx, spot.y_mm + dy) for dx, dy in around)

    def _is_free(self, spot: Spot, gap_mm: float, but: set[Card] | None = None) -> bool:
        pose = Pose(spot.x_mm, spot.y_mm, spot.angle_rad)
        return not any(
            self.world.overlap(pose, lying.pose, gap_mm)
            for card, lying in self.world.lying.items()
            if not but or card not in but
        )
