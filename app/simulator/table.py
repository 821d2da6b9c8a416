"""The simulated table: a camera and a projector over a table at which people play, with the truth of the game."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.simulator.camera import Camera
from app.simulator.dealing import Setup
from app.simulator.knocks import COVERED_S, Knock, knocked
from app.simulator.ledger import Ledger, Slip
from app.simulator.mouse import Mouse
from app.simulator.people import People, Steps
from app.simulator.places import Places
from app.simulator.players import Director, Habits
from app.simulator.rig import Eye, Rig, build_rig
from app.simulator.sprites import CardPainter
from app.simulator.stage import Stage
from app.simulator.surface import Look, find_look
from app.simulator.world import World
from calibration.frames import Pose
from calibration.layout import Layout, builtin_layout_for
from calibration.mat_markers import STRIP_MM, mat_markers
from calibration.profile import Camera as ProfileCamera
from calibration.profile import Profile, Projector, Table
from calibration.view import TableView
from engine.cards import DECK, Card
from engine.errors import ConfigError
from engine.events import Event, Place
from engine.game import Game
from vision.deck import Deck
from vision.values import Frame

_AFTER_S: Final = 1.5  # how long the recording goes on after the last capture


@dataclass(frozen=True, slots=True)
class TrueCard:
    """What is true of a card now. `hidden` is the share of its face under other cards, `held` whether it is carried.

    `place` is the zone it lies in, or left; None outside all zones.
    """

    pose: Pose
    place: Place | None
    order: int
    face_up: bool
    hidden: float
    held: bool = False


class SimulatedTable:
    """People playing `game` on a simulated table, seen by a camera and lit by a projector. Deterministic by `seed`.

    `read` gives the next frame and None after the end; `show` projects a picture. Seats in `human_seats` wait for
    `pick`, `drag`, `turn_over` and `drop`.
    """

    def __init__(
        self,
        game: Game[Any],
        seats: int,
        seed: int,
        deck: Deck,
        layout: Layout | None = None,
        look: str | Look = "felt",
        size_px: tuple[int, int] = (960, 540),
        fps: float = 15.0,
        *,
        dealer: int = 0,
        habits: Habits | None = None,
        human_seats: frozenset[int] = frozenset(),
        projector_px: tuple[int, int] = (1920, 1080),
        delay_frames: int = 2,
        jpeg: int | None = None,
        setup: Setup = Setup.DEALT,
        mouse_hand: bool = False,
        markers: bool = False,
        knocks: Sequence[Knock] = (),
    ) -> None:
        self.game, self.seats, self.seed, self.deck, self.fps = game, seats, seed, deck, fps
        self.layout = layout or builtin_layout_for(game.zones(seats), seats)
        self.size_px = size_px
        self.dealer = dealer
        self.look = find_look(look) if isinstance(look, str) else look
        self.markers = mat_markers(self.layout.mat_mm) if markers or knocks else None
        around = 0.0 if self.markers is None else STRIP_MM
        self.rig: Rig = build_rig(self.layout.mat_mm, size_px, seed, projector_px, around_mm=around)
        self._calibrated = self.rig
        self._knocks = sorted(knocks, key=lambda knock: knock.at_s)
        self._bared_s: float | None = None
        self.world = World(deck.card_mm, deck.thickness_mm)
        rng = random.Random(seed)
        habits = habits or Habits()
        places = Places(self.layout, self.world, rng)
        self._people = People(self.layout, self.world, rng, 1 / fps, habits.pace, seed, self.rig)
        self._ledger = Ledger(game, seats, dealer, rng)
        self._stage = Stage(self._ledger, self.world, places, self._people, rng, habits)
        director = Director(self._stage, frozenset(human_seats))
        strays = tuple(card for card in DECK if card not in game.deck) if setup is Setup.FULL else ()
        self._faces = {card: deck.faces[card] for card in (*game.deck, *strays)}
        self._camera = Camera(self.rig, self.look, self._painter(), seed, delay_frames, jpeg, self.markers)
        self._steps = _beginning(director, self._ledger, setup, strays)
        self._mouse = Mouse(self._stage, human_seats, mouse_hand)
        self._index = 0
        self._left: int | None = None

    @property
    def view(self) -> TableView:
        """The true lens and pose of the camera."""
        return self.rig.view

    @property
    def profile(self) -> Profile:
        """The true calibration before anything was knocked, as a file would hold it."""
        rig = self._calibrated
        eye = rig.view.camera_mm
        position = None if eye is None else (float(eye[0]), float(eye[1]), float(eye[2]))
        return Profile(
            made_at="2026-01-01T00:00:00Z",
            camera=ProfileCamera("simulated", self.size_px, rig.view.lens, {"fourcc": "MJPG", "fps": self.fps}, {}),
            table=Table(self.layout.mat_mm, rig.view.table_from_camera, position, self.markers),
            projector=Projector(rig.projector_px, rig.projector_from_table, {"name": "simulated", "refresh_hz": 60}),
        )

    @property
    def clock(self) -> float:
        """Seconds since the start at which the last frame was taken."""
        return self._ledger.now_s

    @property
    def truth(self) -> tuple[Event | Slip, ...]:
        """What really happened until now, in order."""
        return tuple(self._ledger.truth)

    @property
    def progress(self) -> tuple[int, int]:
        """Cards of this round played or turned so far, and how many there are (a game of runs may end before)."""
        total = sum(len(hand) for hand in self._ledger.hands) + self._total_draw
        left = len(self._ledger.pile) + sum(p.zone == "hand" for p in self._ledger.where.values())
        return total - left, total

    @property
    def _total_draw(self) -> int:
        return self.game.deal(self.seats).get(Place("draw"), 0)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._ledger.over

    @property
    def astray(self) -> Mapping[Card, Place]:
        """Cards that were moved against the rules, with the place where each belongs."""
        return dict(self._ledger.astray)

    def redraw(self) -> None:
        """Draw the next picture anew as a whole; for checks."""
        self._camera.redraw()

    @property
    def state(self) -> Any:
        """The true state of the game."""
        return self._ledger.state

    def read(self) -> Frame | None:
        """The next frame of the camera, at t_s = index / fps; None once the game has been over for 1.5 s."""
        if not self._advance():
            return None
        return Frame(self._camera.take(self.world, self._people.visible()), self.clock, self._index - 1)

    def skip(self) -> bool:
        """Let a frame pass without drawing it, which is far quicker; False once `read` would give None."""
        if not self._advance():
            return False
        self._camera.skip()
        return True

    def _advance(self) -> bool:
        """One frame later; False at the end."""
        if self._left == 0:
            return False
        if self._index > 0:
            self._ledger.now_s = self._index / self.fps
            self._knock()
            self._mouse.tick()
            next(self._steps, None)
        if self._left is not None:
            self._left -= 1
        elif self.over:
            self._left = round(_AFTER_S * self.fps)
        self._index += 1
        return True

    def _knock(self) -> None:
        """What is due to be knocked is knocked; a marker that was hidden is seen again."""
        now = self._ledger.now_s
        if self._bared_s is not None and now >= self._bared_s:
            self._bared_s = None
            self._camera.hang(self.rig, self._painter())
        while self._knocks and self._knocks[0].at_s <= now:
            knock = self._knocks.pop(0)
            self.rig = knocked(self.rig, knock, self.seed)
            covered = knock.what == "covered"
            self._bared_s = now + COVERED_S if covered else self._bared_s
            self._camera.hang(self.rig, self._painter(), frozenset({2}) if covered else frozenset())

    def _painter(self) -> CardPainter:
        deck = self.deck
        eye = Eye(self.rig.view)
        return CardPainter(self._faces, deck.back, eye, self.look, deck.card_mm, deck.thickness_mm, self.seed)

    def show(self, rgb: NDArray[np.uint8] | None) -> None:
        """Project a picture, uint8 (H, W, 3) RGB in projector px; None projects black."""
        width, height = self.rig.projector_px
        black = np.zeros((height, width, 3), dtype=np.uint8)
        self._camera.light.show(black if rgb is None else np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8))

    def pick(self, x_mm: float, y_mm: float) -> bool:
        """A person takes the top card at a point of the table, or covers the spot there; whether there was either."""
        return self._mouse.pick(x_mm, y_mm)

    def drag(self, x_mm: float, y_mm: float) -> None:
        """Move the card in the person's hand to a point."""
        self._mouse.drag(x_mm, y_mm)

    def turn_over(self) -> None:
        """Turn over the card in the person's hand."""
        self._mouse.turn_over()

    def rotate(self, angle_rad: float) -> None:
        """Turn the card in the person's hand anticlockwise."""
        self._mouse.rotate(angle_rad)

    def drop(self) -> Place | None:
        """Lay the card in the person's hand down where it is; the zone it comes to lie in."""
        return self._mouse.drop()

    def say(self, name: str, seat: int) -> bool:
        """A person says something by other means than a spot (a key); False where it may not be said now."""
        return self._stage.hear(name, seat)

    @property
    def hands_in_view(self) -> int:
        """How many hands are over the table now."""
        return len(self._people.visible())

    def true_cards(self) -> Mapping[Card, TrueCard]:
        """Where every card is now, carried ones included."""
        cards = {
            card: TrueCard(
                lying.pose,
                self.layout.place_at(lying.pose.x_mm, lying.pose.y_mm),
                lying.order,
                lying.face_up,
                self.world.hidden_share(lying),
            )
            for card, lying in self.world.lying.items()
        }
        for card, carried in self.world.carried.items():
            up = carried.face_up if carried.flip < 0.5 else not carried.face_up
            cards[card] = TrueCard(carried.pose, self._ledger.where.get(card), 10_000, up, 0.0, held=True)
        return cards


def _beginning(director: Director, ledger: Ledger, setup: Setup, strays: tuple[Card, ...]) -> Steps:
    """The course of the game from the table as `setup` has it. Raises ConfigError for a draw that the game has not."""
    if setup is Setup.DRAW:
        ledger.before_deal()
        if not ledger.game.to_act(ledger.state):
            raise ConfigError(f"{ledger.game.name}: the players agree on who deals, nobody draws for it")
        director.dealer_of_cards().start_from(setup, ())
        return director.play(director.draw_for_deal(), director.leave())
    director.perhaps_misdeal()
    dealer_of_cards = director.dealer_of_cards()
    if setup is Setup.DEALT:
        dealer_of_cards.lay_out()
        ledger.dealt()
        return director.play()
    dealer_of_cards.start_from(setup, strays)
    return director.play(dealer_of_cards.deal(setup, strays), dealer_of_cards.leave())
