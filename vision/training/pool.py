"""A pool of made-up views on disk, from which every training draws; made once, resumed where it ended.

A shard is one print: its 48 faces as scans, then views of them and of nothing. Shard i depends on the seed and i alone.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.prints import Image, Print, redrawn
from vision.training.scenes import Conditions, Painter, View

VIEWS: Final = 216
NOTHINGS: Final = 32
_AS_PRINTED: Final = 0.3  # share of the shards that show a deck as it is


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """Views of one print. The first 48 of `crops` are its scans in the order of `DECK`.

    `crops` uint8 (N, 104, 64, 3) BGR, `seen` bool (N, 104, 64), `card` int (N,), −1 for no card, `turned` bool (N,),
    `height_px` float (N,).
    """

    deck: str
    family: str
    crops: Image
    seen: NDArray[np.bool_]
    card: NDArray[np.int64]
    turned: NDArray[np.bool_]
    height_px: NDArray[np.float32]


def fill_pool(
    folder: Path, prints: Sequence[Print], count: int, seed: int, report: Callable[[int], None] = lambda _: None
) -> None:
    """Makes shards 0 … `count` − 1 that are not in `folder` yet. Families take turns, and decks within each family."""
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    families = sorted({one.family for one in prints})
    for index in range(count):
        path = folder / f"shard-{index:05d}.npz"
        if path.exists():
            continue
        members = [one for one in prints if one.family == families[index % len(families)]]
        source = members[(index // len(families)) % len(members)]
        shard = make_shard(source, seed, index)
        save(path, shard)
        report(index)


def make_shard(source: Print, seed: int, index: int) -> Shard:
    """Scans and views of `source`, mostly of another print of its drawing, then views of nothing."""
    conditions = Conditions()
    rng = np.random.default_rng((seed, index))
    shown = source if rng.random() < _AS_PRINTED else redrawn(source, rng)
    painter = Painter(shown, rng)
    cards = np.concatenate([rng.permutation(48) for _ in range(-(-VIEWS // 48))])[:VIEWS]
    views = [painter.scan(card) for card in range(48)]
    views += [painter.view(int(card), conditions) for card in cards]
    other = Painter(shown, np.random.default_rng((seed, index, 1)))
    views += [other.nothing(conditions) for _ in range(NOTHINGS)]
    return shard_of(source, views)


def shard_of(source: Print, views: Sequence[View]) -> Shard:
    """`views` of `source` as arrays."""
    return Shard(
        source.name,
        source.family,
        np.stack([view.crop for view in views]),
        np.stack([view.seen for view in views]),
        np.array([view.card for view in views], np.int64),
        np.array([view.turned for view in views], np.bool_),
        np.array([view.height_px for view in views], np.float32),
    )


def save(path: Path, shard: Shard) -> None:
    """Writes a shard whole or not at all."""
    scratch = path.with_suffix(".part")
    with scratch.open("wb") as file:
        np.savez(
            file,
            about=np.array(json.dumps({"deck": shard.deck, "family": shard.family})),
            crops=shard.crops,
            seen=np.packbits(shard.seen.reshape(len(shard.seen), -1), axis=1),
            card=shard.card,
            turned=shard.turned,
            height_px=shard.height_px,
        )
    scratch.rename(path)


def load(path: Path) -> Shard:
    """The shard in `path`."""
    with np.load(path) as data:
        about = json.loads(str(data["about"]))
        crops = data["crops"]
        seen = np.unpackbits(data["seen"], axis=1).astype(np.bool_).reshape(crops.shape[:3])
        return Shard(about["deck"], about["family"], crops, seen, data["card"], data["turned"], data["height_px"])


def families_of(folder: Path) -> dict[Path, str]:
    """The shards in `folder` and the family of each."""
    found = {}
    for path in sorted(folder.glob("shard-*.npz")):
        with np.load(path) as data:
            found[path] = str(json.loads(str(data["about"]))["family"])
    return found
