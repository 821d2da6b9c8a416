"""The contract between a game's rules and everything else: tracker, referee, guidance, simulated players."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from engine.cards import Card
from engine.errors import RuleError
from engine.events import Event, Fault, Moved, Place, Signalled, Tally, Words
from engine.guidance import Guidance
from engine.rulebook import Rulebook

S = TypeVar("S")


class FaultError(RuleError):
    """A RuleError that also says which `cards` are wrong, where they belong and whose mistake it is.

    `belongs` is None where no one place is right.
    """

    def __init__(
        self, code: str, words: Words, cards: tuple[Card, ...], belongs: Place | None = None, seat: int | None = None
    ) -> None:
        super().__init__(code, words.en, words.ja)
        self.words = words
        self.cards = cards
        self.belongs = belongs
        self.seat = seat


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

    @property
    def book(self) -> Rulebook:
        """What the game's YAML says, options bound: title, rules, deals, points, yaku, sentences."""
        ...

    @property
    def hidden_hands(self) -> bool:
        """Whether hand cards are hidden: then states hold their counts and nothing shown may depend on them."""
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
        """Seats that may act now: empty when a round is over, one in turn, several when they act at once."""
        ...

    def expected(self, state: S) -> tuple[Moved, ...]:
        """Every physical move that would be legal now (t_s = 0). A card from the draw pile may be any unseen card."""
        ...

    def expected_signals(self, state: S) -> tuple[Signalled, ...]:
        """Everything a player may say now that no card shows (t_s = 0); empty in games that need no words."""
        ...

    def apply(self, state: S, event: Event) -> S:
        """The state after a legal event. Raises RuleError with a sentence for the players otherwise."""
        ...

    def over(self, state: S) -> bool:
        """Whether the game is over: its only round, or the last of a series."""
        ...

    def score(self, state: S) -> tuple[Tally, ...]:
        """The score of each seat, itemised."""
        ...

    def guide(self, state: S) -> Guidance:
        """What to show now. With hidden hands it depends on public cards only."""
        ...

    def places(self, state: S) -> Mapping[Card, Place]:
        """Where each card lies by the rules. Cards of the draw pile and of hidden hands are absent."""
        ...

    def unseen(self, state: S) -> Mapping[Place, int]:
        """How many cards lie where nobody can see them by the rules: the draw pile and hidden hands."""
        ...

    def choices(self, state: S) -> tuple[Card, ...]:
        """Field cards among which the seat to act must choose one now; empty where there is nothing to choose."""
        ...

    def adopt(self, state: S, lies: Mapping[Card, Place], unseen: Mapping[Place, int], move: Moved | None) -> S | None:
        """The table taken as it lies, whatever led to it: the state after `move` made from there by its seat.

        `unseen` counts the cards that nobody can see (draw pile, hidden hands). None where `move` breaks a rule even
        then. Without `move`: nothing pending, and over if no card is left to play.
        """
        ...

    def provisional(self, state: S) -> bool:
        """Whether the last move makes sense only with one not seen yet (a field card taken before its partner came)."""
        ...

    def put(self, state: S, move: Moved) -> S:
        """The state with one card simply lying elsewhere, nothing else changed: a repair seen from a later point."""
        ...

    def misdeal(self, lies: Mapping[Card, Place]) -> Fault | None:
        """Why a deal that lies so must be dealt again (t_s = 0), or None."""
        ...

    def next_dealer(self, state: S) -> int:
        """Who begins the next game."""
        ...
