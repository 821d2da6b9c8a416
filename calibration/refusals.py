"""Why a calibration is refused: one reason from a list and one sentence that says what to do."""

from enum import StrEnum

from calibration.findings import Findings
from engine.errors import CalibrationError


class Reason(StrEnum):
    """What is wrong, stable for logs, reports and tests."""

    MIRRORED = "mirrored"
    SWAPPED = "markers-swapped"
    SCALED_PRINT = "print-scaled"
    OTHER_SIZE = "other-resolution"
    OTHER_CAMERA = "other-camera"
    LATE = "pattern-late"
    COVERED_BOARD = "board-covered"
    COVERED_MARKERS = "markers-covered"
    TOO_BRIGHT = "too-bright"
    LENS = "lens-implausible"
    SCALES = "projector-scales"
    NOTHING_SEEN = "nothing-seen"
    UNREADABLE = "unreadable"
    INACCURATE = "inaccurate"
    TOO_SMALL = "mat-not-lit"


class Refusal(CalibrationError):  # noqa: N818  (it is an answer as much as an error)
    """A calibration that would be wrong; `reason` names the kind, `findings` is what had been measured by then."""

    def __init__(self, reason: Reason, sentence: str, findings: Findings | None = None) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.findings = findings
