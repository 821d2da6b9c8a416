"""Arranging zones for any mat and 2 to 5 seats, so that every card of the hana-awase games has room and so has text.

Each seat has a *station* at its edge of the mat. Along the long sides (top and bottom) it is flat: a free panel for
text, the hand, the captured cards, and a free strip above the hand. At the short sides it is deep: the hand, behind it
the captured cards, a free panel beside both. The field with the draw pile is in the middle. Every length has a tight
and a comfortable value; a mat in between gets a length in between.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.errors import ConfigError
from engine.events import Place

Rectangle = tuple[float, float, float, float]
"""Left, low, right, high in mm."""

CARD_MM: Final = (33.0, 54.0)
LARGEST_HAND: Final = {2: 10, 3: 7, 4: 5, 5: 4}
"""The most cards a hand of the hana-awase family has, by seats (RULES sections 3 to 5)."""
FACINGS_DEG: Final = {2: (0, 180), 3: (0, 90, 180), 4: (0, 90, 180, 270), 5: (0, 0, 90, 180, 270)}
"""Where the seats are, anticlockwise from the operator's side; the five have two on the operator's side."""
DEFAULT_MAT_MM: Final = {2: (1000.0, 640.0), 3: (1120.0, 640.0), 4: (1120.0, 640.0), 5: (1240.0, 640.0)}
_EDGE: Final = (8.0, 10.0)
_GAP: Final = (8.0, 10.0)
_HAND_DEPTH: Final = (66.0, 84.0)
_STRIP_DEPTH: Final = (48.0, 60.0)
_CAPTURED_DEPTH: Final = (122.0, 140.0)  # at the short sides: two rows
_CAPTURED_WIDTH: Final = {2: (220.0, 330.0), 3: (200.0, 300.0), 4: (160.0, 240.0), 5: (150.0, 220.0)}
_PANEL_WIDTH: Final = {2: (110.0, 190.0), 3: (110.0, 190.0), 4: (110.0, 190.0), 5: (90.0, 130.0)}
_LARGEST_PANEL: Final = 260.0
_SIDE_PANEL: Final = (100.0, 180.0)
_FIELD: Final = ((400.0, 500.0), (204.0, 270.0))
_PILE: Final = ((64.0, 110.0), (84.0, 130.0))


def arrange(mat_mm: tuple[float, float], seats: int, hand: int | None = None) -> dict[Place, Rectangle]:
    """Zones for `seats` seats on the mat: rectangles in table mm that do not overlap, rounded to whole mm.

    `hand` is the largest hand there must be room for (default: of the hana-awase family). Raises ConfigError for a
    number of seats other than 2 to 5 and for a mat that is too small, naming the smallest.
    """
    if seats not in FACINGS_DEG:
        raise ConfigError(f"a layout can be made for 2 to 5 seats, not for {seats}")
    cards = LARGEST_HAND[seats] if hand is None else hand
    if not 1 <= cards <= 20:
        raise ConfigError(f"a hand can have 1 to 20 cards, not {cards}")
    width, height = mat_mm
    least = smallest_mat_mm(seats, cards)
    if width < least[0] or height < least[1]:
        raise ConfigError(
            f"a mat of {width:g} x {height:g} mm is too small for {seats} seats with {cards} cards each; "
            f"the smallest is {least[0]:g} x {least[1]:g} mm"
        )
    plan = _Plan(
        seats=seats,
        cards=cards,
        x=_largest(lambda t: _width_needed(seats, cards, t) <= width),
        y=_largest(lambda t: _height_needed(seats, cards, t) <= height),
    )
    return {place: _rounded(zone) for place, zone in _zones(plan, width, height).items()}


def smallest_mat_mm(seats: int, hand: int | None = None) -> tuple[float, float]:
    """Width and height of the smallest mat that `arrange` accepts."""
    cards = LARGEST_HAND[seats] if hand is None else hand
    return _width_needed(seats, cards, 0.0), _height_needed(seats, cards, 0.0)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is arranged and how comfortably (0 tight, 1 comfortable) along x and y."""

    seats: int
    cards: int
    x: float
    y: float


def _between(span: tuple[float, float], comfort: float) -> float:
    return span[0] + (span[1] - span[0]) * comfort


def _hand_width(cards: int, comfort: float) -> float:
    """Cards side by side with gaps of 8 to 14 mm, and some air at both ends."""
    gap, air = _between((8, 14), comfort), _between((8, 12), comfort)
    return cards * CARD_MM[0] + (cards - 1) * gap + 2 * air


def _flat_depth(comfort: float) -> float:
    return _between(_HAND_DEPTH, comfort) + _between(_GAP, comfort) + _between(_STRIP_DEPTH, comfort)


def _side_depth(comfort: float) -> float:
    return _between(_HAND_DEPTH, comfort) + _between(_GAP, comfort) + _between(_CAPTURED_DEPTH, comfort)


def _flat_length(seats: int, cards: int, comfort: float) -> float:
    parts = _between(_PANEL_WIDTH[seats], comfort) + _hand_width(cards, comfort)
    return parts + _between(_CAPTURED_WIDTH[seats], comfort) + 2 * _between(_GAP, comfort)


def _side_width(seats: int, cards: int, comfort: float) -> float:
    """Width of hand and captured zone at a short side."""
    return max(_hand_width(cards, comfort), _between(_CAPTURED_WIDTH[seats], comfort))


def _width_needed(seats: int, cards: int, comfort: float) -> float:
    gap, edge = _between(_GAP, comfort), _between(_EDGE, comfort)
    facings = FACINGS_DEG[seats]
    side = _side_depth(comfort) + gap
    piles = 2 if seats == 2 else 1
    centre = _between(_FIELD[0], comfort) + piles * (gap + _between(_PILE[0], comfort))
    front = facings.count(0)
    station = front * _flat_length(seats, cards, comfort) + (front - 1) * 2 * gap
    return 2 * edge + max(centre + side * (facings.count(90) + facings.count(270)), station + side * facings.count(90))


def _height_needed(seats: int, cards: int, comfort: float) -> float:
    gap, edge = _between(_GAP, comfort), _between(_EDGE, comfort)
    flat = _flat_depth(comfort) + gap
    needed = 2 * (edge + flat) + _between(_FIELD[1], comfort)
    if seats > 2:
        needed = max(needed, 2 * edge + flat + _side_width(seats, cards, 0.0) + gap + _SIDE_PANEL[0])
    return needed


def _largest(fits: Callable[[float], bool]) -> float:
    """The largest comfort from 0 to 1, in steps of 1/64, that fits (0 does)."""
    return next((step / 64 for step in range(64, 0, -1) if fits(step / 64)), 0.0)


def _zones(plan: _Plan, width: float, height: float) -> dict[Place, Rectangle]:
    facings = FACINGS_DEG[plan.seats]
    zones: dict[Place, Rectangle] = {}
    for seat, facing in enumerate(facings):
        across, along = (width, height) if facing in (0, 180) else (height, width)
        local = _flat_station(plan, seat, across) if facing in (0, 180) else _side_station(plan, across)
        for name, (left, low, right, high) in local.items():
            box = (left - across / 2, low - along / 2, right - across / 2, high - along / 2)
            zones[Place(name, seat)] = turned(box, facing)
    return _middle(plan, width) | zones


def _flat_station(plan: _Plan, seat: int, length: float) -> dict[str, Rectangle]:
    """Hand and captured at a long side; the seat's left corner of the mat is (0, 0), x to its right, y away from it."""
    facings = FACINGS_DEG[plan.seats]
    gap, edge = _between(_GAP, plan.x), _between(_EDGE, plan.x)
    neighbour = (facings[seat] + 90) % 360  # sits at this seat's right corner
    start, end = edge, length - edge - (_side_depth(plan.x) + gap if neighbour in facings else 0)
    shared = facings.count(facings[seat])
    if shared == 2:
        middle = (start + end) / 2
        start, end = (start, middle - gap) if seat == 0 else (middle + gap, end)
    spare = end - start - _flat_length(plan.seats, plan.cards, plan.x)
    panel = min(_between(_PANEL_WIDTH[plan.seats], plan.x) + spare, _LARGEST_PANEL)
    hand, captured = _hand_width(plan.cards, plan.x), _between(_CAPTURED_WIDTH[plan.seats], plan.x)
    left = start + max(0.0, end - start - panel - hand - captured - 2 * gap) / 2 + panel + gap
    low = _between(_EDGE, plan.y)
    return {
        "hand": (left, low, left + hand, low + _between(_HAND_DEPTH, plan.y)),
        "captured": (left + hand + gap, low, left + hand + gap + captured, low + _flat_depth(plan.y)),
    }


def _side_station(plan: _Plan, length: float) -> dict[str, Rectangle]:
    """Hand and, behind it, captured at a short side; the same frame as `_flat_station`."""
    gap, edge = _between(_GAP, plan.y), _between(_EDGE, plan.y)
    start, end = edge, length - edge - _flat_depth(plan.y) - gap
    room = end - start - gap
    comfort = _largest(lambda t: _side_width(plan.seats, plan.cards, t) + _between(_SIDE_PANEL, t) <= room)
    wide = _side_width(plan.seats, plan.cards, comfort)
    panel = min(room - wide, _LARGEST_PANEL)
    left = start + (room - wide - panel) / 2 + panel + gap
    low = _between(_EDGE, plan.x)
    hand_high = low + _between(_HAND_DEPTH, plan.x)
    behind = hand_high + _between(_GAP, plan.x)
    return {
        "hand": (left, low, left + wide, hand_high),
        "captured": (left, behind, left + wide, behind + _between(_CAPTURED_DEPTH, plan.x)),
    }


def _middle(plan: _Plan, width: float) -> dict[Place, Rectangle]:
    """Field, draw pile and box: in a row for two seats, the box below the draw pile for more."""
    facings = FACINGS_DEG[plan.seats]
    gap, edge = _between(_GAP, plan.x), _between(_EDGE, plan.x)
    side = _side_depth(plan.x) + gap
    left = -width / 2 + edge + (side if 270 in facings else 0)
    right = width / 2 - edge - (side if 90 in facings else 0)
    field_width, field_height = _between(_FIELD[0], plan.x), _between(_FIELD[1], plan.y)
    pile_width, pile_height = _between(_PILE[0], plan.x), _between(_PILE[1], plan.y)
    piles = (2 if plan.seats == 2 else 1) * (gap + pile_width)
    start = max(left, min(-field_width / 2, right - piles - field_width))
    if start + field_width + piles < right and 270 in facings:
        start = left + (right - left - field_width - piles) / 2
    high = field_height / 2
    beside = start + field_width + gap
    field = {Place("field"): (start, -high, start + field_width, high)}
    if plan.seats == 2:
        box = beside + pile_width + gap
        return field | {
            Place("draw"): (beside, -pile_height / 2, beside + pile_width, pile_height / 2),
            Place("box"): (box, -pile_height / 2, box + pile_width, pile_height / 2),
        }
    apart = gap / 2
    return field | {
        Place("draw"): (beside, apart, beside + pile_width, apart + pile_height),
        Place("box"): (beside, -apart - pile_height, beside + pile_width, -apart),
    }


def facing_of(seats: int, seat: int) -> int:
    """The anticlockwise turn of what is upright for a seat."""
    return FACINGS_DEG[seats][seat]


def turned(box: Rectangle, facing_deg: int) -> Rectangle:
    """A rectangle of a seat's frame (origin at the mat's centre) in the table frame: an anticlockwise turn."""
    left, low, right, high = box
    match facing_deg:
        case 0:
            return box
        case 90:
            return -high, left, -low, right
        case 180:
            return -right, -high, -left, -low
        case _:
            return low, -right, high, -left


def _rounded(box: Rectangle) -> Rectangle:
    left, low, right, high = (float(round(v)) for v in box)
    return left, low, right, high
