"""Tries a file of rule cases on the engine: `version: 1`, and `vectors` of id, game, op, options, given and expect."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine import yamlfile
from engine.cards import Card
from engine.cases import fishing, junior, runs
from engine.cases.case import Answer, Case
from engine.errors import ConfigError, RuleError

ANSWERS: Final[Mapping[str, Answer]] = {**fishing.ANSWERS, **junior.ANSWERS, **runs.ANSWERS}
"""Every question that can be asked, by its `op`."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A case and what the engine says to it."""

    case: Case
    found: Any

    @property
    def good(self) -> bool:
        """Whether all that the case expects was found. Lists of cards are sets, and chaff of a month are alike."""
        expect, found = self.case.expect, self.found
        if isinstance(expect, dict) and isinstance(found, dict):
            return all(key in found and _plain(value) == _plain(found[key]) for key, value in expect.items())
        return bool(_plain(expect) == _plain(found))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        case = self.case
        return {"id": case.id, "op": case.op, "good": self.good, "expect": case.expect, "found": _text(self.found)}


def try_cases(path: Path) -> Iterator[Verdict]:
    """A verdict on each case of the file. Raises ConfigError that names the file and the case or place in it."""
    for section in yamlfile.read(path, key="version").sections("vectors"):
        yield Verdict(case := _read(section), _answer(case, str(path)))


def _read(section: yamlfile.Section) -> Case:
    options = section.optional_section("options")
    case = Case(
        id=section.text("id"),
        game=section.text("game"),
        op=section.text("op"),
        options={} if options is None else options.values,
        given=section.section("given"),
        expect=section.get("expect"),
    )
    if case.op not in ANSWERS:
        raise section.error("op", f"{case.op!r} is no question; known are {', '.join(sorted(ANSWERS))}")
    return case


def _answer(case: Case, file: str) -> Any:
    try:
        return ANSWERS[case.op](case)
    except RuleError as problem:
        return f"refused: {problem.en}"
    except ConfigError as problem:
        if str(problem).startswith(file):
            raise
        raise ConfigError(f"{file}: {case.id}: {problem}") from problem


def _plain(value: Any) -> Any:
    """`value` with lists of cards as counts of faces."""
    match value:
        case dict():
            return {key: _plain(part) for key, part in value.items()}
        case list() | tuple() | frozenset() | set():
            try:
                return Counter(Card.parse(str(text)).face for text in value)
            except ConfigError:
                return [_plain(part) for part in value]
        case _:
            return value


def _text(value: Any) -> Any:
    match value:
        case dict():
            return {str(key): _text(part) for key, part in value.items()}
        case list() | tuple():
            return [_text(part) for part in value]
        case frozenset() | set():
            return sorted(str(part) for part in value)
        case Card():
            return str(value)
        case _:
            return value
