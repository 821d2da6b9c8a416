"""Guidance as a picture on the mat: cues become marks around cards, words go to free table and face their reader."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from calibration.frames import Pose
from calibration.layout import Layout
from calibration.textareas import TextAreas, text_areas
from engine.cards import Card
from engine.events import Words
from engine.guidance import Guidance, Role
from engine.words import card_names
from projection.badges import SIZE_MM, badge
from projection.blocks import Block, Sentence, paragraph, put, write
from projection.marks import Count, Sign, mark
from projection.panels import panel, shapes_of
from projection.scene import CARD_MM, Dark, Point, Progress, Scene, Shape, Stroke
from projection.space import Room
from projection.table import Table, zone_bounds
from projection.text import width_mm
from projection.theme import KEEP_DARK_MM, RED, SIZES, SOFT, WHITE

_NO_TITLES: Final[Mapping[str, Words]] = MappingProxyType({})
_CLEAR_MM: Final = 4.0
_BANNER_WIDTHS: Final = (460.0, 360.0, 280.0, 220.0, 170.0, 130.0)
_BANNER_SCALES: Final = (1.0, 0.9, 0.8, 0.7, 0.62)


def compose(
    guidance: Guidance,
    poses: Mapping[Card, Pose],
    layout: Layout,
    language: str = "both",
    draw_pile: Pose | None = None,
    occupied: Sequence[Pose] = (),
    titles: Mapping[str, Words] = _NO_TITLES,
) -> Scene:
    """The picture of `guidance` on the table where `poses` lie.

    `language` is `en`, `ja` or `both`. `occupied` are other cards (face down, unknown) that stay dark and free of text;
    `titles` name yaku that `guidance.progress` does not. The same input gives an equal scene.
    """
    table = Table(layout, poses, tuple(occupied), draw_pile)
    marks = mark(guidance, table)
    room = Room(layout.mat_mm)
    for pose in table.all_poses:
        room.block(pose.corners_mm(CARD_MM[0] + 2 * _CLEAR_MM, CARD_MM[1] + 2 * _CLEAR_MM))
    signs = [shape for sign in marks.signs for shape in _sign(sign, room, table)]
    counts = [shape for count in marks.counts for shape in _count(count, room, table)]
    words: list[Shape] = []
    for seat in range(len(layout.seats)):
        words += _panel(guidance, seat, room, table, language, titles)
    for seat in range(len(layout.seats)):
        words += _banner(guidance, seat, room, table, language)
    return Scene((*marks.below, *marks.frames, *_dark(table), *counts, *words, *signs))


def _dark(table: Table) -> tuple[Shape, ...]:
    return tuple(Dark(pose, KEEP_DARK_MM) for pose in dict.fromkeys(table.all_poses))


def _sign(sign: Sign, room: Room, table: Table) -> tuple[Shape, ...]:
    """The badge of a card at its first free side; none where cards lie all around it."""
    turned = table.turned(sign.seat)
    u, v = turned.local(sign.pose.x_mm, sign.pose.y_mm)
    block = badge(sign.kind, sign.stroke.colour, sign.letter)
    for scale in (1.0, 0.75):
        size = SIZE_MM * scale
        for side_u, side_v in _around(sign, table, size):
            shape = turned.box(u + side_u, v + side_v, size, size)
            if room.is_free(shape):
                room.block(shape)
                return put(block, turned, (u + side_u, v + side_v), sign.seat, scale, backing=False)
    return ()


def _around(sign: Sign, table: Table, size: float) -> tuple[Point, ...]:
    """Where a badge may stand, from the card's centre, as the reader sees it: sides first, then corners."""
    turned = table.turned(sign.seat)
    local = [turned.local(*corner) for corner in sign.pose.corners_mm(*CARD_MM)]
    centre = turned.local(sign.pose.x_mm, sign.pose.y_mm)
    w = max(abs(u - centre[0]) for u, _ in local) + _CLEAR_MM + size / 2 + 0.5
    h = max(abs(v - centre[1]) for _, v in local) + _CLEAR_MM + size / 2 + 0.5
    return ((0, h), (0, -h), (w, 0), (-w, 0), (w, h), (-w, h), (w, -h), (-w, -h), (w, h / 2), (-w, h / 2))


def _count(count: Count, room: Room, table: Table) -> tuple[Shape, ...]:
    """A ring that fills as cards are dealt, with the number inside, once for each seat that should read it."""
    seats = range(len(table.layout.seats)) if count.place.seat is None else (count.place.seat,)
    shapes: list[Shape] = []
    for seat in seats:
        turned = table.turned(seat)
        bounds = zone_bounds(table, count.place, seat)
        if bounds is None:
            continue
        u0, v0, u1, _ = bounds
        radius = 12.5
        step = 2 * radius + 2
        for u, v in ((u1 - step / 2, v0 + step / 2), (u0 + step / 2, v0 + step / 2), ((u0 + u1) / 2, v0 + step / 2)):
            shape = turned.box(u, v, step, step)
            if room.is_free(shape):
                room.block(shape)
                full = count.have == count.count
                colour = WHITE if full else SOFT
                label = f"{count.have}/{count.count}"
                size = min(10.5, 19.0 / width_mm(label, 1.0))
                number = write(label, radius - width_mm(label, size) / 2, radius, size, colour, strong=True)
                x, y = turned.table(u, v)
                share = count.have / count.count if count.count else 1.0
                shapes.append(Progress(x, y, radius, share, Stroke(colour, 2.4), turned.facing_deg))
                shapes += put(Block(2 * radius, 2 * radius, (number,)), turned, (u, v), seat, backing=False)
                break
    return tuple(shapes)


def _panel(
    guidance: Guidance, seat: int, room: Room, table: Table, language: str, titles: Mapping[str, Words]
) -> tuple[Shape, ...]:
    what = panel(guidance, seat, language, titles)
    if what is None:
        return ()
    area = _areas(table.layout).panels[seat]
    near = _near(table, seat, None if area is None else area.centre_mm)
    for strict in (True, False):
        mask = room.mask(table.layout, seat, strict)
        for blocks in shapes_of(what, language):
            found = [(mask.find(b.width_mm + 6, b.height_mm + 6, near), b) for b in blocks]
            fits = [(centre, block) for centre, block in found if centre is not None]
            if fits:
                centre, block = min(fits, key=lambda fit: abs(fit[0][0] - near[0]) + abs(fit[0][1] - near[1]))
                return _place(block, centre, seat, room, table)
    return ()


def _banner(guidance: Guidance, seat: int, room: Room, table: Table, language: str) -> tuple[Shape, ...]:
    """The sentences for `seat`: shrunk, then fewer, until they fit into free table near its hand."""
    sentences = _sentences(guidance, seat, language)
    area = _areas(table.layout).lines[seat]
    near = _near(table, seat, None if area is None else area.centre_mm)
    masks = (room.mask(table.layout, seat), room.mask(table.layout, seat, strict=False))
    while sentences:
        for mask in masks:
            for scale in _BANNER_SCALES:
                for width in _BANNER_WIDTHS:
                    block = paragraph(sentences, width, scale)
                    centre = mask.find(block.width_mm + 6, block.height_mm + 4, near)
                    if centre is not None:
                        return _place(block, centre, seat, room, table)
        sentences = sentences[:-1]
    return ()


def _place(block: Block, centre: Point, seat: int, room: Room, table: Table) -> tuple[Shape, ...]:
    turned = table.turned(seat)
    room.block(turned.box(*centre, block.width_mm + 6, block.height_mm + 4))
    return put(block, turned, centre, seat)


@lru_cache(maxsize=8)
def _areas(layout: Layout) -> TextAreas:
    return text_areas(layout)


def _near(table: Table, seat: int, centre: Point | None) -> Point:
    """Where the seat's text should be, as its reader sees it: the layout's text area, else its edge of the mat."""
    turned = table.turned(seat)
    if centre is not None:
        return turned.local(*centre)
    return 0.0, -min(table.layout.mat_mm) / 2


def _sentences(guidance: Guidance, seat: int, language: str) -> list[Sentence]:
    """What `seat` is told, the most important first, nothing twice."""
    told: list[tuple[Words, float, tuple[int, int, int], bool]] = []
    cues = guidance.cues
    told += [(c.words, SIZES.headline, RED, True) for c in cues if c.role is Role.FAULT and c.words]
    acts = any(c.role is Role.TURN and c.seat == seat for c in cues)
    line = guidance.seat_lines[seat] if seat < len(guidance.seat_lines) else None
    if line is not None:
        told.append((line, SIZES.headline, WHITE, acts))
    if guidance.headline is not None:
        told.append((guidance.headline, SIZES.headline if line is None else SIZES.line, WHITE, line is None))
    told += [
        (c.words, SIZES.line, WHITE, False)
        for c in cues
        if c.words
        and c.seat in (None, seat)
        and c.role not in (Role.FAULT, Role.ECHO, Role.TURN, Role.WINNER, Role.DEAL)
    ]
    told += [(card_names(c.cards), SIZES.line, WHITE, False) for c in cues if c.role is Role.MISSING and not c.words]
    told += [(c.words, SIZES.small, SOFT, False) for c in cues if c.role is Role.ECHO and c.words]
    sentences: dict[str, Sentence] = {}
    for words, size, colour, strong in told:
        if language != "en":
            sentences.setdefault(words.ja, Sentence(words.ja, size, colour, strong))
        if language != "ja":
            smaller = size * 0.85 if language == "both" else size
            sentences.setdefault(words.en, Sentence(words.en, smaller, colour, strong))
    return list(sentences.values())
