"""Reading the project's YAML files with one clear sentence for every mistake.

Every file carries `schema:`; a newer schema is refused. FORMATS lets fields be added, so a key that is not known is
logged as a warning and ignored, but one that looks like a typo of a known key is refused.
"""

import datetime
import difflib
import logging
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

import yaml

from engine.errors import ConfigError

logger = logging.getLogger(__name__)

_LARGEST_BYTES: Final = 4_000_000
_FLOAT: Final = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+")


class _Missing(Enum):
    REQUIRED = 0


_REQUIRED: Final = _Missing.REQUIRED


@dataclass(frozen=True, slots=True)
class Section:
    """A mapping inside a YAML file that knows where it stands, so that errors can name the file and the key.

    `key` is the dotted place of the mapping (empty at the top). The getters take the key of a value and return it
    checked; without a `default` the key must be there. A null counts as absent. All raise ConfigError.
    """

    file: str
    key: str
    values: Mapping[Any, Any]

    def place(self, key: object) -> str:
        """The dotted place of `key`, such as `camera.size_px`."""
        return f"{self.key}.{key}" if self.key else str(key)

    def error(self, key: object, problem: str) -> ConfigError:
        """An error that says `file: place problem`, to be raised by the caller."""
        return ConfigError(f"{self.file}: {self.place(key)} {problem}")

    def has(self, key: str) -> bool:
        """Whether `key` is there and not null."""
        return self.values.get(key) is not None

    def only(self, *known: str) -> "Section":
        """This section, after refusing every key that is not `known`."""
        for key in self.values:
            if key not in known:
                raise self.error(key, f"is unknown; allowed here: {', '.join(known)}")
        return self

    def mostly(self, *known: str) -> "Section":
        """This section, after refusing keys that look like a typo of a `known` one and warning of all others.

        For files that others write too and may add to, such as recordings.
        """
        for key in self.values:
            if key in known:
                continue
            close = difflib.get_close_matches(_plain(key), {_plain(k): k for k in known}, n=1, cutoff=0.75)
            missing = [k for k in known if k not in self.values]
            if close:
                raise self.error(key, f"is unknown; allowed here: {', '.join(known)}")
            logger.warning(
                "%s: %s is unknown and ignored (known and not given: %s)",
                self.file,
                self.place(key),
                ", ".join(missing),
            )
        return self

    def get(self, key: str) -> Any:
        """The value of `key` unchecked. Raises ConfigError where it is missing or null."""
        if key not in self.values:
            raise self.error(key, "is missing")
        value = self.values[key]
        if value is None:
            raise self.error(key, "must not be null")
        return value

    def text(self, key: str, default: str | _Missing = _REQUIRED) -> str:
        """The text at `key`. A bare date or time counts as its ISO text."""
        if default is not _REQUIRED and not self.has(key):
            return default
        value = self.get(key)
        if isinstance(value, datetime.datetime | datetime.date):
            return value.isoformat().replace("+00:00", "Z")
        if not isinstance(value, str):
            raise self.error(key, f"must be text, got {_shown(value)}")
        return value

    def flag(self, key: str, default: bool | _Missing = _REQUIRED) -> bool:
        """The true or false at `key`."""
        if default is not _REQUIRED and not self.has(key):
            return default
        value = self.get(key)
        if not isinstance(value, bool):
            raise self.error(key, f"must be true or false, got {_shown(value)}")
        return value

    def integer(self, key: str, default: int | _Missing = _REQUIRED, least: int | None = None) -> int:
        """The whole number at `key`, at least `least` if given."""
        if default is not _REQUIRED and not self.has(key):
            return default
        value = self.get(key)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error(key, f"must be a whole number, got {_shown(value)}")
        if least is not None and value < least:
            raise self.error(key, f"must be at least {least}, got {value}")
        return value

    def number(self, key: str, default: float | _Missing = _REQUIRED, above: float | None = None) -> float:
        """The finite number at `key`, greater than `above` if given."""
        if default is not _REQUIRED and not self.has(key):
            return default
        value = _number(self.get(key))
        if value is None:
            raise self.error(key, f"must be a finite number, got {_shown(self.get(key))}")
        if above is not None and value <= above:
            raise self.error(key, f"must be greater than {above:g}, got {value:g}")
        return value

    def numbers(self, key: str, count: int | None = None) -> tuple[float, ...]:
        """The list of finite numbers at `key`, flat or as rows; exactly `count` of them if given."""
        value = self.items(key)
        flat = [v for row in value for v in (row if isinstance(row, list) else [row])]
        found = tuple(number for v in flat if (number := _number(v)) is not None)
        if len(found) != len(flat):
            wrong = next(v for v in flat if _number(v) is None)
            raise self.error(key, f"must hold finite numbers only, got {_shown(wrong)}")
        if count is not None and len(found) != count:
            raise self.error(key, f"needs {count} numbers, got {len(found)}")
        return found

    def points(self, key: str) -> tuple[tuple[float, float], ...]:
        """The list of [x, y] pairs at `key`."""
        pairs = []
        for i, row in enumerate(self.items(key)):
            pair = [_number(v) for v in row] if isinstance(row, list) else []
            match pair:
                case [float(x), float(y)]:
                    pairs.append((x, y))
                case _:
                    raise self.error(f"{key}[{i}]", f"must be a pair of numbers [x, y], got {_shown(row)}")
        return tuple(pairs)

    def items(self, key: str) -> tuple[Any, ...]:
        """The list at `key`, unchecked inside."""
        value = self.get(key)
        if not isinstance(value, list):
            raise self.error(key, f"must be a list, got {_shown(value)}")
        return tuple(value)

    def section(self, key: str) -> "Section":
        """The mapping at `key`."""
        return self._inner(key, self.get(key))

    def optional_section(self, key: str) -> "Section | None":
        """The mapping at `key`, or None where it is null or absent."""
        return self.section(key) if self.has(key) else None

    def sections(self, key: str) -> tuple["Section", ...]:
        """The mappings in the list at `key`."""
        return tuple(self._inner(f"{key}[{i}]", value) for i, value in enumerate(self.items(key)))

    def _inner(self, key: str, value: Any) -> "Section":
        if not isinstance(value, dict):
            raise self.error(key, f"must be a mapping (key: value), got {_shown(value)}")
        return Section(self.file, self.place(key), value)


def read(path: Path, schema: int = 1, key: str = "schema") -> Section:
    """The mapping in the YAML file at `path`, its `key` checked to be 1 … `schema`. Raises ConfigError."""
    try:
        size = path.stat().st_size
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be read ({_reason(problem)})") from problem
    if size > _LARGEST_BYTES:
        raise ConfigError(f"{path}: is {size // 1_000_000} MB large, which no file of this kind is")
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be read ({_reason(problem)})") from problem
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise ConfigError(f"{path}: is no UTF-8 text (byte {problem.start})") from problem
    return parse(text, str(path), schema, key)


def parse(text: str, file: str, schema: int = 1, key: str = "schema") -> Section:
    """As `read`, from text; `file` is the name to use in errors."""
    top = Section(file, "", _load(text, file))
    found = top.integer(key, least=1)
    if found > schema:
        raise top.error(key, f"{found} is newer than this program reads ({schema}); update the program")
    return top


def _load(text: str, file: str) -> dict[Any, Any]:
    """The mapping that `text` holds; duplicate keys are refused because one of them would be lost silently."""
    try:
        value = yaml.load(text, _Loader)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        where = f" line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise ConfigError(f"{file}{where}: is no valid YAML ({_one_line(problem.problem)})") from problem
    except (
        yaml.YAMLError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as problem:
        # PyYAML lets Python's own errors through for values such as `2026-13-40`, `!!int ""` or 10,000 brackets
        raise ConfigError(f"{file}: is no valid YAML ({_one_line(str(problem))})") from problem
    if not isinstance(value, dict):
        raise ConfigError(f"{file}: must hold a mapping (key: value), got {_shown(value)}")
    return value


class _Loader(yaml.SafeLoader):
    """A SafeLoader that refuses a key given twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping of `node`. Raises ConstructorError for a duplicate key."""
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} is given twice", key.start_mark
                    )
                seen.add(key.value)
        return super().construct_mapping(node, deep)


def _number(value: Any) -> float | None:
    """`value` as a finite float or None. YAML 1.1 takes `1e-7` (no point) for text; it is a number here."""
    if isinstance(value, str) and _FLOAT.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e300 and math.isfinite(value) else None


def _plain(key: object) -> str:
    return str(key).lower().replace("-", "_").replace(" ", "_")


def _shown(value: Any) -> str:
    """`value` short enough for a sentence."""
    match value:
        case None:
            return "nothing"
        case dict():
            return "a mapping"
        case list():
            return f"a list of {len(value)}"
        case _:
            text = repr(value) if not isinstance(value, int) or abs(value) < 10**30 else "a huge number"
            return text if len(text) <= 40 else text[:37] + "..."


def _one_line(text: str | None) -> str:
    words = " ".join((text or "unreadable").split())
    return words if len(words) <= 120 else words[:117] + "..."


def _reason(problem: OSError) -> str:
    return (problem.strerror or type(problem).__name__).lower()
