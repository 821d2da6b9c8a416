"""Four markers to cut out and lay onto one's own cloth."""

from app.printing.canvas import BLACK, GREY, Canvas
from app.printing.paper import PAPERS_MM, Drawing
from calibration.mat_markers import DICTIONARY, SIZE_MM
from calibration.opencv import marker_cells
from engine.errors import ConfigError

_NAMES = ("0 · near left · 手前左", "1 · near right · 手前右", "2 · far right · 奥右", "3 · far left · 奥左")
_LARGEST_MM = 55.0
_LEAST_MM = 20.0


def marker_drawing(size_mm: float = SIZE_MM) -> Drawing:
    """An A4 page of markers 0 to 3. Raises ConfigError for a size that does not fit or cannot be seen."""
    if not _LEAST_MM <= size_mm <= _LARGEST_MM:
        raise ConfigError(f"--marker-mm {size_mm:g}: must be {_LEAST_MM:g} to {_LARGEST_MM:g} mm")
    return Drawing("花札 Hanafuda Table · markers", PAPERS_MM["a4"], lambda canvas: _draw(canvas, size_mm))


def _draw(canvas: Canvas, size: float) -> None:
    width, _ = PAPERS_MM["a4"]
    canvas.text((20, 24), "Markers for your own cloth · 自分の布のためのマーカー", 6)
    lines = (
        "Cut out along the dashed lines. Lay them as a rectangle, numbers upright for the operator:",
        "0 near left, 1 near right, 2 far right, 3 far left; outside of where cards lie. Glue or pin them flat.",
        "点線で切り取り、番号が手前から読める向きで、長方形の四隅に平らに貼ります。",
        f"Measure 0 to 1 and 0 to 3, left edge to left edge and lower edge to lower edge. Each is {size:g} mm large.",
    )
    for i, text in enumerate(lines):
        canvas.text((20, 34 + 6 * i), text, 3.3, GREY)
    quiet = size / 5
    cell = size + 2 * quiet + 14
    left = width / 2 - cell - 4
    for number, name in enumerate(_NAMES):
        column, row = (0 if number in (0, 3) else 1), (1 if number < 2 else 0)
        x, y = left + column * (cell + 8), 64 + row * (cell + 20)
        canvas.polygon([(x, y), (x + cell, y), (x + cell, y + cell + 8), (x, y + cell + 8)], GREY, dashed=True)
        canvas.marker(marker_cells(DICTIONARY, number), x + (cell - size) / 2, y + (cell - size) / 2, size)
        canvas.text((x + cell / 2, y + cell + 4), name, 3.6, BLACK, align=0.5)
