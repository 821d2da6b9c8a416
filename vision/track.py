"""From what is seen to what has happened: the moves that explain why cards now lie elsewhere.

Pure: the same observation and session give the same facts. The rules order what came to rest between two looks and say
which of a month's chaff it must have been; they never overrule a clear reading, since people make illegal moves.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from engine import referee
from engine.cards import Card
from engine.events import Dealt, Moved, Place
from engine.referee import Session
from vision.hidden import returned, turned_up_again
from vision.values import Laid, Observation, SeenCard

CONFIRM_S: Final = 0.1
"""A card must have been seen at its new place for this long, on top of the stillness before it is looked at at all."""
HIDDEN_S: Final = 1.0
"""A match that has left the field and is not found is taken to lie under its partner after this long."""

TAKEN_BACK_S: Final = 0.8
"""A card played from a hidden hand that is gone for this long has been taken back."""
PUT_BACK_S: Final = 0.4
"""A card that a fault says should go back has gone back once it is gone, and no arm over the table, for this long."""
CARRIED_S: Final = 1.6
"""Nobody carries such a card about for longer, with other arms over the table or not."""
DEALT_S: Final = 0.5
"""The cards dealt open must have lain for this long, where hidden hands leave no other sign that the deal is done."""
DEALT_AMID_ARMS_S: Final = 2.0
"""The same while arms are over the table: they may be clearing it, and uncover what lay beneath."""

PILE: Final = Place("draw")
_NOBODY: Final[Mapping[Card, Laid]] = MappingProxyType({})
_UNKNOWN: Final = Laid()
_SEATLESS: Final = frozenset({"draw", "box"})


def dealt(observation: Observation, session: Session[Any]) -> Dealt | None:
    """The deal, if exactly as many cards lie in each zone as the game asks for; None otherwise."""
    needed = session.game.deal(session.seats)
    if session.game.hidden_hands:
        return _dealt_unseen(observation, session, needed)
    lying: dict[Place, list[Card]] = {}
    for seen in _plain(observation):
        if observation.t_s - seen.since_s < CONFIRM_S:
            return None
        if seen.card is not None and seen.place is not None:
            lying.setdefault(seen.place, []).append(seen.card)
    faces_up = {place: count for place, count in needed.items() if place != PILE}
    if {place: len(cards) for place, cards in lying.items() if place.zone not in _SEATLESS} != faces_up:
        return None
    strange = [card for place, cards in lying.items() if place.zone != "box" for card in cards]
    if any(card not in session.game.deck for card in strange):
        return None
    hands = tuple(tuple(sorted(lying[Place("hand", seat)])) for seat in range(session.seats))
    return Dealt(observation.t_s, tuple(sorted(lying[Place("field")])), hands, needed.get(PILE, 0))


def _dealt_unseen(observation: Observation, session: Session[Any], needed: Mapping[Place, int]) -> Dealt | None:
    """A deal with hidden hands: their counts are taken as the game asks for once the open cards lie still.

    Where none are dealt open, a face-down card in the zone of the draw pile shows that cards have been dealt.
    """
    plain = [seen for seen in _plain(observation) if seen.place is not None and seen.place.zone not in _SEATLESS]
    least_s = DEALT_S if observation.clear_s >= PUT_BACK_S else DEALT_AMID_ARMS_S
    if any(observation.t_s - seen.since_s < least_s for seen in plain):
        return None
    open_ = {place: count for place, count in needed.items() if place != PILE and place.zone != "hand" and count}
    pile = any(not seen.face_up and seen.place == PILE for seen in observation.cards)
    lying = [seen.place for seen in plain if seen.card is not None]
    if {place: lying.count(place) for place in lying} != open_ or not (open_ or pile):
        return None
    cards = tuple(sorted(seen.card for seen in plain if seen.card is not None))
    if any(card not in session.game.deck for card in cards):
        return None
    counts = tuple(needed[Place("hand", seat)] for seat in range(session.seats))
    return Dealt(observation.t_s, cards, (), needed.get(PILE, 0), counts)


def lacking(observation: Observation, session: Session[Any]) -> tuple[Place, ...]:
    """Zones in which fewer cards are seen than the deal puts there."""
    have = [seen.place for seen in _plain(observation)]
    return tuple(
        place
        for place, count in session.game.deal(session.seats).items()
        if place.zone not in _SEATLESS
        and have.count(place) < count
        and not (place.zone == "hand" and session.game.hidden_hands)
    )


def moved(
    observation: Observation, session: Session[Any], laid: Mapping[Card, Laid] = _NOBODY, ruled: bool = True
) -> tuple[Moved, ...]:
    """Moves since the facts of `session`, in the order the rules make likely, those the rules forbid last.

    `laid` tells how cards were seen to be laid, and so which hidden hand they came from, or that it was the pile.
    Not `ruled`, to compare: what is seen, in the order of time; the rules are asked for nothing.
    """
    pending = [
        Moved(observation.t_s, seen.card, session.lies.get(seen.card, PILE), seen.place)
        for seen in _plain(observation)
        if seen.card is not None
        and seen.place is not None
        and seen.card in session.game.deck
        and seen.place.zone not in _SEATLESS
        and seen.place != session.lies.get(seen.card, PILE)
        and observation.t_s - seen.since_s >= CONFIRM_S
    ]
    if not ruled:
        return tuple(sorted(pending, key=lambda move: (_since(observation, move), move.card)))
    pending += turned_up_again(observation, session) + _put_back(observation, session)
    pending += _under_their_partners(observation, session) or returned(observation, session, TAKEN_BACK_S)
    pending = list(dict.fromkeys(pending))
    pending.sort(key=lambda move: (_since(observation, move), move.card))
    return in_likely_order(pending, session, laid)


def _since(observation: Observation, move: Moved) -> float:
    """Since when the card lies where it was moved to; now, where it is not seen."""
    return next((seen.since_s for seen in observation.cards if seen.card == move.card), observation.t_s)


def drawn(observation: Observation, session: Session[Any]) -> tuple[Moved, ...]:
    """Cards turned up before their seats to find out who deals, where the game asks for that; none otherwise."""
    expected = frozenset((m.card, m.target) for m in session.game.expected(session.base) if m.target.zone == "captured")
    return tuple(
        Moved(observation.t_s, seen.card, PILE, seen.place)
        for seen in (_plain(observation) if expected else ())
        if seen.card is not None
        and seen.place is not None
        and (seen.card, seen.place) in expected
        and session.lies.get(seen.card) != seen.place
        and observation.t_s - seen.since_s >= CONFIRM_S
    )[:1]


def in_likely_order(
    pending: list[Moved], session: Session[Any], laid: Mapping[Card, Laid] = _NOBODY
) -> tuple[Moved, ...]:
    """The same moves, each time the first that the rules expect next, or else the first."""
    out: list[Moved] = []
    left = list(pending)
    while left:
        left = _from_their_hands(left, session, laid)
        expected = _expected(session) if len(left) > 1 else frozenset()
        move = next((m for m in left if (m.card, m.source, m.target) in expected), left[0])
        left.remove(move)
        out.append(move)
        session, _ = referee.advance(session, move)
    return tuple(out)


def _from_their_hands(moves: list[Moved], session: Session[Any], laid: Mapping[Card, Laid]) -> list[Moved]:
    """The same moves, those of cards that nobody had seen from the hand or pile that the rules tell."""
    if not session.game.hidden_hands:
        return moves
    return [
        move
        if move.card in session.lies
        else replace(move, source=_hidden_source(session, move, laid.get(move.card, _UNKNOWN)))
        for move in moves
    ]


def _hidden_source(session: Session[Any], move: Moved, laid: Laid) -> Place:
    """Where a card came from that nobody had seen: off the pile or from a hand, as its arm showed; else by the rules.

    If from a hand, then from that of the arm that laid it.
    """
    likely = referee.likely_source(session, move.card, move.target)
    if laid.seat is None:
        return likely
    own = Place("hand", laid.seat)
    if laid.from_pile and session.unseen.get(PILE, 0) > 0 and move.target.zone != "select":
        return PILE  # what is chosen was drawn into the hand first
    from_hand = laid.from_pile is False or (likely.zone == "hand" and move.target.seat is None)
    return own if from_hand and session.unseen.get(own, 0) > 0 else likely


def _expected(session: Session[Any]) -> frozenset[tuple[Card, Place, Place]]:
    if session.state is None:
        return frozenset()
    return frozenset((m.card, m.source, m.target) for m in session.game.expected(session.state))


def _under_their_partners(observation: Observation, session: Session[Any]) -> list[Moved]:
    """Captures whose second card is nowhere to be seen: it left the field and must lie under the first."""
    lost: Mapping[Card, SeenCard] = {
        seen.card: seen for seen in observation.cards if seen.card is not None and seen.card in observation.gone
    }
    if not lost or session.state is None or observation.hands:
        return []
    last = next((fact for fact in reversed(session.facts) if isinstance(fact, Moved)), None)
    if last is None or last.target.zone != "captured" or observation.t_s - last.t_s < HIDDEN_S:
        return []
    return [
        Moved(observation.t_s, move.card, move.source, move.target)
        for move in session.game.expected(session.state)
        if move.card in lost and move.target == last.target and move.card.month == last.card.month
        and move.source == session.lies.get(move.card)
    ][:1]  # fmt: skip


def _put_back(observation: Observation, session: Session[Any]) -> tuple[Moved, ...]:
    """Cards that a fault says belong on the draw pile, or into a hidden hand, and that have left the table."""
    clear = not observation.hands and observation.clear_s >= PUT_BACK_S
    least_s = PUT_BACK_S if clear else CARRIED_S
    gone = {card for card, since_s in observation.gone_since if observation.t_s - since_s >= least_s}
    return tuple(
        Moved(observation.t_s, card, session.lies[card], fault.belongs)
        for fault in session.faults
        for card in fault.cards
        if fault.belongs is not None and session.hides(fault.belongs) and card in gone & observation.gone
        and card in session.lies
    )  # fmt: skip


def _plain(observation: Observation) -> list[SeenCard]:
    """Cards that are seen at their places now or were when last in view."""
    return [seen for seen in observation.cards if seen.card not in observation.gone | observation.hidden]
