"""One table under one camera: frames in, facts out."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.homography import Homography
from calibration.layout import Layout
from calibration.view import TableView
from engine import referee
from engine.cards import DECK, Card
from engine.errors import CalibrationError
from engine.events import Place
from engine.game import Game
from engine.referee import Session
from vision import track
from vision.arms import ArmWatcher
from vision.choosing import Choosing
from vision.deck import Deck
from vision.eyes import Eyes
from vision.hidden import Curtain, drawn_last_s, renewed_s
from vision.lamp import Lamp
from vision.values import Fact, Frame, Laid, Observation

DARK_S, DARK_EVERY_S = 0.8, 4.0
"""A card that cannot be read under our own light gets a moment without it, not more often than this."""
LOOK_HARDER_S = 2.0
"""How often the zones are searched while the deal seems incomplete; a card may not stand out from the table."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a frame told: new facts in order, all that is known of the table, and whether anything was looked at."""

    facts: tuple[Fact, ...]
    observation: Observation
    changed: bool


class TableReader:
    """Reads a table for one game. `size_px` is the camera's (width, height).

    With a projector `projector_from_table` tells where its light falls. Unless `ruled`, the rules are no prior (to
    compare).
    """

    def __init__(
        self,
        view: TableView,
        layout: Layout,
        deck: Deck,
        game: Game[Any],
        seats: int,
        size_px: tuple[int, int],
        projector_from_table: Homography | None = None,
    ) -> None:
        self.game = game
        self.seats = seats
        self.size_px = size_px
        self.eyes = Eyes(view, layout, deck, DECK, projector_from_table)
        self.ruled = True
        self._lamp = Lamp()
        self._curtain = Curtain(game)
        self._choosing = Choosing()
        self._arms = ArmWatcher(view, layout, size_px) if game.hidden_hands else None
        pile = layout.zone(track.PILE)
        self._pile_zone_mm = (0.0, 0.0) if pile is None else pile.centre_mm
        self._harder_s = LOOK_HARDER_S
        self._dark_until_s = 0.0
        self._renewed_s = 0.0
        self._busy_s = -math.inf
        self._gone_s: dict[Card, float] = {}
        self._told: dict[Card, tuple[Place, float]] = {}

    def read(self, frame: Frame, session: Session[Any]) -> Reading:
        """Takes in the next frame of the camera. Raises CalibrationError for a frame of another size."""
        height, width = frame.image.shape[:2]
        if (width, height) != self.size_px:
            raise CalibrationError(
                f"frame {frame.index} is {width}x{height} px, but the calibration is for "
                f"{self.size_px[0]}x{self.size_px[1]}"
            )
        frame = self._lamp.even(frame)
        changed = self.eyes.look(frame)
        observation = self.eyes.observation(frame.t_s)
        if session.state is None and frame.t_s >= self._harder_s and observation.cards and not observation.hands:
            self._look_harder(observation, session)
            observation = self.eyes.observation(frame.t_s)
        if frame.t_s < self._dark_until_s:
            observation = replace(observation, wants_dark=True)
        chosen = self._choosing.signals(observation, session)
        observation = self._public(observation, session)
        observation = replace(observation, gone_since=self._gone(observation))
        if self._arms is not None:
            arms = self._arms.watch(frame)
            if arms or observation.hands:
                self._busy_s = frame.t_s
            observation = replace(observation, arms=arms, clear_s=frame.t_s - self._busy_s)
            if arms:
                reach = self.eyes.arms(frame)
                self._arms.reach(frame.t_s, reach.now())
                self._arms.touch(frame.t_s, self._pile_mm(observation), reach.touching())
        return Reading((*chosen, *self._facts(observation, session)), observation, changed)

    def lit(self, picture: NDArray[np.uint8], t_s: float) -> None:
        """From `t_s` on `picture` (uint8 RGB, projector px) is projected onto the table."""
        if self.eyes.shine is not None:
            self.eyes.shine.show(picture, t_s)

    def aim(self, view: TableView, projector_from_table: Homography | None) -> None:
        """From the next frame on the camera sees the table so, and the projector's light falls so."""
        if self._arms is not None and view is not self.eyes.raster.view:
            self._arms = ArmWatcher(view, self.eyes.layout, self.size_px)
        self.eyes.aim(view, projector_from_table)

    def finish(self, session: Session[Any], t_s: float) -> tuple[Fact, ...]:
        """No frame will come: what is pending is decided from what was last seen."""
        self.eyes.look_last()
        return self._facts(self._public(self.eyes.observation(t_s + track.HIDDEN_S), session), session)

    def look_again(self) -> None:
        """Reads the whole table anew at the next clear look."""
        self.eyes.look_again()

    def correct(self, was: Card, now: Card) -> None:
        """The card believed `was` is `now`; if `now` was believed elsewhere, that one is `was`."""
        self.eyes.memory.rename(was, now)

    def restore(self, session: Session[Any]) -> None:
        """Goes on from what `session` knows; poses come from the next look."""
        self.eyes.expect(session.game.deck if session.state is not None else DECK)

    def _gone(self, observation: Observation) -> tuple[tuple[Card, float], ...]:
        """Since when each of the cards that are gone has been so."""
        self._gone_s = {card: self._gone_s.get(card, observation.t_s) for card in observation.gone}
        return tuple(sorted(self._gone_s.items()))

    def _pile_mm(self, observation: Observation) -> tuple[float, float]:
        """Where the draw pile lies, or would."""
        down = (seen.pose for seen in observation.cards if seen.place == track.PILE and not seen.face_up)
        return next(((pose.x_mm, pose.y_mm) for pose in down), self._pile_zone_mm)

    def _laid(self, observation: Observation, session: Session[Any]) -> Mapping[Card, Laid]:
        """How the cards that have been seen for the first time came onto the table."""
        if self._arms is None:
            return {}
        found: dict[Card, Laid] = {}
        drawn_s = drawn_last_s(session)
        for seen in observation.cards:
            if seen.card is None or seen.place is None or seen.card in session.lies:
                continue
            likely = referee.likely_source(session, seen.card, seen.place)
            turn = likely.seat if likely.zone == "hand" else None
            found[seen.card] = self._arms.laid(seen.since_s, (seen.pose.x_mm, seen.pose.y_mm), turn, drawn_s)
        return found

    def _public(self, observation: Observation, session: Session[Any]) -> Observation:
        """What everybody may know of the observation.

        Cards seen in a hidden hand are forgotten at once, discards when they have become the draw pile.
        """
        secret = self._curtain.secret(observation, session)
        last_s = renewed_s(session) if self.game.hidden_hands else self._renewed_s
        renewed, self._renewed_s = last_s > self._renewed_s, last_s
        for card, place in secret.items():
            if place.zone == "hand" or (renewed and place.zone == "discard"):
                self.eyes.memory.forget(card)
        return self._curtain.public(observation, session)

    def _look_harder(self, observation: Observation, session: Session[Any]) -> None:
        """Where the deal lacks a card or two, look for one that does not stand out from the table."""
        self._harder_s = observation.t_s + LOOK_HARDER_S
        lacking = track.lacking(observation, session)
        if not lacking or len(lacking) > session.seats:
            return
        found = [self.eyes.look_harder(place) for place in lacking]
        if not any(found) and observation.t_s > self._dark_until_s + DARK_EVERY_S:
            self._dark_until_s = observation.t_s + DARK_S

    def _facts(self, observation: Observation, session: Session[Any]) -> tuple[Fact, ...]:
        if session.ended:
            return ()
        if session.state is not None and not session.closed:
            since = {seen.card: seen.since_s for seen in observation.cards}
            # what was told once is not told again after an undo, unless the card is seen to move anew
            facts = tuple(
                move
                for move in track.moved(observation, session, self._laid(observation, session), self.ruled)
                if self._told.get(move.card) != (move.target, since.get(move.card, 0.0))
            )
            self._told.update({move.card: (move.target, since.get(move.card, 0.0)) for move in facts})
            for move in facts:
                if move.card in observation.gone:
                    self.eyes.memory.forget(move.card)  # taken to lie under another card, where exactly nobody can see
            return facts
        deal = track.dealt(observation, session)
        if deal is None:
            return () if session.state is not None else track.drawn(observation, session)
        self.eyes.expect(self.game.deck)
        return (deal,)
