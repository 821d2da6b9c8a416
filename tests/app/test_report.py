"""The report of a calibration: in Japanese and English, and of one that was refused."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app import projector_step
from app.main import main
from app.report import words
from app.report.page import page
from app.report.refused import findings_of
from calibration import findings as values
from calibration.findings import Check, Findings, Mark
from calibration.profile import save_profile
from calibration.refusals import Reason, Refusal
from engine.yamlfile import read
from tests.app import fakes

CALIBRATION = Path(values.__file__).parent
SPEAKING = ("light_checks", "projector_step", "projector_causes", "mat_pose", "photographs", "table_fit", "findings")
MAT = (900.0, 600.0)
MADE = "2026-11-30T10:00:00Z"


def found(**changes: object) -> Findings:
    at = np.array([[-300.0, -200.0], [300.0, 200.0]])
    checks = (
        Check("brightness", Mark.WELL, "the projector's white is 3.4 times the room's light"),
        Check("coverage", Mark.NOTE, "81 % of the pattern on the mat was read; light reaches 100 % of the mat",
              "clear the mat and calibrate again"),
        Check("projector's px", Mark.NOTE, "could not be checked for scaling"),
    )  # fmt: skip
    causes = ("coverage: 81 % of the pattern on the mat was read; light reaches 100 % of the mat; clear the mat and "
              "calibrate again",)  # fmt: skip
    verdict = "good: light falls 0.20 mm on average, 0.61 mm at most beside its place"
    return Findings(verdict, Mark.WELL, checks, {"rms_mm": 0.2}, at, np.full((2, 2), 0.2), MAT, causes)


def templates() -> Iterator[tuple[str, str]]:
    """Every sentence that a check or a refusal can say, {} for what differs, with the module it is in."""
    for name in SPEAKING:
        for call in ast.walk(ast.parse((CALIBRATION / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("Check", "Refusal"):
                texts = call.args[1:2] if call.func.id == "Refusal" else call.args[2:]
                yield from ((name, text) for part in texts for text in _texts(part))


def _texts(part: ast.expr) -> Iterator[str]:
    match part:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.JoinedStr(values=pieces):
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in pieces)
        case ast.IfExp(body=body, orelse=other):
            yield from _texts(body)
            yield from _texts(other)
        case _:
            return


def test_nearly_every_sentence_of_a_calibration_is_known_in_japanese() -> None:
    told = set(templates())
    unknown = sorted(text for _, text in told if not words.is_known(text))
    assert len(told) > 40
    assert len(unknown) <= 0.1 * len(told), unknown


def test_every_reason_has_a_name_in_both_languages() -> None:
    for reason in Reason:
        assert words.reason(reason.value, "ja") not in (reason.value, words.reason(reason.value, "en"))


def test_every_sentence_has_the_same_gaps_in_both_languages() -> None:
    section = read(Path(words.__file__).parent / "words.yaml").section("sentences")
    for key in section.values:
        one = section.section(key)
        english, japanese = one.text("en"), one.text("ja")
        numbers = {int(part[0]) for part in japanese.split("{")[1:]}
        assert numbers == set(range(english.count("{}"))) or numbers < set(range(english.count("{}"))), key


def test_the_page_speaks_the_language_asked_for() -> None:
    english, japanese = page(found(), MADE), page(found(), MADE, "ja")
    assert "Calibration report" in english and "Where light falls" in english and "調" not in english
    assert '<html lang="ja">' in japanese
    for text in ("調整レポート", "良好：光のずれは平均0.20mm、最大0.61mmです", "模様の81%が読めました", "明るさ"):
        assert text in japanese
    assert (
        "届く範囲：模様の81%が読めました。光はマットの100%に届きます。マットを片づけて、もう一度調整してください"
        in japanese
    )
    for text in ("Likely", "brightness", "What was", "light falls", "near side"):
        assert text not in japanese


def test_what_is_not_known_in_japanese_is_said_in_english() -> None:
    assert words.sentence("a sentence that nobody knows", "ja") == "a sentence that nobody knows"
    assert words.cause("lens: nobody knows; nothing helps", "ja") == "lens: nobody knows; nothing helps"


def test_a_refusal_says_why_and_shows_what_was_measured() -> None:
    refusal = Refusal(Reason.COVERED_MARKERS, "marker 2 (far right) of the mat cannot be seen; uncover it, or turn the "
                      "camera so that the whole mat is in its picture")  # fmt: skip
    text = page(findings_of(refusal, MAT), MADE, "ja", refused=True)
    assert "調整を中止しました" in text and "マーカー2（奥右）が見えません" in text and "何も変えていません" in text
    assert "<svg" not in text
    measured = Refusal(Reason.INACCURATE, "not usable: light falls up to 7.1 mm beside its place; nothing was changed",
                       found())  # fmt: skip
    text = page(findings_of(measured, MAT), MADE, refused=True)
    assert "<svg" in text and "times the room&#x27;s light" in text and "Calibration refused" in text


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_refused_step_leaves_a_report_and_nothing_else(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "calibration.yaml"
    save_profile(path, fakes.profile())
    before = path.read_bytes()

    def refuse(*_: object) -> int:
        raise Refusal(Reason.TOO_BRIGHT, "the projected light hardly shows against the lamps of the room; dim them or "
                      "shade the table")  # fmt: skip

    monkeypatch.setattr(projector_step, "live", refuse)
    code = main(["calibrate", "projector", "--profile", str(path), "--language", language])
    said = capsys.readouterr()
    assert code == 2 and "calibration-refused.html" in said.err
    assert path.read_bytes() == before and not (tmp_path / "calibration-report.html").exists()
    report = (tmp_path / "calibration-refused.html").read_text(encoding="utf-8")
    assert ("部屋の明かりで投影がほとんど見えません" in report) == (language == "ja")
    assert json.loads((tmp_path / "calibration-refused.json").read_text())["figures"]["reason"] == "too-bright"


def test_a_refused_mat_leaves_a_report_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "calibration.yaml"
    save_profile(path, fakes.profile())
    words_of = ["calibrate", "table", "--profile", str(path), "--guessed-lens", "--measured", "900", "500"]
    code = main([*words_of, "--images", str(tmp_path), "--language", "ja"])
    assert code == 2 and "calibration-refused.html" in capsys.readouterr().err
    assert "マーカーの間隔は" in (tmp_path / "calibration-refused.html").read_text(encoding="utf-8")


def test_the_report_speaks_the_computers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert words.usual_language() == "ja"
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert words.usual_language() == "en"
