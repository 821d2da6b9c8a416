"""What one seat reads: its score and its way to the best yaku, in the end its result, in shapes that fit the room."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.cards import Card
from engine.events import Tally, Words
from engine.guidance import Guidance, Role, YakuProgress
from engine.words import month_name
from projection.badges import badge, box, corners
from projection.blocks import Block, shifted, write, write_right
from projection.scene import BLACK, LINE_HEIGHT, RGB, Path, Shape, Stroke
from projection.text import width_mm
from projection.theme import FAINT, GOLD, LABELS, LOOKS, SIZES, SOFT, WHITE, Badge

ROWS = 4
_SCALES = (1.0, 0.9, 0.8)
_RESULT_SCALES = (1.35, 1.2, *_SCALES)
_SHORT_TITLE = 70.0
_GAP = 7.0


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a panel: a title, a number, and for a yaku its cards as pips (plant and whether it is held)."""

    title: str
    short: str
    number: str
    pips: tuple[tuple[str, bool], ...] = ()
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """What a seat's panel says, before it has a shape."""

    score: str
    unit: str
    rows: tuple[Row, ...]
    winner: str = ""
    is_result: bool = False


def panel(guidance: Guidance, seat: int, language: str, titles: Mapping[str, Words]) -> Panel | None:
    """The panel of `seat`, or None where the guidance has no scores: live scores and progress, or the result."""
    if seat >= len(guidance.scores):
        return None
    tally = guidance.scores[seat]
    winners = {cue.seat for cue in guidance.cues if cue.role is Role.WINNER}
    progress = guidance.progress[seat] if seat < len(guidance.progress) else ()
    unit = both(LABELS["points"], language)
    if winners:
        won = both(LABELS["winner"], language) if seat in winners else ""
        return Panel(str(tally.total), unit, _result(tally, progress, titles, language), won, True)
    return Panel(str(tally.total), unit, tuple(_row(way, language) for way in interesting(progress)))


def interesting(progress: Sequence[YakuProgress], most: int = ROWS) -> tuple[YakuProgress, ...]:
    """The yaku to show: made ones, then those that can still be made, fewest cards to go and highest value first."""
    open_ones = [way for way in progress if way.made or way.possible]
    ranked = sorted(open_ones, key=lambda way: (not way.made, way.needed - len(way.held), -way.value))
    return tuple(ranked[:most])


def both(words: Words, language: str) -> str:
    """Short words in one language, or the Japanese ones followed by the English ones."""
    return f"{words.ja} {words.en}" if language == "both" else words.of(language)


def _one(words: Words, language: str) -> str:
    """The words in one language: the Japanese ones, the shorter, where both are wanted."""
    return words.en if language == "en" else words.ja


def _row(way: YakuProgress, language: str) -> Row:
    if len(way.cards) == way.needed and way.needed <= 5:
        pips = tuple((_pip(card, language), card in way.held) for card in way.cards)
    else:
        held = min(len(way.held), way.needed)
        pips = tuple(("", i < held) for i in range(way.needed))
    return Row(both(way.title, language), _one(way.title, language), str(way.value), pips, way.made)


def _pip(card: Card, language: str) -> str:
    """What a pip says of its card: the plant in Japanese, the month's number in English."""
    return str(card.month) if language == "en" else month_name(card.month).ja


def _result(
    tally: Tally, progress: Sequence[YakuProgress], titles: Mapping[str, Words], language: str
) -> tuple[Row, ...]:
    names = {way.id: way.title for way in progress} | dict(titles)
    rows = [Row(both(LABELS["cards"], language), _one(LABELS["cards"], language), str(tally.points))]
    for made in tally.yaku:
        title = names.get(made.id, Words(made.id.replace("_", " "), made.id.replace("_", " ")))
        rows.append(Row(both(title, language), _one(title, language), f"+{made.value}", strong=True))
    return tuple(rows)


def shapes_of(what: Panel) -> Iterator[tuple[Block, ...]]:
    """The panel's possible shapes, best first: smaller, then with short titles, then with fewer rows.

    Those of one tuple are equally good.
    """
    rows = what.rows
    for scale in _RESULT_SCALES if what.is_result else _SCALES:
        yield tuple(_arrangements(what, rows, scale, 1000.0))
    short = tuple(replace(row, title=row.short) for row in rows)
    for count in range(len(rows), -1, -1):
        for scale in (0.85, 0.78):
            yield tuple(_arrangements(what, short[:count], scale, _SHORT_TITLE))
    yield tuple(_arrangements(what, (), 0.45, _SHORT_TITLE))


def _arrangements(what: Panel, rows: tuple[Row, ...], scale: float, title_room: float) -> Iterator[Block]:
    head = _head(what, scale)
    if not rows:
        yield head
        return
    for columns in (1, 2):
        if columns <= len(rows):
            body = _table(rows, columns, scale, title_room)
            yield _beside(head, body, _GAP * scale)
            yield _above(head, body, 2.0 * scale)


def _head(what: Panel, scale: float) -> Block:
    size, small = SIZES.score * scale, SIZES.small * scale
    height = size * LINE_HEIGHT * 0.92
    number = write(what.score, 0.0, height / 2, size, WHITE, strong=True)
    unit = write(what.unit, number.width_mm + 2 * scale, height / 2 - size * 0.2, small, SOFT)
    width = number.width_mm + 2 * scale + unit.width_mm
    shapes: list[Shape] = [number, unit]
    if what.winner:
        won = SIZES.headline * scale
        label = write(what.winner, width + 9 * scale, height / 2, won, GOLD, strong=True)
        width = width + 12 * scale + label.width_mm
        frame = corners(width / 2, height / 2, width + 6 * scale, height + 4 * scale)
        shapes += [label, Path(frame, LOOKS[Role.WINNER].stroke, closed=True)]
        shift = 3.0 * scale + 2.5
        return Block(width + 2 * shift, height + 2 * shift, tuple(shifted(s, shift, shift) for s in shapes))
    return Block(width, height, tuple(shapes))


def _table(rows: tuple[Row, ...], columns: int, scale: float, title_room: float) -> Block:
    """Rows in columns of equal width: title of at most `title_room` mm (at scale 1), number, pips."""
    size = SIZES.row * scale
    pitch = size * 1.42
    title_room = min(max(width_mm(row.title, size) for row in rows), title_room * scale)
    number_room = max(width_mm(row.number, size) for row in rows)
    pip_room = max(sum(_pip_width(label, size) + 1.2 * scale for label, _ in row.pips) for row in rows)
    width = title_room + 3 * scale + number_room + (3 * scale + pip_room if pip_room else 0.0) + size * 0.9
    depth = -(-len(rows) // columns)
    shapes: list[Shape] = []
    for i, row in enumerate(rows):
        column, line = divmod(i, depth)
        left, middle = column * (width + _GAP * scale), (depth - line - 0.5) * pitch
        shapes.extend(_row_shapes(row, left, middle, size, scale, title_room, number_room))
    return Block(columns * width + (columns - 1) * _GAP * scale, depth * pitch, tuple(shapes))


def _row_shapes(
    row: Row, left: float, middle: float, size: float, scale: float, title_room: float, number_room: float
) -> Iterator[Shape]:
    colour: RGB = GOLD if row.strong else WHITE
    if row.strong:
        sign = badge(Badge.CHECK, GOLD)
        k = size * 0.8 / sign.width_mm
        yield from (shifted(shape, left, middle - size * 0.4, k) for shape in sign.shapes)
    left += size * 0.9
    yield write(row.title, left, middle, size, colour, row.strong, title_room + 0.01)
    right = left + title_room + 3 * scale + number_room
    yield write_right(row.number, right, middle, size, colour, row.strong)
    at = right + 3 * scale
    for label, held in row.pips:
        width = _pip_width(label, size)
        yield from _pip_shapes(label, held, at + width / 2, middle, width, size, colour)
        at += width + 1.2 * scale


def _pip_width(label: str, size: float) -> float:
    return max(size * 0.95, width_mm(label, size * 0.8) + size * 0.3)


def _pip_shapes(label: str, held: bool, u: float, v: float, width: float, size: float, colour: RGB) -> Iterator[Shape]:
    """A little card: filled where it is held, an outline where it is still to come."""
    text = size * 0.8
    if held:
        yield box(u, v, width, size * 1.2, colour)
    else:
        yield Path(corners(u, v, width - 0.5, size * 1.2 - 0.5), Stroke(FAINT, 0.6), closed=True)
    if label:
        yield write(label, u - width_mm(label, text) / 2, v, text, BLACK if held else SOFT, strong=held)


def _beside(left: Block, right: Block, gap: float) -> Block:
    height = max(left.height_mm, right.height_mm)
    moved = [shifted(shape, 0.0, (height - left.height_mm) / 2) for shape in left.shapes]
    u = left.width_mm + gap
    moved += [shifted(shape, u, (height - right.height_mm) / 2) for shape in right.shapes]
    return Block(u + right.width_mm, height, tuple(moved))


def _above(top: Block, below: Block, gap: float) -> Block:
    moved = [shifted(shape, 0.0, below.height_mm + gap) for shape in top.shapes]
    width = max(top.width_mm, below.width_mm)
    return Block(width, top.height_mm + gap + below.height_mm, (*moved, *below.shapes))
