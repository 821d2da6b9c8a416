"""What an operator did while playing is part of the log, and done again when the recording is replayed."""

from pathlib import Path

import pytest

from app.follow import OPERATOR, Follower
from app.orders import AnyOrder, Say, ThatCardIs, Undo
from app.repeat import Repeat, order_of, repeat_of
from engine import catalogue, journal
from engine.cards import Card
from engine.errors import ConfigError
from engine.events import Corrected, Dealt, Event, Moved, Place, Signalled, Turn
from tests.app.fakes import GAME, ToldReader, facts
from tests.app.test_loop import Scene
from vision.values import Frame

CRANE, RIBBON = Card.parse("01-bright"), Card.parse("01-ribbon")
ORDERS: dict[int, AnyOrder] = {60: Undo(1), 90: ThatCardIs(CRANE, RIBBON)}


def test_a_run_with_the_log_s_orders_leads_to_the_same_log() -> None:
    scene = Scene(orders=dict(ORDERS))
    times: list[float] = []
    step = scene.follower.step

    def seen(frame: Frame) -> object:
        times.append(frame.t_s)
        return step(frame)

    scene.follower.step = seen  # type: ignore[method-assign, assignment]
    scene.run()
    assert sum(isinstance(event, Corrected) for event in scene.log) == 2

    again: list[Event] = []
    follower, repeat = Follower(GAME, 2, 0, ToldReader(facts()), again.append), Repeat(scene.log)
    follower.begin()
    blank = Scene().table
    while (frame := blank.read()) is not None:
        repeat.before(frame.t_s, follower)
        follower.step(frame)
    follower.finish(times[-1])
    assert again == scene.log


@pytest.mark.parametrize(
    ("event", "order"),
    [
        (Corrected(1.0, OPERATOR, undo=2), Undo(2)),
        (Corrected(1.0, OPERATOR, was=CRANE, now=RIBBON), ThatCardIs(CRANE, RIBBON)),
        (Signalled(1.0, "pass", 1, by=OPERATOR), Say("pass", 1)),
        (Signalled(1.0, "pass", 1), None),
        (Moved(1.0, CRANE, Place("hand", 0), Place("field")), None),
        (Turn(1.0, 0), None),
    ],
)
def test_only_what_was_keyed_is_repeated(event: Event, order: AnyOrder | None) -> None:
    assert order_of(event) == order


def test_what_is_keyed_for_a_player_is_marked_in_the_log() -> None:
    game = catalogue.load("hiyoko")
    log: list[Event] = []
    follower = Follower(game, 2, 0, ToldReader(()), log.append)
    follower.begin()
    counts = game.deal(2)
    hands = tuple(counts[Place("hand", seat)] for seat in (0, 1))
    opened = tuple(card for card in game.deck[: counts.get(Place("discard"), 0)])
    follower._advance((Dealt(0.5, opened, (), counts[Place("draw")], hands),))
    names = {signal.name for signal in game.expected_signals(follower.session.state)}
    assert "pass" in names
    follower.obey(Say("pass"), 2.0)
    said = [event for event in log if isinstance(event, Signalled)]
    assert [(event.name, event.by) for event in said] == [("pass", OPERATOR)]
    assert journal.load(journal.dump(said[0]), "log:1") == said[0]
    assert "by" not in journal.dump(Signalled(1.0, "pass", 0))


def test_a_folder_without_a_log_has_nothing_to_repeat_and_a_damaged_log_is_named(tmp_path: Path) -> None:
    scene = Scene()
    scene.follower.begin()
    assert repeat_of(tmp_path).before(1e9, scene.follower) == ()
    (tmp_path / "events.jsonl").write_text("nonsense\n" + journal.dump(Turn(1.0, 0)) + "\n")
    with pytest.raises(ConfigError, match=r"events\.jsonl"):
        repeat_of(tmp_path)
