"""Cases of rules in a file are tried on the engine: ours hold, a wrong one is found, a bad file is named in words."""

from pathlib import Path

import pytest

from engine.cases.trying import ANSWERS, Verdict, try_cases
from engine.errors import ConfigError
from tests.engine.tables import FOLDER

FURTHER = list(try_cases(FOLDER / "further.yaml"))


@pytest.mark.parametrize("verdict", FURTHER, ids=[verdict.case.id for verdict in FURTHER])
def test_a_further_case_holds(verdict: Verdict) -> None:
    assert verdict.good, verdict.as_dict()


def test_every_question_is_asked() -> None:
    assert {verdict.case.op for verdict in FURTHER} == set(ANSWERS)


def written(folder: Path, text: str) -> Path:
    path = folder / "cases.yaml"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    "case",
    [
        "game: catalogue, op: points, given: {cards: [01-bright]}, expect: 21",
        "game: oyohen, op: play, given: {field: [], card: 03-ribbon}, expect: {kind: capture}",
        "game: oyohen, op: yaku, given: {cards: [11-ribbon]}, expect: {yaku: {grass_ribbons: 20}, total: 20}",
        "game: hiyoko, op: hiyoko_playable, given: {hand: [08-animal], top: 07-animal}, expect: []",
        "game: hiyoko, op: hiyoko_playable, given: {hand: [08-animal], top: 07-animal}, expect: [08-bright]",
        "game: junior-chotto, op: junior_resolve, given: {plays: {A: 01-bright, B: 02-animal}}, expect: {ask: {}}",
        "game: hana-awase, op: next_dealer, given: {turn_order: [A, B], scores: {A: 1, B: 2}}, expect: A",
    ],
)
def test_a_case_that_does_not_hold_is_found(tmp_path: Path, case: str) -> None:
    (verdict,) = try_cases(written(tmp_path, f"version: 1\nvectors:\n- {{id: one, {case}}}\n"))
    assert not verdict.good


def test_chaff_of_a_month_are_alike(tmp_path: Path) -> None:
    case = "game: hiyoko, op: hiyoko_playable, given: {hand: [08-chaff-1], top: 07-animal}, expect: [08-chaff-2]"
    (verdict,) = try_cases(written(tmp_path, f"version: 1\nvectors:\n- {{id: one, {case}}}\n"))
    assert verdict.good


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("version: 2\nvectors: []\n", "version 2 is newer"),
        ("version: 1\n", "vectors is missing"),
        (
            "version: 1\nvectors:\n- {id: one, game: oyohen, op: sing, given: {}, expect: 1}\n",
            r"vectors\[0\].op 'sing'",
        ),
        (
            "version: 1\nvectors:\n- {id: one, game: poker, op: deal, given: {players: 2}, expect: 1}\n",
            "one: .*'poker'",
        ),
        ("version: 1\nvectors:\n- {id: one, game: oyohen, op: deal, given: {players: 9}, expect: 1}\n", "not 9"),
        (
            "version: 1\nvectors:\n- {id: one, game: oyohen, op: play, given: {card: 13-bright}, expect: 1}\n",
            "13-bright",
        ),
        (
            "version: 1\nvectors:\n- {id: a, game: hiyoko, op: hiyoko_flips, given: {turns: ['X:pass']}, expect: 1}\n",
            "given.turns",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError, match=words) as caught:
        list(try_cases(path))
    assert str(caught.value).startswith(str(path))
