"""Reads cards with the trained embedding.

It names month and rank of traditional cards with nothing enrolled, and gives unit vectors by which one enrolled picture
a card is enough for any other deck. The network lies in `models/embedding.onnx`; what it was trained on and how well it
reads stands in `models/embedding.md`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK
from engine.errors import ConfigError

MODEL: Final = Path(__file__).resolve().parent.parent / "models" / "embedding.onnx"
CROP_PX: Final = (64, 104)
"""Width and height of the crops that the network takes; others are resized to it."""

FACES: Final = tuple(dict.fromkeys(card.face for card in DECK))
"""The 36 classes, month and rank, in the order of the columns of `Look.faces`."""

SURE: Final = 0.93
"""Confidence from which a reading with nothing enrolled may be believed; below it is an abstention."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the network makes of N crops.

    `vectors` float32 (N, 128), of length 1, nearly the same either way up; `faces` float32 (N, 36), the probability of
    each of `FACES` if it is a card of a traditional drawing; `confidence` (N,) that the likeliest of them is right at
    all, low for what is no card, another drawing or too little to see; `card` (N,) that a card lies there as cut,
    whatever its drawing; `turned` (N,) that it stands on its head. All 0–1. A crop of which nothing is visible has
    confidence 0.
    """

    vectors: NDArray[np.float32]
    faces: NDArray[np.float32]
    confidence: NDArray[np.float32]
    card: NDArray[np.float32]
    turned: NDArray[np.float32]

    def names(self) -> tuple[str | None, ...]:
        """Month and rank of each crop, such as `03-ribbon`; None where it abstains."""
        best = self.faces.argmax(axis=1)
        return tuple(
            FACES[i] if sure >= SURE else None for i, sure in zip(best.tolist(), self.confidence.tolist(), strict=True)
        )


class Embedding:
    """The network in `model`, one thread. Raises ConfigError for a file that is missing or none of ours."""

    def __init__(self, model: Path = MODEL) -> None:
        import onnxruntime  # costs 0.1 s and 30 MB: only where something is read with it

        if not model.is_file():
            raise ConfigError(f"{model} is missing: the trained embedding belongs there")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
            facts = dict(self._session.get_modelmeta().custom_metadata_map)
            faces = tuple(json.loads(facts["faces"]))
            self._trust: NDArray[np.float64] = np.array(json.loads(facts["trust"]), np.float64)
            self._sharp = float(facts["sharp"])
        except Exception as error:  # onnxruntime has no narrower class in common
            raise ConfigError(
                f"{model} is no embedding that can be used: {' '.join(str(error).split())[:200]}"
            ) from None
        if faces != FACES or self._trust.shape != (_EVIDENCE,):
            raise ConfigError(f"{model} was made for other cards or another version")

    def look(self, crops: NDArray[Any] | Sequence[NDArray[Any]], masks: NDArray[np.bool_] | None = None) -> Look:
        """What N crops show: uint8 or float 0–255 (N, H, W, 3) BGR, rectified to the card's edge, either way up.

        Sizes may differ from crop to crop. `masks` bool (N, H, W) is True where the card is visible; without it all of
        the crop counts.
        """
        if len(crops) == 0:
            return _nothing()
        vectors, cosines, heads, share = self._run(crops, masks)
        sure = trust(evidence(cosines, heads, share), self._trust)
        return Look(
            vectors=vectors,
            faces=_softmax(self._sharp * cosines),
            confidence=np.where(share > _LEAST_SEEN, sure, 0).astype(np.float32),
            card=_logistic(heads[:, 0]),
            turned=_logistic(heads[:, 1]),
        )

    def judged(
        self, crops: NDArray[Any] | Sequence[NDArray[Any]], masks: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """The `evidence` (N, 6) on which the confidence in each of N crops rests, and the likeliest class (N,)."""
        _, cosines, heads, share = self._run(crops, masks)
        return evidence(cosines, heads, share), cosines.argmax(axis=1)

    def _run(
        self, crops: NDArray[Any] | Sequence[NDArray[Any]], masks: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Vectors (N, 128), cosines to the classes (N, 36), logits (N, 2), visible shares (N,).

        What is partly hidden is also read on its head and both are joined: that gains 2 to 4 points there, and nothing
        on whole cards.
        """
        images = np.stack([_sized(crop) for crop in crops])
        seen = np.ones(images.shape[:3], np.float32) if masks is None else np.stack([_sized_mask(m) for m in masks])
        share = np.asarray(seen.mean(axis=(1, 2)), np.float32)
        again = np.flatnonzero(share < 1)
        both_images = np.concatenate([images, images[again, ::-1, ::-1]])
        both_seen = np.concatenate([seen, seen[again, ::-1, ::-1]])
        parts = [
            self._session.run(None, {"crops": both_images[part].astype(np.float32), "masks": both_seen[part]})
            for part in (slice(k, k + _AT_ONCE) for k in range(0, len(both_images), _AT_ONCE))
        ]
        vectors, cosines, heads = (np.concatenate(part) for part in zip(*parts, strict=True))
        count = len(images)
        if len(again):
            joined = vectors[again] + vectors[count:]
            vectors[again] = joined / np.linalg.norm(joined, axis=1, keepdims=True)
            cosines[again] = (cosines[again] + cosines[count:]) / 2
            heads[again] = (heads[again] + heads[count:] * np.array([1, -1], np.float32)) / 2
        return vectors[:count], cosines[:count], heads[:count], share


@lru_cache(maxsize=1)
def embedding() -> Embedding:
    """The embedding that ships with the product, read once."""
    return Embedding()


_EVIDENCE: Final = 6
_LEAST_SEEN: Final = 0.05
_AT_ONCE: Final = 60  # crops run together: bounds the memory


def evidence(
    cosines: NDArray[np.float32], heads: NDArray[np.float32], share: NDArray[np.float32]
) -> NDArray[np.float64]:
    """What the confidence is made of, (N, 6): 1, best cosine, its lead, that capped, is it a card, what is visible."""
    best = np.sort(cosines, axis=1)[:, ::-1].astype(np.float64)
    lead = best[:, 0] - best[:, 1]
    card = np.clip(heads[:, 0].astype(np.float64), -6, 6)
    columns = [np.ones(len(best)), best[:, 0], lead, np.minimum(lead, 0.25), card / 6, share.astype(np.float64)]
    return np.stack(columns, axis=1)


def trust(found: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float32]:
    """Probability (N,) that readings with this `evidence` are right."""
    return _logistic(found @ weights)


def _sized(crop: NDArray[Any]) -> NDArray[Any]:
    if (crop.shape[1], crop.shape[0]) == CROP_PX:
        return crop
    how = cv2.INTER_AREA if crop.shape[0] > CROP_PX[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(crop, CROP_PX, interpolation=how))


def _sized_mask(mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    if (mask.shape[1], mask.shape[0]) == CROP_PX:
        return mask.astype(np.float32)
    return np.asarray(cv2.resize(mask.astype(np.float32), CROP_PX, interpolation=cv2.INTER_AREA) > 0.5, np.float32)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


def _logistic(z: NDArray[Any]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-np.clip(z, -40, 40))), np.float32)


def _nothing() -> Look:
    none = np.zeros(0, np.float32)
    return Look(np.zeros((0, 128), np.float32), np.zeros((0, len(FACES)), np.float32), none, none, none)
