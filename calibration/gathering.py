"""Gathering views of the board: which are good enough, and in a live picture the moment at which to take one.

The same judgement holds for a folder of pictures; only stillness and novelty are asked of a live camera alone.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.board import Board, BoardView, NoBoard
from calibration.coverage import advice, coverage, tilt_rad
from engine.events import Words

_LARGEST_EDGE_PX: Final = 5.5  # in pictures up to 1920 px wide; the same blur has more px in larger ones
_SMALLEST_SPAN: Final = 0.12  # of the picture's width: a board further away tells little
_STILL_SHARE_S: Final = 0.03  # of the picture's width a second: slower counts as still
_STILL_S: Final = 0.25
_NEW_SHARE: Final = 0.06
_NEW_TURN_RAD: Final = math.radians(8)
_NEW_SIZE: Final = 1.15
_START: Final = Words("hold the board into the picture", "ボードを画面にかざしてください")


@dataclass(frozen=True, slots=True, eq=False)
class Gathering:
    """How far the gathering has come. `said` is what to do next; `taken` says that the last picture was kept."""

    board: Board
    views: tuple[BoardView, ...] = ()
    last: BoardView | None = None
    last_s: float = 0.0
    still_since_s: float | None = None
    taken: bool = False
    said: Words = _START

    @property
    def complete(self) -> bool:
        """Whether nothing is missing any more."""
        return advice(coverage(self.views)) is None


def problem_of(found: BoardView | NoBoard, board: Board) -> Words | None:
    """Why a picture of the board is not good enough, and what to do; None for a good one."""
    match found:
        case NoBoard(0):
            return Words("no board in the picture", "ボードが写っていません")
        case NoBoard(markers):
            return Words(
                f"only a few corners of the board are seen ({markers} markers): show more of it; is it {board}?",
                f"ボードの一部しか見えません（マーカー{markers}個）。もっと画面に入れて",
            )
        case BoardView() if found.edge_px > _LARGEST_EDGE_PX * max(1.0, found.size_px[0] / 1920):
            return Words(
                "not sharp: hold still, more light, check the focus", "ぼけています：動かさず、明るく、ピントも確認"
            )
        case BoardView() if float(np.ptp(found.points_px, axis=0).max()) < _SMALLEST_SPAN * found.size_px[0]:
            return Words("too small: bring the board nearer", "小さすぎます：ボードを近づけて")
        case _:
            return None


def gather(before: Gathering, found: BoardView | NoBoard, t_s: float) -> Gathering:
    """After a live picture at `t_s`: a view is taken when the board is sharp, has lain still, and is somewhere new."""
    problem = problem_of(found, before.board)
    if not isinstance(found, BoardView):
        said = problem or before.said
        return replace(before, last=None, last_s=t_s, still_since_s=None, taken=False, said=said)
    since = _still_since(before, found, t_s)
    now = replace(before, last=found, last_s=t_s, still_since_s=since, taken=False)
    if problem is not None:
        return replace(now, said=problem)
    if not _is_new(found, before.views):
        return replace(now, said=_next(before.views))
    if since is None or t_s - since < _STILL_S:
        return replace(now, said=Words("good: now hold still", "いいですね：そのまま動かさないで"))
    views = (*before.views, found)
    return replace(now, views=views, taken=True, still_since_s=None, said=_next(views))


def take(before: Gathering, found: BoardView | NoBoard) -> tuple[Gathering, Words | None]:
    """After a picture of a folder: kept, or not and why."""
    problem = problem_of(found, before.board)
    if problem is not None or not isinstance(found, BoardView):
        return replace(before, taken=False), problem
    views = (*before.views, found)
    return replace(before, views=views, last=found, taken=True, said=_next(views)), None


def _next(views: tuple[BoardView, ...]) -> Words:
    return advice(coverage(views)) or Words("enough: the lens can be worked out", "十分です：計算できます")


def _still_since(before: Gathering, found: BoardView, t_s: float) -> float | None:
    """Since when the board has been still, None while it moves."""
    moved = None if before.last is None else _moved_px(before.last, found)
    if moved is None or t_s <= before.last_s:
        return None
    if moved / (t_s - before.last_s) > _STILL_SHARE_S * found.size_px[0]:
        return None
    return before.last_s if before.still_since_s is None else before.still_since_s


def _moved_px(one: BoardView, other: BoardView) -> float | None:
    """How far the corners seen in both are apart, the mean in px; None where fewer than four are."""
    _, at_one, at_other = np.intersect1d(one.ids, other.ids, return_indices=True)
    if len(at_one) < 4:
        return None
    return float(np.linalg.norm(one.points_px[at_one] - other.points_px[at_other], axis=1).mean())


def _is_new(found: BoardView, views: tuple[BoardView, ...]) -> bool:
    """Whether no view yet has the board at about this place, of this size and tilt."""
    return all(_differ(found, view) for view in views)


def _differ(one: BoardView, other: BoardView) -> bool:
    moved = _moved_px(one, other)
    if moved is None or moved > _NEW_SHARE * one.size_px[0]:
        return True
    if math.dist(tilt_rad(one), tilt_rad(other)) > _NEW_TURN_RAD:
        return True
    ratio = _size(one) / _size(other)
    return max(ratio, 1 / ratio) > _NEW_SIZE


def _size(view: BoardView) -> float:
    """Px a mm, roughly."""
    return float(np.ptp(view.points_px, axis=0).max() / np.ptp(view.points_mm, axis=0).max())
