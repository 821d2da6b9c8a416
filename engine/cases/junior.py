"""Answers to cases about Junior's Chotto."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any, Final

from engine.cards import Card
from engine.cases.case import Answer, Case, card_at, cards_of
from engine.chance import random_deal
from engine.events import Moved, Place
from engine.junior_state import JuniorState, Phase
from engine.places import FIELD, PILE, REMOVED, captured, hand, select
from engine.reveal import Group, Outcome


def _length(case: Case) -> Any:
    """How many sequences a round has, counted by playing one."""
    game, seats, chance = case.load(), case.given.integer("players"), Random(0)
    state = game.apply(game.start(seats), random_deal(game, seats, chance))
    piles, played = [game.unseen(state)[PILE]], 0
    while game.to_act(state):
        move = chance.choice(game.expected(state))
        after = game.apply(state, move)
        played += move.source.zone == "hand"
        if game.unseen(after)[PILE] != piles[-1] or len(game.to_act(after)) > len(game.to_act(state)):
            piles.append(game.unseen(after)[PILE])
        state = after
    drawn = sum(one > other for one, other in pairwise(piles))
    sequences = played // seats - 1  # but for the opening
    return {
        "sequences_with_draw": drawn,
        "sequences_without_draw": sequences - drawn,
        "cards_per_player": played // seats,
    }


def _opening(case: Case) -> Any:
    game = _round(case)
    start = game.start(len(_names(case)))
    return _resolved(case, game, game.apply(start, random_deal(game, start.seats, Random(0))), {})


def _resolve(case: Case) -> Any:
    game, seats = _round(case), len(_names(case))
    dealt = game.apply(game.start(seats), random_deal(game, seats, Random(0)))
    state = game.adopt(dealt, dict.fromkeys(case.cards("field"), FIELD), {}, None)
    choices = case.given.optional_section("choices")
    chosen = {} if choices is None else {name: card_at(choices, name) for name in choices.values}
    return _resolved(case, game, state, chosen)


def _resolved(case: Case, game: Any, state: JuniorState, chosen: Mapping[str, Card]) -> Any:
    """All cards revealed and moved where they belong; or who must choose first, and from what."""
    names, plays = _names(case), case.given.section("plays")
    for seat, name in enumerate(names):
        state = game.apply(state, Moved(0.0, card_at(plays, name), hand(seat), select(seat)))
    groups = state.unsettled(game.book.settings)
    asked = [group for group in groups if len({_faces(outcome) for outcome in group.outcomes}) > 1]
    asks = {names[seat]: g.field for g in asked for seat, _ in g.revealed if names[seat] not in chosen}
    if asks:
        return {"ask": asks}
    ends = [_chosen_outcome(group, {names.index(name): card for name, card in chosen.items()}) for group in groups]
    for group, outcome in zip(groups, ends, strict=True):
        for card, place in outcome.items():
            if place != group.origins[card]:
                state = game.apply(state, Moved(0.0, card, group.origins[card], place))
    return {
        "captured": {name: state.captured[seat] for seat, name in enumerate(names)},
        "field": state.field,
        "removed": state.removed,
    }


def _faces(outcome: Outcome) -> frozenset[tuple[str, Place]]:
    return frozenset((card.face, place) for card, place in outcome.items())


def _chosen_outcome(group: Group, chosen: Mapping[int, Card]) -> Outcome:
    """The outcome in which every seat gets what it chose; where that cannot be, all are out."""
    mine = [(chosen[seat], captured(seat)) for seat, _ in group.revealed if seat in chosen]
    fits = [outcome for outcome in group.outcomes if all(outcome.get(card) == place for card, place in mine)]
    return (fits or [outcome for outcome in group.outcomes if REMOVED in outcome.values()])[0]


def _score(case: Case) -> Any:
    piles = case.given.section("captured")
    names, game = list(piles.values), _round(case)
    held = tuple(frozenset(cards_of(piles, name)) for name in names)
    scores = game.score(replace(game.start(len(names)), captured=held, phase=Phase.OVER))
    return {name: tally.total for name, tally in zip(names, scores, strict=True)}


def _names(case: Case) -> list[str]:
    return list(case.given.section("plays").values)


def _round(case: Case) -> Any:
    """The game of one round."""
    series: Any = case.load()
    return series.game


ANSWERS: Final[dict[str, Answer]] = {
    "junior_length": _length,
    "junior_opening": _opening,
    "junior_resolve": _resolve,
    "junior_score": _score,
}
