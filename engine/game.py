"""The contract between a game's rules and everything else: tracker, referee, guidance, simulated players."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from engine.cards import Card
from engine.events import Event, Moved, Place, Tally
from engine.guidance import Guidance

S = TypeVar("S")


class Game(Protocol[S]):
    """Rules of one game with its options bound. All methods are pure; `S` is a frozen, comparable state."""

    @property
    def name(self) -> str:
        """The game's name on the command line, such as `chotto-hana-awase`."""
        ...

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards this game is played with, in standard order."""
        ...

    @property
    def options(self) -> Mapping[str, Any]:
        """Options that differ from their defaults."""
        ...

    def zones(self, seats: int) -> frozenset[Place]:
        """The zones a layout must have for `seats` seats (RULES section 9)."""
        ...

    def deal(self, seats: int) -> Mapping[Place, int]:
        """How many cards lie where when the deal is complete. Raises ConfigError for seats it does not allow."""
        ...

    def start(self, seats: int, dealer: int = 0) -> S:
        """The state before the deal. Raises ConfigError for seats or a dealer the game does not allow."""
        ...

    def to_act(self, state: S) -> frozenset[int]:
        """Seats that may act now: empty when over, one in turn, several when they act at once."""
        ...

    def expected(self, state: S) -> tuple[Moved, ...]:
        """Every physical move that would be legal now (t_s = 0). A card from the draw pile may be any unseen card."""
        ...

    def apply(self, state: S, event: Event) -> S:
        """The state after a legal event. Raises RuleError with a sentence for the players otherwise."""
        ...

    def score(self, state: S) -> tuple[Tally, ...]:
        """The score of each seat, itemised."""
        ...

    def guide(self, state: S) -> Guidance:
        """What to show now. With hidden hands it depends on public cards only."""
        ...
