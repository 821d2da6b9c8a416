"""What a calibration found, as values: checks in words, figures, an error map, and the verdict they lead to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

GOOD_MM: Final = (0.5, 1.0, 2.0)
"""rms, p95 and largest overlay error of a good calibration."""
REFUSED_MM: Final = 3.0
"""Above this largest error nothing is played."""


class Mark(StrEnum):
    """How a check came out."""

    WELL = "well"
    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: what was found, and what to do where it is not well."""

    topic: str
    mark: Mark
    found: str
    fix: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """A calibration's report.

    `points_mm` and `errors_mm` are the crosses measured (N, 2) and where they lie instead, their difference (N, 2).
    `figures` are numbers by name; `causes` are likely reasons for what is not well, the likeliest first.
    """

    verdict: str
    mark: Mark
    checks: tuple[Check, ...]
    figures: Mapping[str, float | int | str | None]
    points_mm: NDArray[np.float64]
    errors_mm: NDArray[np.float64]
    mat_mm: tuple[float, float]
    causes: tuple[str, ...] = field(default=())

    def as_dict(self) -> dict[str, object]:
        """The whole report as JSON values."""
        return {
            "verdict": self.verdict,
            "mark": self.mark.value,
            "figures": dict(self.figures),
            "checks": [{"topic": c.topic, "mark": c.mark.value, "found": c.found, "fix": c.fix} for c in self.checks],
            "causes": list(self.causes),
            "mat_mm": list(self.mat_mm),
            "crosses": [
                {"at_mm": [round(x, 2), round(y, 2)], "error_mm": [round(u, 3), round(v, 3)]}
                for (x, y), (u, v) in zip(self.points_mm.tolist(), self.errors_mm.tolist(), strict=True)
            ],
        }


def error_figures(errors_mm: NDArray[np.float64]) -> dict[str, float | int | None]:
    """Number, rms, p95 and largest of distances in mm, shape (N,); None where there are none."""
    if errors_mm.size == 0:
        return {"points": 0, "rms_mm": None, "p95_mm": None, "max_mm": None}
    return {
        "points": int(errors_mm.size),
        "rms_mm": round(float(np.sqrt(np.mean(errors_mm**2))), 3),
        "p95_mm": round(float(np.percentile(errors_mm, 95)), 3),
        "max_mm": round(float(errors_mm.max()), 3),
    }


def verdict(figures: Mapping[str, float | int | None], checks: Sequence[Check]) -> tuple[str, Mark]:
    """The verdict in words for measured errors and checks."""
    rms, p95, largest = (figures[name] for name in ("rms_mm", "p95_mm", "max_mm"))
    if rms is None or p95 is None or largest is None:
        return "not measured: no crosses were photographed, so nothing is known of the error on the mat", Mark.NOTE
    size = f"{rms:.2f} mm on average, {largest:.2f} mm at most"
    if largest > REFUSED_MM:
        return f"not usable: light falls up to {largest:.1f} mm beside its place", Mark.BAD
    if rms > GOOD_MM[0] or p95 > GOOD_MM[1] or largest > GOOD_MM[2]:
        return f"usable, but not good: light falls {size} beside its place", Mark.NOTE
    if any(check.mark is Mark.BAD for check in checks):
        return f"exact ({size}), but something must be mended before playing", Mark.BAD
    return f"good: light falls {size} beside its place", Mark.WELL
