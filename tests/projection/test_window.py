"""The operator's window and the projector, on SDL's dummy driver: no real window is opened."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.errors import DeviceError
from projection import sdl
from projection.display import Projector, choose
from projection.screen import plan, to_image
from projection.sdl import DisplayInfo, pygame
from projection.window import Click, Drag, Key, Panel, Quit, Seek, Timeline, Window

TWO = (DisplayInfo(0, "Laptop", (1920, 1200)), DisplayInfo(1, "EPSON PJ", (1920, 1080)))


@pytest.fixture(autouse=True)
def dummy_driver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


def picture(width: int, height: int, value: int = 60) -> NDArray[np.uint8]:
    return np.full((height, width, 3), value, dtype=np.uint8)


def post(kind: int, **fields: object) -> None:
    pygame.event.post(pygame.event.Event(kind, fields))


def test_keys_and_the_close_button_come_out_as_values() -> None:
    window = Window("test", (640, 360))
    window.inputs()
    post(pygame.KEYDOWN, key=pygame.K_u, mod=0)
    post(pygame.KEYDOWN, key=pygame.K_LEFT, mod=pygame.KMOD_LSHIFT)
    post(pygame.QUIT)
    assert window.inputs() == (Key("u"), Key("left", shift=True), Quit())
    window.close()


def test_a_click_is_told_in_px_of_the_picture_under_it() -> None:
    window = Window("test", (640, 360))
    window.show([Panel("camera", picture(1920, 1080)), Panel("projected", picture(960, 540))])
    window.inputs()
    boxes = plan([(1920, 1080), (960, 540)], window.size_px, False).boxes
    left, top, width, height = boxes[1]
    post(pygame.MOUSEBUTTONDOWN, pos=(left + width // 2, top + height // 2), button=1)
    post(pygame.MOUSEMOTION, pos=(left + width - 1, top + height // 2))
    post(pygame.MOUSEBUTTONUP, pos=(left + width - 1, top + height // 2), button=1)
    click, drag, dropped = window.inputs()
    assert isinstance(click, Click)
    assert isinstance(drag, Drag)
    assert click.panel == 1
    assert click.x_px == pytest.approx(480, abs=2)
    assert drag.from_px == (click.x_px, click.y_px)
    assert drag.to_px[0] == pytest.approx(959, abs=2)
    assert isinstance(dropped, Drag)
    assert dropped.done
    window.close()


def test_a_click_beside_all_pictures_is_nothing() -> None:
    window = Window("test", (640, 360))
    window.show([Panel("camera", picture(100, 100))])
    window.inputs()
    post(pygame.MOUSEBUTTONDOWN, pos=(1, 1), button=1)
    assert window.inputs() == ()
    window.close()


def test_the_timeline_gives_the_place_to_seek_to() -> None:
    window = Window("test", (640, 360))
    window.show([Panel("camera", picture(160, 90))], timeline=Timeline(0.2, (0.1,), (0.7,)))
    window.inputs()
    bar = plan([(160, 90)], window.size_px, True).timeline
    assert bar is not None
    post(pygame.MOUSEBUTTONDOWN, pos=(bar[0] + (bar[2] - 1) // 4, bar[1] + 5), button=1)
    (seek,) = window.inputs()
    assert isinstance(seek, Seek)
    assert seek.position == pytest.approx(0.25, abs=0.01)
    window.close()


def test_the_centre_of_the_first_window_pixel_of_a_picture_maps_near_its_first_pixel() -> None:
    assert to_image(10, 20, (10, 20, 100, 50), (100, 50)) == (0.0, 0.0)
    assert to_image(109, 69, (10, 20, 100, 50), (100, 50)) == (99.0, 49.0)


@pytest.mark.parametrize("sizes", [[(1920, 1080)], [(1920, 1080)] * 2, [(1920, 1080)] * 3, [(100, 400), (1920, 1080)]])
@pytest.mark.parametrize("window", [(1600, 900), (900, 1400), (320, 240)])
def test_pictures_lie_inside_the_window_and_apart(sizes: list[tuple[int, int]], window: tuple[int, int]) -> None:
    boxes = plan(sizes, window, True).boxes
    assert len(boxes) == len(sizes)
    for i, (left, top, width, height) in enumerate(boxes):
        assert left >= 0
        assert top >= 0
        assert left + width <= window[0]
        assert top + height <= window[1]
        for other in boxes[:i]:
            assert left >= other[0] + other[2] or top >= other[1] + other[3]


def test_the_projector_shows_a_picture_once_and_refuses_another_size() -> None:
    width, height = sdl.displays()[0].size_px
    projector = Projector(0)
    frozen = picture(width, height)
    frozen.setflags(write=False)
    assert projector.show(frozen)
    assert not projector.show(frozen)
    with pytest.raises(DeviceError, match=f"the picture is 10x10, the projector {width}x{height}"):
        projector.show(picture(10, 10))
    assert projector.flip_interval_s(2) >= 0
    projector.close()


def test_an_unplugged_projector_is_noticed_before_anything_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    projector = Projector(0)
    shown = picture(*projector.size_px)
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [(640, 480)])
    with pytest.raises(DeviceError, match="is gone"):
        projector.show(shown)
    projector.close()


def test_without_a_display_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.delenv("SDL_VIDEODRIVER")
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
    monkeypatch.setattr(pygame.display, "init", lambda: None)
    with pytest.raises(DeviceError, match="there is no display here"):
        sdl.start_video()


@pytest.mark.parametrize(
    ("wanted", "size", "index"),
    [(None, None, 1), (0, None, 0), ("1", (1920, 1080), 1), ("epson", None, 1), ("laptop", None, 0)],
)
def test_a_display_is_chosen_by_index_or_name(
    wanted: str | int | None, size: tuple[int, int] | None, index: int
) -> None:
    assert choose(TWO, wanted, size).index == index


@pytest.mark.parametrize(
    ("found", "wanted", "size", "sentence"),
    [
        (TWO[:1], None, None, "there is no second display for the projector; .*displays: 0 Laptop 1920x1200"),
        (TWO, 5, None, "there is no display 5; displays: .*1 EPSON PJ 1920x1080"),
        (TWO, "benq", None, "there is no display called 'benq'"),
        (TWO, 1, (1280, 720), "the display is 1920x1080, the calibration was made for 1280x720"),
        ((*TWO, DisplayInfo(2, "", (1920, 1080))), None, None, "more than one display"),
        ((), None, None, "displays: none"),
    ],
    ids=["only the operator's", "index", "name", "size", "several", "none"],
)
def test_a_display_that_cannot_be_used_is_named(
    found: tuple[DisplayInfo, ...], wanted: str | int | None, size: tuple[int, int] | None, sentence: str
) -> None:
    with pytest.raises(DeviceError, match=sentence):
        choose(found, wanted, size)
