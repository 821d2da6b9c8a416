"""Junior's Chotto: everybody chooses a card in secret, all are revealed at once, no turns, no yaku (section 6)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from engine.cards import Card
from engine.dealing import check_counts, check_said, check_start, places_dealt
from engine.events import Dealt, Event, Fault, Moved, Place, Signalled, Tally
from engine.game import FaultError
from engine.guidance import Guidance
from engine.junior_faults import refusal
from engine.junior_guide import guide
from engine.junior_state import JuniorState, Phase, put
from engine.places import FIELD, PILE, REMOVED, captured, hand, select
from engine.rulebook import Rulebook
from engine.series import Length, Series
from engine.yaku import card_points


def build(book: Rulebook) -> Series[JuniorState]:
    """The series with the options bound in `book`."""
    return Series(JuniorChotto(book), Length(rounds=book.settings["rounds"]))


class JuniorChotto:
    """One round. A choice is not seen: `selected` says that a card lies face down, its face is known when revealed."""

    hidden_hands = True

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self._points = lru_cache(maxsize=100)(partial(card_points, points=book.points))
        seats = range(max(book.deals))
        self._reveals = [tuple(Moved(0.0, card, hand(seat), select(seat)) for card in book.deck) for seat in seats]

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
        """Field, draw pile and removed cards; hand, choice and captured pile of each seat (RULES section 9)."""
        self.book.deal(seats)
        own = (place(seat) for seat in range(seats) for place in (hand, select, captured))
        return frozenset({FIELD, PILE, REMOVED, *own})

    def deal(self, seats: int) -> Mapping[Place, int]:
        """Three cards to each hand, nothing to the field."""
        return places_dealt(self.book, seats)

    def start(self, seats: int, dealer: int = 0) -> JuniorState:
        """The state before the deal. Raises ConfigError for seats or a dealer the game does not allow."""
        check_start(self.book, seats, dealer)
        nothing: frozenset[Card] = frozenset()
        counts, deck = (0,) * seats, frozenset(self.deck)
        return JuniorState(seats, dealer, counts, nothing, (nothing,) * seats, nothing, deck, len(deck), Phase.DEAL)

    def to_act(self, state: JuniorState) -> frozenset[int]:
        """Those who still reveal a card; then those whose card, or what it captures, is not where it belongs."""
        if state.phase is Phase.SELECT:
            return frozenset(state.waiting)
        if state.phase is Phase.RESOLVE:
            return frozenset(seat for group in state.unsettled(self.book.settings) for seat, _ in group.revealed)
        return frozenset()

    def over(self, state: JuniorState) -> bool:
        """Whether the last card has been played."""
        return state.phase is Phase.OVER

    def score(self, state: JuniorState) -> tuple[Tally, ...]:
        """Captured points less an equal share of the deck; nothing before the deal."""
        if state.phase is Phase.DEAL:
            return (Tally(0, (), 0),) * state.seats
        par = self._points(self.deck) // state.seats
        points = (self._points(cards) for cards in state.captured)
        return tuple(Tally(own, (), own - par) for own in points)

    def guide(self, state: JuniorState) -> Guidance:
        """What to show now: counts and what has been revealed, never what is still hidden."""
        return guide(self.book, state, self.score(state), self.choices(state))

    def next_dealer(self, state: JuniorState) -> int:
        """The next seat; it has no say in the game."""
        return (state.dealer + 1) % state.seats

    def unseen(self, state: JuniorState) -> Mapping[Place, int]:
        """The draw pile and the hands."""
        return {PILE: state.draw, **{hand(seat): count for seat, count in enumerate(state.hand_counts)}}

    def places(self, state: JuniorState) -> Mapping[Card, Place]:
        """Where each card lies by the rules."""
        return state.places()

    def choices(self, state: JuniorState) -> tuple[Card, ...]:
        """Two field cards of which somebody may take one, where it matters which and none has been touched."""
        moved = dict(state.moved)
        for group in state.unsettled(self.book.settings) if state.phase is Phase.RESOLVE else ():
            untouched = not any(card in moved for card in group.field)
            if len(group.outcomes) > 1 and untouched and len({card.face for card in group.field}) == 2:
                return group.field
        return ()

    def provisional(self, state: JuniorState) -> bool:  # noqa: ARG002  (as in Game)
        """Never: what takes a field card has been revealed before."""
        return False

    def expected(self, state: JuniorState) -> tuple[Moved, ...]:
        """Hidden cards revealed in their zones, or revealed cards and what they capture moved where they belong."""
        if state.phase is Phase.SELECT:
            hidden = state.unseen
            return tuple(move for seat in state.waiting for move in self._reveals[seat] if move.card in hidden)
        return tuple(self._settling(state)) if state.phase is Phase.RESOLVE else ()

    def _settling(self, state: JuniorState) -> Iterator[Moved]:
        moved = dict(state.moved)
        for group in state.unsettled(self.book.settings):
            ends = group.left(moved)
            for card in group.cards:
                here = moved.get(card, group.origins[card])
                targets = dict.fromkeys(end[card] for end in ends)
                if here.zone == "select":
                    targets[FIELD] = None  # it may be laid beside what it takes first
                if len(group.outcomes) > 1 and card in moved:
                    targets[group.origins[card]] = None  # and a choice may be changed
                yield from (Moved(0.0, card, here, target) for target in targets if target != here)

    def expected_signals(self, state: JuniorState) -> tuple[Signalled, ...]:
        """That a seat has laid a card down to be revealed, or has taken it back."""
        if state.phase is not Phase.SELECT:
            return ()
        return tuple(
            Signalled(0.0, "unselected" if seat in state.selected else "selected", seat) for seat in state.waiting
        )

    def apply(self, state: JuniorState, event: Event) -> JuniorState:
        """The state after a legal event; other kinds of events change nothing."""
        match event:
            case Dealt():
                return self._dealt(state, event)
            case Signalled():
                check_said(self.book, event, self.expected_signals(state))
                return replace(state, selected=state.selected ^ {event.seat})
            case Moved():
                if not self._is_legal(state, event):
                    raise refusal(self.book, state, event)
                return self._moved(state, event)
            case _:
                return state

    def _is_legal(self, state: JuniorState, move: Moved) -> bool:
        """Whether the move is one of those expected."""
        if state.phase is Phase.SELECT:
            seat = move.source.seat
            reveals = seat is not None and (move.source, move.target) == (hand(seat), select(seat))
            return reveals and seat in state.waiting and move.card in state.unseen
        return replace(move, t_s=0.0) in self.expected(state)

    def _moved(self, state: JuniorState, move: Moved) -> JuniorState:
        seat = move.source.seat
        if state.phase is Phase.SELECT and seat is not None:
            after = replace(
                state,
                hand_counts=tuple(n - (s == seat) for s, n in enumerate(state.hand_counts)),
                unseen=state.unseen - {move.card},
                selected=state.selected - {seat},
                revealed=tuple(sorted((*state.revealed, (seat, move.card)))),
            )
            return after if after.waiting else replace(after, phase=Phase.RESOLVE)
        moved = {card: place for card, place in state.moved if card != move.card}
        back = {card: select(s) for s, card in state.revealed}.get(move.card, FIELD)
        if move.target != back:
            moved[move.card] = move.target
        after = replace(state, moved=tuple(sorted(moved.items(), key=lambda pair: pair[0])))
        if after.unsettled(self.book.settings):
            return after
        return after.laid_out(after.places()).next_sequence()

    def _dealt(self, state: JuniorState, deal: Dealt) -> JuniorState:
        """The state after a complete deal. Raises RuleError for wrong counts."""
        check_counts(self.book, self.deal(state.seats), deal, self.hidden_hands)
        fresh = self.start(state.seats, state.dealer)
        return replace(fresh, hand_counts=tuple(deal.hand_counts), draw=deal.draw, phase=Phase.SELECT)

    def put(self, state: JuniorState, move: Moved) -> JuniorState:
        """The state with the moved card at its target."""
        return put(state, move)

    def misdeal(self, lies: Mapping[Card, Place]) -> Fault | None:  # noqa: ARG002  (as in Game)
        """Never: no rule asks for a new deal."""
        return None

    def adopt(
        self,
        state: JuniorState,
        lies: Mapping[Card, Place],
        unseen: Mapping[Place, int],  # noqa: ARG002  (cards are drawn unseen: only their sum is known)
        move: Moved | None,
    ) -> JuniorState | None:
        """The table taken as it lies, hands as full as the hidden cards allow; not while a choice is left lying.

        What this sequence has revealed so far stays revealed.
        """
        known = {card: place for card, place in lies.items() if card in self.deck}
        revealed = state.revealed if state.phase is Phase.SELECT else ()
        revealed = tuple((seat, card) for seat, card in revealed if known.get(card) == select(seat))
        rest = {card: place for card, place in known.items() if card not in {c for _, c in revealed}}
        if state.phase is Phase.DEAL or any(place.zone == "select" for place in rest.values()):
            return None
        hidden = frozenset(self.deck) - frozenset(known)
        full = min(self.book.deal(state.seats).hand, (len(hidden) + len(revealed)) // state.seats)
        shown = {seat for seat, _ in revealed}
        counts = tuple(max(0, full - (seat in shown)) for seat in range(state.seats))
        after = replace(
            state.laid_out(rest),
            hand_counts=counts,
            unseen=hidden,
            draw=len(hidden) - sum(counts),
            phase=Phase.SELECT if any(counts) else Phase.OVER,
            opening=state.opening and bool(revealed),
            revealed=revealed,
        )
        if move is None:
            return after
        try:
            return self.apply(after, move)
        except FaultError:
            return None
