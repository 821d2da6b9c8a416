"""Scenes as projector pixels: they land where the homography says, antialiased, dark on cards."""

import math
from pathlib import Path as File

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.frames import Pose
from calibration.homography import Homography
from calibration.layout import builtin_layout
from calibration.projector_map import Bend, ProjectorMap
from engine.errors import CalibrationError, ConfigError
from engine.guidance import Role
from projection.checks import role_pictures
from projection.outline import pieces, text_box
from projection.raster import Painter, bench, rasterise
from projection.scene import Brackets, Dark, Disc, Fill, Line, Path, Progress, Ring, Scene, Stroke, Text
from projection.text import font, missing, shorten, tile, width_mm, wrap

WHITE = (255, 255, 255)
GOLDEN = File(__file__).parent / "golden"
TWO_PX_A_MM = Homography("projector", "table", np.array([[2.0, 0, 200], [0, -2.0, 150], [0, 0, 1]]))
TILTED = Homography("projector", "table", np.array([[2.0, 0.2, 200], [0.1, -1.8, 150], [2e-4, 4e-4, 1]]))


def draw(*shapes: object, by: Homography = TWO_PX_A_MM, size: tuple[int, int] = (400, 300)) -> NDArray[np.uint8]:
    return rasterise(Scene(tuple(shapes)), by, size)  # type: ignore[arg-type]  # any shape


def text(words: str, size: float = 12.0, facing: float = 0.0) -> Text:
    return Text(words, 0.0, 0.0, size, width_mm(words, size), facing, WHITE, 0)


@pytest.mark.parametrize("by", [TWO_PX_A_MM, TILTED], ids=["straight", "tilted"])
def test_a_dot_lands_where_the_homography_puts_it(by: Homography) -> None:
    image = draw(Disc(20.0, 10.0, 4.0, WHITE), by=by)
    ys, xs = np.nonzero(image[..., 0] > 127)
    assert (xs.mean(), ys.mean()) == pytest.approx(tuple(by.map((20.0, 10.0))), abs=0.3)


@pytest.mark.parametrize("line", list(Line))
def test_the_card_inside_a_ring_and_its_guard_stay_dark(line: Line) -> None:
    pose = Pose(3.0, -5.0, 0.4)
    image = draw(Fill(((-90, -60), (90, -60), (90, 60), (-90, 60)), (80, 80, 80)), Ring(pose, Stroke(WHITE, 3.0, line)))
    inside = np.zeros(image.shape[:2], dtype=np.uint8)
    corners = TWO_PX_A_MM.map(pose.corners_mm(33 + 2, 54 + 2))
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 1)
    assert image[inside == 1].max() == 0
    assert image.max() == 255


def test_line_styles_light_different_shares_of_the_ring() -> None:
    def lit(line: Line) -> int:
        return int(np.count_nonzero(draw(Ring(Pose(0, 0, 0), Stroke(WHITE, 3.0, line))) > 127))

    assert lit(Line.SOLID) > lit(Line.DASHED) > lit(Line.DOTTED) > 0


@pytest.mark.parametrize(("line", "strokes"), [(Line.SOLID, 2), (Line.DOUBLE, 4)])
def test_a_double_ring_is_two_lines_on_every_side(line: Line, strokes: int) -> None:
    row = draw(Ring(Pose(0, 0, 0), Stroke(WHITE, 6.0, line)))[150, :, 0] > 127
    assert np.count_nonzero(np.diff(row.astype(int)) == 1) == strokes


def test_a_later_dark_card_hides_what_runs_under_it() -> None:
    arrow = Path(((-80.0, 0.0), (80.0, 0.0)), Stroke(WHITE, 3.0), head_mm=8.0)
    assert draw(arrow)[150, 200].max() == 255
    assert draw(arrow, Dark(Pose(0, 0, 0)))[130:170, 190:210].max() == 0


def test_an_arrow_ends_at_its_tip() -> None:
    image = draw(Path(((-50.0, 0.0), (50.0, 0.0)), Stroke(WHITE, 2.0), head_mm=10.0))
    assert np.nonzero(image[..., 0])[1].max() == pytest.approx(300, abs=1)


def test_a_progress_ring_fills_clockwise_from_the_readers_top() -> None:
    ring = Progress(0.0, 0.0, 30.0, 0.25, Stroke(WHITE, 6.0))
    image = draw(ring)[..., 0].astype(int)
    right_top, left_top = image[60:150, 200:300].sum(), image[60:150, 100:200].sum()
    assert right_top > 2 * left_top
    assert draw(Progress(0, 0, 30.0, 7.0, Stroke(WHITE, 6.0))).sum() > image.sum()


@pytest.mark.parametrize("facing", [0, 90, 180, 270])
def test_text_stays_in_its_box_whatever_way_it_faces(facing: int) -> None:
    words = text("プレイヤー1の番です gjy", 12.0, facing)
    image = draw(words)
    box = np.zeros(image.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(box, np.round(TWO_PX_A_MM.map(text_box(words))).astype(np.int32), 1)
    outside = cv2.dilate(box, np.ones((3, 3), dtype=np.uint8)) == 0
    assert image[outside].max() == 0
    assert np.count_nonzero(image > 127) > 300


def test_text_facing_the_other_side_is_the_same_text_turned() -> None:
    one, other = draw(text("松に鶴", 20.0)), draw(text("松に鶴", 20.0, 180.0))
    turned = cv2.rotate(other, cv2.ROTATE_180)
    shifted = np.roll(turned, (1, 1), axis=(0, 1))  # (199, 149) is the middle after turning, (200, 150) before
    assert np.abs(one.astype(int) - shifted.astype(int)).mean() < 0.5


def test_shapes_beside_and_behind_the_picture_are_cut_off() -> None:
    steep = Homography("projector", "table", np.array([[2.0, 0, 200], [0, -2.0, 150], [0, 0.02, 1]]))
    far = [Disc(x, y, 5.0, WHITE) for x in (-1e7, 0.0, 1e7) for y in (-50.0, -1e7, 1e7)]
    image = draw(*far, Ring(Pose(0, -50, 0), Stroke(WHITE, 3)), text("はみだし" * 60, 40.0), by=steep)
    assert image.shape == (300, 400, 3)


def test_a_homography_of_other_frames_is_refused() -> None:
    camera = Homography("camera", "table", np.eye(3))
    with pytest.raises(CalibrationError, match="needs projector_from_table, got camera_from_table"):
        draw(by=camera)


def test_an_equal_scene_is_not_drawn_again() -> None:
    painter = Painter(TWO_PX_A_MM, (400, 300))
    first = painter.paint(Scene((Disc(0.0, 0.0, 9.0, WHITE),)))
    assert painter.paint(Scene((Disc(0.0, 0.0, 9.0, WHITE),))) is first
    assert painter.paint(Scene((Disc(1.0, 0.0, 9.0, WHITE),))) is not first
    assert not first.flags.writeable


def test_the_bench_gives_times_and_a_floor() -> None:
    figures = bench(Scene((text("はやい"), Brackets(Pose(0, 0, 0), Stroke(WHITE, 2)))), TWO_PX_A_MM, (400, 300), 2)
    assert set(figures) == {"draw_s", "cold_s", "floor_s", "shapes"}
    assert figures["draw_s"] > 0


@pytest.mark.parametrize(
    "shape",
    [
        Path((), Stroke(WHITE, 2)),
        Path(((1.0, 1.0),), Stroke(WHITE, 2), head_mm=5),
        Path(((1.0, 1.0), (1.0, 1.0)), Stroke(WHITE, 2, Line.DASHED), True, 5),
        Path(((1.0, 1.0), (2.0, 1.0)), Stroke(WHITE, 2, Line.DOTTED), True, 50),
        Fill((), WHITE),
        text(""),
        text("   "),
    ],
)
def test_degenerate_shapes_draw_without_harm(shape: Path | Fill | Text) -> None:
    pieces(shape)
    draw(shape)


def test_lines_break_at_spaces_and_before_japanese_words() -> None:
    assert wrap("Take out: Cuckoo", 10, 50) == ("Take out:", "Cuckoo")
    assert wrap("1枚出してください。光る札どうしが合います", 10, 130)[-1] == "札どうしが合います"
    assert all(not line.startswith(("。", "、")) for line in wrap("松に鶴、梅に鶯。" * 5, 10, 47))


@pytest.mark.parametrize("words", ["Incomprehensibilities", "赤短青短猪鹿蝶表菅原", "a 赤短 b", ""])
@pytest.mark.parametrize("room", [5.0, 23.0, 60.0])
def test_no_line_is_wider_than_its_room(words: str, room: float) -> None:
    assert all(width_mm(line, 10) <= room for line in wrap(words, 10, room))
    assert width_mm(shorten(words, 10, room), 10) <= room


def test_bold_text_keeps_the_width_of_its_box() -> None:
    thin, thick = tile("番です", 40, False), tile("番です", 40, True)
    assert thin.shape == thick.shape
    assert thick.sum() > 1.1 * thin.sum()


def test_a_missing_or_broken_font_is_one_sentence(tmp_path: File) -> None:
    with pytest.raises(ConfigError, match="no NotoSansJP font file"):
        font(tmp_path)
    broken = tmp_path / "NotoSansJP-broken.otf"
    broken.write_bytes(b"nothing")
    with pytest.raises(ConfigError, match=r"NotoSansJP-broken\.otf: cannot be read as a font"):
        font(tmp_path)
    assert missing("松A") == ""


def test_roles_look_as_in_the_reviewed_sheet() -> None:
    """golden/roles.png: every role in greyscale, in the order of `Role`, four in a row. Look before changing it."""
    pictures = role_pictures(builtin_layout(2))
    tiles = [cv2.resize(pictures[role], None, fx=1 / 3, fy=1 / 3, interpolation=cv2.INTER_AREA) for role in Role]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 4)
    sheet = np.vstack([np.hstack(tiles[i : i + 4]) for i in range(0, len(tiles), 4)])
    golden = cv2.imread(str(GOLDEN / "roles.png"), cv2.IMREAD_GRAYSCALE)
    assert golden is not None
    assert golden.shape == sheet.shape
    assert np.abs(golden.astype(int) - sheet.astype(int)).mean() < 0.3
    assert math.isclose(float(golden.mean()), float(sheet.mean()), rel_tol=0.05)


def test_a_bent_map_moves_what_is_drawn_and_written() -> None:
    bent = ProjectorMap(TWO_PX_A_MM, TWO_PX_A_MM, Bend((-0.08, 0.0), (200.0, 150.0), 250.0))
    for shape, place in ((Disc(80.0, 60.0, 4.0, WHITE), (80.0, 60.0)), (text("十"), (0.0, 0.0))):
        ys, xs = np.nonzero(rasterise(Scene((shape,)), bent, (400, 300))[..., 0] > 127)
        assert (xs.mean(), ys.mean()) == pytest.approx(tuple(bent.map(place)), abs=1.0)
    assert np.abs(bent.map((80.0, 60.0)) - TWO_PX_A_MM.map((80.0, 60.0))).max() > 6
