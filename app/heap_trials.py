"""Heaps of cards on a simulated table, each partly under the next: what the live eyes know of them soon after."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.session_cards import CardTally, Placed, compared, draw_look
from app.simulator.camera import Camera
from app.simulator.rig import Eye, Rig, build_rig
from app.simulator.sprites import CardPainter
from app.simulator.surface import find_look
from app.simulator.world import Lying, World
from app.worst import Worst
from calibration.layout import Layout, builtin_layout
from engine.cards import DECK
from vision.deck import Deck
from vision.eyes import Eyes
from vision.second import Naming
from vision.tallies import Count
from vision.values import Frame, SeenCard

KINDS: Final = ("laid", "thrown", "found")
"""Cards laid one upon another, each heap put down at once, all of them there when the eyes open."""
FPS: Final = 15.0
REST_S: Final = 0.5
"""So long the cards lie still before they are asked for."""
ASKED: Final = 0.4
"""Of a card that lies under others at least this share must be in view for it to be asked for."""
_WHOLE: Final = 0.97
_FIRST_S: Final = 2.0
_CELLS: Final = (4, 2)


@dataclass(frozen=True, slots=True)
class HeapTally:
    """What was known: `cards` by band, `asked` those at least 40 % in view under others, pairs in order, and out of it.

    `slowest_s` is the longest frame, on a thread of its own.
    """

    cards: CardTally = field(default_factory=CardTally)
    asked: Count = field(default_factory=Count)
    in_order: int = 0
    out_of_order: int = 0
    slowest_s: float = 0.0

    def __add__(self, other: "HeapTally") -> "HeapTally":
        return HeapTally(
            self.cards + other.cards,
            self.asked + other.asked,
            self.in_order + other.in_order,
            self.out_of_order + other.out_of_order,
            max(self.slowest_s, other.slowest_s),
        )

    def as_dict(self) -> dict[str, Any]:
        """The tally as plain values for JSON."""
        return {
            **self.cards.as_dict(),
            "under_others": self.asked.as_dict(),
            "in_order": self.in_order,
            "out_of_order": self.out_of_order,
            "slowest_ms": round(1e3 * self.slowest_s, 1),
        }


@dataclass(frozen=True, slots=True)
class HeapTrial:
    """Eight heaps of two to four cards of the deck `drawn`, read with the pictures of another or the same."""

    kind: str
    seed: int
    look: str
    size_px: tuple[int, int]


def try_heaps(
    trial: HeapTrial, deck: Deck, drawn: Deck, naming: Naming = Naming.BOTH, worst: Worst | None = None
) -> HeapTally:
    """Puts the heaps down before the eyes and counts; the last picture is handed to `worst`."""
    layout, look = builtin_layout(2), find_look(trial.look)
    rig = build_rig(layout.mat_mm, trial.size_px, trial.seed)
    world = World(deck.card_mm, deck.thickness_mm)
    faces = {card: drawn.faces[card] for card in DECK}
    painter = CardPainter(faces, drawn.back, Eye(rig.view), look, deck.card_mm, deck.thickness_mm, trial.seed)
    watch = _Watch(Camera(rig, look, painter, trial.seed, 2, None), world, Eyes(rig.view, layout, deck, DECK))
    watch.eyes.seeker.name_by(naming)
    rng = np.random.default_rng((KINDS.index(trial.kind), trial.seed))
    heaps = _heaps(layout, rng)
    cards = iter([DECK[i] for i in rng.permutation(len(DECK))])
    if trial.kind != "found":
        watch.run(1.0)
    tallest = max(map(len, heaps))
    turns = [[heap[i] for heap in heaps if i < len(heap)] for i in range(tallest)] if trial.kind == "laid" else heaps
    for turn in turns:
        for x, y, angle in turn:
            world.lay(next(cards), x, y, angle, True)
        if trial.kind != "found":
            watch.run(REST_S)
    if trial.kind == "found":
        watch.run(_FIRST_S)
    return _counted(trial, rig, deck, watch, worst)


class _Watch:
    """The eyes before a running camera, and how long their longest frame took."""

    def __init__(self, camera: Camera, world: World, eyes: Eyes) -> None:
        self.camera, self.world, self.eyes = camera, world, eyes
        self.slowest_s = 0.0
        self.frames = 0
        self.image: NDArray[np.uint8] = np.zeros((1, 1, 3), np.uint8)

    def run(self, seconds: float) -> None:
        """The next frames, the first of which shows the change."""
        for _ in range(1 + round(seconds * FPS)):
            self.image = self.camera.take(self.world, ())
            start = time.thread_time()
            self.eyes.look(Frame(self.image, self.frames / FPS, self.frames))
            self.slowest_s = max(self.slowest_s, time.thread_time() - start)
            self.frames += 1


def _heaps(layout: Layout, rng: np.random.Generator) -> list[list[tuple[float, float, float]]]:
    """Poses (x mm, y mm, angle rad) of the cards of each heap, the lowest first."""
    width, height = layout.mat_mm
    heaps = []
    for i in range(_CELLS[0] * _CELLS[1]):
        column, row = i // _CELLS[1], i % _CELLS[1]
        x = width * ((column + 0.5) / _CELLS[0] - 0.5) + float(rng.uniform(-8, 8))
        y = height * ((row + 0.5) / _CELLS[1] - 0.5) + float(rng.uniform(-8, 8))
        heap = [(x, y, float(rng.uniform(-0.4, 0.4)) + math.pi * float(rng.random() < 0.5))]
        way = float(rng.uniform(0, 2 * math.pi))
        for _ in range(int(rng.integers(1, 4))):
            way += float(rng.uniform(-1.0, 1.0))
            far = float(rng.uniform(14, 36))
            x, y, angle = heap[-1]
            turn = float(rng.normal(0, 0.3)) + math.pi * float(rng.random() < 0.3)
            heap.append((x + far * math.cos(way), y + far * math.sin(way), angle + turn))
        heaps.append(heap)
    return heaps


def _counted(trial: HeapTrial, rig: Rig, deck: Deck, watch: _Watch, worst: Worst | None) -> HeapTally:
    lying = sorted(watch.world.lying.values(), key=lambda one: one.order)
    true = _truth(lying, rig, deck)
    observation = watch.eyes.observation(watch.frames / FPS)
    seen = [card for card in observation.cards if card.face_up and card.card is not None]
    quads = [_quad(card, rig, deck) for card in seen]
    asked = [card for card in true if ASKED <= card.visible < _WHOLE]
    known = watch.eyes.memory.cards
    good = bad = 0
    for i, lower in enumerate(lying):
        for upper in lying[i + 1 :]:
            if lower.card in known and upper.card in known and watch.world.overlap(lower.pose, upper.pose):
                right = known[lower.card].order < known[upper.card].order
                good, bad = good + right, bad + (not right)
    tally = compared(true, seen, quads, float(trial.seed))
    part = compared(asked, seen, quads, float(trial.seed))
    if worst is not None:
        name = f"{trial.kind}-{trial.look}-{trial.seed}"
        worst.add(len(tally.remarks), name, lambda: draw_look(watch.image, true, seen, quads, tally.remarks))
    tally = replace(tally, remarks=tuple(f"{trial.kind} {trial.look}, seed {r}" for r in tally.remarks))
    return HeapTally(tally, part.count, good, bad, watch.slowest_s)


def _truth(lying: Sequence[Lying], rig: Rig, deck: Deck) -> list[Placed]:
    quads = [
        rig.view.camera_px(np.array(one.pose.corners_mm(*deck.card_mm)).reshape(4, 2), one.pose.height_mm)
        for one in lying
    ]
    claims = np.zeros((rig.size_px[1], rig.size_px[0]), np.uint8)
    for i, quad in enumerate(quads, 1):
        cv2.fillConvexPoly(claims, np.rint(quad * 16).astype(np.int32), i, shift=4)
    counts = np.bincount(claims.ravel(), minlength=len(quads) + 1)
    areas = [float(cv2.contourArea(quad.astype(np.float32))) for quad in quads]
    return [
        Placed(one.card, quad, min(1.0, float(counts[i]) / max(areas[i - 1], 1.0)), rests=True)
        for i, (one, quad) in enumerate(zip(lying, quads, strict=True), 1)
    ]


def _quad(seen: SeenCard, rig: Rig, deck: Deck) -> NDArray[np.float64]:
    corners = np.array(seen.pose.corners_mm(*deck.card_mm), np.float64).reshape(4, 2)
    return np.asarray(rig.view.camera_px(corners, seen.pose.height_mm), np.float64)
