"""`hanafuda read IMAGE…`: names the cards in photographs, from any angle, without calibration."""

import argparse
from pathlib import Path

from app.output import answer, answer_json
from app.photos import as_dict, photo_deck, score_of
from engine import catalogue
from engine.events import Tally
from engine.words import card_name
from vision.picture import load_image
from vision.still import PhotoReader, Reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    add = parser.add_argument
    add("image", type=Path, nargs="+", metavar="IMAGE", help="photographs")
    add("--deck", metavar="NAME", help="the deck in the picture (default: the enrolled one, else the built-in one)")
    add("--decks", type=Path, action="append", default=[], metavar="DIR", help="also look for decks in DIR")
    add("--game", metavar="GAME", help="also say what the cards are worth, as if they were one player's")
    add("--json", action="store_true", help="answer as JSON, one object a line for each image")


def run(arguments: argparse.Namespace) -> int:
    """Reads. Raises ConfigError for what is no picture, no deck or no game."""
    game = None if arguments.game is None else catalogue.load(arguments.game)
    reader = PhotoReader(photo_deck(arguments.deck, arguments.decks))
    for path in arguments.image:
        readings = reader.read(load_image(path))
        score = None if game is None else score_of(readings, game)
        if arguments.json:
            answer_json(as_dict(path, readings, score))
        else:
            titles = {} if game is None else {yaku.id: yaku.title.en for yaku in game.book.yaku}
            answer("\n".join(_lines(path, readings, score, titles)))
    return 0


def _lines(path: Path, readings: tuple[Reading, ...], score: Tally | None, titles: dict[str, str]) -> list[str]:
    lines = [f"{path}: {len(readings)} card{'' if len(readings) == 1 else 's'}"]
    for reading in readings:
        others = ", ".join(f"{card} {probability:.2f}" for card, probability in reading.alternatives[:2])
        centre = [sum(axis) / len(reading.corners_px) for axis in zip(*reading.corners_px, strict=True)]
        where = f"at {centre[0]:.0f}, {centre[1]:.0f}"
        name = card_name(reading.card)
        doubt = f"  (or {others})" if others and reading.confidence < 0.9 else ""
        lines.append(f"  {reading.confidence:4.2f}  {reading.card!s:<11} {name.ja} / {name.en}, {where}{doubt}")
    if score is not None:
        yaku = "".join(f" + {titles[y.id]} {y.value}" for y in score.yaku)
        lines.append(f"  worth {score.points}{yaku} = {score.total}")
    return lines
