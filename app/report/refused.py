"""A calibration that was refused, as a report of its own: why, what to do, and what had been measured by then."""

from dataclasses import replace

import numpy as np

from app.report import words
from calibration.findings import Check, Findings, Mark
from calibration.refusals import Refusal


def findings_of(refusal: Refusal, mat_mm: tuple[float, float]) -> Findings:
    """The report of a refusal; with the crosses and checks where it came after they were measured."""
    check = Check(words.reason(refusal.reason.value, "en"), Mark.BAD, str(refusal))
    known = refusal.findings
    if known is not None:
        return replace(known, verdict=str(refusal), mark=Mark.BAD, checks=(check, *known.checks))
    nothing = np.zeros((0, 2))
    return Findings(str(refusal), Mark.BAD, (check,), {"reason": refusal.reason.value}, nothing, nothing, mat_mm)
