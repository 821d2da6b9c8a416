"""The board for the lens: squares and markers on one stiff sheet, never tiled."""

from app.printing.canvas import BLACK, GREY, Canvas
from app.printing.paper import PAPERS_MM, Drawing
from calibration.board import Board
from calibration.opencv import marker_cells

_LEAST_EDGE_MM = 5.0


def board_drawing(board: Board) -> Drawing:
    """The board on the smallest of A4 and A3 (lying or upright) that holds it, else on a page of its own size."""
    title = f"花札 Hanafuda Table · board {board}, {board.square_mm:g} / {board.marker_mm:g} mm, {board.dictionary}"
    width, height = board.size_mm
    need = width + 2 * _LEAST_EDGE_MM, height + 2 * _LEAST_EDGE_MM
    sheets = [way for paper in PAPERS_MM.values() for way in (paper[::-1], paper)]
    fitting = [sheet for sheet in sheets if sheet[0] >= need[0] and sheet[1] >= need[1]]
    size = fitting[0] if fitting else (width + 40, height + 40)
    return Drawing(title, size, lambda canvas: _draw(canvas, board, size, title))


def _draw(canvas: Canvas, board: Board, size: tuple[float, float], title: str) -> None:
    width, height = board.size_mm
    left, top = (size[0] - width) / 2, (size[1] - height) / 2
    square, marker = board.square_mm, board.marker_mm
    for row in range(board.rows):
        for column in range(board.columns):
            if board.is_black(column, row):
                canvas.rectangle(left + column * square, top + row * square, square, square, fill=BLACK)
    inset = (square - marker) / 2
    for number, column, row in board.markers():
        cells = marker_cells(board.dictionary, number)
        canvas.marker(cells, left + column * square + inset, top + row * square + inset, marker)
    told = (
        f"{title} · {board.columns} squares = {width:g} mm · glue it onto something stiff and flat · 硬い平らな板に貼る"
    )
    small = min(2.8, (height - 10) / canvas.width_of(told, 1.0))
    canvas.text((left - 3.5, size[1] / 2), told, small, GREY, align=0.5, turn_deg=90)
