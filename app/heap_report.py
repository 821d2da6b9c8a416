"""`hanafuda bench heaps`: cards under others on simulated tables, as the live eyes find them."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.ablation import add_naming
from app.heap_trials import KINDS, REST_S, HeapTally, HeapTrial, try_heaps
from app.output import answer, answer_json, progress
from app.photos import photo_deck
from app.simulator.surface import LOOKS
from app.worst import Worst
from engine.errors import ConfigError
from vision.second import Naming
from vision.tallies import table


def add_heaps(add: Callable[..., Any]) -> None:
    """What `bench heaps` takes; `add` is the parser's `add_argument`."""
    add("--count", type=int, default=2, metavar="N", help="so many tables of each kind (default 2)")
    add("--seed", type=int, default=1, metavar="N", help="the first of them (default 1)")
    add("--look", action="append", default=[], choices=sorted(LOOKS), help="looks of the table (default felt)")
    add("--size", default="1280x720", metavar="WxH", help="size of the camera's picture (default 1280x720)")
    add("--deck", metavar="NAME", help="the deck whose pictures are known (default: the built-in one)")
    add("--decks", type=Path, action="append", default=[], metavar="DIR", help="also look for decks in DIR")
    add("--drawn", metavar="NAME", help="the deck that lies on the table (default: the same)")
    add_naming(add)
    add("--worst", type=Path, metavar="DIR", help="save the tables read worst as pictures in DIR")


def bench_heaps(arguments: argparse.Namespace) -> int:
    """Tries heaps. 1 where less of the cards at least 40 % in view is found than TARGETS ask."""
    size_px = _size(arguments.size)
    deck = photo_deck(arguments.deck, arguments.decks)
    drawn = deck if arguments.drawn is None else photo_deck(arguments.drawn, arguments.decks)
    worst = Worst(arguments.worst)
    by_kind: dict[str, HeapTally] = {}
    for kind in KINDS:
        for look in arguments.look or ["felt"]:
            for seed in range(arguments.seed, arguments.seed + arguments.count):
                trial = HeapTrial(kind, seed, look, size_px)
                done = try_heaps(trial, deck, drawn, Naming(arguments.naming), worst)
                by_kind[kind] = by_kind.get(kind, HeapTally()) + done
                (progress if arguments.json else answer)(
                    "\n".join([f"{kind} {look}, seed {seed}: {done.asked}", *(f"    {r}" for r in done.cards.remarks)])
                )
    worst.save()
    total = sum(by_kind.values(), HeapTally())
    if arguments.json:
        answer_json({"kinds": {kind: tally.as_dict() for kind, tally in by_kind.items()}, "total": total.as_dict()})
    else:
        answer("\n".join(_lines(by_kind, total)))
    return int(total.asked.found < 0.95 * total.asked.cards)


def _lines(by_kind: dict[str, HeapTally], total: HeapTally) -> list[str]:
    under = {kind: tally.asked for kind, tally in by_kind.items()}
    return [
        "",
        f"cards 40 to 97 % in view under others, {REST_S} s after they came to rest:",
        *table("kind", under, {kind: tally.cards.false for kind, tally in by_kind.items()}),
        "",
        *table("in view", total.cards.bands),
        "",
        f"pairs known which lies on top: {total.in_order} right, {total.out_of_order} wrong",
        f"longest frame: {total.slowest_s * 1e3:.0f} ms of CPU",
        *total.cards.reliability.lines(),
    ]


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and 64 <= int(width) <= 8000 and 64 <= int(height) <= 8000):
        raise ConfigError(f"--size {text}: a size is WIDTHxHEIGHT in px, such as 1280x720")
    return int(width), int(height)
