"""Drawings of any size on paper: whole for a print shop, or tiled over sheets with marks to cut and join them by."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from fpdf import FPDF

from app.printing.canvas import BLACK, GREY, PALE, Canvas, new_page

PAPERS_MM: Final = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}
"""Paper that printers at home and in offices have, upright."""
MARGIN_MM: Final = 10.0
"""No printer prints closer to the edge; the sheet's own label stands here."""
OVERLAP_MM: Final = 10.0
_LABEL_MM: Final = 3.0


@dataclass(frozen=True, slots=True)
class Drawing:
    """What to print: its name, its size in mm, and what draws it from its top left."""

    title: str
    size_mm: tuple[float, float]
    draw: Callable[[Canvas], None]


@dataclass(frozen=True, slots=True)
class Tiling:
    """Sheets of `paper_mm`; tile (column, row) shows the drawing from `lefts[column]`, `tops[row]`."""

    paper_mm: tuple[float, float]
    lefts: tuple[float, ...]
    tops: tuple[float, ...]

    @property
    def area_mm(self) -> tuple[float, float]:
        """How much of the drawing a sheet holds."""
        return self.paper_mm[0] - 2 * MARGIN_MM, self.paper_mm[1] - 2 * MARGIN_MM

    @property
    def sheets(self) -> int:
        """How many sheets there are."""
        return len(self.lefts) * len(self.tops)


def tiling(size_mm: tuple[float, float], paper: str) -> Tiling:
    """The fewest sheets of that paper, upright or lying, evenly spread, overlapping by a centimetre or more."""
    upright = PAPERS_MM[paper]
    ways = [_tiled(size_mm, sheet) for sheet in (upright, upright[::-1])]
    return min(ways, key=lambda way: way.sheets)


def add_whole(pdf: FPDF, drawing: Drawing) -> None:
    """A page of exactly the drawing's size."""
    drawing.draw(new_page(pdf, drawing.size_mm))


def add_tiles(pdf: FPDF, drawing: Drawing, paper: str) -> Tiling:
    """A page that shows how to join the sheets, then the sheets, row by row from the far left."""
    tiles = tiling(drawing.size_mm, paper)
    _add_plan(pdf, drawing, tiles)
    for row in range(len(tiles.tops)):
        for column in range(len(tiles.lefts)):
            _add_tile(pdf, drawing, tiles, column, row)
    return tiles


def tile_name(column: int, row: int) -> str:
    """What a sheet is called: its row as a letter, its column as a number."""
    return f"{chr(ord('A') + row)}{column + 1}"


def _tiled(size_mm: tuple[float, float], sheet: tuple[float, float]) -> Tiling:
    usable = sheet[0] - 2 * MARGIN_MM, sheet[1] - 2 * MARGIN_MM
    return Tiling(sheet, _starts(size_mm[0], usable[0]), _starts(size_mm[1], usable[1]))


def _starts(length: float, usable: float) -> tuple[float, ...]:
    count = 1 if length <= usable else math.ceil((length - OVERLAP_MM) / (usable - OVERLAP_MM))
    step = 0.0 if count == 1 else (length - usable) / (count - 1)
    return tuple(i * step for i in range(count))


def _add_tile(pdf: FPDF, drawing: Drawing, tiles: Tiling, column: int, row: int) -> None:
    page = new_page(pdf, tiles.paper_mm)
    width, height = tiles.area_mm
    left, top = tiles.lefts[column], tiles.tops[row]
    shifted = replace(page, origin=(MARGIN_MM - left, MARGIN_MM - top))
    with page.clipped(MARGIN_MM, MARGIN_MM, width, height):
        drawing.draw(shifted)
    _put_cuts(page, tiles, column, row)
    name = tile_name(column, row)
    page.text((MARGIN_MM + 2, MARGIN_MM - 3), f"{drawing.title} · {name}", _LABEL_MM, GREY)
    told = "print at 100 % · 100 %（実際のサイズ）で印刷"
    page.text((tiles.paper_mm[0] - MARGIN_MM - 2, MARGIN_MM - 3), told, _LABEL_MM, GREY, align=1)


def _put_cuts(page: Canvas, tiles: Tiling, column: int, row: int) -> None:
    """Where the sheet is cut (right and lower side) and where the next one is laid on it: lines in the margins only."""
    width, height = tiles.area_mm
    far_x, far_y = MARGIN_MM + width, MARGIN_MM + height
    if column + 1 < len(tiles.lefts):
        x = MARGIN_MM + tiles.lefts[column + 1] - tiles.lefts[column]
        for y in (3.0, far_y + 2):
            page.line((x, y), (x, y + 5), BLACK, 0.3)
    if row + 1 < len(tiles.tops):
        y = MARGIN_MM + tiles.tops[row + 1] - tiles.tops[row]
        for x in (3.0, far_x + 2):
            page.line((x, y), (x + 5, y), BLACK, 0.3)
    for x, y in ((MARGIN_MM, MARGIN_MM), (far_x, MARGIN_MM), (far_x, far_y), (MARGIN_MM, far_y)):
        away_x, away_y = (-1 if x == MARGIN_MM else 1), (-1 if y == MARGIN_MM else 1)
        page.line((x + 1.5 * away_x, y), (x + 6 * away_x, y), GREY)
        page.line((x, y + 1.5 * away_y), (x, y + 6 * away_y), GREY)


def _add_plan(pdf: FPDF, drawing: Drawing, tiles: Tiling) -> None:
    """The first page: what to do, a bar to measure, and which sheet goes where."""
    page = new_page(pdf, PAPERS_MM["a4"])
    page.text((20, 28), drawing.title, 7)
    lines = (
        "1. Print every page at 100 % (`actual size`), never `fit to page`.",
        "    すべてのページを「実際のサイズ」（100 %）で印刷します。「ページに合わせる」は使いません。",
        "2. Measure this bar: it must be 150 mm long. If not, the printer scaled it: print again.",
        "    下の線を測ってください。150 mm でなければ、印刷設定を直してもう一度。",
        "3. Cut each sheet at its black marks, right and below. Glue the cut edge onto the next one's grey marks.",
        "    右と下の黒い印で切り、切り口を隣の紙の灰色の印（左・上）に合わせて貼ります。",
        "4. Measure the two distances printed beside marker 0, from middle to middle or left edge to left edge.",
        "    マーカーの横に印刷された距離を測ります。あとで入力します。",
    )
    for i, text in enumerate(lines):
        page.text((20, 42 + 6.5 * i), text, 3.4, BLACK if i % 2 == 0 else GREY)
    bar = 104.0
    page.line((20, bar), (170, bar), BLACK, 0.4)
    for x in (20, 170):
        page.line((x, bar - 4), (x, bar + 4), BLACK, 0.3)
    page.text((95, bar - 2), "150 mm", 4, align=0.5)
    scale = min(170 / drawing.size_mm[0], 150 / drawing.size_mm[1])
    width, height = tiles.area_mm
    page.rectangle(20, 120, drawing.size_mm[0] * scale, drawing.size_mm[1] * scale, line=BLACK)
    for row, top in enumerate(tiles.tops):
        for column, left in enumerate(tiles.lefts):
            at = (20 + left * scale, 120 + top * scale)
            page.rectangle(*at, width * scale, height * scale, line=PALE)
            middle = (at[0] + width * scale / 2, at[1] + height * scale / 2 + 2)
            page.text(middle, tile_name(column, row), 5, align=0.5)
    told = f"{drawing.size_mm[0]:g} x {drawing.size_mm[1]:g} mm, {tiles.sheets} sheets · {tiles.sheets}枚"
    page.text((20, 126 + drawing.size_mm[1] * scale), told, 3.4, GREY)
