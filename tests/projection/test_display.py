"""The projector's screen, with a scripted SDL in place of a real one."""

from typing import Any

import numpy as np
import pytest

from engine.errors import DeviceError
from projection import display as module
from projection.display import Projector
from projection.sdl import DisplayInfo

SCREEN, BEAM = DisplayInfo(0, "Laptop", (1280, 720)), DisplayInfo(1, "Beam", (64, 48))


class Sdl:
    """What is used of pygame and its windows. `scale` is what a desktop enlarges by, `on` where windows open."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, scale: float = 1.0, on: int = 1) -> None:
        self.sizes = [SCREEN.size_px, BEAM.size_px]
        self.calls: list[str] = []
        sdl = self

        class Window:
            def __init__(self, _title: str, size: tuple[int, int], **_: Any) -> None:
                self.size = (round(size[0] / scale), round(size[1] / scale))
                self.display_index = on

            def hide(self) -> None:
                sdl.calls.append("hide")

            def destroy(self) -> None:
                sdl.calls.append("destroy window")

        class Part:
            def __init__(self, name: str) -> None:
                self.name = name

            def __del__(self) -> None:
                sdl.calls.append(f"destroy {self.name}")

            def update(self, _: Any) -> None: ...
            def draw(self) -> None: ...
            def clear(self) -> None: ...

            def present(self) -> None:
                sdl.calls.append("present")

        class Video:
            error = OSError

        Video.Window = Window  # type: ignore[attr-defined]
        Video.Renderer = lambda *_, **__: Part("renderer")  # type: ignore[attr-defined]
        Video.Texture = lambda *_, **__: Part("texture")  # type: ignore[attr-defined]

        class Pygame:
            error = OSError

            class mouse:  # noqa: N801
                @staticmethod
                def set_visible(_: bool) -> None: ...

            class display:  # noqa: N801
                @staticmethod
                def get_desktop_sizes() -> list[tuple[int, int]]:
                    return sdl.sizes

            class image:  # noqa: N801
                @staticmethod
                def frombuffer(*_: Any) -> None: ...

        monkeypatch.setattr(module, "video", Video)
        monkeypatch.setattr(module, "pygame", Pygame)
        monkeypatch.setattr(module, "displays", lambda: (SCREEN, BEAM))


def picture() -> Any:
    return np.zeros((48, 64, 3), np.uint8)


def test_the_last_thing_destroyed_is_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    sdl = Sdl(monkeypatch)
    projector = Projector()
    projector.close()
    assert sdl.calls[-3:-1] in (["destroy texture", "destroy renderer"], ["destroy renderer", "destroy texture"])
    assert sdl.calls[-1] == "destroy window"


def test_a_screen_that_the_desktop_enlarges_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    Sdl(monkeypatch, scale=2.0)
    with pytest.raises(
        DeviceError, match=r"says it is 64x48, but a full screen there is 32x24: set its scale to 100 %"
    ):
        Projector()


def test_a_window_that_opens_on_the_operators_screen_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sdl = Sdl(monkeypatch, on=0)
    with pytest.raises(DeviceError, match="a full screen for display 1 opens on display 0"):
        Projector()
    assert "present" not in sdl.calls and "hide" in sdl.calls


@pytest.mark.parametrize("change", ["unplugged", "moved", "another size"])
def test_a_display_that_changes_takes_the_picture_away_at_once(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sdl = Sdl(monkeypatch)
    projector = Projector()
    assert projector.show(picture()) and not projector.is_lost()
    match change:
        case "unplugged":
            sdl.sizes.pop()
        case "moved":
            projector._window.display_index = 0
        case _:
            sdl.sizes[1] = (32, 24)
    shown = sdl.calls.count("present")
    assert projector.is_lost()
    with pytest.raises(DeviceError, match="display is gone"):
        projector.show(picture())
    assert sdl.calls.count("present") == shown and sdl.calls[-1] == "hide"


def test_the_flip_interval_is_measured_and_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    Sdl(monkeypatch)
    ticks = iter([0.0, 0.5])
    monkeypatch.setattr("projection.display.time.perf_counter", lambda: next(ticks))
    projector = Projector()
    assert projector.flip_interval_s(rounds=10) == pytest.approx(0.05)
