"""Answers to cases about the fishing games and about cards, yaku and payments."""

from collections import Counter
from random import Random
from typing import Any, Final

from engine.cards import Card
from engine.cases.case import CATALOGUE, Answer, Case, card_at, cards_of
from engine.catalogue import load
from engine.chance import random_deal
from engine.dealer import order_of
from engine.errors import RuleError
from engine.events import Moved, Place, Tally
from engine.game import Game
from engine.payments import best_of, settle
from engine.places import FIELD, PILE
from engine.series import Drawing
from engine.yaku import card_points, tally, winners

HAND: Final = Place("hand", 0)
CAPTURED: Final = Place("captured", 0)
_DECKS: Final = {"32": "chotto-hana-awase", "45": "hiyoko", "46": "isuri", "48": "oyohen"}


def _count(case: Case) -> Any:
    book = load(_DECKS[str(case.given.get("deck"))]).book
    ranks = Counter(card.rank.value for card in book.deck)
    return {"cards": len(book.deck), **ranks, "points": card_points(book.deck, book.points)}


def _points(case: Case) -> Any:
    chaff = case.given.integer("chaff_value", default=1)
    game = load("hana-awase", {"chaff_value": chaff}) if case.game == CATALOGUE else case.load()
    return card_points(case.cards("cards"), game.book.points)


def _deal(case: Case) -> Any:
    deal = case.load().deal(case.given.integer("players"))
    shown = deal.get(FIELD, deal.get(Place("discard"), 0))
    return {"hand": deal[HAND], "field": shown, "discard": shown, "upcard": shown, "draw_pile": deal[PILE]}


def _misdeal(case: Case) -> Any:
    lies = dict.fromkeys(case.cards("field"), FIELD) | dict.fromkeys(case.cards("hand"), HAND)
    return case.load().misdeal(lies) is not None


def _yaku(case: Case) -> Any:
    made = _valued(case)
    return {"yaku": {y.id: y.value for y in made.yaku}, "total": sum(y.value for y in made.yaku)}


def _score_additive(case: Case) -> Any:
    made = _valued(case)
    return made.points + sum(y.value for y in made.yaku)


def _valued(case: Case) -> Tally:
    """The cards as one player's."""
    game, cards = case.load(), frozenset(case.cards("cards"))
    if game.name == "hana-awase":
        return settle(game.book, (cards, frozenset(), frozenset()), range(3), final=False)[0]
    return tally(cards, game.book.points, game.book.yaku)


def _play(case: Case) -> Any:
    """A card played from the hand of the seat in turn onto a field with these cards."""
    game, card, field = case.load(), case.card("card"), case.cards("field")
    state = _table(game, card, field)
    try:
        state = game.apply(state, Moved(0.0, card, HAND, FIELD))
        if not _takes(game, state):
            return {"kind": "place", "captured": (), "field": (*field, card)}
        choices = game.choices(state)
        chosen = (case.card("choice"),) if case.given.has("choice") else ()
        if choices and not chosen:
            return {"kind": "choose", "candidates": choices}
        for taken in chosen:
            state = game.apply(state, Moved(0.0, taken, FIELD, CAPTURED))
        while takes := _takes(game, state):
            state = game.apply(state, takes[0])
    except RuleError as problem:
        return {"kind": "illegal", "why": problem.en}
    lies = game.places(state)
    captured = [c for c, place in lies.items() if place == CAPTURED]
    return {"kind": "capture", "captured": captured, "field": [c for c, place in lies.items() if place == FIELD]}


def _table(game: Game[Any], card: Card, field: tuple[Card, ...]) -> Any:
    """A state in which the first seat holds one card, the field is as given, and the rest is in the pile."""
    dealt = game.apply(game.start(2), random_deal(game, 2, Random(0)))
    lies = dict.fromkeys(field, FIELD) | ({} if game.hidden_hands else {card: HAND})
    unseen = {PILE: len(game.deck) - len(field) - 1, HAND: int(game.hidden_hands)}
    return game.adopt(dealt, lies, unseen, None)


def _takes(game: Game[Any], state: Any) -> list[Moved]:
    """Moves that go on with the capture for the card just played; none once play can go on."""
    moves = game.expected(state)
    if any(move.source not in (FIELD, CAPTURED) for move in moves):
        return []
    return [move for move in moves if move.source == FIELD]


def _dealer_draw(case: Case) -> Any:
    drawn = case.given.section("draws")
    names = list(drawn.values)
    how: Drawing = getattr(case.load(), "drawing", None) or Drawing()
    draws = {seat: card_at(drawn, name) for seat, name in enumerate(names)}
    groups = [[names[seat] for seat in g] for g in order_of(draws, how.months, how.by_rank, how.latest)]
    return {"order": [g if len(g) > 1 else g[0] for g in groups], "redraw": [g for g in groups if len(g) > 1]}


def _next_dealer(case: Case) -> Any:
    order = case.given.items("turn_order")
    if case.game != "hana-awase":
        return order[1]  # the first player goes round
    scores = case.given.section("scores")
    return best_of(order, {name: scores.integer(name) for name in order})


def _zero_sum(case: Case) -> Any:
    """What a round brings each player; the first in turn order is the dealer."""
    order, captured = case.given.items("turn_order"), case.given.section("captured")
    piles = [frozenset(cards_of(captured, name)) for name in order]
    claims = [(str(name), order.index(who)) for who, name in _claims(case).items()]
    found = settle(case.load().book, piles, range(len(order)), claims)
    return {name: tally.total for name, tally in zip(order, found, strict=True)}


def _claims(case: Case) -> dict[str, Any]:
    claims = case.given.optional_section("claims")
    return {} if claims is None else dict(claims.values)


def _winner(case: Case) -> Any:
    scores = case.given.section("scores")
    names = list(scores.values)
    return [names[seat] for seat in winners(Tally(0, (), scores.integer(name)) for name in names)]


ANSWERS: Final[dict[str, Answer]] = {
    "count": _count,
    "points": _points,
    "deal": _deal,
    "misdeal": _misdeal,
    "play": _play,
    "yaku": _yaku,
    "score_additive": _score_additive,
    "dealer_draw": _dealer_draw,
    "next_dealer": _next_dealer,
    "zero_sum": _zero_sum,
    "winner": _winner,
}
