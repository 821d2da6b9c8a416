"""Hands that reach, pick up, carry, turn over and lay down cards at the speed of people; one step a frame."""

import math
import random
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from app.simulator.camera import VisibleHand
from app.simulator.hands import SKINS, SLEEVES, HandPicture, HandPose, paint_hand
from app.simulator.places import Spot
from app.simulator.rig import Rig
from app.simulator.world import Carried, World
from calibration.frames import Pose
from calibration.layout import Layout
from engine.cards import Card
from engine.events import Place

Steps = Generator[None, None, None]
_CARRY_MM: Final = 34.0
_GRIP_MM: Final = 13.0  # from a card's middle towards the player
_SHUTTER: Final = 0.25  # share of a frame's time for which the shutter is open


@dataclass(slots=True)
class _Held:
    """A card in the hand: its place relative to the grip point, its turn and how far it is turned over."""

    card: Card
    dx: float
    dy: float
    angle_rad: float
    face_up: bool
    flip: float = 0.0
    above_mm: float = 0.0


@dataclass(slots=True, eq=False)
class Hand:
    """One hand of a seat. It rests out of view; `held` are the cards it carries."""

    seat: int
    left: bool
    home: tuple[float, float]
    shoulder: tuple[float, float]
    x: float
    y: float
    height: float = 60.0
    grip: str = "flat"
    busy: bool = False
    held: list[_Held] = field(default_factory=list)
    moved: tuple[float, float] = (0.0, 0.0)

    @property
    def angle_rad(self) -> float:
        """The direction of the arm: from the shoulder to the grip, 0 = towards +y."""
        return math.atan2(-(self.x - self.shoulder[0]), self.y - self.shoulder[1])

    @property
    def at_home(self) -> bool:
        """Whether it rests out of view."""
        return (self.x, self.y) == self.home


class People:
    """The hands of all seats. `pace` scales every duration: 1 calm, 0.6 fast."""

    def __init__(
        self,
        layout: Layout,
        world: World,
        rng: random.Random,
        dt_s: float,
        pace: float,
        seed: int,
        rig: Rig,
    ) -> None:
        self.world = world
        self.dt_s = dt_s
        self.pace = pace
        self._rng = rng
        self._seed = seed
        self._layout = layout
        self._seen_mm = rig.seen_mm()
        self._px_per_mm = min(2.0, rig.px_per_mm * 1.15)
        self._pictures: dict[tuple[int, bool, str], HandPicture] = {}
        skins = rng.sample(SKINS, len(SKINS))
        sleeves = rng.sample(SLEEVES, len(SLEEVES))
        self._skins = [skins[i % len(skins)] for i in range(len(layout.seats))]
        self._sleeves = [sleeves[i % len(sleeves)] for i in range(len(layout.seats))]
        self.hands = [hand for seat in range(len(layout.seats)) for hand in self._pair(seat)]

    def hand(self, seat: int, left: bool = False) -> Hand:
        """The right (or left) hand of `seat`."""
        return self.hands[2 * seat + left]

    def visible(self) -> list[VisibleHand]:
        """The hands that are over the table now."""
        seen = []
        for hand in self.hands:
            if hand.at_home:
                continue
            blur = (hand.moved[0] * _SHUTTER, hand.moved[1] * _SHUTTER)
            pose = HandPose(hand.x, hand.y, hand.height, hand.angle_rad, blur)
            seen.append(VisibleHand(self._picture(hand), pose, tuple(held.card for held in hand.held)))
        return seen

    def hold_at(self, hand: Hand, x_mm: float, y_mm: float, height_mm: float, grip: str = "pinch") -> None:
        """Put a hand somewhere at once, gripping or flat (for a person who moves it by mouse)."""
        hand.x, hand.y, hand.height, hand.grip, hand.busy = x_mm, y_mm, height_mm, grip, True

    def leave(self, hand: Hand) -> None:
        """Take a hand off the table at once."""
        (hand.x, hand.y), hand.grip, hand.busy = hand.home, "flat", False

    def wait(self, seconds: float) -> Steps:
        """Let time pass."""
        for _ in range(max(1, round(seconds / self.dt_s))):
            yield

    def reach(self, hand: Hand, x_mm: float, y_mm: float, height_mm: float, hurry: float = 1.0) -> Steps:
        """Move a hand, with what it holds, to a point."""
        yield from self._glide(hand, x_mm, y_mm, height_mm, hurry, lift_mm=10.0)

    def go_home(self, hand: Hand, hurry: float = 1.0) -> Steps:
        """Leave the table."""
        if not hand.at_home:
            yield from self._glide(hand, *hand.home, 60.0, hurry, lift_mm=15.0)
        hand.x, hand.y = hand.home
        hand.moved = (0.0, 0.0)

    def pick_up(self, hand: Hand, cards: Sequence[Card], hurry: float = 1.0) -> Steps:
        """Reach for lying cards, one after the other, and take them all into the hand."""
        for card in cards:
            reached = None
            while reached is None or self.world.lying.get(card) != reached:
                reached = self.world.lying.get(card)
                if reached is None:  # somebody else has it in the hand
                    yield
                    continue
                x, y = self._grip_at(hand, reached.pose.x_mm, reached.pose.y_mm)
                hand.grip = "pinch"
                yield from self._glide(hand, x, y, reached.pose.height_mm + 2, hurry, lift_mm=12.0)
                yield from self.wait(self._rng.uniform(0.08, 0.16) * self.pace / hurry)
            self.take_along(hand, [card])

    def take_along(self, hand: Hand, cards: Sequence[Card]) -> None:
        """Lift cards into the hand where it is now."""
        for card in cards:
            lying = self.world.lift(card)
            dx, dy = lying.pose.x_mm - hand.x, lying.pose.y_mm - hand.y
            above = 1.2 * len(hand.held)
            hand.held.append(_Held(card, dx, dy, lying.pose.angle_rad, lying.face_up, above_mm=above))
        self._carry(hand)

    def cover(self, hand: Hand, x_mm: float, y_mm: float, palm_mm: float) -> Steps:
        """Lay a flat hand over a point: the fingertips come to lie `palm_mm` beyond it."""
        hand.grip = "flat"
        yield from self._glide(hand, *self.over(hand, x_mm, y_mm, palm_mm), 8.0, 1.0, 15.0)

    def over(self, hand: Hand, x_mm: float, y_mm: float, palm_mm: float) -> tuple[float, float]:
        """Where the fingertips are when the palm, `palm_mm` behind them, is over a point."""
        dx, dy = x_mm - hand.shoulder[0], y_mm - hand.shoulder[1]
        length = math.hypot(dx, dy) or 1.0
        return x_mm + dx / length * palm_mm, y_mm + dy / length * palm_mm

    def put_away(self, hand: Hand) -> None:
        """Let the held cards go out of the game: they are no longer on the table."""
        for held in hand.held:
            self.world.carried.pop(held.card)
        hand.held = []
        hand.grip = "flat"

    def bring(self, hand: Hand, spots: Sequence[Spot], turn_over: Sequence[Card] = (), hurry: float = 1.0) -> Steps:
        """Carry the held cards to `spots` (one for each, in order); the cards in `turn_over` are turned on the way."""
        middle = (sum(s.x_mm for s in spots) / len(spots), sum(s.y_mm for s in spots) / len(spots))
        x, y = self._grip_at(hand, *middle)
        goals = [(spot.x_mm - x, spot.y_mm - y, spot.angle_rad) for spot in spots]
        yield from self._glide(hand, x, y, 3.0, hurry, _CARRY_MM, goals, frozenset(turn_over))

    def put_down(self, hand: Hand, spots: Sequence[Spot]) -> tuple[Card, ...]:
        """Let all held cards lie where they were brought; returns them in the order they were laid."""
        cards = tuple(held.card for held in hand.held)
        for held, spot in zip(hand.held, spots, strict=True):
            up = held.face_up if held.flip < 0.5 else not held.face_up
            self.world.lay(held.card, spot.x_mm, spot.y_mm, spot.angle_rad, up)
        hand.held = []
        hand.grip = "flat"
        return cards

    def retreat(self, hand: Hand, distance_mm: float) -> Steps:
        """Draw the hand back towards its owner, off the cards."""
        dx, dy = hand.home[0] - hand.x, hand.home[1] - hand.y
        length = math.hypot(dx, dy)
        if length <= distance_mm + 60:
            yield from self.go_home(hand)
        else:
            share = distance_mm / length
            yield from self.reach(hand, hand.x + dx * share, hand.y + dy * share, 40.0, 0.9)

    def _glide(
        self,
        hand: Hand,
        x_mm: float,
        y_mm: float,
        height_mm: float,
        hurry: float,
        lift_mm: float,
        goals: Sequence[tuple[float, float, float]] = (),
        turn_over: frozenset[Card] = frozenset(),
    ) -> Steps:
        """The smooth (minimum jerk) way of a hand to a point, a little curved; held cards shift towards `goals`."""
        start = (hand.x, hand.y, hand.height)
        distance = math.hypot(x_mm - hand.x, y_mm - hand.y)
        seconds = (0.22 + distance / 950) * self.pace / hurry * self._rng.uniform(0.88, 1.15)
        if turn_over:
            seconds = max(seconds, 0.55 * self.pace)
        count = max(2, round(seconds / self.dt_s))
        bow = self._rng.gauss(0, 0.05) * distance
        normal = (0.0, 0.0) if distance == 0 else (-(y_mm - hand.y) / distance, (x_mm - hand.x) / distance)
        began = [replace(held) for held in hand.held]
        for i in range(1, count + 1):
            t = i / count
            s = t * t * t * (10 - 15 * t + 6 * t * t)
            arc = math.sin(math.pi * s)
            x = start[0] + (x_mm - start[0]) * s + normal[0] * bow * arc
            y = start[1] + (y_mm - start[1]) * s + normal[1] * bow * arc
            hand.moved = (x - hand.x, y - hand.y)
            hand.x, hand.y = x, y
            hand.height = start[2] + (height_mm - start[2]) * s + lift_mm * arc * min(1.0, distance / 80)
            for held, old, goal in zip(hand.held, began, goals, strict=False):
                held.dx = old.dx + (goal[0] - old.dx) * s
                held.dy = old.dy + (goal[1] - old.dy) * s
                held.angle_rad = old.angle_rad + math.remainder(goal[2] - old.angle_rad, 2 * math.pi) * s
                if held.card in turn_over:
                    held.flip = min(1.0, max(0.0, (t - 0.2) / 0.45))
            self._carry(hand)
            yield
        hand.moved = (0.0, 0.0)

    def _carry(self, hand: Hand) -> None:
        for held in hand.held:
            pose = Pose(hand.x + held.dx, hand.y + held.dy, held.angle_rad, hand.height + held.above_mm)
            self.world.carry(Carried(held.card, pose, held.face_up, held.flip))

    def _grip_at(self, hand: Hand, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Where the fingers go to hold a card at a point: on its side towards the player, not always the same."""
        dx, dy = hand.shoulder[0] - x_mm, hand.shoulder[1] - y_mm
        length = math.hypot(dx, dy) or 1.0
        reach = _GRIP_MM + self._rng.uniform(-3, 5)
        return x_mm + dx / length * reach + self._rng.uniform(-3, 3), y_mm + dy / length * reach

    def _pair(self, seat: int) -> tuple[Hand, Hand]:
        facing = math.radians(self._layout.seats[seat].facing_deg)
        right, out = (math.cos(facing), math.sin(facing)), (math.sin(facing), -math.cos(facing))
        width = self._layout.mat_mm[0]
        zone = self._layout.zone(Place("hand", seat))
        centre = zone.centre_mm if zone is not None else (0.0, 0.0)
        edge = abs(out[0]) * self._seen_mm[0] + abs(out[1]) * self._seen_mm[1]
        along = max(-0.35 * width, min(0.35 * width, centre[0] * right[0] + centre[1] * right[1]))
        hands = []
        for left in (False, True):
            side = along + (-165.0 if left else 165.0)
            shoulder = (out[0] * (edge + 330) + right[0] * side, out[1] * (edge + 330) + right[1] * side)
            home = (out[0] * (edge + 110) + right[0] * side * 0.9, out[1] * (edge + 110) + right[1] * side * 0.9)
            hands.append(Hand(seat, left, home, shoulder, *home))
        return hands[0], hands[1]

    def _picture(self, hand: Hand) -> HandPicture:
        key = (hand.seat, hand.left, hand.grip)
        if key not in self._pictures:
            self._pictures[key] = paint_hand(
                self._skins[hand.seat],
                self._sleeves[hand.seat],
                hand.grip,
                hand.left,
                self._px_per_mm,
                self._seed * 16 + hand.seat,
            )
        return self._pictures[key]
