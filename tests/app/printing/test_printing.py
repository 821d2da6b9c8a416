"""What is printed, looked at as a printer would: true to scale, fonts in it, every sheet's part of the whole."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from numpy.typing import NDArray

from app.main import main
from app.printing.canvas import new_document, write
from app.printing.mat import mat_drawing
from app.printing.paper import MARGIN_MM, OVERLAP_MM, PAPERS_MM, Tiling, add_tiles, tile_name, tiling
from calibration.board import Board, BoardView, find_board
from calibration.layout import builtin_layout, builtin_layouts, load_layout
from calibration.mat_markers import STRIP_MM, mat_markers
from calibration.opencv import detect_markers
from engine.errors import ConfigError

PX_PER_MM = 3.0
_SNAP_MM = 0.2  # areas are drawn to whole px here: half a px


def printed(path: Path, page: int = 0, px_per_mm: float = PX_PER_MM) -> NDArray[np.uint8]:
    """A page as grey picture, uint8 (H, W)."""
    document = pdfium.PdfDocument(path)
    picture = document[page].render(scale=px_per_mm * 25.4 / 72).to_numpy()
    document.close()
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def pages_mm(path: Path) -> list[tuple[float, float]]:
    document = pdfium.PdfDocument(path)
    sizes = [tuple(round(side * 25.4 / 72, 2) for side in page.get_size()) for page in document]
    document.close()
    return [(width, height) for width, height in sizes]


def words(path: Path, page: int = 0) -> str:
    document = pdfium.PdfDocument(path)
    said = str(document[page].get_textpage().get_text_bounded())
    document.close()
    return said


def make(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, Any]:
    assert main(["print", *map(str, arguments), "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def centres_mm(picture: NDArray[np.uint8], dictionary: str = "DICT_4X4_50") -> dict[int, NDArray[np.float64]]:
    """Middles of the markers on a page, in mm from its top left."""
    return {n: (c.mean(axis=0) + 0.5) / PX_PER_MM for n, c in detect_markers(picture, dictionary)}


@pytest.mark.parametrize("name", ["2-seats", "5-seats"])
def test_the_whole_mat_is_true_to_scale(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mat.pdf"
    make(capsys, "mat", "--layout", name, "--paper", "whole", "--out", path)
    mat_mm = load_layout(builtin_layouts()[name]).mat_mm
    assert pages_mm(path) == [(mat_mm[0] + 2 * STRIP_MM, mat_mm[1])]
    found = centres_mm(printed(path))
    for number, (x, y) in mat_markers(mat_mm).centres_mm.items():
        told = (STRIP_MM + mat_mm[0] / 2 + x, mat_mm[1] / 2 - y)
        assert np.abs(found[number] - told).max() < _SNAP_MM


@pytest.mark.parametrize("ground", ["plain", "green"])
def test_zones_are_outlined_where_the_layout_has_them(
    ground: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mat.pdf"
    make(capsys, "mat", "--paper", "whole", "--ground", ground, "--out", path)
    picture, layout = printed(path), builtin_layout(2)
    for zone in layout.zones:
        left, low, right, high = zone.bounds_mm
        x = round((STRIP_MM + layout.mat_mm[0] / 2 + (left + right) / 2) * PX_PER_MM)
        for y in (low, high):
            row = round((layout.mat_mm[1] / 2 - y) * PX_PER_MM)
            ground_level = int(picture[row + 12, x])
            assert abs(picture[row - 2 : row + 3, x].astype(int) - ground_level).max() > 60, str(zone.place)


def test_the_mat_says_what_to_measure_in_both_languages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mat.pdf"
    make(capsys, "mat", "--paper", "whole", "--out", path)
    said = words(path)
    for text in ("0 ↔ 1: 1056 mm", "0 ↔ 3: 584 mm", "手前左", "far right", "山札", "draw pile", "花札 Hanafuda Table"):
        assert text in said


@pytest.mark.parametrize("thing", ["mat", "markers", "board", "scale"])
def test_fonts_are_embedded_and_viewers_are_asked_not_to_scale(
    thing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.pdf"
    make(capsys, thing, "--out", path)
    content = path.read_bytes()
    assert content.count(b"/Type /FontDescriptor") == content.count(b"/FontFile3") == 1
    assert b"/PrintScaling /None" in content


@pytest.mark.parametrize("thing", ["mat", "markers", "board", "scale"])
def test_every_letter_is_in_the_font(
    thing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    make(capsys, thing, "--out", tmp_path / "a.pdf")
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == []


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_sheets_put_together_are_the_whole(paper: str, tmp_path: Path) -> None:
    layout = builtin_layout(2)
    drawing = mat_drawing(layout)
    path = tmp_path / "tiles.pdf"
    pdf = new_document("tiles")
    tiles = add_tiles(pdf, drawing, paper)
    assert write(pdf, path) == tiles.sheets + 1
    assert set(pages_mm(path)[1:]) == {tiles.paper_mm}
    sheet = np.full(
        (round(drawing.size_mm[1] * PX_PER_MM) + 2, round(drawing.size_mm[0] * PX_PER_MM) + 2), 255, np.uint8
    )
    width, height = (round(side * PX_PER_MM) for side in tiles.area_mm)
    margin = round(MARGIN_MM * PX_PER_MM)
    for row, top in enumerate(tiles.tops):
        for column, left in enumerate(tiles.lefts):
            page = printed(path, 1 + row * len(tiles.lefts) + column)
            y, x = round(top * PX_PER_MM), round(left * PX_PER_MM)
            part = page[margin : margin + height, margin : margin + width]
            place = sheet[y : y + height, x : x + width]
            place[:] = part[: place.shape[0], : place.shape[1]]
            assert tile_name(column, row) in words(path, 1 + row * len(tiles.lefts) + column)
    found = centres_mm(sheet)
    for number, (x_mm, y_mm) in mat_markers(layout.mat_mm).centres_mm.items():
        wanted = [STRIP_MM + layout.mat_mm[0] / 2 + x_mm, layout.mat_mm[1] / 2 - y_mm]
        assert np.allclose(found[number], wanted, atol=0.25)


@pytest.mark.parametrize("paper", PAPERS_MM)
@pytest.mark.parametrize("size", [(1112, 640), (200, 180), (1352, 640), (3000, 900)], ids=str)
def test_tiles_cover_everything_and_overlap(size: tuple[float, float], paper: str) -> None:
    found = tiling(size, paper)
    for starts, length, usable in zip((found.lefts, found.tops), size, found.area_mm, strict=True):
        assert starts[0] == 0 and starts[-1] + usable >= length - 1e-9
        assert all(b - a <= usable - OVERLAP_MM + 1e-9 for a, b in pairwise(starts))
    other = tiling(size, "a4" if paper == "a3" else "a3")
    assert (found.sheets >= other.sheets) == (paper == "a4" or found.sheets == other.sheets)


@pytest.mark.parametrize("name", builtin_layouts())
def test_no_marker_is_cut_by_a_seam(name: str) -> None:
    mat_mm = load_layout(builtin_layouts()[name]).mat_mm
    for paper in PAPERS_MM:
        tiles = tiling((mat_mm[0] + 2 * STRIP_MM, mat_mm[1]), paper)
        assert all(_clear(tiles, axis, mat_mm) for axis in (0, 1))


def _clear(tiles: Tiling, axis: int, mat_mm: tuple[float, float]) -> bool:
    starts = (tiles.lefts, tiles.tops)[axis]
    length = mat_mm[0] + 2 * STRIP_MM if axis == 0 else mat_mm[1]
    return all(start >= STRIP_MM and start <= length - STRIP_MM for start in starts[1:])


def test_the_board_is_found_on_its_page_in_its_true_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.pdf"
    make(capsys, "board", "--out", path)
    assert pages_mm(path) == [(297, 210)]
    found = find_board(printed(path), Board())
    assert isinstance(found, BoardView) and len(found.ids) == 70
    at_mm = (found.points_px + 0.5) / PX_PER_MM
    apart = at_mm - (found.points_mm + np.array([(297 - 275) / 2, (210 - 200) / 2]))
    assert np.abs(apart).max() < _SNAP_MM
    assert np.ptp(apart, axis=0).max() < 0.02


def test_a_larger_board_gets_larger_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a3, own = tmp_path / "a3.pdf", tmp_path / "own.pdf"
    make(capsys, "board", "--square-mm", "35", "--marker-mm", "26", "--out", a3)
    make(capsys, "board", "--board", "9x13", "--square-mm", "50", "--marker-mm", "37", "--out", own)
    assert pages_mm(a3) == [(420, 297)] and pages_mm(own) == [(490, 690)]
    found = find_board(printed(own, px_per_mm=2), Board(9, 13, 50, 37))
    assert isinstance(found, BoardView) and len(found.ids) == 96


@pytest.mark.parametrize("size", [40.0, 55.0])
def test_loose_markers_have_their_size(size: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "markers.pdf"
    make(capsys, "markers", "--marker-mm", f"{size:g}", "--out", path)
    found = detect_markers(printed(path, px_per_mm=5), "DICT_4X4_50")
    assert [number for number, _ in sorted(found, key=lambda one: one[0])] == [0, 1, 2, 3]
    for _, corners in found:
        assert np.linalg.norm(corners[1] - corners[0]) / 5 == pytest.approx(size, abs=0.3)
        assert corners[0][0] < corners[1][0] and corners[0][1] < corners[3][1]  # upright


def test_the_rulers_are_as_long_as_they_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scale.pdf"
    make(capsys, "scale", "--out", path)
    picture = printed(path, px_per_mm=10)
    across = np.flatnonzero(picture[340] < 128)
    along = np.flatnonzero(picture[:, 200] < 128)
    assert (across[0] / 10, across[-1] / 10) == pytest.approx((20, 190), abs=0.3)
    assert (along[along > 400][0] / 10, along[-1] / 10) == pytest.approx((44, 274), abs=0.3)
    assert "170 mm" in words(path) and "実際のサイズ" in words(path)


def test_nothing_is_overwritten_and_bad_wishes_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["print", "scale"]) == 0
    assert "100 %" in capsys.readouterr().out
    before = (tmp_path / "hanafuda-scale.pdf").read_bytes()
    for arguments, named in (
        (["scale"], "hanafuda-scale.pdf: is there already"),
        (["markers", "--marker-mm", "5"], "--marker-mm 5"),
        (["board", "--board", "2x2"], "not 2x2"),
        (["mat", "--layout", "nowhere"], "nowhere"),
        (["scale", "--out", "hanafuda-scale.pdf/a.pdf"], "hanafuda-scale.pdf/a.pdf: cannot be written"),
    ):
        assert main(["print", *arguments]) == 2
        said = capsys.readouterr()
        assert named in said.err and said.err.count("\n") == 1 and said.out == ""
    assert (tmp_path / "hanafuda-scale.pdf").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1
    with pytest.raises(ConfigError):
        write(new_document("x"), tmp_path / "hanafuda-scale.pdf")
