"""Makes NotoSansJP-subset.otf from the whole font: `python models/fonts/subset.py SOURCE.otf` (extra `train`).

The characters: Latin, Greek and Cyrillic as in Japanese print, kana, punctuation, full-width forms, arrows, geometric
signs and playing-card suits, every kanji of JIS level 1 (2,965, which holds all kanji taught at school), and the
kanji beyond it that hanafuda words need.
"""

import argparse
from pathlib import Path
from typing import Final

from fontTools import subset

TARGET: Final = Path(__file__).resolve().parent / "NotoSansJP-subset.otf"
_RANGES: Final = (
    (0x0020, 0x007E),  # ASCII
    (0x00A0, 0x00FF),  # Latin-1
    (0x0100, 0x017F),  # Latin Extended-A: ō and ū of transcribed Japanese
    (0x2010, 0x203F),  # punctuation
    (0x2070, 0x209F),  # raised and lowered figures
    (0x2100, 0x21FF),  # letter-like signs, Roman figures, arrows
    (0x2200, 0x22FF),  # signs of arithmetic
    (0x2460, 0x2473),  # circled figures
    (0x2300, 0x23FF),  # technical signs
    (0x2500, 0x257F),  # lines
    (0x25A0, 0x25FF),  # geometric signs
    (0x2600, 0x27BF),  # suits, stars, weather, ticks
    (0x3000, 0x30FF),  # Japanese punctuation, kana
    (0xFF01, 0xFF9F),  # full-width and half-width forms
)
_HANAFUDA: Final = "凰芒鶯鵑蕨躑躅橙鷺檜鴬盞釉朧霙霰雹簪絆蹄"


def _jis_rows(first: int, last: int) -> set[int]:
    """The code points of rows `first` to `last` of JIS X 0208."""
    cells = (bytes((0xA0 + row, 0xA0 + cell)) for row in range(first, last + 1) for cell in range(1, 95))
    return {ord(text) for cell in cells if (text := cell.decode("euc_jp", "ignore"))}


def wanted() -> set[int]:
    """Every code point the subset should hold, where the source has it."""
    chosen = {code for first, last in _RANGES for code in range(first, last + 1)}
    return chosen | _jis_rows(1, 8) | _jis_rows(16, 47) | {ord(letter) for letter in _HANAFUDA}


def main() -> None:
    """Writes the subset beside this script, the same bytes for the same source."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="NotoSansJP-Regular.otf")
    options = subset.Options()
    options.layout_features = ["vert", "kern"]
    options.hinting = False
    options.name_IDs = ["*"]
    options.drop_tables += ["BASE"]
    options.recalc_timestamp = False
    font = subset.load_font(parser.parse_args().source, options)
    worker = subset.Subsetter(options)
    worker.populate(unicodes=wanted())
    worker.subset(font)
    subset.save_font(font, TARGET, options)


if __name__ == "__main__":
    main()
