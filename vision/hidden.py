"""Hands that nobody may look into: what is seen there is dropped before anything is made of it (RULES section 9)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.cards import Card
from engine.events import Dealt, Moved, Place, Signalled
from engine.game import Game
from engine.places import PILE
from engine.referee import Session, expected_signals
from vision.values import Observation, SeenCard

_GIVES_UP = ("reshuffled", "next_round", "redeal")
ANEW_S: Final = 0.5
"""A card seen to be laid this much later than it was told to have been was laid again."""
CLEAR_S: Final = 0.6
"""So long after the last arm has left, a card that is gone has not just been laid somewhere else."""
HELD_S: Final = 2.5
"""Nobody holds a card over the table for longer, to lay it somewhere else."""
_SECRET_S = 0.3
"""All cards chosen must have lain face up for this long before they count as revealed."""


class Curtain:
    """Drops the cards of one game that are nobody's business. A game with open hands has no curtain: nothing drops."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._state: object = None
        self._choosing: frozenset[Place] = frozenset()

    def public(self, observation: Observation, session: Session[Any]) -> Observation:
        """The observation without cards in hands, and without chosen cards until all that are due lie face up.

        Cards that were discarded before the pile was shuffled anew, or in the last round, are dropped too: nobody can
        see whether they still lie beneath.
        """
        if not self._game.hidden_hands:
            return observation
        dropped = frozenset(self.secret(observation, session))
        if not dropped:
            return observation
        return replace(
            observation,
            cards=tuple(seen for seen in observation.cards if seen.card is None or seen.card not in dropped),
            gone=observation.gone - dropped,
            hidden=observation.hidden - dropped,
        )

    def secret(self, observation: Observation, session: Session[Any]) -> Mapping[Card, Place]:
        """The cards that `public` drops, with where they are seen."""
        if not self._game.hidden_hands:
            return {}
        choosing = self._still_choosing(observation, session)
        given_up_s = _given_up_s(session)
        return {
            seen.card: seen.place
            for seen in observation.cards
            if seen.card is not None
            and seen.place is not None
            and (
                seen.place.zone == "hand"
                or (seen.place in choosing and session.lies.get(seen.card) != seen.place)
                or (
                    seen.place.zone == "discard"
                    and seen.since_s <= given_up_s
                    and (session.closed or seen.card not in session.lies)
                )
            )
        }

    def _still_choosing(self, observation: Observation, session: Session[Any]) -> frozenset[Place]:
        """The zones of chosen cards that must not be read yet: until every seat has said so or shows its card."""
        state = session.state
        if state is None:
            return frozenset(p for p in self._game.zones(session.seats) if p.zone == "select")
        if state is not self._state:
            self._state = state
            due = frozenset(m.target for m in self._game.expected(state) if m.target.zone == "select")
            said = {signal.name for signal in self._game.expected_signals(state)}
            self._choosing = due if "selected" in said else frozenset()
        shown = {seen.place for seen in observation.cards if _lies_open(seen, observation)}
        return frozenset() if self._choosing <= shown else self._choosing


def _lies_open(seen: SeenCard, observation: Observation) -> bool:
    known = seen.card is not None and seen.card not in observation.gone | observation.hidden
    return known and observation.t_s - seen.since_s >= _SECRET_S


def _given_up_s(session: Session[Any]) -> float:
    """When the discards were last given up, for a new pile or the next round; before the beginning if never."""
    if session.closed:
        return session.facts[-1].t_s
    return next((f.t_s for f in reversed(session.facts) if isinstance(f, Signalled) and f.name in _GIVES_UP), -1.0)


def renewed_s(session: Session[Any]) -> float:
    """When the draw pile was last made anew, by a deal or from the discards; before the beginning if never."""
    for fact in reversed(session.facts):
        if isinstance(fact, Dealt) or (isinstance(fact, Signalled) and fact.name == "reshuffled"):
            return fact.t_s
    return -1.0


_TOLD_S: Final = 0.3
"""A card lies at least this long before its move is told."""


def drawn_last_s(session: Session[Any]) -> float:
    """When all that fingers did on the draw pile lay on the table, or on the pile again; before all if nothing."""
    for fact in reversed(session.facts):
        if isinstance(fact, Moved) and PILE in (fact.source, fact.target):
            return fact.t_s - (_TOLD_S if fact.source == PILE else 0.0)
    return -1.0


def turned_up_again(observation: Observation, session: Session[Any]) -> tuple[Moved, ...]:
    """Cards that lay among the discards and were laid there anew: all were shuffled, and nobody said so."""
    if session.state is None or "reshuffled" not in {said.name for said in expected_signals(session)}:
        return ()
    laid_s = {fact.card: fact.t_s for fact in session.facts if isinstance(fact, Moved)}
    return tuple(
        Moved(observation.t_s, seen.card, Place("draw"), seen.place)
        for seen in observation.cards
        if seen.card is not None
        and seen.place is not None
        and seen.place.zone == "discard"
        and session.lies.get(seen.card) == seen.place
        and seen.since_s > laid_s.get(seen.card, seen.since_s) + ANEW_S
        and observation.t_s - seen.since_s >= ANEW_S
    )


def returned(observation: Observation, session: Session[Any], gone_s: float) -> tuple[Moved, ...]:
    """A card just played from a hidden hand that has left the table: it has been taken back into that hand.

    `gone_s` is for how long it must have been gone; arms over the table, or just gone, may have carried it elsewhere.
    """
    laid = (fact for fact in reversed(session.facts) if isinstance(fact, Moved) and not session.hides(fact.target))
    last = next(laid, None)
    if last is None or not session.game.hidden_hands or last.source.zone != "hand":
        return ()
    since_s = next((s for card, s in observation.gone_since if card == last.card), None)
    plain = observation.clear_s >= CLEAR_S and not _to_be_taken(session, last)
    if since_s is None or observation.t_s - since_s < (gone_s if plain else HELD_S):
        return ()
    if session.lies.get(last.card) != last.target or last.target.zone not in ("field", "discard"):
        return ()
    return (Moved(observation.t_s, last.card, last.target, last.source),)


def _to_be_taken(session: Session[Any], laid: Moved) -> bool:
    """Whether the card laid last is to be captured: where it is gone it more likely lies under its partner."""
    state = session.state
    expected = () if state is None else session.game.expected(state)
    return any(move.card == laid.card and move.target.zone == "captured" for move in expected)
