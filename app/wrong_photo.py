"""Reports of photographs that were misread: the picture, what was believed and why, as a folder that is read again.

The folder is also a folder of photographs with truth: put right what is wrong in its `report.json`, and `bench read`
counts it. Nothing of the picture's file but its pixels goes in: no place, no time, no camera.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.photos import as_dict
from engine.errors import ConfigError
from vision.still import Candidate, Look

REPORT: Final = "report.json"
SCHEMA: Final = 1
_MOST_CANDIDATES: Final = 60


def free_folder(parent: Path, stem: str) -> Path:
    """A new folder in `parent` for a report called `stem`. Raises ConfigError where none can be made."""
    folder, number = parent / stem, 2
    while folder.exists():
        folder, number = parent / f"{stem}-{number}", number + 1
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise ConfigError(f"{folder}: no report can be put there ({error.strerror or error})") from None
    return folder


def report_photo(parent: Path, path: Path, image: NDArray[np.uint8], look: Look, deck: str) -> Path:
    """Writes a report on the photograph from `path` into a new folder in `parent`, which it gives.

    `deck` is the name of the deck it was read with, "" for any traditional one.
    """
    folder = free_folder(parent, path.stem or "photo")
    believed = as_dict(path, look.readings, None)["cards"]
    report = {
        "schema": SCHEMA,
        "kind": "photograph",
        "image": "photo.png",
        "size_px": [image.shape[1], image.shape[0]],
        "deck": deck,
        "unlisted": "none",
        "cards": believed,
        "candidates": [
            _candidate(one, fate, look.scale)
            for one, fate in list(zip(look.candidates, look.fates, strict=True))[:_MOST_CANDIDATES]
        ],
    }
    write_report(folder, report)
    if not cv2.imwrite(str(folder / "photo.png"), image):
        raise ConfigError(f"{folder / 'photo.png'}: the picture cannot be written")
    return folder


def write_report(folder: Path, report: dict[str, Any]) -> None:
    """Writes report.json. Raises ConfigError where that fails."""
    try:
        (folder / REPORT).write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{folder / REPORT}: cannot be written ({error.strerror or error})") from None


def is_report(path: Path) -> bool:
    """Whether `path` is the folder of a report."""
    return (path / REPORT).is_file()


def reported(folder: Path) -> tuple[Path, str]:
    """Picture and deck's name of the report in `folder`. Raises ConfigError that names file and key."""
    path = folder / REPORT
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read as JSON: {error}") from None
    if not isinstance(data, dict) or not isinstance(data.get("image"), str) or not isinstance(data.get("deck"), str):
        raise ConfigError(f"{path}: image or deck is missing or no text")
    if data.get("kind") == "table":
        raise ConfigError(f"{folder} is a report from a table: hanafuda replay {folder} looks at it again")
    return folder / Path(data["image"]).name, data["deck"]


def _candidate(one: Candidate, fate: str, scale: float) -> dict[str, Any]:
    """What spoke for a candidate and what became of it, for JSON."""
    corners: Sequence[Sequence[float]] = ((one.quad + 0.5) / scale - 0.5).tolist()
    return {
        "card": str(one.card),
        "fate": fate,
        "confidence": round(one.confidence, 4),
        "corners_px": [[round(x, 1), round(y, 1)] for x, y in corners],
        "correlation": round(one.match.score, 4),
        "lead": round(one.match.margin, 4),
        "detail": round(one.detail, 4),
        "visible": round(one.visible, 4),
        "edges": round(one.edges, 4),
        "votes": one.votes,
        "rivals": [[str(card or "back"), round(score, 4)] for card, score in one.match.alternatives],
    }
