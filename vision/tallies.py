"""Counts of readings against a truth: found, right and false, by how much of a card was in view, and reliability."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

BANDS: Final = ("whole", "two thirds", "half", "a third", "less", "partly hidden")
"""Shares of a card in view: all of it, from 2/3, from 1/2, from 1/3, less; `partly hidden` where nobody knows."""
_EDGES: Final = ((0.97, "whole"), (2 / 3, "two thirds"), (0.5, "half"), (1 / 3, "a third"))
_BINS: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
_BAR: Final = 40


def band_of(visible: float | None, occluded: bool = False) -> str:
    """The band of a card of which the share `visible` (0–1) is in view; None: nobody has measured it."""
    if visible is None:
        return "partly hidden" if occluded else "whole"
    return next((name for least, name in _EDGES if visible >= least), "less")


@dataclass(frozen=True, slots=True)
class Count:
    """Cards there are, found of these, and right (month and rank) of the found; `exact` counts the very chaff."""

    cards: int = 0
    found: int = 0
    right: int = 0
    exact: int = 0

    def __add__(self, other: "Count") -> "Count":
        return Count(
            self.cards + other.cards, self.found + other.found, self.right + other.right, self.exact + other.exact
        )

    def __str__(self) -> str:
        found = _share(self.found, self.cards)
        return f"{found} found, {_share(self.right, self.found)} of these right, {self.exact} the very card"

    def as_dict(self) -> dict[str, int]:
        """The count as plain values for JSON."""
        return {"cards": self.cards, "found": self.found, "right": self.right, "exact": self.exact}


@dataclass(frozen=True, slots=True)
class Bin:
    """Readings whose confidence lies in `least`…`most` (the upper bound excluded but for 1): how many, how right."""

    least: float
    most: float
    readings: int
    right: int
    mean: float

    @property
    def share(self) -> float:
        """Share (0–1) of the readings that were right; 0 for none."""
        return self.right / self.readings if self.readings else 0.0


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far confidence can be believed: in a bin of confidence p, about the share p should be right."""

    bins: tuple[Bin, ...]

    @property
    def error(self) -> float:
        """The expected calibration error: |share right − mean confidence| (0–1), averaged over all readings."""
        total = sum(one.readings for one in self.bins)
        return sum(one.readings * abs(one.share - one.mean) for one in self.bins) / total if total else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The diagram as plain values for JSON."""
        return {
            "expected_calibration_error": round(self.error, 4),
            "bins": [
                {
                    "confidence": [one.least, one.most],
                    "readings": one.readings,
                    "right": one.right,
                    "mean_confidence": round(one.mean, 4),
                    "share_right": round(one.share, 4),
                }
                for one in self.bins
            ],
        }

    def lines(self) -> list[str]:
        """The diagram as text: a bar for the share right of each bin, `|` where the mean confidence lies."""
        lines = []
        for one in self.bins:
            bar = list("#" * round(one.share * _BAR) + " " * (_BAR - round(one.share * _BAR)))
            bar[min(_BAR - 1, round(one.mean * _BAR))] = "|"
            share = f"{100 * one.share:5.1f} % of {one.readings}"
            lines.append(f"{one.least:.2f}-{one.most:.2f}  {''.join(bar)}  {share} right, {one.mean:.3f} believed")
        return [*lines, f"expected calibration error {self.error:.3f}"]


def reliability(readings: Iterable[tuple[float, bool]]) -> Reliability:
    """The diagram of readings, each its confidence (0–1) and whether it was right; empty bins left out."""
    pairs = list(readings)
    bins = []
    for least, most in pairwise(_BINS):
        inside = [(p, good) for p, good in pairs if least <= p < most or p == most == 1.0]
        if inside:
            mean = sum(p for p, _ in inside) / len(inside)
            bins.append(Bin(least, most, len(inside), sum(good for _, good in inside), mean))
    return Reliability(tuple(bins))


def table(title: str, rows: Mapping[str, Count], false: Mapping[str, int] | None = None) -> list[str]:
    """Rows of counts as aligned text under a `title`; `false` adds a column."""
    if not rows:
        return []
    wide = max(len(name) for name in (title, *rows))
    head = f"{title:<{wide}}  cards  found          right          the very card" + ("  false" if false else "")
    lines = [head]
    for name, count in rows.items():
        found = f"{count.found} ({_percent(count.found, count.cards)})"
        right = f"{count.right} ({_percent(count.right, count.found)})"
        extra = f"  {false.get(name, 0):>5}" if false else ""
        lines.append(f"{name:<{wide}}  {count.cards:>5}  {found:<13}  {right:<13}  {count.exact:>13}{extra}")
    return lines


def in_order(rows: Mapping[str, Count], order: Sequence[str] = BANDS) -> dict[str, Count]:
    """`rows` in the order of `order`; what that does not name comes last, by name."""
    known = {name: rows[name] for name in order if name in rows}
    return known | {name: rows[name] for name in sorted(rows) if name not in known}


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}" + (f" ({100 * part / whole:.1f} %)" if whole else "")
