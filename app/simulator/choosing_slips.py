"""Wrong things that players of Junior's Chotto do and put right later; each is called what the referee calls it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from app.simulator.choosing import Choosing
from app.simulator.ledger import DRAW, FIELD
from app.simulator.people import Steps
from app.simulator.places import Spot
from app.simulator.stage import Stage
from engine.cards import Card
from engine.events import Place

KINDS: Final = ("match_left", "nobody_takes", "choose_first", "pile_turned", "field_card_taken")
"""All the kinds there are, called as the referee calls the fault."""


class ChoosingSlips:
    """What can be done wrong in Junior's Chotto, by the kinds that fit the moment."""

    def __init__(self, stage: Stage, choosing: Choosing) -> None:
        self._stage = stage
        self._choosing = choosing

    def ways(self, seat: int) -> Mapping[str, Callable[[], Steps]]:
        """The wrong things that `seat` can do now: each leaves the game as if it had not been."""
        stage, ledger = self._stage, self._stage.ledger
        own, pile = stage.own(seat), Place("captured", seat)
        found: dict[str, Callable[[], Steps]] = {}
        if self._choosing.drawing():
            return found
        if self._choosing.settling:
            if own:
                found["match_left"] = partial(self._there_and_back, "match_left", seat, own, FIELD)
            shared = [
                dict(g.revealed)[seat] for g in self._choosing.groups() if self._is_shared(seat, dict(g.revealed))
            ]
            if shared:
                found["nobody_takes"] = partial(self._there_and_back, "nobody_takes", seat, shared, pile)
            return found
        if self._choosing.choosing():
            if own:
                found["choose_first"] = partial(self._there_and_back, "choose_first", seat, own, FIELD)
            if ledger.pile:
                found["pile_turned"] = partial(self._there_and_back, "pile_turned", seat, ledger.pile[-1:], FIELD)
            field = sorted(card for card, place in ledger.where.items() if place == FIELD and self._is_free(card))
            if field:
                found["field_card_taken"] = partial(self._there_and_back, "field_card_taken", seat, field, pile)
        return found

    def _is_shared(self, seat: int, revealed: Mapping[int, Card]) -> bool:
        """Whether others revealed the same month, so that this seat takes nothing (but not in the opening)."""
        return seat in revealed and len(revealed) > 1 and not self._stage.ledger.state.round.opening

    def _is_free(self, card: Card) -> bool:
        """Whether no other card lies on this one."""
        world = self._stage.world
        mine = world.lying[card]
        return not any(at.order > mine.order and world.overlap(at.pose, mine.pose) for at in world.lying.values())

    def _there_and_back(self, kind: str, seat: int, cards: list[Card], target: Place) -> Steps:
        """Move one of `cards` to where it may not go, and bring it back."""
        stage = self._stage
        if stage.busy(seat):
            return
        hand = stage.people.hand(seat)
        hand.busy = True
        began, card = stage.ledger.now_s, stage.rng.choice(cards)
        source, pose = stage.ledger.where[card], stage.world.lying[card].pose
        home = Spot(pose.x_mm, pose.y_mm, pose.angle_rad)
        if source.zone == "hand":
            home = stage.gap(seat, card)
        elif source == DRAW:
            home = stage.places.draw_pile()
        if target == FIELD:
            spot = stage.places.field_spot(seat)
        else:
            (spot,) = stage.places.captured_spots(seat, (card,))
        yield from stage.move(hand, [card], [spot], target)
        yield from stage.notice(hand)
        if target.zone == "captured":
            stage.places.forget_captured(seat, card, spot)
        yield from stage.move(hand, [card], [home], source)
        stage.slipped(kind, began, seat)
        yield from stage.people.go_home(hand)
        hand.busy = False
