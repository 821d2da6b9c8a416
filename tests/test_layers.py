"""Imports run one way, and a device, a renderer or a heavy library is imported only where it belongs."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "calibration", "vision", "projection", "app")
ALLOWED = {
    "engine": {"engine"},
    "calibration": {"calibration", "engine"},
    "vision": {"vision", "calibration", "engine"},
    "projection": {"projection", "calibration", "engine"},
    "app": set(PACKAGES),
}
"""Which of our packages each of them may import."""
ONLY_IN = {
    "pygame": ("projection/",),
    "onnxruntime": ("vision/embedding.py",),
    "cv2.VideoCapture": ("vision/capture.py",),
}
"""Names that may be used only in files whose path starts so."""
ENGINE_OWN = {"yaml"}
OFFLINE_ONLY = {"torch", "onnx", "scipy", "fontTools"}
"""Libraries of the extra `train`: only in folders that a user never runs."""


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Full dotted names that a module imports, with their lines; `from a import b` gives `a.b`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((alias.name, node.lineno) for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from ((f"{module}.{alias.name}", node.lineno) for alias in names)
            case ast.ImportFrom(level=level) if level > 0:
                yield "." * level, node.lineno
            case ast.Call(func=ast.Attribute(value=ast.Name("importlib"), attr="import_module"), args=[argument, *_]):
                yield _literal_start(argument), node.lineno


def _literal_start(argument: ast.expr) -> str:
    match argument:
        case ast.Constant(value=str(name)):
            return name
        case ast.JoinedStr(values=[ast.Constant(value=str(name)), *_]):
            return name
    return "<computed>"


def used(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Dotted names that a module imports or reads as an attribute of a plain name, such as `cv2.VideoCapture`."""
    yield from imported(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                yield f"{name}.{attribute}", node.lineno


def parse(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_run_one_way(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(package)
        for name, line in imported(parse(path))
        if name.startswith(".")
        or name == "<computed>"
        or (name.split(".")[0] in (*PACKAGES, "models", "tests") and name.split(".")[0] not in ALLOWED[package])
    ]
    assert not wrong


@pytest.mark.parametrize("name", ONLY_IN)
def test_devices_and_renderers_stay_where_they_belong(name: str) -> None:
    wrong = []
    for package in PACKAGES:
        for path in modules(package):
            where = path.relative_to(ROOT).as_posix()
            if not where.startswith(ONLY_IN[name]):
                wrong += [f"{where}:{line}" for n, line in used(parse(path)) if f"{n}.".startswith(f"{name}.")]
    assert not wrong


def test_the_engine_needs_the_standard_library_and_yaml_only() -> None:
    import sys

    allowed = set(sys.stdlib_module_names) | ENGINE_OWN | {"engine"}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules("engine")
        for name, line in imported(parse(path))
        if name.split(".")[0] not in allowed
    ]
    assert not wrong


def test_what_a_user_runs_needs_no_training_library() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for package in PACKAGES
        for path in modules(package)
        if not path.relative_to(ROOT).as_posix().startswith("vision/training/")
        for name, line in imported(parse(path))
        if name.split(".")[0] in OFFLINE_ONLY
    ]
    assert not wrong


def test_the_packages_are_where_this_test_looks() -> None:
    assert all(len(modules(package)) > 1 for package in PACKAGES)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import pygame.freetype", "pygame.freetype"),
        ("from cv2 import VideoCapture", "cv2.VideoCapture"),
        ("import cv2\ndef f():\n    return cv2.VideoCapture(0)", "cv2.VideoCapture"),
        ("import importlib\nimportlib.import_module('pygame')", "pygame"),
    ],
)
def test_a_forbidden_name_is_noticed_wherever_it_hides(source: str, name: str) -> None:
    assert name in {n for n, _ in used(ast.parse(source))}
