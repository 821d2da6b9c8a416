"""Every option can be set on the command line, in session.yaml and in the game's own YAML."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from app.session import SessionInfo, dump_info, load_info
from app.wishes import parse_options
from engine.catalogue import load, names, rulebook
from engine.rulebook import read_rulebook

VALUES = [(name, option.name, option.allowed[-1]) for name in names() for option in rulebook(name).options]
every_option = pytest.mark.parametrize(("name", "option", "value"), VALUES)


def plain(value: Any) -> str:
    """As a person types it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@every_option
def test_on_the_command_line(name: str, option: str, value: Any) -> None:
    assert load(name, parse_options([f"{option}={plain(value)}"])).book.settings[option] == value


@every_option
def test_in_session_yaml(tmp_path: Path, name: str, option: str, value: Any) -> None:
    path = tmp_path / "session.yaml"
    path.write_text(dump_info(SessionInfo(name, 2, 0, "", "tsuki", {option: value})), "utf-8")
    game = load(name, load_info(path).options)
    assert game.book.settings[option] == value
    assert load(name, game.options).book.settings == game.book.settings


@every_option
def test_as_the_default_of_the_game_s_yaml(tmp_path: Path, name: str, option: str, value: Any) -> None:
    book = Path(__file__).parent.parent.parent / "engine" / "games" / f"{name.replace('-', '_')}.yaml"
    text = yaml.safe_load(book.read_text("utf-8"))
    text["options"][option]["default"] = value
    changed = tmp_path / book.name
    changed.write_text(yaml.safe_dump(text, allow_unicode=True), "utf-8")
    assert read_rulebook(changed, {}).settings[option] == value


def test_a_default_preset_of_the_yaml_counts(tmp_path: Path) -> None:
    book = Path(__file__).parent.parent.parent / "engine" / "games" / "hana_awase.yaml"
    text = yaml.safe_load(book.read_text("utf-8"))
    text["options"]["preset"]["default"] = "french"
    changed = tmp_path / book.name
    changed.write_text(yaml.safe_dump(text, allow_unicode=True), "utf-8")
    assert read_rulebook(changed, {}).settings["dealer_tie"] == "redraw"
    assert read_rulebook(changed, {"preset": "nintendo_fudawiki"}).settings["dealer_tie"] == "rank_then_redraw"
