"""The operator's window while playing: pictures of what is seen and projected, keys as orders, the mouse as a hand."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app import choosing
from app.choosing import Choosing
from app.follow import Moment
from app.loop import RGB
from app.orders import AnyOrder, Order, Say, SpeakIn, ThatCardIs, Undo
from app.overlay import draw_overlay
from app.setup import Setup
from app.simulator.table import SimulatedTable
from app.viewer import describe
from calibration.view import TableView
from projection import window
from projection.window import keys as pressed_keys
from vision.values import Frame, Observation

HELP: Final = (
    "u undo   c that card is …   l look again   w report   space pause   1-9 say   n next game   j language   q quit"
)
MOUSE_HELP: Final = "   mouse: drag your cards, right button turns the held card"
_ORDERS: Final[dict[str, AnyOrder]] = {
    "u": Undo(),
    "l": Order.LOOK_AGAIN,
    "space": Order.PAUSE,
    "n": Order.NEXT_GAME,
    "w": Order.WRONG,
    "j": SpeakIn(),
    "q": Order.QUIT,
    "escape": Order.QUIT,
    **{str(number): Say(number=number) for number in range(1, 10)},
}
_LAST_EVENTS: Final = 6
TABLE, BELIEVED = 0, 1


class WindowDesk:
    """One game's side of the window. `table` is the simulated table whose cards the mouse may move, or None."""

    def __init__(self, screen: window.Window, setup: Setup, table: SimulatedTable | None = None) -> None:
        self._screen = screen
        self._setup = setup
        self._view: TableView = setup.profile.view()
        self._table = table
        self._choosing: Choosing | None = None
        self._seen: Observation | None = None
        self._recent: list[str] = []
        self._panels: tuple[window.Panel, ...] = ()
        self._paused = False

    def orders(self) -> Sequence[AnyOrder]:
        """What was ordered since the last call; clicks and drags move cards of the simulated table meanwhile."""
        inputs = self._screen.inputs()
        found = [order for one in inputs for order in self._order(one)]
        if Order.PAUSE in found:
            self._paused = not self._paused
        if inputs:
            self._draw()
        return found

    def watch(self, frame: Frame, moment: Moment, picture: RGB) -> None:
        """Shows a moment."""
        self._seen = moment.observation
        self._view = self._view if moment.aim is None else moment.aim.view
        self._recent += [f"{event.t_s:7.2f} s  {describe(event)}" for event in moment.events]
        del self._recent[:-_LAST_EVENTS]
        setup = self._setup
        believed = draw_overlay(
            frame.image, moment.observation, self._view, setup.layout, setup.deck.card_mm, self._recent
        )
        table = np.ascontiguousarray(frame.image[..., ::-1])
        self._panels = (
            window.Panel("the table" if self._table is not None else "camera", table),
            window.Panel("what is believed", believed),
            window.Panel("projected", _shown(picture)),
        )
        self._draw()

    def _draw(self) -> None:
        if not self._panels:
            return
        state = "paused: space goes on" if self._paused else self._setup.game.book.title.en
        status = state if self._choosing is None else self._choosing.words
        self._screen.show(self._panels, status, HELP + (MOUSE_HELP if self._table is not None else ""))

    def _order(self, one: window.Input) -> tuple[AnyOrder, ...]:
        match one:
            case window.Quit():
                return (Order.QUIT,)
            case window.Key(name) if self._choosing is not None:
                return self._typed(self._choosing, name)
            case window.Key("c"):
                self._choosing = Choosing()
            case window.Key(name) if name in _ORDERS:
                return (_ORDERS[name],)
            case window.Click(panel, x, y, button) if panel in (TABLE, BELIEVED):
                self._clicked(x, y, button)
            case window.Drag(panel, _, (x, y), done) if panel in (TABLE, BELIEVED) and self._table is not None:
                self._table.drag(*self._mm(x, y))
                if done:
                    self._table.drop()
        return ()

    def _typed(self, state: Choosing, key: str) -> tuple[AnyOrder, ...]:
        after = choosing.press(state, key)
        if isinstance(after, ThatCardIs):
            self._choosing = None
            return (after,)
        self._choosing = after
        return ()

    def _clicked(self, x_px: float, y_px: float, button: int) -> None:
        x, y = self._mm(x_px, y_px)
        if self._choosing is not None:
            self._choosing = choosing.click(self._choosing, self._seen.cards if self._seen else (), x, y)
        elif self._table is not None and button == 1:
            self._table.pick(x, y)
        elif self._table is not None:
            self._table.turn_over()

    def _mm(self, x_px: float, y_px: float) -> tuple[float, float]:
        x, y = self._view.table_mm(np.array([x_px, y_px]))
        return float(x), float(y)


def _shown(picture: RGB) -> NDArray[np.uint8]:
    return np.ascontiguousarray(picture)


def key_orders(has_window: bool) -> tuple[AnyOrder, ...]:
    """Orders from keys pressed where only the projector's window is open; none without it."""
    if not has_window:
        return ()
    found: list[AnyOrder] = []
    for one in pressed_keys():
        match one:
            case window.Quit():
                found.append(Order.QUIT)
            case window.Key(name) if name in _ORDERS:
                found.append(_ORDERS[name])
    return tuple(found)
