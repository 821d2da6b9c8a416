"""`hanafuda bench read`: photographs with known cards, taken or made, read and counted."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.output import answer, answer_json, progress
from app.photos import deck_finder, photo_deck
from engine.errors import ConfigError
from vision.photobench import PhotoReport, PhotoResult, bench_made, bench_read
from vision.tallies import table


def add_read(add: Callable[..., Any]) -> None:
    """What `bench read` takes; `add` is the parser's `add_argument`."""
    add("folder", type=Path, nargs="*", metavar="FOLDER", help="photographs with a NAME.json beside each")
    add("--deck", metavar="NAME", help="read all with this deck, not the one that each NAME.json names")
    add("--decks", type=Path, action="append", default=[], metavar="DIR", help="also look for decks in DIR")
    add("--made", type=int, default=0, metavar="N", help="also make and read N hard photographs of each kind")
    add("--drawn", metavar="NAME", help="the made ones show this deck (default: the one they are read with)")
    add("--seed", type=int, default=1, metavar="N", help="which ones are made (default 1)")


def bench_photos(arguments: argparse.Namespace) -> int:
    """Reads photographs with truth. 1 where less is found or right than TARGETS ask of the first release."""
    if not arguments.folder and arguments.made <= 0:
        raise ConfigError("bench read needs a FOLDER of photographs, or --made N to make some")

    def report(photo: PhotoResult) -> None:
        say = progress if arguments.json else answer
        hidden = f"; hidden in part {photo.occluded}" if photo.occluded.cards else ""
        say(f"{photo.image}: whole {photo.whole}{hidden}; {photo.false} false")
        for remark in photo.remarks:
            say(f"    {remark}")

    photos: tuple[PhotoResult, ...] = ()
    if arguments.folder:
        photos += bench_read(arguments.folder, deck_finder(arguments.deck, arguments.decks), report).photos
    if arguments.made > 0:
        deck = photo_deck(arguments.deck, arguments.decks)
        drawn = deck if arguments.drawn is None else photo_deck(arguments.drawn, arguments.decks)
        photos += bench_made(deck, drawn, arguments.made, arguments.seed, report).photos
    done = PhotoReport(photos)
    if arguments.json:
        answer_json(done.as_dict())
    else:
        answer("\n".join(_lines(done)))
    whole = done.whole
    good = whole.found >= 0.95 * whole.cards and whole.right >= 0.97 * whole.found and done.false <= 1
    return 0 if good else 1


def _lines(done: PhotoReport) -> list[str]:
    return [
        "",
        *table("deck", done.decks, done.false_by(lambda photo: photo.deck)),
        "",
        *table("look", done.looks, done.false_by(lambda photo: photo.look)),
        "",
        *table("in view", done.bands),
        "",
        "confidence of a reading and how often it was right:",
        *done.reliability.lines(),
        "",
        f"whole cards:    {done.whole}",
        f"occluded cards: {done.occluded}",
        f"false cards:    {done.false} in {len(done.photos)} photographs",
    ]
