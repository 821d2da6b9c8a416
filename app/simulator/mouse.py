"""A person at the simulated table: takes, drags, turns over and drops cards, as a window's mouse says."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from app.simulator.ledger import DRAW, Ledger
from app.simulator.people import Hand, People
from app.simulator.world import Carried, World
from calibration.layout import Layout
from engine.cards import Card
from engine.events import Place

_HEIGHT_MM: Final = 24.0


class Mouse:
    """One card at a time is in the person's hand. Moves that break the rules are made all the same, as at a table.

    With `show_hand` a hand of the first human seat holds the card; otherwise it floats.
    """

    def __init__(
        self,
        ledger: Ledger,
        world: World,
        people: People,
        layout: Layout,
        seats: Collection[int],
        show_hand: bool,
    ) -> None:
        self._ledger = ledger
        self._world = world
        self._people = people
        self._layout = layout
        self._seats = sorted(seats)
        self._show_hand = show_hand
        self._card: Card | None = None
        self._offset = (0.0, 0.0)

    def pick(self, x_mm: float, y_mm: float) -> bool:
        """Take the top card at a point; False where there is none, or one is in the hand already."""
        lying = self._world.top_at(x_mm, y_mm)
        if lying is None or self._card is not None:
            return False
        self._world.lift(lying.card)
        self._card = lying.card
        self._offset = (lying.pose.x_mm - x_mm, lying.pose.y_mm - y_mm)
        self._world.carry(Carried(lying.card, replace(lying.pose, height_mm=_HEIGHT_MM), lying.face_up))
        self._show(x_mm, y_mm)
        return True

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
        """Lay the card down; a card of the draw pile is turned up on its way. None outside all zones."""
        if self._card is None:
            return None
        card, self._card = self._card, None
        held = self._world.carried[card]
        place = self._layout.place_at(held.pose.x_mm, held.pose.y_mm)
        came_from = self._ledger.where.get(card)
        face_up = held.face_up or (came_from == DRAW and place not in (None, DRAW))
        self._world.lay(card, held.pose.x_mm, held.pose.y_mm, held.pose.angle_rad, face_up)
        if self._show_hand and self._seats:
            self._people.leave(self._hand())
        if place is not None and came_from is not None:
            self._ledger.moved([card], place)
        return place

    def _hand(self) -> Hand:
        return self._people.hand(self._seats[0])

    def _show(self, x_mm: float, y_mm: float) -> None:
        if self._show_hand and self._seats and self._card is not None:
            self._people.hold_at(self._hand(), x_mm, y_mm, _HEIGHT_MM)
