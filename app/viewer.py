"""What the replay window knows and does, without a window: moments as they are worked out, a place in them, steps."""

import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from app.follow import Moment
from engine.cards import Card
from engine.events import (
    Corrected,
    Dealt,
    Ended,
    Event,
    Fault,
    Knocked,
    Moved,
    Repaired,
    Scored,
    Signalled,
    Started,
    Turn,
)


class Step(Enum):
    """What the person at the window may ask for."""

    PLAY_OR_PAUSE = "space"
    NEXT_FRAME = "right"
    FRAME_BEFORE = "left"
    NEXT_EVENT = "down"
    EVENT_BEFORE = "up"
    FIRST = "home"
    LAST = "end"
    DIFFERENCE = "d"
    QUIT = "q"


@dataclass(frozen=True, slots=True)
class Seek:
    """Goes to this share (0–1) of the whole recording."""

    share: float


@dataclass(frozen=True, slots=True)
class Place:
    """Where the viewer is: frame `index`, running or not; `note` says what a step could not do."""

    index: int = 0
    running: bool = True
    note: str = ""
    over: bool = False


@dataclass(slots=True)
class Story:
    """The moments worked out so far, in order. Only grows; a worker appends while the window reads."""

    total: int | None
    moments: list[Moment] = field(default_factory=list)
    event_frames: list[int] = field(default_factory=list)
    complete: bool = False

    def add(self, moment: Moment) -> None:
        """The next moment."""
        if moment.events:
            self.event_frames.append(len(self.moments))
        self.moments.append(moment)

    @property
    def frames(self) -> int:
        """How many frames the recording has, as far as is known."""
        return max(len(self.moments), self.total or 0)

    def frame_at(self, t_s: float) -> int:
        """The first known frame at or after `t_s`, the last one if there is none."""
        found = bisect.bisect_left(self.moments, t_s, key=lambda moment: moment.t_s)
        return max(0, min(found, len(self.moments) - 1))


def step(place: Place, asked: Step | Seek, story: Story, differences_s: Sequence[float]) -> Place:
    """Where the viewer is after a request. `differences_s` are the times at which run and truth part, sorted."""
    last = max(0, len(story.moments) - 1)
    here = replace(place, note="")
    match asked:
        case Step.QUIT:
            return replace(here, over=True)
        case Step.PLAY_OR_PAUSE:
            return replace(here, running=not place.running)
        case Step.NEXT_FRAME:
            return _at(here, min(place.index + 1, last))
        case Step.FRAME_BEFORE:
            return _at(here, place.index - 1)
        case Step.NEXT_EVENT:
            after = [i for i in story.event_frames if i > place.index]
            return _at(here, after[0]) if after else replace(here, running=False, note="no later event is known yet")
        case Step.EVENT_BEFORE:
            before = [i for i in story.event_frames if i < place.index]
            return _at(here, before[-1]) if before else replace(here, running=False, note="this is before all events")
        case Step.FIRST:
            return _at(here, 0)
        case Step.LAST:
            return _at(here, last)
        case Seek(share):
            wanted = round(share * max(0, story.frames - 1))
            note = "" if wanted <= last else "not worked out that far yet"
            return replace(_at(here, min(wanted, last)), note=note)
        case Step.DIFFERENCE:
            return _to_difference(here, story, differences_s)


def tick(place: Place, story: Story) -> Place:
    """Where the viewer is after the time of one frame."""
    if not place.running or place.index + 1 >= len(story.moments):
        return place
    return replace(place, index=place.index + 1)


def _at(place: Place, index: int) -> Place:
    return replace(place, index=max(0, index), running=False)


def _to_difference(place: Place, story: Story, differences_s: Sequence[float]) -> Place:
    """The next difference after this frame, or the first one again."""
    if not differences_s:
        note = "run and truth agree" if story.complete else "no difference yet; still working it out"
        return replace(place, note=note)
    frames = [story.frame_at(t_s) for t_s in differences_s]
    number = next((n for n, frame in enumerate(frames) if frame > place.index), 0)
    return replace(_at(place, frames[number]), note=f"difference {number + 1} of {len(frames)}")


def describe(event: Event) -> str:
    """An event in a few words."""
    match event:
        case Moved():
            return f"{event.card}: {event.source} to {event.target}"
        case Dealt():
            return f"dealt: {_names(event.field)} on the field"
        case Fault():
            return f"fault {event.code}: {event.message.en}"
        case Repaired():
            return f"repaired {event.code}"
        case Turn():
            return f"turn: seat {event.seat}"
        case Scored():
            return "scored: " + ", ".join(str(tally.total) for tally in event.seats)
        case Ended():
            return "ended: " + ", ".join(str(tally.total) for tally in event.seats)
        case Started():
            return f"started {event.game}"
        case Corrected():
            return f"undo {event.undo}" if event.undo else f"corrected: {event.was} is {event.now}"
        case Signalled():
            return f"said: {event.name}, seat {event.seat}"
        case Knocked():
            return f"{event.what} {event.moved_mm:.1f} mm: {event.done}"


def _names(cards: Sequence[Card]) -> str:
    return " ".join(str(card) for card in cards)
