"""A session's folder while it is played: made, written to, and found again after a kill."""

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from app.session import FrameTime, LineLog, SessionInfo, dump_info, load_frames, read_text
from app.simulator.players import Slip
from calibration.layout import Layout, dump_layout
from calibration.profile import Profile, dump_profile
from engine import journal, yamldump
from engine.errors import ConfigError
from engine.events import Ended, Event

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl


def make_folder(folder: Path, info: SessionInfo, layout: Layout, profile: Profile) -> None:
    """Writes session.yaml, layout.yaml and calibration.yaml. Raises ConfigError where `folder` holds anything yet."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: is there already and not empty; name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be made ({error.strerror})") from error
    yamldump.write(folder / "layout.yaml", dump_layout(layout))
    yamldump.write(folder / "calibration.yaml", dump_profile(profile))
    yamldump.write(folder / "session.yaml", dump_info(info))


def locked(path: Path) -> IO[bytes] | None:
    """The file opened and locked until it is closed or its process ends; None where another process has locked it."""
    file = path.open("ab")
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return None
    return file


class EventLog:
    """events.jsonl: each event is handed to the system as it is appended, and to the disk by `sync`."""

    def __init__(self, folder: Path) -> None:
        path = folder / "events.jsonl"
        self._lock = locked(path)
        if self._lock is None:
            raise ConfigError(f"{path}: another program is playing this game")
        self._lines = LineLog(path)

    def append(self, event: Event) -> None:
        """Appends one event."""
        self._lines.append(journal.dump(event))

    def sync(self) -> None:
        """Waits until all events lie on the disk."""
        self._lines.sync()

    def close(self) -> None:
        """Closes the file."""
        self._lines.close()
        if self._lock is not None:
            self._lock.close()


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A session that was broken off: its events, and the session time at which it goes on."""

    folder: Path
    events: tuple[Event, ...]
    t_s: float


def find_unfinished(folder: Path) -> Unfinished | None:
    """What there is to go on with in `folder`; None where its game has ended, never began or is being played.

    Raises ConfigError for a log that is damaged elsewhere than in its last line.
    """
    path = folder / "events.jsonl"
    if not (folder / "session.yaml").is_file() or not path.is_file():
        return None
    lock = locked(path)
    if lock is None:
        return None  # it is being played
    lock.close()
    events = journal.load_log(read_text(path), str(path)).events
    if not events or any(isinstance(event, Ended) for event in events):
        return None
    return Unfinished(folder, events, events[-1].t_s)


def mend(unfinished: Unfinished) -> int:
    """Makes the folder's files whole again: cuts torn lines, and frames later than the last event.

    Gives the index of the next frame.
    """
    _rewrite(unfinished.folder / "events.jsonl", (journal.dump(event) for event in unfinished.events))
    frames = load_frames(unfinished.folder / "frames.jsonl")
    kept = tuple(frame for frame in frames if frame.t_s < unfinished.t_s)
    if frames:
        _rewrite(unfinished.folder / "frames.jsonl", (_frame_line(frame) for frame in kept))
    return len(kept)


def write_truth(folder: Path, truth: Iterable[Event | Slip]) -> None:
    """Writes truth.jsonl, for material whose truth is known."""
    _rewrite(folder / "truth.jsonl", (truth_line(event) for event in truth))


def truth_line(event: Event | Slip) -> str:
    """One line of truth.jsonl."""
    if isinstance(event, Slip):
        slip: dict[str, Any] = {"event": "slip", "t_s": event.t_s, "kind": event.kind}
        return json.dumps(slip | {"until_s": event.until_s, "seat": event.seat})
    return journal.dump(event)


def _frame_line(frame: FrameTime) -> str:
    line: dict[str, Any] = {"i": frame.index, "t_s": frame.t_s}
    return json.dumps(line if frame.file is None else line | {"file": frame.file})


def _rewrite(path: Path, lines: Iterable[str]) -> None:
    yamldump.write(path, "".join(f"{line}\n" for line in lines))
