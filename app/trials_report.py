"""`hanafuda bench games` and `bench slips`: which trials are wanted, and their outcomes as lines or JSON."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from app.output import answer, answer_json, progress
from app.simulator.dealing import Setup as Beginning
from app.simulator.surface import find_look
from app.trials import GameTrial, Outcome, length_of, play_trials
from app.wishes import parse_options
from engine import catalogue
from engine.errors import ConfigError


def add_games(add: Callable[..., Any]) -> None:
    """What `bench games` takes."""
    _add_trials(add, "1-4")
    add("--rounds", choices=("series", "1"), default="1", help="a series as short as it may be, or one round (default)")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    add("--setup", type=Beginning, default=Beginning.DEALT, choices=list(Beginning), help="how the table starts")


def add_slips(add: Callable[..., Any]) -> None:
    """What `bench slips` takes."""
    _add_trials(add, "1")
    add("--times", type=int, default=1, metavar="N", help="so often each (default once)")


def _add_trials(add: Callable[..., Any], seeds: str) -> None:
    """What trials of simulated games take."""
    add("--game", default="chotto-hana-awase", metavar="NAME,…", help="one or more games, or all")
    add("--seeds", type=_numbers, default=_numbers(seeds), metavar="1,2,…|A-B", help=f"default {seeds}")
    add("--seats", type=_numbers, metavar="2,3,…", help="default: all that the game allows")
    add("--size", default="960x540", metavar="WxH", help="frame size (default 960x540)")
    add("--look", default="", help="how the table looks (default: each seed another)")
    add("--deck", default="tsuki", metavar="NAME")
    add("--jobs", type=int, default=1, metavar="N", help="so many games at a time")


def bench_games(arguments: argparse.Namespace) -> int:
    """Plays the games that `arguments` ask for. 1 where a result differs."""

    def options(game: str) -> Mapping[str, Any]:
        return {**length_of(game, arguments.rounds == "series"), **parse_options(arguments.option)}

    trials = _trials(arguments, options, beginning=arguments.setup)
    outcomes = _played(trials, arguments.jobs, arguments.json)
    right = sum(not outcome.wrong_results for outcome in outcomes)
    heard = [outcome.heard for outcome in outcomes]
    spots = {
        "said": sum(len(h.delays_s) + len(h.missed) for h in heard),
        "missed": sum(len(h.missed) for h in heard),
        "late": sum(h.late for h in heard),
        "false": sum(len(h.false) for h in heard),
    }
    moves, wrong = moves_of(outcomes)
    faults = sum(len(outcome.faults) for outcome in outcomes)
    if arguments.json:
        total = {"count": len(outcomes), "results_right": right, "moves": moves, "wrong_moves": wrong, "faults": faults}
        total |= {f"spots_{name}": count for name, count in spots.items()}
        answer_json({"outcomes": [outcome.as_dict() for outcome in outcomes], "total": total})
    else:
        answer(
            f"{right} of {len(outcomes)} games with the right results, {wrong} of {moves} moves differ, {faults} "
            f"faults; of {spots['said']} spots {spots['missed']} missed, {spots['late']} late, {spots['false']} false"
        )
    return int(right < len(outcomes))


def bench_slips(arguments: argparse.Namespace) -> int:
    """Plays games with slips. 1 where a result differs, or a slip was not named or not cleared."""
    trials = _trials(arguments, lambda game: length_of(game, False), slips=arguments.times)
    outcomes = _played(trials, arguments.jobs, arguments.json)
    slips = [slip for outcome in outcomes for slip in outcome.slips]
    named = sum(slip.named_s is not None for slip in slips)
    cleared = sum(slip.cleared_s is not None for slip in slips)
    right = sum(not outcome.wrong_results for outcome in outcomes)
    false = sum(len(outcome.faults) for outcome in outcomes)
    if arguments.json:
        total = {"count": len(outcomes), "results_right": right, "slips": len(slips), "named": named}
        total |= {"cleared": cleared, "false_faults": false}
        answer_json({"outcomes": [outcome.as_dict() for outcome in outcomes], "total": total})
    else:
        answer(
            f"{right} of {len(outcomes)} games with the right results; of {len(slips)} slips {named} named, "
            f"{cleared} cleared; {false} faults without a slip"
        )
    return int(right < len(outcomes) or not all(slip.good for slip in slips))


def _trials(arguments: argparse.Namespace, options: Callable[[str], Mapping[str, Any]], **more: Any) -> list[GameTrial]:
    """The trials that the arguments ask for. Raises ConfigError for a game, look or seats there are not."""
    width, _, height = arguments.size.partition("x")
    size_px = (_number(width, "--size"), _number(height, "--size"))
    games = catalogue.names() if arguments.game == "all" else tuple(arguments.game.split(","))
    if arguments.look:
        find_look(arguments.look)
    trials = []
    for game in games:
        book = catalogue.rulebook(game, options(game))
        for seats in arguments.seats or sorted(book.deals):
            book.deal(seats)
            trials += [
                GameTrial(game, seats, seed, size_px, arguments.look, arguments.deck, options(game), **more)
                for seed in arguments.seeds
            ]
    return trials


def _played(trials: Sequence[GameTrial], jobs: int, as_json: bool) -> list[Outcome]:
    """The outcomes of all trials, each told as it comes."""
    outcomes = []
    for outcome in play_trials(trials, jobs):
        outcomes.append(outcome)
        (progress if as_json else answer)("\n".join(_told(outcome)))
    return outcomes


def _told(outcome: Outcome) -> Iterator[str]:
    """A trial in words: a line, then what is wrong."""
    good = not outcome.wrong_results and all(slip.good for slip in outcome.slips)
    lag = outcome.verdict.as_dict()["lag_ms"]["p95"]
    rounds = "" if outcome.rounds == 1 else f"{outcome.rounds} deals, "
    faults = f"{len(outcome.faults)} faults ({' '.join(outcome.faults)})" if outcome.faults else "0 faults"
    yield (
        f"{'ok  ' if good else 'FAIL'} {outcome.name}: {rounds}{len(outcome.verdict.differences)} of "
        f"{outcome.verdict.moves} moves differ, lag p95 {'-' if lag is None else f'{lag:.0f} ms'}, {outcome.heard}, "
        f"{faults}, {outcome.lasts_s:.0f} s in {outcome.took_s:.0f} s ({outcome.table_s:.0f} s for the table)"
    )
    heard = [*(f"missed: {m}" for m in outcome.heard.missed), *(f"false: {f}" for f in outcome.heard.false)]
    slips = [f"{'slip' if slip.good else 'SLIP'} {slip}" for slip in outcome.slips]
    yield from (f"       {x}" for x in (*outcome.wrong_results, *outcome.verdict.differences, *heard, *slips))


def moves_of(outcomes: Sequence[Outcome]) -> tuple[int, int]:
    """How many moves there were, and how many differ."""
    wrong = sum(len(outcome.verdict.differences) for outcome in outcomes)
    return sum(outcome.verdict.moves for outcome in outcomes), wrong


def _numbers(text: str) -> tuple[int, ...]:
    """`1,2,5` or `1-4` or both."""
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        found += range(int(first), int(last) + 1) if dash else [int(first)]
    return tuple(found)


_numbers.__name__ = "list of whole numbers (such as 1,2,5 or 1-4)"


def _number(text: str, option: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 2:
        raise ConfigError(f"{option}: must look like 960x540, got {text!r}")
    return int(text)
