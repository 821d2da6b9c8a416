"""`hanafuda read IMAGE…`: names the cards in photographs, from any angle, without calibration."""

import argparse
from pathlib import Path
from typing import Any

from app.output import answer, answer_json, progress
from app.photos import Worth, as_dict, photo_reader, worth_of
from app.wrong_photo import is_report, report_photo, reported
from engine import catalogue
from engine.errors import ConfigError
from engine.game import Game
from engine.words import card_name
from vision.picture import load_image
from vision.still import Look, PhotoReader, Reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    add = parser.add_argument
    add("image", type=Path, nargs="+", metavar="IMAGE", help="photographs, or folders that --report wrote")
    add("--deck", metavar="NAME", help="the deck in the picture (default: the enrolled one, else any traditional deck)")
    add("--decks", type=Path, action="append", default=[], metavar="DIR", help="also look for decks in DIR")
    add("--game", metavar="GAME", help="also say what the cards are worth, as if they were one player's")
    add(
        "--report",
        type=Path,
        metavar="DIR",
        help="save picture, what was believed and why in a folder in DIR",
    )
    add("--json", action="store_true", help="answer as JSON, one object a line for each image")


def run(arguments: argparse.Namespace) -> int:
    """Reads. A file that is no picture is named and the others are read; then the exit code is 2.

    Raises ConfigError for what is no deck or no game.
    """
    game = None if arguments.game is None else catalogue.load(arguments.game)
    usual = photo_reader(arguments.deck, arguments.decks)
    code = 0
    for path in arguments.image:
        try:
            picture, reader = path, usual
            if is_report(path):
                picture, deck = reported(path)
                reader = usual if arguments.deck is not None or not deck else photo_reader(deck, arguments.decks)
            image = load_image(picture)
        except ConfigError as error:
            progress(f"hanafuda: {error}")
            code = 2
            continue
        known = reader if isinstance(reader, PhotoReader) else None
        look = Look(reader.read(image)) if known is None else known.look(image)
        worth = None if game is None else worth_of(look.readings, game)
        if arguments.json:
            answer_json(as_dict(path, look.readings, worth))
        else:
            answer("\n".join(_lines(path, look.readings, game, worth)))
        if arguments.report is not None:
            folder = report_photo(arguments.report, path, image, look, "" if known is None else known.deck.name)
            progress(f"reported: {folder}")
    return code


def _lines(path: Path, readings: tuple[Reading, ...], game: Game[Any] | None, worth: Worth | None) -> list[str]:
    lines = [f"{path}: {len(readings) or 'no'} card{'' if len(readings) == 1 else 's'}"]
    for reading in readings:
        others = ", ".join(f"{card} {probability:.2f}" for card, probability in reading.alternatives[:2])
        centre = [sum(axis) / len(reading.corners_px) for axis in zip(*reading.corners_px, strict=True)]
        where = f"at {centre[0]:.0f}, {centre[1]:.0f}"
        name = card_name(reading.card)
        doubt = f"  (or {others})" if others and reading.confidence < 0.9 else ""
        lines.append(f"  {reading.confidence:4.2f}  {reading.card!s:<11} {name.ja} / {name.en}, {where}{doubt}")
    if game is not None and worth is not None:
        titles = {yaku.id: yaku.title.en for yaku in game.book.yaku}
        yaku = "".join(f" + {titles[y.id]} {y.value}" for y in worth.tally.yaku)
        lines.append(f"  worth {worth.tally.points}{yaku} = {worth.tally.total} in {game.book.title.en}")
        if worth.left_out:
            lines.append(f"  not in that game: {', '.join(str(card) for card in worth.left_out)}")
        if not worth.counts:
            lines.append("  (nothing is captured in that game: these are the bare values of the cards)")
    return lines
