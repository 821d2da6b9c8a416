"""What an operator may ask for while playing, as values: they come from the window, the keyboard or stdin."""

from dataclasses import dataclass
from enum import Enum

from engine.cards import Card
from engine.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Undo:
    """The last `count` moves did not happen."""

    count: int = 1


@dataclass(frozen=True, slots=True)
class ThatCardIs:
    """The card believed to be `was` is really `now`."""

    was: Card
    now: Card


@dataclass(frozen=True, slots=True)
class SpeakIn:
    """From now on the table speaks `language` (`ja`, `en`, `both`); None: the next one."""

    language: str | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """A player says something that no card shows: by name (and seat from 0), or the spot with this number from 1."""

    name: str | None = None
    seat: int | None = None
    number: int | None = None


class Order(Enum):
    """Orders without an argument."""

    LOOK_AGAIN = "look"
    PAUSE = "pause"
    NEXT_GAME = "next"
    WRONG = "wrong"
    QUIT = "quit"


AnyOrder = Undo | ThatCardIs | SpeakIn | Say | Order

HELP = "undo [N] · card WAS NOW · say NAME [SEAT] · look · wrong · pause · next · language [ja|en|both] · quit"


def parse(text: str) -> AnyOrder:
    """The order of a line such as `undo`, `undo 2`, `card 03-bright 03-ribbon`, `language ja`, `quit`.

    Raises ConfigError that says what can be ordered.
    """
    match text.split():
        case ["undo" | "u"]:
            return Undo()
        case ["undo" | "u", count] if count.isascii() and count.isdigit() and int(count) > 0:
            return Undo(int(count))
        case ["card" | "c", was, now]:
            return ThatCardIs(Card.parse(was), Card.parse(now))
        case ["language" | "l"]:
            return SpeakIn()
        case ["language" | "l", "ja" | "en" | "both" as language]:
            return SpeakIn(language)
        case ["say" | "s", number] if number.isascii() and number.isdigit():
            return Say(number=int(number))
        case ["say" | "s", name]:
            return Say(name)
        case ["say" | "s", name, seat] if seat.isascii() and seat.isdigit():
            return Say(name, int(seat))
        case [word]:
            for order in Order:
                if word in (order.value, order.value[0]):
                    return order
    raise ConfigError(f"{text.strip()!r} is no order; there are: {HELP}")
