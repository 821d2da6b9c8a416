"""A cropped recording means the same millimetres as the whole picture."""

import numpy as np

from app.crop import Crop, crop_of, cropped
from calibration.homography import Homography
from calibration.lens import Lens
from calibration.profile import Camera, Profile, Table, dump_profile, profile_from
from engine import yamlfile
from vision.values import Frame


def profile() -> Profile:
    lens = Lens(np.array([[1200.0, 0, 640], [0, 1200, 360], [0, 0, 1]]), np.array([-0.12, 0.03, 0.0006, -0.0004, 0]))
    h = Homography.from_rows("table", "camera", [0.8, 0.01, -520, 0.01, -0.8, 290, 0, 2e-5, 1])
    camera = Camera("test", (1280, 720), lens, {"fourcc": "MJPG", "fps": 15}, {})
    return Profile("2026-11-30T10:00:00Z", camera, Table((600, 400), h, (0.0, -20.0, 900.0)))


def test_a_point_of_the_table_stays_where_it_is() -> None:
    whole = profile()
    crop = crop_of(whole)
    part = cropped(whole, crop)
    points = np.array([(x, y) for x in (-290, 0, 250) for y in (-190, 5, 180)], dtype=float)
    px = whole.view().camera_px(points, 1.1)
    assert np.allclose(part.view().camera_px(points, 1.1), px - (crop.x, crop.y), atol=1e-6)
    assert np.allclose(part.view().table_mm(px - (crop.x, crop.y), 13.0), whole.view().table_mm(px, 13.0), atol=1e-6)


def test_the_crop_holds_the_mat_and_stays_in_the_picture() -> None:
    crop = crop_of(profile())
    corners = profile().view().camera_px([(-300, -200), (300, -200), (300, 200), (-300, 200)])
    assert np.all(corners >= (crop.x, crop.y)) and np.all(corners < (crop.x + crop.width, crop.y + crop.height))
    assert crop.x >= 0 and crop.x + crop.width <= 1280 and crop.y >= 0 and crop.y + crop.height <= 720
    assert crop.width % 2 == 0 and crop.height % 2 == 0
    assert (crop.width, crop.height) != (1280, 720)


def test_the_cropped_profile_survives_its_file() -> None:
    part = cropped(profile(), crop_of(profile()))
    back = profile_from(yamlfile.parse(dump_profile(part), "p.yaml"))
    point = np.array([[100.0, 50.0]])
    assert np.allclose(back.view().camera_px(point, 1.1), part.view().camera_px(point, 1.1), atol=1e-9)


def test_the_cropped_frame_is_that_part_of_the_picture() -> None:
    image = np.arange(40 * 60 * 3, dtype=np.uint32).astype(np.uint8).reshape(40, 60, 3)
    part = Crop(16, 8, 20, 10).of(Frame(image, 1.5, 7))
    assert part.image.shape == (10, 20, 3) and part.image.flags["C_CONTIGUOUS"]
    assert np.array_equal(part.image[0, 0], image[8, 16]) and (part.t_s, part.index) == (1.5, 7)
