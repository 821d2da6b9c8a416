"""Which spot a hand covers: told from a few samples of each frame, without reading any card.

A hand is something that hides the whole spot, lies still, and reaches over the mat from one side only. An arm on its
way elsewhere goes on beyond the spot, a thing laid down reaches nowhere, and light or shadow keeps the mat's colour.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.spots import Spot
from calibration.view import TableView
from vision.values import Frame

HOLD_S: Final = 0.8
"""A hand must lie still on a spot for this long."""
_TICK_S: Final = 1e-3
"""Times of frames are rounded: twelve of them at 15 a second last 0.8 s, or a little less."""
CLEAR_S: Final = 0.3
"""A spot can be covered anew after it was seen bare for this long."""
_LEARN_S: Final = 2.0
"""A spot must have looked the same for this long before it is known how it looks bare."""
_GLANCE_S: Final = 0.2
_ADAPT: Final = 0.06
_ABSORB_S: Final = 1.5
"""What lies still around a spot for this long while nothing is on it belongs to the table."""
_FORGET_S: Final = 20.0
"""What lies on a spot unchanged for this long is taken for the table until the spot looks as before."""
_COVERED: Final = 0.72
_STILL_COVERED: Final = 0.57
_LAIN: Final = 0.4
_FLICKER_S: Final = 0.1
_DOUBT_S: Final = 0.14
_STILL: Final = 13.0
_INNER: Final = 0.72
_RINGS_MM: Final = (38.0, 53.0, 68.0, 83.0, 99.0, 115.0, 131.0)
_FAR_RING: Final = 3
_TURNS: Final = 24
_EDGE_TURNS: Final = 5
_GAP_TURNS: Final = 4
_WIDEST_TURNS: Final = 11
_TONE: Final = 0.012
"""Share of a colour in a sample that may change under any light; noise reaches half of it, skin passes it on wood."""
_TONE_LEAST: Final = 2.5
"""Grey levels by which it must change at least: in deep shadow less is noise."""
_DARK, _LIGHT = 0.45, 1.3
_LEAST: Final = 3.5
_CHANGED: Final = 12.0
_BESIDE_MM: Final = 170.0

Samples = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SpotReading:
    """What hands do to the spots offered: `progress` 0–1 of each in the order given, and those `covered` just now."""

    progress: tuple[float, ...] = ()
    covered: tuple[Spot, ...] = ()


@dataclass(slots=True, eq=False)
class _Slot:
    """One place: where it is sampled, how it looks bare, and what is going on there.

    `bare` (N, 3) are the samples of the disc, `around` (rings, turns, 3) those around it; None until they are known.
    `seen` tells which of those around are in the picture. `anchor` is what has lain there since `held_since_s`.
    """

    x_mm: float
    y_mm: float
    inner: NDArray[np.intp]
    outer: NDArray[np.intp]
    seen: NDArray[np.bool_]
    bare: Samples | None = None
    before: Samples | None = None
    around: Samples | None = None
    glance: Samples | None = None
    glance_around: Samples | None = None
    glance_covered: bool = False
    glanced_s: float = -math.inf
    same_since_s: float = 0.0
    around_since_s: NDArray[np.float64] = field(default_factory=lambda: np.zeros((len(_RINGS_MM), _TURNS)))
    anchor: Samples | None = None
    held_since_s: float = 0.0
    covered_s: float = -math.inf
    hand_s: float = -math.inf
    bare_since_s: float | None = None
    spent: bool = False
    name: tuple[str, int] | None = None
    way: tuple[float, float] | None = None


class SpotWatcher:
    """Watches the spots of one table through `view`; `places` are those that may be offered, so that they are known.

    `size_px` is the camera's (width, height). Pure: the same frames give the same readings.
    """

    def __init__(self, view: TableView, places: Sequence[Spot], size_px: tuple[int, int]) -> None:
        self._view = view
        self._size_px = size_px
        self._slots: dict[tuple[float, float], _Slot] = {}
        for spot in places:
            self._slot(spot)
        width, height = size_px
        x, y = np.meshgrid(np.linspace(0.04, 0.96, 12) * width, np.linspace(0.06, 0.94, 8) * height)
        self._overall = (y.astype(np.intp) * width + x.astype(np.intp)).ravel()
        self._light: Samples | None = None
        self._lit_s = -math.inf

    def watch(self, frame: Frame, offered: Sequence[Spot]) -> SpotReading:
        """What the next frame shows. Spots with another name or place than before must be seen bare first."""
        names = {(spot.x_mm, spot.y_mm): (spot.name, spot.seat) for spot in offered}
        for spot in offered:
            self._slot(spot)
        for place, slot in self._slots.items():
            if slot.name != names.get(place):
                slot.name, slot.spent = names.get(place), True
        pixels = frame.image.reshape(-1, 3)
        gain = self._gain(pixels, frame.t_s)
        due = min(self._slots.values(), key=lambda slot: slot.glanced_s, default=None)
        due = due if due is not None and frame.t_s - due.glanced_s >= _GLANCE_S else None
        looked = [slot for slot in self._slots.values() if slot.name is not None or slot is due]
        if not looked:
            return SpotReading()
        now = means(pixels, np.stack([slot.inner for slot in looked]))
        bare = np.stack([own if slot.bare is None else slot.bare for slot, own in zip(looked, now, strict=True)])
        shares = differs(now, bare, gain).mean(axis=1)
        for slot, own, share in zip(looked, now, shares.tolist(), strict=True):
            if slot.bare is not None:
                self._follow(slot, own, share, pixels, gain, frame.t_s)
            if slot is due:
                slot.glanced_s = frame.t_s
                self._learn(slot, own, share, pixels, frame.t_s)
        return self._reading(offered, frame.t_s)

    def _gain(self, pixels: NDArray[np.uint8], t_s: float) -> Samples:
        """How much brighter than usual the picture as a whole is, per channel, shape (3,)."""
        now = pixels[self._overall].astype(np.float32)
        if self._light is None:
            self._light = now
        ratio = np.sort((now + 4) / (self._light + 4), axis=0)[len(now) // 2]
        if t_s - self._lit_s >= _GLANCE_S:
            self._lit_s = t_s
            self._light = self._light + np.float32(_ADAPT) * (now - self._light)
        return np.asarray(np.clip(ratio, 0.4, 2.5), dtype=np.float32)

    def _reading(self, offered: Sequence[Spot], t_s: float) -> SpotReading:
        progress, covered = [], []
        held = [slot for slot in self._slots.values() if slot.anchor is not None]
        for spot in offered:
            slot = self._slots[spot.x_mm, spot.y_mm]
            share = 0.0
            if slot.anchor is not None and not slot.spent and not any(_beyond(slot, other) for other in held):
                share = min(1.0, (t_s - slot.held_since_s + _TICK_S) / HOLD_S)
            elif slot.anchor is not None:
                slot.held_since_s = t_s
            if share >= 1.0:
                slot.spent = True
                covered.append(spot)
            progress.append(share)
        return SpotReading(tuple(progress), tuple(covered))

    def _follow(
        self, slot: _Slot, now: Samples, share: float, pixels: NDArray[np.uint8], gain: Samples, t_s: float
    ) -> None:
        """Whether something lies on the slot now (over this `share` of it), for how long, and whether like a hand."""
        if slot.before is not None and differs(now, slot.before, gain).mean() < 0.3:
            slot.bare, slot.before, share = slot.before, None, 0.0
        if share < (_COVERED if slot.anchor is None else _STILL_COVERED):
            if t_s - slot.covered_s > _FLICKER_S or share < 0.4:
                slot.anchor = None
            if share < 0.3:
                slot.bare_since_s = t_s if slot.bare_since_s is None else slot.bare_since_s
                slot.spent = slot.spent and t_s - slot.bare_since_s < CLEAR_S
            return
        slot.bare_since_s, slot.covered_s = None, t_s
        if slot.spent:
            slot.anchor, slot.held_since_s = now, t_s
            return
        arcs = _arcs(_ends(_around(pixels, slot), slot, gain))
        if len(arcs) == 1 and arcs[0][1] <= _WIDEST_TURNS:
            slot.way, slot.hand_s = arcs[0][0], t_s
        elif t_s - slot.hand_s > _DOUBT_S:
            slot.spent = len(arcs) > 1  # it reaches further: an arm that is only passing, until it has left
            slot.anchor = None
            return
        if slot.anchor is None or _apart(now, slot.anchor) > _STILL:
            slot.anchor, slot.held_since_s = now, t_s

    def _learn(self, slot: _Slot, now: Samples, share: float, pixels: NDArray[np.uint8], t_s: float) -> None:
        """How the slot and what is around it look while no hand is there."""
        covered = share >= _LAIN
        if slot.glance is None or _apart(now, slot.glance) > _STILL / 2 or covered != slot.glance_covered:
            slot.glance, slot.same_since_s = now, t_s
        slot.glance_covered = covered
        if slot.bare is None or slot.around is None:
            if t_s - slot.same_since_s >= _LEARN_S:
                slot.bare, slot.around, slot.spent = now, _around(pixels, slot), True
                slot.glance_around, slot.around_since_s[:] = slot.around, t_s
        elif share < 0.3:
            slot.bare = slot.bare + np.float32(_ADAPT) * (now - slot.bare)
            self._absorb(slot, _around(pixels, slot), t_s)
        elif covered and t_s - slot.same_since_s >= _FORGET_S:
            slot.before = slot.bare if slot.before is None else slot.before
            slot.bare, slot.spent, slot.anchor = now, True, None

    @staticmethod
    def _absorb(slot: _Slot, around: Samples, t_s: float) -> None:
        """What has not changed around a bare slot for a while is how the table looks there."""
        if slot.glance_around is None or slot.around is None:
            return
        changed = np.abs(around - slot.glance_around).max(axis=-1) > _CHANGED
        slot.around_since_s[changed] = t_s
        np.copyto(slot.glance_around, around, where=changed[..., None])
        np.copyto(slot.around, around, where=(t_s - slot.around_since_s >= _ABSORB_S)[..., None])

    def _slot(self, spot: Spot) -> _Slot:
        place = (spot.x_mm, spot.y_mm)
        if place not in self._slots:
            self._slots[place] = self._new_slot(spot)
        return self._slots[place]

    def _new_slot(self, spot: Spot) -> _Slot:
        turns = np.arange(_TURNS) * 2 * math.pi / _TURNS
        disc = [(0.0, 0.0)]
        for share, count in ((0.5, 7), (1.0, 14)):
            r = share * _INNER * spot.radius_mm
            disc += [
                (r * math.cos(2 * math.pi * i / count), r * math.sin(2 * math.pi * i / count)) for i in range(count)
            ]
        centre = np.array([spot.x_mm, spot.y_mm])
        near = np.array([(-4.0, -2.5), (4.0, -2.5), (-2.5, 4.0), (2.5, 4.0)])
        inner, _ = self._index(np.array(disc)[:, None] + near / 2 + centre)
        rings = np.array([[(r * math.cos(a), r * math.sin(a)) for a in turns] for r in _RINGS_MM])
        outer, seen = self._index(rings[:, :, None] + near + centre)
        return _Slot(spot.x_mm, spot.y_mm, inner, outer, np.asarray(seen.all(axis=-1)))

    def _index(self, points_mm: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Index of the nearest pixel in the flattened picture, and whether it is in the picture."""
        px = np.rint(self._view.camera_px(points_mm.reshape(-1, 2))).astype(np.intp).reshape(points_mm.shape)
        width, height = self._size_px
        x, y = np.clip(px[..., 0], 0, width - 1), np.clip(px[..., 1], 0, height - 1)
        return np.asarray(y * width + x, dtype=np.intp), (x == px[..., 0]) & (y == px[..., 1])


def _apart(now: Samples, then: Samples) -> float:
    """How much the samples of a disc have changed, grey levels; light on less than half of them does not count."""
    return float(np.partition(np.abs(now - then).max(axis=1), len(now) // 2)[len(now) // 2])


def _ends(around: Samples, slot: _Slot, gain: Samples) -> NDArray[np.bool_]:
    """The directions in which what lies on the slot goes on to the outermost ring or out of the picture, (turns,).

    Where it goes to neither, those in which it goes furthest, if that is further than a thing laid down would reach:
    the rest of the sleeve may look like the table.
    """
    nothing = np.zeros(_TURNS, dtype=bool)
    if slot.around is None:
        return nothing
    covered = differs(around, slot.around, gain) & slot.seen
    if covered[0].sum() < min(_EDGE_TURNS, int(slot.seen[0].sum())):
        return nothing
    within, reached, furthest = nothing, covered[0], nothing
    ends = reached & ~slot.seen[1]
    for ring in range(1, len(_RINGS_MM)):
        near = _wider(_wider(reached) | within)  # a sleeve of the table's colour may leave gaps
        within, reached = reached, _spread(covered[ring] & near, covered[ring])
        ends = ends | (reached & ~slot.seen[ring + 1] if ring + 1 < len(_RINGS_MM) else reached)
        if ring >= _FAR_RING and reached.any():
            furthest = reached
    return np.asarray(ends if ends.any() else furthest)


def _around(pixels: NDArray[np.uint8], slot: _Slot) -> Samples:
    """The samples around a slot, shape (rings, turns, 3), each the mean of four pixels."""
    return means(pixels, slot.outer)


def means(pixels: NDArray[np.uint8], index: NDArray[np.intp]) -> Samples:
    """The colours at `index` (..., 4), each the mean of four pixels, shape (..., 3)."""
    return np.asarray(np.add.reduce(pixels[index], axis=-2, dtype=np.float32) * np.float32(0.25))


def differs(now: Samples, bare: Samples, gain: Samples) -> NDArray[np.bool_]:
    """Where something else is seen than the bare mat, whatever light falls on it; shapes (..., 3) in, (...) out."""
    was = bare * gain
    level, level_was = now.mean(axis=-1), was.mean(axis=-1)
    ratio = (level + 6) / (level_was + 6)
    shaded = was * ((level + 1) / (level_was + 1))[..., None]
    tone = np.abs(now - shaded).max(axis=-1)
    tinted = (tone > _TONE * (3 * level + 24)) & (tone > _TONE_LEAST)
    differs = (ratio < _DARK) | (ratio > _LIGHT) | tinted
    return np.asarray(differs & (np.abs(now - was).max(axis=-1) > _LEAST))


def _wider(turns: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.asarray(turns | np.roll(turns, 1) | np.roll(turns, -1))


def _spread(start: NDArray[np.bool_], within: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """All turns of `within` that hang together with `start`."""
    while True:
        more = _wider(start) & within | start
        if (more == start).all():
            return start
        start = more


def _arcs(ends: NDArray[np.bool_]) -> tuple[tuple[tuple[float, float], int], ...]:
    """Middle (unit vector, table frame) and width in turns of each arc of `ends`, small gaps closed."""
    turns = np.flatnonzero(ends)
    if turns.size == 0:
        return ()
    gaps = np.diff(turns, append=turns[0] + _TURNS)
    breaks = np.flatnonzero(gaps > _GAP_TURNS)
    if breaks.size == 0:
        return (((0.0, 0.0), _TURNS),)
    arcs = []
    for i, at in enumerate(breaks.tolist()):
        first = int(turns[(at + 1) % turns.size])
        last = int(turns[breaks[(i + 1) % breaks.size]])
        width = (last - first) % _TURNS + 1
        angle = (first + (width - 1) / 2) * 2 * math.pi / _TURNS
        arcs.append(((math.cos(angle), math.sin(angle)), width))
    return tuple(arcs)


def _beyond(slot: _Slot, other: _Slot) -> bool:
    """Whether what lies on `slot` only lies there because the hand is on `other`, further along its arm."""
    dx, dy = other.x_mm - slot.x_mm, other.y_mm - slot.y_mm
    if other is slot or math.hypot(dx, dy) > _BESIDE_MM or slot.way is None:
        return False
    return dx * slot.way[0] + dy * slot.way[1] < -0.3 * math.hypot(dx, dy)
