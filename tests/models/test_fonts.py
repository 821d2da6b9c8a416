"""The font holds every letter that the table, its games and its cards need, in both languages."""

from pathlib import Path

import cv2
import numpy as np
import pygame.font
import pytest

FONT = Path(__file__).resolve().parent.parent.parent / "models" / "fonts" / "NotoSansJP-subset.otf"


@pytest.fixture(scope="module")
def font() -> pygame.font.Font:
    pygame.font.init()
    return pygame.font.Font(str(FONT), 40)


@pytest.mark.parametrize(
    "text",
    [
        "松に鶴 梅に鶯 桜に幕 藤に不如帰 菖蒲に八橋 牡丹に蝶 萩に猪",
        "芒に月 芒に雁 菊に盃 紅葉に鹿 柳に小野道風 柳に燕 桐に鳳凰",
        "五光 四光 雨四光 三光 花見で一杯 月見で一杯 猪鹿蝶 赤短 青短 短冊 種 粕 手四 喰付 霞 薄 三枚役",
        "場札 山札 手札 取り札 親 子 一番 合わせてください 置きなおしてください 得点 引き分け 終了",
        "あいうえお がぎぐげご ぱぴぷぺぽ ゃゅょっ アイウエオ ヴァー ー・、。「」『』（）！？：〜々〆",
        "Ōyōhen: take one of two — “Bush Warbler” 5 × 20 = 100 points … é ü ß ½ ± °",
        "→ ← ↑ ↓ ↺ ↻ ● ○ ■ □ ▲ △ ▼ ◆ ◇ ★ ☆ ▶ ◀ ① ② ③ ♪ ✓",
        "０１２３ＡＢＣ％＋－",
    ],
    ids=["spring", "autumn", "yaku", "sentences", "kana", "english", "signs", "full-width"],
)
def test_the_font_covers(font: pygame.font.Font, text: str) -> None:
    missing = [letter for letter, metrics in zip(text, font.metrics(text), strict=True) if metrics is None]
    assert missing == []


def test_every_kanji_of_jis_level_1_is_there(font: pygame.font.Font) -> None:
    cells = (bytes((0xA0 + row, 0xA0 + cell)) for row in range(16, 48) for cell in range(1, 95))
    kanji = "".join(cell.decode("euc_jp", "ignore") for cell in cells)
    assert len(kanji) == 2965
    assert [letter for letter, metrics in zip(kanji, font.metrics(kanji), strict=True) if metrics is None] == []


def test_a_letter_it_does_not_hold_is_reported_missing(font: pygame.font.Font) -> None:
    assert font.metrics("𠮷")[0] is None or font.metrics("鱻")[0] is None


def test_kanji_are_drawn_as_themselves_and_not_as_one_box() -> None:
    face = cv2.FontFace(str(FONT))
    drawn = []
    for letter in "萩桐雁":
        image = np.full((60, 60), 255, np.uint8)
        cv2.putText(image, letter, (8, 48), (0,), face, 40)
        assert 100 < int((image < 128).sum()) < 1800
        drawn.append(image)
    assert all((a != b).any() for a, b in ((drawn[0], drawn[1]), (drawn[1], drawn[2])))


def test_the_font_stays_small_and_carries_its_licence() -> None:
    assert FONT.stat().st_size <= 900_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (FONT.parent / "OFL.txt").read_text(encoding="utf-8")
