"""A game that was broken off goes on with the state of its last event; its recording stays whole."""

import json
from pathlib import Path

import pytest

from app.folder import EventLog, find_unfinished, mend, write_truth
from app.loop import Ending
from app.orders import Order
from app.play import play_games, play_one
from app.recording import find_recording, read_frames
from app.session import load_frames, load_info
from engine import journal, referee
from engine.errors import ConfigError
from engine.events import Event
from tests.app.fakes import GAME, BlankVenue, Killed, facts, told, wish


def events_of(folder: Path) -> tuple[Event, ...]:
    return journal.load_log((folder / "events.jsonl").read_text(), "events.jsonl").events


def killed_session(tmp_path: Path, kill_at: int = 30, record: bool = False) -> Path:
    folder = tmp_path / "game"
    with pytest.raises(Killed):
        play_games(BlankVenue(kill_at=kill_at), wish(tmp_path, folder, record), None, told(facts()))
    return folder


@pytest.mark.parametrize(("kill_at", "moves"), [(1, 14), (4, 14), (25, 14), (85, 99)])
def test_a_killed_game_goes_on_as_if_nothing_had_happened(tmp_path: Path, kill_at: int, moves: int) -> None:
    script, frames = facts()[: moves + 1], min(125, 4 * moves)
    folder = tmp_path / "game"
    with pytest.raises(Killed):
        play_games(BlankVenue(kill_at=kill_at), wish(tmp_path, folder), None, told(script))
    unfinished = find_unfinished(folder)
    assert unfinished is not None
    result = play_games(BlankVenue(frames), wish(tmp_path), unfinished, told(script))[0]
    expected, _ = referee.finish(referee.replay(GAME, script), 0.0)
    assert referee.replay(GAME, events_of(folder)).facts[1 : len(script) + 1] == script
    assert result.ended is expected.ended and result.seats == GAME.score(expected.state)


def test_a_torn_last_line_is_dropped(tmp_path: Path) -> None:
    folder = killed_session(tmp_path, 30)
    whole = events_of(folder)
    with (folder / "events.jsonl").open("a") as file:
        file.write('{"event": "moved", "t_s": 6.7, "ca')
    unfinished = find_unfinished(folder)
    assert unfinished is not None and unfinished.events == whole
    mend(unfinished)
    assert events_of(folder) == whole and (folder / "events.jsonl").read_text().endswith("\n")


def test_a_damaged_line_before_the_last_is_an_error_that_names_it(tmp_path: Path) -> None:
    folder = killed_session(tmp_path, 30)
    lines = (folder / "events.jsonl").read_text().splitlines()
    damaged = "\n".join([lines[0], lines[1][:30], *lines[2:]]) + "\n"
    (folder / "events.jsonl").write_text(damaged)
    with pytest.raises(ConfigError, match=r"events\.jsonl:2"):
        find_unfinished(folder)
    assert (folder / "events.jsonl").read_text() == damaged


def test_a_game_that_is_being_played_is_not_offered(tmp_path: Path) -> None:
    folder = killed_session(tmp_path, 10)
    log = EventLog(folder)
    assert find_unfinished(folder) is None
    with pytest.raises(ConfigError, match="another program"):
        EventLog(folder)
    log.close()
    assert find_unfinished(folder) is not None


def test_a_finished_game_is_not_offered(tmp_path: Path) -> None:
    result = play_games(BlankVenue(), wish(tmp_path), None, told(facts()))[0]
    assert result.ended and result.winner and find_unfinished(result.folder) is None


def test_the_recording_goes_on_in_a_second_file_and_is_one_sequence(tmp_path: Path) -> None:
    folder = killed_session(tmp_path, 30, record=True)
    unfinished = find_unfinished(folder)
    assert unfinished is not None
    play_one(BlankVenue(frames=20), wish(tmp_path, record=True), 0, unfinished, told(facts()))
    times = load_frames(folder / "frames.jsonl")
    assert [t.index for t in times] == list(range(len(times)))
    assert (folder / "frames-2.mkv").is_file()
    assert [t.file for t in times if t.file is not None] == ["frames-2.mkv"]
    frames = list(read_frames(find_recording(folder)))
    assert [(f.index, f.t_s) for f in frames] == [(t.index, t.t_s) for t in times]
    cut = next(t.index for t in times if t.file is not None)
    assert times[cut - 1].t_s < unfinished.t_s <= times[cut].t_s


def test_the_next_game_has_its_own_folder_and_the_next_dealer(tmp_path: Path) -> None:
    venue = BlankVenue(frames=20, orders={10: Order.NEXT_GAME})
    results = play_games(venue, wish(tmp_path), None, told(facts()))
    assert [r.ending for r in results] == [Ending.NEXT_GAME, Ending.NO_MORE_FRAMES]
    assert [load_info(r.folder / "session.yaml").dealer for r in results] == [0, 1]
    assert results[0].folder != results[1].folder


def test_a_folder_that_holds_something_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "precious").write_text("x")
    with pytest.raises(ConfigError, match="not empty"):
        play_games(BlankVenue(), wish(tmp_path, tmp_path / "game"), None, told(facts()))
    assert [p.name for p in (tmp_path / "game").iterdir()] == ["precious"]


def test_truth_is_written_as_formats_says(tmp_path: Path) -> None:
    from app.simulator.players import Slip

    write_truth(tmp_path, [*facts()[:2], Slip(1.0, "out_of_turn", 2.5, 1)])
    lines = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines] == ["dealt", "moved", "slip"]
    assert lines[2] == {"event": "slip", "t_s": 1.0, "kind": "out_of_turn", "until_s": 2.5, "seat": 1}
