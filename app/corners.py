"""Calibrating by hand as a state that keys and clicks change: first the mat's corners, then the projector's dots.

A window feeds it and shows what `camera_picture` and `dots_picture` draw; nothing here opens a device.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners import CORNER_NAMES, fit_projector, mat_corners_mm, profile_from_corners, start_dots_px
from calibration.lens import Lens
from calibration.profile import LensFit, Profile, Projector
from engine.errors import CalibrationError
from engine.events import Words

Point = tuple[float, float]

_JA: Final = ("手前左", "手前右", "奥右", "奥左")
_STEPS: Final[Mapping[str, Point]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_FAR_STEP: Final = 20.0
_GRIP_PX: Final = 40.0
_MAGNIFIED: Final = 8
_LOUPE_PX: Final = 16


@dataclass(frozen=True, slots=True)
class CornerWork:
    """How far the work has come. `corners` are clicked camera px, `dots` projector px (empty without a projector).

    `active` is the corner or dot that clicks and arrow keys move; `laying` says that it is the dots' turn now.
    """

    size_px: tuple[int, int]
    mat_mm: tuple[float, float]
    projector_px: tuple[int, int] | None = None
    corners: tuple[Point, ...] = ()
    dots: tuple[Point, ...] = ()
    active: int = 0
    laying: bool = False
    done: bool = False
    problem: str = ""

    def with_points(self, corners: tuple[Point, ...], dots: tuple[Point, ...] = ()) -> "CornerWork":
        """The same work with all corners and dots given at once, as from the command line."""
        return replace(self, corners=corners, dots=dots, active=3, problem="")

    @property
    def words(self) -> Words:
        """What the operator is to do now."""
        if self.done:
            return Words("done", "できました")
        name, name_ja = CORNER_NAMES[self.active], _JA[self.active]
        if self.laying:
            return Words(
                f"lay the lit dot onto the mat's {name} corner (arrows, shift = far), then Enter",
                f"光る点をマットの{name_ja}の角に合わせて（矢印、Shiftで大きく）Enter",
            )
        if len(self.corners) < 4:
            return Words(f"click the mat's {name} corner", f"マットの{name_ja}の角をクリック")
        return Words(
            "correct corners with the mouse, or 1-4 and the arrows, then Enter",
            "マウスか、1〜4と矢印で角を直してから Enter",
        )


def begin(
    size_px: tuple[int, int], mat_mm: tuple[float, float], projector_px: tuple[int, int] | None = None
) -> CornerWork:
    """The work before the first click; `projector_px` is None for a table without a projector."""
    return CornerWork(size_px, mat_mm, projector_px)


def click(work: CornerWork, x_px: float, y_px: float) -> CornerWork:
    """After a click at camera px: the next corner is set; once there are four, the one clicked at becomes active.

    A click away from all four moves the active one there.
    """
    if work.laying or work.done:
        return work
    if len(work.corners) < 4:
        corners = (*work.corners, (x_px, y_px))
        return replace(work, corners=corners, active=min(len(corners), 3), problem="")
    away = [math.dist(corner, (x_px, y_px)) for corner in work.corners]
    if min(away) < _GRIP_PX:
        return replace(work, active=away.index(min(away)), problem="")
    return replace(work, corners=_moved(work.corners, work.active, (x_px, y_px)), problem="")


def drag(work: CornerWork, x_px: float, y_px: float) -> CornerWork:
    """After the mouse moved with its button held: the corner last set, or the active one of four, goes along."""
    if work.laying or work.done or not work.corners:
        return work
    x, y = min(max(x_px, 0.0), work.size_px[0] - 1.0), min(max(y_px, 0.0), work.size_px[1] - 1.0)
    return replace(work, corners=_moved(work.corners, _in_hand(work), (x, y)), problem="")


def press(work: CornerWork, key: str, far: bool = False) -> CornerWork:
    """After a key: arrows move the active point by 1 px (`far`: 20), 1-4 and tab choose, r turns the dots by a corner.

    Backspace goes a step back, return confirms; keys that mean nothing now change nothing.
    """
    match key:
        case "left" | "right" | "up" | "down":
            return _nudged(work, _STEPS[key], _FAR_STEP if far else 1.0)
        case "1" | "2" | "3" | "4" if work.laying or len(work.corners) == 4:
            return replace(work, active=int(key) - 1)
        case "tab" if work.laying or len(work.corners) == 4:
            return replace(work, active=(work.active + 1) % 4)
        case "r" if work.laying:  # the projector hangs the other way round: every dot a corner further
            return replace(work, dots=work.dots[1:] + work.dots[:1])
        case "backspace":
            return _back(work)
        case "return":
            return _confirmed(work)
        case _:
            return work


def finish(
    work: CornerWork,
    made_at: str,
    camera_id: str,
    lens: Lens | None = None,
    lens_fit: LensFit | None = None,
    mode: Mapping[str, str | float] | None = None,
    display: Mapping[str, str | float] | None = None,
) -> tuple[Profile, tuple[str, ...]]:
    """The profile and its warnings. Raises CalibrationError where corners or dots cannot be used."""
    projector = None
    if work.projector_px is not None:
        moved = fit_projector(work.dots, mat_corners_mm(work.mat_mm), work.projector_px)
        projector = Projector(work.projector_px, moved, dict(display or {}))
    return profile_from_corners(
        made_at, camera_id, work.size_px, work.corners, work.mat_mm, lens, lens_fit, mode, projector
    )


def camera_picture(work: CornerWork, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The camera's picture, uint8 (H, W, 3) BGR, with the corners so far and a loupe around the one in hand."""
    picture = image.copy()
    points = [(round(x), round(y)) for x, y in work.corners]
    for start, end in zip(points, [*points[1:], *points[:1]], strict=True):
        if len(points) == 4 or end != points[0]:
            cv2.line(picture, start, end, (0, 220, 255), 1, cv2.LINE_AA)
    for i, point in enumerate(points):
        cv2.drawMarker(picture, point, (0, 0, 0), cv2.MARKER_TILTED_CROSS, 18, 3, cv2.LINE_AA)
        lit = (255, 255, 255) if i == work.active and len(points) == 4 else (0, 220, 255)
        cv2.drawMarker(picture, point, lit, cv2.MARKER_TILTED_CROSS, 18, 1, cv2.LINE_AA)
        cv2.putText(picture, str(i + 1), (point[0] + 12, point[1] - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.7, lit, 2)
    if work.corners and not work.laying:
        _put_loupe(picture, image, work.corners[_in_hand(work)])
    return picture


def dots_picture(work: CornerWork) -> NDArray[np.uint8]:
    """What to project, uint8 (H, W, 3) RGB: black, with the four dots while they are being laid.

    The active dot is a full disc in a ring, the others are small crosses with as many ticks as their number.
    """
    width, height = work.projector_px or (1, 1)
    picture = np.zeros((height, width, 3), dtype=np.uint8)
    for i, (x, y) in enumerate(work.dots if work.laying else ()):
        centre = (round(x), round(y))
        if i == work.active:
            cv2.circle(picture, centre, 22, (255, 255, 255), 2, cv2.LINE_AA)
            cv2.circle(picture, centre, 3, (255, 255, 255), -1, cv2.LINE_AA)
        else:
            cv2.drawMarker(picture, centre, (150, 150, 150), cv2.MARKER_CROSS, 16, 1, cv2.LINE_AA)
        for tick in range(i + 1):
            cv2.circle(picture, (centre[0] - 12 + 8 * tick, centre[1] + 34), 2, (150, 150, 150), -1, cv2.LINE_AA)
    return picture


def _in_hand(work: CornerWork) -> int:
    """The corner that a drag moves: the active one, or the last one set while there are fewer than four."""
    return work.active if len(work.corners) == 4 else len(work.corners) - 1


def _moved(points: tuple[Point, ...], index: int, to: Point) -> tuple[Point, ...]:
    return (*points[:index], to, *points[index + 1 :])


def _nudged(work: CornerWork, step: Point, length: float) -> CornerWork:
    points = work.dots if work.laying else work.corners
    size = work.projector_px if work.laying else work.size_px
    if work.done or len(points) < 4 or size is None:
        return work
    x, y = points[work.active]
    x = min(max(x + step[0] * length, 0.0), size[0] - 1.0)
    y = min(max(y + step[1] * length, 0.0), size[1] - 1.0)
    moved = _moved(points, work.active, (x, y))
    return replace(work, dots=moved, problem="") if work.laying else replace(work, corners=moved, problem="")


def _back(work: CornerWork) -> CornerWork:
    """One step back: from done to the last step, from dot to dot, to the corners, and corner by corner."""
    if work.done:
        return replace(work, done=False)
    if work.laying and work.active > 0:
        return replace(work, active=work.active - 1, problem="")
    if work.laying:
        return replace(work, laying=False, active=3, problem="")
    corners = work.corners[:-1]
    return replace(work, corners=corners, active=len(corners), problem="")


def _confirmed(work: CornerWork) -> CornerWork:
    """The next step, or the same with the `problem` to show where corners or dots cannot be used."""
    if work.done or len(work.corners) < 4:
        return work
    try:
        profile_from_corners("", "", work.size_px, work.corners, work.mat_mm)
    except CalibrationError as problem:
        return replace(work, problem=str(problem))
    if work.projector_px is None:
        return replace(work, done=True, problem="")
    if not work.laying:
        dots: tuple[Point, ...] = work.dots or tuple((x, y) for x, y in start_dots_px(work.projector_px).tolist())
        return replace(work, laying=True, dots=dots, active=0, problem="")
    if work.active < 3:
        return replace(work, active=work.active + 1, problem="")
    try:
        fit_projector(work.dots, mat_corners_mm(work.mat_mm), work.projector_px)
    except CalibrationError as problem:
        return replace(work, problem=str(problem))
    return replace(work, done=True, problem="")


def _put_loupe(picture: NDArray[np.uint8], image: NDArray[np.uint8], at: Point) -> None:
    """Draws what lies around `at`, magnified, into the middle of the picture, where no corner of the mat is."""
    height, width = image.shape[:2]
    side = 2 * _LOUPE_PX
    if min(height, width) < side * _MAGNIFIED:
        return
    left = min(max(round(at[0]) - _LOUPE_PX, 0), width - side)
    top = min(max(round(at[1]) - _LOUPE_PX, 0), height - side)
    loupe = cv2.resize(
        image[top : top + side, left : left + side], None, fx=_MAGNIFIED, fy=_MAGNIFIED, interpolation=cv2.INTER_NEAREST
    )
    middle = (round((at[0] - left + 0.5) * _MAGNIFIED), round((at[1] - top + 0.5) * _MAGNIFIED))
    cv2.drawMarker(loupe, middle, (0, 0, 255), cv2.MARKER_CROSS, 3 * _MAGNIFIED, 1)
    cv2.rectangle(loupe, (0, 0), (loupe.shape[1] - 1, loupe.shape[0] - 1), (0, 220, 255), 2)
    x0, y0 = (width - loupe.shape[1]) // 2, (height - loupe.shape[0]) // 2
    picture[y0 : y0 + loupe.shape[0], x0 : x0 + loupe.shape[1]] = loupe
