"""The flow of the fishing games of the hana-awase family: play a hand card, turn one up, take what matches.

RULES section 2. A capture is two or more physical moves in any order, so a state may hold a capture that is under way:
`active` is the card just played or turned, `taken` those of the capture that already lie in the player's pile.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from operator import itemgetter
from typing import Any, Final

from engine.cards import Card
from engine.dealing import check_counts, check_said, check_start, places_dealt
from engine.events import Dealt, Event, Fault, Moved, Place, Signalled, Tally
from engine.fishing_count import Additive, Counting
from engine.fishing_faults import refusal
from engine.fishing_guide import guide
from engine.fishing_moves import Moves
from engine.fishing_state import FishingState, Phase, changed, put
from engine.game import FaultError
from engine.guidance import Guidance
from engine.places import FIELD, PILE, captured, hand
from engine.rulebook import Rulebook
from engine.words import month_name, place_name

_NOBODY: Final[frozenset[int]] = frozenset()


@cache
def _only(seat: int) -> frozenset[int]:
    return frozenset({seat})


class Fishing:
    """A fishing game by its rule book. Differences between the games are settings: hidden hands, capture of four.

    `counting` says how it is scored where that is not simply additive.
    """

    def __init__(self, book: Rulebook, hidden_hands: bool = False, counting: Counting | None = None) -> None:
        self.book = book
        self.hidden_hands = hidden_hands
        self._cards = frozenset(book.deck)
        self._capture_all = book.settings.get("capture_three") == "all"
        self._step = -1 if book.settings.get("direction") == "clockwise" else 1
        self._counting = Additive(book, self._step) if counting is None else counting
        self._moves = Moves(book.deck, self._capture_all)

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
        """Field and draw pile, and hand and captured pile of each seat (RULES section 9)."""
        self.book.deal(seats)
        return frozenset({FIELD, PILE, *(place(seat) for seat in range(seats) for place in (hand, captured))})

    def deal(self, seats: int) -> Mapping[Place, int]:
        """How many cards lie where when the deal is complete."""
        return places_dealt(self.book, seats)

    def start(self, seats: int, dealer: int = 0) -> FishingState:
        """The state before the deal. Raises ConfigError for seats or a dealer the game does not allow."""
        check_start(self.book, seats, dealer)
        nothing: tuple[frozenset[Card], ...] = (frozenset(),) * seats
        counts = (0,) * seats if self.hidden_hands else ()
        return FishingState(
            seats, dealer, nothing, counts, frozenset(), nothing, self._cards, len(self.deck), dealer, Phase.DEAL
        )

    def to_act(self, state: FishingState) -> frozenset[int]:
        """The seat in turn; nobody before the deal and after the end."""
        return _NOBODY if state.phase is Phase.DEAL or state.phase is Phase.OVER else _only(state.turn)

    def over(self, state: FishingState) -> bool:
        """Whether the last card has been played."""
        return state.phase is Phase.OVER

    def expected_signals(self, state: FishingState) -> tuple[Signalled, ...]:
        """What may be announced now."""
        return self._counting.signals(state)

    def unseen(self, state: FishingState) -> Mapping[Place, int]:
        """The draw pile, and hidden hands."""
        return {PILE: state.draw, **{hand(seat): count for seat, count in enumerate(state.hand_counts)}}

    def score(self, state: FishingState) -> tuple[Tally, ...]:
        """What each seat's complete captures are worth."""
        return self._counting.score(state)

    def guide(self, state: FishingState) -> Guidance:
        """What to show now."""
        return guide(self.book, state, self.score(state))

    def next_dealer(self, state: FishingState) -> int:
        """Who begins the next game or round."""
        return self._counting.next_dealer(state)

    def choices(self, state: FishingState) -> tuple[Card, ...]:
        """The field cards to choose from for the active card; chaff of one month are no choice between themselves."""
        if state.active is None or state.needed(self._capture_all) > 2:
            return ()
        cards = state.candidates()
        if any(card != state.active for card in state.taken) or len({card.face for card in cards}) < 2:
            return ()
        return cards

    def provisional(self, state: FishingState) -> bool:
        """Whether a field card was taken and the card that takes it has not been played or turned yet."""
        return state.active is None and bool(state.taken)

    def places(self, state: FishingState) -> Mapping[Card, Place]:
        """Where each card lies by the rules; cards that nobody can see are absent."""
        lies = dict.fromkeys(state.field, FIELD)
        for seat in range(state.seats):
            lies.update(dict.fromkeys(state.hands[seat], hand(seat)))
            lies.update(dict.fromkeys(state.captured[seat], captured(seat)))
        lies.update(dict.fromkeys(state.taken, captured(state.turn)))
        return lies

    def expected(self, state: FishingState) -> tuple[Moved, ...]:
        """Every physical move that would be legal now, taking back a part of a capture included."""
        return self._moves.expected(state)

    def apply(self, state: FishingState, event: Event) -> FishingState:
        """The state after a legal deal or move; other events change nothing. Raises RuleError for a broken rule."""
        match event:
            case Dealt():
                return self._dealt(state, event)
            case Moved():
                return self._moved(state, event)
            case Signalled():
                return self._announced(state, event)
            case _:
                return state

    def _announced(self, state: FishingState, signal: Signalled) -> FishingState:
        """The state after something was announced: a new deal, or one more claim."""
        check_said(self.book, signal, self.expected_signals(state))
        if signal.name == "redeal":
            return self.start(state.seats, state.dealer)
        return changed(state, claims=(*state.claims, (signal.name, signal.seat)))

    def _moved(self, state: FishingState, move: Moved) -> FishingState:
        card, target = move.card, move.target
        match move.source.zone:
            case "hand" | "draw" if self._moves.may_lay(state, move):
                return self._lay(state, move)
            case "field" if target == captured(state.turn) and card in state.field:
                if self._moves.may_take(state, card):
                    return self._complete(state, (*state.taken, card), field=state.field - {card})
            case "captured" if target == FIELD and card in state.taken and move.source == captured(state.turn):
                taken = tuple(c for c in state.taken if c != card)
                return changed(state, field=state.field | {card}, taken=taken)
        raise refusal(self.book, state, move, self._capture_all)

    def _lay(self, state: FishingState, move: Moved) -> FishingState:
        """The state after a card was played or turned: a capture begins, or the card stays on the field."""
        card, from_hand = move.card, state.phase is Phase.PLAY
        hands, counts, unseen, draw = state.hands, state.hand_counts, state.unseen, state.draw
        if not from_hand:
            unseen, draw = unseen - {card}, draw - 1
        elif counts:
            unseen = unseen - {card}
            counts = tuple(n - (seat == state.turn) for seat, n in enumerate(counts))
        else:
            hands = tuple(cards - {card} if seat == state.turn else cards for seat, cards in enumerate(hands))
        matches = bool(state.taken) or bool(state.of_month(card.month))
        laid = changed(
            state,
            hands=hands,
            hand_counts=counts,
            unseen=unseen,
            draw=draw,
            field=state.field | {card},
            active=card if matches else None,
            played=card if from_hand else state.played,
        )
        if not matches:
            return self._go_on(laid)
        return laid if move.target == FIELD else self._complete(laid, (*state.taken, card), field=state.field)

    def _complete(self, state: FishingState, taken: tuple[Card, ...], **changes: Any) -> FishingState:
        """The state with one more card `taken`, its capture settled if that was the last; `changes` are made too."""
        if state.active is None or len(taken) < state.needed(self._capture_all):
            return changed(state, taken=taken, **changes)
        piles = tuple(cards.union(taken) if seat == state.turn else cards for seat, cards in enumerate(state.captured))
        return self._go_on(state, captured=piles, active=None, taken=(), **changes)

    def _go_on(self, state: FishingState, **changes: Any) -> FishingState:
        """The state after a card was played or turned and nothing is pending: turn one up, next seat, or over.

        `changes` to captured cards and the capture under way are worked in on the way.
        """
        if state.phase is Phase.PLAY and state.draw > 0:
            return changed(state, phase=Phase.DRAW, **changes)
        return self._turn_of(state, state.turn + self._step, **changes)

    def _turn_of(self, state: FishingState, first: int, **changes: Any) -> FishingState:
        """The turn of the first seat from `first` that holds a card; the rest of the pile is turned one each."""
        for i in range(state.seats):
            seat = (first + i * self._step) % state.seats
            if state.left_in_hand(seat) > 0:
                return changed(state, turn=seat, phase=Phase.PLAY, played=None, **changes)
        phase = Phase.DRAW if state.draw > 0 else Phase.OVER
        return changed(state, turn=first % state.seats, phase=phase, played=None, **changes)

    def _dealt(self, state: FishingState, deal: Dealt) -> FishingState:
        """The state after a complete deal. Raises RuleError for a misdeal or wrong counts."""
        check_counts(self.book, self.deal(state.seats), deal, self.hidden_hands)
        shown = (*deal.field, *(card for cards in deal.hands for card in cards))
        if len(set(shown)) < len(shown) or not self._cards.issuperset(shown):
            wrong = next(card for card in shown if card not in self._cards or shown.count(card) > 1)
            raise FaultError("not_there", self.book.say("not_there", card=place_name(FIELD)), (wrong,))
        lies = dict.fromkeys(deal.field, FIELD)
        for seat, cards in enumerate(deal.hands):
            lies.update(dict.fromkeys(cards, hand(seat)))
        if (fault := self.misdeal(lies)) is not None:
            raise FaultError(fault.code, fault.message, fault.cards, fault.belongs, fault.seat)
        dealt = changed(
            state,
            hands=state.hands if self.hidden_hands else tuple(frozenset(cards) for cards in deal.hands),
            hand_counts=deal.hand_counts if self.hidden_hands else (),
            field=frozenset(deal.field),
            captured=(frozenset(),) * state.seats,
            unseen=self._cards - frozenset(shown),
            draw=deal.draw,
        )
        return self._turn_of(dealt, state.dealer)

    def put(self, state: FishingState, move: Moved) -> FishingState:
        """The state with the moved card at its target; a capture under way with that card is settled as it lies."""
        return put(state, move, self.hidden_hands)

    def misdeal(self, lies: Mapping[Card, Place]) -> Fault | None:
        """Four of a month on the dealt field, and in a hand where the option says so (RULES section 2)."""
        counts = Counter((card.month, place) for card, place in lies.items() if card in self._cards)
        for month, place in sorted((found for found, count in counts.items() if count == 4), key=itemgetter(0)):
            cards = tuple(card for card in self.deck if card.month == month)
            if place == FIELD:
                return Fault(0.0, "misdeal", self.book.say("misdeal", month=month_name(month)), cards, None)
            if place.zone == "hand" and self.book.settings.get("hand_four") == "redeal":
                words = self.book.say("misdeal_hand", month=month_name(month))
                return Fault(0.0, "misdeal", words, cards, place.seat)
        return None

    def adopt(
        self, state: FishingState, lies: Mapping[Card, Place], unseen: Mapping[Place, int], move: Moved | None
    ) -> FishingState | None:
        """The table taken as it lies; with `move`, its source says who plays or that the seat in turn turns a card."""
        if state.phase is Phase.DEAL:
            return None
        piles: dict[Place, set[Card]] = {}
        for card, place in lies.items():
            piles.setdefault(place, set()).add(card)
        seats = range(state.seats)
        taken_as_it_lies = changed(
            state,
            hands=tuple(frozenset(piles.get(hand(seat), ())) for seat in seats),
            hand_counts=tuple(unseen.get(hand(seat), 0) for seat in seats) if self.hidden_hands else (),
            field=frozenset(piles.get(FIELD, ())),
            captured=tuple(frozenset(piles.get(captured(seat), ())) for seat in seats),
            unseen=self._cards - frozenset(lies),
            draw=unseen.get(PILE, 0),
            active=None,
            taken=(),
        )
        match move:
            case None:
                return self._turn_of(taken_as_it_lies, state.turn)
            case Moved(source=Place("hand", int(seat))):
                before = changed(taken_as_it_lies, turn=seat, phase=Phase.PLAY, played=None)
            case Moved(source=Place("draw")) if taken_as_it_lies.draw > 0:
                left = [unseen.get(hand(s), 0) if self.hidden_hands else len(piles.get(hand(s), ())) for s in seats]
                played = [seat for seat in seats if left[seat] < state.left_in_hand(seat)]
                turn = played[-1] if played and state.phase is Phase.PLAY else state.turn
                before = changed(taken_as_it_lies, turn=turn, phase=Phase.DRAW)
            case _:
                return None
        try:
            return self._moved(before, move)
        except FaultError:
            return None
