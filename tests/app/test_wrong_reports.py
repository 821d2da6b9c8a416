"""Wrong frames are saved with what was believed and why, read and replayed again, and show no hidden hand."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from app.follow import Moment
from app.loop import Desk
from app.main import main
from app.orders import AnyOrder, Order, parse
from app.recording import find_recording
from app.replay import events_before, replay
from app.session import SessionInfo
from app.setup import Setup, find_layout, load_game, load_setup
from app.simulator.table import SimulatedTable
from app.wrong_frame import Reporting, blanked, report_table
from calibration.frames import Pose
from engine import journal
from engine.cards import Card
from engine.events import Place, Started
from engine.guidance import Guidance
from tests.vision.scenes import Lying, photograph, quad, tsuki
from vision.phototruth import load_photo
from vision.values import Frame, Observation, SeenCard

BEGUN = (Started(0.0, "hana-awase", {}, 2, 0),)


@cache
def table(name: str) -> tuple[Setup, Frame]:
    """A simulated table where the cards are dealt, and its first frame, said to be of 12.5 s."""
    game = load_game(name, {}, 2, "test")
    layout = find_layout("", game, 2, Path())
    simulated = SimulatedTable(game, 2, 1, tsuki(), layout, "felt", (480, 270))
    frame = simulated.read()
    assert frame is not None
    info = SessionInfo(name, 2, 0, "", "tsuki", game.options, simulated={"seed": 1})
    return Setup(info, game, layout, simulated.profile, tsuki()), Frame(frame.image, 12.5, 7)


def centre(setup: Setup, place: Place) -> tuple[float, float]:
    polygon = next(zone.polygon_mm for zone in setup.layout.zones if zone.place == place)
    x, y = np.array(polygon).mean(axis=0)
    return float(x), float(y)


def moment(setup: Setup, frame: Frame) -> Moment:
    """Believes one card on the field and one in a hand."""
    lying = []
    for card, place in (("01-bright", Place("field")), ("08-bright", Place("hand", 0))):
        pose = Pose(*centre(setup, place), 0.0)
        rivals = ((Card.parse("03-bright"), 0.05),)
        lying.append(SeenCard(Card.parse(card), True, pose, place, 0.9, rivals))
    return Moment(frame.index, frame.t_s, Observation(frame.t_s, tuple(lying)), (), Guidance())


def at(image: np.ndarray[Any, np.dtype[np.uint8]], setup: Setup, x: float, y: float) -> np.ndarray[Any, Any]:
    """The pixels around a spot of the table."""
    u, v = setup.profile.view().camera_px(np.array([x, y]))
    return image[int(v) - 3 : int(v) + 4, int(u) - 3 : int(u) + 4]


@pytest.mark.parametrize(("game", "hides"), [("chotto-hana-awase", False), ("hana-awase", True)])
def test_hidden_hands_and_the_room_are_blanked(game: str, hides: bool) -> None:
    setup, frame = table(game)
    bright = np.full_like(frame.image, 250)
    out = blanked(bright, setup)
    for seat in (0, 1):
        assert bool((at(out, setup, *centre(setup, Place("hand", seat))) == 128).all()) == hides
    assert (at(out, setup, *centre(setup, Place("field"))) == 250).all()
    width, height = setup.layout.mat_mm
    corners = setup.profile.view().camera_px(np.array([[width / 2 + 60, height / 2 + 60]]))[0]
    if 0 <= corners[0] < 479 and 0 <= corners[1] < 269:
        assert (out[int(corners[1]), int(corners[0])] == 128).all()
    assert (out[0, 0] == 128).all() or not hides


def test_a_report_holds_frame_belief_and_reasons_and_nothing_hidden(tmp_path: Path) -> None:
    setup, frame = table("hana-awase")
    folder = report_table(tmp_path, setup, frame, moment(setup, frame), BEGUN)
    report = json.loads((folder / "report.json").read_text())
    assert report["kind"] == "table" and report["t_s"] == 12.5 and report["frame"] == 7
    (card,) = report["cards"]
    assert card["card"] == "01-bright" and card["probability"] == 0.9
    assert card["alternatives"] == [["03-bright", 0.05]]
    assert len(card["faces"]) >= 3 and all(-1 <= score <= 1 for _, score in card["faces"])
    assert "08-bright" not in json.dumps([card["card"]])
    image = cv2.imread(str(folder / "frame.png"))
    assert image is not None and np.array_equal(image, blanked(frame.image, setup))
    believed = cv2.imread(str(folder / "believed.png"))
    assert believed is not None and believed.shape == image.shape and not np.array_equal(believed, image)
    assert "seed" not in (folder / "session.yaml").read_text(), "a seed would tell the hands"
    assert report_table(tmp_path, setup, frame, moment(setup, frame), BEGUN) != folder, "nothing is written over"


def test_a_report_is_replayed_from_what_was_known(tmp_path: Path) -> None:
    setup, frame = table("chotto-hana-awase")
    begun = (Started(0.0, "chotto-hana-awase", setup.game.options, 2, 0),)
    folder = report_table(tmp_path, setup, frame, moment(setup, frame), begun)
    again = load_setup(folder)
    assert events_before(folder) == begun and again.game.name == setup.game.name
    seen: list[Moment] = []
    run = replay(again, find_recording(folder), lambda _: None, lambda _, moment: seen.append(moment))
    assert run.frames == 30 and seen[0].t_s == 12.5
    believed = {card.card for card in seen[-1].observation.cards if card.card is not None}
    assert len(believed) >= 8, "the cards dealt in the frame are read again"
    assert main(["replay", str(folder), "--json"]) == 0


def test_one_key_writes_a_report_beside_the_game(tmp_path: Path) -> None:
    setup, frame = table("chotto-hana-awase")
    (tmp_path / "events.jsonl").write_text("".join(journal.dump(event) + "\n" for event in BEGUN))
    orders: list[tuple[AnyOrder, ...]] = [(Order.WRONG,), (Order.WRONG, Order.LOOK_AGAIN), ()]
    said: list[str] = []
    desk = Desk(lambda: orders.pop(0), lambda *_: None)
    reporting = Reporting(desk, setup, tmp_path, said.append)
    assert reporting.desk().orders() == (), "nothing was seen yet"
    reporting.desk().watch(frame, moment(setup, frame), np.zeros((4, 4, 3), np.uint8))
    assert reporting.desk().orders() == (Order.LOOK_AGAIN,)
    reporting.close()
    (folder,) = (tmp_path / "reports").iterdir()
    assert (folder / "report.json").is_file() and str(folder) in said[0]
    assert parse("wrong") is Order.WRONG and parse("w") is Order.WRONG


def test_a_report_that_cannot_be_written_is_said_and_the_game_goes_on(tmp_path: Path) -> None:
    setup, frame = table("chotto-hana-awase")
    said: list[str] = []
    reporting = Reporting(Desk(lambda: (Order.WRONG,), lambda *_: None), setup, tmp_path / "gone", said.append)
    reporting.watch(frame, moment(setup, frame), np.zeros((4, 4, 3), np.uint8))
    assert reporting.orders() == ()
    reporting.close()
    assert len(said) == 1 and "no report was written" in said[0]


def test_a_misread_photograph_is_saved_read_again_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANAFUDA_HOME", str(tmp_path / "home"))
    image, _ = photograph(tsuki(), [Lying(Card.parse("08-bright"), quad(110, 150, 8, 180))], (220, 300), seed=3)
    path = tmp_path / "holiday.png"
    cv2.imwrite(str(path), image)
    reports = tmp_path / "reports"
    assert main(["read", str(path), "--deck", "tsuki", "--report", str(reports), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    folder = reports / "holiday"
    report = json.loads((folder / "report.json").read_text())
    assert report["deck"] == "tsuki" and report["cards"] == first["cards"]
    assert report["candidates"][0]["fate"] == "believed" and report["candidates"][0]["card"] == "08-bright"
    assert {"correlation", "lead", "detail", "visible", "edges", "votes", "rivals"} <= set(report["candidates"][0])
    assert main(["read", str(folder), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["cards"] == first["cards"] and again["image"] == str(folder)
    truth = load_photo(folder / "report.json")
    assert truth.image == folder / "photo.png" and len(truth.cards) == 1


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"image": 3}', '{"image": "a.png"}', '{"image": "a.png", "deck": "tsuki"}']
)
def test_a_damaged_report_is_named(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "report.json").write_text(text)
    assert main(["read", str(tmp_path), "--deck", "tsuki"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("hanafuda: ") and said.count("\n") == 1 and str(tmp_path) in said


def test_a_report_from_a_table_is_not_read_as_a_photograph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setup, frame = table("chotto-hana-awase")
    folder = report_table(tmp_path, setup, frame, moment(setup, frame), BEGUN)
    assert main(["read", str(folder), "--deck", "tsuki"]) == 2
    assert f"hanafuda replay {folder}" in capsys.readouterr().err
