"""How Junior's Chotto is played by hand: all draw, choose a card face down, reveal at once, move what is theirs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.simulator.fishing import Fishing
from app.simulator.ledger import FIELD
from app.simulator.people import Hand, Steps
from app.simulator.places import Spot
from app.simulator.stage import Stage, together
from app.simulator.world import Lying
from engine.cards import Card
from engine.events import Moved, Place
from engine.reveal import Group

_STAGGER_S = 0.8  # people do the same thing at once, but not quite
_STACKED_MM = 12.0  # by how much a card stacked on its match leaves it showing


@dataclass(frozen=True, slots=True)
class _Job:
    """What one seat has to move for one month: `cards` to `target`, each to its spot (none for captured piles)."""

    cards: tuple[Card, ...]
    target: Place
    spots: tuple[Spot, ...] = ()
    after: Card | None = None


class Choosing:
    """Everybody acts at the same time: one `act` lets all simulated seats do the next thing together."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._human: frozenset[int] = frozenset()

    def seat(self, human: frozenset[int]) -> int | None:
        """One of the seats that have something to do next, or None where that is left to somebody else."""
        self._human = human
        return min(self._next() - human, default=None)

    def _next(self) -> frozenset[int]:
        """The seats that do the next thing: draw, choose, reveal, or move cards where they belong."""
        ledger = self._stage.ledger
        acting: frozenset[int] = ledger.game.to_act(ledger.state)
        return self.drawing() or self.choosing() or acting

    def drawing(self) -> frozenset[int]:
        """The seats whose hand lacks the card that the rules let them draw."""
        ledger, seats = self._stage.ledger, range(self._stage.ledger.seats)
        due = ledger.game.unseen(ledger.state)
        held = {seat: len(self._stage.own(seat)) + (seat in ledger.chosen) for seat in seats}
        return frozenset(seat for seat in seats if held[seat] < due.get(Place("hand", seat), 0))

    def choosing(self) -> frozenset[int]:
        """The seats that have not laid down a card yet."""
        ledger = self._stage.ledger
        return frozenset(s.seat for s in ledger.game.expected_signals(ledger.state) if s.name == "selected")

    @property
    def settling(self) -> bool:
        """Whether all have revealed and cards must be moved."""
        ledger = self._stage.ledger
        return not ledger.game.expected_signals(ledger.state)

    def groups(self) -> tuple[Group, ...]:
        """The months that were revealed and do not lie where they belong yet."""
        ledger = self._stage.ledger
        found: tuple[Group, ...] = ledger.state.round.unsettled(ledger.game.book.settings)
        return found

    def act(self, seat: int) -> Steps:  # noqa: ARG002  (all act at once)
        """All do the next thing."""
        seats, stage = sorted(self._next() - self._human), self._stage
        if self.drawing():
            yield from self._draw(seats)
        elif self.choosing():
            yield from together([self._choose(s) for s in seats])
        elif not self.settling:
            yield from stage.wait(0.5, 1.0)
            yield from together([self._reveal(s) for s in seats if s in stage.ledger.chosen])
        else:
            yield from stage.wait(0.6, 1.2)
            jobs = self._jobs()
            yield from together([self._settle(s, jobs[s]) for s in sorted(jobs) if s not in self._human])

    def _begin(self, seat: int) -> Steps:
        """Wait until the seat's hands are free, and a moment more."""
        yield from self._stage.wait(0.0, _STAGGER_S)
        while self._stage.busy(seat):
            yield
        self._stage.people.hand(seat).busy = True

    def _end(self, hand: Hand) -> Steps:
        yield from self._stage.people.go_home(hand)
        hand.busy = False

    def _draw(self, seats: Sequence[int]) -> Steps:
        """Each takes the top card of the pile into the hand, one after the other, before the one before is done."""
        cards = [self._stage.ledger.drew(seat) for seat in seats]
        above = [None, *(self._stage.world.lying[card] for card in cards)]
        yield from together([self._take(s, c, a) for s, c, a in zip(seats, cards, above, strict=False)])

    def _take(self, seat: int, card: Card, above: Lying | None) -> Steps:
        """Take `card` into the hand once what lay `above` it has been lifted."""
        stage = self._stage
        hand = stage.people.hand(seat)
        while stage.busy(seat) or (above is not None and self._still_lies(above)):
            yield
        hand.busy = True
        yield from stage.people.pick_up(hand, [card], 1.2)
        pose = stage.places.side(Place("hand", seat)).zone.centre_mm
        spot = stage.places.free_hand_spot(seat) or Spot(*pose, stage.places.facing(seat))
        yield from stage.people.bring(hand, [spot], hurry=1.2)
        stage.people.put_down(hand, [spot])
        yield
        yield from self._end(hand)

    def _still_lies(self, lying: Lying) -> bool:
        now = self._stage.world.lying.get(lying.card)
        return now is not None and now.order == lying.order

    def _choose(self, seat: int) -> Steps:
        """Lay a hand card face down before oneself; now and then take it back and choose another."""
        stage, ledger, people = self._stage, self._stage.ledger, self._stage.people
        yield from self._begin(seat)
        hand, own = people.hand(seat), stage.own(seat)
        tries = 2 if len(own) > 1 and stage.rng.random() < stage.habits.rethink else 1
        for i, card in enumerate(stage.rng.sample(own, tries), start=1):
            home, spot = stage.gap(seat, card), stage.places.select_spot(seat)
            yield from people.pick_up(hand, [card])
            yield from people.bring(hand, [spot])
            people.put_down(hand, [spot])
            ledger.chose(seat, card)
            yield
            if i < tries:
                yield from stage.wait(1.2, 2.0)
                yield from people.pick_up(hand, [card])
                ledger.unchose(seat)
                yield from people.bring(hand, [home])
                people.put_down(hand, [home])
                yield from stage.wait(0.8, 1.2)
        yield from self._end(hand)

    def _reveal(self, seat: int) -> Steps:
        """Turn over the chosen card where it lies."""
        stage, people = self._stage, self._stage.people
        yield from self._begin(seat)
        hand, card = people.hand(seat), stage.ledger.chosen[seat]
        spot = stage.places.select_spot(seat)
        yield from people.pick_up(hand, [card])
        yield from people.bring(hand, [spot], [card])
        people.put_down(hand, [spot])
        stage.ledger.revealed(seat)
        yield
        yield from self._end(hand)

    def _jobs(self) -> Mapping[int, list[_Job]]:
        """What each seat has to move, spots chosen so that nobody is in the other's way."""
        jobs: dict[int, list[_Job]] = {}
        taken: list[Spot] = []
        for group in self.groups():
            outcome = dict(self._stage.rng.choice(group.outcomes))
            owner = {card: seat for seat, card in group.revealed}
            lying = next(iter(group.field), None)
            for card in group.cards:
                target = outcome[card]
                if target == group.origins[card]:
                    continue
                seat = owner.get(card, group.revealed[0][0] if target.seat is None else target.seat)
                mine = jobs.setdefault(seat, [])
                if target.zone == "captured":
                    older = mine[-1] if mine and mine[-1].target == target else None
                    mine[-1:] = [_Job((*older.cards, card), target)] if older else [*mine[-1:], _Job((card,), target)]
                elif target == FIELD:
                    spot = self._stage.places.field_spot(seat, tuple(taken))
                    after = None if self._stage.ledger.state.round.opening else lying
                    mine.append(_Job((card,), target, (spot,), after))
                    taken.append(spot)
                    lying = card
                else:
                    mine.append(_Job((card,), target, self._stage.places.removed_spots((card,))))
        return jobs

    def _settle(self, seat: int, jobs: Sequence[_Job]) -> Steps:
        """Move the seat's cards: what it captures to its pile, others to the field or out of play."""
        stage = self._stage
        yield from self._begin(seat)
        hand = stage.people.hand(seat)
        for job in jobs:
            if job.target.zone == "captured":
                yield from self._capture(hand, job)
            else:
                while job.after is not None and stage.ledger.where[job.after] != FIELD:
                    yield
                spots = job.spots if job.after is None else (self._on_top(job.after),)
                yield from stage.move(hand, job.cards, spots, job.target)
        yield from self._end(hand)

    def _capture(self, hand: Hand, job: _Job) -> Steps:
        """Lay the card beside its match first, or take both straight away."""
        stage = self._stage
        first, match = job.cards[0], stage.world.lying[job.cards[1]]
        beside = stage.places.beside(match, hand.seat, stage.rng.random() < stage.habits.over)
        if beside is not None and stage.rng.random() >= stage.habits.straight:
            yield from stage.move(hand, [first], [beside], FIELD)
            yield from stage.people.retreat(hand, stage.rng.uniform(120, 200))
            yield from stage.wait(0.45, 0.9)
        moves = tuple(Moved(0.0, card, stage.ledger.where[card], job.target) for card in job.cards)
        yield from Fishing(stage).capture(hand, moves)

    def _on_top(self, card: Card) -> Spot:
        """A spot on a field card, a strip of which still shows."""
        pose = self._stage.world.lying[card].pose
        u, v = _STACKED_MM + self._stage.rng.gauss(0, 1), self._stage.rng.gauss(0, 1.5)
        return Spot(pose.x_mm + u, pose.y_mm + v, self._stage.places.jitter(5, 0.2))
