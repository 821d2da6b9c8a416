"""`hanafuda deck add | learn | list | test`: enrols decks from pictures or a camera, tests if cards are told apart."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2

from app.deck_lessons import Ask, Eye, Files, LiveCamera, SimulatedCamera, ask_doubtful, look_at_all, parse_told
from app.learning import Learning, enrol, known_decks, looks_like_scan, sheet
from app.output import answer, answer_json, progress
from engine.errors import ConfigError
from engine.words import card_name
from vision.capture import open_camera
from vision.deck import BUILT_IN, Deck, find_deck, hanafuda_home, load_deck
from vision.enrol import SelfTest, add_deck, self_test
from vision.picture import load_image
from vision.spread import face_of, find_spread

_CAMERA_PX: Final = (1920, 1080)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    actions = parser.add_subparsers(metavar="ACTION", required=True, dest="action")
    adding = actions.add_parser("add", help="enrol a deck from pictures, then test it", allow_abbrev=False)
    adding.add_argument("name", metavar="NAME", help="what to call it")
    adding.add_argument(
        "folder",
        type=Path,
        nargs="+",
        metavar="FOLDER|PICTURE",
        help="a deck (deck.yaml and 01-bright.png … 12-chaff-3.png), scans of any name, or photographs of many cards",
    )
    learning = actions.add_parser("learn", help="enrol a deck from a camera, guided, then test it", allow_abbrev=False)
    learning.add_argument("name", metavar="NAME", help="what to call it")
    source = learning.add_mutually_exclusive_group()
    source.add_argument("--camera", metavar="ID", help="the camera: a number or a device's name (default 0)")
    source.add_argument("--images", type=Path, nargs="+", metavar="FOLDER|PICTURE", help="pictures instead of a camera")
    source.add_argument(
        "--simulated", nargs="?", const="tsuki", metavar="DECK", help="somebody spreads DECK, simulated"
    )
    learning.add_argument("--seed", type=int, default=1, metavar="N", help="simulated: how it is shuffled (default 1)")
    listing = actions.add_parser("list", help="the decks there are", allow_abbrev=False)
    testing = actions.add_parser("test", help="read every card of a deck back", allow_abbrev=False)
    testing.add_argument("name", metavar="NAME", help="an enrolled or built-in deck, or a folder")
    for action in (learning, testing):
        action.add_argument("--decks", type=Path, action="append", default=[], metavar="DIR", help="also look in DIR")
    for action in (adding, learning):
        add = action.add_argument
        add("--replace", action="store_true", help="replace a deck of that name")
        add("--title", default="", metavar="TEXT", help="what people call it")
        add("--licence", default="", metavar="TEXT", help="under which licence its pictures are")
        add("--card-mm", type=_size, default=(33.0, 54.0), metavar="WxH", help="size of a card (default 33x54)")
        add("--back", type=Path, metavar="PICTURE", help="a picture of a card's back")
        add(
            "--is",
            dest="told",
            action="append",
            default=[],
            metavar="N=CARD",
            help="card N of the sheet is CARD (or none)",
        )
        add("--trust", action="store_true", help="ask nothing: take the likeliest card where in doubt")
        add("--sheet", type=Path, metavar="OUT.png", help="where the numbered sheet of all cards goes")
    for action in (adding, learning, listing, testing):
        action.add_argument("--json", action="store_true", help="answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Enrols, learns, lists or tests. 1 where cards cannot be told apart well enough, or doubt was left."""
    match arguments.action:
        case "add" if len(arguments.folder) == 1 and (arguments.folder[0] / "deck.yaml").is_file():
            deck = add_deck(arguments.name, arguments.folder[0], hanafuda_home(), arguments.replace)
            progress(f"enrolled as {arguments.name}: {deck.folder}; testing it")
            return _test(deck, arguments.json)
        case "add":
            for path in arguments.folder:
                if path.is_dir() and not any(path.iterdir()):
                    raise ConfigError(f"{path} is no deck: it has no deck.yaml, nor any picture")
            return _learn(arguments, Files(arguments.folder), _nobody if not sys.stdin.isatty() else _asked)
        case "learn":
            return _from_camera(arguments)
        case "test":
            return _test(load_deck(find_deck(arguments.name, None, arguments.decks)), arguments.json)
        case _:
            return _list(arguments.json)


def _from_camera(arguments: argparse.Namespace) -> int:
    """Learns from what was named: pictures, the simulated camera, else a live one."""
    ask = _asked if sys.stdin.isatty() else _nobody
    if arguments.images is not None:
        return _learn(arguments, Files(arguments.images), ask)
    if arguments.simulated is not None:
        deck = load_deck(find_deck(arguments.simulated, None, arguments.decks))
        return _learn(arguments, SimulatedCamera(deck, arguments.seed), ask)
    camera = open_camera(arguments.camera or 0, _CAMERA_PX)
    try:
        for complaint in camera.complaints:
            progress(complaint)
        return _learn(arguments, LiveCamera(lambda: camera.read().image, _asked), _asked)
    finally:
        camera.close()


def _learn(arguments: argparse.Namespace, eye: Eye, ask: Ask) -> int:
    """Looks, asks, enrols, tests. 1 where doubt was left and nobody to ask: then nothing is enrolled."""
    learning = look_at_all(Learning(known_decks(), arguments.card_mm), eye, progress)
    if not learning.seen:
        raise ConfigError("no card was found; lay them side by side on a plain table, none over another")
    for text in arguments.told:
        learning = learning.told(*parse_told(text))
    if arguments.back is not None:
        learning = _with_back(learning, arguments.back)
    elif learning.back_seen is not None:
        index = learning.back_seen
        progress(f"card {index + 1} is taken for the back (--is {index + 1}=none: it is not)")
        learning = replace(learning.told(index + 1, None), back=learning.seen[index].face)
    path: Path = arguments.sheet or hanafuda_home() / "learning" / f"{arguments.name}.png"
    if learning.doubtful and not arguments.trust:
        _save(learning, path)
        progress(f"{len(learning.doubtful)} of {len(learning.seen)} cards are doubtful; they are red on {path}")
        learning = ask_doubtful(learning, ask, progress)
    _save(learning, path)
    progress(f"what each card was taken for: {path}; --is 7=03-ribbon, with --replace, puts one right")
    if learning.doubtful and not arguments.trust:
        numbers = " ".join(f"--is {i + 1}={learning.names[i].card or 'none'}" for i in learning.doubtful)
        progress(f"nothing is enrolled yet: say which they are ({numbers}), or --trust these")
        if arguments.json:
            answer_json({"enrolled": False, "sheet": str(path), "doubtful": _doubts(learning)})
        return 1
    if learning.left:
        progress(f"{len(learning.left)} of {len(learning.seen)} things seen are none of the 48 and are left out")
    deck = enrol(learning, arguments.name, hanafuda_home(), arguments.title, arguments.licence, arguments.replace)
    progress(f"enrolled as {arguments.name}: {deck.folder}; testing it")
    return _test(deck, arguments.json)


def _doubts(learning: Learning) -> list[dict[str, object]]:
    return [
        {"number": i + 1, "picture": learning.seen[i].picture, "choices": [str(c) for c in learning.names[i].choices]}
        for i in learning.doubtful
    ]


def _with_back(learning: Learning, path: Path) -> Learning:
    """`learning` with the back that a picture shows: the card in it that is surest, else all of the picture."""
    image = load_image(path)
    scan = looks_like_scan(image, learning.card_mm)
    best = None if scan else max(find_spread(image, learning.card_mm), key=lambda card: card.probability, default=None)
    if best is None and not scan:
        raise ConfigError(f"{path} shows no card by itself; cut the picture to the card's edge")
    return replace(learning, back=image if best is None else face_of(image, best, learning.card_mm))


def _save(learning: Learning, path: Path) -> None:
    if path.parent == hanafuda_home() / "learning":
        path.parent.mkdir(parents=True, exist_ok=True)
    if not path.parent.is_dir() or not cv2.imwrite(str(path), sheet(learning)):
        raise ConfigError(f"{path}: the sheet cannot be written there")


def _asked(text: str) -> str | None:
    """The answer typed; None at the end of the input."""
    progress(text)
    line = sys.stdin.readline()
    return line.strip() if line else None


def _nobody(_: str) -> str | None:
    return None


def _size(text: str) -> tuple[float, float]:
    width, _, height = text.partition("x")
    size = float(width), float(height)
    if not 10 <= size[0] < size[1] <= 300:
        raise ValueError(text)
    return size


_size.__name__ = "size (such as 33x54)"


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
    if test.twins:
        pairs = ", ".join(f"{pair.first} and {pair.second}" for pair in test.twins)
        lines.append(f"  alike to the eye, and the same in every rule: {pairs}")
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
