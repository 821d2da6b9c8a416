"""The operator's window while playing, with a screen that only remembers."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from app.follow import Moment
from app.orders import Order, SpeakIn, ThatCardIs, Undo
from app.play_window import WindowDesk
from app.session import SessionInfo
from app.setup import Setup
from app.simulator.table import SimulatedTable
from calibration.frames import Pose
from engine.cards import Card
from engine.guidance import Guidance
from projection import window
from tests.app.fakes import DECK, GAME, LAYOUT, SIZE, profile
from vision.values import Frame, Observation, SeenCard

CARD = Card.parse("03-bright")


class Screen:
    def __init__(self) -> None:
        self.next: tuple[window.Input, ...] = ()
        self.status = ""
        self.titles: list[str] = []

    def inputs(self) -> tuple[window.Input, ...]:
        taken, self.next = self.next, ()
        return taken

    def show(self, panels: Sequence[window.Panel], status: str, help_line: str) -> None:
        self.status, self.titles = status, [panel.title for panel in panels]


class Hand:
    """Stands for the simulated table: remembers what the mouse did."""

    def __init__(self) -> None:
        self.did: list[str] = []

    def pick(self, x_mm: float, y_mm: float) -> bool:
        self.did.append(f"pick {x_mm:.0f} {y_mm:.0f}")
        return True

    def drag(self, x_mm: float, y_mm: float) -> None:
        self.did.append(f"drag {x_mm:.0f} {y_mm:.0f}")

    def drop(self) -> None:
        self.did.append("drop")

    def turn_over(self) -> None:
        self.did.append("turn over")


def desk(hand: Hand | None = None) -> tuple[WindowDesk, Screen]:
    screen = Screen()
    info = SessionInfo(GAME.name, 2, 0, "layout.yaml", "tsuki")
    setup = Setup(info, GAME, LAYOUT, profile(), DECK)
    made = WindowDesk(cast(Any, screen), setup, cast(SimulatedTable, hand) if hand is not None else None)
    seen = SeenCard(CARD, True, Pose(0, 0, 0), None, 0.97)
    image = np.zeros((SIZE[1], SIZE[0], 3), dtype=np.uint8)
    moment = Moment(0, 0.0, Observation(0.0, (seen,)), (), Guidance())
    made.watch(Frame(image, 0.0), moment, np.zeros((9, 16, 3), dtype=np.uint8))
    return made, screen


def test_keys_become_orders() -> None:
    made, screen = desk()
    screen.next = tuple(window.Key(name) for name in ("u", "l", "space", "n", "j", "x", "q"))
    found = made.orders()
    assert list(found) == [Undo(), Order.LOOK_AGAIN, Order.PAUSE, Order.NEXT_GAME, SpeakIn(), Order.QUIT]
    assert made.orders() == [] and "paused" in screen.status


def test_closing_the_window_quits() -> None:
    made, screen = desk()
    screen.next = (window.Quit(),)
    assert made.orders() == [Order.QUIT]


def test_what_is_seen_believed_and_projected_stand_side_by_side() -> None:
    _, screen = desk()
    assert screen.titles == ["camera", "what is believed", "projected"]


def test_that_card_is_asks_for_a_click_and_a_name() -> None:
    made, screen = desk()
    at = profile().view().camera_px([0.0, 0.0])
    screen.next = (window.Key("c"),)
    assert made.orders() == [] and "click the card" in screen.status
    screen.next = (window.Click(1, float(at[0]), float(at[1])), window.Key("3"), window.Key("r"))
    assert made.orders() == [] and "03-bright is: 3r" in screen.status
    screen.next = (window.Key("return"),)
    assert made.orders() == [ThatCardIs(CARD, Card.parse("03-ribbon"))]
    assert screen.status == GAME.book.title.en


def test_keys_are_letters_of_a_card_while_one_is_named() -> None:
    made, screen = desk()
    screen.next = (window.Key("c"), window.Key("q"), window.Key("escape"), window.Key("u"))
    assert made.orders() == [Undo()]


def test_the_mouse_moves_cards_of_a_simulated_table_only() -> None:
    hand = Hand()
    made, screen = desk(hand)
    there, here = profile().view().camera_px([[100.0, 50.0], [-30.0, 20.0]])
    at = (float(there[0]), float(there[1]))
    to = (float(here[0]), float(here[1]))
    screen.next = (
        window.Click(0, *at),
        window.Drag(0, at, to, False),
        window.Click(0, *to, button=3),
        window.Drag(0, at, to, True),
    )
    assert made.orders() == []
    assert hand.did == ["pick 100 50", "drag -30 20", "turn over", "drag -30 20", "drop"]
    other, screen = desk()
    screen.next = (window.Click(0, *at), window.Drag(0, at, to, True))
    assert other.orders() == []
