"""Answers go to stdout, progress to stderr."""

import json
import sys
from typing import Any


def answer(text: str) -> None:
    """Prints a line of the answer to stdout."""
    print(text, flush=True)


def answer_json(value: Any) -> None:
    """Prints `value` as one line of JSON to stdout."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def progress(text: str) -> None:
    """Prints a line of progress to stderr."""
    print(text, file=sys.stderr, flush=True)


class ProgressLine:
    """A line on stderr, rewritten in place on a terminal, elsewhere printed when it says something new."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._last = ""

    def show(self, text: str) -> None:
        """Shows `text` instead of what the line said before."""
        if text == self._last:
            return
        self._last = text
        if self._live:
            print(f"\r\x1b[2K{text}", end="", file=sys.stderr, flush=True)
        else:
            progress(text)

    def done(self) -> None:
        """Ends the line, so that what follows starts on its own."""
        if self._live and self._last:
            print(file=sys.stderr, flush=True)
        self._last = ""
