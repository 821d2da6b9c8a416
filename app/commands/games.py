"""`hanafuda games [NAME]`: the games there are, or one of them explained."""

import argparse
from typing import Any

from app.output import answer, answer_json
from engine import catalogue
from engine.events import Words
from engine.rulebook import Rulebook
from engine.words import card_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="explain this game")
    parser.add_argument("--language", choices=("en", "ja"), help="one language only")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Lists or explains. Raises ConfigError for a game there is not."""
    if arguments.name is None:
        books = [catalogue.rulebook(name) for name in catalogue.names()]
        if arguments.json:
            answer_json([_short(book) for book in books])
        else:
            for book in books:
                answer(f"{book.name:<20} {_both(book.title, arguments.language)}  {_seats(book)} seats")
        return 0
    book = catalogue.rulebook(arguments.name)
    if arguments.json:
        answer_json(_short(book) | _long(book))
    else:
        answer("\n".join(_page(book, arguments.language)))
    return 0


def _page(book: Rulebook, language: str | None) -> list[str]:
    lines = [_both(book.title, language), ""]
    for tongue in ("ja", "en") if language is None else (language,):
        lines += [f"  {rule.of(tongue)}" for rule in book.rules] + [""]
    cards = len(book.deck)
    lines.append(f"Cards: {cards}")
    for seats, deal in sorted(book.deals.items()):
        rest = cards - seats * deal.hand - deal.field
        lines.append(f"Deal for {seats}: {deal.hand} in each hand, {deal.field} on the field, {rest} to draw")
    lines.append("Points: " + ", ".join(f"{rank} {points}" for rank, points in book.points.items()))
    lines += ["", "Yaku:"]
    for yaku in book.yaku:
        cards_of = card_names(sorted(yaku.cards))
        count = "" if yaku.needed == len(yaku.cards) else f"{yaku.needed} of "
        lines.append(f"  {yaku.value:>3}  {_both(yaku.title, language)}: {count}{_both(cards_of, language)}")
    lines += ["", "Options (--option NAME=VALUE):"]
    for option in book.options:
        allowed = " | ".join(_plain(value) for value in option.allowed)
        lines.append(f"  {option.name}={_plain(option.default)}  ({allowed})  {_both(option.about, language)}")
    return lines


def _short(book: Rulebook) -> dict[str, Any]:
    return {"name": book.name, "title": _words(book.title), "seats": sorted(book.deals)}


def _long(book: Rulebook) -> dict[str, Any]:
    return {
        "rules": [_words(rule) for rule in book.rules],
        "cards": [str(card) for card in book.deck],
        "deals": {seats: {"hand": deal.hand, "field": deal.field} for seats, deal in book.deals.items()},
        "points": dict(book.points),
        "yaku": [
            {
                "id": yaku.id,
                "title": _words(yaku.title),
                "value": yaku.value,
                "needed": yaku.needed,
                "cards": [str(card) for card in sorted(yaku.cards)],
            }
            for yaku in book.yaku
        ],
        "options": [
            {"name": o.name, "default": o.default, "allowed": list(o.allowed), "about": _words(o.about)}
            for o in book.options
        ],
    }


def _seats(book: Rulebook) -> str:
    return ", ".join(str(seats) for seats in sorted(book.deals))


def _words(words: Words) -> dict[str, str]:
    return {"en": words.en, "ja": words.ja}


def _both(words: Words, language: str | None) -> str:
    return f"{words.ja} / {words.en}" if language is None else words.of(language)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
