"""Reports of a table that was misread: the frame, what was believed and why, as a folder that `replay` takes again.

What the rules hide is hidden here too: hands that are hidden are blanked, and so is everything beside the mat.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.crop import MARGIN_MM
from app.follow import Moment
from app.loop import RGB, Desk
from app.orders import AnyOrder, Order
from app.output import progress
from app.overlay import draw_overlay
from app.recorder import open_writer
from app.session import dump_info, read_text
from app.setup import Setup
from app.wrong_photo import SCHEMA, free_folder, write_report
from calibration.layout import dump_layout
from calibration.profile import dump_profile
from engine import journal, yamldump
from engine.errors import HanafudaError
from engine.events import Event
from vision.classify import Matcher
from vision.deck import Deck
from vision.values import Frame, SeenCard

BEFORE: Final = "before.jsonl"
"""Holds the events up to the frame of a report, from which a replay of it starts."""
_FPS: Final = 15.0
_LASTS_S: Final = 2.0
"""The frame stands still for so long in the report, so that a replay has the time to believe what it shows."""
_ROOM_MM: Final = 12.0
_GREY: Final = 128
_PATCH_PX: Final = (66, 108)


def report_table(parent: Path, setup: Setup, frame: Frame, moment: Moment, events: Sequence[Event]) -> Path:
    """Writes a report on `frame` and what was believed then into a new folder in `parent`, which it gives.

    `events` are the game's up to this frame. Raises ConfigError where nothing can be written.
    """
    folder = free_folder(parent, f"{setup.info.game}-{frame.t_s:07.2f}s")
    image = blanked(frame.image, setup)
    shown = replace(moment.observation, cards=tuple(_public(moment.observation.cards, setup)))
    info = replace(setup.info, layout="layout.yaml", simulated=None)
    yamldump.write(folder / "session.yaml", dump_info(info))
    yamldump.write(folder / "layout.yaml", dump_layout(setup.layout))
    yamldump.write(folder / "calibration.yaml", dump_profile(setup.profile))
    yamldump.write(folder / BEFORE, "".join(f"{journal.dump(event)}\n" for event in events))
    _write_frames(folder, image, frame.t_s)
    cv2.imwrite(str(folder / "frame.png"), image)
    view = setup.profile.view()
    believed = draw_overlay(image, shown, view, setup.layout, setup.deck.card_mm)
    cv2.imwrite(str(folder / "believed.png"), np.ascontiguousarray(believed[..., ::-1]))
    report = {
        "schema": SCHEMA,
        "kind": "table",
        "image": "frame.png",
        "game": setup.info.game,
        "deck": setup.info.deck,
        "t_s": round(frame.t_s, 4),
        "frame": frame.index,
        "hands": shown.hands,
        "gone": sorted(str(card) for card in shown.gone),
        "hidden": sorted(str(card) for card in shown.hidden),
        "cards": _reasons(image, shown.cards, setup),
    }
    write_report(folder, report)
    return folder


def blanked(image: NDArray[np.uint8], setup: Setup) -> NDArray[np.uint8]:
    """`image`, uint8 (H, W, 3) BGR, grey beside the mat and, in games with hidden hands, where hands may lie."""
    out = image.copy()
    view = setup.profile.view()
    hides = setup.game.hidden_hands
    half = np.array(setup.layout.mat_mm) / 2 + (0.0 if hides else MARGIN_MM)
    mat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    keep = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(keep, [_px(view.camera_px(_dense(mat)))], 1)
    ends = view.camera_px(np.array([[0.0, 0.0], [_ROOM_MM, 0.0]]))
    room = np.ones((2 * int(np.ceil(np.linalg.norm(ends[1] - ends[0]))) + 1,) * 2, np.uint8)
    for zone in setup.layout.zones if hides else ():
        if zone.place.zone == "hand":
            hidden = np.zeros_like(keep)
            cv2.fillPoly(hidden, [_px(view.camera_px(_dense(np.asarray(zone.polygon_mm, np.float64))))], 1)
            keep[cv2.dilate(hidden, room) > 0] = 0
    out[keep == 0] = _GREY
    return out


class Reporting:
    """A desk whose operator may say that what is believed is wrong: each time a report is written, beside the game."""

    def __init__(self, desk: Desk, setup: Setup, session: Path, say: Callable[[str], None] = progress) -> None:
        self._desk = desk
        self._setup = setup
        self._session = session
        self._say = say
        self._last: tuple[Frame, Moment] | None = None
        self._writers: list[threading.Thread] = []

    def desk(self) -> Desk:
        """The desk to be used instead."""
        return Desk(self.orders, self.watch)

    def orders(self) -> Sequence[AnyOrder]:
        """What was ordered, but for reports, which are written."""
        given = self._desk.orders()
        if Order.WRONG in given and self._last is not None:
            writer = threading.Thread(target=self._write, args=self._last, name="report")
            writer.start()
            self._writers.append(writer)
        return tuple(order for order in given if order is not Order.WRONG)

    def watch(self, frame: Frame, moment: Moment, picture: RGB) -> None:
        """Shows a moment and remembers it."""
        self._last = frame, moment
        self._desk.watch(frame, moment, picture)

    def close(self) -> None:
        """Waits until all reports are written."""
        for writer in self._writers:
            writer.join()

    def _write(self, frame: Frame, moment: Moment) -> None:
        try:
            log = self._session / "events.jsonl"
            events = journal.load_log(read_text(log), str(log)).events
            until = [event for event in events if event.t_s <= frame.t_s]
            folder = report_table(self._session / "reports", self._setup, frame, moment, until)
        except (HanafudaError, OSError, cv2.error) as error:
            self._say(f"hanafuda: no report was written: {error}")
            return
        self._say(f"reported: {folder} (look at it: hanafuda replay {folder} --window)")


def _public(cards: Iterable[SeenCard], setup: Setup) -> Iterable[SeenCard]:
    """The cards that may be known of."""
    for seen in cards:
        if not (setup.game.hidden_hands and seen.place is not None and seen.place.zone == "hand"):
            yield seen


def _write_frames(folder: Path, image: NDArray[np.uint8], t_s: float) -> None:
    """The frame as a short recording that stands still."""
    even = np.ascontiguousarray(image[: image.shape[0] // 2 * 2, : image.shape[1] // 2 * 2])
    count = round(_LASTS_S * _FPS)
    writer = open_writer(folder / "frames.mkv", even, _FPS)
    for _ in range(count):
        writer.write(even)
    writer.release()
    lines = "".join(f'{{"i": {i}, "t_s": {round(t_s + i / _FPS, 4)}}}\n' for i in range(count))
    yamldump.write(folder / "frames.jsonl", lines)


def _reasons(image: NDArray[np.uint8], cards: Sequence[SeenCard], setup: Setup) -> list[dict[str, Any]]:
    """Each believed card with its place, its probability, and how well each face fits the picture there."""
    patches, corners = [], []
    for seen in cards:
        quad = setup.profile.view().camera_px(_corners(seen, setup.deck), seen.pose.height_mm)
        corners.append([[round(float(x), 1), round(float(y), 1)] for x, y in quad])
        square = np.array([[0, 0], [66, 0], [66, 108], [0, 108]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(quad.astype(np.float32), square)
        patches.append(cv2.warpPerspective(image, warp, _PATCH_PX, borderMode=cv2.BORDER_REPLICATE))
    matches = Matcher(setup.deck).best(np.stack(patches)) if patches else ()
    return [
        {
            "card": "back" if not seen.face_up else str(seen.card or "unread"),
            "probability": round(seen.probability, 4),
            "place": None if seen.place is None else str(seen.place),
            "visible": round(seen.visible, 3),
            "since_s": round(seen.since_s, 3),
            "corners_px": where,
            "alternatives": [[str(card), round(p, 4)] for card, p in seen.alternatives],
            "faces": [[str(card or "back"), round(score, 4)] for card, score in ((m.card, m.score), *m.alternatives)],
        }
        for seen, where, m in zip(cards, corners, matches, strict=True)
    ]


def _corners(seen: SeenCard, deck: Deck) -> NDArray[np.float64]:
    return np.array(seen.pose.corners_mm(*deck.card_mm), np.float64)


def _dense(polygon_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """A polygon (N, 2) with points along its sides, so that the lens may bend them."""
    steps = np.linspace(0, 1, 12, endpoint=False)[:, None]
    ends = zip(polygon_mm, np.roll(polygon_mm, -1, axis=0), strict=True)
    return np.concatenate([a + (b - a) * steps for a, b in ends])


def _px(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.rint(np.clip(points, -1e5, 1e5)), np.int32)
