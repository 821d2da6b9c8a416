"""The referee: takes what happened at the table as facts, says what follows, and rebuilds a session from its facts.

A move is never refused. Where it breaks a rule a `Fault` says so and where the card belongs; `engine/reconcile.py`
keeps the rules and the table together. The event log is the session: `replay` folds its facts; what the referee logged
itself (turn, scores, faults, end) is skipped and follows again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from engine.cards import Card, twins
from engine.errors import RuleError
from engine.events import Corrected, Dealt, Ended, Event, Fault, Moved, Place, Repaired, Scored, Started, Turn
from engine.game import Game
from engine.guidance import Cue, Guidance, Role
from engine.reconcile import Reading, Table, fault_of, step
from engine.words import card_name, place_name
from engine.yaku import winners

S = TypeVar("S")

_PILE: Final = Place("draw")
_ECHO_S: Final = 1.5
"""Moves this close to the last one are echoed with it: a pair comes to rest nearly together."""


@dataclass(frozen=True, slots=True)
class Session(Generic[S]):
    """A game as it stands: the facts believed, where every known card lies, and how the rules read it.

    `facts` are Started, Dealt and Moved with corrections worked in. `lies` holds face-up cards only; `unseen` counts
    the cards of the draw pile and of hidden hands. `refused` is the fault of a deal that cannot be played.
    """

    game: Game[S]
    seats: int
    dealer: int
    options: Mapping[str, Any]
    facts: tuple[Event, ...]
    lies: Mapping[Card, Place]
    unseen: Mapping[Place, int]
    readings: tuple[Reading[S], ...] = ()
    refused: Fault | None = None
    ended: bool = False

    @property
    def state(self) -> S | None:
        """The state of the game to show and to expect moves from; None before a playable deal."""
        return self.readings[-1].state if self.readings else None

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults that stand, the latest last."""
        standing = tuple(fault for reading in self.readings for _, fault in reading.faults)
        return standing if self.refused is None else (self.refused, *standing)

    @property
    def fault(self) -> Fault | None:
        """The latest fault that stands, or None."""
        return self.faults[-1] if self.faults else None


def begin(game: Game[S], seats: int, dealer: int = 0, t_s: float = 0.0) -> Session[S]:
    """A session before its deal. Raises ConfigError for seats or a dealer the game does not allow."""
    game.start(seats, dealer)
    started = Started(t_s, game.name, dict(game.options), seats, dealer)
    return Session(game, seats, dealer, game.options, (started,), {}, {})


def advance(session: Session[S], event: Event) -> tuple[Session[S], tuple[Event, ...]]:
    """The session after a fact, and what follows from it, to be logged after it.

    Consequences (Turn, Scored, Fault, Repaired, Ended) given as `event` change nothing. Moves after the end are the
    players clearing the table and change nothing.
    """
    after = _after(session, event)
    if after is session or isinstance(event, Started):
        return after, ()
    return after, _consequences(session, after, event.t_s)


def replay(game: Game[S], events: Iterable[Event]) -> Session[S]:
    """The session that a log leads to, from its last Started on; without one, seats are as many as hands were dealt."""
    log = tuple(events)
    dealt = next((e for e in log if isinstance(e, Dealt)), None)
    seats = (len(dealt.hands) or len(dealt.hand_counts)) if dealt else 2
    first = next((e for e in log if isinstance(e, Started)), None)
    session = begin(game, seats) if first is None else begin(game, first.seats, first.dealer, first.t_s)
    for event in log:
        session = _after(session, event)
    return session


def finish(session: Session[S], t_s: float) -> tuple[Session[S], tuple[Event, ...]]:
    """The session at the end of its recording or at the players' word, and what follows.

    A capture half of which was seen is completed if there is only one way to. The game ends only if it really is over:
    hands and draw pile empty and no capture left lying; standing faults are let stand then. (`advance` ends a game with
    a standing fault only once the table is being cleared.)
    """
    events: list[Event] = []
    while (move := _forced(session, t_s)) is not None:
        session, follow = advance(session, move)
        events += (move, *follow)
    state = session.state
    if session.ended or state is None or not session.faults:
        return session, tuple(events)
    lying = session.game.adopt(state, session.lies, session.unseen, None)
    if lying is None or session.game.to_act(lying):
        return session, tuple(events)
    after = replace(session, readings=(Reading(lying),), ended=True)
    return after, (*events, *_consequences(session, after, t_s))


def next_dealer(session: Session[S]) -> int:
    """The seat that begins the next game."""
    state = session.state
    return session.game.next_dealer(session.game.start(session.seats, session.dealer) if state is None else state)


def guide(session: Session[S]) -> Guidance:
    """What to show: the game's guidance, with the fault that stands and the moves just seen."""
    state = session.state
    shown = session.game.guide(session.game.start(session.seats, session.dealer) if state is None else state)
    cues = (*_echoes(session), *shown.cues)
    fault = session.fault
    if fault is None:
        return replace(shown, cues=cues)
    marks = tuple(
        Cue(Role.FAULT, f.cards, f.belongs, f.seat, words=f.message) for f in reversed(session.faults)
    )  # the latest first
    lines = tuple(fault.message if seat == fault.seat else line for seat, line in enumerate(shown.seat_lines))
    return replace(shown, cues=(*marks, *cues), headline=fault.message, seat_lines=lines)


def _echoes(session: Session[S]) -> tuple[Cue, ...]:
    moves = [fact for fact in session.facts[-4:] if isinstance(fact, Moved)]
    recent = [move for move in moves if move.t_s >= moves[-1].t_s - _ECHO_S]
    say = session.game.book.say
    return tuple(
        Cue(
            Role.ECHO,
            (move.card,),
            move.target,
            words=say("echo", card=card_name(move.card), place=place_name(move.target)),
        )
        for move in recent
    )


def _after(session: Session[S], event: Event) -> Session[S]:
    """The session after one event of a log."""
    match event:
        case Started():
            return begin(session.game, event.seats, event.dealer, event.t_s)
        case Dealt():
            return _dealt(session, event)
        case Moved():
            return _moved(session, event)
        case Corrected():
            return _corrected(session, event)
        case _:
            return session


def _dealt(session: Session[S], deal: Dealt) -> Session[S]:
    game = session.game
    lies = dict.fromkeys(deal.field, Place("field"))
    for seat, cards in enumerate(deal.hands):
        lies.update(dict.fromkeys(cards, Place("hand", seat)))
    unseen = {_PILE: deal.draw, **{Place("hand", seat): count for seat, count in enumerate(deal.hand_counts)}}
    laid = replace(session, facts=(*session.facts, deal), lies=lies, unseen=unseen, readings=(), ended=False)
    try:
        state = game.apply(game.start(session.seats, session.dealer), deal)
    except RuleError as error:
        return replace(laid, refused=fault_of(error, deal.t_s))
    return replace(laid, readings=(Reading(state),), refused=None)


def _moved(session: Session[S], move: Moved) -> Session[S]:
    if session.ended:
        return session
    here = session.lies.get(move.card)
    fits = here == move.source or (here is None and _is_hidden(session, move.source))
    if not fits and (twin := _twin_at(session, move)) is not None:
        session = _rebuilt(session, _swapped(session.facts, move.card, twin))
    elif here == move.target:
        return session
    elif here is not None:
        move = replace(move, source=here)
    lies = {card: place for card, place in session.lies.items() if card != move.card}
    if not _is_hidden(session, move.target):
        lies[move.card] = move.target
    unseen = dict(session.unseen)
    if here is None:
        origin = move.source if _is_hidden(session, move.source) else _PILE
        unseen[origin] = max(0, unseen.get(origin, 0) - 1)
    if _is_hidden(session, move.target):
        unseen[move.target] = unseen.get(move.target, 0) + 1
    table = Table(session.lies, lies, session.unseen)
    after = replace(session, facts=(*session.facts, move), lies=lies, unseen=unseen)
    if not session.readings:
        return after
    readings = step(session.game, session.readings, table, move)
    if _is_over(session) and len(readings[0].off) >= len(session.readings[0].off):
        # over but for a standing fault, and this move does not mend it: the table is being cleared
        return replace(session, readings=session.readings[-1:], ended=True)
    ended = _is_over(replace(after, readings=readings)) and len(readings) == 1
    return replace(after, readings=readings, ended=ended)


def _is_over(session: Session[S]) -> bool:
    """Whether nobody is left to act and the table agrees."""
    top = session.readings[-1]
    return not top.off and not session.game.to_act(top.state)


def _is_hidden(session: Session[S], place: Place) -> bool:
    """Whether cards that lie there are counted, not known."""
    return place == _PILE or (place.zone == "hand" and session.game.hidden_hands)


def _twin_at(session: Session[S], move: Moved) -> Card | None:
    """A card no rule can tell from the moved one, at that move's source: the eyes took one for the other."""
    place = None if _is_hidden(session, move.source) else move.source
    return next((c for c in twins(move.card) if c in session.game.deck and session.lies.get(c) == place), None)


def _corrected(session: Session[S], correction: Corrected) -> Session[S]:
    """The session with other facts: the last moves dropped, or two cards' identities exchanged from the beginning."""
    facts = session.facts
    if correction.was is not None and correction.now is not None:
        facts = _swapped(facts, correction.was, correction.now)
    for _ in range(correction.undo):
        last = next((i for i in range(len(facts) - 1, 0, -1) if isinstance(facts[i], Moved | Dealt)), 0)
        if not isinstance(facts[last], Moved):
            break
        facts = facts[:last] + facts[last + 1 :]
    return session if facts == session.facts else _rebuilt(session, facts)


def _rebuilt(session: Session[S], facts: tuple[Event, ...]) -> Session[S]:
    fresh = replace(begin(session.game, session.seats, session.dealer), facts=facts[:1])
    for fact in facts[1:]:
        fresh = _after(fresh, fact)
    return fresh


def _swapped(facts: tuple[Event, ...], one: Card, other: Card) -> tuple[Event, ...]:
    """The facts with two cards exchanged for each other."""
    swap = {one: other, other: one}

    def exchanged(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(swap.get(card, card) for card in cards)

    def corrected(fact: Event) -> Event:
        match fact:
            case Dealt():
                return replace(fact, field=exchanged(fact.field), hands=tuple(exchanged(h) for h in fact.hands))
            case Moved():
                return replace(fact, card=swap.get(fact.card, fact.card))
            case _:
                return fact

    return tuple(corrected(fact) for fact in facts)


def _forced(session: Session[S], t_s: float) -> Moved | None:
    """The only move that completes a capture of which a card has been taken; None if there is none or a choice."""
    state, game = session.state, session.game
    if state is None or session.faults or game.provisional(state):
        return None
    moves = game.expected(state)
    if not any(move.source.zone == "captured" for move in moves):
        return None
    takes = [move for move in moves if move.target.zone == "captured"]
    return replace(takes[0], t_s=t_s) if len({move.card.face for move in takes}) == 1 else None


def _consequences(before: Session[S], after: Session[S], t_s: float) -> tuple[Event, ...]:
    """What to log because of the change from `before` to `after`."""
    game, was, now = before.game, before.state, after.state
    events: list[Event] = [Repaired(t_s, f.code) for f in before.faults if f not in after.faults]
    events += [f for f in after.faults if f not in before.faults]
    if now is None:
        return tuple(events)
    score = game.score(now)
    if was is not None and game.score(was) != score:
        events.append(Scored(t_s, score))
    turn = game.to_act(now)
    if len(turn) == 1 and (was is None or game.to_act(was) != turn):
        events.append(Turn(t_s, min(turn)))
    if after.ended and not before.ended:
        events.append(Ended(t_s, "hands and draw pile empty", score, winners(score)))
    return tuple(events)
