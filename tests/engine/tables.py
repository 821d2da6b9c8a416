"""The cases of a game from `cases/<name>.yaml`, as tables for parametrize."""

from pathlib import Path
from typing import Any

import pytest
import yaml

FOLDER = Path(__file__).parent / "cases"


def read(name: str) -> dict[str, Any]:
    """All cases in the file `name`."""
    cases: dict[str, Any] = yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
    return cases


def by_name(cases: dict[str, Any], kind: str) -> pytest.MarkDecorator:
    """One test a case of this kind, called as the case is."""
    return pytest.mark.parametrize("case", cases[kind].values(), ids=cases[kind].keys())
