"""What players do wrong on purpose, held against what the referee says: named, by which name, and cleared when."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.simulator.ledger import Slip
from engine.events import Event, Fault, Moved, Repaired

NAMED_S: Final = 2.0
"""A fault should be named within this time after the wrong card lies, its hand gone (TARGETS)."""
CLEARED_S: Final = 1.0
"""A fault should be cleared within this time after all is put right (TARGETS)."""
_LATEST_S: Final = 6.0


@dataclass(frozen=True, slots=True)
class SlipCheck:
    """One slip. `named_s` after its first card lay wrong, `cleared_s` after all was put right; None = never.

    `others` are the codes of further faults named meanwhile, `sentence` what the referee said.
    """

    kind: str
    seat: int
    t_s: float
    named_s: float | None
    cleared_s: float | None
    sentence: str = ""
    others: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether it was named as what it is, and nothing of it stands any more."""
        return self.named_s is not None and self.cleared_s is not None and bool(self.sentence)

    def __str__(self) -> str:
        named = "not named" if self.named_s is None else f"named after {self.named_s:.1f} s"
        cleared = "not cleared" if self.cleared_s is None else f"cleared after {self.cleared_s:.1f} s"
        others = f", also {' '.join(self.others)}" if self.others else ""
        return f"{self.kind} of seat {self.seat} at {self.t_s:.1f} s: {named}, {cleared}{others} ({self.sentence})"

    def as_dict(self) -> dict[str, Any]:
        """The fields for `--json`; times in seconds."""
        return {
            "kind": self.kind,
            "seat": self.seat,
            "t_s": round(self.t_s, 2),
            "good": self.good,
            "named_s": None if self.named_s is None else round(self.named_s, 2),
            "cleared_s": None if self.cleared_s is None else round(self.cleared_s, 2),
            "sentence": self.sentence,
            "others": list(self.others),
        }


def check_slips(run: Sequence[Event], truth: Iterable[Event | Slip]) -> tuple[tuple[SlipCheck, ...], tuple[Fault, ...]]:
    """What became of each slip in `truth`, and the faults of `run` that belong to none."""
    events = list(truth)
    slips = sorted((e for e in events if isinstance(e, Slip)), key=lambda slip: slip.t_s)
    moves = [e.t_s for e in events if isinstance(e, Moved)]
    left = [e for e in run if isinstance(e, Fault)]
    checks = []
    for slip in slips:
        mine = [fault for fault in left if slip.t_s <= fault.t_s <= slip.until_s + 1.5]
        left = [fault for fault in left if fault not in mine]
        checks.append(_check(slip, mine, run, min((t for t in moves if t > slip.t_s), default=slip.t_s)))
    return tuple(checks), tuple(left)


def _check(slip: Slip, faults: Sequence[Fault], run: Sequence[Event], wrong_s: float) -> SlipCheck:
    named = next((fault for fault in faults if fault.code == slip.kind), None)
    others = tuple(dict.fromkeys(fault.code for fault in faults if fault.code != slip.kind))
    ends = [_repaired_s(fault, run) for fault in faults]
    cleared = None
    if ends and all(end is not None and end <= slip.until_s + _LATEST_S for end in ends):
        cleared = max(end for end in ends if end is not None) - slip.until_s
    sentence = "" if named is None or not named.message.ja else named.message.en
    return SlipCheck(
        slip.kind, slip.seat, slip.t_s, None if named is None else named.t_s - wrong_s, cleared, sentence, others
    )


def _repaired_s(fault: Fault, run: Sequence[Event]) -> float | None:
    """When the fault was repaired."""
    return next((e.t_s for e in run if isinstance(e, Repaired) and e.code == fault.code and e.t_s >= fault.t_s), None)
