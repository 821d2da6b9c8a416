"""The operator's window: shows panels, and gives keys and mouse out as frozen values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import DeviceError
from projection.screen import Panel, Plan, Timeline, draw, plan, to_image
from projection.sdl import pygame, start_video, video

__all__ = ["Click", "Drag", "Input", "Key", "Panel", "Quit", "Seek", "Timeline", "Window", "keys"]


@dataclass(frozen=True, slots=True)
class Key:
    """A key went down: `name` as pygame calls it (`u`, `space`, `left`, `escape`, `f1`), and whether shift was held."""

    name: str
    shift: bool = False


@dataclass(frozen=True, slots=True)
class Click:
    """The mouse button went down on panel `panel`, at that px of its image."""

    panel: int
    x_px: float
    y_px: float
    button: int = 1


@dataclass(frozen=True, slots=True)
class Drag:
    """The mouse moves with its button held, from where to where in px of the panel's image; `done` when let go."""

    panel: int
    from_px: tuple[float, float]
    to_px: tuple[float, float]
    done: bool


@dataclass(frozen=True, slots=True)
class Seek:
    """The timeline was clicked, at 0–1."""

    position: float


@dataclass(frozen=True, slots=True)
class Quit:
    """The window was closed."""


Input = Key | Click | Drag | Seek | Quit


class Window:
    """A resizable window on the operator's screen. `show` draws it, `inputs` gives what was pressed since."""

    def __init__(self, title: str, size_px: tuple[int, int] = (1600, 900)) -> None:
        start_video()
        desktop = pygame.display.get_desktop_sizes()[0]
        size = min(size_px[0], desktop[0]), min(size_px[1], desktop[1])
        try:
            self._window = video.Window(title, size=size, resizable=True)
            self._renderer: Any = video.Renderer(self._window)
        except pygame.error as error:
            raise DeviceError(f"the window cannot be opened ({error}); run without a window") from error
        self._texture: Any = None
        self._plan = Plan((), None)
        self._sizes: tuple[tuple[int, int], ...] = ()
        self._held: Click | None = None

    @property
    def size_px(self) -> tuple[int, int]:
        """The window's size now."""
        width, height = self._window.size
        return max(320, int(width)), max(240, int(height))

    def show(
        self,
        panels: Sequence[Panel],
        status: str = "",
        help_line: str = "",
        timeline: Timeline | None = None,
    ) -> None:
        """Draw the panels with the status and the keys under them."""
        size = self.size_px
        self._sizes = tuple(panel.size_px for panel in panels)
        self._plan = plan(self._sizes, size, timeline is not None)
        picture = draw(panels, size, status, help_line, timeline)
        if self._texture is None or (self._texture.width, self._texture.height) != size:
            self._texture = video.Texture(self._renderer, size, streaming=True)
        self._texture.update(pygame.image.frombuffer(picture.data, size, "RGB"))
        self._renderer.clear()
        self._texture.draw()
        self._renderer.present()

    def inputs(self) -> tuple[Input, ...]:
        """What was pressed, clicked and dragged since the last call, in order. Keys count wherever the focus is."""
        return tuple(found for event in pygame.event.get() for found in self._input(event))

    def _input(self, event: Any) -> Iterator[Input]:
        match event.type:
            case pygame.MOUSEBUTTONDOWN if self._is_here(event):
                yield from self._pressed(event.pos, event.button)
            case pygame.MOUSEMOTION if self._held is not None:
                yield from self._dragged(event.pos, False)
            case pygame.MOUSEBUTTONUP if self._held is not None and event.button == 1:
                yield from self._dragged(event.pos, True)
                self._held = None
            case _:
                yield from _pressed_keys(event)

    def _is_here(self, event: Any) -> bool:
        """Whether the mouse is over this window and not over the projector's."""
        return getattr(event, "window", None) in (None, self._window)

    def _pressed(self, at: tuple[int, int], button: int) -> Iterator[Input]:
        bar = self._plan.timeline
        if bar is not None and bar[1] <= at[1] < bar[1] + bar[3]:
            yield Seek(min(1.0, max(0.0, (at[0] - bar[0]) / max(1, bar[2] - 1))))
            return
        found = self._plan.on_panel(at[0], at[1], self._sizes)
        if found is not None:
            panel, (x, y) = found
            self._held = Click(panel, x, y) if button == 1 else None
            yield Click(panel, x, y, button)

    def _dragged(self, at: tuple[int, int], done: bool) -> Iterator[Input]:
        held = self._held
        if held is not None and held.panel < len(self._plan.boxes):
            to = to_image(at[0], at[1], self._plan.boxes[held.panel], self._sizes[held.panel])
            yield Drag(held.panel, (held.x_px, held.y_px), to, done)

    def close(self) -> None:
        """Close the window."""
        self._texture = self._renderer = None  # before their window: SDL crashes on Wayland else
        self._window.destroy()


def keys() -> tuple[Key | Quit, ...]:
    """The keys pressed since the last call where there is no `Window`, only the projector's picture."""
    return tuple(found for event in pygame.event.get() for found in _pressed_keys(event))


def _pressed_keys(event: Any) -> Iterator[Key | Quit]:
    match event.type:
        case pygame.QUIT | pygame.WINDOWCLOSE:
            yield Quit()
        case pygame.KEYDOWN:
            yield Key(pygame.key.name(event.key), bool(event.mod & pygame.KMOD_SHIFT))
        case _:
            return
