"""A projector that goes and comes back."""

import numpy as np

from app.light import Light
from engine.errors import DeviceError


class Beamer:
    def __init__(self) -> None:
        self.pictures: list[int] = []
        self.gone = self.closed = False

    def show(self, picture: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]") -> None:
        if self.gone:
            raise DeviceError("gone")
        self.pictures.append(int(picture[0, 0, 0]))

    def is_lost(self) -> bool:
        return self.gone

    def close(self) -> None:
        self.closed = True


def picture(value: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    return np.full((2, 2, 3), value, dtype=np.uint8)


def test_the_last_picture_is_shown_when_the_projector_comes_back() -> None:
    now = 0.0
    beamers = [Beamer()]
    there = True

    def opened() -> Beamer:
        if not there:
            raise DeviceError("no display")
        beamers.append(Beamer())
        return beamers[-1]

    light = Light(opened, lambda: now)
    light.show(picture(1))
    beamers[-1].gone, there = True, False
    light.keep()
    assert beamers[-1].closed
    light.show(picture(2))
    now = 2.0
    light.keep()
    there, now = True, 2.5
    light.keep()
    assert len(beamers) == 2  # it is not tried at every frame
    now = 3.1
    light.keep()
    assert beamers[-1].pictures == [2]
    light.show(picture(3))
    assert beamers[-1].pictures == [2, 3]


def test_a_projector_lost_while_showing_does_not_stop_the_game() -> None:
    beamer = Beamer()
    light = Light(lambda: beamer, lambda: 0.0)
    beamer.gone = True
    light.show(picture(1))
    assert beamer.closed and beamer.pictures == []
