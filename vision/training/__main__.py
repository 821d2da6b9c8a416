"""Trains the embedding: `python -m vision.training pool | folds | learn | export`, in this order; see CONTRIBUTING."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.errors import ConfigError, HanafudaError
from vision.deck import BUILT_IN, load_deck
from vision.embedding import MODEL, SURE, Embedding, trust
from vision.training.export import export
from vision.training.learn import Run, train
from vision.training.pool import families_of, fill_pool
from vision.training.prints import family_of, load_prints
from vision.training.trial import BANDS, Score, table, try_deck
from vision.training.trusting import Trials, fit_trust, reliability, trials_of


def main() -> int:
    """Runs one step. Every step goes on where it was stopped."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    for name, about in (
        ("pool", "make the views from which every training draws"),
        ("folds", "train once without each family of drawings, print how its decks are read, fit the confidence"),
        ("learn", "train on all families"),
        ("export", "write the trained net for the run time"),
    ):
        step = steps.add_parser(name, help=about)
        step.add_argument("--work", type=Path, required=True, metavar="DIR", help="where pool and checkpoints lie")
        step.add_argument("--seed", type=int, default=1)
        if name in ("pool", "folds"):
            step.add_argument("--decks", type=Path, action="append", default=[BUILT_IN], metavar="DIR")
        if name == "pool":
            step.add_argument("--count", type=int, default=540, metavar="N", help="shards of 296 views (default 540)")
        if name in ("folds", "learn"):
            step.add_argument("--steps", type=int, default=700 if name == "folds" else 2400, metavar="N")
        if name == "export":
            step.add_argument("--to", type=Path, default=MODEL, metavar="FILE")
    arguments = parser.parse_args()
    try:
        match arguments.step:
            case "pool":
                prints = load_prints(arguments.decks)
                fill_pool(
                    arguments.work / "pool", prints, arguments.count, arguments.seed, lambda i: _say(f"shard {i}")
                )
            case "folds":
                _folds(arguments.work, arguments.decks, arguments.steps, arguments.seed)
            case "learn":
                run = Run(tuple(_shards(arguments.work)), arguments.steps, arguments.seed)
                train(run, arguments.work / "final", _tell)
            case _:
                _export(arguments.work, arguments.seed, arguments.to)
    except HanafudaError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _folds(work: Path, roots: Sequence[Path], steps: int, seed: int) -> None:
    shards = _shards(work)
    folders = [path.parent for root in roots for path in sorted(root.glob("*/deck.yaml"))]
    scores: list[Score] = []
    trials: list[Trials] = []
    for family in sorted({family_of(folder) for folder in folders}):
        _say(f"without family {family}")
        kept = tuple(path for path, its in shards.items() if its != family)
        fold = work / f"without-{family}"
        export(train(Run(kept, steps, seed), fold, _tell), fold / "net.onnx")
        net = Embedding(fold / "net.onnx")
        for folder in folders:
            if family_of(folder) == family:
                deck = load_deck(folder)
                scores += try_deck(net, deck, family)
                trials.append(trials_of(net, deck, family))
    weights = fit_trust(trials)
    (work / "trust.json").write_text(json.dumps([round(float(w), 4) for w in weights]), encoding="utf-8")
    _say(json.dumps([score.as_dict() for score in scores if not score.how.startswith("not enrolled")]))
    for how in dict.fromkeys(score.how for score in scores):
        _say(f"{how}, % right:\n{table(scores, [how], list(BANDS))}")
    _say("\n".join(_trusted(trials)))


def _trusted(trials: Sequence[Trials]) -> list[str]:
    """How each deck is trusted by weights fitted on all other families, and the reliability of all together."""
    lines = [f"{'trusted by other families':<30} {'believed':>9} {'wrong':>7} {'readings':>9}"]
    said, right = [], []
    for one in trials:
        sure = trust(one.evidence, fit_trust([other for other in trials if other.family != one.family]))
        believed = sure >= SURE
        wrong = int((believed & ~one.right).sum())
        lines.append(f"{one.deck:<30} {int(believed.sum()):9d} {wrong:7d} {len(sure):9d}")
        said.append(sure)
        right.append(one.right)
    lines.append("said   right   readings")
    lines += [f"{a:.2f}   {b:.2f}   {n}" for a, b, n in reliability(np.concatenate(said), np.concatenate(right))]
    return lines


def _export(work: Path, seed: int, target: Path) -> None:
    path = work / "trust.json"
    if not path.is_file():
        raise ConfigError(f"{path} is missing: `folds` writes it")
    run = Run(tuple(_shards(work)), 0, seed)
    export(train(run, work / "final"), target, json.loads(path.read_text(encoding="utf-8")))


def _shards(work: Path) -> dict[Path, str]:
    shards = families_of(work / "pool")
    if not shards:
        raise ConfigError(f"{work / 'pool'} holds no shards: `pool` makes them")
    return shards


def _tell(step: int, losses: dict[str, float]) -> None:
    _say(f"step {step}: " + ", ".join(f"{name} {value:.3f}" for name, value in losses.items()))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
