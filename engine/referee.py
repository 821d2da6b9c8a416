"""The referee: takes what happened at the table as facts, says what follows, and rebuilds a session from its facts.

A move is never refused. Where it breaks a rule a `Fault` says so and where the card belongs; `engine/reconcile.py`
keeps the rules and the table together. The event log is the session: `replay` folds its facts; what the referee logged
itself (turn, scores, faults, end) is skipped and follows again. In a series of rounds the table is cleared between
them: `closed` says that a round is over and its cards may go anywhere, until the next deal.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from typing import Final, TypeVar

from engine.cards import Card, twins
from engine.errors import RuleError
from engine.events import (
    Corrected,
    Dealt,
    Ended,
    Event,
    Moved,
    Place,
    Repaired,
    Scored,
    Signalled,
    Started,
    Turn,
)
from engine.facts import swapped, undone
from engine.game import Game
from engine.guidance import Cue, Guidance, Role
from engine.places import PILE
from engine.reconcile import Reading, Table, fault_of, step
from engine.session import REDEAL as REDEAL
from engine.session import Session as Session
from engine.session import expected_signals as expected_signals
from engine.session import likely_source as likely_source
from engine.session import signal_words as signal_words
from engine.words import card_name, place_name
from engine.yaku import winners

S = TypeVar("S")

NEXT_ROUND: Final = "next_round"
"""The signal that the table will be cleared for the next round of a series."""
RESHUFFLED: Final = "reshuffled"
"""The signal that the discards but the top have been shuffled into a new draw pile."""
_ECHO_S: Final = 1.5
"""Moves this close to the last one are echoed with it: a pair comes to rest nearly together."""


def begin(game: Game[S], seats: int, dealer: int = 0, t_s: float = 0.0) -> Session[S]:
    """A session before its deal. Raises ConfigError for seats or a dealer the game does not allow."""
    base = game.start(seats, dealer)
    started = Started(t_s, game.name, dict(game.options), seats, dealer)
    return Session(game, seats, dealer, game.options, (started,), {}, {}, base)


def advance(session: Session[S], event: Event) -> tuple[Session[S], tuple[Event, ...]]:
    """The session after a fact, and what follows from it, to be logged after it.

    Consequences (Turn, Scored, Fault, Repaired, Ended) given as `event` change nothing. Moves after the end of a round
    are the players clearing the table and change nothing, and so does a signal that the rules do not expect.
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
    after = _let_stand(session)
    return after, (*events, *(_consequences(session, after, t_s) if after is not session else ()))


def _let_stand(session: Session[S]) -> Session[S]:
    """The session with its faults let stand, if the round is over as the cards lie; else the same one."""
    state = session.state
    if session.closed or state is None or not session.faults:
        return session
    lying = session.game.adopt(state, session.lies, session.unseen, None)
    if lying is None or session.game.to_act(lying):
        return session
    return replace(session, readings=(Reading(lying),), closed=True)


def next_dealer(session: Session[S]) -> int:
    """The seat that begins the next game."""
    state = session.state
    return session.game.next_dealer(session.base if state is None else state)


def guide(session: Session[S]) -> Guidance:
    """What to show: the game's guidance, with the fault that stands and the moves just seen."""
    state = session.state
    shown = session.game.guide(session.base if state is None else state)
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
    moves = tuple(takewhile(lambda fact: isinstance(fact, Moved), reversed(session.facts[-4:])))
    recent = [move for move in reversed(moves) if isinstance(move, Moved) and move.t_s >= moves[0].t_s - _ECHO_S]
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
        case Signalled():
            return _signalled(session, event)
        case Corrected():
            return _corrected(session, event)
        case _:
            return session


def _dealt(session: Session[S], deal: Dealt) -> Session[S]:
    session = _let_stand(session)
    game, base = session.game, _base_of_next(session)
    open_place = Place("field") if Place("field") in game.deal(session.seats) else Place("discard")
    lies = dict.fromkeys(deal.field, open_place)
    for seat, cards in enumerate(deal.hands):
        lies.update(dict.fromkeys(cards, Place("hand", seat)))
    unseen = {PILE: deal.draw, **{Place("hand", seat): count for seat, count in enumerate(deal.hand_counts)}}
    facts = (*session.facts, deal)
    laid = replace(session, facts=facts, lies=lies, unseen=unseen, base=base, readings=(), closed=False)
    try:
        state = game.apply(base, deal)
    except RuleError as error:
        return replace(laid, refused=fault_of(error, deal.t_s))
    return replace(laid, readings=(Reading(state),), refused=None)


def _base_of_next(session: Session[S]) -> S:
    """The state that a deal seen now is dealt from: this round's again, the next round's, or the next game's."""
    game, state = session.game, session.state
    if state is None or not session.closed:
        return session.base
    if game.over(state):
        return game.start(session.seats, game.next_dealer(state))
    return game.apply(state, Signalled(0.0, NEXT_ROUND, session.dealer))


def _signalled(session: Session[S], signal: Signalled) -> Session[S]:
    """The session after a signal: a table given up for the next deal, a state that goes on, or nothing changed."""
    game, facts = session.game, (*session.facts, signal)
    if signal.name == REDEAL and signal.name in {s.name for s in expected_signals(session)}:
        return replace(session, facts=facts, lies={}, unseen={}, readings=(), refused=None, closed=False)
    if signal.name == NEXT_ROUND:
        session = _let_stand(session)
    state = session.state
    try:
        after = game.apply(session.base if state is None else state, signal)
    except RuleError:
        return session
    if state is None:
        return replace(session, facts=facts, base=after)
    if session.closed:
        return replace(session, facts=facts, lies={}, unseen={}, base=after, readings=(), closed=False)
    readings = (*session.readings[:-1], replace(session.readings[-1], state=after))
    return _kept_together(replace(session, facts=facts, readings=readings))


def _kept_together(session: Session[S]) -> Session[S]:
    """The session with what the rules do by themselves (cards drawn into hands, a pile shuffled) done on the table."""
    state, game = session.state, session.game
    if state is None or len(session.readings) > 1 or session.readings[0].off:
        return session
    unseen = game.unseen(state)
    if unseen == session.unseen:
        return session
    strays = {card: place for card, place in session.lies.items() if card not in game.deck}
    return replace(session, lies={**strays, **game.places(state)}, unseen=unseen)


def _moved(session: Session[S], move: Moved) -> Session[S]:
    if session.closed:
        return session
    if (shuffled := _shuffled_unsaid(session, move)) is not None:
        session = _signalled(session, shuffled)
    here = session.lies.get(move.card)
    fits = here == move.source or (here is None and session.hides(move.source))
    if not fits and (twin := _twin_at(session, move)) is not None:
        session = _rebuilt(session, swapped(session.facts, move.card, twin))
        here = session.lies.get(move.card)
    elif here == move.target:
        return session
    elif here is not None:
        move = replace(move, source=here)
    lies = {card: place for card, place in session.lies.items() if card != move.card}
    if not session.hides(move.target):
        lies[move.card] = move.target
    unseen = dict(session.unseen)
    if here is None:
        origin = _origin(session, move)
        unseen[origin] = unseen.get(origin, 0) - 1
    if session.hides(move.target):
        unseen[move.target] = unseen.get(move.target, 0) + 1
    table = Table(session.lies, lies, session.unseen, unseen)
    after = replace(session, facts=(*session.facts, move), lies=lies, unseen=unseen)
    if not session.readings:
        return replace(after, base=_drawn(session, move))
    readings = step(session.game, session.readings, table, move)
    if _is_over(session) and len(readings[0].off) >= len(session.readings[0].off):
        # over but for a standing fault, and this move does not mend it: the table is being cleared
        return replace(session, readings=session.readings[-1:], closed=True)
    after = _kept_together(replace(after, readings=readings))
    return replace(after, closed=_is_over(after) and len(readings) == 1)


def _drawn(session: Session[S], move: Moved) -> S:
    """The state before the deal after a card was drawn for who deals; other moves are the deal itself."""
    try:
        return session.game.apply(session.base, move)
    except RuleError:
        return session.base


def _shuffled_unsaid(session: Session[S], move: Moved) -> Signalled | None:
    """That the discards were shuffled, where a card that lay among them is turned up though nobody said so."""
    state = session.state
    if state is None or move.source != PILE or session.lies.get(move.card) != move.target:
        return None
    if replace(move, t_s=0.0) not in session.game.expected(state):
        return None
    said = (signal for signal in session.game.expected_signals(state) if signal.name == RESHUFFLED)
    return next((replace(signal, t_s=move.t_s) for signal in said), None)


def _origin(session: Session[S], move: Moved) -> Place:
    """The hidden place that a card nobody had seen came from: the one it is said to, if that holds any."""
    first = move.source if session.hides(move.source) else PILE
    holding = [place for place, count in session.unseen.items() if count > 0]
    return first if first in holding or not holding else holding[0]


def _is_over(session: Session[S]) -> bool:
    """Whether nobody is left to act and the table agrees."""
    top = session.readings[-1]
    return not top.off and not session.game.to_act(top.state)


def _twin_at(session: Session[S], move: Moved) -> Card | None:
    """A card no rule can tell from the moved one, at that move's source: the eyes took one for the other."""
    place = None if session.hides(move.source) else move.source
    return next((c for c in twins(move.card) if c in session.game.deck and session.lies.get(c) == place), None)


def _corrected(session: Session[S], correction: Corrected) -> Session[S]:
    """The session with other facts: the last moves dropped, or two cards' identities exchanged from the beginning."""
    facts = session.facts
    if correction.was is not None and correction.now is not None:
        facts = swapped(facts, correction.was, correction.now)
    facts = undone(facts, correction.undo)
    return session if facts == session.facts else _rebuilt(session, facts)


def _rebuilt(session: Session[S], facts: tuple[Event, ...]) -> Session[S]:
    fresh = replace(begin(session.game, session.seats, session.dealer), facts=facts[:1])
    for fact in facts[1:]:
        fresh = _after(fresh, fact)
    return fresh


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
    game, was, now = before.game, before.state if before.base == after.base else None, after.state
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
        reason = "a hand is empty" if any(game.unseen(now).values()) else "hands and draw pile empty"
        events.append(Ended(t_s, reason, score, winners(score)))
    return tuple(events)
