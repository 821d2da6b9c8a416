"""The flow of Hiyoko and Isuri: runs of months laid on one discard pile, passes, cards turned up (sections 7 and 8)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.cards import Card
from engine.dealing import check_counts, check_said, check_start, places_dealt
from engine.events import Dealt, Event, Fault, Moved, Place, Signalled, Tally
from engine.game import FaultError
from engine.guidance import Guidance
from engine.nagoya import Laws, Step, in_hand, when_turned
from engine.places import DISCARD, PILE, hand
from engine.rulebook import Rulebook
from engine.runs_faults import refusal
from engine.runs_guide import guide
from engine.runs_state import Phase, RunsState, as_it_lies, put
from engine.words import place_name

PASS: Final = "pass"
STOP: Final = "stop"
RESHUFFLED: Final = "reshuffled"
SOU_DASHI: Final = 10


class Runs:
    """One deal. A pass and the end of a run are signals; another seat's card ends a run too."""

    hidden_hands = True

    def __init__(self, book: Rulebook, laws: Laws, money: bool = False) -> None:
        self.book = book
        self.laws = laws
        self._money = money
        self._until_playable = book.settings["after_turn"] == "turn_until_playable"
        self._cards = frozenset(book.deck)
        self._from_pile = {card: Moved(0.0, card, PILE, DISCARD) for card in book.deck}
        self._from_hand = [{card: Moved(0.0, card, hand(seat), DISCARD) for card in book.deck} for seat in range(2)]

    @property
    def name(self) -> str:
        """The game's name on the command line."""
        return self.book.name

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards this game is played with, in standard order."""
        return self.book.deck

    @property
    def options(self) -> Mapping[str, Any]:
        """Options that differ from their defaults."""
        return self.book.changed_options

    def zones(self, seats: int) -> frozenset[Place]:
        """Discard and draw pile, and the hands (RULES section 9)."""
        self.book.deal(seats)
        return frozenset({DISCARD, PILE, *(hand(seat) for seat in range(seats))})

    def deal(self, seats: int) -> Mapping[Place, int]:
        """Six cards each, one face up as the discard pile."""
        return places_dealt(self.book, seats, DISCARD)

    def start(self, seats: int, dealer: int = 0) -> RunsState:
        """The state before the deal. Raises ConfigError for seats or a dealer the game does not allow."""
        check_start(self.book, seats, dealer)
        return RunsState(dealer, (0, 0), (), self._cards, len(self.deck), dealer, Phase.DEAL, last=dealer)

    def to_act(self, state: RunsState) -> frozenset[int]:
        """The seat in turn."""
        return frozenset() if state.phase in (Phase.DEAL, Phase.OVER) else frozenset({state.turn})

    def over(self, state: RunsState) -> bool:
        """Whether a hand is empty."""
        return state.phase is Phase.OVER

    def score(self, state: RunsState) -> tuple[Tally, ...]:
        """A point for the emptied hand; in Isuri what has been paid so far, the run being laid included."""
        if self._money:
            state = self._paid(state)
            return tuple(Tally(own, (), own) for own in state.money)
        won = [int(state.phase is Phase.OVER and seat == state.turn) for seat in range(2)]
        return tuple(Tally(own, (), own) for own in won)

    def guide(self, state: RunsState) -> Guidance:
        """What to show now; it depends on the pile only."""
        return guide(self.book, self.laws, state, self.score(state), self._money)

    def next_dealer(self, state: RunsState) -> int:
        """Whoever emptied his hand deals next."""
        return state.turn if state.phase is Phase.OVER else state.dealer

    def unseen(self, state: RunsState) -> Mapping[Place, int]:
        """The draw pile and the hands."""
        return {PILE: state.draw, **{hand(seat): count for seat, count in enumerate(state.hand_counts)}}

    def places(self, state: RunsState) -> Mapping[Card, Place]:
        """Where each card that has been seen lies: on the discard pile."""
        return state.places()

    def choices(self, state: RunsState) -> tuple[Card, ...]:  # noqa: ARG002  (as in Game)
        """Nothing: there is no field."""
        return ()

    def provisional(self, state: RunsState) -> bool:  # noqa: ARG002  (as in Game)
        """Never: a run that must go on is waited for."""
        return False

    def expected(self, state: RunsState) -> tuple[Moved, ...]:
        """Every card that may be laid by the seat in turn, by the other where that ends the run, or turned up."""
        if state.phase in (Phase.DEAL, Phase.OVER):
            return ()
        moves = [self._from_pile[card] for card in self._turnable(state)]
        if state.phase is Phase.PLAY:
            moves += self._layable(state)
            if state.may_end:
                moves += self._layable(self._turn_ended(state))
        return tuple(moves)

    def _layable(self, state: RunsState) -> list[Moved]:
        """The moves of the seat in turn with cards that nobody has seen."""
        moves, ways = self._from_hand[state.turn], self.laws.ways(state.tops, state.steps)
        return [moves[card] for card in ways if card in state.unseen and self._laid(state, card)]

    def _turnable(self, state: RunsState) -> tuple[Card, ...]:
        """The cards one of which may be turned up now; from a pile shuffled anew, one of those discarded before."""
        again = state.phase is Phase.PLAY and state.turned and not state.steps and self._until_playable
        if state.phase is not Phase.TURN_UP and not again:
            return ()
        return tuple(sorted(state.unseen if state.draw > 0 else state.pile[:-1]))

    def expected_signals(self, state: RunsState) -> tuple[Signalled, ...]:
        """A pass, the end of a run, or that the discards have been shuffled into a new pile."""
        if state.phase in (Phase.DEAL, Phase.OVER):
            return ()
        if state.draw == 0 and self._turnable(state):
            shuffled = (Signalled(0.0, RESHUFFLED, state.turn),)
            return shuffled if state.phase is Phase.TURN_UP else (*shuffled, *self._passes(state))
        return self._passes(state)

    def _passes(self, state: RunsState) -> tuple[Signalled, ...]:
        if state.phase is not Phase.PLAY:
            return ()
        if not state.steps:
            return () if state.turned and self._until_playable else (Signalled(0.0, PASS, state.turn),)
        if state.may_end:
            return Signalled(0.0, STOP, state.turn), Signalled(0.0, PASS, state.other)
        return ()

    def apply(self, state: RunsState, event: Event) -> RunsState:
        """The state after a legal event; other kinds of events change nothing."""
        match event:
            case Dealt():
                return self._dealt(state, event)
            case Signalled():
                check_said(self.book, event, self.expected_signals(state))
                return self._signalled(state, event.name, event.seat)
            case Moved():
                return self._moved(state, event)
            case _:
                return state

    def _signalled(self, state: RunsState, name: str, seat: int) -> RunsState:
        match name:
            case "reshuffled":
                older = state.pile[:-1]
                return replace(state, pile=state.pile[-1:], unseen=state.unseen | set(older), draw=len(older))
            case "stop":
                return self._turn_ended(state)
            case _:
                return self._passed(state if seat == state.turn else self._turn_ended(state))

    def _passed(self, state: RunsState) -> RunsState:
        """The state after the seat in turn passes: perhaps the other one turns up a card before it plays."""
        seat, other = state.turn, state.other
        money = tuple(own - (s == seat) for s, own in enumerate(state.money)) if self._money else state.money
        passes = state.passes + 1
        turns_up = state.last == other if self.book.settings["draw_rule"] == "seed" else passes >= 2
        return replace(
            state,
            turn=other,
            phase=Phase.TURN_UP if turns_up else Phase.PLAY,
            held=state.hand_counts[other],
            passes=passes,
            turned=False,
            money=money,
            pot=state.pot + self._money,
        )

    def _turn_ended(self, state: RunsState) -> RunsState:
        """The state after a run was laid and left at that."""
        paid = self._paid(state)
        return replace(
            paid,
            turn=state.other,
            phase=Phase.PLAY,
            tops=state.counted,
            steps=frozenset(),
            held=state.hand_counts[state.other],
            last=state.turn,
            passes=0,
            turned=False,
        )

    def _paid(self, state: RunsState) -> RunsState:
        """The state with the run paid for (Isuri): of several ways to read it, the one that brings most."""
        if not self._money or not state.steps:
            return state
        amount = max(step.paid for step in [s for s in state.steps if s.complete] or state.steps)
        emptied = state.hand_counts[state.turn] == 0
        if emptied and state.held == self.book.deal(2).hand:
            amount += SOU_DASHI
        loss = amount if self.book.settings["payer"] == "opponent" else 0
        money = list(state.money)
        money[state.turn] += amount + (state.pot if emptied else 0)
        money[state.other] -= loss
        return replace(state, money=tuple(money), pot=0 if emptied else state.pot, steps=frozenset())

    def _moved(self, state: RunsState, move: Moved) -> RunsState:
        match move.source, move.target:
            case Place("hand", int(seat)), Place("discard") if state.phase is Phase.PLAY and move.card in state.unseen:
                before = state
                if seat == state.other and state.may_end:
                    before = self._turn_ended(state)
                if seat == before.turn and (steps := self._laid(before, move.card)):
                    return self._after_card(before, move.card, steps)
            case Place("draw"), Place("discard") if move.card in self._turnable(state):
                return self._turned_up(state, move.card)
        raise refusal(self.book, self.laws, state, move)

    def _laid(self, state: RunsState, card: Card) -> frozenset[Step]:
        """All ways to read the run with this card; empty if it may not be laid, also where it cannot come to an end."""
        left = state.hand_counts[state.turn] - 1
        steps = self.laws.lay(state.tops, state.steps, card) if left >= 0 else frozenset()
        if all(step.complete for step in steps):
            return steps
        return frozenset(s for s in steps if self._ends(s, state.tops, state.unseen - {card}, left))

    def _ends(self, step: Step, tops: frozenset[int], unseen: frozenset[Card], left: int) -> bool:
        """Whether a run may end here, or after a card or two more that nobody has seen yet."""
        if step.complete:
            return True
        return left > 0 and any(
            card in unseen and any(self._ends(after, tops, unseen - {card}, left - 1) for after in steps)
            for card, steps in self.laws.ways(tops, frozenset({step})).items()
        )

    def _after_card(self, state: RunsState, card: Card, steps: frozenset[Step]) -> RunsState:
        counts = tuple(n - (seat == state.turn) for seat, n in enumerate(state.hand_counts))
        after = replace(
            state,
            hand_counts=counts,
            pile=(*state.pile, card),
            unseen=state.unseen - {card},
            steps=steps,
        )
        if counts[state.turn] > 0:
            return after
        return replace(self._paid(after), phase=Phase.OVER, last=state.turn)

    def _turned_up(self, state: RunsState, card: Card) -> RunsState:
        ready = state if state.draw > 0 else self._signalled(state, RESHUFFLED, state.turn)
        return replace(
            ready,
            pile=(*ready.pile, card),
            unseen=ready.unseen - {card},
            draw=ready.draw - 1,
            phase=Phase.PLAY,
            tops=when_turned(card),
            last=state.turn,
            passes=0,
            turned=True,
        )

    def _dealt(self, state: RunsState, deal: Dealt) -> RunsState:
        """The state after a complete deal. Raises RuleError for wrong counts."""
        check_counts(self.book, self.deal(2), deal, self.hidden_hands)
        (top,) = deal.field
        if top not in self._cards:
            raise FaultError("not_there", self.book.say("not_there", card=place_name(DISCARD)), (top,))
        return replace(
            self.start(2, state.dealer),
            hand_counts=tuple(deal.hand_counts),
            pile=deal.field,
            unseen=self._cards - {top},
            draw=deal.draw,
            phase=Phase.PLAY,
            tops=when_turned(top) if self.book.settings["upcard_is_turned"] else in_hand(top),
            held=deal.hand_counts[state.dealer],
        )

    def put(self, state: RunsState, move: Moved) -> RunsState:
        """The state with the moved card at its target."""
        return put(state, move)

    def misdeal(self, lies: Mapping[Card, Place]) -> Fault | None:  # noqa: ARG002  (as in Game)
        """Never: no rule asks for a new deal."""
        return None

    def adopt(
        self, state: RunsState, lies: Mapping[Card, Place], unseen: Mapping[Place, int], move: Moved | None
    ) -> RunsState | None:
        """The table taken as it lies; with `move`, whoever made it was in turn."""
        if state.phase is Phase.DEAL:
            return None
        paid = replace(self._paid(state), tops=state.counted, steps=frozenset())
        lying = as_it_lies(paid, lies, unseen, self._cards)
        if move is None:
            empty = next((seat for seat in (state.turn, state.other) if lying.hand_counts[seat] == 0), None)
            if empty is None:
                return replace(lying, phase=Phase.PLAY)
            return replace(lying, turn=empty, phase=Phase.OVER)
        seat = state.turn if move.source.seat is None else move.source.seat
        before = replace(lying, turn=seat, phase=Phase.TURN_UP if move.source == PILE else Phase.PLAY, turned=False)
        try:
            return self._moved(replace(before, held=before.hand_counts[seat]), move)
        except FaultError:
            return None
