"""Events as lines of JSON and back, with the field names of FORMATS: the session's log on disk."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import Card
from engine.errors import ConfigError
from engine.events import (
    Corrected,
    Dealt,
    Ended,
    Event,
    Fault,
    Knocked,
    Moved,
    Place,
    Repaired,
    Scored,
    Signalled,
    Started,
    Tally,
    Turn,
    Words,
    YakuValue,
)


@dataclass(frozen=True, slots=True)
class Log:
    """The events of a log. `torn` says what is wrong with a last line that a crash cut off, or is None."""

    events: tuple[Event, ...]
    torn: str | None = None


def dump(event: Event) -> str:
    """One JSON object on one line, without a line end: `event`, `t_s`, then the fields of FORMATS."""
    name = type(event).__name__.lower()
    return json.dumps({"event": name, "t_s": round(event.t_s, 6), **_fields(event)}, ensure_ascii=False)


def _fields(event: Event) -> dict[str, Any]:
    match event:
        case Started():
            return {
                "game": event.game,
                "options": dict(event.options),
                "seats": event.seats,
                "dealer": event.dealer,
            }
        case Dealt():
            hands: list[Any] = [_ids(cards) for cards in event.hands] or list(event.hand_counts)
            return {"field": _ids(event.field), "hands": hands, "draw": event.draw}
        case Moved():
            return {"card": str(event.card), "source": _place(event.source), "target": _place(event.target)}
        case Signalled():
            return {"name": event.name, "seat": event.seat} | ({} if event.by is None else {"by": event.by})
        case Fault():
            belongs = None if event.belongs is None else _place(event.belongs)
            words = {"en": event.message.en, "ja": event.message.ja}
            told = {"code": event.code, "message": words, "cards": _ids(event.cards), "seat": event.seat}
            return {**told, "belongs": belongs}
        case Repaired():
            return {"code": event.code}
        case Turn():
            return {"seat": event.seat}
        case Scored():
            return {"seats": [_tally(tally) for tally in event.seats]}
        case Ended():
            seats = [_tally(tally) for tally in event.seats]
            return {"reason": event.reason, "seats": seats, "winner": list(event.winner)}
        case Corrected():
            if event.undo:
                return {"by": event.by, "undo": event.undo}
            card = None if event.was is None else str(event.was)
            now = None if event.now is None else str(event.now)
            return {"by": event.by, "card": card, "was": card, "now": now}
        case Knocked():
            moved = round(event.moved_mm, 2)
            return {"what": event.what, "moved_mm": moved, "markers": list(event.markers), "done": event.done}


def _ids(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]


def _place(place: Place) -> dict[str, Any]:
    return {"zone": place.zone, "seat": place.seat}


def _tally(tally: Tally) -> dict[str, Any]:
    yaku = [{"id": y.id, "value": y.value} for y in tally.yaku]
    return {"points": tally.points, "yaku": yaku, "total": tally.total}


def load(line: str, where: str) -> Event:
    """The event of one line. Raises ConfigError that names `where` (`events.jsonl:12`) and the key at fault.

    Fields that are not known are ignored: `truth.jsonl` has some of its own.
    """
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise ConfigError(f"{where}: is no JSON object on one line") from problem
    if not isinstance(data, dict):
        raise ConfigError(f"{where}: is no JSON object")
    fields = _Fields(data, where)
    name = fields.text("event")
    if name not in _READERS:
        raise ConfigError(f"{where}: unknown event {name!r}; known are {', '.join(sorted(_READERS))}")
    return _READERS[name](fields)


def load_log(text: str, where: str) -> Log:
    """All events of a log. A last line cut off by a crash is reported, not fatal; other bad lines raise."""
    lines = text.split("\n")
    events: list[Event] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{where}:{number}"
        try:
            events.append(load(line, place))
        except ConfigError as problem:
            if number < len(lines):
                raise
            return Log(tuple(events), f"{problem} (the last line was cut off)")
    return Log(tuple(events))


class _Fields:
    """The fields of one JSON object, taken out by type. Every error names the line and the key."""

    def __init__(self, data: Mapping[str, Any], where: str) -> None:
        self._data = data
        self._where = where

    def wrong(self, key: str, problem: str) -> ConfigError:
        return ConfigError(f"{self._where}: {key} {problem}")

    def get(self, key: str) -> Any:
        if key not in self._data:
            raise self.wrong(key, "is missing")
        return self._data[key]

    def text(self, key: str) -> str:
        value = self.get(key)
        if not isinstance(value, str):
            raise self.wrong(key, f"must be text, got {value!r}")
        return value

    def whole(self, key: str, least: int | None = None) -> int:
        value = self.get(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(key, f"must be a whole number, got {value!r}")
        if least is not None and value < least:
            raise self.wrong(key, f"must be at least {least}, got {value}")
        return value

    def seconds(self) -> float:
        value = self.get("t_s")
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e12:
            raise self.wrong("t_s", f"must be a number of seconds, got {value!r}")
        return float(value)

    def items(self, key: str) -> list[Any]:
        value = self.get(key)
        if not isinstance(value, list):
            raise self.wrong(key, f"must be a list, got {value!r}")
        return value

    def inner(self, key: str, value: Any = ...) -> "_Fields":
        value = self.get(key) if value is ... else value
        if not isinstance(value, dict):
            raise self.wrong(key, f"must be an object, got {value!r}")
        return _Fields(value, f"{self._where}: {key}")

    def card(self, key: str, value: Any = ...) -> Card:
        value = self.get(key) if value is ... else value
        try:
            return Card.parse(value if isinstance(value, str) else repr(value))
        except ConfigError as problem:
            raise self.wrong(key, f"names {problem}") from problem

    def cards(self, key: str) -> tuple[Card, ...]:
        return tuple(self.card(key, value) for value in self.items(key))

    def seat(self, key: str = "seat") -> int | None:
        return None if self._data.get(key) is None else self.whole(key, least=0)

    def place(self, key: str) -> Place:
        place = self.inner(key)
        return Place(place.text("zone"), place.seat())

    def has(self, key: str) -> bool:
        return self._data.get(key) is not None


def _dealt(fields: _Fields) -> Dealt:
    hands = fields.items("hands")
    if hands and all(isinstance(hand, int) and not isinstance(hand, bool) and hand >= 0 for hand in hands):
        return Dealt(fields.seconds(), fields.cards("field"), (), fields.whole("draw", 0), tuple(hands))
    if not all(isinstance(hand, list) for hand in hands):
        raise fields.wrong("hands", "must be a list of lists of cards, or of counts")
    shown = tuple(tuple(fields.card("hands", card) for card in hand) for hand in hands)
    return Dealt(fields.seconds(), fields.cards("field"), shown, fields.whole("draw", 0))


def _started(fields: _Fields) -> Started:
    options = fields.get("options")
    if not isinstance(options, dict):
        raise fields.wrong("options", f"must be an object, got {options!r}")
    return Started(fields.seconds(), fields.text("game"), options, fields.whole("seats", 1), fields.whole("dealer", 0))


def _moved(fields: _Fields) -> Moved:
    return Moved(fields.seconds(), fields.card("card"), fields.place("source"), fields.place("target"))


def _fault(fields: _Fields) -> Fault:
    words = fields.inner("message")
    message = Words(words.text("en"), words.text("ja"))
    belongs = fields.place("belongs") if fields.has("belongs") else None
    return Fault(fields.seconds(), fields.text("code"), message, fields.cards("cards"), fields.seat(), belongs)


def _tallies(fields: _Fields) -> tuple[Tally, ...]:
    tallies = []
    for part in (fields.inner("seats", value) for value in fields.items("seats")):
        made = (part.inner("yaku", value) for value in part.items("yaku"))
        yaku = tuple(YakuValue(one.text("id"), one.whole("value")) for one in made)
        tallies.append(Tally(part.whole("points"), yaku, part.whole("total")))
    return tuple(tallies)


def _ended(fields: _Fields) -> Ended:
    winner = fields.items("winner")
    if not all(isinstance(seat, int) and not isinstance(seat, bool) for seat in winner):
        raise fields.wrong("winner", f"must be a list of seats, got {winner!r}")
    return Ended(fields.seconds(), fields.text("reason"), _tallies(fields), tuple(winner))


def _corrected(fields: _Fields) -> Corrected:
    if fields.has("undo"):
        return Corrected(fields.seconds(), fields.text("by"), undo=fields.whole("undo", 0))
    return Corrected(fields.seconds(), fields.text("by"), fields.card("was"), fields.card("now"))


def _knocked(fields: _Fields) -> Knocked:
    moved = fields.get("moved_mm")
    if isinstance(moved, bool) or not isinstance(moved, int | float) or not 0 <= moved < 1e6:
        raise fields.wrong("moved_mm", f"must be a length in mm, got {moved!r}")
    markers = fields.items("markers")
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in markers):
        raise fields.wrong("markers", f"must be a list of numbers, got {markers!r}")
    return Knocked(fields.seconds(), fields.text("what"), float(moved), tuple(markers), fields.text("done"))


_READERS: Final[Mapping[str, Callable[[_Fields], Event]]] = {
    "started": _started,
    "dealt": _dealt,
    "moved": _moved,
    "signalled": lambda fields: Signalled(
        fields.seconds(), fields.text("name"), fields.whole("seat", 0), fields.text("by") if fields.has("by") else None
    ),
    "fault": _fault,
    "repaired": lambda fields: Repaired(fields.seconds(), fields.text("code")),
    "turn": lambda fields: Turn(fields.seconds(), fields.whole("seat", 0)),
    "scored": lambda fields: Scored(fields.seconds(), _tallies(fields)),
    "ended": _ended,
    "corrected": _corrected,
    "knocked": _knocked,
}
