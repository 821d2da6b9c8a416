"""A page that is drawn on in millimetres: the only place that knows the PDF library."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from fpdf import FPDF
from fpdf.fonts import TTFFont
from fpdf.prefs import ViewerPreferences
from numpy.typing import NDArray

from engine.errors import ConfigError

Colour = tuple[int, int, int]
Point = tuple[float, float]

BLACK: Final[Colour] = (0, 0, 0)
GREY: Final[Colour] = (120, 120, 120)
PALE: Final[Colour] = (190, 190, 190)
WHITE: Final[Colour] = (255, 255, 255)
_FONT: Final = Path(__file__).resolve().parent.parent.parent / "models" / "fonts" / "NotoSansJP-subset.otf"
_MM_PER_POINT: Final = 25.4 / 72
_HAIR_MM: Final = 0.2


@dataclass(frozen=True, slots=True)
class Canvas:
    """What is drawn on: mm, x right, y down, origin at the drawing's top left, which lies at `origin` on the page."""

    pdf: FPDF
    origin: Point = (0.0, 0.0)

    def rectangle(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        fill: Colour | None = None,
        line: Colour | None = None,
    ) -> None:
        """A rectangle, filled, outlined by a hairline, or both."""
        style = ("D" if line else "") + ("F" if fill else "")
        self._colours(fill, line)
        self.pdf.rect(left + self.origin[0], top + self.origin[1], width, height, style=style)

    def polygon(
        self, points: Sequence[Point], line: Colour = GREY, width: float = _HAIR_MM, dashed: bool = False
    ) -> None:
        """The outline of a polygon."""
        self._colours(None, line, width)
        with self._dashes(dashed):
            self.pdf.polygon([(x + self.origin[0], y + self.origin[1]) for x, y in points], style="D")

    def line(self, start: Point, end: Point, colour: Colour = BLACK, width: float = _HAIR_MM) -> None:
        """A straight line."""
        self._colours(None, colour, width)
        x, y = self.origin
        self.pdf.line(start[0] + x, start[1] + y, end[0] + x, end[1] + y)

    def text(
        self, at: Point, text: str, size_mm: float, colour: Colour = BLACK, align: float = 0.0, turn_deg: float = 0.0
    ) -> None:
        """Text of that height whose baseline begins at `at` (`align` 0), is centred (0.5) or ends there (1).

        `turn_deg` turns it anticlockwise about `at`.
        """
        self.pdf.set_font("table", size=size_mm / _MM_PER_POINT)
        self.pdf.set_text_color(*colour)
        x, y = at[0] + self.origin[0], at[1] + self.origin[1]
        start = x - align * self.pdf.get_string_width(text)
        with self.pdf.rotation(turn_deg, x, y):
            self.pdf.text(start, y, text)

    def width_of(self, text: str, size_mm: float) -> float:
        """How wide a text is."""
        self.pdf.set_font("table", size=size_mm / _MM_PER_POINT)
        return float(self.pdf.get_string_width(text))

    def marker(self, cells: NDArray[np.bool_], left: float, top: float, side: float) -> None:
        """A marker of black `cells`, bool (n, n): a black square with white runs in it, its edges straight."""
        step = side / cells.shape[0]
        self.rectangle(left, top, side, side, fill=BLACK)
        for row, line in enumerate(cells.tolist()):
            column = 0
            while column < len(line):
                run = next((i for i in range(column, len(line)) if line[i] != line[column]), len(line)) - column
                if not line[column]:  # a hair longer where the cells below are white too: no seam between them
                    low = 0.05 if row + 1 < len(cells) and not cells[row + 1, column : column + run].any() else 0.0
                    self.rectangle(left + column * step, top + row * step, run * step, step + low, fill=WHITE)
                column += run

    @contextmanager
    def clipped(self, left: float, top: float, width: float, height: float) -> Iterator[None]:
        """Only what falls into this part is drawn."""
        with self.pdf.rect_clip(left + self.origin[0], top + self.origin[1], width, height):
            yield

    @contextmanager
    def _dashes(self, dashed: bool) -> Iterator[None]:
        if dashed:
            self.pdf.set_dash_pattern(dash=3, gap=2)
        yield
        if dashed:
            self.pdf.set_dash_pattern()

    def _colours(self, fill: Colour | None, line: Colour | None, width: float = _HAIR_MM) -> None:
        if fill is not None:
            self.pdf.set_fill_color(*fill)
        if line is not None:
            self.pdf.set_draw_color(*line)
            self.pdf.set_line_width(width)


def new_document(title: str) -> FPDF:
    """An empty PDF in mm with our font, that asks viewers to print it at its true size."""
    pdf = FPDF(unit="mm")
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.add_font("table", fname=_FONT)
    pdf.set_title(title)
    pdf.set_creator("hanafuda")
    pdf.viewer_preferences = ViewerPreferences(print_scaling="None", display_doc_title=True)
    return pdf


def new_page(pdf: FPDF, size_mm: tuple[float, float]) -> Canvas:
    """A fresh page of any size."""
    pdf.add_page(orientation="portrait", format=size_mm)  # the format is taken as it is, also where it is wider
    return Canvas(pdf)


def write(pdf: FPDF, path: Path) -> int:
    """Writes the PDF to a new file and gives the number of its pages. Raises ConfigError; nothing is overwritten."""
    try:
        if path.exists():
            raise ConfigError(f"{path}: is there already; choose another name with --out or remove it first")
        content = bytes(pdf.output())
    finally:
        close(pdf)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be written ({(problem.strerror or '').lower()})") from problem
    return len(pdf.pages)


def close(pdf: FPDF) -> None:
    """Closes the font's file, which the library leaves open."""
    for font in pdf.fonts.values():
        if isinstance(font, TTFFont):
            font.ttfont.close()
