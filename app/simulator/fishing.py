"""How the games of the hana-awase family are played by hand: a card laid or turned up, then what it captures."""

from collections.abc import Sequence
from dataclasses import replace

from app.simulator.ledger import DRAW, FIELD
from app.simulator.people import Hand, Steps
from app.simulator.places import Spot
from app.simulator.stage import Stage
from engine.cards import Card
from engine.events import Moved


class Fishing:
    """Plays legal moves at random, one card and its capture at a time."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._beside: dict[Card, Card] = {}

    def seat(self, human: frozenset[int]) -> int | None:
        """The seat to act, or None where that is left to somebody else."""
        ledger = self._stage.ledger
        return min(ledger.game.to_act(ledger.state) - human, default=None)

    def starts(self) -> list[Moved]:
        """The moves that begin with a card of the hand in turn, or with the top card of the draw pile."""
        ledger = self._stage.ledger
        top = ledger.pile[-1] if ledger.pile else None
        return [
            move
            for move in ledger.game.expected(ledger.state)
            if (move.source.zone == "hand" and ledger.where[move.card] == move.source)
            or (move.source == DRAW and move.card == top)
        ]

    def takes(self) -> list[Moved]:
        """The moves that take a card from the field."""
        ledger = self._stage.ledger
        return [m for m in ledger.game.expected(ledger.state) if m.source == FIELD and m.target.zone == "captured"]

    def act(self, seat: int) -> Steps:
        """One play: a card from the hand or the draw pile, laid or taken, and whatever it captures."""
        stage = self._stage
        starts = self.starts()
        hand = stage.people.hand(seat)
        hand.busy = True
        if starts:
            card = stage.rng.choice(sorted({move.card for move in starts}))
            ways = {move.target.zone: move for move in starts if move.card == card}
            straight = "captured" in ways and (stage.rng.random() < stage.habits.straight or "field" not in ways)
            if straight:
                yield from self.capture(hand, self.together(ways["captured"]))
            else:
                yield from self.lay_down(hand, ways["field"])
        else:
            yield from self.capture(hand, self.together(self.pick(self.takes())))
        yield from self.withdraw(hand)

    def withdraw(self, hand: Hand) -> Steps:
        """Draw the hand back: not far where it has more to do at once, else home."""
        stage = self._stage
        if stage.ledger.pending:
            yield from stage.people.retreat(hand, stage.rng.uniform(130, 260))
            yield from stage.people.wait(stage.rng.uniform(0.45, 1.0) * stage.habits.pace)
        else:
            turns_next = stage.ledger.game.to_act(stage.ledger.state) == frozenset({hand.seat})
            stays = turns_next and stage.rng.random() < 0.3
            leave = stage.people.retreat(hand, 120) if stays else stage.people.go_home(hand)
            yield from leave
            if turns_next and stays:
                yield from stage.people.wait(0.45 * stage.habits.pace)
        hand.busy = False

    def together(self, first: Moved) -> tuple[Moved, ...]:
        """`first` and the further moves that complete the capture it begins, choices made at random."""
        stage = self._stage
        group = [first]
        state = stage.ledger.game.apply(stage.ledger.state, first)
        while True:
            options = stage.ledger.game.expected(state)
            takes = [m for m in options if m.source == FIELD and m.target == first.target]
            if not takes or any(m.source.zone not in ("field", "captured") for m in options):
                return tuple(group)
            group.append(self.pick(takes, first.card))
            state = stage.ledger.game.apply(state, group[-1])

    def pick(self, takes: Sequence[Moved], card: Card | None = None) -> Moved:
        """One of several cards to take: the one beside which the played card was laid, else any."""
        stage = self._stage
        takes = sorted(takes, key=lambda move: move.card)  # the order of expected moves is nobody's promise
        wanted = {self._beside.get(card)} if card is not None else set(self._beside)
        fitting = [move for move in takes if move.card in wanted]
        return stage.rng.choice(fitting or takes)

    def lay_down(self, hand: Hand, move: Moved) -> Steps:
        """Lay a card from the hand or the pile on the field."""
        stage = self._stage
        spot = self._field_spot(move)
        turned = [move.card] if stage.ledger.is_face_down(move.source) else []
        yield from stage.people.pick_up(hand, [move.card])
        yield from stage.people.bring(hand, [spot], turned)
        yield from stage.people.wait(0.08 * stage.habits.pace)
        stage.ledger.moved(stage.people.put_down(hand, [spot]), FIELD)
        yield

    def _field_spot(self, move: Moved) -> Spot:
        stage = self._stage
        seat = min(stage.ledger.game.to_act(stage.ledger.state), default=None)
        months = [c for c, place in stage.ledger.where.items() if place == FIELD and c.month == move.card.month]
        matches = sorted(c for c in months if c in stage.world.lying)
        if matches and stage.rng.random() >= stage.habits.apart:
            match = stage.rng.choice(matches)
            lying = stage.world.lying[match]
            over = stage.rng.random() < stage.habits.over
            spot = stage.places.beside(lying, seat or 0, over) or stage.places.beside(lying, seat or 0, True)
            if spot is not None:
                self._beside[move.card] = match
                return spot
        return stage.places.field_spot(seat)

    def capture(self, hand: Hand, moves: tuple[Moved, ...]) -> Steps:
        """Take the cards of `moves` in one hand and lay them on the captured pile."""
        stage = self._stage
        cards = [move.card for move in moves]
        turned = [move.card for move in moves if stage.ledger.is_face_down(move.source)]
        first, rest = cards[:1], cards[1:]
        yield from stage.people.pick_up(hand, first)
        if turned:
            lying = stage.world.lying[rest[0]] if rest else None
            if lying is not None:
                over = Spot(lying.pose.x_mm + 9, lying.pose.y_mm + 6, lying.pose.angle_rad)
                yield from stage.people.bring(hand, [over], turned)
        yield from stage.people.pick_up(hand, rest)
        target = moves[-1].target
        spots = stage.places.captured_spots(hand.seat, tuple(cards))
        close = all(abs(s.x_mm - spots[0].x_mm) + abs(s.y_mm - spots[0].y_mm) < 45 for s in spots)
        if close:
            yield from stage.people.bring(hand, spots)
            yield from stage.people.wait(0.08 * stage.habits.pace)
            laid = stage.people.put_down(hand, spots)
        else:
            laid = ()
            for i in range(len(spots)):
                here = [
                    spots[i],
                    *(replace(spots[i], x_mm=spots[i].x_mm + 4 * (k + 1)) for k in range(len(spots) - i - 1)),
                ]
                yield from stage.people.bring(hand, here)
                yield from stage.people.wait(0.06 * stage.habits.pace)
                kept = hand.held[1:]
                hand.held = hand.held[:1]
                laid += stage.people.put_down(hand, spots[i : i + 1])
                hand.held = kept
        self._beside = {c: m for c, m in self._beside.items() if c not in cards and m not in cards}
        stage.ledger.moved(laid, target)
        yield
