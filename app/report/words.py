"""The report in another language than that of the calibration: its sentences are known, with gaps for what differs."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from calibration.findings import Check
from engine.events import Words
from engine.words import read_sentences
from engine.yamlfile import Section, read

_FILE = Path(__file__).parent / "words.yaml"
LANGUAGES = ("en", "ja")


@dataclass(frozen=True, slots=True)
class Known:
    """A sentence with gaps, as it is found in English, and in Japanese with numbered gaps."""

    found: re.Pattern[str]
    ja: str


def usual_language() -> str:
    """The report's language where nobody names one: Japanese where the computer speaks it."""
    told = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "ja" if told.startswith("ja") else "en"


def label(key: str, language: str, *gaps: str) -> str:
    """A fixed text of the report, its gaps filled."""
    words = _block("labels")[key]
    return words.ja.format(*gaps) if language == "ja" else re.sub(r"\{\}", lambda _: gaps[0], words.en)


def reason(name: str, language: str) -> str:
    """The short name of a reason to refuse, by its value."""
    words = _block("reasons").get(name)
    return name if words is None else words.of(language)


def topic(text: str, language: str) -> str:
    """A check's topic, or the name of a reason."""
    if language == "en":
        return text
    return next(
        (words.ja for block in ("topics", "reasons") for words in _block(block).values() if words.en == text), text
    )


def sentence(text: str, language: str) -> str:
    """A sentence of the calibration; in English where it is not known in `language`."""
    return text if language == "en" or not text else _translated(text) or text


def cause(text: str, language: str) -> str:
    """A likely cause: a sentence, or a check's topic, finding and fix in one."""
    if language == "en":
        return text
    whole = _translated(text)
    name, colon, rest = text.partition(": ")
    if whole is not None or not colon:
        return whole or text
    for split in re.finditer("; ", rest):
        found, fix = _translated(rest[: split.start()]), _translated(rest[split.end() :])
        if found is not None and fix is not None:
            return f"{topic(name, language)}：{found}。{fix}"
    return text


def check(one: Check, language: str) -> Check:
    """A check in `language`."""
    return Check(topic(one.topic, language), one.mark, sentence(one.found, language), sentence(one.fix, language))


def is_known(template: str) -> bool:
    """Whether a sentence with `{}` for its gaps is in the catalogue."""
    return any(words.en == template for words in _block("sentences").values())


def _translated(text: str) -> str | None:
    for known in _sentences():
        match = known.found.fullmatch(text)
        if match is not None:
            return known.ja.format(*(_translated(gap) or gap for gap in match.groups()))
    return None


@cache
def _sentences() -> tuple[Known, ...]:
    """All sentences, those with most fixed text first, so that the most telling one is found."""
    words = sorted(_block("sentences").values(), key=lambda one: -len(one.en.replace("{}", "")))
    return tuple(Known(re.compile(re.escape(one.en).replace(r"\{\}", "(.+)")), one.ja) for one in words)


@cache
def _block(name: str) -> Mapping[str, Words]:
    return read_sentences(_file().section(name))


@cache
def _file() -> Section:
    return read(_FILE)
