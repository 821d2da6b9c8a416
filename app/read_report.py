"""`hanafuda bench read`: photographs with known cards, taken or made, read and counted."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.output import answer, answer_json, progress
from app.photos import deck_finder, photo_deck
from app.worst import Mark, Worst, draw
from engine.errors import ConfigError
from vision.photobench import PhotoReport, PhotoResult, bench_made, bench_read
from vision.phototruth import Photo
from vision.quads import overlap
from vision.still import Reading
from vision.tallies import table


def add_read(add: Callable[..., Any]) -> None:
    """What `bench read` takes; `add` is the parser's `add_argument`."""
    add("folder", type=Path, nargs="*", metavar="FOLDER", help="photographs with a NAME.json beside each")
    add("--deck", metavar="NAME", help="read all with this deck, not the one that each NAME.json names")
    add("--decks", type=Path, action="append", default=[], metavar="DIR", help="also look for decks in DIR")
    add("--made", type=int, default=0, metavar="N", help="also make and read N hard photographs of each kind")
    add("--drawn", metavar="NAME", help="the made ones show this deck (default: the one they are read with)")
    add("--worst", type=Path, metavar="DIR", help="save the photographs read worst as pictures in DIR")
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

    worst = Worst(arguments.worst)

    def show(photo: Photo, image: NDArray[np.uint8], readings: Sequence[Reading], result: PhotoResult) -> None:
        worst.add(len(result.remarks), photo.image.stem, lambda: _drawn(photo, image, readings, result))

    photos: tuple[PhotoResult, ...] = ()
    if arguments.folder:
        photos += bench_read(arguments.folder, deck_finder(arguments.deck, arguments.decks), report, show).photos
    if arguments.made > 0:
        deck = photo_deck(arguments.deck, arguments.decks)
        drawn = deck if arguments.drawn is None else photo_deck(arguments.drawn, arguments.decks)
        photos += bench_made(deck, drawn, arguments.made, arguments.seed, report, show=show).photos
    worst.save()
    done = PhotoReport(photos)
    if arguments.json:
        answer_json(done.as_dict())
    else:
        answer("\n".join(_lines(done)))
    whole = done.whole
    good = whole.found >= 0.95 * whole.cards and whole.right >= 0.97 * whole.found and done.false <= 1
    return 0 if good else 1


def _drawn(
    photo: Photo, image: NDArray[np.uint8], readings: Sequence[Reading], result: PhotoResult
) -> NDArray[np.uint8]:
    """The photograph with its cards, those rightly read green, and what was read beside them."""
    quads = [np.array(reading.corners_px) for reading in readings]
    right = [
        [
            k
            for k, quad in enumerate(quads)
            if readings[k].card.face in card.faces and overlap(card.corners_px, quad) >= 0.5
        ]
        for card in photo.cards
    ]
    names = [" or ".join(sorted(map(str, card.names))) for card in photo.cards]
    marks = [Mark(np.asarray(card.corners_px), names[i], True, bool(right[i])) for i, card in enumerate(photo.cards)]
    known = {k for found in right for k in found}
    marks += [
        Mark(quad, f"{readings[k].card} {readings[k].confidence:.2f}?", False, False)
        for k, quad in enumerate(quads)
        if k not in known
    ]
    return draw(image, marks, result.remarks)


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
