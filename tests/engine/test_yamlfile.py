"""YAML files: every mistake is one sentence with file and key; writing never loses what was there."""

import logging
from pathlib import Path

import pytest

from engine import yamldump, yamlfile
from engine.errors import ConfigError

UNREADABLE = {
    "empty": ("", "must hold a mapping"),
    "a list": ("[1]", "must hold a mapping.*a list of 1"),
    "text": ("hello", "must hold a mapping.*'hello'"),
    "open bracket": ("schema: 1\na: [", "line 2, column 5: is no valid YAML"),
    "tab": ("schema: 1\n\ta: 1", "line 2, column 1: is no valid YAML"),
    "nul": ("a: \x00", "is no valid YAML"),
    "key twice": ("schema: 1\na: 1\na: 2", "line 3, column 1.*'a' is given twice"),
    "foreign tag": ("schema: 1\na: !!python/object:os.system 1", "line 2, column 4.*could not determine"),
    "no date": ("schema: 1\na: 2026-13-40", "is no valid YAML.*month"),
    "no number": ("schema: 1\na: !!int ''", "is no valid YAML"),
    "deep": ("schema: 1\na: " + "[" * 5000, "is no valid YAML"),
    "list as key": ("schema: 1\n? [a]\n: 3", "line 2.*unhashable"),
    "no schema": ("a: 1", "schema is missing"),
    "schema in words": ("schema: one", "schema must be a whole number, got 'one'"),
    "schema true": ("schema: true", "schema must be a whole number, got True"),
    "schema zero": ("schema: 0", "schema must be at least 1"),
    "newer schema": ("schema: 2", r"schema 2 is newer than this program reads \(1\); update the program"),
}


@pytest.mark.parametrize(("text", "sentence"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_text_that_is_no_file_of_ours_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=f"^x.yaml.*{sentence}") as caught:
        yamlfile.parse(text, "x.yaml")
    assert "\n" not in str(caught.value)


WRONG_VALUES = {
    "missing": ("text", "", "inner.a is missing"),
    "null": ("text", "a: null", "inner.a must not be null"),
    "number for text": ("text", "a: 3", "inner.a must be text, got 3"),
    "text for flag": ("flag", "a: maybe", "inner.a must be true or false, got 'maybe'"),
    "text for integer": ("integer", "a: two", "inner.a must be a whole number, got 'two'"),
    "flag for integer": ("integer", "a: yes", "inner.a must be a whole number, got True"),
    "half for integer": ("integer", "a: 1.5", "inner.a must be a whole number, got 1.5"),
    "text for number": ("number", "a: wide", "inner.a must be a finite number, got 'wide'"),
    "nan for number": ("number", "a: .nan", "inner.a must be a finite number, got nan"),
    "inf for number": ("number", "a: -.inf", "inner.a must be a finite number, got -inf"),
    "huge for number": ("number", f"a: {'9' * 400}", "inner.a must be a finite number, got a huge number"),
    "one for list": ("items", "a: 1", "inner.a must be a list, got 1"),
    "text in numbers": ("numbers", "a: [1, b]", "inner.a must hold finite numbers only, got 'b'"),
    "mapping in numbers": ("numbers", "a: [[1], {b: 2}]", "inner.a must hold finite numbers only, got a mapping"),
    "triple for point": ("points", "a: [[1, 2], [1, 2, 3]]", r"inner.a\[1\] must be a pair of numbers"),
    "list for mapping": ("section", "a: [1]", "inner.a must be a mapping"),
    "number in mappings": ("sections", "a: [{}, 5]", r"inner.a\[1\] must be a mapping.*got 5"),
}


@pytest.mark.parametrize(("getter", "text", "sentence"), WRONG_VALUES.values(), ids=WRONG_VALUES.keys())
def test_a_wrong_value_is_named_with_its_place(getter: str, text: str, sentence: str) -> None:
    section = yamlfile.parse(f"schema: 1\ninner: {{{text}}}", "x.yaml").section("inner")
    with pytest.raises(ConfigError, match=f"^x.yaml: {sentence}"):
        getattr(section, getter)("a")


def test_limits_are_told() -> None:
    top = yamlfile.parse("schema: 1\nn: 0\nl: [1, 2]", "x.yaml")
    with pytest.raises(ConfigError, match="n must be at least 1, got 0"):
        top.integer("n", least=1)
    with pytest.raises(ConfigError, match="n must be greater than 0, got 0"):
        top.number("n", above=0)
    with pytest.raises(ConfigError, match="l needs 9 numbers, got 2"):
        top.numbers("l", 9)


def test_right_values_come_out_in_their_type() -> None:
    top = yamlfile.parse(
        "schema: 1\nt: 花\nd: 2026-11-30T10:00:00Z\nf: no\ni: 3.0\nn: 1e-7\nm: [[1, 2], [3, 4]]\np: [[1, 2.5]]", "x"
    )
    assert (top.text("t"), top.text("d"), top.flag("f"), top.integer("i")) == ("花", "2026-11-30T10:00:00Z", False, 3)
    assert (top.number("n"), top.numbers("m", 4), top.points("p")) == (1e-7, (1, 2, 3, 4), ((1, 2.5),))
    assert (top.text("x", "y"), top.integer("x", 4), top.number("x", 0.5), top.flag("x", True)) == ("y", 4, 0.5, True)


def test_a_key_that_looks_like_a_typo_is_refused_with_the_allowed_ones() -> None:
    top = yamlfile.parse("schema: 1\nzonez: []", "x.yaml")
    with pytest.raises(ConfigError, match=r"x.yaml: zonez is unknown; allowed here: schema, name, zones"):
        top.only("schema", "name", "zones")


def test_any_unknown_key_is_refused_where_only_known_ones_may_stand() -> None:
    with pytest.raises(ConfigError, match=r"x.yaml: weather is unknown; allowed here: schema, name"):
        yamlfile.parse("schema: 1\nweather: rain", "x.yaml").only("schema", "name")


def test_files_that_others_add_to_may_hold_more_but_no_typos(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        yamlfile.parse("schema: 1\nweather: rain", "x.yaml").mostly("schema", "name")
    assert "x.yaml: weather is unknown and ignored" in caplog.text
    with pytest.raises(ConfigError, match=r"x.yaml: nane is unknown"):
        yamlfile.parse("schema: 1\nnane: x", "x.yaml").mostly("schema", "name")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", "schema: 1\n# ü".encode("latin-1")], ids=["binary", "latin-1"])
def test_bytes_that_are_no_text_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"x.yaml: is no UTF-8 text"):
        yamlfile.read(path)


def test_a_file_that_is_not_there_or_is_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none.yaml: cannot be read \(no such file"):
        yamlfile.read(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match=r"cannot be read \(is a directory"):
        yamlfile.read(tmp_path)


def test_what_is_dumped_is_read_back_and_short_lists_stay_on_a_line() -> None:
    text = yamldump.dump({"schema": 1, "a": yamldump.Inline([(1.0, 2.5)]), "b": {"c": None}, "d": [1e-9]})
    assert "a: [[1, 2.5]]\n" in text
    assert dict(yamlfile.parse(text, "x").values) == {"schema": 1, "a": [[1, 2.5]], "b": {"c": None}, "d": [1e-9]}


def test_writing_keeps_the_last_versions_newest_first(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "x.yaml"
    for number in range(8):
        yamldump.write(path, str(number), keep=5)
    assert path.read_text() == "7"
    assert [old.read_text() for old in yamldump.backups(path)] == ["6", "5", "4", "3", "2"]
    assert len(list(path.parent.iterdir())) == 6


def test_a_write_that_fails_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.mkdir()
    (path / "kept").write_text("old")
    with pytest.raises(ConfigError, match=r"x.yaml: cannot be written"):
        yamldump.write(path, "new", keep=5)
    assert (path / "kept").read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.yaml"]


def test_text_that_cannot_be_encoded_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        yamldump.write(path, "\ud800", keep=5)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.yaml"]
