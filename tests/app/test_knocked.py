"""Knocks on the simulated table, through the eyes: the table says what moved and the game goes on right."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
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
from app.simulator.knocks import Knock, knocked, moved_mm, parse
from app.simulator.rig import build_rig
from app.tables import Simulated
from app.venues import HeadlessVenue, SimulatedPlace
from app.verify import verify
from calibration.layout import builtin_layout
from engine import catalogue
from engine.errors import ConfigError
from engine.events import Knocked
from vision.deck import find_deck, load_deck


class WatchedVenue(HeadlessVenue):
    """A simulated table left after `seconds`; it keeps how far the light fell beside its place, and the words."""

    def __init__(self, place: SimulatedPlace, seconds: float) -> None:
        super().__init__(place)
        self.seconds = seconds
        self.light_mm: list[float] = []
        self.words: set[str] = set()

    def desk(self, table: Table, setup: Setup, lights: Lights) -> Desk:
        assert isinstance(table, Simulated)
        simulated = table.table
        x, y = (np.linspace(-side / 2, side / 2, 7) for side in simulated.rig.mat_mm)
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)

        def orders() -> Sequence[AnyOrder]:
            return (Order.QUIT,) if simulated.clock > self.seconds else ()

        def watch(_frame: object, moment: object, _picture: object) -> None:
            fell = simulated.rig.projector_from_table.inverse.map(lights.projector_from_table.map(grid))
            self.light_mm.append(float(np.linalg.norm(fell - grid, axis=1).max()))
            self.words |= {text.text for text in lights.scene.texts}

        return Desk(orders, watch)


def wish(folder: Path, record: bool = False) -> Wish:
    game, deck = catalogue.load("chotto-hana-awase"), load_deck(find_deck("tsuki"))
    return Wish(game, 2, 0, deck, "tsuki", builtin_layout(2), "both", record, folder, folder.parent)


def upto(course: Course, t_s: float) -> Course:
    return Course(tuple(move for move in course.moves if move.t_s <= t_s))


def knocks_in(folder: Path) -> list[tuple[str, str]]:
    lines = (json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines())
    return [(line["what"], line["done"]) for line in lines if line["event"] == "knocked"]


def test_mat_and_camera_moved_in_mid_game_are_followed_and_replayed(tmp_path: Path) -> None:
    place = SimulatedPlace(3, "felt", (960, 540), 15.0, (Knock("mat", 2.0, 8.0), Knock("camera", 6.0, 5.0)))
    venue = WatchedVenue(place, 11.0)
    result = play_games(venue, wish(tmp_path / "game", record=True))[0]
    assert knocks_in(result.folder) == [("mat", "followed"), ("camera", "followed")]
    assert "マットが動きました。光を合わせました  The mat was moved; the light follows" in venue.words
    assert max(venue.light_mm[30:36]) > 6  # the light fell beside its place for some frames,
    assert max(venue.light_mm[45:]) < 0.5  # and then no more
    live, truth = (read_course(result.folder / name) for name in ("events.jsonl", "truth.jsonl"))
    end = 9.5  # what came to rest just before the end is decided by what comes after
    assert verify(upto(live, end + 1), upto(truth, end), max_moves=1).differences == ()
    run = replay(load_setup(result.folder), find_recording(result.folder), lambda _: None)
    said = [(event.what, event.done) for event in run.events if isinstance(event, Knocked)]
    assert said == [("mat", "followed"), ("camera", "followed")]
    assert verify(upto(run.course, end), upto(live, end)).differences == ()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 4])
def test_a_whole_game_with_every_kind_of_knock_ends_right(tmp_path: Path, seed: int) -> None:
    told = ("projector@15:5", "mat@30:8", "camera@45:5", "covered@60", "projector@80:3", "camera@100:2")
    venue = WatchedVenue(SimulatedPlace(seed, "felt", (960, 540), 15.0, tuple(map(parse, told))), 1e4)
    result = play_games(venue, wish(tmp_path / "game"))[0]
    assert result.ended
    mended, covered = [("projector", "waits"), ("projector", "mended")], [("covered", "seen"), ("covered", "over")]
    moved = [("mat", "followed"), ("camera", "followed")]
    assert knocks_in(result.folder) == [*mended, *moved, *covered, *mended, ("camera", "followed")]
    live, truth = (read_course(result.folder / name) for name in ("events.jsonl", "truth.jsonl"))
    assert verify(live, truth, max_moves=0).differences == ()
    assert venue.light_mm[-1] < 0.6


@pytest.mark.parametrize(("text", "knock"), [("mat@30:8", Knock("mat", 30, 8)), ("camera@1.5", Knock("camera", 1.5))])
def test_a_knock_as_text(text: str, knock: Knock) -> None:
    assert parse(text) == knock
    assert parse(str(knock)) == knock


@pytest.mark.parametrize("text", ["cup@3", "mat", "mat@x", "mat@3:", "mat@-1"])
def test_a_knock_that_is_none_is_named(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError, match="--knock"):
        parse(text)
    assert main(["play", "--headless", "--knock", text]) == 2
    assert "--knock" in capsys.readouterr().err


def test_a_real_table_is_not_knocked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--camera", "0", "--profile", str(tmp_path / "P.yaml"), "--knock", "mat@3"]) == 2
    assert "simulated table only" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("what", "seen", "lit"), [("camera", 7.0, 0.0), ("projector", 0.0, 7.0), ("mat", 7.0, 7.0), ("covered", 0.0, 0.0)]
)
def test_a_knock_moves_what_it_says_by_what_it_says(what: str, seen: float, lit: float) -> None:
    rig = build_rig((1000.0, 640.0), (960, 540), 3)
    after = knocked(rig, Knock(what, 3.0, 7.0), 5)
    assert moved_mm(rig, after) == pytest.approx((seen, lit), abs=0.15)
