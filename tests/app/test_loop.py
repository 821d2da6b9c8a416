"""The loop with eyes that are told what happens: order of stages, orders, what is on disk before it is shown."""

import io
from typing import Any

import numpy as np
import pytest

from app.follow import Follower
from app.lights import LANGUAGES, Lights
from app.loop import Desk, Ending, play
from app.orders import AnyOrder, Order, SpeakIn, ThatCardIs, Undo, parse
from app.stdin_orders import LineOrders
from engine import catalogue
from engine.cards import Card
from engine.errors import ConfigError
from engine.events import Corrected, Dealt, Ended, Event, Moved, Started
from tests.app.fakes import GAME, LAYOUT, BlankTable, ToldReader, facts, profile
from vision.values import Observation


class Scene:
    """A loop ready to run: `orders` are given when so many frames have been read."""

    def __init__(self, frames: int = 125, orders: dict[int, AnyOrder] | None = None, seed: int = 1) -> None:
        self.log: list[Event] = []
        self.steps: list[str] = []
        self.reader = ToldReader(facts(seed))
        self.table = BlankTable(frames)
        self.follower = Follower(GAME, 2, 0, self.reader, self.logged)
        self.lights = Lights(profile(), LAYOUT, GAME, "en")
        self._orders = dict(orders or {})

    def logged(self, event: Event) -> None:
        self.log.append(event)
        self.steps.append("log")

    def orders(self) -> tuple[AnyOrder, ...]:
        order = self._orders.pop(self.table.read_count + self.table.waits, None)
        return () if order is None else (order,)

    def run(self) -> Ending:
        self.follower.begin()
        show = self.table.show

        def shown(picture: Any) -> None:
            self.steps.append("show")
            show(picture)

        self.table.show = shown  # type: ignore[method-assign]  # to see the order of things
        desk = Desk(self.orders, lambda *_: None)
        return play(self.table, self.follower, self.lights, desk, lambda: self.steps.append("sync"), None)


def test_a_whole_game_is_followed_to_its_end() -> None:
    scene = Scene()
    assert scene.run() is Ending.NO_MORE_FRAMES
    assert isinstance(scene.log[0], Started) and isinstance(scene.log[1], Dealt)
    assert [e for e in scene.log if isinstance(e, Dealt | Moved)] == list(facts())
    assert sum(isinstance(e, Ended) for e in scene.log) == 1 and scene.follower.over


def test_events_are_on_disk_before_they_are_shown() -> None:
    scene = Scene()
    scene.run()
    since: list[str] = []
    for step in scene.steps:
        if step == "show":
            assert "log" not in since or "sync" in since[since.index("log") :]
            since = []
        else:
            since.append(step)
    assert scene.steps.count("sync") < 60  # and only when there is something new


def test_the_light_is_redrawn_only_when_the_scene_changes() -> None:
    scene = Scene()
    scene.run()
    assert 10 < len(scene.table.shown) < 80 < scene.table.read_count
    assert all(not np.array_equal(a, b) for a, b in zip(scene.table.shown, scene.table.shown[1:], strict=False))


def test_quit_and_next_game_end_the_loop_at_once() -> None:
    for order, ending in ((Order.QUIT, Ending.QUIT), (Order.NEXT_GAME, Ending.NEXT_GAME)):
        scene = Scene(orders={20: order})
        assert scene.run() is ending
        assert scene.table.read_count == 20


def test_a_pause_reads_no_frames_until_it_ends() -> None:
    scene = Scene(frames=60, orders={20: Order.PAUSE, 25: Order.PAUSE})
    scene.run()
    assert scene.table.waits == 5 and scene.table.read_count == 60


def test_undo_takes_the_last_move_back_and_is_logged() -> None:
    scene = Scene(frames=40, orders={30: Undo()})
    scene.run()
    undone = next(i for i, e in enumerate(scene.log) if isinstance(e, Corrected))
    before = [e for e in scene.log[:undone] if isinstance(e, Moved)]
    facts_left = [e for e in scene.follower.session.facts if isinstance(e, Moved)]
    assert before[-1] not in facts_left and before[:-1] == facts_left[: len(before) - 1]


def test_that_card_is_reaches_the_eyes_and_the_log() -> None:
    was, now = facts()[0].field[0], facts()[0].field[1]  # type: ignore[union-attr]  # the first fact is the deal
    scene = Scene(frames=30, orders={15: ThatCardIs(was, now), 20: Order.LOOK_AGAIN})
    scene.run()
    assert scene.reader.calls == [f"{was} is {now}", "look again"]
    assert any(isinstance(e, Corrected) and (e.was, e.now) == (was, now) for e in scene.log)


def test_language_changes_what_is_shown() -> None:
    scene = Scene(frames=30, orders={20: SpeakIn("ja"), 25: SpeakIn()})
    scene.run()
    assert scene.lights.language == LANGUAGES[0]
    assert len(scene.table.shown) >= 3


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("undo", Undo(1)),
        ("u 3", Undo(3)),
        ("card 03-bright 03-ribbon", ThatCardIs(Card.parse("03-bright"), Card.parse("03-ribbon"))),
        ("look", Order.LOOK_AGAIN),
        ("pause", Order.PAUSE),
        ("next", Order.NEXT_GAME),
        ("language ja", SpeakIn("ja")),
        ("l", SpeakIn()),
        (" quit ", Order.QUIT),
    ],
)
def test_orders_are_read_from_text(text: str, order: AnyOrder) -> None:
    assert parse(text) == order


@pytest.mark.parametrize(
    "text", ["", "dance", "undo 0", "undo x", "card 03-bright", "card 13-bright 01-bright", "language fr"]
)
def test_what_is_no_order_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ConfigError):
        parse(text)


def test_orders_come_from_lines_and_nonsense_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    orders = LineOrders(io.StringIO("undo 2\n\ndance\nquit\n"))
    orders.join()
    assert orders.take() == (Undo(2), Order.QUIT)
    assert orders.take() == ()
    said = capsys.readouterr().err
    assert "'dance' is no order" in said and "orders: undo" in said


def test_the_eyes_are_told_of_all_light_that_is_shown_to_them() -> None:
    scene = Scene()
    scene.run()
    assert len(scene.reader.lit_s) == len(scene.table.shown) > 1
    assert scene.reader.lit_s == sorted(scene.reader.lit_s)


def test_the_dealer_of_a_series_is_told_to_deal_before_the_cards_lie() -> None:
    follower = Follower(catalogue.load("junior-chotto"), 2, 1, ToldReader(()), lambda _: None)
    follower.begin()
    lines = follower.guidance(Observation(1.0, ())).seat_lines
    assert lines[1] is not None and lines[1].en == "You deal"
    assert lines[0] != lines[1]
