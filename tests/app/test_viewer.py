"""Stepping through a replay, without a window."""

import pytest

from app.follow import Moment
from app.viewer import Place, Seek, Step, Story, describe, step, tick
from engine.events import Event, Turn
from engine.guidance import Guidance
from tests.app.fakes import facts
from vision.values import Observation


def story(frames: int = 10, events_at: tuple[int, ...] = (2, 5, 8), total: int | None = 20) -> Story:
    made = Story(total)
    for i in range(frames):
        events: tuple[Event, ...] = (Turn(i / 10, 0),) if i in events_at else ()
        made.add(Moment(i, i / 10, Observation(i / 10, ()), events, Guidance()))
    return made


@pytest.mark.parametrize(
    ("at", "asked", "to"),
    [
        (4, Step.NEXT_FRAME, 5),
        (9, Step.NEXT_FRAME, 9),
        (4, Step.FRAME_BEFORE, 3),
        (0, Step.FRAME_BEFORE, 0),
        (2, Step.NEXT_EVENT, 5),
        (8, Step.NEXT_EVENT, 8),
        (5, Step.EVENT_BEFORE, 2),
        (2, Step.EVENT_BEFORE, 2),
        (4, Step.FIRST, 0),
        (4, Step.LAST, 9),
        (0, Seek(0.25), 5),
        (0, Seek(0.9), 9),
        (0, Step.DIFFERENCE, 3),
        (3, Step.DIFFERENCE, 7),
        (7, Step.DIFFERENCE, 3),
    ],
)
def test_a_step_goes_where_it_should(at: int, asked: Step | Seek, to: int) -> None:
    after = step(Place(at), asked, story(), (0.3, 0.65))
    assert after.index == to and not after.running


def test_what_cannot_be_done_is_said() -> None:
    assert step(Place(9), Step.NEXT_EVENT, story(), ()).note
    assert "not worked out" in step(Place(0), Seek(1.0), story(), ()).note
    assert "still" in step(Place(0), Step.DIFFERENCE, story(), ()).note
    done = story()
    done.complete = True
    assert step(Place(0), Step.DIFFERENCE, done, ()).note == "run and truth agree"


def test_it_runs_up_to_what_is_known_and_stands_when_paused() -> None:
    place = Place(7)
    for _ in range(5):
        place = tick(place, story())
    assert place.index == 9
    paused = step(Place(3), Step.PLAY_OR_PAUSE, story(), ())
    assert tick(paused, story()).index == 3
    assert step(paused, Step.PLAY_OR_PAUSE, story(), ()).running


def test_quitting_is_over() -> None:
    assert step(Place(3), Step.QUIT, story(), ()).over


def test_events_are_described_by_what_moved_where() -> None:
    deal, first = facts()[:2]
    assert describe(deal).startswith("dealt: ")
    assert str(first.card) in describe(first)  # type: ignore[union-attr]  # the second fact is a move
