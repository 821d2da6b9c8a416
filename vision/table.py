"""One table under one camera: frames in, facts out."""

from dataclasses import dataclass
from typing import Any

from calibration.layout import Layout
from calibration.view import TableView
from engine.cards import DECK, Card
from engine.events import Dealt, Moved
from engine.game import Game
from engine.referee import Session
from vision import track
from vision.deck import Deck
from vision.eyes import Eyes
from vision.values import Frame, Observation


LOOK_HARDER_S = 1.0
"""How often the zones are searched while the deal seems incomplete; a card may not stand out from the table."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a frame told: new facts in order, all that is known of the table, and whether anything was looked at."""

    facts: tuple[Dealt | Moved, ...]
    observation: Observation
    changed: bool


class TableReader:
    """Reads a table for one game. `size_px` is the camera's (width, height)."""

    def __init__(
        self, view: TableView, layout: Layout, deck: Deck, game: Game[Any], seats: int, size_px: tuple[int, int]
    ) -> None:
        self.game = game
        self.seats = seats
        self.eyes = Eyes(view, layout, deck, DECK, size_px)
        self._harder_s = LOOK_HARDER_S

    def read(self, frame: Frame, session: Session[Any]) -> Reading:
        """Takes in the next frame of the camera."""
        changed = self.eyes.look(frame)
        observation = self.eyes.observation(frame.t_s)
        if session.state is None and frame.t_s >= self._harder_s and observation.cards and not observation.hands:
            self._look_harder(observation, session)
            observation = self.eyes.observation(frame.t_s)
        return Reading(self._facts(observation, session), observation, changed)

    def finish(self, session: Session[Any], t_s: float) -> tuple[Dealt | Moved, ...]:
        """No frame will come: what is pending is decided from what was last seen."""
        return self._facts(self.eyes.observation(t_s + track.HIDDEN_S), session)

    def look_again(self) -> None:
        """Reads the whole table anew at the next clear look."""
        self.eyes.look_again()

    def correct(self, was: Card, now: Card) -> None:
        """The card believed `was` is `now`; if `now` was believed elsewhere, that one is `was`."""
        self.eyes.rename(was, now)

    def restore(self, session: Session[Any]) -> None:
        """Goes on from what `session` knows; poses come from the next look."""
        self.eyes.expect(session.game.deck if session.state is not None else DECK)

    def _look_harder(self, observation: Observation, session: Session[Any]) -> None:
        """Where the deal lacks a card or two, look for one that does not stand out from the table."""
        self._harder_s = observation.t_s + LOOK_HARDER_S
        lacking = track.lacking(observation, session)
        for place in lacking if len(lacking) <= session.seats else ():
            self.eyes.look_harder(place)

    def _facts(self, observation: Observation, session: Session[Any]) -> tuple[Dealt | Moved, ...]:
        if session.ended:
            return ()
        if session.state is not None:
            facts = track.moved(observation, session)
            for move in facts:
                if move.card in observation.gone:
                    self.eyes.forget(move.card)  # taken to lie under another card, where exactly nobody can see
            return facts
        deal = track.dealt(observation, session)
        if deal is None:
            return ()
        self.eyes.expect(self.game.deck)
        return (deal,)
