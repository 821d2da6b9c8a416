"""The simulated table through the whole program: played, recorded, replayed, compared with what really happened."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.course import Course, read_course
from app.lights import Lights
from app.loop import Desk, Table
from app.main import main
from app.orders import AnyOrder, Order
from app.play import Wish, play_games
from app.recording import find_recording
from app.replay import replay
from app.setup import Setup, load_setup
from app.tables import Simulated
from app.trials import GameTrial, play_trial
from app.venues import HeadlessVenue, SimulatedPlace
from app.verify import verify
from calibration.layout import builtin_layout
from engine import catalogue
from vision.deck import find_deck, load_deck

SECONDS = 12.0


class ShortVenue(HeadlessVenue):
    """A simulated table that is left after `SECONDS`."""

    def desk(self, table: Table, setup: Setup, lights: Lights) -> Desk:
        assert isinstance(table, Simulated)
        simulated = table.table

        def orders() -> Sequence[AnyOrder]:
            return (Order.QUIT,) if simulated.clock > SECONDS else ()

        return Desk(orders, super().desk(table, setup, lights).watch)


def upto(course: Course, t_s: float) -> Course:
    return Course(tuple(move for move in course.moves if move.t_s <= t_s))


def test_a_recorded_game_replays_to_the_same_events(tmp_path: Path) -> None:
    game = catalogue.load("chotto-hana-awase")
    deck = load_deck(find_deck("tsuki"))
    wish = Wish(game, 2, 0, deck, "tsuki", builtin_layout(2), "both", True, tmp_path / "game", tmp_path)
    result = play_games(ShortVenue(SimulatedPlace(3, "felt", (960, 540), 12.0)), wish)[0]
    assert not result.ended
    setup = load_setup(result.folder)
    run = replay(setup, find_recording(result.folder), lambda _: None)
    live = read_course(result.folder / "events.jsonl")
    assert run.problem is None and run.frames == len((result.folder / "frames.jsonl").read_text().splitlines())
    end = SECONDS - 1.5  # what came to rest just before the end is decided by what comes after
    assert verify(upto(run.course, end), upto(live, end)).differences == ()
    truth = read_course(result.folder / "truth.jsonl")
    assert len(upto(truth, end).moves) >= 3
    differences = verify(upto(run.course, end + 1), upto(truth, end), max_moves=2).differences
    assert len(differences) <= 2, [str(d) for d in differences]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_simulated_game_is_scored_as_it_was_played(seats: int) -> None:
    outcome = play_trial(GameTrial("chotto-hana-awase", seats, 11, (960, 540)))
    assert outcome.verdict.score_differences == ()


@pytest.mark.slow
def test_play_without_a_display_leaves_a_session_that_verifies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--headless", "--out", str(tmp_path / "game"), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["ended"] and answer["session"] == str(tmp_path / "game")
    assert main(["replay", str(tmp_path / "game"), "--verify"]) == 0
