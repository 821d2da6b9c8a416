"""A session's facts changed by hand: moves that did not happen, a card that was another one."""

from dataclasses import replace

from engine.cards import Card
from engine.events import Dealt, Event, Moved, Signalled


def undone(facts: tuple[Event, ...], count: int) -> tuple[Event, ...]:
    """The facts without the last `count` moves and signals; the last deal stays."""
    for _ in range(count):
        last = next((i for i in range(len(facts) - 1, 0, -1) if isinstance(facts[i], Moved | Signalled | Dealt)), 0)
        if not isinstance(facts[last], Moved | Signalled):
            break
        facts = facts[:last] + facts[last + 1 :]
    return facts


def swapped(facts: tuple[Event, ...], one: Card, other: Card) -> tuple[Event, ...]:
    """The facts with two cards exchanged for each other, from this round's deal on: each deal is read anew."""
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

    first = next((i for i in range(len(facts) - 1, -1, -1) if isinstance(facts[i], Dealt)), 0)
    return facts[:first] + tuple(corrected(fact) for fact in facts[first:])
