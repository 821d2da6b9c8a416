"""What a player needs to act: the truth so far, the table, places, hands, habits and chance."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.simulator.ledger import Ledger, Slip
from app.simulator.people import Hand, People, Steps
from app.simulator.places import Places, Spot
from app.simulator.world import World
from calibration import spots
from engine.cards import Card
from engine.events import Place

SAID_AFTER_S: Final = 0.8
"""A spot that has been covered for so long has said what it says (issue: spots)."""
_NOTICED_S: Final = (1.3, 2.4)  # until somebody sees what is wrong
PALM_MM: Final = 78.0
"""From the fingertips back to the middle of a flat hand."""
_UNSEEN: Final = ("selected", "unselected")  # said by a card that lies there, not by a spot


@dataclass(frozen=True, slots=True)
class Habits:
    """How the players behave: shares between 0 and 1, `pace` scales all durations (1 calm, 0.6 fast).

    `straight`: a capture goes to the pile without being laid down first. `over`: a card is laid half over its match
    instead of beside it. `apart`: it is laid somewhere else. `fidget`: chance per turn that somebody rearranges
    a hand card, `reach_over` that an arm passes over the table, `slip` that somebody does one of the wrong things in
    `slip_kinds` (named as the referee names the fault) and puts it right later; with `slip_times` each at most so
    often, the rarest so far first. `unsaid`: what may go without saying is not said. `rethink`: a chosen card is taken
    back for another one. `misdeal`: chance that all four cards of a month are dealt to the field, which must be dealt
    again.
    """

    pace: float = 1.0
    straight: float = 0.3
    over: float = 0.35
    apart: float = 0.15
    fidget: float = 0.2
    reach_over: float = 0.12
    slip: float = 0.0
    think_s: tuple[float, float] = (0.4, 1.3)
    slip_kinds: tuple[str, ...] = ("out_of_turn",)
    slip_times: int | None = None
    unsaid: float = 0.3
    rethink: float = 0.04
    misdeal: float = 0.0


@dataclass(frozen=True, slots=True)
class Stage:
    """All that a player's hands and eyes have to do with."""

    ledger: Ledger
    world: World
    places: Places
    people: People
    rng: random.Random
    habits: Habits

    def busy(self, seat: int) -> bool:
        """Whether a hand of the seat is on its way."""
        return self.people.hand(seat).busy or self.people.hand(seat, left=True).busy

    def own(self, seat: int) -> list[Card]:
        """The cards in the seat's hand, in standard order; one that lies chosen already is none of them."""
        where, chosen = self.ledger.where, self.ledger.chosen.values()
        return sorted(card for card, place in where.items() if place == Place("hand", seat) and card not in chosen)

    def wait(self, least_s: float, most_s: float) -> Steps:
        """Let a random time pass, scaled by the players' pace."""
        yield from self.people.wait(self.rng.uniform(least_s, most_s) * self.habits.pace)

    def move(self, hand: Hand, cards: Sequence[Card], to: Sequence[Spot], target: Place, ruled: bool = True) -> Steps:
        """Take cards, lay each on its spot in `to`, write it down. Those that lie the wrong way are turned over."""
        yield from self.people.pick_up(hand, cards)
        yield from self.people.bring(hand, to, self.wrong_way(hand, target))
        yield from self.people.wait(0.08 * self.habits.pace)
        self.ledger.moved(self.people.put_down(hand, to), target, ruled)
        yield

    def wrong_way(self, hand: Hand, target: Place) -> list[Card]:
        """The cards in the hand that must be turned over on their way to `target`."""
        hidden = self.ledger.is_face_down(target)
        return [held.card for held in hand.held if held.face_up == hidden]

    def gap(self, seat: int, card: Card) -> Spot:
        """Where a card that is taken back into the hand goes: a gap in it, or where the card lies now."""
        pose = self.world.lying[card].pose
        return self.places.free_hand_spot(seat) or Spot(pose.x_mm, pose.y_mm, pose.angle_rad)

    def notice(self, hand: Hand) -> Steps:
        """Draw the hand back; somebody notices that something is wrong."""
        yield from self.people.go_home(hand)
        yield from self.people.wait(self.rng.uniform(*_NOTICED_S))

    def slipped(self, kind: str, began_s: float, seat: int) -> None:
        """Write down that a slip has been put right."""
        self.ledger.truth.append(Slip(began_s, kind, self.ledger.now_s, seat))

    def offered(self) -> tuple[spots.Spot, ...]:
        """The spots of everything that may be said now."""
        if self.ledger.misdealt:
            return spots.spots(self.places.layout, {self.ledger.dealer: ["redeal"]})
        names: dict[int, list[str]] = {}
        for signal in self.ledger.game.expected_signals(self.ledger.state):
            if signal.name not in _UNSEEN:
                names.setdefault(signal.seat, []).append(signal.name)
        return spots.spots(self.places.layout, names)

    def say(self, name: str, seat: int) -> Steps:
        """Cover the spot that says `name` for the seat; where there is none it is said by other means."""
        yield from self.wait(0.7, 1.3)
        found = next((s for s in self.offered() if (s.name, s.seat) == (name, seat)), None)
        if found is None:
            self.said(name, seat)
            return
        hand = self.people.hand(seat)
        hand.busy = True
        yield from self.people.cover(
            hand, found.x_mm + self.rng.gauss(0, 4), found.y_mm + self.rng.gauss(0, 4), PALM_MM
        )
        yield from self.people.wait(SAID_AFTER_S)
        self.said(name, seat)
        yield from self.people.wait(self.rng.uniform(0.45, 0.8))
        yield from self.people.go_home(hand)
        hand.busy = False

    def hear(self, name: str, seat: int) -> bool:
        """Write down what was said without a spot, if it may be said now; whether it may."""
        if not any((spot.name, spot.seat) == (name, seat) for spot in self.offered()):
            return False
        self.said(name, seat)
        return True

    def said(self, name: str, seat: int) -> None:
        """Write down what a player has said."""
        if name == "redeal" and self.ledger.misdealt:
            self.ledger.redeal(seat)
        else:
            self.ledger.signalled(name, seat)


def together(parts: Sequence[Steps]) -> Steps:
    """Several hands at once: a step of each in every frame until all have come to their end."""
    running = list(parts)
    while running:
        running = [steps for steps in running if next(steps, "end") != "end"]
        if running:
            yield
