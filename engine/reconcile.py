"""Brings what the rules say and what lies on the table together, move by move, also after a fault.

A *reading* is a state of the game with the faults that keep the table from agreeing with it. Normally there is one,
without faults. An illegal move leaves its state alone and adds a fault for the card that now lies elsewhere. From then
on
  - a later move that makes the table agree again (the card is put back, or a legal way leads to what lies there)
    clears the fault;
  - if play goes on instead, a second reading on top takes the table as it lies, so that the game can be followed. The
    one below waits: putting things right still brings it back. After `STANDS_AFTER` moves its fault is let stand.
So the score follows legal captures, and if the players never repair an illegal one, what lies in their piles.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from engine.cards import Card
from engine.errors import RuleError
from engine.events import Fault, Moved, Place, Words
from engine.game import FaultError, Game
from engine.words import card_name, place_name

S = TypeVar("S")

STANDS_AFTER: Final = 10
"""Moves after which a fault that play has gone on over is let stand."""
_MOST_READINGS: Final = 3
_MOST_MISPLACED: Final = 10


@dataclass(frozen=True, slots=True)
class Reading(Generic[S]):
    """A state and the faults against it, each with the card that lies where the state does not put it.

    `off` are all misplaced cards; those that moved since play went on have no fault of their own.
    `choice` is the state in which the seat in turn had a choice, while it may still be changed. `moves` counts legal
    moves, `age` those since play went on over the faults.
    """

    state: S
    faults: tuple[tuple[Card, Fault], ...] = ()
    off: frozenset[Card] = frozenset()
    choice: S | None = None
    moves: int = 0
    age: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """Where every known card lies before and after a move, and how many unseen ones lie where."""

    before: Mapping[Card, Place]
    after: Mapping[Card, Place]
    unseen: Mapping[Place, int]
    unseen_after: Mapping[Place, int]


@dataclass(frozen=True, slots=True)
class _Outcome(Generic[S]):
    """A reading after a move: why the move was illegal in it, if it was, and whether fewer cards are misplaced now."""

    reading: Reading[S]
    error: RuleError | None
    closer: bool


def misplaced(game: Game[S], state: S, lies: Mapping[Card, Place]) -> frozenset[Card]:
    """The cards that do not lie where `state` has them. A card of another deck counts unless it lies in the box."""
    places = game.places(state)
    wrong = {card for card, place in places.items() if lies.get(card) != place}
    wrong.update(card for card, place in lies.items() if card not in places and not _put_away(game, card, place))
    return frozenset(wrong)


def _put_away(game: Game[S], card: Card, place: Place) -> bool:
    return place.zone == "box" and card not in game.deck


def explain(
    game: Game[S], state: S, table: Table, off: frozenset[Card], seen: set[S] | None = None
) -> tuple[S, frozenset[Card]]:
    """The state that legal moves of misplaced cards to where they lie lead to: the one with fewest left.

    A card that nobody had seen can only have come from where the table holds fewer such cards than the state.
    """
    hidden = game.unseen(state)
    seen = set() if seen is None else seen
    best = (state, off)
    if len(off) > _MOST_MISPLACED or state in seen:
        return best
    seen.add(state)
    for move in game.expected(state):
        if move.card not in off or table.after.get(move.card) != move.target or move.target.zone == "discard":
            continue  # on a discard pile the card that lies beneath cannot have come later
        if hidden.get(move.source, 1) > table.unseen_after.get(move.source, 0):
            found, left = explain(game, game.apply(state, move), table, off - {move.card}, seen)
            if len(left) < len(best[1]) and not game.provisional(found):
                best = (found, left)
            if not best[1]:
                break
    return best


def step(game: Game[S], readings: tuple[Reading[S], ...], table: Table, move: Moved) -> tuple[Reading[S], ...]:
    """The readings after `move`, the strictest first and the one to show last."""
    outcomes: list[_Outcome[S]] = []
    for reading in readings:
        outcomes.append(_follow(game, reading, table, move))
        if not outcomes[-1].reading.off:
            return _aged(tuple(o.reading for o in outcomes))
    top, before = outcomes[-1], readings[-1]
    if top.error is not None and any(o.error is None or o.closer for o in outcomes[:-1]):
        # the move makes sense below: the players have begun to put things right, and the top only notes it
        state = game.put(before.state, move)
        off = misplaced(game, state, table.after)
        faults = tuple(pair for pair in before.faults if pair[0] in off)
        noted = replace(before, state=state, off=off, faults=faults, choice=None)
        return _aged((*(o.reading for o in outcomes[:-1]), _named(game, noted, move.t_s)))
    went_on = bool(before.off) and move.source.zone in ("hand", "draw") and not top.closer
    adopted = game.adopt(before.state, table.before, table.unseen, move) if went_on else None
    shown = top.reading
    if top.error is not None and move.card in shown.off:
        fault = fault_of(top.error, move.t_s)
        if adopted is None or any(f.seat == fault.seat for _, f in before.faults):
            shown = _with_fault(game, shown, move.card, fault)
    if adopted is None:
        return (*(o.reading for o in outcomes[:-1]), _named(game, shown, move.t_s))
    if shown.moves == 0:  # the first card of the game came from another seat than expected: let that seat begin
        return (Reading(adopted, moves=1),)
    return _aged((*(o.reading for o in outcomes[:-1]), shown, Reading(adopted, moves=1)))


def _follow(game: Game[S], reading: Reading[S], table: Table, move: Moved) -> _Outcome[S]:
    """One reading after the move: played if legal, then whatever else of the table now follows legally."""
    error: RuleError | None = None
    state, choice = reading.state, reading.choice
    try:
        state = game.apply(state, move)
    except RuleError as problem:
        error = problem
    else:
        if move.source.zone in ("hand", "draw"):
            choice = state if game.choices(state) else None
    off = misplaced(game, state, table.after)
    if off:
        state, off = explain(game, state, table, off)
    if off and error is not None and choice is not None:
        other, left = explain(game, choice, table, misplaced(game, choice, table.after))
        if not left:
            state, off = other, left
    faults = tuple((card, fault) for card, fault in reading.faults if card in off)
    after = Reading(state, faults, off, choice, reading.moves + (error is None), reading.age)
    return _Outcome(after, error, len(off) < len(reading.off))


def _aged(readings: tuple[Reading[S], ...]) -> tuple[Reading[S], ...]:
    """The readings a move older; one whose fault has stood too long, or one too many, is given up."""
    older = (*(replace(r, age=r.age + 1) for r in readings[:-1]), replace(readings[-1], age=0))
    standing = tuple(r for r in older[:-1] if r.age <= STANDS_AFTER and len(r.off) <= _MOST_MISPLACED)
    return (*standing[-(_MOST_READINGS - 1) :], older[-1])


_TOGETHER: Final = {("card_returned", "two_cards_played"): "hand_card_swapped"}


def _with_fault(game: Game[S], reading: Reading[S], card: Card, fault: Fault) -> Reading[S]:
    """The reading with a fault for the moved card. Two faults that are one mistake are named as one."""
    others = tuple(pair for pair in reading.faults if pair[0] != card)
    for _, older in others:
        code = _TOGETHER.get((older.code, fault.code))
        if code is not None and older.seat == fault.seat:
            words = game.book.say(code, card=card_name(older.cards[0]), other=card_name(card))
            fault = replace(fault, code=code, message=words, cards=(*older.cards, *fault.cards))
    return replace(reading, faults=(*others, (card, fault)))


def _named(game: Game[S], reading: Reading[S], t_s: float) -> Reading[S]:
    """The reading with at least one fault if a card is misplaced: what is wrong is never kept silent."""
    if reading.faults or not reading.off:
        return reading
    card = min(reading.off)
    place = game.places(reading.state).get(card)
    words = game.book.say("misplaced", card=card_name(card), place=place_name(place))
    return replace(reading, faults=((card, Fault(t_s, "misplaced", words, (card,), None, place)),))


def fault_of(error: RuleError, t_s: float) -> Fault:
    """The fault to log for a broken rule."""
    words = Words(error.en, error.ja)
    if isinstance(error, FaultError):
        return Fault(t_s, error.code, words, error.cards, error.seat, error.belongs)
    return Fault(t_s, error.code, words, (), None)
