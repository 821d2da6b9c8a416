"""The command line: verbs, exit codes, JSON on stdout, sentences on stderr, nothing loaded that is not needed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import app.main as command
from app.main import VERBS, main
from engine.errors import HanafudaError


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([verb, "--help"])
    assert ended.value.code == 0 and f"hanafuda {verb}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("juggle",),
        ("games", "--loud"),
        ("replay",),
        ("replay", "x", "--max-moves", "-1"),
        ("replay", "x", "--speed", "0"),
        ("play", "--size", "10x10"),
        ("bench", "games", "--seeds", "a"),
    ],
    ids=lambda words: " ".join(words) or "nothing",
)
def test_unusable_arguments_are_exit_code_2(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    said = capsys.readouterr()
    assert ended.value.code == 2 and said.out == "" and "hanafuda" in said.err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("games", "poker"), "poker"),
        (("replay", "no/such/session"), "no/such/session"),
        (("read", "no-such.jpg"), "no-such.jpg"),
        (("read", __file__), "test_cli.py"),
        (("read", "x.jpg", "--game", "poker"), "poker"),
        (("read", "x.jpg", "--deck", "nothing-like-it"), "nothing-like-it"),
        (("play", "--headless", "--game", "poker"), "poker"),
        (("play", "--headless", "--seats", "9"), "9"),
        (("play", "--headless", "--dealer", "5"), "dealer"),
        (("play", "--headless", "--option", "speed"), "speed"),
        (("play", "--headless", "--option", "capture_three=some"), "capture_three"),
        (("play", "--headless", "--layout", "nowhere.yaml"), "nowhere.yaml"),
        (("play", "--headless", "--deck", "nothing-like-it"), "nothing-like-it"),
        (("play", "--headless", "--look", "lava"), "lava"),
        (("play", "--resume", "no/such/session"), "no/such/session"),
        (("bench", "sessions", "no/such/folder"), "no/such/folder"),
        (("bench", "heaps", "--size", "720"), "--size 720"),
        (("bench", "heaps", "--drawn", "nothing-like-it"), "nothing-like-it"),
        (("bench", "heaps", "--worst", "."), "--worst ."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    words: tuple[str, ...],
    named: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HANAFUDA_HOME", str(tmp_path))
    code, out, err = run(capsys, *words)
    assert code == 2 and out == ""
    assert err.startswith("hanafuda: ") and err.count("\n") == 1 and named in err
    assert list(tmp_path.iterdir()) == []


def test_games_as_json_hold_what_players_need(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "games", "chotto-hana-awase", "--json")
    game = json.loads(out)
    assert code == 0 and game["seats"] == [2, 3, 4] and len(game["cards"]) == 32
    assert {y["id"]: y["value"] for y in game["yaku"]}["moon_viewing"] == 20
    assert all(rule["ja"] and rule["en"] for rule in game["rules"])
    listed = json.loads(run(capsys, "games", "--json")[1])
    assert "chotto-hana-awase" in [g["name"] for g in listed]


def test_a_picture_without_cards_is_an_empty_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "blank.png"
    cv2.imwrite(str(path), np.full((240, 320, 3), 128, dtype=np.uint8))
    code, out, _ = run(capsys, "read", str(path), "--deck", "tsuki", "--game", "chotto-hana-awase", "--json")
    assert code == 0
    assert json.loads(out) == {"image": str(path), "cards": [], "score": {"points": 0, "yaku": [], "total": 0}}


def test_keyboard_interrupt_is_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_parser", interrupted)
    code, out, err = run(capsys, "games")
    assert code == 130 and out == "" and err == "hanafuda: stopped\n"


def test_an_error_of_several_lines_becomes_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_: Any) -> Any:
        raise HanafudaError("first\n  second")

    monkeypatch.setattr(command, "_parser", failing)
    assert run(capsys, "games") == (2, "", "hanafuda: first second\n")


def test_the_command_starts_without_heavy_libraries() -> None:
    code = (
        "import sys; from app.main import main; main(['games']);"
        "print([m for m in ('cv2', 'numpy', 'pygame') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]" and "chotto-hana-awase" in done.stdout
