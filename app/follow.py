"""Following one game: frames in, events and guidance out. A function of its input: no clock, no device, no file."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from app.orders import AnyOrder, Order, Say, ThatCardIs, Undo
from app.saying import Listener, Offer, Spots, meant
from app.setup import Setup
from app.watching import Sentry, can_watch
from app.watching_aim import Aim
from app.watching_look import Beside, Worker
from app.watching_words import Notices
from calibration.homography import Homography
from calibration.view import TableView
from engine import referee, setup
from engine.cards import Card
from engine.events import Corrected, Event, Place
from engine.game import Game
from engine.guidance import Cue, Guidance, Role
from vision.table import TableReader
from vision.values import Fact, Frame, Observation

OPERATOR: Final = "operator"
Log = Callable[[Event], None]


class Seen(Protocol):
    """What a reader makes of a frame; `vision.table.Reading` is one."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What has happened, in order."""
        ...

    @property
    def observation(self) -> Observation:
        """What is known of the table now."""
        ...


class Reader(Protocol):
    """The eyes; `vision.table.TableReader` is one."""

    def read(self, frame: Frame, session: referee.Session[Any]) -> Seen:
        """Looks at the next frame."""
        ...

    def finish(self, session: referee.Session[Any], t_s: float) -> tuple[Fact, ...]:
        """No frame will come: decides what is pending."""
        ...

    def lit(self, picture: NDArray[np.uint8], t_s: float) -> None:
        """From `t_s` on this is projected onto the table."""
        ...

    def look_again(self) -> None:
        """Reads every card anew at the next clear look."""
        ...

    def correct(self, was: Card, now: Card) -> None:
        """The card believed `was` is `now`."""
        ...

    def restore(self, session: referee.Session[Any]) -> None:
        """Believes what the log says and learns where the cards lie from one look."""
        ...

    def aim(self, view: TableView, projector_from_table: Homography | None) -> None:
        """From the next frame on the camera sees the table so, and the projector's light falls so."""
        ...


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known after a frame: the table, what has just happened, what to show.

    `aim` is where camera and projector point now; None where that is as calibrated.
    """

    index: int
    t_s: float
    observation: Observation
    events: tuple[Event, ...]
    guidance: Guidance
    offers: tuple[Offer, ...] = ()
    aim: Aim | None = None


class Follower:
    """One game being followed. Every event is handed to `log` before `step` returns, so before it can be shown."""

    def __init__(
        self,
        game: Game[Any],
        seats: int,
        dealer: int,
        reader: Reader,
        log: Log,
        listener: Listener | None = None,
        sentry: Sentry | None = None,
    ) -> None:
        self.game = game
        self.reader = reader
        self._listener = listener
        self._sentry = sentry
        self._notices = Notices(None if sentry is None else sentry.markers)
        self._aim: Aim | None = None
        self._seen: Observation | None = None
        self._log = log
        self.session = referee.begin(game, seats, dealer)
        self._seats = seats

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.session.ended

    def begin(self, t_s: float = 0.0) -> tuple[Event, ...]:
        """Logs that a game begins."""
        self.session = referee.begin(self.game, self._seats, self.session.dealer, t_s)
        return self._logged((self.session.facts[0],))

    def restore(self, events: tuple[Event, ...]) -> None:
        """Goes on from a log of this game; nothing of it is logged again."""
        self.session = referee.replay(self.game, events)
        self.reader.restore(self.session)

    def step(self, frame: Frame) -> Moment:
        """What the next frame leads to."""
        events, hold = self._watch(frame)
        if hold and self._seen is not None:  # what lies where is not known until the table is found again
            return Moment(frame.index, frame.t_s, self._seen, events, self._told(self._seen, frame.t_s), (), self._aim)
        seen = self.reader.read(frame, self.session)
        self._seen = seen.observation
        events += self._advance(seen.facts)
        offers: tuple[Offer, ...] = ()
        if self._listener is not None:
            heard = self._listener.listen(frame, self.session)
            events += self._advance(heard.signals)
            offers = heard.offers
        guidance = self._told(seen.observation, frame.t_s)
        return Moment(frame.index, frame.t_s, seen.observation, events, guidance, offers, self._aim)

    def _watch(self, frame: Frame) -> tuple[tuple[Event, ...], bool]:
        """What has become of the table itself, and whether it must be found again before anything is read."""
        if self._sentry is None:
            return (), False
        news = self._sentry.see(frame, self._seen is not None and self._seen.hands)
        for event in news.events:
            self._notices.hear(event)
        if news.aim is not None:
            self._aim = news.aim
            self.reader.aim(news.aim.view, news.aim.flat_light)
            if self._listener is not None:
                self._listener.aim(news.aim.view)
        return self._logged(news.events), news.hold

    def _told(self, observation: Observation, t_s: float) -> Guidance:
        """The guidance, with what is to be said of the table itself."""
        guidance = self.guidance(observation)
        said = self._notices.at(t_s)
        if not said:
            return guidance
        return replace(guidance, cues=(*guidance.cues, *(Cue(Role.UNSURE, words=words) for words in said)))

    def lit(self, picture: NDArray[np.uint8], t_s: float) -> None:
        """Tells the eyes what is projected from `t_s` on, uint8 RGB in projector px."""
        self.reader.lit(picture, t_s)

    def finish(self, t_s: float) -> tuple[Event, ...]:
        """What is decided when no more frames come."""
        events = self._advance(self.reader.finish(self.session, t_s))
        self.session, following = referee.finish(self.session, t_s)
        return events + self._logged(following)

    def obey(self, order: AnyOrder, t_s: float) -> tuple[Event, ...]:
        """Carries out a correction, what somebody says, or another look. Other orders are the loop's."""
        match order:
            case Undo(count):
                return self._advance((Corrected(t_s, OPERATOR, undo=count),))
            case ThatCardIs(was, now):
                self.reader.correct(was, now)
                return self._advance((Corrected(t_s, OPERATOR, was=was, now=now),))
            case Say(name, seat, number):
                signal = meant(self.session, name, seat, number)
                return () if signal is None else self._advance((replace(signal, t_s=t_s, by=OPERATOR),))
            case Order.LOOK_AGAIN:
                self.reader.look_again()
        return ()

    def guidance(self, observation: Observation) -> Guidance:
        """What to show: how to deal until the deal is complete, then what the game says."""
        session = self.session
        if session.state is not None or session.refused is not None:
            return referee.guide(session)
        up = {seen.card: seen.place for seen in observation.cards if seen.card is not None and seen.face_up}
        lies = {card: place for card, place in up.items() if place is not None and not self._is_hidden(place)}
        deal = setup.guide_deal(self.game, self._seats, lies, _draw_count(observation))
        told = referee.guide(session)
        if not self.game.to_act(session.base):
            lines = tuple(line or own for line, own in zip_longest(told.seat_lines, deal.seat_lines))
            return replace(deal, seat_lines=lines)
        return replace(told, cues=(*told.cues, *deal.cues))  # who deals is drawn for first, if the players want to

    def _is_hidden(self, place: Place) -> bool:
        return place.zone == "hand" and self.game.hidden_hands

    def _advance(self, facts: tuple[Event, ...]) -> tuple[Event, ...]:
        done: list[Event] = []
        for fact in facts:
            self.session, following = referee.advance(self.session, fact)
            done += [fact, *following]
        return self._logged(tuple(done))

    def _logged(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        for event in events:
            self._log(event)
        return events


def new_follower(setup: Setup, log: Log, size_px: tuple[int, int], worker: Worker | None = None) -> Follower:
    """Eyes and referee for the game of `setup`, for frames of `size_px`; `worker` looks at the table's markers."""
    view = setup.profile.view()
    projector = setup.profile.projector
    light = None if projector is None else projector.projector_from_table
    reader = TableReader(view, setup.layout, setup.deck, setup.game, setup.seats, size_px, light)
    listener = Spots(view, setup.layout, size_px)
    sentry = Sentry(setup.profile, setup.layout, worker) if can_watch(setup.profile) else None
    return Follower(setup.game, setup.seats, setup.info.dealer, reader, log, listener, sentry)


def watched_follower(setup: Setup, log: Log, size_px: tuple[int, int]) -> Follower:
    """The same for a live table: its markers are looked at beside the frames, which then never wait."""
    return new_follower(setup, log, size_px, Beside())


def _draw_count(observation: Observation) -> int | None:
    """How many cards the draw pile holds: none if nothing lies face down; how many cannot be seen from above."""
    down = (seen.place for seen in observation.cards if not seen.face_up)
    return None if any(place is not None and place.zone == "draw" for place in down) else 0
