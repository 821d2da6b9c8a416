"""Wrong things that players of the fishing games do and put right later; each is called what the referee calls it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from app.simulator.fishing import Fishing
from app.simulator.ledger import DRAW, FIELD
from app.simulator.people import Hand, Steps
from app.simulator.places import Spot
from app.simulator.stage import Stage
from engine.cards import Card
from engine.events import Moved, Place

KINDS: Final = (
    "out_of_turn",
    "wrong_match",
    "match_left",
    "two_cards_played",
    "drawn_card_kept",
    "turned_too_early",
    "hand_card_swapped",
)
"""All the kinds there are, called as the referee calls the fault."""


class FishingSlips:
    """What can be done wrong in a fishing game, by the kinds that fit the moment."""

    def __init__(self, stage: Stage, fishing: Fishing) -> None:
        self._stage = stage
        self._fishing = fishing

    def ways(self, seat: int) -> Mapping[str, Callable[[], Steps]]:
        """The wrong things that `seat`, which is to act, can do now: each leaves the game as if it had not been."""
        ledger = self._stage.ledger
        found: dict[str, Callable[[], Steps]] = {}
        own, laid = self._stage.own(seat), [m for m in self._fishing.starts() if m.target == FIELD]
        takes, top = self._fishing.takes(), ledger.pile[-1] if ledger.pile else None
        active = [m.card for m in takes if self._stage.world.lying[m.card].order == self._newest()]
        if ledger.pending and active and self._strangers(active[0]):
            found["wrong_match"] = partial(self._wrong_match, seat, active[0])
        if ledger.pending and top is not None and self._turns_next(seat):
            found["match_left"] = partial(self._match_left, seat, top)
        if not ledger.pending and laid and laid[0].source == DRAW:
            if own:
                found["two_cards_played"] = partial(self._lay_and_take_back, "two_cards_played", seat, own)
            if not ledger.game.hidden_hands:
                found["drawn_card_kept"] = partial(self._keep_drawn, seat, laid[0].card)
        if not ledger.pending and laid and laid[0].source != DRAW:
            found["turned_too_early"] = partial(self._turn_too_early, seat)
            if len(own) > 1:
                found["hand_card_swapped"] = partial(self._swap, seat, laid)
        if top is None:
            found.pop("turned_too_early", None)
        return found

    def _newest(self) -> int:
        """The order of the card that was laid last of those on the field."""
        where, lying = self._stage.ledger.where, self._stage.world.lying
        return max((at.order for card, at in lying.items() if where.get(card) == FIELD), default=-1)

    def _strangers(self, card: Card) -> list[Card]:
        """The field cards of other months."""
        where = self._stage.ledger.where
        return sorted(c for c, place in where.items() if place == FIELD and c.month != card.month)

    def _turns_next(self, seat: int) -> bool:
        """Whether, once the capture under way is complete, the same seat turns up a card."""
        game, state = self._stage.ledger.game, self._stage.ledger.state
        while True:
            moves = game.expected(state)
            takes = [move for move in moves if move.source == FIELD]
            if any(move.source.zone in ("hand", "draw") for move in moves) or not takes:
                return any(move.source == DRAW for move in moves) and seat in game.to_act(state)
            state = game.apply(state, min(takes, key=lambda move: move.card))

    def _done(self, hand: Hand, kind: str, began_s: float) -> Steps:
        """All is put right; the hand goes on as after any play."""
        self._stage.slipped(kind, began_s, hand.seat)
        yield from self._fishing.withdraw(hand)

    def _wrong_match(self, seat: int, active: Card) -> Steps:
        """Take the card just laid together with one of another month; put that back, then take the right one."""
        stage, pile = self._stage, Place("captured", seat)
        hand = stage.people.hand(seat)
        hand.busy = True
        began, wrong = stage.ledger.now_s, stage.rng.choice(self._strangers(active))
        pose = stage.world.lying[wrong].pose
        back = Spot(pose.x_mm, pose.y_mm, pose.angle_rad)
        for card in (active, wrong):
            (spot,) = stage.places.captured_spots(seat, (card,))
            yield from stage.move(hand, [card], [spot], pile)
        yield from stage.notice(hand)
        stage.places.forget_captured(seat, wrong, spot)
        yield from stage.move(hand, [wrong], [back], FIELD)
        yield from self._fishing.capture(hand, self._fishing.together(self._fishing.pick(self._fishing.takes())))
        yield from self._done(hand, "wrong_match", began)

    def _match_left(self, seat: int, top: Card) -> Steps:
        """Turn up the next card though the one just laid has a match; then take that after all."""
        stage = self._stage
        hand = stage.people.hand(seat)
        hand.busy = True
        began = stage.ledger.now_s
        left = self._fishing.together(self._fishing.pick(self._fishing.takes()))
        spot = stage.places.field_spot(seat)
        yield from stage.move(hand, [top], [spot], FIELD)
        yield from stage.notice(hand)
        yield from self._fishing.capture(hand, left)
        yield from self._done(hand, "match_left", began)

    def _lay_and_take_back(self, kind: str, seat: int, own: list[Card]) -> Steps:
        """Lay one more hand card on the field, and take it back."""
        stage = self._stage
        hand = stage.people.hand(seat)
        hand.busy = True
        began, card = stage.ledger.now_s, stage.rng.choice(own)
        home = stage.gap(seat, card)
        yield from stage.move(hand, [card], [stage.places.field_spot(seat)], FIELD)
        yield from stage.notice(hand)
        yield from stage.move(hand, [card], [home], Place("hand", seat))
        yield from self._done(hand, kind, began)

    def _keep_drawn(self, seat: int, card: Card) -> Steps:
        """Take the card turned up into the hand; then lay it on the field."""
        stage = self._stage
        hand = stage.people.hand(seat)
        hand.busy = True
        began, spot = stage.ledger.now_s, stage.places.free_hand_spot(seat)
        if spot is None:
            side = stage.places.side(Place("hand", seat))
            spot = side.spot((side.low[0] + side.high[0]) / 2, (side.low[1] + side.high[1]) / 2)
        yield from stage.move(hand, [card], [spot], Place("hand", seat))
        yield from stage.notice(hand)
        yield from stage.move(hand, [card], [stage.places.field_spot(seat)], FIELD)
        yield from self._done(hand, "drawn_card_kept", began)

    def _turn_too_early(self, seat: int) -> Steps:
        """Turn up a card before playing one; put it back on the pile."""
        stage = self._stage
        hand = stage.people.hand(seat)
        hand.busy = True
        began, card = stage.ledger.now_s, stage.ledger.pile[-1]
        yield from stage.move(hand, [card], [stage.places.field_spot(seat)], FIELD)
        yield from stage.notice(hand)
        yield from stage.move(hand, [card], [stage.places.draw_pile()], DRAW)
        yield from self._done(hand, "turned_too_early", began)

    def _swap(self, seat: int, laid: list[Moved]) -> Steps:
        """Play a card, take it back and play another one; put both right."""
        stage, home = self._stage, Place("hand", seat)
        hand = stage.people.hand(seat)
        hand.busy = True
        began = stage.ledger.now_s
        first = stage.rng.choice(sorted({move.card for move in laid}))
        other = stage.rng.choice([card for card in stage.own(seat) if card != first])
        homes = {card: stage.gap(seat, card) for card in (first, other)}
        for card, target in ((first, FIELD), (first, home), (other, FIELD), (other, home), (first, FIELD)):
            spot = homes[card] if target == home else stage.places.field_spot(seat)
            yield from stage.move(hand, [card], [spot], target)
            yield from stage.notice(hand)
        yield from self._done(hand, "hand_card_swapped", began)
