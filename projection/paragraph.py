"""Sentences as a block of lines: wrapped, in their sizes, with a sign before the one that must not be missed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from projection.badges import badge
from projection.blocks import Block, shifted, write
from projection.scene import LINE_HEIGHT, RGB, Shape
from projection.text import width_mm, wrap
from projection.theme import Badge


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its size in mm, colour and weight, and the sign that stands before it."""

    text: str
    size_mm: float
    colour: RGB
    strong: bool = False
    sign: Badge = Badge.NONE


def paragraph(sentences: Sequence[Sentence], room_mm: float, scale: float, centred: bool = False) -> Block:
    """The sentences under each other, wrapped into `room_mm`; sizes times `scale`."""
    lines: list[tuple[Sentence, str, float, float]] = []
    for sentence in sentences:
        size = sentence.size_mm * scale
        indent = size * 1.3 if sentence.sign is not Badge.NONE else 0.0
        for number, line in enumerate(_balanced(sentence.text, size, room_mm - indent)):
            lines.append((sentence, line, size, indent if number == 0 else 0.0))
    height = sum(size * LINE_HEIGHT for _, _, size, _ in lines)
    width = max((indent + width_mm(line, size) for _, line, size, indent in lines), default=0.0)
    shapes: list[Shape] = []
    v = height
    for sentence, line, size, indent in lines:
        v -= size * LINE_HEIGHT
        left = (width - indent - width_mm(line, size)) / 2 if centred else 0.0
        if indent:
            sign = badge(sentence.sign, sentence.colour)
            shapes += (shifted(each, left, v + size * 0.08, size / sign.height_mm) for each in sign.shapes)
        shapes.append(write(line, left + indent, v + size * LINE_HEIGHT / 2, size, sentence.colour, sentence.strong))
    return Block(width, height, tuple(shapes))


@lru_cache(maxsize=1024)
def _balanced(text: str, size_mm: float, room_mm: float) -> tuple[str, ...]:
    """`text` wrapped into as few lines as the room allows, all about equally long."""
    lines = wrap(text, size_mm, room_mm)
    if len(lines) < 2:
        return lines
    share = width_mm(text, size_mm) / len(lines)
    while share < room_mm:
        even = wrap(text, size_mm, share)
        if len(even) == len(lines) and not any(line.endswith("…") for line in even):
            return even
        share *= 1.05
    return lines
