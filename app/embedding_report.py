"""`hanafuda bench embedding`: how well the trained embedding names cards, beside the correlation and other ways."""

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.output import answer, answer_json, progress
from engine.errors import ConfigError
from vision.deck import BUILT_IN, Deck, load_deck
from vision.embedding import CROP_PX, MODEL, Embedding
from vision.training.prints import family_of, print_of
from vision.training.rivals import RIVALS
from vision.training.trial import BANDS, FACE_OF, Score, table, try_deck, views_of

CARDS: Final = 30
MOST_MS: Final = 25.0
"""Target for so many cards, one thread."""

_HOWS: Final = (
    "not enrolled",
    "not enrolled without mask",
    *(f"enrolled, {how}{mask}" for mask in ("", " without mask") for how in ("embedding", "correlation", "both")),
    *(f"enrolled, {rival}" for rival in RIVALS),
)


def add_embedding(add: Callable[..., Any]) -> None:
    """What the verb takes."""
    add("--decks", type=Path, action="append", default=[], metavar="DIR", help="decks to try (default: the built-in)")
    add("--deck", action="append", default=[], metavar="NAME", help="only this one of them")
    add("--model", type=Path, default=MODEL, metavar="FILE", help="another network than the one that ships")
    add("--each", type=int, default=3, metavar="N", help="views of each card and band (default 3)")
    add("--rivals", action="store_true", help="also perceptual hash, ORB and SIFT with RANSAC, on one view of each")


def bench_embedding(arguments: argparse.Namespace) -> int:
    """Measures. 1 where 30 cards take longer than the target."""
    embedding = Embedding(arguments.model)
    took_ms = look_ms(embedding)
    scores: list[Score] = []
    for folder in _folders(arguments.decks, arguments.deck):
        progress(f"trying {folder.name}")
        deck, family = load_deck(folder), family_of(folder)
        scores += try_deck(embedding, deck, family, arguments.each)
        if arguments.rivals:
            scores += rival_scores(deck, family)
    if arguments.json:
        answer_json({"ms_for_30_cards": round(took_ms, 2), "scores": [score.as_dict() for score in scores]})
    else:
        answer(_text(scores))
        mark = "ok" if took_ms <= MOST_MS else "MISSED"
        answer(f"{CARDS} cards: {took_ms:.1f} ms CPU on one thread (<= {MOST_MS:g} ms) {mark}")
    return int(took_ms > MOST_MS)


def look_ms(embedding: Embedding, turns: int = 15) -> float:
    """The least CPU time in ms of a look at 30 crops of whole cards, of `turns` looks."""
    rng = np.random.default_rng(1)
    crops = rng.integers(0, 256, (CARDS, CROP_PX[1], CROP_PX[0], 3), np.uint8)
    best = float("inf")
    for _ in range(turns):
        start = time.thread_time()
        embedding.look(crops)
        best = min(best, time.thread_time() - start)
    return 1000 * best


def rival_scores(deck: Deck, family: str) -> list[Score]:
    """One view of each card of `deck` and band, named in other ways from its pictures."""
    scans = print_of(deck, family).faces
    scores = []
    for band in ("whole", "half", "third"):
        shard = views_of(deck, family, band, 1)
        truth = FACE_OF[shard.card]
        for name, rival in RIVALS.items():
            found = rival(shard.crops, None if band == "whole" else shard.seen, scans).argmax(axis=1)
            scores.append(Score(deck.name, band, f"enrolled, {name}", len(truth), int((FACE_OF[found] == truth).sum())))
    return scores


def _folders(roots: Sequence[Path], names: Sequence[str]) -> list[Path]:
    folders = [path.parent for root in (roots or [BUILT_IN]) for path in sorted(root.glob("*/deck.yaml"))]
    if not folders:
        raise ConfigError(f"{', '.join(map(str, roots))}: no folder in it holds a deck.yaml")
    missing = set(names) - {folder.name for folder in folders}
    if missing:
        known = ", ".join(folder.name for folder in folders)
        raise ConfigError(f"no deck is called {sorted(missing)[0]!r} there (known: {known})")
    return [folder for folder in folders if not names or folder.name in names]


def _text(scores: Sequence[Score]) -> str:
    lines: list[str] = []
    for how in _HOWS:
        if any(score.how == how for score in scores):
            lines += [f"{how}, % right by month and rank:", table(scores, [how], list(BANDS)), ""]
    lines.append("nothing enrolled, believed and wrong (of views):")
    for score in scores:
        if score.how.startswith("not enrolled"):
            what = f"{score.band}{score.how.removeprefix('not enrolled')}"
            lines.append(
                f"{score.deck:<30} {what:<22} {score.sure:4d} believed {score.wrong:4d} wrong {score.views:5d}"
            )
    return "\n".join([*lines, ""])
