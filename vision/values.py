"""What the camera's side hands on: frames, seen cards, observations. From Observation upward values compare with ==."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.frames import Pose
from engine.cards import Card
from engine.events import Dealt, Moved, Place, Signalled

Fact = Dealt | Moved | Signalled
"""What the eyes tell: everything else follows from it."""


@dataclass(frozen=True, slots=True)
class Laid:
    """How a card that nobody had seen came onto the table: by which seat's arm, and whether that took it off the pile.

    None where that was not to be seen.
    """

    seat: int | None = None
    from_pile: bool | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the camera: `image` uint8 (H, W, 3) BGR, distorted as seen; `t_s` seconds since the start."""

    image: NDArray[np.uint8]
    t_s: float
    index: int = 0


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card at rest on the table. `card` is None where face down or not readable; `place` None outside all zones.

    `probability` (0–1) that it is this card; `alternatives` are other readings with theirs.
    `visible` is the share of its face that is not covered by other cards. It has lain there since `since_s`.
    """

    card: Card | None
    face_up: bool
    pose: Pose
    place: Place | None
    probability: float
    alternatives: tuple[tuple[Card, float], ...] = ()
    visible: float = 1.0
    since_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Observation:
    """What is known of the table at `t_s`: cards at rest, known cards hidden now, whether hands are in view.

    `gone` are cards whose last place is in plain view without them. `hidden_mm` are polygons (table mm) covered by
    hands or things. With `wants_dark` the eyes ask for a moment without projected light, to read what they cannot.
    `gone_since` says since when cards are gone, `arms` whose arms are over the table and `clear_s` for how long none
    has been, where hands are hidden.
    """

    t_s: float
    cards: tuple[SeenCard, ...]
    gone: frozenset[Card] = frozenset()
    hidden: frozenset[Card] = frozenset()
    hidden_mm: tuple[tuple[tuple[float, float], ...], ...] = ()
    hands: bool = False
    wants_dark: bool = False
    gone_since: tuple[tuple[Card, float], ...] = ()
    arms: frozenset[int] = frozenset()
    clear_s: float = math.inf
