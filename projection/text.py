"""Lines of text as small tiles: measured in mm without a display, rendered once, cached."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import ConfigError
from projection.scene import LINE_HEIGHT
from projection.sdl import pygame

FONTS: Final = Path(__file__).resolve().parent.parent / "models" / "fonts"
_BASELINE: Final = 0.96  # of a size, below the top of the line's box
_EM: Final = 200  # px at which advances are measured
_JAPANESE: Final = 0x2E80  # where the scripts without spaces begin
_NO_LINE_START: Final = "、。，．）」』】：；！？!?,.:;)・ー"


@lru_cache(maxsize=2)
def font(folder: Path = FONTS) -> "pygame.freetype.Font":
    """The Japanese and Latin font in `folder`. Raises ConfigError if there is none or it is not a font."""
    files = sorted(path for path in folder.glob("*NotoSansJP*") if path.suffix.lower() in (".otf", ".ttf"))
    if not files:
        raise ConfigError(f"{folder}: no NotoSansJP font file; reinstall the program")
    pygame.freetype.init()
    try:
        return pygame.freetype.Font(str(files[0]), size=_EM)
    except (pygame.error, OSError) as error:
        raise ConfigError(f"{files[0]}: cannot be read as a font ({error})") from error


@lru_cache(maxsize=4096)
def _advance(character: str) -> float:
    """A character's advance in sizes; one that the font does not have counts as a full one."""
    metrics = font().get_metrics(character, size=_EM)[0]
    return 1.0 if metrics is None else float(metrics[4]) / _EM


def missing(text: str) -> str:
    """The characters of `text` that the font cannot draw."""
    return "".join(sorted({c for c in text if font().get_metrics(c, size=_EM)[0] is None}))


def width_mm(text: str, size_mm: float) -> float:
    """The width in mm of one line whose full-width characters are `size_mm` high."""
    return _advances(text) * size_mm


@lru_cache(maxsize=4096)
def _advances(text: str) -> float:
    return sum(_advance(c) for c in text)


def shorten(text: str, size_mm: float, room_mm: float) -> str:
    """`text`, or as much of its beginning as fits into `room_mm` with an ellipsis."""
    if width_mm(text, size_mm) <= room_mm:
        return text
    cut = text
    while cut and width_mm(cut + "…", size_mm) > room_mm:
        cut = cut[:-1]
    return cut.rstrip() + "…" if cut.rstrip() else ""


def wrap(text: str, size_mm: float, room_mm: float) -> tuple[str, ...]:
    """`text` broken into lines of at most `room_mm`: at spaces, or in Japanese before a word in kanji or katakana.

    A Japanese word wider than the room is cut, another one is shortened.
    """
    lines: list[str] = []
    line = ""
    for part in _parts(text):
        if line and width_mm((line + part).rstrip(), size_mm) > room_mm:
            lines.append(line.rstrip())
            line = ""
        for piece in _cut(part, size_mm, room_mm - width_mm(line, size_mm)):
            if line and width_mm((line + piece).rstrip(), size_mm) > room_mm:
                lines.append(line.rstrip())
                line = ""
            line += piece
    lines.append(line.rstrip())
    return tuple(shorten(each, size_mm, room_mm) for each in lines if each)


def _cut(part: str, size_mm: float, room_mm: float) -> Sequence[str]:
    """The part itself where it fits or is Latin, else its characters."""
    if width_mm(part.rstrip(), size_mm) <= room_mm or ord(part[0]) < _JAPANESE:
        return (part,)
    return part


def _parts(text: str) -> Sequence[str]:
    """Pieces between which a line may break: Latin words with their space, Japanese words with their endings."""
    parts: list[str] = []
    for character in text:
        if parts and not _may_break(parts[-1][-1], character):
            parts[-1] += character
        else:
            parts.append(character)
    return parts


def _may_break(before: str, after: str) -> bool:
    """Whether a line may end between these two characters."""
    if after in _NO_LINE_START or after == " " or before in "「（(『":
        return False
    if before in "、。！？：」）" or before == " ":
        return True
    return _is_hiragana(before) and not _is_hiragana(after)


def _is_hiragana(character: str) -> bool:
    return "ぁ" <= character <= "ゟ"


@lru_cache(maxsize=1024)
def tile(text: str, size_px: int, strong: bool) -> NDArray[np.uint8]:
    """How much light each pixel of the line's box gets, uint8 (H, W): H = LINE_HEIGHT sizes, W = the line's width."""
    height = max(1, round(size_px * LINE_HEIGHT))
    width = max(1, round(width_mm(text, float(size_px))))
    out = np.zeros((height, width), dtype=np.uint8)
    x = 0.0
    for character in text:  # one by one: laid out as a whole, advances are rounded and the line outgrows its box
        if character != " ":
            ink, bearing, rise = _glyph(character, size_px)
            h, w = ink.shape
            top, left = round(size_px * _BASELINE) - rise, max(0, min(round(x + bearing), width - w))
            part = out[max(0, top) : top + h, left : left + w]
            np.maximum(part, ink[max(0, -top) :, :][: part.shape[0], : part.shape[1]], out=part)
        x += _advance(character) * size_px
    if strong:
        thicker = 1 + max(1, round(size_px / 26))
        out = np.asarray(cv2.dilate(out, np.ones((thicker, thicker), dtype=np.uint8)), dtype=np.uint8)
    out.setflags(write=False)
    return out


@lru_cache(maxsize=4096)
def _glyph(character: str, size_px: int) -> tuple[NDArray[np.uint8], int, int]:
    """A character's ink, uint8 (h, w), where it begins right of the pen, and how far it rises over the baseline, px."""
    box = font().get_rect(character, size=size_px)
    data, (w, h) = font().render_raw(character, size=size_px)
    return np.frombuffer(data, dtype=np.uint8).reshape(h, w), box.x, box.y
