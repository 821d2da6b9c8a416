"""Records simulated games as session folders with the truth beside them: test material, fixtures, demonstrations.

`python -m app.simulator.record OUT --seats 3 --seed 5 --size 960x540 --look wood --deck tsuki`

A small one, as those in `fixtures/recordings`: `--moves 14 --fps 10 --small`.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from app.crop import Crop, crop_of, cropped
from app.simulator.dealing import Setup
from app.simulator.ledger import Slip
from app.simulator.players import Habits
from app.simulator.surface import LOOKS, find_look
from app.simulator.table import SimulatedTable
from app.wishes import parse_options
from calibration.layout import dump_layout, load_layout
from calibration.profile import dump_profile
from engine import catalogue, journal, yamldump
from engine.errors import ConfigError, HanafudaError
from engine.events import Event, Moved
from vision.deck import find_deck, load_deck

_QUALITY = 92
_MOMENT_S = 1.2


def record(
    table: SimulatedTable,
    folder: Path,
    deck_name: str,
    frames: int | None = None,
    moves: int | None = None,
    small: bool = False,
) -> int:
    """Play `table` to its end (or for `frames` frames, or `moves` moves and a moment more), written to `folder`.

    It becomes a session; gives the number of frames. A `small` one is cut to the mat, its video coded by what changes,
    without the true poses of all cards. Raises ConfigError where the folder holds something or no video can be written.
    """
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"{folder} is not empty; give a new folder for the recording")
    folder.mkdir(parents=True, exist_ok=True)
    crop = crop_of(table.profile) if small else Crop(0, 0, *table.size_px)
    session = {
        "schema": 1,
        "game": table.game.name,
        "options": dict(table.game.options),
        "seats": table.seats,
        "dealer": table.dealer,
        "layout": "layout.yaml",
        "deck": deck_name,
        "started_at": "2026-01-01T00:00:00Z",
        "software": "simulated table",
    }
    (folder / "session.yaml").write_text(yamldump.dump(session), encoding="utf-8")
    (folder / "layout.yaml").write_text(dump_layout(table.layout), encoding="utf-8")
    (folder / "calibration.yaml").write_text(dump_profile(cropped(table.profile, crop)), encoding="utf-8")
    video = folder / "frames.mkv"
    code = cv2.VideoWriter.fourcc(*("mp4v" if small else "MJPG"))
    writer = cv2.VideoWriter(str(video), code, table.fps, (crop.width, crop.height))
    if not writer.isOpened():
        raise ConfigError(f"{video} cannot be written as video")
    if not small:
        writer.set(cv2.VIDEOWRITER_PROP_QUALITY, _QUALITY)
    every = max(1, round(table.fps))
    times: list[str] = []
    poses: list[str] = []
    while (frames is None or len(times) < frames) and not _enough(table, moves) and (frame := table.read()) is not None:
        writer.write(crop.image(frame.image))
        if len(times) % every == 0 and not small:
            poses.append(json.dumps(_cards(table)) + "\n")
        times.append(json.dumps({"i": frame.index, "t_s": round(frame.t_s, 4)}) + "\n")
    writer.release()
    (folder / "frames.jsonl").write_text("".join(times), encoding="utf-8")
    if poses:
        (folder / "cards.jsonl").write_text("".join(poses), encoding="utf-8")
    lines = [truth_line(event) + "\n" for event in table.truth]
    (folder / "truth.jsonl").write_text("".join(lines), encoding="utf-8")
    return len(times)


def _enough(table: SimulatedTable, moves: int | None) -> bool:
    """Whether `moves` moves have been made and the last has been lying there for a moment."""
    made = [event.t_s for event in table.truth if isinstance(event, Moved)]
    return moves is not None and len(made) >= moves and table.clock - made[-1] >= _MOMENT_S


def truth_line(event: Event | Slip) -> str:
    """One line of truth.jsonl without its end."""
    if isinstance(event, Slip):
        t_s, until_s = round(event.t_s, 3), round(event.until_s, 3)
        return json.dumps({"event": "slip", "t_s": t_s, "kind": event.kind, "until_s": until_s, "seat": event.seat})
    return journal.dump(event)


def _cards(table: SimulatedTable) -> Mapping[str, Any]:
    """True poses of one moment: `px` corners in the frame, `mm` centre, `hidden` share under other cards."""
    rows = []
    for card, true in sorted(table.true_cards().items(), key=lambda pair: pair[1].order):
        corners = true.pose.corners_mm(*table.world.card_mm)
        px = table.view.camera_px(corners, true.pose.height_mm).round(1).tolist()
        rows.append(
            {
                "card": str(card),
                "zone": None if true.place is None else str(true.place),
                "face_up": true.face_up,
                "px": px,
                "mm": [round(true.pose.x_mm, 3), round(true.pose.y_mm, 3)],
                "height_mm": round(true.pose.height_mm, 2),
                "order": true.order,
                "hidden": round(true.hidden, 2),
                "held": true.held,
            }
        )
    return {"t_s": round(table.clock, 4), "hands": table.hands_in_view, "cards": rows}


def main(arguments: Sequence[str] | None = None) -> int:
    """Record one game as the command line says; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m app.simulator.record", description=__doc__)
    parser.add_argument("out", type=Path, help="new folder for the session")
    parser.add_argument("--game", default="chotto-hana-awase")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", default="960x540", help="width x height of the camera's picture")
    parser.add_argument("--fps", type=float, default=15.0)
    parser.add_argument("--look", default="felt", choices=sorted(LOOKS))
    parser.add_argument("--pace", type=float, default=1.0, help="1 calm, 0.6 fast hands")
    parser.add_argument("--deck", default="tsuki", help="name or folder of a deck")
    parser.add_argument("--layout", type=Path, help="layout file (default: the built-in one)")
    parser.add_argument("--setup", type=Setup, default=Setup.DEALT, choices=list(Setup), help="how the table starts")
    parser.add_argument("--slips", type=float, default=0.0, help="chance a turn that somebody does something wrong")
    parser.add_argument("--slip-kinds", default="out_of_turn", help="what is done wrong, as faults are called: a,b,c")
    parser.add_argument("--misdeals", type=float, default=0.0, help="chance that a deal is a misdeal")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument("--frames", type=int, help="stop after so many frames")
    parser.add_argument("--moves", type=int, help="stop a moment after so many moves")
    parser.add_argument("--small", action="store_true", help="a few MB at most: cut to the mat, no noise, no poses")
    given = parser.parse_args(arguments)
    try:
        width, _, height = given.size.partition("x")
        if not (width.isdigit() and height.isdigit() and int(width) >= 160 and int(height) >= 120):
            raise ConfigError(f"--size must look like 960x540, got {given.size!r}")
        folder, kinds = find_deck(given.deck), tuple(given.slip_kinds.split(","))
        look = find_look(given.look)
        table = SimulatedTable(
            catalogue.load(given.game, parse_options(given.option)),
            given.seats,
            given.seed,
            load_deck(folder),
            None if given.layout is None else load_layout(given.layout),
            replace(look, noise=0.0) if given.small else look,
            (int(width), int(height)),
            given.fps,
            habits=Habits(given.pace, slip=given.slips, slip_kinds=kinds, misdeal=given.misdeals),
            setup=given.setup,
        )
        name = given.deck if "/" not in given.deck else str(folder.resolve())
        count = record(table, given.out, name, given.frames, given.moves, given.small)
    except HanafudaError as problem:
        print(problem, file=sys.stderr)
        return 2
    print(f"{given.out}: {count} frames, {count / given.fps:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
