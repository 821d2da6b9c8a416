"""Trains the network on a pool of views; a run is resumed from its last checkpoint and depends on its seed alone."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from engine.cards import DECK
from vision.embedding import FACES
from vision.training.net import SHARP, Net
from vision.training.pool import Shard, load
from vision.training.scenes import NONE

SHARDS_A_STEP: Final = 2
_VIEWS_A_SHARD: Final = 80
_PEAK_RATE: Final = 2.5e-3
_MASK_GIVEN: Final = 0.65  # share of covered views whose mask the net is told
_SAVED_EVERY: Final = 100

FACE_OF: Final = torch.tensor([FACES.index(card.face) for card in DECK])
"""The class of each of the 48 cards."""
_EITHER_WAY: Final = torch.tensor([card.face in ("08-chaff", "10-chaff", "11-chaff") for card in DECK])
"""Cards that makers print either way up, or that look alike both ways: no turn is taught on them."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a training depends on: the shards, in order, its length and its seed."""

    shards: tuple[Path, ...]
    steps: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Scans and views of several prints: `owner` is which print, −1 in `card` is no card. Scans come first in each."""

    crops: Tensor
    masks: Tensor
    card: Tensor
    turned: Tensor
    owner: Tensor
    scan: Tensor


def train(run: Run, folder: Path, report: Callable[[int, dict[str, float]], None] = lambda *_: None) -> Net:
    """The trained net; `folder` keeps the checkpoint, and a run that ended early goes on from there."""
    torch.set_num_threads(1)
    torch.manual_seed(run.seed)
    net = Net(len(FACES))
    net.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(_groups(net), lr=_PEAK_RATE)
    done = _resume(folder / "checkpoint.pt", net, optimizer)
    folder.mkdir(parents=True, exist_ok=True)
    sums: dict[str, list[float]] = {}
    for step in range(done, run.steps):
        for group in optimizer.param_groups:
            group["lr"] = _rate(step, run.steps)
        net.train()
        losses = losses_of(net, draw_batch(run, step))
        total: Tensor = torch.stack(list(losses.values())).sum()
        optimizer.zero_grad()
        total.backward()  # type: ignore[no-untyped-call,unused-ignore]
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        for name, loss in losses.items():
            sums.setdefault(name, []).append(float(loss.detach()))
        if (step + 1) % _SAVED_EVERY == 0 or step + 1 == run.steps:
            report(step + 1, {name: float(np.mean(values)) for name, values in sums.items()})
            sums = {}
            _keep(folder / "checkpoint.pt", net, optimizer, step + 1)
    net.eval()
    return net


def losses_of(net: Net, batch: Batch) -> dict[str, Tensor]:
    """The parts of the loss: the class, nearest scan of the same print, is a card at all, which way up."""
    with torch.autocast("cpu", torch.bfloat16):
        vectors, cosines, heads = net(batch.crops, batch.masks)
    vectors, cosines, heads = vectors.float(), cosines.float(), heads.float()
    is_card = batch.card != NONE
    face = FACE_OF[batch.card.clamp(min=0)]
    logits = SHARP * cosines
    margin = SHARP * 0.1 * functional.one_hot(face, len(FACES))
    named = functional.cross_entropy((logits - margin)[is_card], face[is_card], label_smoothing=0.02)
    doubt = -functional.log_softmax(logits[~is_card], dim=1).mean()
    turning = is_card & ~_EITHER_WAY[batch.card.clamp(min=0)] & ~batch.scan
    upright = functional.binary_cross_entropy_with_logits(heads[turning, 1], batch.turned[turning].float())
    card = functional.binary_cross_entropy_with_logits(heads[:, 0], is_card.float())
    return {
        "class": named,
        "scan": _nearest_scan(vectors, batch),
        "doubt": 0.1 * doubt,
        "card": 0.3 * card,
        "turn": 0.2 * upright,
    }


def _nearest_scan(vectors: Tensor, batch: Batch) -> Tensor:
    """How surely each view's nearest scan of its print is one of its class, and a little that it is the very card."""
    parts = []
    for owner in range(int(batch.owner.max()) + 1):
        mine = batch.owner == owner
        scans = vectors[mine & batch.scan]
        asked = mine & ~batch.scan & (batch.card != NONE)
        card = batch.card[asked]
        chances = functional.log_softmax(SHARP * vectors[asked] @ scans.T, dim=1)
        same = FACE_OF[card][:, None] == FACE_OF[None]
        class_ = torch.logsumexp(chances.masked_fill(~same, -math.inf), dim=1)
        parts.append(-(class_.mean() + 0.4 * chances.gather(1, card[:, None]).mean()) / 1.4)
    return torch.stack(parts).mean()


def draw_batch(run: Run, step: int) -> Batch:
    """The batch of a step: scans of two prints and some of their views, some of the masks withheld or made wrong."""
    rng = np.random.default_rng((run.seed, step))
    laps = len(run.shards) // SHARDS_A_STEP
    order = np.random.default_rng((run.seed, 10**6, step // laps)).permutation(len(run.shards))
    at = (step % laps) * SHARDS_A_STEP
    shards = [load(run.shards[i]) for i in order[at : at + SHARDS_A_STEP]]
    parts = [_drawn(shard, rng) for shard in shards]
    crops = np.concatenate([part[0] for part in parts])
    masks = np.concatenate([part[1] for part in parts])
    counts = [len(part[0]) for part in parts]
    scan = np.concatenate([np.arange(n) < 48 for n in counts])
    crops_t = torch.from_numpy(np.ascontiguousarray(crops)).permute(0, 3, 1, 2).float()
    crops_t = _recoloured(crops_t, counts, rng)
    return Batch(
        crops_t.contiguous(memory_format=torch.channels_last),
        torch.from_numpy(masks)[:, None].float(),
        torch.from_numpy(np.concatenate([part[2] for part in parts])),
        torch.from_numpy(np.concatenate([part[3] for part in parts])),
        torch.from_numpy(np.repeat(np.arange(len(counts)), counts)),
        torch.from_numpy(scan),
    )


def _recoloured(crops: Tensor, counts: Sequence[int], rng: np.random.Generator) -> Tensor:
    """Crops whose hues are turned or faded, half of the prints alike, half of the views each by itself.

    Makers colour the same motif as they like: colours are an aid, not a need.
    """
    owner = np.repeat(np.arange(len(counts)), counts)
    fade = np.where(rng.random(len(counts)) < 0.4, rng.uniform(0.0, 0.8, len(counts)), 1.0)[owner]
    turn = np.where(rng.random(len(counts)) < 0.4, rng.normal(0, 0.6, len(counts)), 0.0)[owner]
    alone = rng.random(len(owner)) < 0.15
    fade = np.where(alone, rng.uniform(0.0, 1.0, len(owner)), fade)
    mix = np.einsum("n,nij->nij", fade, _hue_turns(turn)) + (1 - fade)[:, None, None] / 3
    return torch.einsum("nij,njhw->nihw", torch.from_numpy(mix).float(), crops)


def _hue_turns(angles_rad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Matrices (N, 3, 3) that turn colours about the grey axis."""
    c, s = np.cos(angles_rad)[:, None, None], np.sin(angles_rad)[:, None, None]
    cross = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / np.sqrt(3)
    return np.asarray(c * np.eye(3) + (1 - c) / 3 + s * cross)


def _drawn(
    shard: Shard, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.int64], NDArray[np.bool_]]:
    views = 48 + rng.permutation(len(shard.crops) - 48)[:_VIEWS_A_SHARD]
    chosen = np.concatenate([np.arange(48), views])
    seen = shard.seen[chosen].copy()
    for i, mask in enumerate(seen):
        if i < 48:
            continue
        if mask.all():
            if rng.random() < 0.35:
                _hide(mask, rng)
        elif rng.random() > _MASK_GIVEN:
            mask[:] = True
        else:
            _shift(mask, rng)
    return shard.crops[chosen], seen, shard.card[chosen], shard.turned[chosen]


def _hide(mask: NDArray[np.bool_], rng: np.random.Generator) -> None:
    """Hides a rectangle or a border strip of a visible card: masks also cover what could be seen."""
    height, width = mask.shape
    h, w = int(rng.uniform(0.1, 0.7) * height), int(rng.uniform(0.1, 0.8) * width)
    y, x = int(rng.integers(height - h)), int(rng.integers(width - w))
    mask[y : y + h, x : x + w] = False


def _shift(mask: NDArray[np.bool_], rng: np.random.Generator) -> None:
    """Moves a mask by up to three px: its edge is never known exactly."""
    dy, dx = rng.integers(-3, 4, 2)
    moved = np.roll(mask, (int(dy), int(dx)), (0, 1))
    if moved.any():
        mask[:] = moved


def _rate(step: int, steps: int) -> float:
    warm = min(1.0, (step + 1) / max(1, min(100, steps // 10)))
    return _PEAK_RATE * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / steps)))


def _groups(net: Net) -> Sequence[dict[str, Any]]:
    decayed = [p for p in net.parameters() if p.ndim > 1]
    plain = [p for p in net.parameters() if p.ndim <= 1]
    return [{"params": decayed, "weight_decay": 0.02}, {"params": plain, "weight_decay": 0.0}]


def _keep(path: Path, net: Net, optimizer: torch.optim.Optimizer, step: int) -> None:
    scratch = path.with_suffix(".part")
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, scratch)
    scratch.rename(path)


def _resume(path: Path, net: Net, optimizer: torch.optim.Optimizer) -> int:
    if not path.exists():
        return 0
    kept = torch.load(path, weights_only=True)
    net.load_state_dict(kept["net"])
    optimizer.load_state_dict(kept["optimizer"])
    return int(kept["step"])
