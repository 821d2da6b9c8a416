"""Players who play legal moves at random and move their cards like people; what they do is the truth."""

from collections import Counter
from collections.abc import Callable, Generator, Mapping
from typing import Any, Final, Protocol

from app.simulator import choosing_slips, fishing_slips, running_slips
from app.simulator.choosing import Choosing
from app.simulator.dealing import Dealer
from app.simulator.fishing import Fishing
from app.simulator.ledger import FIELD
from app.simulator.ledger import Slip as Slip
from app.simulator.people import Steps
from app.simulator.places import Spot
from app.simulator.running import Running
from app.simulator.stage import Habits as Habits
from app.simulator.stage import Stage
from engine.errors import ConfigError
from engine.events import Place
from engine.game import Game

_PATIENCE_S: Final = 10.0  # how long simulated players wait for a person to say something
_LOOK_S: Final = 0.8  # everybody looks at the deal before the first hand moves

Ways = Mapping[str, Callable[[], Steps]]
"""Wrong things that can be done now, by the name of the fault: how to do them and to put them right."""


class Flow(Protocol):
    """How one kind of game is played by hand."""

    def seat(self, human: frozenset[int]) -> int | None:
        """The seat to act, or None where that is left to somebody else."""
        ...

    def act(self, seat: int) -> Steps:
        """What that seat does next."""
        ...


def _flow_of(stage: Stage) -> tuple[Flow, Callable[[int], Ways]]:
    """How the game is played, and what can be done wrong in it: told by the zones it needs."""
    zones = {place.zone for place in stage.ledger.game.zones(stage.ledger.seats)}
    if "discard" in zones:
        running = Running(stage)
        _check_kinds(stage, running_slips.KINDS)
        return running, running_slips.RunningSlips(stage, running).ways
    if "select" in zones:
        choosing = Choosing(stage)
        _check_kinds(stage, choosing_slips.KINDS)
        return choosing, choosing_slips.ChoosingSlips(stage, choosing).ways
    fishing = Fishing(stage)
    _check_kinds(stage, fishing_slips.KINDS)
    return fishing, fishing_slips.FishingSlips(stage, fishing).ways


def slip_kinds(game: Game[Any], seats: int) -> tuple[str, ...]:
    """All that can be done wrong in the game, as the referee calls it."""
    zones = {place.zone for place in game.zones(seats)}
    if "discard" in zones:
        return running_slips.KINDS
    if "select" in zones:
        return choosing_slips.KINDS
    # who looks at a card turned up before it goes into a hidden hand cannot be told from who just draws it
    return tuple(k for k in fishing_slips.KINDS if not (k == "drawn_card_kept" and game.hidden_hands))


def _check_kinds(stage: Stage, known: tuple[str, ...]) -> None:
    """Raises ConfigError for kinds of slips that there are not in this game, if any are wanted."""
    wrong = [kind for kind in stage.habits.slip_kinds if kind not in known]
    if wrong and stage.habits.slip > 0:
        name = stage.ledger.game.name
        raise ConfigError(f"{name}: nobody slips in the way {wrong[0]!r}; the kinds are {', '.join(known)}")


class Director:
    """Lets the cards be dealt and each seat play, and has the ledger write down what really happened.

    Seats in `human` are left to somebody else, whose moves reach the ledger too.
    """

    def __init__(self, stage: Stage, human: frozenset[int] = frozenset()) -> None:
        self._stage = stage
        self._human = human
        self._aside: list[Steps] = []
        self._flow, self._slips = _flow_of(stage)
        self._out_of_turn = isinstance(self._flow, Fishing)  # a card of another seat may be laid and taken back

    def dealer_of_cards(self, packets: bool = False) -> Dealer:
        """Who brings this deal onto the table."""
        ledger = self._stage.ledger
        idle = min(set(range(ledger.seats)) - self._human, default=ledger.dealer)
        seat = idle if ledger.dealer in self._human else ledger.dealer
        return Dealer(self._stage, seat, packets, self._human)

    def play(self, deal: Steps | None = None, leave: Steps | None = None) -> Steps:
        """The deal if it is still to come, then the game to its end, a step a frame; other hands move beside it."""
        if deal is not None:
            yield from deal
            self._stage.ledger.dealt()
        if leave is not None:
            yield from leave
        yield from self._stage.people.wait(_LOOK_S)
        main = self._rounds()
        while True:
            self._aside = [steps for steps in self._aside if next(steps, "end") != "end"]
            if next(main, "end") == "end" and not self._aside:
                return
            yield

    def _rounds(self) -> Steps:
        ledger = self._stage.ledger
        while True:
            yield from self._misdeals()
            yield from self._turns()
            if ledger.game.over(ledger.state):
                break
            yield from self._between_rounds()
        if not ledger.over:
            ledger.finish()

    def _turns(self) -> Steps:
        ledger = self._stage.ledger
        while ledger.game.to_act(ledger.state):
            seat = self._flow.seat(self._human)
            if seat is None or ledger.astray:
                yield
                continue
            slip = yield from self._think(seat)
            if slip is None:
                yield from self._flow.act(seat)
            else:
                yield from slip

    def _between_rounds(self) -> Steps:
        """The next dealer says so or simply begins; the cards are gathered, shuffled and dealt."""
        stage = self._stage
        while self._aside:
            yield
        yield from stage.wait(1.5, 2.5)
        seat = stage.ledger.game.next_dealer(stage.ledger.state)
        said = seat not in self._human and stage.rng.random() >= stage.habits.unsaid
        if said:
            yield from stage.say("next_round", seat)
        elif seat in self._human:
            yield from self._hear("next_round")
        stage.ledger.next_round(said)
        self.perhaps_misdeal()
        yield from self._deal_again()

    def perhaps_misdeal(self) -> None:
        """Make the deal to come one that the rules refuse, as often as the habits say."""
        if self._stage.habits.misdeal > 0 and self._stage.rng.random() < self._stage.habits.misdeal:
            self._stage.ledger.shuffle(misdeal=True)

    def _deal_again(self) -> Steps:
        """Everybody gathers the cards, and the dealer shuffles and deals them."""
        dealer = self.dealer_of_cards(packets=True)
        yield from dealer.again()
        self._stage.ledger.dealt()
        yield from dealer.leave()
        yield from self._stage.people.wait(_LOOK_S)

    def _misdeals(self) -> Steps:
        """A deal that the rules refuse is noticed and made again."""
        stage = self._stage
        while stage.ledger.misdealt:
            yield from stage.wait(2.0, 3.0)
            if stage.ledger.dealer in self._human:
                yield from self._hear("redeal")
            else:
                yield from stage.say("redeal", stage.ledger.dealer)
            if stage.ledger.misdealt:
                stage.ledger.redeal(stage.ledger.dealer)
            yield from self._deal_again()

    def _hear(self, name: str) -> Steps:
        """Give a person time to say something; the others go on without it then."""
        stage = self._stage
        until_s = stage.ledger.now_s + _PATIENCE_S
        while stage.ledger.now_s < until_s and any(spot.name == name for spot in stage.offered()):
            yield

    def draw_for_deal(self) -> Steps:
        """Each seat turns up a card until it is clear who deals; the cards are gathered and dealt."""
        stage, ledger = self._stage, self._stage.ledger
        yield from stage.people.wait(1.0)
        while acting := ledger.game.to_act(ledger.state):
            top = ledger.pile[-1]
            targets = {m.target for m in ledger.game.expected(ledger.state) if m.card == top}
            ready = [t for t in targets if (min(acting) if t.seat is None else t.seat) not in self._human]
            if not ready:
                yield
                continue
            target = min(ready, key=str)
            hand = stage.people.hand(min(acting) if target.seat is None else target.seat)
            hand.busy = True
            spot = stage.places.discard_pile() if target.seat is None else stage.places.shown_spot(target)
            yield from stage.move(hand, [top], [spot], target)
            yield from stage.people.go_home(hand)
            hand.busy = False
            yield from stage.wait(0.4, 1.0)
        yield from stage.wait(1.0, 2.0)
        ledger.found_dealer()
        self.perhaps_misdeal()
        yield from self.dealer_of_cards(packets=True).again()

    def leave(self) -> Steps:
        """Take the dealing hand off the table."""
        yield from self.dealer_of_cards().leave()

    def _think(self, seat: int) -> Generator[None, None, Steps | None]:
        """Time passes, and perhaps something happens beside the game; something wrong to do instead of a play."""
        stage, habits, rng = self._stage, self._stage.habits, self._stage.rng
        idle = [s for s in range(stage.ledger.seats) if s != seat and s not in self._human]
        if not self._aside and idle and rng.random() < habits.fidget:
            self._aside.append(self._rearrange(rng.choice(idle)))
        elif not self._aside and rng.random() < habits.reach_over:
            self._aside.append(self._reach_over(rng.choice(idle or [seat])))
        slip = None
        if idle and rng.random() < habits.slip:
            ways = self._slips(seat)
            plain = self._out_of_turn and (len(habits.slip_kinds) == 1 or not stage.ledger.pending)
            kinds = [kind for kind in habits.slip_kinds if kind in ways or (kind == "out_of_turn" and plain)]
            kinds = self._rarest(kinds)
            kind = kinds[0] if len(kinds) == 1 else rng.choice(kinds) if kinds else ""
            if kind == "out_of_turn" and plain:
                yield from self._play_out_of_turn(rng.choice(idle))
            elif kind:
                slip = ways[kind]
        yield from stage.people.wait(rng.uniform(*habits.think_s) * habits.pace)
        while stage.busy(seat):
            yield
        return None if slip is None else slip()

    def _rarest(self, kinds: list[str]) -> list[str]:
        """Those of `kinds` that were done least often, if each is to be done only so many times."""
        limit = self._stage.habits.slip_times
        if limit is None:
            return kinds
        done = Counter(event.kind for event in self._stage.ledger.truth if isinstance(event, Slip))
        least = min((done[kind] for kind in kinds), default=limit)
        return [kind for kind in kinds if done[kind] == least < limit]

    def _rearrange(self, seat: int) -> Steps:
        """Move one of the seat's own hand cards to a gap."""
        stage = self._stage
        own = stage.own(seat)
        hand = stage.people.hand(seat, left=stage.rng.random() < 0.3)
        spot = stage.places.free_hand_spot(seat)
        if not own or spot is None or stage.busy(seat):
            return
        hand.busy = True
        card = stage.rng.choice(own)
        yield from stage.people.pick_up(hand, [card])
        yield from stage.people.bring(hand, [spot])
        stage.people.put_down(hand, [spot])
        yield
        yield from stage.people.go_home(hand)
        hand.busy = False

    def _reach_over(self, seat: int) -> Steps:
        """Reach over the table for something and draw the arm back."""
        stage = self._stage
        hand = stage.people.hand(seat, left=True)
        if stage.busy(seat):
            return
        hand.busy = True
        width, height = stage.places.layout.mat_mm
        x, y = stage.rng.uniform(-0.3, 0.3) * width, stage.rng.uniform(-0.3, 0.3) * height
        yield from stage.people.reach(hand, x, y, 110.0)
        yield from stage.people.wait(stage.rng.uniform(0.1, 0.6) * stage.habits.pace)
        yield from stage.people.go_home(hand)
        hand.busy = False

    def _play_out_of_turn(self, seat: int) -> Steps:
        """Lay a hand card on the field although it is not this seat's turn, see it, and take it back."""
        stage = self._stage
        own = stage.own(seat)
        hand = stage.people.hand(seat)
        if not own or stage.busy(seat):
            return
        hand.busy = True
        card, began = stage.rng.choice(own), stage.ledger.now_s
        pose = stage.world.lying[card].pose
        home = stage.places.free_hand_spot(seat) or Spot(pose.x_mm, pose.y_mm, pose.angle_rad)
        for target in (stage.ledger.open_place, Place("hand", seat)):
            spot = home
            if target.zone != "hand":
                spot = stage.places.field_spot(seat) if target == FIELD else stage.places.discard_pile()
            yield from stage.people.pick_up(hand, [card])
            yield from stage.people.bring(hand, [spot], stage.wrong_way(hand, target))
            stage.ledger.moved(stage.people.put_down(hand, [spot]), target, ruled=False)
            yield
            yield from stage.people.go_home(hand)
            yield from stage.people.wait(stage.rng.uniform(1.2, 2.5))
        stage.ledger.truth.append(Slip(began, "out_of_turn", stage.ledger.now_s, seat))
        hand.busy = False
