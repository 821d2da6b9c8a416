"""Events survive their JSON, carry the names of FORMATS, and bad lines are named."""

import json

import pytest

from engine.errors import ConfigError
from engine.events import (
    Corrected,
    Dealt,
    Ended,
    Event,
    Fault,
    Knocked,
    Place,
    Repaired,
    Scored,
    Started,
    Tally,
    Turn,
    Words,
    YakuValue,
)
from engine.journal import dump, load, load_log
from tests.engine.table import cards, deal, move

TALLY = Tally(33, (YakuValue("moon_viewing", 20),), 53)
EVENTS: tuple[Event, ...] = (
    Started(0.0, "chotto-hana-awase", {"direction": "clockwise"}, 2, 1),
    deal(),
    Dealt(0.5, cards("01-bright"), (), 21, (7, 7, 7)),
    move("03-ribbon hand-0 field", 2.533),
    Fault(3.0, "match_left", Words("Take it", "取る"), cards("03-ribbon"), 0, Place("captured", 0)),
    Fault(3.0, "not_in_deck", Words("Out", "外す"), (), None),
    Repaired(4.0, "match_left"),
    Turn(4.0, 1),
    Scored(5.0, (TALLY, Tally(0, (), 0))),
    Ended(6.0, "hands and draw pile empty", (TALLY, TALLY), (0, 1)),
    Corrected(7.0, "key", undo=2),
    Knocked(7.5, "mat", 3.25, (), "followed"),
    Knocked(7.5, "covered", 0.0, (2,), "seen"),
    Corrected(7.0, "key", cards("03-ribbon")[0], cards("02-ribbon")[0]),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_survives_its_line(event: Event) -> None:
    line = dump(event)
    assert "\n" not in line
    assert load(line, "events.jsonl:1") == event


def test_a_move_has_the_names_of_the_format() -> None:
    assert json.loads(dump(move("03-ribbon hand-0 field", 2.5))) == {
        "event": "moved",
        "t_s": 2.5,
        "card": "03-ribbon",
        "source": {"zone": "hand", "seat": 0},
        "target": {"zone": "field", "seat": None},
    }


def test_japanese_is_written_as_it_reads() -> None:
    assert "取る" in dump(EVENTS[4])


def test_unknown_fields_are_ignored() -> None:
    line = '{"event": "ended", "t_s": 1, "reason": "r", "seats": [], "winner": [], "captured": [[]], "field": []}'
    assert load(line, "truth.jsonl:9") == Ended(1.0, "r", (), ())


MOVED = '{"event": "moved", "t_s": 1, "card": %s, "source": %s, "target": {"zone": "field", "seat": null}}'
BAD = {
    "no json": ("{", "is no JSON object"),
    "a list": ("[1]", "is no JSON object"),
    "deep nesting": ("[" * 100_000, "is no JSON object"),
    "no event": ('{"t_s": 1}', "event is missing"),
    "unknown event": ('{"event": "flew", "t_s": 1}', "unknown event 'flew'"),
    "no time": ('{"event": "turn", "seat": 1}', "t_s is missing"),
    "time is text": ('{"event": "turn", "t_s": "1", "seat": 1}', "t_s must be a number"),
    "time is no number": ('{"event": "turn", "t_s": NaN, "seat": 1}', "t_s must be a number"),
    "seat is true": ('{"event": "turn", "t_s": 1, "seat": true}', "seat must be a whole number"),
    "seat is negative": ('{"event": "turn", "t_s": 1, "seat": -1}', "seat must be at least 0"),
    "no such card": (MOVED % ('"13-bright"', '{"zone": "draw"}'), "card names '13-bright'"),
    "card is a number": (MOVED % ("7", '{"zone": "draw"}'), "card names"),
    "place is text": (MOVED % ('"03-ribbon"', '"draw"'), "source must be an object"),
    "place without zone": (MOVED % ('"03-ribbon"', "{}"), "source: zone is missing"),
    "hands are mixed": ('{"event": "dealt", "t_s": 1, "field": [], "hands": [[], 3], "draw": 1}', "hands must be"),
    "options are a list": (
        '{"event": "started", "t_s": 0, "game": "g", "options": [], "seats": 2, "dealer": 0}',
        "options must be an object",
    ),
    "moved by text": ('{"event": "knocked", "t_s": 0, "what": "mat", "moved_mm": "3"}', "moved_mm must be a length"),
    "markers are text": (
        '{"event": "knocked", "t_s": 0, "what": "mat", "moved_mm": 3, "markers": ["a"], "done": "seen"}',
        "markers must be a list of numbers",
    ),
    "winner is text": ('{"event": "ended", "t_s": 0, "reason": "r", "seats": [], "winner": ["a"]}', "winner must be"),
}


@pytest.mark.parametrize(("line", "problem"), BAD.values(), ids=BAD.keys())
def test_a_bad_line_is_named(line: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(line, "events.jsonl:12")
    assert str(caught.value).startswith("events.jsonl:12: ")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_torn_last_line_loses_nothing_before_it() -> None:
    text = "".join(dump(event) + "\n" for event in EVENTS)
    log = load_log(text + '{"event": "mov', "events.jsonl")
    assert log.events == EVENTS
    assert log.torn is not None and log.torn.startswith(f"events.jsonl:{len(EVENTS) + 1}: ")


def test_a_whole_log_is_not_torn() -> None:
    log = load_log("".join(dump(event) + "\n" for event in EVENTS), "events.jsonl")
    assert log.torn is None
    assert load_log("", "events.jsonl").events == ()


def test_a_broken_line_in_the_middle_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"events\.jsonl:2: is no JSON"):
        load_log(dump(EVENTS[0]) + "\nrubbish\n" + dump(EVENTS[1]) + "\n", "events.jsonl")
