"""A person at the simulated table: takes, drags, turns over and drops cards, as a window's mouse says."""

import math
from collections.abc import Collection
from dataclasses import replace
from typing import Final

from app.simulator.ledger import DRAW
from app.simulator.people import Hand
from app.simulator.stage import PALM_MM, SAID_AFTER_S, Stage
from app.simulator.world import Carried
from calibration.layout import Layout
from calibration.spots import Spot
from engine.cards import Card
from engine.events import Place

_HEIGHT_MM: Final = 24.0


class Mouse:
    """One card at a time is in the person's hand. Moves that break the rules are made all the same, as at a table.

    With `show_hand` a hand of the first human seat holds the card; otherwise it floats. A press on a spot lays the hand
    there until it is let go: `tick` says what the spot says once it has been covered for long enough.
    """

    def __init__(self, stage: Stage, seats: Collection[int], show_hand: bool) -> None:
        self._stage = stage
        self._ledger = stage.ledger
        self._world = stage.world
        self._people = stage.people
        self._layout: Layout = stage.places.layout
        self._seats = sorted(seats)
        self._show_hand = show_hand
        self._card: Card | None = None
        self._offset = (0.0, 0.0)
        self._on: Spot | None = None
        self._since_s = 0.0

    def pick(self, x_mm: float, y_mm: float) -> bool:
        """Take the top card at a point, or cover the spot there; False where there is neither, or the hand is full."""
        if self._card is not None or self._on is not None:
            return False
        lying = self._world.top_at(x_mm, y_mm)
        if lying is None:
            return self._cover(x_mm, y_mm)
        self._world.lift(lying.card)
        self._card = lying.card
        self._offset = (lying.pose.x_mm - x_mm, lying.pose.y_mm - y_mm)
        self._world.carry(Carried(lying.card, replace(lying.pose, height_mm=_HEIGHT_MM), lying.face_up))
        self._show(x_mm, y_mm)
        return True

    def tick(self) -> None:
        """Time has passed: a spot that has been covered for long enough says what it says, once."""
        if self._on is None or self._ledger.now_s < self._since_s + SAID_AFTER_S:
            return
        self._stage.hear(self._on.name, self._on.seat)
        self._since_s = math.inf

    def _cover(self, x_mm: float, y_mm: float) -> bool:
        """Lay the hand of the seat on its spot at a point, if there is one."""
        for spot in self._stage.offered():
            if spot.seat in self._seats and math.hypot(spot.x_mm - x_mm, spot.y_mm - y_mm) <= spot.radius_mm:
                hand = self._people.hand(spot.seat)
                x, y = self._people.over(hand, spot.x_mm, spot.y_mm, PALM_MM)
                self._people.hold_at(hand, x, y, 8.0, "flat")
                self._on, self._since_s = spot, self._ledger.now_s
                return True
        return False

    def drag(self, x_mm: float, y_mm: float) -> None:
        """Move the card in the hand; nothing happens without one."""
        if self._card is None:
            return
        held = self._world.carried[self._card]
        pose = replace(held.pose, x_mm=x_mm + self._offset[0], y_mm=y_mm + self._offset[1])
        self._world.carry(replace(held, pose=pose))
        self._show(x_mm, y_mm)

    def turn_over(self) -> None:
        """Turn over the card in the hand; nothing happens without one."""
        if self._card is not None:
            held = self._world.carried[self._card]
            self._world.carry(replace(held, face_up=not held.face_up))

    def rotate(self, angle_rad: float) -> None:
        """Turn the card in the hand anticlockwise; nothing happens without one."""
        if self._card is not None:
            held = self._world.carried[self._card]
            self._world.carry(replace(held, pose=replace(held.pose, angle_rad=held.pose.angle_rad + angle_rad)))

    def drop(self) -> Place | None:
        """Lay the card down, face up where cards lie so and face down in hidden hands; lift the hand off a spot.

        None outside all zones. A card laid to be revealed later keeps the side it shows.
        """
        if self._on is not None:
            self._people.leave(self._people.hand(self._on.seat))
            self._on = None
        if self._card is None:
            return None
        card, self._card = self._card, None
        held = self._world.carried[card]
        place = self._layout.place_at(held.pose.x_mm, held.pose.y_mm)
        came_from = self._ledger.where.get(card)
        face_up = held.face_up
        if place is not None and came_from is not None and place.zone != "select" and place != came_from:
            down = self._ledger.is_face_down
            face_up = not down(place) and (face_up or down(came_from))
        self._world.lay(card, held.pose.x_mm, held.pose.y_mm, held.pose.angle_rad, face_up)
        if self._show_hand and self._seats:
            self._people.leave(self._hand())
        if place is not None and came_from is not None:
            self._write(card, came_from, place, face_up)
        return place

    def _write(self, card: Card, came_from: Place, place: Place, face_up: bool) -> None:
        """Write down what laying the card there means: mostly a move; a choice, its reveal, a card drawn in secret."""
        ledger = self._ledger
        chooser = next((seat for seat, chosen in ledger.chosen.items() if chosen == card), None)
        if chooser is not None and place == Place("select", chooser):
            if face_up:
                ledger.revealed(chooser)
        elif chooser is not None and place == came_from:
            ledger.unchose(chooser)
        elif place.seat is not None and not face_up and place.zone == "select":
            if ledger.may_choose(place.seat) and came_from == Place("hand", place.seat):
                ledger.chose(place.seat, card)
        elif place.seat is not None and came_from == DRAW and card in ledger.pile[-1:] and ledger.lacks(place):
            ledger.drew(place.seat)
        else:
            ledger.moved([card], place)

    def _hand(self) -> Hand:
        return self._people.hand(self._seats[0])

    def _show(self, x_mm: float, y_mm: float) -> None:
        if self._show_hand and self._seats and self._card is not None:
            self._people.hold_at(self._hand(), x_mm, y_mm, _HEIGHT_MM)
