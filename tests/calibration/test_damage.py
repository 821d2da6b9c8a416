"""Damaged layout and profile files: always a sentence that names the file, never a traceback."""

import random

import pytest

from calibration.layout import builtin_layout, dump_layout, layout_from
from calibration.profile import profile_from
from engine import yamlfile
from engine.errors import HanafudaError
from tests.calibration.test_profile import GOOD

PIECES = (
    "",
    " ",
    "\n",
    "[",
    "]",
    "{",
    "}",
    ":",
    "-",
    ".nan",
    "null",
    "1e400",
    "'",
    "&a",
    "*a",
    "!!int",
    "[]",
    "{}",
    "0",
    "x",
)


def damaged(text: str, draw: random.Random) -> str:
    """`text` with one to three places cut out, doubled or replaced."""
    for _ in range(draw.randint(1, 3)):
        start = draw.randrange(len(text))
        end = min(len(text), start + draw.choice((1, 1, 3, 10, 40)))
        middle = draw.choice((*PIECES, text[start:end] * 2))
        text = text[:start] + middle + text[end:]
    return text


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_file_is_read_or_refused_in_a_sentence(seed: int) -> None:
    draw = random.Random(seed)
    refused = 0
    for text, reader in ((GOOD, profile_from), (dump_layout(builtin_layout(2)), layout_from)):
        for _ in range(40):
            try:
                reader(yamlfile.parse(damaged(text, draw), "file.yaml"))
            except HanafudaError as error:
                refused += 1
                assert str(error).startswith("file.yaml")
                assert "\n" not in str(error)
    assert refused > 20
