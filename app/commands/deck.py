"""`hanafuda deck add | list | test`: enrols a deck from pictures, lists decks, tests if cards can be told apart."""

import argparse
from pathlib import Path

from app.output import answer, answer_json, progress
from engine.errors import ConfigError
from engine.words import card_name
from vision.deck import BUILT_IN, Deck, find_deck, hanafuda_home, load_deck
from vision.enrol import SelfTest, add_deck, self_test


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    actions = parser.add_subparsers(metavar="ACTION", required=True, dest="action")
    adding = actions.add_parser("add", help="enrol a deck from a folder of pictures, then test it", allow_abbrev=False)
    adding.add_argument("name", metavar="NAME", help="what to call it")
    adding.add_argument("folder", type=Path, metavar="FOLDER", help="deck.yaml and 01-bright.png … 12-chaff-3.png")
    adding.add_argument("--replace", action="store_true", help="replace a deck of that name")
    listing = actions.add_parser("list", help="the decks there are", allow_abbrev=False)
    testing = actions.add_parser("test", help="read every card of a deck back", allow_abbrev=False)
    testing.add_argument("name", metavar="NAME", help="an enrolled or built-in deck, or a folder")
    testing.add_argument("--decks", type=Path, action="append", default=[], metavar="DIR", help="also look in DIR")
    for action in (adding, listing, testing):
        action.add_argument("--json", action="store_true", help="answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Enrols, lists or tests. 1 where a deck's cards cannot be told apart well enough."""
    match arguments.action:
        case "add":
            deck = add_deck(arguments.name, arguments.folder, hanafuda_home(), arguments.replace)
            progress(f"enrolled as {arguments.name}: {deck.folder}; testing it")
            return _test(deck, arguments.json)
        case "test":
            return _test(load_deck(find_deck(arguments.name, None, arguments.decks)), arguments.json)
        case _:
            return _list(arguments.json)


def _test(deck: Deck, as_json: bool) -> int:
    test = self_test(deck)
    if as_json:
        answer_json({"deck": deck.name, "folder": str(deck.folder), **test.as_dict()})
    else:
        answer("\n".join(_lines(deck, test)))
    return 0 if test.passed else 1


def _lines(deck: Deck, test: SelfTest) -> list[str]:
    lines = [
        f"{deck.name}: {test.right} of {test.readings} readings right (month and kind), "
        f"{test.exact} the very card, {test.unsure} unsure"
    ]
    for card, taken in sorted(test.wrong.items()):
        lines.append(f"  {card} ({card_name(card).en}) was taken for {', '.join(str(c or 'a back') for c in taken)}")
    for pair in test.alike:
        lines.append(f"  alike: {pair.first} and {pair.second} ({pair.likeness:.2f})")
    lines.append("its cards can be told apart" if test.passed else "its cards cannot be told apart well enough")
    return lines


def _list(as_json: bool) -> int:
    rows = []
    for kind, root in (("enrolled", hanafuda_home() / "decks"), ("built in", BUILT_IN)):
        for path in sorted(root.glob("*/deck.yaml")):
            rows.append(_row(kind, path.parent))
    if as_json:
        answer_json(rows)
    for row in () if as_json else rows:
        answer(f"{row['name']:<24} {row['kind']:<9} {row['problem'] or row['title']}")
    return 0


def _row(kind: str, folder: Path) -> dict[str, str]:
    row = {"name": folder.name, "kind": kind, "folder": str(folder), "title": "", "licence": "", "problem": ""}
    try:
        deck = load_deck(folder)
    except ConfigError as error:
        return row | {"problem": str(error)}
    return row | {"title": f"{deck.title.ja} / {deck.title.en}", "licence": deck.licence}
