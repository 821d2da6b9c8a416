"""`hanafuda doctor`: checks this installation and says how to mend what is wrong."""

import argparse
from pathlib import Path

from app.checks import State, examine
from app.output import answer, answer_json

_MARKS = {State.WELL: "ok  ", State.NOTE: "note", State.BAD: "BAD "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    parser.add_argument("--profile", type=Path, metavar="FILE", help="look at this calibration profile")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Examines. 1 where something must be mended before playing."""
    lines = examine(arguments.profile)
    bad = any(line.state is State.BAD for line in lines)
    if arguments.json:
        checks = [{"topic": x.topic, "state": x.state.value, "found": x.found, "fix": x.fix} for x in lines]
        answer_json({"healthy": not bad, "checks": checks})
        return int(bad)
    for line in lines:
        answer(f"{_MARKS[line.state]}  {line.topic:<16} {line.found}")
        if line.fix:
            answer(f"      {'':<16} -> {line.fix}")
    answer("something must be mended first" if bad else "ready to play")
    return int(bad)
