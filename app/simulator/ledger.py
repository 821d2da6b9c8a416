"""What really happens in a simulated game: the deal, every move as it is made, the state by the rules, the end."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import Card
from engine.errors import RuleError
from engine.events import Dealt, Ended, Event, Moved, Place, Scored, Signalled
from engine.game import Game
from engine.yaku import winners

FIELD: Final = Place("field")
DRAW: Final = Place("draw")
DISCARD: Final = Place("discard")


@dataclass(frozen=True, slots=True)
class Slip:
    """A player did wrong at `t_s` and has put it right by `until_s`. `kind` is the fault as the referee names it."""

    t_s: float
    kind: str
    until_s: float
    seat: int


class Ledger:
    """The truth of one game. `field`, `hands` (by seat) and `pile` (top card last) are the deal that will be made.

    `truth` holds events with the time at which each card came to rest, `where` the place of each card, `state` the
    game's state by the rules, `astray` the cards that were moved against them, with the place where each belongs.
    `chosen` are the cards that lie face down before their seats; until they are revealed they count as hand cards.
    `misdealt` says that this deal must be made again.
    """

    def __init__(self, game: Game[Any], seats: int, dealer: int, rng: random.Random) -> None:
        self.game = game
        self.seats = seats
        self.dealer = dealer
        self.truth: list[Event | Slip] = []
        self.where: dict[Card, Place] = {}
        self.astray: dict[Card, Place] = {}
        self.chosen: dict[int, Card] = {}
        self.now_s = 0.0
        self._rng = rng
        self._unruled: set[Card] = set()
        self._base = game.start(seats, dealer)
        self.misdealt = False
        self.field, self.hands, self.pile, self.state = self._shuffle()

    @property
    def over(self) -> bool:
        """Whether nobody is to act any more."""
        return any(isinstance(event, Ended) for event in self.truth[-2:])

    @property
    def open_place(self) -> Place:
        """Where the cards go that are dealt face up: the field, or the discard pile in games that have one."""
        return FIELD if FIELD in self.game.zones(self.seats) else DISCARD

    def is_face_down(self, place: Place) -> bool:
        """Whether cards lie face down there: on the draw pile and in hidden hands."""
        return place == DRAW or (place.zone == "hand" and self.game.hidden_hands)

    def shuffle(self, misdeal: bool = False) -> None:
        """Make the next deal: `field`, `hands`, `pile` and the state after it.

        With `misdeal` one that the rules refuse, in games that deal four cards or more to a field.
        """
        self.field, self.hands, self.pile, self.state = self._shuffle()
        self.misdealt = misdeal and len(self.field) >= 4
        if self.misdealt:
            self._gather_a_month()
            self.state = self._base

    def _gather_a_month(self) -> None:
        """Exchange cards so that all four of a month lie on the dealt field."""
        month = self.field[0].month
        for card in [c for c in self.game.deck if c.month == month and c not in self.field]:
            i = next(i for i, c in enumerate(self.field) if c.month != month)
            for cards in (self.pile, *self.hands):
                if card in cards:
                    cards[cards.index(card)] = self.field[i]
            self.field[i] = card

    def redeal(self, seat: int) -> None:
        """Write down that the deal is to be made again; it comes later."""
        self.truth.append(Signalled(self.now_s, "redeal", seat))
        self.where = {}
        self.shuffle()

    def before_deal(self) -> None:
        """Nothing is dealt yet: all cards lie in the pile, shuffled, for everybody to turn one up."""
        self.state = self._base
        self.field, self.hands, self.pile = [], [[] for _ in range(self.seats)], list(self.game.deck)
        self._rng.shuffle(self.pile)
        self.where = dict.fromkeys(self.pile, DRAW)

    def found_dealer(self) -> None:
        """The draw has shown who deals: make the deal, which comes later."""
        self.dealer, self._base, self.where = self.state.dealer, self.state, {}
        self.shuffle()

    def _shuffle(self) -> tuple[list[Card], list[list[Card]], list[Card], Any]:
        """Field, hands, draw pile (last = top) and the game's state after a deal that the rules accept."""
        counts, rng, hidden = self.game.deal(self.seats), self._rng, self.game.hidden_hands
        while True:
            cards = list(self.game.deck)
            rng.shuffle(cards)
            field = [cards.pop() for _ in range(counts.get(self.open_place, 0))]
            hands = [
                sorted(cards.pop() for _ in range(counts.get(Place("hand", seat), 0))) for seat in range(self.seats)
            ]
            for hand in hands:
                rng.shuffle(hand)
            try:
                state = self.game.apply(self._base, _deal(0.0, field, hands, cards, hidden))
            except RuleError:
                continue
            return field, hands, cards, state

    def dealt(self) -> None:
        """Write down that the deal is complete."""
        self.where.update(dict.fromkeys(self.pile, DRAW) | dict.fromkeys(self.field, self.open_place))
        for seat, hand in enumerate(self.hands):
            self.where.update(dict.fromkeys(hand, Place("hand", seat)))
        self.truth.append(_deal(self.now_s, self.field, self.hands, self.pile, self.game.hidden_hands))

    def moved(self, cards: Sequence[Card], target: Place, ruled: bool = True) -> None:
        """Write down that `cards` came to rest in `target`; a move against the rules leads astray until put right."""
        before = self.state
        for card in cards:
            source = self.where[card]
            if source == target:
                continue
            self.where[card] = target
            self.truth.append(Moved(self.now_s, card, source, target))
            origin = self.astray.pop(card, None)
            self._unruled.discard(card)
            if origin == target:
                continue
            origin = origin or source
            if not ruled:
                self._unruled.add(card)
            if not ruled or not self._follow(card, origin):
                self.astray[card] = origin
        self._reconsider()
        if self.state is not before and self.game.score(self.state) != self.game.score(before):
            self.truth.append(Scored(self.now_s, tuple(self.game.score(self.state))))

    def _follow(self, card: Card, origin: Place) -> bool:
        """Take up a card's way from `origin` to where it lies now if that is legal; whether it is."""
        try:
            self.state = self.game.apply(self.state, Moved(self.now_s, card, origin, self.where[card]))
        except RuleError:
            return False
        if origin == DRAW and card in self.pile:
            self.pile.remove(card)
        return True

    def _reconsider(self) -> None:
        """A card that went astray may be right now that others have been moved."""
        for card, origin in list(self.astray.items()):
            if card not in self._unruled and self._follow(card, origin):
                del self.astray[card]

    @property
    def pending(self) -> bool:
        """Whether a capture has begun and is not complete: then only field and captured cards may move."""
        expected = self.game.expected(self.state)
        return bool(expected) and all(move.source.zone in ("field", "captured") for move in expected)

    def signalled(self, name: str, seat: int) -> None:
        """Write down that a player said something that no card shows. Raises RuleError where it may not be said."""
        before = self.game.score(self.state)
        signal = Signalled(self.now_s, name, seat)
        self.state = self.game.apply(self.state, signal)
        self.truth.append(signal)
        if name != "next_round" and self.game.score(self.state) != before:
            self.truth.append(Scored(self.now_s, tuple(self.game.score(self.state))))

    def may_choose(self, seat: int) -> bool:
        """Whether the seat may lay down a card to be revealed."""
        return any(s.name == "selected" and s.seat == seat for s in self.game.expected_signals(self.state))

    def lacks(self, hand: Place) -> bool:
        """Whether the rules let a card be drawn into this hidden hand now."""
        held = sum(place == hand for place in self.where.values())
        return self.is_face_down(hand) and hand != DRAW and held < self.game.unseen(self.state).get(hand, 0)

    def chose(self, seat: int, card: Card) -> None:
        """Write down that the seat has laid `card` face down before it."""
        self.chosen[seat] = card
        self.signalled("selected", seat)

    def unchose(self, seat: int) -> None:
        """Write down that the seat has taken its chosen card back into its hand."""
        del self.chosen[seat]
        self.signalled("unselected", seat)

    def revealed(self, seat: int) -> None:
        """Write down that the seat's chosen card lies face up."""
        self.moved([self.chosen.pop(seat)], Place("select", seat))

    def drew(self, seat: int) -> Card:
        """The top card of the pile, now in the seat's hidden hand: nobody sees which, so nothing is written."""
        card = self.pile.pop()
        self.where[card] = Place("hand", seat)
        return card

    def renewed(self, cards: Sequence[Card]) -> None:
        """Discarded `cards` (the top one last) have become the draw pile."""
        self.pile = list(cards)
        self.where.update(dict.fromkeys(cards, DRAW))

    def next_round(self, said: bool) -> None:
        """Begin the next round of a series; unless that was `said` (or somebody else did), without a word."""
        if not said and self.game.expected_signals(self.state):
            signal = Signalled(self.now_s, "next_round", self.game.next_dealer(self.state))
            self.state = self.game.apply(self.state, signal)
        self.dealer = self.state.dealer
        self._base = self.state
        self.where, self.chosen = {}, {}
        self.shuffle()

    def finish(self) -> None:
        """Write down the end of the game."""
        scores = tuple(self.game.score(self.state))
        left = any(self.game.unseen(self.state).values())
        reason = "a hand is empty" if left else "hands and draw pile empty"
        self.truth.append(Ended(self.now_s, reason, scores, winners(scores)))


def _deal(
    t_s: float, field: Sequence[Card], hands: Sequence[Sequence[Card]], pile: Sequence[Card], hidden: bool
) -> Dealt:
    """The deal as everybody sees it: hidden hands are counts."""
    if hidden:
        return Dealt(t_s, tuple(field), (), len(pile), tuple(len(hand) for hand in hands))
    return Dealt(t_s, tuple(field), tuple(tuple(hand) for hand in hands), len(pile))
