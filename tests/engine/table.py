"""Builders for the engine's tests: cards, places, moves and tables from short texts."""

from collections.abc import Iterable
from typing import Any

from engine.cards import Card
from engine.catalogue import load
from engine.events import Dealt, Event, Moved, Place
from engine.game import Game
from engine.referee import Session, advance, begin

CHOTTO = load("chotto-hana-awase")
FIELD = "01-bright 03-bright 03-chaff-1 06-chaff-1 08-animal 10-animal 10-chaff-1 10-chaff-2"
HANDS = (
    "01-ribbon 02-ribbon 03-ribbon 07-chaff-1 09-ribbon 10-ribbon",
    "01-chaff-1 02-chaff-1 06-ribbon 07-animal 08-chaff-1 09-chaff-1",
)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(part) for part in text.split())


def place(text: str) -> Place:
    zone, _, seat = text.partition("-")
    return Place(zone, int(seat) if seat else None)


def move(text: str, t_s: float = 1.0) -> Moved:
    """`03-ribbon hand-0 field`."""
    card, source, target = text.split()
    return Moved(t_s, Card.parse(card), place(source), place(target))


def deal(field: str = FIELD, hands: Iterable[str] = HANDS, draw: int = 12) -> Dealt:
    return Dealt(0.0, cards(field), tuple(cards(hand) for hand in hands), draw)


def dealt(game: Game[Any] = CHOTTO, dealer: int = 0, event: Dealt | None = None) -> Session[Any]:
    event = event or deal()
    return advance(begin(game, len(event.hands), dealer), event)[0]


def play(session: Session[Any], *moves: str) -> tuple[Session[Any], tuple[Event, ...]]:
    """The session after moves given as texts, one a second, and all that followed from them."""
    events: list[Event] = []
    for text in moves:
        session, follow = advance(session, move(text, float(len(session.facts))))
        events += follow
    return session, tuple(events)
