"""Recordings: written while playing, read back frame by frame, and what is wrong with one is said."""

import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.ahead import ahead
from app.recorder import Recorder, bytes_a_minute
from app.recording import find_recording, read_frames
from engine.errors import DeviceError
from vision.values import Frame


def record(folder: Path, count: int, first: int = 0, start_s: float = 0.0) -> None:
    with Recorder(folder, 10.0, first) as recorder:
        for i in range(count):
            image = np.full((48, 64, 3), 10 * (first + i) % 250, dtype=np.uint8)
            recorder.add(Frame(image, start_s + i * 0.2, i))


def test_frames_come_back_in_order_with_their_own_times(tmp_path: Path) -> None:
    record(tmp_path, 12)
    frames = list(read_frames(find_recording(tmp_path)))
    assert [f.index for f in frames] == list(range(12))
    assert [f.t_s for f in frames] == pytest.approx([i * 0.2 for i in range(12)])
    assert [round(float(f.image.mean()) / 10) for f in frames] == list(range(12))


def test_without_frame_times_time_is_index_by_rate(tmp_path: Path) -> None:
    record(tmp_path, 5)
    (tmp_path / "frames.jsonl").unlink()
    assert [f.t_s for f in read_frames(find_recording(tmp_path))] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])


def test_a_second_piece_continues_the_first(tmp_path: Path) -> None:
    record(tmp_path, 5)
    record(tmp_path, 4, first=5, start_s=3.0)
    frames = list(read_frames(find_recording(tmp_path)))
    assert [f.index for f in frames] == list(range(9))
    assert frames[5].t_s == 3.0 and round(float(frames[5].image.mean()) / 10) == 5


def test_any_video_of_the_folder_will_do(tmp_path: Path) -> None:
    record(tmp_path, 3)
    (tmp_path / "frames.jsonl").unlink()
    (tmp_path / "frames.mkv").rename(tmp_path / "film.mkv")
    assert len(list(read_frames(find_recording(tmp_path)))) == 3


def test_a_killed_recording_may_lack_its_last_frames(tmp_path: Path) -> None:
    record(tmp_path, 20)
    lines = (tmp_path / "frames.jsonl").read_text()
    extra = "".join(f'{{"i": {i}, "t_s": {i * 0.2}}}\n' for i in range(20, 30))
    (tmp_path / "frames.jsonl").write_text(lines + extra)
    assert len(list(read_frames(find_recording(tmp_path)))) == 20


def test_a_video_that_ends_early_is_read_and_then_said(tmp_path: Path) -> None:
    record(tmp_path, 6)
    lines = "".join(f'{{"i": {i}, "t_s": {i * 0.2}}}\n' for i in range(30))
    (tmp_path / "frames.jsonl").write_text(lines)
    frames = read_frames(find_recording(tmp_path))
    assert [next(frames).index for _ in range(6)] == list(range(6))
    with pytest.raises(DeviceError, match="ends early, after 6 of 30"):
        next(frames)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("frames.mkv", b"", "frames.mkv"),
        ("frames.mkv", b"no video at all" * 50, "frames.mkv"),
        ("notes.txt", b"x", "frames.mkv"),
    ],
    ids=["empty file", "no video", "no file"],
)
def test_what_is_no_video_is_named(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DeviceError, match=said):
        list(read_frames(find_recording(tmp_path)))


def test_two_videos_without_the_right_name_are_not_guessed_between(tmp_path: Path) -> None:
    for name in ("a.mkv", "b.mkv"):
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(DeviceError, match=r"a\.mkv, b\.mkv"):
        find_recording(tmp_path)


def test_a_disk_that_refuses_stops_the_recording_not_the_game(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    recorder = Recorder(folder / "not there", 10.0)
    for i in range(200):
        recorder.add(Frame(np.zeros((48, 64, 3), dtype=np.uint8), i / 10, i))
    recorder.close()
    assert recorder.problem is not None and "recording has stopped" in recorder.problem


def test_the_size_that_is_announced_grows_with_picture_and_rate() -> None:
    assert bytes_a_minute((1000, 500), 15) == 15 * bytes_a_minute((1000, 500), 1) > bytes_a_minute((500, 500), 15)


def test_ahead_keeps_order_and_hands_errors_on_after_the_rest() -> None:
    def failing() -> Iterator[int]:
        yield from range(5)
        raise DeviceError("gone")

    seen = []
    with pytest.raises(DeviceError, match="gone"):
        for item in ahead(failing()):
            seen.append(item)
    assert seen == list(range(5))


def test_ahead_can_be_left_early() -> None:
    made: list[int] = []

    def endless() -> Iterator[int]:
        for i in itertools.count():
            made.append(i)
            yield i

    items = ahead(endless(), depth=2)
    assert [next(items) for _ in range(3)] == [0, 1, 2]
    items.close()
    count = len(made)
    assert count <= 8
    assert all(thread.name != "ahead" for thread in threading.enumerate())
