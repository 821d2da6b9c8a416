"""Drafts, and going back to former profiles: nothing is ever lost."""

import contextlib
from pathlib import Path

import pytest

from calibration import history
from calibration.draft import Draft, dump_draft, load_draft, save_draft
from calibration.profile import load_profile, save_profile
from engine import yamldump
from engine.errors import CalibrationError, ConfigError
from tests.calibration.test_profile import GOOD, parse


def day(number: int) -> str:
    return f"2026-11-0{number}T10:00:00Z"


def saved(path: Path, count: int) -> Path:
    for number in range(1, count + 1):
        save_profile(path, parse(GOOD.replace("2026-11-30T10:00:00Z", day(number))))
    return path


def days(path: Path) -> list[int]:
    """The days of the profile in force and of the former ones."""
    former = [one.holds.made_at for one in history.kept(path) if one.holds is not None]
    return [int(made[9]) for made in (load_profile(path).made_at, *former)]


@pytest.mark.parametrize(
    ("number", "after"),
    [(1, [6, 7, 5, 4, 3, 2]), (3, [4, 7, 6, 5, 3, 2]), (5, [2, 7, 6, 5, 4, 3])],
)
def test_going_back_keeps_all_profiles(tmp_path: Path, number: int, after: list[int]) -> None:
    path = saved(tmp_path / "p.yaml", 7)
    assert days(path) == [7, 6, 5, 4, 3, 2]
    history.go_back(path, number)
    assert days(path) == after
    assert len(yamldump.backups(path)) == 5


def test_going_back_twice_is_where_it_was(tmp_path: Path) -> None:
    path = saved(tmp_path / "p.yaml", 3)
    history.go_back(path)
    history.go_back(path)
    assert days(path) == [3, 2, 1]


def test_there_must_be_something_to_go_back_to(tmp_path: Path) -> None:
    path = saved(tmp_path / "p.yaml", 1)
    with pytest.raises(CalibrationError, match=r"p.yaml: there is no former profile to go back to"):
        history.go_back(path)
    saved(path, 2)
    with pytest.raises(CalibrationError, match=r"no former profile 9; there are 1 to 2"):
        history.go_back(path, 9)


def test_a_damaged_former_profile_is_not_put_in_force(tmp_path: Path) -> None:
    path = saved(tmp_path / "p.yaml", 3)
    former = path.with_name("p.yaml.bak1")
    former.write_text("schema: [")
    with pytest.raises(ConfigError, match=r"p.yaml.bak1"):
        history.go_back(path)
    assert load_profile(path).made_at == day(3)
    first, second = history.kept(path)
    assert first.holds is None and "p.yaml.bak1" in first.problem
    assert second.holds is not None and second.holds.made_at == day(1)
    history.go_back(path, 2)
    assert load_profile(path).made_at == day(1)


@pytest.mark.parametrize("allowed", range(10))
def test_a_kill_while_going_back_loses_nothing(allowed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path / "p.yaml", 5)
    real, left = Path.replace, allowed

    def replace_while_alive(self: Path, target: Path) -> Path:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return real(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace_while_alive)
        with contextlib.suppress(KeyboardInterrupt):
            history.go_back(path)
    assert load_profile(path).made_at in (day(5), day(4))
    assert {load_profile(file).made_at for file in tmp_path.glob("p.yaml*")} == {day(n) for n in range(1, 6)}


def test_a_draft_holds_the_lens_and_is_no_profile_yet(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    camera = parse(GOOD).camera
    save_draft(path, Draft(day(1), camera))
    again = load_draft(path)
    assert dump_draft(again) == dump_draft(Draft(day(1), camera))
    assert (again.camera.id, again.camera.fit) == (camera.id, camera.fit)
    with pytest.raises(ConfigError, match=r"p.yaml: table is missing: .*run `hanafuda calibrate table`"):
        load_profile(path)
    assert isinstance(history.load_any(path), Draft)


def test_a_whole_profile_is_a_draft_too(tmp_path: Path) -> None:
    path = saved(tmp_path / "p.yaml", 1)
    assert load_draft(path).camera.size_px == (1920, 1080)
    save_draft(path, load_draft(path))
    (former,) = history.kept(path)
    assert former.holds is not None and not isinstance(former.holds, Draft)
