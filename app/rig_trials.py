"""Calibrating simulated rigs whose truth is known: the error in mm, a rival beside it, refusals, knocks."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from app.rigs.faults import KINDS, spoil
from app.rigs.rig import SimulatedRig
from app.rigs.rival import four_corners
from app.rigs.setup import profile_before
from app.rigs.spec import random_spec
from calibration.findings import Mark
from calibration.projector_live import calibrate_live
from calibration.refusals import Reason, Refusal

Job = TypeVar("Job")
Result = TypeVar("Result")
GRID_MM = 25.0
GOOD_MM = 0.5
"""The largest overlay error that a simulated rig may have."""


@dataclass(frozen=True, slots=True)
class RigOutcome:
    """One rig: the true overlay error over a 25 mm grid, that of the rival, what validation measured; or the refusal.

    Lengths in mm. `about` are the rig's facts.
    """

    seed: int
    max_mm: float | None
    rms_mm: float | None
    rival_mm: float | None
    measured_mm: float | None
    reason: str = ""
    sentence: str = ""
    verdict: str = ""
    model: str = ""
    took_s: float = 0.0
    about: dict[str, float] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        """Whether the rig was accepted and its error is within the target."""
        return self.max_mm is not None and self.max_mm <= GOOD_MM


@dataclass(frozen=True, slots=True)
class RefusalOutcome:
    """One spoiled rig: the reason it should be refused for, and what happened."""

    seed: int
    wanted: str
    got: str
    sentence: str

    @property
    def right(self) -> bool:
        """Whether the right reason was given."""
        return self.wanted == self.got


def grid_mm(mat_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Points every 25 mm over the mat, its edges among them, shape (N, 2)."""
    x, y = (np.linspace(-side / 2, side / 2, max(2, int(side // GRID_MM) + 1)) for side in mat_mm)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def try_rig(seed: int) -> RigOutcome:
    """Calibrates the rig of that seed."""
    spec = random_spec(seed)
    start = time.perf_counter()
    rig = SimulatedRig(spec)
    about = dict(spec.about)
    try:
        outcome = calibrate_live(rig, spec.projector.size_px, profile_before(spec, rig), spec.camera_id)
    except Refusal as refusal:
        took = time.perf_counter() - start
        return RigOutcome(seed, None, None, None, None, refusal.reason.value, str(refusal), "", "", took, about)
    took = time.perf_counter() - start
    grid = grid_mm(spec.mat_mm)
    errors = rig.overlay_error_mm(outcome.fit.map.map(grid), grid)
    rival = rig.overlay_error_mm(
        four_corners(spec, outcome.reading.camera_px, outcome.reading.projector_px).map(grid), grid
    )
    measured = outcome.findings.figures["max_mm"]
    return RigOutcome(
        seed, float(errors.max()), float(np.sqrt(np.mean(errors**2))), float(rival.max()),
        None if measured is None else float(measured), "", "", outcome.findings.verdict, outcome.fit.model, took, about,
    )  # fmt: skip


def try_refusal(job: tuple[str, int]) -> RefusalOutcome:
    """Calibrates the rig of that seed spoiled by that kind of fault."""
    kind, seed = Reason(job[0]), job[1]
    spec = random_spec(seed)
    spoiled = spoil(kind, spec, profile_before(spec))
    rig = SimulatedRig(spoiled.spec)
    try:
        outcome = calibrate_live(rig, rig.size_px, spoiled.profile, rig.camera_id)
    except Refusal as refusal:
        return RefusalOutcome(seed, kind.value, refusal.reason.value, str(refusal))
    named = [c for c in outcome.findings.checks if c.topic == "projector's px" and c.mark is not Mark.WELL]
    scales = bool(named) and "scales" in named[0].found
    return RefusalOutcome(
        seed,
        kind.value,
        Reason.SCALES.value if scales else "accepted",
        named[0].found if named else outcome.findings.verdict,
    )


def run_rigs(seeds: Sequence[int], jobs: int = 1) -> Iterator[RigOutcome]:
    """All rigs in order, `jobs` at a time."""
    yield from each(try_rig, seeds, jobs)


def run_refusals(seeds: Sequence[int], jobs: int = 1) -> Iterator[RefusalOutcome]:
    """Every kind of fault on every seed."""
    work = [(kind.value, seed) for kind in KINDS for seed in seeds]
    yield from each(try_refusal, work, jobs)


def each(function: Callable[[Job], Result], work: Sequence[Job], jobs: int) -> Iterator[Result]:
    """The results of `function` on all of `work` in order, `jobs` at a time."""
    if jobs <= 1:
        yield from map(function, work)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(function, work)
