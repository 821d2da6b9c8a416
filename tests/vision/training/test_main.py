import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("onnx", reason="the extra `train` is not installed")

from vision.embedding import Embedding
from vision.training.__main__ import main


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["training", *(str(word) for word in words)])
    return main()


def test_pool_learn_and_export_make_a_net_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "pool", "--work", tmp_path, "--count", 2) == 0
    assert run(monkeypatch, "learn", "--work", tmp_path, "--steps", 1) == 0
    (tmp_path / "trust.json").write_text("[0, 1, 1, 1, 1, 1]", encoding="utf-8")
    assert run(monkeypatch, "export", "--work", tmp_path, "--to", tmp_path / "net.onnx") == 0
    assert (tmp_path / "net.onnx").stat().st_size < 6_000_000
    Embedding(tmp_path / "net.onnx")


def test_a_step_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "learn", "--work", tmp_path) == 2
    assert "holds no shards: `pool` makes them" in capsys.readouterr().err
    assert run(monkeypatch, "export", "--work", tmp_path) == 2
    assert "trust.json is missing: `folds` writes it" in capsys.readouterr().err
