"""`hanafuda bench [speed | engine | rules | read | games | slips | sessions | heaps | calibration]`: speed, truth."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.embedding_report import add_embedding, bench_embedding
from app.heap_report import add_heaps, bench_heaps
from app.output import answer, answer_json, progress
from app.read_report import add_read, bench_photos
from app.rig_report import add_calibration, bench_calibration
from app.sessions_report import add_sessions, bench_sessions
from app.trials_report import add_games, add_slips, bench_games, bench_slips


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    parser.add_argument("--json", action="store_true", help="answer as JSON")
    parser.set_defaults(what="speed", seconds=40.0)
    kinds = parser.add_subparsers(metavar="WHAT", dest="what")

    def kind(name: str, about: str) -> Callable[..., Any]:
        sub = kinds.add_parser(name, help=about, allow_abbrev=False)
        sub.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="answer as JSON")
        return sub.add_argument

    add = kind("speed", "frame times, drawing, rules (the default)")
    add("--seconds", type=float, default=40.0, metavar="S", help="length of the game to measure on (default 40)")
    add = kind("engine", "random rounds and moves a second of every game")
    add("--peer", action="store_true", help="beside python-chess, measured the same way (pip install chess)")
    add("--seconds", type=float, default=1.0, metavar="S", help="so long for each of three turns (default 1)")
    add = kind("rules", "cases of rules, as in RULES section 13, tried on the engine; exit 1 where one does not hold")
    add("file", type=Path, nargs="+", metavar="FILE", help="a YAML file of cases")
    add_read(kind("read", "readings of photographs whose cards are known"))
    add_games(kind("games", "whole simulated games against their truth; exit 1 where a final result differs"))
    add_slips(kind("slips", "games in which all that can be done wrong is; exit 1 where it is not named and cleared"))
    add_calibration(kind("calibration", "simulated rigs: error in mm beside a rival's, refusals, knocks"))
    add_embedding(kind("embedding", "cards named by the trained embedding, beside other ways, on made-up views"))
    add_heaps(kind("heaps", "cards under others on simulated tables; exit 1 where too few are found"))
    add_sessions(kind("sessions", "recorded sessions against their truth; exit 1 where one differs"))


def run(arguments: argparse.Namespace) -> int:
    """Measures. 1 where a target or a truth is missed."""
    match arguments.what:
        case "engine":
            return _engine(arguments)
        case "rules":
            return _rules(arguments)
        case "read":
            return bench_photos(arguments)
        case "games":
            return bench_games(arguments)
        case "slips":
            return bench_slips(arguments)
        case "calibration":
            return bench_calibration(arguments)
        case "embedding":
            return bench_embedding(arguments)
        case "heaps":
            return bench_heaps(arguments)
        case "sessions":
            return bench_sessions(arguments)
        case _:
            return _speed(arguments)


def _speed(arguments: argparse.Namespace) -> int:
    from app.speed import Row, measure_speed

    def text(row: Row) -> str:
        ratio = "" if row.ratio is None else f"{row.ratio:5.2f} x floor"
        mark = {None: "", True: "ok", False: "MISSED"}[row.good]
        return f"{row.what:<52} {row.value:9.1f} {row.unit:<3} {ratio:<14} {row.target:<14} {mark}"

    def fields(row: Row) -> dict[str, Any]:
        return {
            "what": row.what,
            "value": round(row.value, 4),
            "unit": row.unit,
            "floor": None if row.floor is None else round(row.floor, 4),
            "ratio": None if row.ratio is None else round(row.ratio, 3),
            "target": row.target,
            "good": row.good,
        }

    progress("measuring: a minute or two")
    rows = []
    for row in measure_speed(arguments.seconds):
        rows.append(row)
        if not arguments.json:
            answer(text(row))
    if arguments.json:
        answer_json([fields(row) for row in rows])
    return int(any(row.good is False for row in rows))


def _engine(arguments: argparse.Namespace) -> int:
    """The rates of all games; with a peer, its moves a second are the unit."""
    from app.playouts import PEER, measure_all

    rates = list(measure_all(arguments.seconds, arguments.peer))
    peer = next((rate for rate in rates if rate.what == PEER), None)
    for rate in rates:
        ratio = None if peer is None else rate.moves / peer.moves
        if arguments.json:
            row = {"what": rate.what, "rounds_per_s": round(rate.rounds, 1), "moves_per_s": round(rate.moves)}
            answer_json(row | {"ratio_to_peer": None if ratio is None else round(ratio, 3)})
        else:
            beside = "" if ratio is None else f"{ratio:6.2f} x {PEER}"
            answer(f"{rate.what:<20} {rate.rounds:8.0f} rounds/s {rate.moves:9.0f} moves/s {beside}")
    return 0


def _rules(arguments: argparse.Namespace) -> int:
    """Tries cases. 1 where one does not hold."""
    from engine.cases.trying import try_cases

    verdicts = [verdict for file in arguments.file for verdict in try_cases(file)]
    wrong = [verdict for verdict in verdicts if not verdict.good]
    if arguments.json:
        answer_json([verdict.as_dict() for verdict in verdicts])
    else:
        for verdict in wrong:
            case = verdict.as_dict()
            answer(f"FAIL {case['id']} ({case['op']}): expected {case['expect']}, found {case['found']}")
        answer(f"{len(verdicts) - len(wrong)} of {len(verdicts)} cases hold")
    return int(bool(wrong))
