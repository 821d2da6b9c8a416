"""`hanafuda bench calibration`: simulated rigs, a rival on the same ones, refusals, knocks and false alarms."""

import argparse
from collections.abc import Callable
from dataclasses import asdict
from math import ceil
from typing import Any

from app.output import answer, answer_json, progress

REFUSED = 0.95
NAMED = 0.95


def add_calibration(add: Callable[..., Any]) -> None:
    """What `bench calibration` takes."""
    add("--rigs", type=int, default=20, metavar="N", help="calibrate so many random rigs (default 20)")
    add("--first", type=int, default=1, metavar="SEED", help="the first rig's seed (default 1)")
    add("--refusals", type=int, default=0, metavar="N", help="spoil so many rigs in each of eleven ways")
    add("--knocks", type=int, default=0, metavar="N", help="knock so many rigs in every way")
    add("--hours", type=float, default=0.0, metavar="H", help="watch rigs that nobody moves for so long")
    add("--jobs", type=int, default=1, metavar="N", help="so many rigs at a time")


def bench_calibration(arguments: argparse.Namespace) -> int:
    """Measures. 1 where a target is missed."""
    seeds = range(arguments.first, arguments.first + arguments.rigs)
    parts: dict[str, Any] = {}
    good = [
        _rigs(list(seeds), arguments.jobs, arguments.json, parts) if arguments.rigs else True,
        _refusals(arguments.first, arguments.refusals, arguments.jobs, arguments.json, parts),
        _knocks(arguments.first, arguments.knocks, arguments.jobs, arguments.json, parts),
        _quiet(arguments.first, arguments.hours, arguments.jobs, arguments.json, parts),
    ]
    if arguments.json:
        answer_json(parts)
    return int(not all(good))


def _rigs(seeds: list[int], jobs: int, as_json: bool, parts: dict[str, Any]) -> bool:
    from app.rig_trials import GOOD_MM, run_rigs

    outcomes = []
    say = progress if as_json else answer
    for outcome in run_rigs(seeds, jobs):
        outcomes.append(outcome)
        if outcome.max_mm is None:
            say(f"REFUSED rig {outcome.seed}: {outcome.reason}: {outcome.sentence}")
            continue
        mark = "ok  " if outcome.good else "MISS"
        say(
            f"{mark} rig {outcome.seed}: {outcome.rms_mm:.3f} mm rms, {outcome.max_mm:.3f} at most (measured "
            f"{outcome.measured_mm or 0:.2f}), rival {outcome.rival_mm:.1f}, {outcome.model}, {outcome.took_s:.0f} s"
        )
    errors = sorted(o.max_mm for o in outcomes if o.max_mm is not None)
    rivals = sorted(o.rival_mm for o in outcomes if o.rival_mm is not None)
    hit = sum(o.good for o in outcomes)
    parts["rigs"] = {
        "count": len(outcomes),
        "good": hit,
        "target_mm": GOOD_MM,
        "median_max_mm": errors[len(errors) // 2] if errors else None,
        "worst_mm": errors[-1] if errors else None,
        "rival_median_mm": rivals[len(rivals) // 2] if rivals else None,
        "rival_best_mm": rivals[0] if rivals else None,
        "outcomes": [asdict(o) for o in outcomes],
    }
    if errors and not as_json:
        answer(
            f"{hit} of {len(outcomes)} rigs within {GOOD_MM:g} mm everywhere; largest error "
            f"{errors[len(errors) // 2]:.2f} mm in the middle case, {errors[-1]:.2f} in the worst; "
            f"four corners without a lens: {rivals[len(rivals) // 2]:.1f} mm, best {rivals[0]:.1f}"
        )
    return hit == len(outcomes)


def _refusals(first: int, count: int, jobs: int, as_json: bool, parts: dict[str, Any]) -> bool:
    if count <= 0:
        return True
    from app.rig_trials import run_refusals

    say = progress if as_json else answer
    done: dict[str, list[bool]] = {}
    wrong = []
    for outcome in run_refusals(range(first, first + count), jobs):
        done.setdefault(outcome.wanted, []).append(outcome.right)
        if not outcome.right:
            wrong.append(asdict(outcome))
            say(f"WRONG rig {outcome.seed}, {outcome.wanted}: {outcome.got}: {outcome.sentence}")
    for kind, rights in done.items():
        say(f"{kind:<20} {sum(rights)} of {len(rights)} with the right reason")
    parts["refusals"] = {"right": {kind: [sum(r), len(r)] for kind, r in done.items()}, "wrong": wrong}
    return all(sum(rights) >= REFUSED * len(rights) for rights in done.values())


def _knocks(first: int, count: int, jobs: int, as_json: bool, parts: dict[str, Any]) -> bool:
    if count <= 0:
        return True
    from app.knock_trials import try_knocks
    from app.rig_trials import each

    say = progress if as_json else answer
    done: dict[str, list[bool]] = {}
    wrong = []
    left: dict[str, list[float]] = {}
    for outcomes in each(try_knocks, list(range(first, first + count)), jobs):
        for outcome in outcomes:
            kind = outcome.culprit if outcome.culprit == "covered" else f"{outcome.culprit} {outcome.wanted_mm:g} mm"
            done.setdefault(kind, []).append(outcome.right)
            left.setdefault(kind, []).extend([] if outcome.left_mm is None else [outcome.left_mm])
            if not outcome.right:
                wrong.append(asdict(outcome))
                say(f"WRONG rig {outcome.seed}, {kind}: said {outcome.said} after {outcome.after_s} s")
    for kind, rights in done.items():
        after = sorted(left[kind])
        put = f"; light put right to {after[len(after) // 2]:.2f} mm, at worst {after[-1]:.2f}" if after else ""
        say(f"knock: {kind:<20} {sum(rights)} of {len(rights)} named right and in time{put}")
    parts["knocks"] = {"right": {k: [sum(r), len(r)] for k, r in done.items()}, "left_mm": left, "wrong": wrong}
    total = [right for rights in done.values() for right in rights]
    return sum(total) >= NAMED * len(total)


def _quiet(first: int, hours: float, jobs: int, as_json: bool, parts: dict[str, Any]) -> bool:
    """Hour by hour, each on a rig of its own."""
    if hours <= 0:
        return True
    from app.quiet_trials import quiet_hour
    from app.rig_trials import each

    say = progress if as_json else answer
    whole = [(first + i, min(1.0, hours - i)) for i in range(ceil(hours))]
    checks, alarms, covered = 0, [], 0
    for (seed, _), found in zip(whole, each(quiet_hour, whole, jobs), strict=True):
        checks, covered = checks + found.checks, covered + found.covered
        alarms += [{"seed": seed, **asdict(alarm)} for alarm in found.alarms]
        say(f"rig {seed} left alone: {len(found.alarms)} false alarms in {found.checks} checks")
    say(f"{len(alarms)} false alarms in {checks} checks ({hours:g} h); a hidden marker was named {covered} times")
    parts["quiet"] = {"hours": hours, "checks": checks, "false_alarms": len(alarms), "alarms": alarms}
    return len(alarms) < max(1.0, hours / 8)
