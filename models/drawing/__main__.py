"""Draws the built-in deck: `python models/drawing [CARD-ID | back]... [--out FOLDER] [--sheet FILE]`."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import months_01_03
import months_04_06
import months_07_09
import months_10_12
import numpy as np
from canvas import Image, flatten, paint, write
from things import BACK_COLOUR, back

CARDS = months_01_03.CARDS | months_04_06.CARDS | months_07_09.CARDS | months_10_12.CARDS

DECK = Path(__file__).resolve().parent.parent / "decks" / "tsuki"


def draw(name: str) -> Image:
    """The face of a card id, or the back for `back`."""
    if name == "back":
        return paint(back(), paper=BACK_COLOUR)
    return paint(CARDS[name]())


def sheet(pictures: Sequence[Image], columns: int = 12) -> Image:
    """All pictures on one sheet at half size."""
    small = [cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for picture in pictures]
    small += [np.full_like(small[0], 255)] * (-len(small) % columns)
    return np.vstack([np.hstack(small[k : k + columns]) for k in range(0, len(small), columns)]).astype(np.uint8)


def main() -> None:
    """Writes the pictures asked for, all of them if none is named."""
    names = [*CARDS, "back"]
    parser = argparse.ArgumentParser(prog="python models/drawing", description=__doc__)
    parser.add_argument("cards", nargs="*", metavar="CARD", help="card ids or back (default: all)")
    parser.add_argument("--out", type=Path, default=DECK, help="folder for the pictures (default: the built-in deck)")
    parser.add_argument("--sheet", type=Path, help="also write one picture of them all")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.cards if name not in names]
    if unknown:
        parser.error(f"no such card: {', '.join(unknown)}; ids look like 03-bright")
    arguments.out.mkdir(parents=True, exist_ok=True)
    pictures = {name: draw(name) for name in arguments.cards or names}
    for name, picture in pictures.items():
        write(arguments.out / f"{name}.png", picture)
    if arguments.sheet:
        write(arguments.sheet, flatten(sheet(list(pictures.values()))))


if __name__ == "__main__":
    main()
