"""A session's folder: what was played with which table, the event log that is the session, and the frames' times."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from engine import yamldump, yamlfile
from engine.errors import ConfigError

SCHEMA: Final = 1
_KEYS: Final = (
    "schema",
    "game",
    "options",
    "seats",
    "dealer",
    "layout",
    "deck",
    "started_at",
    "software",
    "simulated",
    "projected",
)


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """The contents of session.yaml. `simulated` holds what rebuilds a simulated table (seed, size_px, …), else None.

    `projected` is the language in which this program projected onto the table, "" where nothing was.
    """

    game: str
    seats: int
    dealer: int
    layout: str
    deck: str
    options: Mapping[str, Any] = field(default_factory=dict)
    started_at: str = ""
    software: str = ""
    simulated: Mapping[str, Any] | None = None
    projected: str = ""


def load_info(path: Path) -> SessionInfo:
    """The session.yaml at `path`. Raises ConfigError that names file and key for whatever cannot be used."""
    top = yamlfile.read(path, SCHEMA).mostly(*_KEYS)
    seats = top.integer("seats", least=1)
    dealer = top.integer("dealer", least=0)
    if dealer >= seats:
        raise top.error("dealer", f"must be a seat from 0 to {seats - 1}, got {dealer}")
    options = top.optional_section("options")
    simulated = top.optional_section("simulated")
    return SessionInfo(
        game=top.text("game"),
        seats=seats,
        dealer=dealer,
        layout=top.text("layout"),
        deck=top.text("deck"),
        options=options.values if options is not None else {},
        started_at=top.text("started_at", ""),
        software=top.text("software", ""),
        simulated=simulated.values if simulated is not None else None,
        projected=top.text("projected", ""),
    )


def dump_info(info: SessionInfo) -> str:
    """The text of session.yaml for `info`."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "game": info.game,
        "options": dict(info.options),
        "seats": info.seats,
        "dealer": info.dealer,
        "layout": info.layout,
        "deck": info.deck,
        "started_at": info.started_at,
        "software": info.software,
    }
    if info.projected:
        data["projected"] = info.projected
    if info.simulated is not None:
        data["simulated"] = dict(info.simulated)
    return yamldump.dump(data)


@dataclass(frozen=True, slots=True)
class FrameTime:
    """A line of frames.jsonl: frame `index` was processed at `t_s`; `file` where a new video file begins."""

    index: int
    t_s: float
    file: str | None = None


def load_frames(path: Path) -> tuple[FrameTime, ...]:
    """The lines of frames.jsonl, without a torn last one; empty if there is no such file.

    Raises ConfigError that names file and line for a line that is no frame, or out of order.
    """
    if not path.exists():
        return ()
    frames: list[FrameTime] = []
    rows = read_text(path).splitlines()
    for number, row in enumerate(rows, 1):
        try:
            line = json.loads(row)
            frame = FrameTime(int(line["i"]), float(line["t_s"]), line.get("file"))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            if number == len(rows):
                break
            raise ConfigError(f'{path}: line {number} must look like {{"i": 0, "t_s": 0.0}}') from error
        if frame.index != len(frames):
            raise ConfigError(f"{path}: line {number} holds frame {frame.index}, {len(frames)} should come now")
        if not frame.t_s >= (frames[-1].t_s if frames else 0.0):
            raise ConfigError(f"{path}: line {number} goes back in time, to {frame.t_s} s")
        frames.append(frame)
    return tuple(frames)


def read_text(path: Path) -> str:
    """The text of the file at `path`, bytes that are no UTF-8 replaced. Raises ConfigError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error


class LineLog:
    """An append-only file of lines. `sync` forces what was appended to the disk, as before an event is shown."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8", newline="\n")

    def append(self, line: str) -> None:
        """Adds a line and hands it to the system, so that a killed process loses nothing."""
        self._file.write(line + "\n")
        self._file.flush()

    def sync(self) -> None:
        """Waits until the lines lie on the disk, so that a power loss loses nothing that was shown."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
