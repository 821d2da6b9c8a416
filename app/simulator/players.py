"""Players who play legal moves at random and move their cards like people; what they do is the truth."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.simulator.dealing import Dealer
from app.simulator.ledger import DRAW, FIELD, Ledger
from app.simulator.ledger import Slip as Slip
from app.simulator.people import Hand, People, Steps
from app.simulator.places import Places, Spot
from app.simulator.world import World
from engine.cards import Card
from engine.events import Moved, Place

_LOOK_S: Final = 0.8  # everybody looks at the deal before the first hand moves


@dataclass(frozen=True, slots=True)
class Habits:
    """How the players behave: shares between 0 and 1, `pace` scales all durations (1 calm, 0.6 fast).

    `straight`: a capture goes to the pile without being laid down first. `over`: a card is laid half over its match
    instead of beside it. `apart`: it is laid somewhere else. `fidget`: chance per turn that somebody rearranges
    a hand card, `reach_over` that an arm passes over the table, `slip` that somebody plays out of turn.
    """

    pace: float = 1.0
    straight: float = 0.3
    over: float = 0.35
    apart: float = 0.15
    fidget: float = 0.2
    reach_over: float = 0.12
    slip: float = 0.0
    think_s: tuple[float, float] = (0.4, 1.3)


class Director:
    """Lets the cards be dealt and each seat play, and has the ledger write down what really happened.

    Seats in `human` are left to somebody else, whose moves reach the ledger too.
    """

    def __init__(
        self,
        ledger: Ledger,
        world: World,
        places: Places,
        people: People,
        rng: random.Random,
        habits: Habits,
        human: frozenset[int] = frozenset(),
    ) -> None:
        self._ledger = ledger
        self._world = world
        self._places = places
        self._people = people
        self._rng = rng
        self._habits = habits
        self._human = human
        self._aside: list[Steps] = []
        self._beside: dict[Card, Card] = {}

    def dealer_of_cards(self) -> Dealer:
        """Who brings this deal onto the table."""
        ledger = self._ledger
        idle = min(set(range(ledger.seats)) - self._human, default=ledger.dealer)
        seat = idle if ledger.dealer in self._human else ledger.dealer
        deal = ledger.field, ledger.hands, tuple(ledger.pile)
        return Dealer(self._world, self._places, self._people, self._rng, seat, *deal)

    def play(self, deal: Steps | None = None, leave: Steps | None = None) -> Steps:
        """The deal if it is still to come, then the game to its end, a step a frame; other hands move beside it."""
        if deal is not None:
            yield from deal
            self._ledger.dealt()
        if leave is not None:
            yield from leave
        yield from self._people.wait(_LOOK_S)
        main = self._turns()
        while True:
            self._aside = [steps for steps in self._aside if next(steps, "end") != "end"]
            if next(main, "end") == "end" and not self._aside:
                return
            yield

    def _turns(self) -> Steps:
        while seats := self._ledger.game.to_act(self._ledger.state):
            seat = min(seats - self._human, default=None)
            if seat is None or self._ledger.astray:
                yield
                continue
            yield from self._think(seat)
            yield from self._act(seat)
        if not self._ledger.over:
            self._ledger.finish()

    def _think(self, seat: int) -> Steps:
        habits = self._habits
        idle = [s for s in range(self._ledger.seats) if s != seat and s not in self._human]
        if not self._aside and idle and self._rng.random() < habits.fidget:
            self._aside.append(self._rearrange(self._rng.choice(idle)))
        elif not self._aside and self._rng.random() < habits.reach_over:
            self._aside.append(self._reach_over(self._rng.choice(idle or [seat])))
        if idle and self._rng.random() < habits.slip:
            yield from self._play_out_of_turn(self._rng.choice(idle))
        yield from self._people.wait(self._rng.uniform(*habits.think_s) * habits.pace)
        while self._busy(seat):
            yield

    def _busy(self, seat: int) -> bool:
        """Whether a hand of the seat is on its way."""
        return self._people.hand(seat).busy or self._people.hand(seat, left=True).busy

    def _act(self, seat: int) -> Steps:
        """One play: a card from the hand or the draw pile, laid or taken, and whatever it captures."""
        top = self._ledger.pile[-1] if self._ledger.pile else None
        starts = [
            move
            for move in self._ledger.game.expected(self._ledger.state)
            if move.source.zone == "hand" or (move.source == DRAW and move.card == top)
        ]
        hand = self._people.hand(seat)
        hand.busy = True
        if starts:
            card = self._rng.choice(sorted({move.card for move in starts}))
            ways = {move.target.zone: move for move in starts if move.card == card}
            straight = "captured" in ways and (self._rng.random() < self._habits.straight or "field" not in ways)
            move = ways["captured"] if straight else ways["field"]
            if straight:
                yield from self._capture(hand, self._together(move))
            else:
                yield from self._lay_down(hand, move)
        else:
            takes = [
                m
                for m in self._ledger.game.expected(self._ledger.state)
                if m.source == FIELD and m.target.zone == "captured"
            ]
            yield from self._capture(hand, self._together(self._pick(takes)))
        if self._ledger.pending:
            yield from self._people.retreat(hand, self._rng.uniform(130, 260))
            yield from self._people.wait(self._rng.uniform(0.45, 1.0) * self._habits.pace)
        else:
            turns_next = self._ledger.game.to_act(self._ledger.state) == frozenset({seat})
            stays = turns_next and self._rng.random() < 0.3
            leave = self._people.retreat(hand, 120) if stays else self._people.go_home(hand)
            yield from leave
            if turns_next and stays:
                yield from self._people.wait(0.45 * self._habits.pace)
        hand.busy = False

    def _together(self, first: Moved) -> tuple[Moved, ...]:
        """`first` and the further moves that complete the capture it begins, choices made at random."""
        group = [first]
        state = self._ledger.game.apply(self._ledger.state, first)
        while True:
            options = self._ledger.game.expected(state)
            takes = [m for m in options if m.source == FIELD and m.target == first.target]
            if not takes or any(m.source.zone not in ("field", "captured") for m in options):
                return tuple(group)
            group.append(self._pick(takes, first.card))
            state = self._ledger.game.apply(state, group[-1])

    def _pick(self, takes: Sequence[Moved], card: Card | None = None) -> Moved:
        """One of several cards to take: the one beside which the played card was laid, else any."""
        takes = sorted(takes, key=lambda move: move.card)  # the order of expected moves is nobody's promise
        wanted = {self._beside.get(card)} if card is not None else set(self._beside)
        fitting = [move for move in takes if move.card in wanted]
        return self._rng.choice(fitting or takes)

    def _lay_down(self, hand: Hand, move: Moved) -> Steps:
        """Lay a card from the hand or the pile on the field."""
        spot = self._field_spot(move)
        turned = [move.card] if move.source == DRAW else []
        yield from self._people.pick_up(hand, [move.card])
        yield from self._people.bring(hand, [spot], turned)
        yield from self._people.wait(0.08 * self._habits.pace)
        self._ledger.moved(self._people.put_down(hand, [spot]), FIELD)
        yield

    def _field_spot(self, move: Moved) -> Spot:
        seat = min(self._ledger.game.to_act(self._ledger.state), default=None)
        months = [c for c, place in self._ledger.where.items() if place == FIELD and c.month == move.card.month]
        matches = sorted(c for c in months if c in self._world.lying)
        if matches and self._rng.random() >= self._habits.apart:
            match = self._rng.choice(matches)
            lying = self._world.lying[match]
            over = self._rng.random() < self._habits.over
            spot = self._places.beside(lying, seat or 0, over) or self._places.beside(lying, seat or 0, True)
            if spot is not None:
                self._beside[move.card] = match
                return spot
        return self._places.field_spot(seat)

    def _capture(self, hand: Hand, moves: tuple[Moved, ...]) -> Steps:
        """Take the cards of `moves` in one hand and lay them on the captured pile."""
        cards = [move.card for move in moves]
        turned = [move.card for move in moves if move.source == DRAW]
        first, rest = cards[:1], cards[1:]
        yield from self._people.pick_up(hand, first)
        if turned:
            lying = self._world.lying[rest[0]] if rest else None
            if lying is not None:
                over = Spot(lying.pose.x_mm + 9, lying.pose.y_mm + 6, lying.pose.angle_rad)
                yield from self._people.bring(hand, [over], turned)
        yield from self._people.pick_up(hand, rest)
        target = moves[-1].target
        spots = self._places.captured_spots(hand.seat, tuple(cards))
        close = all(abs(s.x_mm - spots[0].x_mm) + abs(s.y_mm - spots[0].y_mm) < 45 for s in spots)
        if close:
            yield from self._people.bring(hand, spots)
            yield from self._people.wait(0.08 * self._habits.pace)
            laid = self._people.put_down(hand, spots)
        else:
            laid = ()
            for i in range(len(spots)):
                here = [
                    spots[i],
                    *(replace(spots[i], x_mm=spots[i].x_mm + 4 * (k + 1)) for k in range(len(spots) - i - 1)),
                ]
                yield from self._people.bring(hand, here)
                yield from self._people.wait(0.06 * self._habits.pace)
                kept = hand.held[1:]
                hand.held = hand.held[:1]
                laid += self._people.put_down(hand, spots[i : i + 1])
                hand.held = kept
        self._beside = {c: m for c, m in self._beside.items() if c not in cards and m not in cards}
        self._ledger.moved(laid, target)
        yield

    def _rearrange(self, seat: int) -> Steps:
        """Move one of the seat's own hand cards to a gap."""
        own = sorted(card for card, place in self._ledger.where.items() if place == Place("hand", seat))
        hand = self._people.hand(seat, left=self._rng.random() < 0.3)
        spot = self._places.free_hand_spot(seat)
        if not own or spot is None or self._busy(seat):
            return
        hand.busy = True
        card = self._rng.choice(own)
        yield from self._people.pick_up(hand, [card])
        yield from self._people.bring(hand, [spot])
        self._people.put_down(hand, [spot])
        yield
        yield from self._people.go_home(hand)
        hand.busy = False

    def _reach_over(self, seat: int) -> Steps:
        """Reach over the table for something and draw the arm back."""
        hand = self._people.hand(seat, left=True)
        if self._busy(seat):
            return
        hand.busy = True
        width, height = self._places.layout.mat_mm
        x, y = self._rng.uniform(-0.3, 0.3) * width, self._rng.uniform(-0.3, 0.3) * height
        yield from self._people.reach(hand, x, y, 110.0)
        yield from self._people.wait(self._rng.uniform(0.1, 0.6) * self._habits.pace)
        yield from self._people.go_home(hand)
        hand.busy = False

    def _play_out_of_turn(self, seat: int) -> Steps:
        """Lay a hand card on the field although it is not this seat's turn, see it, and take it back."""
        own = sorted(card for card, place in self._ledger.where.items() if place == Place("hand", seat))
        hand = self._people.hand(seat)
        if not own or self._busy(seat):
            return
        hand.busy = True
        card, began = self._rng.choice(own), self._ledger.now_s
        for target, spot in ((FIELD, None), (Place("hand", seat), self._places.free_hand_spot(seat))):
            spot = spot or self._places.field_spot(seat)
            yield from self._people.pick_up(hand, [card])
            yield from self._people.bring(hand, [spot])
            self._ledger.moved(self._people.put_down(hand, [spot]), target, ruled=False)
            yield
            yield from self._people.go_home(hand)
            yield from self._people.wait(self._rng.uniform(1.2, 2.5))
        self._ledger.truth.append(Slip(began, "out_of_turn", self._ledger.now_s, seat))
        hand.busy = False
