"""Random play is measured alike for every game and for another engine; rule cases are tried from the command line."""

import json
import sys
from pathlib import Path
from random import Random

import pytest

from app.main import main
from app.playouts import Rate, chess_playout, measure, playout
from engine.catalogue import load, names

CASES = Path(__file__).parent.parent / "engine" / "cases" / "further.yaml"


@pytest.mark.parametrize("name", names())
def test_a_round_is_played_to_its_end(name: str) -> None:
    play = playout(load(name))
    assert play(Random(1)) == play(Random(1)) > 5


def test_all_are_measured_in_turn() -> None:
    called: list[str] = []

    def counted(name: str, moves: int) -> int:
        called.append(name)
        return moves

    playouts = {"one": lambda _: counted("one", 10), "two": lambda _: counted("two", 20)}
    one, two = measure(playouts, 0.0, turns=2)
    assert isinstance(one, Rate) and (one.what, two.what) == ("one", "two")
    assert one.moves == pytest.approx(10 * one.rounds) and two.moves == pytest.approx(20 * two.rounds)
    assert called == ["one", "one", "two", "two"] * 2


def test_a_peer_that_is_not_installed_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    assert main(["bench", "engine", "--peer"]) == 2
    assert (
        capsys.readouterr().err.strip().endswith("--peer: python-chess is not installed; `pip install chess` does it")
    )


def test_the_peer_plays_whole_games() -> None:
    pytest.importorskip("chess")
    assert chess_playout()(Random(1)) > 10


def test_cases_are_tried_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rules", str(CASES)]) == 0
    assert capsys.readouterr().out.endswith(" cases hold\n")
    wrong = tmp_path / "cases.yaml"
    case = "{id: one, game: oyohen, op: winner, given: {scores: {A: 1, B: 2}}, expect: [A]}"
    wrong.write_text(f"version: 1\nvectors:\n- {case}\n", "utf-8")
    assert main(["bench", "rules", str(wrong)]) == 1
    assert capsys.readouterr().out == "FAIL one (winner): expected ['A'], found ['B']\n0 of 1 cases hold\n"
    assert main(["bench", "rules", str(wrong), "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {"id": "one", "op": "winner", "good": False, "expect": ["A"], "found": ["B"]}
    ]
    assert main(["bench", "rules", str(tmp_path / "none.yaml")]) == 2
