"""Pictures of every kind are loaded alike, or refused in one sentence that names the file."""

import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from engine.errors import ConfigError
from vision.picture import load_image

WIDTH, HEIGHT = 60, 40


def scene() -> NDArray[np.uint8]:
    """uint8 (40, 60, 3) BGR: blue-green, a red square at the left, so that turns show."""
    picture = np.full((HEIGHT, WIDTH, 3), (110, 140, 30), np.uint8)
    picture[8:24, 4:20] = (30, 40, 200)
    return picture


def pil() -> Image.Image:
    return Image.fromarray(np.ascontiguousarray(scene()[..., ::-1]))


def deep() -> NDArray[np.uint16]:
    return scene().astype(np.uint16) * 257


def transparent(bits: int = 8) -> NDArray[np.uint16]:
    """(40, 60, 4) BGRA: the lower half transparent over black, the middle column half transparent."""
    top = 255 if bits == 8 else 65535
    out = np.dstack([scene().astype(np.uint16) * (1 if bits == 8 else 257), np.full((HEIGHT, WIDTH), top, np.uint16)])
    out[HEIGHT // 2 :] = 0
    out[:10, WIDTH // 2, 3] = top // 2
    return out


def save_pil(mode: str, **more: Any) -> Callable[[Path], object]:
    return lambda path: (pil().quantize(8) if mode == "P" else pil().convert(mode)).save(path, **more)


def save_cv(image: NDArray[Any]) -> Callable[[Path], object]:
    return lambda path: cv2.imwrite(str(path), image)


@pytest.mark.parametrize(
    ("name", "save"),
    [
        ("plain.png", save_pil("RGB")),
        ("plain.jpg", save_pil("RGB", quality=95)),
        ("plain.bmp", save_pil("RGB")),
        ("plain.webp", save_pil("RGB", lossless=True)),
        ("palette.png", save_pil("P")),
        ("palette.gif", save_pil("P")),
        ("cmyk.jpg", save_pil("CMYK", quality=95)),
        ("cmyk.tif", save_pil("CMYK")),
        ("deep.png", save_cv(deep())),
        ("deep.tif", save_cv(deep())),
        ("opaque.png", save_pil("RGBA")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_colours_are_the_same_whatever_the_format(
    name: str, save: Callable[[Path], object], tmp_path: Path
) -> None:
    save(tmp_path / name)
    image = load_image(tmp_path / name)
    assert image.shape == (HEIGHT, WIDTH, 3) and image.dtype == np.uint8
    for y, x in ((15, 12), (30, 50)):
        assert np.abs(image[y, x].astype(int) - scene()[y, x]).max() <= 12


@pytest.mark.parametrize(
    ("name", "save"),
    [
        ("grey.png", save_pil("L")),
        ("grey.jpg", save_pil("L", quality=95)),
        ("grey-alpha.png", save_pil("LA")),
        ("deep.png", save_cv(deep()[..., 1])),
        ("bits.png", save_pil("1")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_grey_pictures_become_three_equal_channels(name: str, save: Callable[[Path], object], tmp_path: Path) -> None:
    save(tmp_path / name)
    image = load_image(tmp_path / name)
    assert image.shape == (HEIGHT, WIDTH, 3)
    assert np.array_equal(image[..., 0], image[..., 2])
    if name != "bits.png":
        expected = cv2.cvtColor(scene(), cv2.COLOR_BGR2GRAY) if name != "deep.png" else scene()[..., 1]
        assert np.abs(image[30, 50, 0].astype(int) - expected[30, 50]) <= 2


@pytest.mark.parametrize("bits", [8, 16])
def test_what_is_transparent_is_white(bits: int, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), transparent(bits).astype(np.uint8 if bits == 8 else np.uint16))
    image = load_image(path)
    assert image[HEIGHT - 1, 5].tolist() == [255, 255, 255]
    assert np.abs(image[15, 12].astype(int) - scene()[15, 12]).max() <= 1
    half = (scene()[5, WIDTH // 2].astype(int) + 255) / 2
    assert np.abs(image[5, WIDTH // 2] - half).max() <= 2


@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "tif"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_pictures_stand_as_the_camera_noted(orientation: int, ending: str, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x112] = orientation
    path = tmp_path / f"a.{ending}"
    pil().save(path, exif=exif, quality=95)
    image = load_image(path)
    turned = {
        1: scene(),
        2: scene()[:, ::-1],
        3: scene()[::-1, ::-1],
        4: scene()[::-1],
        5: scene().transpose(1, 0, 2),
        6: np.rot90(scene(), -1),
        7: scene()[::-1, ::-1].transpose(1, 0, 2),
        8: np.rot90(scene()),
    }[orientation]
    assert image.shape == turned.shape
    assert np.abs(image.astype(int) - turned).mean() < 6


@pytest.mark.parametrize("ending", ["gif", "webp", "png"])
def test_of_an_animation_the_first_picture_is_taken(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{ending}"
    pil().save(path, save_all=True, append_images=[Image.new("RGB", (WIDTH, HEIGHT))] * 2)
    assert np.abs(load_image(path)[15, 12].astype(int) - scene()[15, 12]).max() <= 12


def test_one_pixel_and_one_line_are_pictures(tmp_path: Path) -> None:
    for size in ((1, 1), (WIDTH, 1), (1, HEIGHT)):
        path = tmp_path / "a.png"
        pil().resize(size).save(path)
        assert load_image(path).shape == (size[1], size[0], 3)


def jpeg() -> bytes:
    return cv2.imencode(".jpg", scene())[1].tobytes()


def flipped_png() -> bytes:
    noise = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    data = bytearray(cv2.imencode(".png", noise)[1].tobytes())
    data[len(data) // 2] ^= 0xFF
    return bytes(data)


def huge_png(width: int, height: int) -> bytes:
    """The start of a PNG that says it is huge: it must be refused before anything is decoded."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", len(head))
        + chunk
        + struct.pack(">I", zlib.crc32(chunk))
        + b"\0\1\0\0IDAT"
    )


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"hello, I am a text" * 20, "no picture that can be read"),
        (jpeg()[: len(jpeg()) // 2], "no picture that can be read"),
        (jpeg()[:100], "no picture that can be read"),
        (flipped_png(), "no picture that can be read"),
        (huge_png(30_000, 30_000), "more than 160 megapixels"),
        (huge_png(100_000, 2_000), "more than 160 megapixels"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "export it as JPEG"),
    ],
    ids=["empty", "text", "half a jpeg", "head of a jpeg", "wrong checksum", "bomb", "long bomb", "heic"],
)
def test_what_cannot_be_read_is_named(
    data: bytes, words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=words) as caught:
        load_image(path)
    assert "photo.jpg" in str(caught.value) and "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_folders_and_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is a folder"):
        load_image(tmp_path)
    with pytest.raises(ConfigError, match=r"none\.png cannot be read"):
        load_image(tmp_path / "none.png")


@pytest.mark.slow
def test_a_hundred_megapixels_are_loaded(tmp_path: Path) -> None:
    path = tmp_path / "big.png"
    Image.new("1", (10_000, 10_000)).save(path)
    assert load_image(path).shape == (10_000, 10_000, 3)
