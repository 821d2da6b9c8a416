"""Whether camera and mat lay still while the patterns were shown, and whether photographs show what their names say."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration import patterns
from calibration.findings import Check, Mark
from calibration.mat_pose import see_markers
from calibration.photographs import Photographs
from calibration.profile import Markers
from calibration.view import TableView

_STIRRED_MM: Final = 0.3
_MOVED_MM: Final = 1.0
_STIRRED_PX: Final = 0.3  # of the camera: in coarse pictures seeing alone errs as much
_FIX: Final = "let nobody touch table, camera or projector, and calibrate again"
_A_BOARD: Final = 145
"""Numbers of markers that each board has for itself."""
_LEAST: Final = 16  # printed markers may be of the same dictionary
_TIMES: Final = 2


def check_stillness(
    photos: Photographs, view: TableView, markers: Markers | None, corners_px: Mapping[int, NDArray[np.float64]]
) -> tuple[Check, ...]:
    """How far the mat's markers lie in the last dark picture from where they were in the first, `corners_px` (4, 2).

    Nothing where there is no second dark picture, or no marker is seen in both.
    """
    if markers is None or patterns.AFTER not in photos.by_name:
        return ()
    after = see_markers(photos.by_name[patterns.AFTER].grey, markers)
    both = sorted(set(after) & set(corners_px))
    if not both:
        return ()
    old, new = (np.array([quads[n].mean(axis=0) for n in both]) for quads in (corners_px, after))
    moved = float(np.linalg.norm(view.table_mm(new) - view.table_mm(old), axis=1).max())
    px_mm = float(np.linalg.norm(view.table_mm(old[:1] + 1.0) - view.table_mm(old[:1]))) / 2**0.5
    if moved > max(_MOVED_MM, _STIRRED_PX * px_mm):
        return (Check("stillness", Mark.BAD, f"camera or mat moved by {moved:.1f} mm while patterns were shown", _FIX),)
    if moved > max(_STIRRED_MM, _STIRRED_PX * px_mm):
        return (Check("stillness", Mark.NOTE, f"camera or mat stirred by {moved:.1f} mm meanwhile", _FIX),)
    return (Check("stillness", Mark.WELL, f"camera and mat lay still ({moved:.2f} mm)"),)


def misnamed(photos: Photographs) -> tuple[str, str] | None:
    """A photograph under the name of a board, or the dark one, that shows another board, and that one; None if none."""
    for name in photos.by_name:
        if not name.startswith(("board", patterns.IDLE)) or name == patterns.AFTER:
            continue
        shown = photos.idle.grey if name == patterns.IDLE else photos.difference(name)
        counts = dict.fromkeys(map(patterns.board_name, patterns.LEVELS), 0)
        for number in patterns.token_markers(patterns.readable(shown)):
            for board in counts:
                first = patterns.first_number(board)
                counts[board] += first <= number < first + _A_BOARD
        likely = max(counts, key=lambda board: counts[board])
        if likely != name and counts[likely] >= max(_LEAST, _TIMES * counts.get(name, 0)):
            return name, likely
    return None
