"""A game as it stands at the table, as a value, and what can be asked of it without changing it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from engine.cards import Card
from engine.events import Event, Fault, Place, Signalled, Words
from engine.game import Game
from engine.places import PILE
from engine.reconcile import Reading

S = TypeVar("S")

REDEAL: Final = "redeal"
"""The signal that this round is dealt again."""


@dataclass(frozen=True, slots=True)
class Session(Generic[S]):
    """A game as it stands: the facts believed, where every known card lies, and how the rules read it.

    `facts` are Started, Dealt, Moved and Signalled with corrections worked in. `lies` holds face-up cards only;
    `unseen` counts the cards of the draw pile and of hidden hands. `base` is the state before this round's deal,
    `refused` the fault of a deal that cannot be played, `closed` whether the round is over and its table given up.
    """

    game: Game[S]
    seats: int
    dealer: int
    options: Mapping[str, Any]
    facts: tuple[Event, ...]
    lies: Mapping[Card, Place]
    unseen: Mapping[Place, int]
    base: S
    readings: tuple[Reading[S], ...] = ()
    refused: Fault | None = None
    closed: bool = False

    @property
    def state(self) -> S | None:
        """The state of the game to show and to expect moves from; None before a playable deal."""
        return self.readings[-1].state if self.readings else None

    @property
    def ended(self) -> bool:
        """Whether the game is over; in a series, its last round."""
        return self.closed and bool(self.readings) and self.game.over(self.readings[-1].state)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults that stand, the latest last."""
        standing = tuple(fault for reading in self.readings for _, fault in reading.faults)
        return standing if self.refused is None else (self.refused, *standing)

    @property
    def fault(self) -> Fault | None:
        """The latest fault that stands, or None."""
        return self.faults[-1] if self.faults else None

    def hides(self, place: Place) -> bool:
        """Whether cards that lie there are counted, not known."""
        return place == PILE or (place.zone == "hand" and self.game.hidden_hands)


def expected_signals(session: Session[S]) -> tuple[Signalled, ...]:
    """What players may say now that no card shows (t_s = 0): what the game expects, and to deal a misdeal again."""
    if session.refused is not None:
        return (Signalled(0.0, REDEAL, session.dealer),)
    state = session.state
    return session.game.expected_signals(session.base if state is None else state)


def likely_source(session: Session[S], card: Card, target: Place) -> Place:
    """Where a card that has come to rest at `target` came from, as far as the rules can tell.

    Where it lay, if that is known; else the hand or pile that the rules expect it from; else a hand that may act.
    """
    here, state = session.lies.get(card), session.state
    if here is not None or state is None:
        return here or PILE
    expected = session.game.expected(state)
    hidden = [move for move in expected if session.hides(move.source)]
    exact = [move.source for move in hidden if (move.card, move.target) == (card, target)]
    if exact:
        return exact[0]
    own = Place("hand", target.seat)
    if target.seat is not None and session.unseen.get(own, 0) > 0:
        return own
    return hidden[0].source if hidden else PILE


def signal_words(session: Session[S], signal: Signalled) -> Words:
    """What to write where a player can say it: `Pass`, `Next round`."""
    return session.game.book.say(f"signal_{signal.name}")
