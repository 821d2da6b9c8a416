"""What the eyes believe of each card during a replay, against the true poses that test material brings along."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.follow import Moment
from app.session import read_text
from app.setup import Setup
from app.worst import Mark, Worst, draw
from engine.cards import Card
from engine.errors import ConfigError
from vision.quads import overlap
from vision.tallies import Count, Reliability, band_of, in_order, reliability
from vision.values import Frame, SeenCard

_SAME_PLACE: Final = 0.5
_RESTS_MM: Final = 1.0
"""A card that has moved less than this since the last line lies still."""
_LEAST_VISIBLE: Final = 0.15
_FINE: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A card that truly lies somewhere: corners (4, 2) px, and the share (0–1) of it that others leave in view."""

    card: Card
    corners_px: NDArray[np.float64]
    visible: float
    rests: bool


@dataclass(frozen=True, slots=True)
class CardTally:
    """Believed cards of a session counted: by band, false ones, each reading's confidence and whether it was right."""

    bands: Mapping[str, Count] = field(default_factory=dict)
    false: int = 0
    looks: int = 0
    readings: tuple[tuple[float, bool], ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def count(self) -> Count:
        """All cards."""
        return sum(self.bands.values(), Count())

    @property
    def reliability(self) -> Reliability:
        """How far the confidences can be believed."""
        return reliability(self.readings)

    def __add__(self, other: "CardTally") -> "CardTally":
        names = (*self.bands, *(name for name in other.bands if name not in self.bands))
        bands = {name: self.bands.get(name, Count()) + other.bands.get(name, Count()) for name in names}
        return CardTally(
            in_order(bands),
            self.false + other.false,
            self.looks + other.looks,
            self.readings + other.readings,
            self.remarks + other.remarks,
        )

    def as_dict(self) -> dict[str, Any]:
        """The tally as plain values for JSON."""
        return {
            "looks": self.looks,
            "bands": {name: count.as_dict() for name, count in self.bands.items()},
            "false": self.false,
            "reliability": self.reliability.as_dict(),
            "remarks": list(self.remarks),
        }


class CardCheck:
    """Compares at every line of `cards.jsonl` in which no hand is in view; `see` is handed each moment of a replay."""

    def __init__(self, folder: Path, setup: Setup, worst: Worst | None = None) -> None:
        self._worst, self._name = worst, folder.name
        self._truth = load_truth(folder / "cards.jsonl", setup.profile.size_px)
        self._view = setup.profile.view()
        self._card_mm = setup.deck.card_mm
        self.tally = CardTally()

    def see(self, frame: Frame, moment: Moment) -> None:
        """Counts this moment if the truth of it is known."""
        placed = self._truth.pop(round(moment.t_s, 3), None)
        if placed is not None:
            seen = [card for card in moment.observation.cards if card.face_up and card.card is not None]
            quads = [self._quad(card) for card in seen]
            look = compared(placed, seen, quads, moment.t_s)
            self.tally += look
            if self._worst is not None:
                name = f"{self._name}-{moment.t_s:.1f}s"
                self._worst.add(
                    len(look.remarks), name, lambda: draw_look(frame.image, placed, seen, quads, look.remarks)
                )

    def _quad(self, seen: SeenCard) -> NDArray[np.float64]:
        corners = np.array(seen.pose.corners_mm(*self._card_mm), np.float64).reshape(4, 2)
        return np.asarray(self._view.camera_px(corners, seen.pose.height_mm), np.float64)


def draw_look(
    image: NDArray[np.uint8],
    placed: Sequence[Placed],
    seen: Sequence[SeenCard],
    quads: Sequence[NDArray[np.float64]],
    remarks: Sequence[str],
) -> NDArray[np.uint8]:
    """A look as a picture: the true cards, those that were found green, and what was believed beside them."""
    where = {one.card: quad for one, quad in zip(seen, quads, strict=True)}
    true = {card.card: card.corners_px for card in placed}

    def agree(card: Card | None) -> bool:
        return card in true and card in where and overlap(true[card], where[card]) >= _SAME_PLACE

    marks = [Mark(card.corners_px, f"{card.card} {card.visible:.0%}", True, agree(card.card)) for card in placed]
    marks += [Mark(quad, f"{card}?", False, agree(card)) for card, quad in where.items() if not agree(card)]
    return draw(image, marks, remarks)


def compared(
    placed: Iterable[Placed], seen: Iterable[SeenCard], quads: Iterable[NDArray[np.float64]], t_s: float
) -> CardTally:
    """One look: the nearest pairs of true and believed cards belong together.

    A card that came to rest within the last second is not asked for, and not false where it lay before.
    """
    true, believed, where = list(placed), list(seen), list(quads)
    near = [
        (overlap(card.corners_px, quad), i, k)
        for i, card in enumerate(true)
        for k, quad in enumerate(where)
        if float(np.abs(card.corners_px.mean(axis=0) - quad.mean(axis=0)).max()) < 60
    ]
    found: dict[int, int] = {}
    taken: set[int] = set()
    for share, i, k in sorted(near, key=lambda pair: -pair[0]):
        if share >= _SAME_PLACE and i not in found and k not in taken:
            found[i] = k
            taken.add(k)
    bands: dict[str, Count] = {}
    readings, remarks = [], []
    for i, card in enumerate(true):
        if not card.rests or card.visible < _LEAST_VISIBLE:
            continue
        band = band_of(card.visible)
        count = Count(1)
        if i in found:
            one = believed[found[i]]
            right = one.card is not None and one.card.face == card.card.face
            count = Count(1, 1, int(right), int(one.card == card.card))
            readings.append((one.probability, right))
            if not right:
                remarks.append(
                    f"{t_s:.1f} s: {card.card} ({card.visible:.0%}) believed {one.card} ({one.probability:.2f})"
                )
        else:
            remarks.append(f"{t_s:.1f} s: {card.card} ({card.visible:.0%}) not found")
        bands[band] = bands.get(band, Count()) + count
    moving = {card.card for card in true if not card.rests}
    false = [one for k, one in enumerate(believed) if k not in taken and one.card not in moving]
    remarks += [f"{t_s:.1f} s: {one.card} believed where it does not lie ({one.probability:.2f})" for one in false]
    readings += [(one.probability, False) for one in false]
    return CardTally(in_order(bands), len(false), 1, tuple(readings), tuple(remarks))


def load_truth(path: Path, size_px: tuple[int, int]) -> dict[float, tuple[Placed, ...]]:
    """The face-up cards of each line without hands, by time; empty if there is no such file.

    Raises ConfigError that names file and line.
    """
    if not path.is_file():
        return {}
    out: dict[float, tuple[Placed, ...]] = {}
    before: dict[str, tuple[float, float]] = {}
    for number, row in enumerate(read_text(path).splitlines(), 1):
        try:
            line = json.loads(row)
            cards = sorted(line["cards"], key=lambda card: card["order"])
            placed = _placed(cards, before, size_px)
            t_s, hands = round(float(line["t_s"]), 3), int(line["hands"])
            before = {card["card"]: tuple(card["mm"]) for card in cards}
        except (ValueError, TypeError, KeyError, AttributeError, ConfigError) as error:
            raise ConfigError(f"{path}: line {number} is no line of true cards ({error})") from None
        if hands == 0:
            out[t_s] = placed
    return out


def _placed(
    cards: list[dict[str, Any]], before: Mapping[str, tuple[float, float]], size_px: tuple[int, int]
) -> tuple[Placed, ...]:
    """The face-up ones among `cards`, which are in the order of painting."""
    claims = np.zeros((size_px[1] // _FINE + 1, size_px[0] // _FINE + 1), np.uint8)
    quads = [np.asarray(card["px"], np.float64).reshape(4, 2) for card in cards]
    for i, quad in enumerate(quads, 1):
        cv2.fillConvexPoly(claims, np.rint(quad / _FINE * 16).astype(np.int32), i, shift=4)
    counts = np.bincount(claims.ravel(), minlength=len(quads) + 1)
    out = []
    for i, (card, quad) in enumerate(zip(cards, quads, strict=True), 1):
        if not card["face_up"]:
            continue
        area = float(cv2.contourArea(quad.astype(np.float32))) / _FINE**2
        was = before.get(card["card"])
        rests = was is not None and max(abs(a - b) for a, b in zip(was, card["mm"], strict=True)) < _RESTS_MM
        out.append(Placed(Card.parse(card["card"]), quad, min(1.0, float(counts[i]) / max(area, 1.0)), rests))
    return tuple(out)
