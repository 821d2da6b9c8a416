"""Wrong things that players of Hiyoko and Isuri do and put right later; each is called what the referee calls it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from app.simulator.ledger import DISCARD, DRAW
from app.simulator.people import Steps
from app.simulator.running import Running
from app.simulator.stage import Stage
from engine.cards import Card
from engine.events import Dealt, Moved, Place

KINDS: Final = ("out_of_turn", "not_following", "card_returned", "turned_too_early", "turn_up_first")
"""All the kinds there are, called as the referee calls the fault."""


class RunningSlips:
    """What can be done wrong in a game of runs, by the kinds that fit the moment."""

    def __init__(self, stage: Stage, running: Running) -> None:
        self._stage = stage
        self._running = running

    def ways(self, seat: int) -> Mapping[str, Callable[[], Steps]]:
        """The wrong things that `seat`, which is to act, can do now: each leaves the game as if it had not been."""
        stage, ledger = self._stage, self._stage.ledger
        found: dict[str, Callable[[], Steps]] = {}
        own = stage.own(seat)
        if {move.source for move in ledger.game.expected(ledger.state)} == {DRAW}:
            return {"turn_up_first": partial(self._lay_and_take_back, "turn_up_first", seat, own)}
        if seat not in ledger.game.to_act(ledger.state):
            return {}  # the other one's run has been left without a word
        follows = self._running.follows(seat)
        wrong = [card for card in own if card not in follows]
        if wrong:
            found["not_following"] = partial(self._lay_and_take_back, "not_following", seat, wrong)
        if self._running.plan(seat) and len(own) > 1:
            found["card_returned"] = partial(self._return, seat)
        if ledger.pile and not self._running.must_turn_up(seat):
            found["turned_too_early"] = partial(self._turn_too_early, seat)
        if self._has_begun():
            found["out_of_turn"] = partial(self._lay_and_take_back, "out_of_turn", 1 - seat, stage.own(1 - seat))
        return found

    def _has_begun(self) -> bool:
        """Whether a card has been laid in this deal: before that, who begins may be a matter of agreement."""
        for event in reversed(self._stage.ledger.truth):
            if isinstance(event, Dealt | Moved):
                return isinstance(event, Moved)
        return False

    def _lay_and_take_back(self, kind: str, seat: int, cards: Sequence[Card]) -> Steps:
        """Lay one of `cards` on the discard pile, and take it back."""
        stage = self._stage
        if not cards or stage.busy(seat):
            return
        hand = stage.people.hand(seat)
        hand.busy = True
        began, card = stage.ledger.now_s, stage.rng.choice(cards)
        home = stage.gap(seat, card)
        yield from stage.move(hand, [card], [stage.places.discard_pile()], DISCARD)
        yield from stage.notice(hand)
        yield from stage.move(hand, [card], [home], Place("hand", seat))
        yield from self._done(seat, kind, began)

    def _return(self, seat: int) -> Steps:
        """Lay a card, take it back into the hand, and lay it again; then the run goes on."""
        stage = self._stage
        hand = stage.people.hand(seat)
        hand.busy = True
        began, run = stage.ledger.now_s, self._running.plan(seat)
        home = stage.gap(seat, run[0])
        for target in (DISCARD, Place("hand", seat), DISCARD):
            spot = home if target.zone == "hand" else stage.places.discard_pile()
            yield from stage.move(hand, run[:1], [spot], target)
            yield from stage.notice(hand)
        yield from self._done(seat, "card_returned", began)
        yield from self._running.finish_run(seat, run[1:])

    def _turn_too_early(self, seat: int) -> Steps:
        """Turn up a card that nobody asked for, and put it back on the pile."""
        stage = self._stage
        hand = stage.people.hand(seat)
        hand.busy = True
        began, card = stage.ledger.now_s, stage.ledger.pile[-1]
        yield from stage.move(hand, [card], [stage.places.discard_pile()], DISCARD)
        yield from stage.notice(hand)
        yield from stage.move(hand, [card], [stage.places.draw_pile()], DRAW)
        yield from self._done(seat, "turned_too_early", began)

    def _done(self, seat: int, kind: str, began_s: float) -> Steps:
        hand = self._stage.people.hand(seat)
        self._stage.slipped(kind, began_s, seat)
        yield from self._stage.people.go_home(hand)
        hand.busy = False
