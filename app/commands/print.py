"""`hanafuda print mat | markers | board | scale`: what a table needs on paper, true to scale, as PDF."""

import argparse
from pathlib import Path

from app.commands.calibrate_lens import add_board_arguments, board_of
from app.layouts import find
from app.output import answer, answer_json
from app.printing.board_sheet import board_drawing
from app.printing.canvas import new_document, write
from app.printing.marker_sheet import marker_drawing
from app.printing.mat import GROUNDS, mat_drawing
from app.printing.paper import PAPERS_MM, Drawing, add_tiles, add_whole
from app.printing.scale_sheet import scale_drawing
from calibration.mat_markers import SIZE_MM


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    things = parser.add_subparsers(metavar="THING", required=True, dest="thing")
    mat = things.add_parser("mat", help="the mat of a layout, with its markers", allow_abbrev=False)
    mat.add_argument("--layout", metavar="NAME_OR_FILE", default="2-seats", help="which layout (default 2-seats)")
    mat.add_argument(
        "--paper",
        choices=(*PAPERS_MM, "whole"),
        default="a4",
        help="sheets to glue together, or `whole` in one piece for a print shop (default a4)",
    )
    mat.add_argument("--ground", choices=tuple(GROUNDS), default="plain", help="bare paper, or printed green")
    markers = things.add_parser("markers", help="four markers for your own cloth", allow_abbrev=False)
    markers.add_argument("--marker-mm", type=float, metavar="MM", default=SIZE_MM, help=f"default {SIZE_MM:g}")
    board = things.add_parser("board", help="the board for `calibrate lens`", allow_abbrev=False)
    add_board_arguments(board)
    scale = things.add_parser("scale", help="a page that shows whether a printer is true to scale", allow_abbrev=False)
    for thing in (mat, markers, board, scale):
        thing.add_argument("--out", type=Path, metavar="FILE", help="the PDF (default: named after the thing, here)")
        thing.add_argument("--json", action="store_true", help="answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Writes a PDF. Raises ConfigError; a file that is there already is never overwritten."""
    drawing, name, paper = _wanted(arguments)
    pdf = new_document(drawing.title)
    if paper == "whole":
        add_whole(pdf, drawing)
    else:
        add_tiles(pdf, drawing, paper)
    path = arguments.out or Path(f"hanafuda-{name}.pdf")
    pages = write(pdf, path)
    if arguments.json:
        answer_json({"file": str(path), "pages": pages, "size_mm": list(drawing.size_mm), "paper": paper})
    else:
        answer(f"wrote {path}: {pages} page{'' if pages == 1 else 's'}; print at 100 % (`actual size`)")
    return 0


def _wanted(arguments: argparse.Namespace) -> tuple[Drawing, str, str]:
    """What to draw, what to call it, on which paper."""
    match arguments.thing:
        case "mat":
            layout = find(arguments.layout)
            drawing = mat_drawing(layout, arguments.ground)
            return drawing, f"mat-{layout.name or 'own'}-{arguments.paper}", arguments.paper
        case "markers":
            return marker_drawing(arguments.marker_mm), "markers", "whole"
        case "board":
            board = board_of(arguments)
            return board_drawing(board), f"board-{board}", "whole"
        case _:
            return scale_drawing(), "scale", "whole"
