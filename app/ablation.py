"""Parts of the eyes that can be taken out, to show what each is worth."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.follow import Follower
from vision.second import Naming
from vision.table import TableReader


@dataclass(frozen=True, slots=True)
class Parts:
    """What the eyes work with: by what doubtful cards are named, the rules as prior, masks of what lies over a card."""

    naming: Naming = Naming.BOTH
    rules: bool = True
    masks: bool = True

    def fit(self, follower: Follower) -> None:
        """Takes out of a follower's eyes what they are to do without."""
        reader = follower.reader
        assert isinstance(reader, TableReader)
        reader.ruled = self.rules
        reader.eyes.finder.masked = self.masks
        reader.eyes.seeker.name_by(self.naming)

    def as_dict(self) -> dict[str, Any]:
        """The parts as plain values for JSON."""
        return {"naming": str(self.naming), "rules": self.rules, "masks": self.masks}


def add_naming(add: Callable[..., Any]) -> None:
    """The switch for what each way of naming doubtful cards is worth."""
    names = [str(naming) for naming in Naming]
    add("--naming", choices=names, default="both", help="by what doubtful cards are named, to compare (default both)")


def add_parts(add: Callable[..., Any]) -> None:
    """All switches; `add` is the parser's `add_argument`."""
    add_naming(add)
    add("--no-rules", action="store_true", help="to compare: the eyes do not ask the rules what may have happened")
    add("--no-mask", action="store_true", help="to compare: what lies over a card is not left out of its likeness")


def parts_of(arguments: argparse.Namespace) -> Parts:
    """The parts that `arguments` leave."""
    return Parts(Naming(arguments.naming), not arguments.no_rules, not arguments.no_mask)
