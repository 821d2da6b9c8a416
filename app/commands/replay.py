"""`hanafuda replay SESSION`: the whole pipeline on a recording, compared with the truth, exported or looked at."""

import argparse
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from app.course import Course, read_course
from app.export import VideoExport, side_by_side
from app.follow import Log, Moment
from app.lights import LANGUAGES, Lights
from app.memory import peak_mb
from app.output import ProgressLine, answer, answer_json
from app.overlay import draw_overlay
from app.recording import find_recording
from app.replay import Run, See, paced, replay
from app.screen import need_display
from app.session import LineLog
from app.setup import Setup, load_setup
from app.verify import Verdict, verify
from engine import journal
from engine.errors import ConfigError
from engine.events import Event
from vision.values import Frame


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    add = parser.add_argument
    add("session", type=Path, metavar="SESSION", help="folder of a recorded session")
    add("--events", type=Path, metavar="OUT.jsonl", help="write the events of this run")
    add("--video", type=Path, metavar="OUT.mkv", help="write camera and projected picture side by side")
    add("--verify", action="store_true", help="compare with truth.jsonl, else events.jsonl; exit 1 if they differ")
    add("--max-moves", type=_count, default=1, metavar="N", help="so many moves may differ (default 1)")
    add("--speed", type=_speed, metavar="N|max", help="times real time (default max)")
    add("--window", action="store_true", help="look at it: pause, step, seek, jump to the first difference")
    add("--deck", metavar="NAME", help="use this deck instead of the session's")
    add("--decks", type=Path, action="append", default=[], metavar="DIR", help="also look for decks in DIR")
    add("--language", choices=LANGUAGES, default="both", help="language of the projected texts")
    add("--json", action="store_true", help="answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Replays. 1 where `--verify` finds the run wanting."""
    folder: Path = arguments.session
    setup = load_setup(folder, arguments.decks, arguments.deck)
    recording = find_recording(folder)
    truth = read_truth(folder)
    if arguments.verify and truth is None:
        raise ConfigError(f"{folder}: there is neither a truth.jsonl nor an events.jsonl to compare with")
    for out in (arguments.events, arguments.video):
        _check_output(out, folder)
    if arguments.window:
        need_display("leave --window out, or write --video OUT.mkv")
        from app.replay_window import watch

        return watch(setup, recording, truth, arguments.language, arguments.speed or 1.0)
    line = ProgressLine()
    with ExitStack() as stack:
        see = _progress(line)
        if arguments.video is not None:
            see = _both(see, _video(arguments.video, setup, arguments.language, stack))
        if arguments.speed is not None:
            see = paced(see, arguments.speed, time.perf_counter, time.sleep)
        done = replay(setup, recording, _event_log(arguments.events, stack), see)
    line.done()
    verdict = verify(done.course, truth, arguments.max_moves) if arguments.verify and truth is not None else None
    if arguments.json:
        answer_json(_as_dict(folder, done, verdict))
    else:
        answer("\n".join(_lines(done, verdict)))
    if done.problem is not None:
        raise done.problem
    return 1 if verdict is not None and not verdict.passed else 0


def read_truth(folder: Path) -> Course | None:
    """What truth.jsonl, else events.jsonl, of the session says; None where it has neither."""
    for name in ("truth.jsonl", "events.jsonl"):
        if (folder / name).is_file():
            return read_course(folder / name)
    return None


def _check_output(out: Path | None, folder: Path) -> None:
    """Refuses to write over a session's own files or into a folder that is not there."""
    if out is None:
        return
    if not out.parent.is_dir():
        raise ConfigError(f"{out}: there is no folder {out.parent}")
    if out.is_dir() or (out.parent.resolve() == folder.resolve() and out.exists()):
        raise ConfigError(f"{out}: is part of the session (or a folder) and is not written over; name another file")


def _event_log(out: Path | None, stack: ExitStack) -> Log:
    """Writes events to `out`, opened at the first of them, so that bad input leaves an older file alone."""
    logs: list[LineLog] = []

    def log(event: Event) -> None:
        if out is None:
            return
        if not logs:
            out.unlink(missing_ok=True)
            logs.append(stack.enter_context(LineLog(out)))
        logs[0].append(journal.dump(event))

    return log


def _progress(line: ProgressLine) -> See:
    def see(frame: Frame, _: Moment) -> None:
        if frame.index % 150 == 0:
            line.show(f"{frame.t_s:.0f} s of the recording")

    return see


def _both(first: See, second: See) -> See:
    def see(frame: Frame, moment: Moment) -> None:
        first(frame, moment)
        second(frame, moment)

    return see


def _video(out: Path, setup: Setup, language: str, stack: ExitStack) -> See:
    fps = float(setup.profile.camera.mode.get("fps", 15))
    export = stack.enter_context(VideoExport(out, fps))
    lights = Lights(setup.profile, setup.layout, setup.game, language)
    view = setup.profile.view()

    def see(frame: Frame, moment: Moment) -> None:
        camera = draw_overlay(frame.image, moment.observation, view, setup.layout, setup.deck.card_mm)
        export.add(side_by_side(camera, lights.picture(moment)))

    return see


def _as_dict(folder: Path, done: Run, verdict: Verdict | None) -> dict[str, Any]:
    course = done.course
    return {
        "session": str(folder),
        "frames": done.frames,
        "lasts_s": round(done.lasts_s, 3),
        "took_s": round(done.took_s, 3),
        "peak_mb": round(peak_mb(), 1),
        "moves": len(course.moves),
        "ended": course.ended,
        "seats": [{"points": s.points, "yaku": dict(s.yaku), "total": s.total} for s in course.scores],
        "verify": None if verdict is None else verdict.as_dict(),
        "problem": None if done.problem is None else str(done.problem),
    }


def _lines(done: Run, verdict: Verdict | None) -> list[str]:
    rate = done.lasts_s / done.took_s if done.took_s > 0 else 0.0
    lines = [f"{done.frames} frames, {done.lasts_s:.1f} s in {done.took_s:.1f} s: {rate:.1f} times real time"]
    lines += score_lines(done.course)
    if verdict is not None:
        lines += verdict_lines(verdict)
    return lines


def score_lines(course: Course) -> list[str]:
    """Moves and scores in words."""
    state = "ended" if course.ended else "not ended"
    lines = [f"{len(course.moves)} moves, game {state}"]
    for seat, score in enumerate(course.scores):
        yaku = "".join(f" + {name} {value}" for name, value in score.yaku)
        lines.append(f"seat {seat}: {score.points}{yaku} = {score.total}")
    return lines


def verdict_lines(verdict: Verdict) -> list[str]:
    """A comparison in words: what differs, then the outcome."""
    lines = [*verdict.score_differences, *(str(difference) for difference in verdict.differences)]
    lag = verdict.as_dict()["lag_ms"]
    if lag["p50"] is not None:
        lines.append(f"lag p50 {lag['p50']:.0f} ms, p95 {lag['p95']:.0f} ms")
    outcome = "verified" if verdict.passed else "NOT verified"
    scores = "scores differ" if verdict.score_differences else "scores equal"
    lines.append(f"{outcome}: {scores}, {len(verdict.differences)} of {verdict.moves} moves differ")
    return lines


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise ValueError(text)
    return value


def _speed(text: str) -> float | None:
    if text == "max":
        return None
    value = float(text)
    if not 0 < value < 1e6:
        raise ValueError(text)
    return value


_speed.__name__, _count.__name__ = "speed (a number above 0, or max)", "whole number from 0"
