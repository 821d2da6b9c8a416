"""Rounds of a game played one after the other: scores carried over, the next dealer, when it is over.

A thin layer over any game. Its state holds the round being played (or just over) and what earlier rounds brought.
Between two rounds nobody is to act; the players say `next_round`, gather the cards and deal, or just deal. Before the
first round each seat may turn up a card to find the dealer; a deal without that takes the dealer as agreed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from engine.cards import Card
from engine.dealer import STANDARD, DealerDraw, order_of
from engine.errors import RuleError
from engine.events import Dealt, Event, Fault, Moved, Place, Signalled, Tally
from engine.game import FaultError, Game
from engine.guidance import Guidance
from engine.places import DISCARD, PILE
from engine.rulebook import Rulebook
from engine.series_guide import guide_draw, guide_result, guide_round

S = TypeVar("S")

NEXT_ROUND: Final = "next_round"


@dataclass(frozen=True, slots=True)
class SeriesState(Generic[S]):
    """One moment of a series: the round with its number from 1, what earlier rounds brought, the draw for dealer."""

    round: S
    number: int
    carried: tuple[int, ...]
    dealer: int
    draw: DealerDraw | None = None


@dataclass(frozen=True, slots=True)
class Length:
    """When a series is over: after so many `rounds`, or once a total has reached `target`; None is no limit."""

    rounds: int | None = None
    target: int | None = None

    def reached(self, number: int, totals: tuple[int, ...]) -> bool:
        """Whether the round with this number, which led to these totals, was the last."""
        enough = self.target is not None and max(totals) >= self.target
        return enough or (self.rounds is not None and number >= self.rounds)


@dataclass(frozen=True, slots=True)
class Drawing:
    """How the first dealer is found: by months in this order, ties by rank or drawn again, the latest month or not."""

    months: tuple[int, ...] = STANDARD
    by_rank: bool = True
    latest: bool = False


class Series(Generic[S]):
    """A game of several rounds of `game`. `score` of a round gives what it brings; here it is added to the rest."""

    def __init__(self, game: Game[S], length: Length, drawing: Drawing | None = None) -> None:
        self.game = game
        self.length = length
        self.drawing = drawing
        self._one_by_one = DISCARD in game.zones(2)

    @property
    def name(self) -> str:
        """The game's name on the command line."""
        return self.game.name

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards this game is played with, in standard order."""
        return self.game.deck

    @property
    def options(self) -> Mapping[str, Any]:
        """Options that differ from their defaults."""
        return self.game.options

    @property
    def book(self) -> Rulebook:
        """What the game's YAML says, options bound."""
        return self.game.book

    @property
    def hidden_hands(self) -> bool:
        """Whether hand cards are hidden."""
        return self.game.hidden_hands

    def zones(self, seats: int) -> frozenset[Place]:
        """The zones of a round."""
        return self.game.zones(seats)

    def deal(self, seats: int) -> Mapping[Place, int]:
        """The deal of a round."""
        return self.game.deal(seats)

    def start(self, seats: int, dealer: int = 0) -> SeriesState[S]:
        """The state before the first deal, each seat free to draw for who deals."""
        first = self.game.start(seats, dealer)
        draw = None if self.drawing is None else DealerDraw(tuple(range(seats)))
        return SeriesState(first, 1, (0,) * seats, dealer, draw)

    def to_act(self, state: SeriesState[S]) -> frozenset[int]:
        """The seats to act in the round, or to draw for who deals; nobody between rounds."""
        return frozenset(state.draw.waiting) if state.draw is not None else self.game.to_act(state.round)

    def over(self, state: SeriesState[S]) -> bool:
        """Whether the last round is over."""
        return self._round_over(state) and self.length.reached(state.number, self.totals(state))

    def _round_over(self, state: SeriesState[S]) -> bool:
        return self.game.over(state.round)

    def totals(self, state: SeriesState[S]) -> tuple[int, ...]:
        """What each seat has in all, the round as it stands included."""
        return tuple(tally.total for tally in self.score(state))

    def score(self, state: SeriesState[S]) -> tuple[Tally, ...]:
        """Each seat's score of the round, the total with what earlier rounds brought."""
        now = self.game.score(state.round)
        return tuple(
            replace(tally, total=earlier + tally.total) for earlier, tally in zip(state.carried, now, strict=True)
        )

    def next_dealer(self, state: SeriesState[S]) -> int:
        """Who deals the next round."""
        return self.game.next_dealer(state.round)

    def expected(self, state: SeriesState[S]) -> tuple[Moved, ...]:
        """The round's moves, or cards turned up to find the dealer."""
        if state.draw is None:
            return self.game.expected(state.round)
        out = {card for _, card in state.draw.out}
        cards = [card for card in self.deck if card not in out]
        seats = state.draw.waiting[:1] if self._one_by_one else state.draw.waiting
        return tuple(Moved(0.0, card, PILE, self._shown_at(seat)) for seat in seats for card in cards)

    def expected_signals(self, state: SeriesState[S]) -> tuple[Signalled, ...]:
        """The round's signals; between rounds, that the next one begins."""
        if state.draw is not None:
            return ()
        if self._round_over(state) and not self.over(state):
            return (Signalled(0.0, NEXT_ROUND, self.next_dealer(state)),)
        return self.game.expected_signals(state.round)

    def apply(self, state: SeriesState[S], event: Event) -> SeriesState[S]:
        """The state after a legal event: of the round, of the draw for dealer, or that the next round begins."""
        match event:
            case Signalled(name="next_round"):
                if not self._round_over(state) or self.over(state):
                    words = self.book.say("round_not_over")
                    raise RuleError("round_not_over", words.en, words.ja)
                return self._next_round(state)
            case Dealt():
                ready = self._next_round(state) if self._round_over(state) and not self.over(state) else state
                return replace(ready, round=self.game.apply(ready.round, event), draw=None)
            case Moved() if state.draw is not None:
                return self._drawn(state, state.draw, event)
            case _:
                return replace(state, round=self.game.apply(state.round, event))

    def _next_round(self, state: SeriesState[S]) -> SeriesState[S]:
        dealer = self.next_dealer(state)
        seats = len(state.carried)
        return SeriesState(self.game.start(seats, dealer), state.number + 1, self.totals(state), dealer)

    def _shown_at(self, seat: int) -> Place:
        """Where a seat lays the card it turned up for who deals: before it, or one after the other on one pile."""
        return DISCARD if self._one_by_one else Place("captured", seat)

    def _drawn(self, state: SeriesState[S], draw: DealerDraw, move: Moved) -> SeriesState[S]:
        """The state after a card was turned up for who deals."""
        if replace(move, t_s=0.0) not in self.expected(state):
            words = self.book.say("draw_first")
            raise FaultError("draw_first", words, (move.card,), move.source, move.target.seat)
        assert self.drawing is not None
        mine = (draw.waiting[0] if move.target.seat is None else move.target.seat, move.card)
        after = DealerDraw(draw.rivals, (*draw.drawn, mine), (*draw.out, mine))
        if after.waiting:
            return replace(state, draw=after)
        how = self.drawing
        first = order_of(dict(after.drawn), how.months, how.by_rank, how.latest)[0]
        if len(first) > 1:
            return replace(state, draw=DealerDraw(first, (), after.out))
        seats = len(state.carried)
        return replace(state, round=self.game.start(seats, first[0]), dealer=first[0], draw=None)

    def guide(self, state: SeriesState[S]) -> Guidance:
        """The round's guidance; between rounds what it brought; before the first, who draws for the deal."""
        if state.draw is not None:
            return guide_draw(self.book, state.draw, len(state.carried))
        rounds = self.length.rounds
        if self._round_over(state):
            last = self.over(state)
            shown = self.game.guide(state.round)
            gained = tuple(tally.total for tally in self.game.score(state.round))
            dealer = None if last else self.next_dealer(state)
            return guide_result(self.book, shown, self.score(state), gained, state.number, rounds, dealer)
        return guide_round(
            self.book, self.game.guide(state.round), self.score(state), state.number, rounds, state.dealer
        )

    def unseen(self, state: SeriesState[S]) -> Mapping[Place, int]:
        """The round's unseen cards."""
        if state.draw is not None:
            return {PILE: len(self.deck) - len(state.draw.out)}
        return self.game.unseen(state.round)

    def places(self, state: SeriesState[S]) -> Mapping[Card, Place]:
        """Where each card lies in the round, or in the draw for who deals."""
        if state.draw is not None:
            return {card: self._shown_at(seat) for seat, card in state.draw.out}
        return self.game.places(state.round)

    def choices(self, state: SeriesState[S]) -> tuple[Card, ...]:
        """The round's choice."""
        return self.game.choices(state.round)

    def adopt(
        self, state: SeriesState[S], lies: Mapping[Card, Place], unseen: Mapping[Place, int], move: Moved | None
    ) -> SeriesState[S] | None:
        """The round taken as it lies on the table."""
        adopted = self.game.adopt(state.round, lies, unseen, move)
        return None if adopted is None else replace(state, round=adopted)

    def provisional(self, state: SeriesState[S]) -> bool:
        """Whether the round's last move makes sense only with one not seen yet."""
        return self.game.provisional(state.round)

    def put(self, state: SeriesState[S], move: Moved) -> SeriesState[S]:
        """The state with one card lying elsewhere."""
        return replace(state, round=self.game.put(state.round, move))

    def misdeal(self, lies: Mapping[Card, Place]) -> Fault | None:
        """Why a round's deal must be dealt again."""
        return self.game.misdeal(lies)
