"""A calibration on its way: the lens is known, the mat not found yet. A profile file with `table: null`."""

from dataclasses import dataclass
from pathlib import Path

from calibration.profile import KEPT, PARTS, Camera, camera_from, camera_values
from engine import yamldump, yamlfile


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """What is known after the lens step."""

    made_at: str
    camera: Camera


def load_draft(path: Path) -> Draft:
    """The lens and its camera in the file at `path`, be it a draft or a whole profile. Raises ConfigError."""
    return draft_from(yamlfile.read(path))


def draft_from(top: yamlfile.Section) -> Draft:
    """The draft in a section that `yamlfile.read` or `parse` gave. Raises ConfigError."""
    top.only(*PARTS)
    return Draft(top.text("made_at", ""), camera_from(top.section("camera")))


def save_draft(path: Path, draft: Draft) -> None:
    """Writes `draft` to `path` in one step; what was there stays beside it as `.bak1`, as with profiles."""
    text = dump_draft(draft)
    draft_from(yamlfile.parse(text, str(path)))
    yamldump.write(path, text, keep=KEPT)


def dump_draft(draft: Draft) -> str:
    """The text of the file; `load_draft` reads it back to the same numbers."""
    values = {"schema": 1, "made_at": draft.made_at, "camera": camera_values(draft.camera)}
    return yamldump.dump(values | {"table": None, "projector": None, "validation": None})
