"""Writing the project's YAML files: readable text, put in place in one step, former versions kept."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from engine.errors import ConfigError


class Inline(list[Any]):
    """A list that `dump` writes on one line, `[a, b]`, with everything inside it."""


class InlineMapping(dict[Any, Any]):
    """A mapping that `dump` writes on one line, `{a: b}`, with everything inside it."""


class _Dumper(yaml.SafeDumper):
    """A SafeDumper without aliases that knows `Inline` and `InlineMapping`."""

    def ignore_aliases(self, _data: Any) -> bool:
        """Always: a value used twice is written twice."""
        return True


_Dumper.add_representer(
    Inline, lambda dumper, data: dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)
)
_Dumper.add_representer(
    InlineMapping, lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=True)
)


def dump(values: Mapping[str, Any]) -> str:
    """YAML text of `values` in the order given; tuples become lists, whole floats lose their `.0`."""
    return yaml.dump(_simple(values), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def write(path: Path, text: str, keep: int = 0) -> None:
    """Replaces the file at `path` by `text` in one step, so that a crash leaves the old or the new one, never a part.

    With `keep` the file that was there stays as `<name>.bak1`, older ones as `.bak2` … up to `keep`.
    Raises ConfigError where the folder cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        _write_through(path, temporary, text, keep)
    except OSError as problem:
        raise ConfigError(
            f"{path}: cannot be written ({(problem.strerror or type(problem).__name__).lower()})"
        ) from problem
    finally:
        temporary.unlink(missing_ok=True)


def backups(path: Path) -> tuple[Path, ...]:
    """The kept former versions of `path`, newest first."""
    found: list[Path] = []
    while (older := path.with_name(f"{path.name}.bak{len(found) + 1}")).is_file():
        found.append(older)
    return tuple(found)


def _write_through(path: Path, temporary: Path, text: str, keep: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    if keep > 0 and path.is_file():
        for age in range(min(len(backups(path)), keep - 1), 0, -1):
            path.with_name(f"{path.name}.bak{age}").replace(path.with_name(f"{path.name}.bak{age + 1}"))
        former = path.with_name(f".{path.name}.{os.getpid()}.old")
        former.write_bytes(path.read_bytes())
        former.replace(path.with_name(f"{path.name}.bak1"))
    temporary.replace(path)


def _simple(value: Any) -> Any:
    """`value` in types that YAML knows."""
    if isinstance(value, Inline):
        return Inline(_simple(v) for v in value)
    if isinstance(value, Mapping):
        kind = InlineMapping if isinstance(value, InlineMapping) else dict
        return kind((k, _simple(v)) for k, v in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_simple(v) for v in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value
