"""Python, packages, fonts, decks and layouts: whether the program itself is whole."""

import json
import platform
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Final

from calibration.findings import Check, Mark
from calibration.layout import builtin_layouts, load_layout
from engine.errors import HanafudaError
from engine.words import sentences
from vision.deck import BUILT_IN, load_deck

PYTHON: Final = (3, 11)
_NAME: Final = "hanafuda-table"
_MODULES: Final = {"opencv-python": "cv2", "pyyaml": "yaml", "fpdf2": "fpdf", "pillow": "PIL"}
_TRY: Final = """
import importlib, json, sys
problems = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except BaseException as error:
        problems[name] = str(error) or type(error).__name__
print(json.dumps(problems))
"""


@dataclass(frozen=True, slots=True)
class Need:
    """A package with the versions that this program is made for: from `least`, below `below`; empty where open."""

    package: str
    least: tuple[int, ...] = ()
    below: tuple[int, ...] = ()

    @property
    def module(self) -> str:
        """What is imported."""
        return _MODULES.get(self.package.lower(), self.package.replace("-", "_"))

    def __str__(self) -> str:
        least = f">={'.'.join(map(str, self.least))}" if self.least else ""
        below = f"<{'.'.join(map(str, self.below))}" if self.below else ""
        return self.package + ",".join(part for part in (least, below) if part)


def checks(home: Path) -> Iterator[Check]:
    """The checks, one after the other."""
    yield check_python()
    yield from check_packages(needs())
    yield check_fonts()
    yield from check_decks(home)
    yield check_layouts()


def check_python() -> Check:
    """Whether this Python is new enough."""
    found = f"{platform.python_version()} ({sys.executable})"
    if sys.version_info < PYTHON:
        return Check("python", Mark.BAD, found, f"install Python {PYTHON[0]}.{PYTHON[1]} or newer")
    return Check("python", Mark.WELL, found)


def needs() -> tuple[Need, ...]:
    """What the program needs by its own metadata, or by pyproject.toml where it runs without being installed."""
    try:
        told = requires(_NAME) or []
    except PackageNotFoundError:
        file = Path(__file__).resolve().parent.parent / "pyproject.toml"
        told = tomllib.loads(file.read_text(encoding="utf-8"))["project"]["dependencies"] if file.is_file() else []
    return tuple(parse_need(text) for text in told if "extra ==" not in text)


def parse_need(text: str) -> Need:
    """The need of a text such as `opencv-python>=5,<6`."""
    name = re.match(r"[\w.-]+", text.strip())
    least, below = re.search(r">=\s*([\d.]+)", text), re.search(r"<\s*([\d.]+)", text)
    assert name is not None
    return Need(name[0], _numbers(least[1]) if least else (), _numbers(below[1]) if below else ())


def check_packages(wanted: Sequence[Need]) -> tuple[Check, ...]:
    """One line where all is well; else a line for each package that is missing, broken or of another version."""
    found: dict[str, str] = {}
    wrong = []
    for need in wanted:
        try:
            found[need.package] = version(need.package)
        except PackageNotFoundError:
            wrong.append(Check(need.package, Mark.BAD, "is not installed", _install(need)))
    there = [need for need in wanted if need.package in found]
    problems = _import_problems([need.module for need in there])
    for need in there:
        have = found[need.package]
        if need.module in problems:
            wrong.append(
                Check(need.package, Mark.BAD, f"{have} cannot be loaded: {problems[need.module]}", _install(need))
            )
        elif not _fits(have, need):
            wrong.append(Check(need.package, Mark.BAD, f"{have}, but this program is made for {need}", _install(need)))
    if wrong:
        return tuple(wrong)
    return (Check("packages", Mark.WELL, ", ".join(f"{name} {have}" for name, have in found.items())),)


def _import_problems(modules: Sequence[str]) -> dict[str, str]:
    """Which modules cannot be loaded, and why: tried in a process of its own, as a broken one may crash."""
    done = subprocess.run([sys.executable, "-c", _TRY, *modules], capture_output=True, text=True, check=False)
    try:
        answer = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        last = (done.stderr.strip().splitlines() or [f"Python ended with {done.returncode}"])[-1]
        return dict.fromkeys(modules[:1], last) if len(modules) == 1 else _one_by_one(modules)
    return {str(name): str(why) for name, why in answer.items()}


def _one_by_one(modules: Sequence[str]) -> dict[str, str]:
    return {name: why for module in modules for name, why in _import_problems([module]).items()}


def check_fonts() -> Check:
    """Whether the font is there and draws every letter that the table says."""
    from projection.text import font

    try:
        face = font()
    except HanafudaError as error:
        return Check("font", Mark.BAD, str(error), "install the program again")
    letters = "".join(sorted({x for words in sentences().entries.values() for x in words.ja + words.en if x > " "}))
    missing = [x for x, metrics in zip(letters, face.get_metrics(letters, size=40), strict=True) if metrics is None]
    if missing:
        return Check("font", Mark.BAD, f"has no {' '.join(missing[:12])}", "install the program again")
    return Check("font", Mark.WELL, f"{face.name}, every letter that the table says")


def check_decks(home: Path) -> Iterator[Check]:
    """Whether each deck that is built in or enrolled can be read."""
    enrolled = sorted(path.parent for path in (home / "decks").glob("*/deck.yaml"))
    for folder in (*sorted(path.parent for path in BUILT_IN.glob("*/deck.yaml")), *enrolled):
        name = f"deck {folder.name}"
        try:
            deck = load_deck(folder)
        except HanafudaError as error:
            yield Check(name, Mark.BAD, str(error), f"hanafuda deck add {folder.name} FOLDER")
            continue
        yield Check(name, Mark.WELL, f"{len(deck.faces)} cards, {deck.title.en}")
    if not enrolled:
        yield Check("your decks", Mark.NOTE, "none is enrolled", "for real cards: hanafuda deck add NAME FOLDER")


def check_layouts() -> Check:
    """Whether the built-in layouts can be read."""
    sizes = []
    for name, path in builtin_layouts().items():
        try:
            sizes.append(load_layout(path).mat_mm)
        except HanafudaError as error:
            return Check("layouts", Mark.BAD, f"{name}: {error}", "install the program again")
    if not sizes:
        return Check("layouts", Mark.BAD, "none is there", "install the program again")
    widths = ", ".join(f"{w:g} x {h:g}" for w, h in dict.fromkeys(sizes))
    return Check("layouts", Mark.WELL, f"{len(sizes)}, for mats of {widths} mm")


def _install(need: Need) -> str:
    return f"pip install '{need}'"


def _fits(have: str, need: Need) -> bool:
    numbers = _numbers(have)
    return (not need.least or numbers >= need.least) and (not need.below or numbers < need.below)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text.split("+")[0])[:3])
