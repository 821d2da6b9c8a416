"""How Hiyoko and Isuri are played by hand: runs laid card by card on one pile, cards turned up, passes said."""

from collections.abc import Sequence
from typing import Any

from app.simulator.ledger import DISCARD, DRAW
from app.simulator.people import Steps
from app.simulator.places import Spot
from app.simulator.stage import Stage
from engine.cards import Card
from engine.events import Place

_GO_ON = 0.7  # chance to lay one more card of a run that may end


class Running:
    """Plays legal runs at random; passes only where it can lay none."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._left: Any = None  # the state in which a run was left at that without a word

    def seat(self, human: frozenset[int]) -> int | None:
        """The seat to act, or None where that is left to somebody else."""
        seat = self.turn
        return None if seat in human else seat

    @property
    def turn(self) -> int:
        """The seat in turn; after a run that was ended without a word, the other one."""
        ledger = self._stage.ledger
        (seat,) = ledger.game.to_act(ledger.state)
        return 1 - seat if ledger.state is self._left else seat

    def act(self, seat: int) -> Steps:
        """Turn up a card, lay a run, or pass."""
        if self.must_turn_up(seat):
            yield from self._turn_up(seat)
        elif run := self.plan(seat):
            yield from self.finish_run(seat, run)
        else:
            yield from self._stage.say("pass", seat)

    def finish_run(self, seat: int, run: Sequence[Card]) -> Steps:
        """Lay the cards of a run, or what is left of it, and leave it at that."""
        for card in run:
            yield from self._lay(seat, card)
        yield from self._end(seat)

    def _lay(self, seat: int, card: Card) -> Steps:
        """Lay a hand card on the discard pile."""
        stage = self._stage
        hand = stage.people.hand(seat)
        hand.busy = True
        yield from stage.move(hand, [card], [stage.places.discard_pile()], DISCARD)
        yield from stage.people.retreat(hand, stage.rng.uniform(110, 160))
        yield from stage.wait(0.2, 0.6)

    def _end(self, seat: int) -> Steps:
        """Leave it at that: say so, or just draw the hand back."""
        stage, ledger = self._stage, self._stage.ledger
        hand = stage.people.hand(seat)
        yield from stage.people.go_home(hand)
        hand.busy = False
        if not ledger.game.to_act(ledger.state):
            return
        if stage.rng.random() < stage.habits.unsaid:
            self._left = ledger.state
        else:
            yield from stage.say("stop", seat)

    def must_turn_up(self, seat: int) -> bool:
        """Whether the seat must turn up a card: it may not play yet, or may not pass though it cannot play."""
        ledger = self._stage.ledger
        sources = {move.source for move in ledger.game.expected(ledger.state)}
        if DRAW not in sources:
            return False
        names = {signal.name for signal in ledger.game.expected_signals(ledger.state)}
        return sources == {DRAW} or ("pass" not in names and not self.plan(seat))

    def plan(self, seat: int) -> tuple[Card, ...]:
        """A run that the seat can lay and bring to an end; empty where there is none."""
        return self._runs(self._stage.ledger.state, seat, frozenset())

    def follows(self, seat: int) -> frozenset[Card]:
        """The seat's cards that the rules let it lay now."""
        return frozenset(self._options(self._stage.ledger.state, seat, frozenset()))

    def _options(self, state: Any, seat: int, laid: frozenset[Card]) -> dict[Card, Any]:
        """The state after each of the seat's own cards that may be laid."""
        game, own, home = self._stage.ledger.game, set(self._stage.own(seat)) - laid, Place("hand", seat)
        moves = sorted((m for m in game.expected(state) if m.source == home and m.card in own), key=lambda m: m.card)
        return {move.card: game.apply(state, move) for move in moves}

    def _runs(self, state: Any, seat: int, laid: frozenset[Card]) -> tuple[Card, ...]:
        game, rng = self._stage.ledger.game, self._stage.rng
        options = list(self._options(state, seat, laid).items())
        rng.shuffle(options)
        for card, after in options:
            if not game.to_act(after):
                return (card,)
            may_end = any((s.name, s.seat) == ("stop", seat) for s in game.expected_signals(after))
            if not may_end or rng.random() < _GO_ON:
                rest = self._runs(after, seat, laid | {card})
                if rest:
                    return (card, *rest)
            if may_end:
                return (card,)
        return ()

    def _turn_up(self, seat: int) -> Steps:
        stage = self._stage
        hand = stage.people.hand(seat)
        if not stage.ledger.pile:
            yield from self._reshuffle(seat)
        hand.busy = True
        yield from stage.move(hand, stage.ledger.pile[-1:], [stage.places.discard_pile()], DISCARD)
        yield from stage.people.go_home(hand)
        hand.busy = False

    def _reshuffle(self, seat: int) -> Steps:
        """Hold the top card aside, make the other discards the draw pile, shuffled, and lay the top card back."""
        stage, ledger, people = self._stage, self._stage.ledger, self._stage.people
        right, left = people.hand(seat), people.hand(seat, left=True)
        right.busy = left.busy = True
        discards = [card for card, place in ledger.where.items() if place == DISCARD]
        *older, top = sorted(discards, key=lambda card: stage.world.lying[card].order)
        pose = stage.world.lying[top].pose
        yield from people.pick_up(left, [top])
        yield from people.retreat(left, 130)
        yield from people.pick_up(right, older[-1:])
        people.take_along(right, older[-2::-1])
        spots = [stage.places.draw_pile() for _ in older]
        yield from people.bring(right, spots, stage.wrong_way(right, DRAW))
        people.put_down(right, spots)
        yield from stage.wait(0.8, 1.4)
        stage.rng.shuffle(older)
        for card in older:
            spot = stage.places.draw_pile()
            stage.world.lay(card, spot.x_mm, spot.y_mm, spot.angle_rad, False)
        ledger.renewed(older)
        yield
        back = Spot(pose.x_mm, pose.y_mm, pose.angle_rad)
        yield from people.bring(left, [back])
        people.put_down(left, [back])
        yield
        yield from people.go_home(right)
        yield from people.go_home(left)
        right.busy = left.busy = False
        if stage.rng.random() >= stage.habits.unsaid:
            yield from stage.say("reshuffled", seat)
