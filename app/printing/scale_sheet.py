"""A page that shows whether a printer prints true to scale."""

from app.printing.canvas import BLACK, GREY, Canvas
from app.printing.paper import PAPERS_MM, Drawing

_WIDE_MM = 170.0
_HIGH_MM = 230.0


def scale_drawing() -> Drawing:
    """An A4 page with two rulers and things to lay on it."""
    return Drawing("花札 Hanafuda Table · scale check", PAPERS_MM["a4"], _draw)


def _draw(canvas: Canvas) -> None:
    canvas.text((32, 24), "Does this printer print true to scale? · 印刷の大きさの確認", 5.6)
    lines = (
        f"Both rulers must be as long as they say: {_WIDE_MM:g} mm across, {_HIGH_MM:g} mm along.",
        f"横{_WIDE_MM:g} mm、縦{_HIGH_MM:g} mm になっているか、定規で測ってください。",
        "If one is shorter or longer by more than half a millimetre: choose `actual size` or 100 % in the",
        "print dialogue, never `fit to page` or `shrink`, and print again.",
        "0.5 mm より違うときは「実際のサイズ」または 100 % を選び、もう一度印刷してください。",
    )
    for i, text in enumerate(lines):
        canvas.text((44, 48 + 6 * i), text, 3.3, GREY)
    _ruler(canvas, (20, 34), _WIDE_MM, down=False)
    _ruler(canvas, (20, 44), _HIGH_MM, down=True)
    canvas.rectangle(60, 95, 100, 100, line=BLACK)
    canvas.text((110, 147), "100 x 100 mm", 4, align=0.5)
    canvas.rectangle(60, 205, 85.6, 53.98, line=BLACK)
    canvas.text((102.8, 230), "bank card · キャッシュカード", 3.4, GREY, align=0.5)
    canvas.text((102.8, 236), "85.6 x 54 mm", 3.4, GREY, align=0.5)
    canvas.rectangle(156, 205, 33, 54, line=BLACK)
    canvas.text((172.5, 230), "花札", 3.4, GREY, align=0.5)
    canvas.text((172.5, 236), "33 x 54 mm", 3.4, GREY, align=0.5)


def _ruler(canvas: Canvas, start: tuple[float, float], length: float, down: bool) -> None:
    """A ruler with a tick every 5 mm and a number every 10."""
    x, y = start
    end = (x, y + length) if down else (x + length, y)
    canvas.line(start, end, BLACK, 0.3)
    for i in range(int(length / 5) + 1):
        tick = 4.0 if i % 2 == 0 else 2.0
        at = i * 5.0
        if down:
            canvas.line((x, y + at), (x + tick, y + at), BLACK, 0.2)
            if i % 4 == 0 and i:
                canvas.text((x + 5, y + at + 1), f"{at:g}", 2.8)
        else:
            canvas.line((x + at, y), (x + at, y + tick), BLACK, 0.2)
            if i % 4 == 0 and i:
                canvas.text((x + at, y + 7.5), f"{at:g}", 2.8, align=0.5)
