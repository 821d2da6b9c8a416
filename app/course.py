"""What a log says happened, reduced to what `replay --verify` compares: the moves in order and the final scores."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.session import read_text
from engine.cards import Card
from engine.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Move:
    """A card that came to rest in another zone at `t_s` seconds; `seat` is the target's, None for shared zones."""

    t_s: float
    card: Card
    zone: str
    seat: int | None

    @property
    def token(self) -> tuple[str, str, int | None]:
        """What a comparison can tell apart: month and kind (chaff of a month as one), target zone, seat."""
        return (self.card.face, self.zone, self.seat)

    def __str__(self) -> str:
        zone = self.zone if self.seat is None else f"{self.zone}-{self.seat}"
        return f"{self.card} to {zone} at {self.t_s:.2f} s"


@dataclass(frozen=True, slots=True)
class SeatScore:
    """Final card points, yaku as sorted (id, value) pairs, and total of one seat."""

    points: int = 0
    yaku: tuple[tuple[str, int], ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class Course:
    """The moves of a game in order, the last scores known (empty when nothing was scored) and whether it ended."""

    moves: tuple[Move, ...] = ()
    scores: tuple[SeatScore, ...] = ()
    ended: bool = False


def course_of(lines: Iterable[Mapping[str, Any]]) -> Course:
    """The course of events given as JSON objects. Corrections are applied; events of other kinds are passed over.

    Raises KeyError, TypeError, ValueError or ConfigError for an event with missing or unusable fields.
    """
    moves: list[Move] = []
    scores: tuple[SeatScore, ...] = ()
    ended = False
    for line in lines:
        match line["event"]:
            case "moved":
                target = line["target"]
                seat = target.get("seat")
                moves.append(
                    Move(
                        float(line["t_s"]),
                        Card.parse(line["card"]),
                        target["zone"],
                        None if seat is None else int(seat),
                    )
                )
            case "scored" | "ended":
                scores = tuple(_score(seat) for seat in line["seats"])
                ended = line["event"] == "ended"
            case "corrected":
                moves = _corrected(moves, line)
                ended = False
            case _:
                pass
    return Course(tuple(moves), scores, ended)


def read_course(path: Path) -> Course:
    """The course of a `.jsonl` log. Raises ConfigError that names file and line where one cannot be understood."""
    lines = []
    text = read_text(path)
    rows = text.splitlines()
    for number, row in enumerate(rows, 1):
        if not row.strip() or (number == len(rows) and not text.endswith("\n") and not row.endswith("}")):
            continue  # an empty line, or the last one cut off by a kill
        try:
            line = json.loads(row)
            course_of([line])
        except (ConfigError, KeyError, TypeError, ValueError, AttributeError) as error:
            what = f"key {error} is missing" if isinstance(error, KeyError) else str(error)
            raise ConfigError(f"{path}: line {number} is no event: {what}") from error
        lines.append(line)
    return course_of(lines)


def _score(seat: Mapping[str, Any]) -> SeatScore:
    yaku = tuple(sorted((str(y["id"]), int(y["value"])) for y in seat["yaku"]))
    return SeatScore(int(seat["points"]), yaku, int(seat["total"]))


def _corrected(moves: Sequence[Move], line: Mapping[str, Any]) -> list[Move]:
    """`moves` after an operator's correction: the last `undo` did not happen, or card `was` is really `now`."""
    undo = int(line.get("undo") or 0)
    kept = list(moves[: max(0, len(moves) - undo)])
    if line.get("was") and line.get("now"):
        was, now = Card.parse(line["was"]), Card.parse(line["now"])
        swap = {was: now, now: was}
        kept = [replace(m, card=swap.get(m.card, m.card)) for m in kept]
    return kept
