"""`hanafuda bench sessions`: recorded sessions against their truth, moves, scores and each believed card."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.ablation import add_parts, parts_of
from app.output import answer, answer_json, progress
from app.session_cards import CardTally
from app.trials import Outcome, session_folders, session_outcome
from app.trials_report import moves_of
from app.worst import Worst
from vision.tallies import Count, table


def add_sessions(add: Callable[..., Any]) -> None:
    """What `bench sessions` takes; `add` is the parser's `add_argument`."""
    add("session", type=Path, nargs="+", metavar="DIR", help="session folders, or folders of them")
    add("--decks", type=Path, action="append", default=[], metavar="DIR", help="also look for decks in DIR")
    add("--deck", metavar="NAME", help="read all with this deck, not the one that each session names")
    add_parts(add)
    add("--worst", type=Path, metavar="DIR", help="save the looks that went worst as pictures in DIR")
    add("--max-moves", type=int, default=1, metavar="N", help="so many moves may differ in each (default 1)")


def bench_sessions(arguments: argparse.Namespace) -> int:
    """Replays and compares. 1 where a session differs from its truth."""
    outcomes = []
    parts, worst = parts_of(arguments), Worst(arguments.worst)
    for folder in session_folders(arguments.session):
        outcome = session_outcome(
            folder, arguments.decks, arguments.max_moves, deck=arguments.deck, parts=parts, worst=worst
        )
        outcomes.append(outcome)
        (progress if arguments.json else answer)("\n".join(_told(outcome)))
    worst.save()
    moves, wrong = moves_of(outcomes)
    scores = sum(not outcome.verdict.score_differences for outcome in outcomes)
    passed = sum(outcome.verdict.passed for outcome in outcomes)
    cards = sum((outcome.cards for outcome in outcomes), CardTally())
    if arguments.json:
        total: dict[str, Any] = {
            "parts": parts.as_dict(),
            "count": len(outcomes),
            "scores_right": scores,
            "passed": passed,
            "moves": moves,
            "wrong_moves": wrong,
        }
        answer_json({"outcomes": [o.as_dict() for o in outcomes], "total": {**total, "cards": cards.as_dict()}})
        return int(passed < len(outcomes))
    if cards.looks:
        answer("\n".join(_card_lines(outcomes, cards)))
    answer(f"{scores} of {len(outcomes)} final scores right, {passed} verified, {wrong} of {moves} moves differ")
    return int(passed < len(outcomes))


def _told(outcome: Outcome) -> list[str]:
    lag = outcome.verdict.as_dict()["lag_ms"]["p95"]
    mark = "ok  " if outcome.verdict.passed else "FAIL"
    differ = f"{len(outcome.verdict.differences)} of {outcome.verdict.moves} moves differ"
    took = f"{outcome.lasts_s:.0f} s in {outcome.took_s:.0f} s"
    line = f"{mark} {outcome.name}: {differ}, lag p95 {'-' if lag is None else f'{lag:.0f} ms'}, {took}"
    return [line, *(f"       {d}" for d in (*outcome.verdict.score_differences, *outcome.verdict.differences))]


def _card_lines(outcomes: list[Outcome], cards: CardTally) -> list[str]:
    known = [outcome for outcome in outcomes if outcome.cards.looks]
    by_session: dict[str, Count] = {outcome.name: outcome.cards.count for outcome in known}
    by_deck: dict[str, Count] = {}
    false: dict[str, int] = {}
    for outcome in known:
        by_deck[outcome.deck] = by_deck.get(outcome.deck, Count()) + outcome.cards.count
        false[outcome.deck] = false.get(outcome.deck, 0) + outcome.cards.false
    looks = f"cards at rest that are believed, in {cards.looks} looks without hands"
    return [
        "",
        *table("session", by_session, {outcome.name: outcome.cards.false for outcome in known}),
        "",
        *table("deck", by_deck, false),
        "",
        *table("in view", cards.bands),
        "",
        f"{looks}; {cards.false} false",
        *cards.reliability.lines(),
        "",
    ]
