"""`hanafuda doctor`: checks everything that a table needs and says how to mend what is wrong."""

import argparse
from pathlib import Path
from typing import Final

from app.doctor import TITLES, Asked, bad, examine, summary
from app.output import answer, answer_json
from calibration.findings import Mark

_MARKS: Final = {Mark.WELL: "ok  ", Mark.NOTE: "note", Mark.BAD: "BAD "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    parser.epilog = "Exit codes: 0 ready (notes allowed), 1 something must be mended, 2 unusable arguments."
    add = parser.add_argument
    add("--profile", type=Path, metavar="FILE", help="look at this calibration profile")
    add("--camera", metavar="ID", help="the camera over the table (default: that of the profile)")
    add("--display", metavar="NAME|N", help="the projector's display (default: that of the profile)")
    add("--no-devices", action="store_true", help="only list cameras and displays, open none (while a game runs)")
    add("--json", action="store_true", help="answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Examines. 1 where something must be mended before playing. Raises ConfigError for a file that is not there."""
    asked = Asked(arguments.profile, arguments.camera, arguments.display, touch=not arguments.no_devices)
    groups = examine(asked)
    wrong = bad(groups)
    if arguments.json:
        checks = [
            {"group": group.name, "topic": x.topic, "mark": x.mark.value, "found": x.found, "fix": x.fix}
            for group in groups
            for x in group.checks
        ]
        answer_json({"healthy": not wrong, "summary": summary(groups), "checks": checks})
        return int(bool(wrong))
    for group in groups:
        answer(TITLES[group.name])
        for check in group.checks:
            answer(f"  {_MARKS[check.mark]}  {check.topic:<13} {check.found}")
            if check.fix:
                answer(f"        {'':<13} -> {check.fix}")
    answer(summary(groups))
    return int(bool(wrong))
