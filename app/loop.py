"""The loop: a frame in, the light out. It joins the stages and owns nothing but their order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.follow import Follower, Moment
from app.lights import LANGUAGES, Lights
from app.orders import AnyOrder, Order, SpeakIn
from app.recorder import Recorder
from app.unseen import Unseen
from calibration.profile import Profile
from engine.events import Event
from vision.values import Frame

RGB = NDArray[np.uint8]


class Table(Protocol):
    """A camera over a table and a light onto it, real or simulated."""

    @property
    def profile(self) -> Profile:
        """The calibration that fits the frames."""
        ...

    def read(self) -> Frame | None:
        """The next frame, `t_s` in seconds since the session began; None when there will be no more.

        Raises Unseen where there is none for now.
        """
        ...

    def show(self, picture: RGB) -> None:
        """Projects a picture, uint8 (H, W, 3) RGB in the projector's px."""
        ...

    def wait(self) -> None:
        """Lets a moment pass in which the game is paused."""
        ...

    def close(self) -> None:
        """Lets go of all devices."""
        ...


class Ending(Enum):
    """Why the loop came back."""

    NO_MORE_FRAMES = "the table has no more frames"
    NEXT_GAME = "the next game was asked for"
    QUIT = "the operator quit"


@dataclass(frozen=True, slots=True)
class Desk:
    """The operator's side: what was ordered since it was last asked, and what is shown of each moment."""

    orders: Callable[[], Sequence[AnyOrder]]
    watch: Callable[[Frame, Moment, RGB], None]


def play(
    table: Table, follower: Follower, lights: Lights, desk: Desk, sync: Callable[[], None], recorder: Recorder | None
) -> Ending:
    """Plays until the frames end or somebody orders otherwise. What is new lies on the disk before it is shown."""
    paused, shown, t_s = False, None, 0.0
    fresh: tuple[Event, ...] = ()
    sync()
    while True:
        for order in desk.orders():
            match order:
                case Order.QUIT:
                    return Ending.QUIT
                case Order.NEXT_GAME:
                    return Ending.NEXT_GAME
                case Order.PAUSE:
                    paused = not paused
                case SpeakIn(language):
                    lights.language = language or _next(lights.language)
                case _:
                    fresh += follower.obey(order, t_s)
        if paused:
            table.wait()
            continue
        try:
            frame = table.read()
        except Unseen as trouble:
            picture = lights.notice(trouble.words)
            if picture is not shown:
                table.show(picture)
                follower.lit(picture, t_s)
                shown = picture
            continue
        if frame is None:
            follower.finish(t_s)
            sync()
            return Ending.NO_MORE_FRAMES
        t_s = frame.t_s
        if recorder is not None:
            recorder.add(frame)
        moment = follower.step(frame)
        if fresh or moment.events:
            sync()
            fresh = ()
        picture = lights.picture(moment)
        if picture is not shown:
            table.show(picture)
            follower.lit(picture, t_s)
            shown = picture
        desk.watch(frame, moment, picture)


def _next(language: str) -> str:
    return LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]
