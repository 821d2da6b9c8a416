"""What the table says: sentences with gaps in Japanese and English, and the names of cards, seats and places."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.cards import Card, Rank
from engine.events import Place, Words
from engine.yamlfile import Section, read

_FILE = Path(__file__).parent / "words.yaml"


def read_words(section: Section) -> Words:
    """The words of a mapping `{en: ..., ja: ...}`. Raises ConfigError naming its place."""
    section.only("en", "ja")
    return Words(section.text("en"), section.text("ja"))


def read_sentences(section: Section) -> dict[str, Words]:
    """All entries of a mapping from keys to words."""
    return {key: read_words(section.section(key)) for key in section.values}


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences by key, each with the same gaps (`{card}`) in both languages."""

    entries: Mapping[str, Words]

    def __call__(self, key: str, **gaps: "Words | str | int") -> Words:
        """The sentence `key` with its gaps filled in either language."""
        words = self.entries[key]
        return Words(words.en.format(**_in("en", gaps)), words.ja.format(**_in("ja", gaps)))

    def changed(self, other: Mapping[str, Words]) -> "Sentences":
        """These sentences with those of a game added or put in place of the common ones."""
        return Sentences({**self.entries, **other})


def _in(language: str, gaps: Mapping[str, "Words | str | int"]) -> dict[str, str]:
    return {key: gap.of(language) if isinstance(gap, Words) else str(gap) for key, gap in gaps.items()}


@cache
def _file() -> Section:
    return read(_FILE)


@cache
def sentences() -> Sentences:
    """The common sentences of all games."""
    return Sentences(read_sentences(_file().section("sentences")))


@cache
def month_name(month: int) -> Words:
    """The plant of a standard month 1–12: Pine / 松."""
    return read_sentences(_file().section("months"))[f"m{month}"]


@cache
def card_name(card: Card) -> Words:
    """A card's name for people, such as Crane / 松に鶴. Chaff of a month share one name."""
    names = _file().section("cards")
    if card.rank is Rank.CHAFF and not names.has(str(card)):
        plant = month_name(card.month)
        return Words(f"{plant.en} chaff", f"{plant.ja}のカス")
    return read_words(names.section(str(card)))


def card_names(cards: Iterable[Card]) -> Words:
    """The names of several cards, joined as each language does."""
    names = [card_name(card) for card in cards]
    return Words(", ".join(n.en for n in names), "、".join(n.ja for n in names))


def month_names(months: Iterable[int]) -> Words:
    """The names of several months' plants."""
    names = [month_name(month) for month in months]
    return Words(", ".join(n.en for n in names), "・".join(n.ja for n in names))


def seat_name(seat: int) -> Words:
    """A seat's name for people, counted from 1."""
    return sentences()("seat", number=seat + 1)


def seat_names(seats: Iterable[int]) -> Words:
    """The names of several seats, joined as each language does."""
    names = [seat_name(seat) for seat in seats]
    return Words(" & ".join(n.en for n in names), "・".join(n.ja for n in names))


@cache
def place_name(place: Place | None) -> Words:
    """A place's name for people: field / 場, Player 1's hand / プレイヤー1の手札; None is the draw pile."""
    zone = read_words(_file().section("zones").section(place.zone if place else "draw"))
    if place is None or place.seat is None:
        return zone
    return sentences()("seat_zone", seat=seat_name(place.seat), zone=zone)
