"""The lens step: views of the board from a folder or a live camera, the lens from them, the file it is kept in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.calibrating import Closed, Desk, Pressed, now_text
from app.image_folder import read_folder, to_grey
from app.lens_picture import lens_picture
from app.output import answer, answer_json, progress
from calibration.board import Board, BoardView, NoBoard, find_board, matching_board
from calibration.coverage import advice, coverage
from calibration.draft import Draft, save_draft
from calibration.gathering import Gathering, gather, take
from calibration.lens_fit import LensResult, fit_lens
from calibration.profile import Camera
from engine.errors import CalibrationError
from engine.events import Words

_MORE: Final = 4
_TRIED: Final = 8
_WELL_COVERED: Final = 0.75
_HALVES_MM: Final = 0.5
_AGAIN: Final = Words("more pictures: elsewhere, tilted another way", "もう数枚、場所と傾きを変えて")

Look = Callable[[], tuple[NDArray[np.uint8], float]]
"""Gives the newest picture, uint8 (H, W, 3) BGR, and its time in seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A lens with the views it comes from."""

    result: LensResult
    views: tuple[BoardView, ...]


def from_folder(folder: Path, board: Board) -> Found:
    """The lens from a folder of pictures. Raises ConfigError or CalibrationError."""
    first = (to_grey(image) for _, image in islice(read_folder(folder, lambda _: None), _TRIED))
    known = matching_board(first, board)
    if known != board:
        progress(f"note: the board in the pictures is {_named(known)}")
    state, markers = Gathering(known), 0
    for name, image in read_folder(folder):
        found = find_board(to_grey(image), known, name)
        markers = max(markers, found.markers if isinstance(found, NoBoard) else 0)
        state, problem = take(state, found)
        progress(f"{name}: {'used' if problem is None else problem.en}")
    if not state.views and markers > 0:
        raise CalibrationError(
            f"--images {folder}: markers of {board.dictionary} are seen, but no board of {board} squares; say with "
            "--board, --square-mm and --marker-mm which board it is"
        )
    if not state.views:
        raise CalibrationError(
            f"--images {folder}: no picture shows a board of {board.dictionary}; print one with "
            "`hanafuda print board`, or say with --dictionary which one it is"
        )
    return Found(fit_lens(state.views), state.views)


def live(board: Board, look: Look, desk: Desk) -> Found | None:
    """The lens from a live camera: views are taken by themselves; None where the operator closed the window.

    Enter works the lens out from what there is, backspace takes the last view back.
    """
    state, problem, wanted = Gathering(board), "", 0
    while True:
        image, t_s = look()
        state = gather(state, find_board(to_grey(image), state.board, f"view {len(state.views) + 1}"), t_s)
        asked = False
        for happened in desk.inputs():
            match happened:
                case Closed():
                    return None
                case Pressed("backspace"):
                    state = replace(state, views=state.views[:-1])
                case Pressed("return"):
                    asked = True
                case _:
                    pass
        if asked or (state.taken and state.complete and len(state.views) >= wanted):
            try:
                return Found(fit_lens(state.views), state.views)
            except CalibrationError as refusal:
                problem, wanted = str(refusal), len(state.views) + _MORE
        if state.taken and len(state.views) > wanted - _MORE:
            problem = ""
        said = _AGAIN if state.complete else state.said
        desk.show(lens_picture(state, image), said, problem)


def keep(
    found: Found, camera_id: str, mode: Mapping[str, str | float], out: Path, as_json: bool, option: str = ""
) -> int:
    """Writes the lens to `out` (what was there is kept as a former profile) and says how good it is.

    `option` belongs to the command that comes next.
    """
    result = found.result
    camera = Camera(camera_id, found.views[0].size_px, result.lens, mode, {}, result.fit)
    save_draft(out, Draft(now_text(), camera))
    for note in notes(found):
        progress(f"note: {note}")
    progress(f"wrote {out}; next: hanafuda calibrate table{option}")
    if as_json:
        answer_json(_facts(out, found))
    else:
        for line in _lines(found):
            answer(line)
    return 0


def notes(found: Found) -> tuple[str, ...]:
    """What could be better, in sentences."""
    said = [f"{name} was left out: it does not fit the others ({px:.1f} px)" for name, px in found.result.dropped]
    seen = coverage(found.views)
    share, more = seen.share, advice(seen)
    if more is not None:
        said.append(f"still better with more pictures: {more.en}")
    if share < _WELL_COVERED:
        said.append(f"the board was seen in {100 * share:.0f} % of the picture only; elsewhere the lens is a guess")
    halves = found.result.halves_mm
    if halves is None:
        said.append("with fewer than 12 pictures the lens cannot be checked against itself; 20 are better")
    elif halves[0] > _HALVES_MM:
        said.append(
            f"two halves of the pictures differ by {halves[0]:.1f} mm on a table of one metre; more pictures, more tilt"
        )
    return tuple(said)


def _is_good(found: Found) -> bool:
    """Whether nothing but luxury is missing: covered, tilted, and the same from either half of the pictures."""
    halves = found.result.halves_mm
    return coverage(found.views).share >= _WELL_COVERED and halves is not None and halves[0] <= _HALVES_MM


def _named(board: Board) -> str:
    return f"{board} squares{', in the pattern of older programs' if board.legacy else ''}"


def _lines(found: Found) -> Sequence[str]:
    result, seen = found.result, coverage(found.views)
    fit, lens = result.fit, result.lens
    halves = result.halves_mm
    apart = "" if halves is None else f"{halves[0]:.2f} mm rms, at most {halves[1]:.2f}, on a table of 1 m"
    return (
        f"lens       {'good' if _is_good(found) else 'usable'}",
        f"pictures   {fit.views} used, {len(result.dropped)} left out, {100 * seen.share:.0f} % of the picture covered",
        f"fit        {fit.rms_px:.2f} px rms, {fit.holdout_px:.2f} px on pictures left out",
        f"focal      {lens.K[0, 0]:.1f} px, sure to {100 * result.focal_doubt:.2f} %",
        f"two halves {apart or 'not compared: too few pictures'}",
    )


def _facts(out: Path, found: Found) -> dict[str, Any]:
    result = found.result
    fit = result.fit
    return {
        "file": str(out),
        "size_px": list(found.views[0].size_px),
        "K": result.lens.K.ravel().tolist(),
        "dist": result.lens.dist.tolist(),
        "views": fit.views,
        "dropped": [{"image": name, "rms_px": px} for name, px in result.dropped],
        "rms_px": fit.rms_px,
        "holdout_px": fit.holdout_px,
        "focal_doubt": round(result.focal_doubt, 6),
        "halves_mm": result.halves_mm and {"rms": round(result.halves_mm[0], 3), "max": round(result.halves_mm[1], 3)},
        "coverage": round(coverage(found.views).share, 3),
        "notes": list(notes(found)),
    }
