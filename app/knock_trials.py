"""Knocking simulated rigs under watch: whether the culprit is named, how fast, and whether the light is right again."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.rig_trials import grid_mm
from app.rigs.knocks import knock
from app.rigs.spec import random_spec
from app.rigs.watched import WatchedRig
from calibration.watch import Culprit

KNOCKS: Final = (Culprit.CAMERA, Culprit.PROJECTOR, Culprit.MAT, Culprit.COVERED)
SIZES_MM: Final = (1.0, 3.0)
QUICK_S: Final = 2.0
"""A knock of 3 mm, or a covered marker, is named within this; 1 mm within `SLOW_S`."""
SLOW_S: Final = 10.0
_BEFORE_S: Final = 2.5
_AFTER_S: Final = 4.0  # until the light goes with it
_MENDED: Final = ("followed", "mended")


@dataclass(frozen=True, slots=True)
class KnockOutcome:
    """One knock: what was moved by how much, what was said first after how many seconds (None: nothing in time).

    `left_mm` is how far light falls beside its place at most once it was put right; None where it was not, or where
    nothing had to be.
    """

    seed: int
    culprit: str
    wanted_mm: float
    said: str | None
    after_s: float | None
    said_mm: float | None
    left_mm: float | None = None

    @property
    def right(self) -> bool:
        """Whether the right culprit was named in time."""
        limit = SLOW_S if self.wanted_mm < 3 and self.culprit != Culprit.COVERED.value else QUICK_S
        return self.said == self.culprit and self.after_s is not None and self.after_s <= limit + 1e-9


def try_knocks(seed: int) -> tuple[KnockOutcome, ...]:
    """Every kind of knock, small and large, on the rig of that seed."""
    spec = random_spec(seed)
    rng = np.random.default_rng([seed, 19])
    done = []
    for culprit in KNOCKS:
        for size in SIZES_MM if culprit is not Culprit.COVERED else SIZES_MM[:1]:
            watched = WatchedRig(spec)
            watched.run(_BEFORE_S + float(rng.uniform(0, 1)))
            watched.rig.change(knock(culprit, watched.rig.spec, size, rng))
            done.append(_outcome(watched, seed, culprit, size))
    return tuple(done)


def _outcome(watched: WatchedRig, seed: int, culprit: Culprit, size: float) -> KnockOutcome:
    start = watched.t_s
    said, mended = None, False
    while watched.t_s < start + SLOW_S + (_AFTER_S if said is not None else 0.0):
        for event in watched.see():
            said = said or event
            mended = mended or event.done in _MENDED
        if said is not None and (mended or culprit is Culprit.COVERED):
            break
    left = watched.light_error_mm(grid_mm(watched.rig.spec.mat_mm)).max() if mended else None
    return KnockOutcome(
        seed, culprit.value, size, None if said is None else said.what, None if said is None else said.t_s - start,
        None if said is None else said.moved_mm, None if left is None else float(left),
    )  # fmt: skip
