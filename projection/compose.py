"""Guidance as a picture on the mat: cues become marks around cards, words go to free table and face their reader."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from calibration.frames import Pose
from calibration.layout import Layout
from calibration.textareas import TextArea, TextAreas, text_areas
from engine.cards import Card
from engine.events import Place, Words
from engine.guidance import Guidance
from projection.badges import SIZE_MM, badge
from projection.banner import cut_short, sentences
from projection.blocks import Block, put
from projection.dealing import count_rings, zone_names
from projection.marks import Sign, mark
from projection.panels import panel, shapes_of
from projection.paragraph import Sentence, paragraph
from projection.scene import CARD_MM, Dark, Path, Point, Scene, Shape
from projection.space import Mask, Room, Turned
from projection.spots import SpotMark, spot_shapes
from projection.table import Table, zone_bounds
from projection.theme import KEEP_DARK_MM, SIZES

_NO_TITLES: Final[Mapping[str, Words]] = MappingProxyType({})
_CLEAR_MM: Final = 4.0
_SENTENCES_MM: Final = 76.0
"""Depth of the ground before a hand that panels leave to sentences, if they find other room."""
_BANNER_WIDTHS: Final = (460.0, 360.0, 280.0, 220.0, 170.0, 130.0)
_SMALLER_MM: Final = 400.0
_BANNER_SCALES: Final = (1.0, 0.9, 0.8, 0.72)


def compose(
    guidance: Guidance,
    poses: Mapping[Card, Pose],
    layout: Layout,
    language: str = "both",
    draw_pile: Pose | None = None,
    occupied: Sequence[Pose] = (),
    titles: Mapping[str, Words] = _NO_TITLES,
    spots: Sequence[SpotMark] = (),
    taken: Sequence[tuple[Point, ...]] = (),
) -> Scene:
    """The picture of `guidance` on the table where `poses` lie.

    `language` is `en`, `ja` or `both`. `occupied` are other cards (face down, unknown) that stay dark and free of text;
    `titles` name yaku that `guidance.progress` does not; `spots` are what hands may cover now; `taken` are convex
    pieces of the mat with other light on them, where nothing is written. The same input gives an equal scene.
    """
    table = Table(layout, poses, tuple(occupied), draw_pile)
    marks = mark(guidance, table)
    room = Room(layout.mat_mm)
    for polygon in taken:
        room.block(polygon)
    for pose in (*table.all_poses, *marks.ghosts):
        room.block(pose.corners_mm(CARD_MM[0] + 2 * _CLEAR_MM, CARD_MM[1] + 2 * _CLEAR_MM))
    said = spot_shapes(spots, room, table, language)
    signs = [shape for sign in marks.signs for shape in _sign(sign, room, table)]
    counts = [shape for count in marks.counts for shape in count_rings(count, room, table)]
    seats = range(len(layout.seats))
    panels = [shape for seat in seats for shape in _panel(guidance, seat, room, table, language, titles)]
    for arrow in marks.arrows:
        room.block(_strip(arrow))
    names = zone_names(room, table, language) if marks.counts else ()
    banners = [shape for seat in seats for shape in _banner(guidance, seat, room, table, language)]
    under = (*marks.zones, *marks.arrows, *marks.frames, *_dark(table))
    return Scene((*under, *counts, *names, *panels, *banners, *said, *signs))


def _strip(arrow: Path) -> tuple[Point, ...]:
    """The ground that an arrow covers, as a box along it."""
    (ax, ay), (bx, by) = arrow.points_mm[0], arrow.points_mm[-1]
    length = math.hypot(bx - ax, by - ay)
    half = arrow.head_mm / 2 + 1.0
    nx, ny = -(by - ay) / length * half, (bx - ax) / length * half
    return ((ax + nx, ay + ny), (ax - nx, ay - ny), (bx - nx, by - ny), (bx + nx, by + ny))


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


def _panel(
    guidance: Guidance, seat: int, room: Room, table: Table, language: str, titles: Mapping[str, Words]
) -> tuple[Shape, ...]:
    """The panel of `seat`, as large as may be, low in its reader's view; it leaves the ground for sentences to them."""
    what = panel(guidance, seat, language, titles)
    if what is None:
        return ()
    areas = _areas(table.layout)
    area, hand = areas.panels[seat], zone_bounds(table, Place("hand", seat))
    near = _near(table, seat, None if area is None else area.centre_mm)
    near = near if hand is None else (near[0], (hand[1] + hand[3]) / 2)
    lines = [line for line in areas.lines if line is not None]
    wide = [_box_of(line, max(line.height_mm, _SENTENCES_MM)) for line in lines]
    narrow = [_box_of(line, line.height_mm) for line in lines]
    masks = (room.mask(table.layout, seat, True, wide), room.mask(table.layout, seat, True, narrow))
    for mask in (*masks, room.mask(table.layout, seat, False)):
        for blocks in shapes_of(what):
            found = [(mask.find(b.width_mm + 6, b.height_mm + 6, near), b) for b in blocks]
            fits = [(centre, block) for centre, block in found if centre is not None]
            if fits:
                centre, block = min(fits, key=lambda fit: abs(fit[0][0] - near[0]) + abs(fit[0][1] - near[1]))
                return _place(block, centre, seat, room, table)
    return ()


def _box_of(area: TextArea, height_mm: float) -> tuple[Point, ...]:
    """The area in table mm with another height, around the same centre."""
    turned = Turned(area.facing_deg)
    return turned.box(*turned.local(*area.centre_mm), area.width_mm, height_mm)


def _banner(guidance: Guidance, seat: int, room: Room, table: Table, language: str) -> tuple[Shape, ...]:
    """The sentences for `seat` on free table near its hand: shrunk, then without the small ones, then in free parts of
    zones, then fewer, at last cut short.
    """
    told = sentences(guidance, seat, language)
    area = _areas(table.layout).lines[seat]
    near = _near(table, seat, None if area is None else area.centre_mm)
    strict, loose = room.mask(table.layout, seat), room.mask(table.layout, seat, strict=False)
    most = sum(sentence.size_mm > SIZES.small for sentence in told)
    tries = [(told[:count], strict) for count in range(len(told), max(1, most) - 1, -1)]
    tries += [(told[:count], mask) for count in range(most, 0, -1) for mask in (loose, strict)]
    short = cut_short(told[0]) if told else []
    while short:
        tries += [(short, strict), (short, loose)]
        short = cut_short(short[0])
    for some, mask in tries:
        fit = _fit(some, mask, near)
        if fit is not None:
            return _place(*fit, seat, room, table)
    return ()


def _fit(told: list[Sentence], mask: Mask, near: Point) -> tuple[Block, Point] | None:
    """The sentences as a block that finds room, and where: large, but a fifth smaller to be 80 mm nearer to `near`."""
    best: tuple[float, tuple[Block, Point] | None] = (math.inf, None)
    for scale in _BANNER_SCALES:
        away = (1.0 - scale) * _SMALLER_MM
        if away >= best[0]:
            break
        tried: set[Block] = set()
        for width in _BANNER_WIDTHS:
            block = paragraph(told, width, scale, centred=True)
            centre = None if block in tried else mask.find(block.width_mm + 6, block.height_mm + 4, near)
            tried.add(block)
            if centre is not None and away + math.dist(centre, near) < best[0]:
                best = away + math.dist(centre, near), (block, centre)
    return best[1]


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
