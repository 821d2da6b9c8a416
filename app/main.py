"""The command line `hanafuda`: finds the verb, runs it, and says every known error in one sentence (exit 2)."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final

from engine.errors import HanafudaError

VERBS: Final = {
    "play": "play at a table: a camera's, or a simulated one when no camera is set up",
    "calibrate": "tell the program where camera, mat and projector are",
    "print": "print the mat, its markers, the lens board and a scale check, true to scale",
    "replay": "run the whole pipeline on a recorded session, check it, look at it",
    "read": "read the cards in photographs",
    "deck": "enrol, list and test decks of cards",
    "layout": "make and show layouts: which zone lies where on the mat",
    "games": "list the games, or explain one: seats, options, rules, scoring cards",
    "bench": "measure speed and accuracy on this machine",
    "doctor": "check this installation and say how to mend what is wrong",
}
"""Verb and what it does; `app.commands.<verb>` holds `add_arguments(parser)` and `run(arguments) -> exit code`."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command. 0: done, 1: found wanting (a failed check, a difference), 2: unusable arguments or input."""
    _pin_threads()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        arguments = _parser(words).parse_args(words)
        return int(arguments.run(arguments))
    except HanafudaError as error:
        print(f"hanafuda: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("hanafuda: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _pin_threads() -> None:
    """One thread for the linear algebra: with more, they spin and every small product takes ten times as long."""
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser. Only the verb that was asked for is loaded, so that the command starts quickly."""
    parser = argparse.ArgumentParser(
        prog="hanafuda",
        description="A table that follows a game of hanafuda with real cards and lights the way.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"hanafuda {_version()}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    asked = next((word for word in words if not word.startswith("-")), None)
    for verb, help_ in VERBS.items():
        sub = verbs.add_parser(verb, help=help_, description=help_[0].upper() + help_[1:] + ".", allow_abbrev=False)
        if verb == asked:
            module = importlib.import_module(f"app.commands.{verb}")
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return parser


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("hanafuda-table")
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
