from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import patterns
from calibration.display_search import first_seen
from calibration.photographs import take
from calibration.refusals import Reason, Refusal

SIZE = (960, 540)
GRAIN = np.random.default_rng(1).standard_normal((540, 960), dtype=np.float32)
NAMES = ("idle", "board-100", "board-050", "crosses-060", "white", "idle-after")


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    image: NDArray[np.uint8]
    t_s: float


@dataclass(slots=True)
class FlatStage:
    """A camera that sees the projector's picture px for px, `delay` frames late, half of two while it changes."""

    delay: int
    see: Callable[[NDArray[np.float32]], NDArray[np.float32]] = lambda light: light
    noise: float = 0.0
    frame: int = 0
    coming: list[tuple[int, NDArray[np.uint8]]] = field(default_factory=list)
    lit: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(SIZE[::-1], dtype=np.uint8))

    def show(self, picture: NDArray[np.uint8], /) -> None:
        self.coming.append((self.frame + self.delay, picture))

    def read(self) -> Look:
        self.frame += 1
        before = self.lit
        for at, picture in self.coming:
            if at <= self.frame:
                self.lit = picture
        self.coming = [(at, picture) for at, picture in self.coming if at > self.frame]
        light = (before.astype(np.float32) + self.lit) / 2 * 0.6
        seen = self.see(np.asarray(cv2.GaussianBlur(light, (0, 0), 0.7), dtype=np.float32))
        if self.noise:
            seen = seen + self.noise * np.roll(GRAIN, 7 * self.frame)
        grey = np.clip(30 + seen, 0, 255).astype(np.uint8)
        return Look(np.repeat(grey[..., None], 3, axis=2), self.frame / 30)


@pytest.mark.parametrize("delay", [1, 3, 6])
def test_no_late_and_no_half_frame_is_taken(delay: int) -> None:
    photos = take(FlatStage(delay), SIZE, NAMES)
    assert set(photos.by_name) == set(NAMES)
    assert photos.delay_s is not None
    assert delay / 30 - 1e-6 <= photos.delay_s <= (delay + 1.1) / 30
    for name in NAMES:
        light = cv2.GaussianBlur(patterns.pattern(name, SIZE).image.astype(np.float32) * 0.6, (0, 0), 0.7)
        assert np.abs(photos.by_name[name].grey - (30 + light)).max() < 2.5


def test_frames_of_noise_alone_before_a_late_picture_are_no_tries() -> None:
    photos = take(FlatStage(6, noise=5.0), SIZE, NAMES)
    assert set(photos.by_name) == set(NAMES)


@dataclass(slots=True)
class Shaded(FlatStage):
    """Somebody stands in the light for `frames` frames after the picture number `picture` was shown."""

    picture: int = 3
    frames: int = 25
    shown: int = 0
    until: int = 0

    def show(self, picture: NDArray[np.uint8], /) -> None:
        FlatStage.show(self, picture)
        self.shown += int(picture.any())
        self.until = self.frame + self.frames if self.shown == self.picture and picture.any() else self.until

    def read(self) -> Look:
        look = FlatStage.read(self)
        return Look(np.full_like(look.image, 30), look.t_s) if self.frame < self.until else look


def test_one_picture_that_is_read_late_neither_loses_the_others_nor_counts_as_the_delay() -> None:
    stage = Shaded(6)
    photos = take(stage, SIZE, NAMES)
    assert stage.shown >= stage.picture
    assert set(photos.by_name) == set(NAMES)
    assert photos.delay_s is not None and photos.delay_s < 0.3


def test_light_that_comes_too_late_for_a_game_is_refused() -> None:
    with pytest.raises(Refusal, match=r"1\.\d s after it was sent") as caught:
        take(FlatStage(40), SIZE, NAMES)
    assert caught.value.reason is Reason.LATE


@pytest.mark.parametrize(
    ("see", "reason"),
    [
        (lambda light: light * 0, Reason.NOTHING_SEEN),
        (lambda light: light * 0.017, Reason.TOO_BRIGHT),
        (lambda light: light[:, ::-1], Reason.MIRRORED),
        (lambda light: cv2.GaussianBlur(light, (0, 0), 25), Reason.UNREADABLE),
    ],
    ids=["off", "outshone", "mirrored", "out-of-focus"],
)
def test_what_cannot_be_read_is_explained(
    see: Callable[[NDArray[np.float32]], NDArray[np.float32]], reason: Reason
) -> None:
    with pytest.raises(Refusal) as caught:
        take(FlatStage(1, see, noise=3.0), SIZE, NAMES)
    assert caught.value.reason is reason


def test_the_display_that_the_camera_sees_is_found() -> None:
    dark = FlatStage(1, lambda light: light * 0)
    assert first_seen([(dark, SIZE), (FlatStage(2), SIZE)]) == 1
    assert first_seen([(dark, SIZE)]) is None
