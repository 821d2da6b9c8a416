"""Cues as marks around cards: frames, arrows, card outlines in empty places, and the badges that go with them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from calibration.frames import Pose
from engine.events import Place
from engine.guidance import Cue, Guidance, Role
from projection.scene import CARD_MM, Brackets, Path, Point, Ring, Shape, Stroke
from projection.table import Table
from projection.theme import EDGE, GUARD_MM, LOOKS, MATCH_STROKES, Badge, Frame, Look

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_STRONGEST_LAST = (
    Role.ECHO,
    Role.DEAD,
    Role.MATCH,
    Role.UNSURE,
    Role.TAKE,
    Role.CHOICE,
    Role.DRAW,
    Role.STRAY,
    Role.FAULT,
)
_FEW = 4


@dataclass(frozen=True, slots=True)
class Sign:
    """A badge to put beside a card, upright for `seat`."""

    pose: Pose
    kind: Badge
    stroke: Stroke
    seat: int | None
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """How many cards lie in `place` of how many that belong there."""

    place: Place
    have: int
    count: int


@dataclass(frozen=True, slots=True)
class Marks:
    """Outlines of zones and empty places, arrows, frames around cards; `signs` and `counts` still need room.

    `ghosts` are the places kept for cards.
    """

    zones: tuple[Shape, ...]
    arrows: tuple[Path, ...]
    frames: tuple[Shape, ...]
    ghosts: tuple[Pose, ...]
    signs: tuple[Sign, ...]
    counts: tuple[Count, ...]


def mark(guidance: Guidance, table: Table) -> Marks:
    """Every cue of the guidance that has a card or a place on this table."""
    zones: list[Shape] = list(_zones(guidance, table))
    arrows: list[Path] = []
    ghosts: list[Pose] = []
    framed: dict[Pose, tuple[int, Look]] = {}
    signs: list[Sign] = []
    counts: list[Count] = []
    reader = next((cue.seat for cue in guidance.cues if cue.role is Role.TURN), None)
    pairs = _pairs(guidance)
    for cue in guidance.cues:
        look, letter = LOOKS[cue.role], ""
        if cue.role is Role.MATCH and cue.cards:
            number = pairs[cue.cards[0].month]
            look = replace(look, stroke=MATCH_STROKES[number % len(MATCH_STROKES)])
            letter = LETTERS[number % len(LETTERS)]
        if cue.role is Role.DEAL:
            counts.extend(_count(cue))
        gaps = tuple(_gaps(cue, table))
        ghosts += gaps
        zones += (ghost(gap, replace(LOOKS[Role.DEAL].stroke, colour=look.stroke.colour)) for gap in gaps)
        arrows += _arrows(cue, look, gaps, table)
        strength = _STRONGEST_LAST.index(cue.role) if cue.role in _STRONGEST_LAST else -1
        for pose in _framed(cue, table):
            if look.frame is not Frame.NONE and framed.get(pose, (-1, look))[0] <= strength:
                framed[pose] = (strength, look)
            if look.badge is not Badge.NONE:
                signs.append(Sign(pose, look.badge, look.stroke, cue.seat if cue.seat is not None else reader, letter))
    frames = tuple(_frame(pose, look) for pose, (_, look) in sorted(framed.items(), key=lambda item: item[1][0]))
    frames += _origins(guidance, table)
    return Marks(tuple(zones), tuple(arrows), frames, tuple(ghosts), tuple(dict.fromkeys(signs)), tuple(counts))


def _pairs(guidance: Guidance) -> dict[int, int]:
    """A number for each month that matches, in the order of the cues."""
    months = dict.fromkeys(cue.cards[0].month for cue in guidance.cues if cue.role is Role.MATCH and cue.cards)
    return {month: number for number, month in enumerate(months)}


def _framed(cue: Cue, table: Table) -> tuple[Pose, ...]:
    """The poses that this cue draws a frame around."""
    if cue.role is Role.DRAW:
        pile = _pile(cue, table)
        return () if pile is None else (pile,)
    if cue.role is Role.MISSING:
        return ()
    chosen_for = cue.origin if cue.role is Role.CHOICE else None
    return tuple(table.poses[card] for card in cue.cards if card in table.poses and card != chosen_for)


def _pile(cue: Cue, table: Table) -> Pose | None:
    return table.draw_pile or table.middle(cue.place or Place("draw"))


def _frame(pose: Pose, look: Look) -> Shape:
    if look.frame is Frame.BRACKETS:
        return Brackets(pose, look.stroke, GUARD_MM)
    return Ring(pose, look.stroke, GUARD_MM)


def _zones(guidance: Guidance, table: Table) -> Iterator[Shape]:
    """Faint outlines of all zones, a strong one around the hand of the seat that is to act."""
    turns = {cue.seat for cue in guidance.cues if cue.role is Role.TURN}
    for zone in table.layout.zones:
        if zone.place.zone == "hand" and zone.place.seat in turns:
            yield Path(zone.polygon_mm, LOOKS[Role.TURN].stroke, closed=True)
        else:
            yield Path(zone.polygon_mm, Stroke(EDGE, 0.8), closed=True)


def _origins(guidance: Guidance, table: Table) -> tuple[Shape, ...]:
    """Thin rings around cards for which another one is to be chosen."""
    look = LOOKS[Role.CHOICE]
    origins = [cue.origin for cue in guidance.cues if cue.role is Role.CHOICE and cue.origin is not None]
    thin = replace(look.stroke, width_mm=2.0)
    return tuple(Ring(table.poses[card], thin, GUARD_MM) for card in origins if card in table.poses)


def _gaps(cue: Cue, table: Table) -> tuple[Pose, ...]:
    """Empty places that this cue keeps for cards: those still to be dealt, or one for what belongs elsewhere."""
    match cue.role:
        case Role.DEAL if cue.place is not None and cue.count is not None:
            wanted = max(0, cue.count - (cue.have or 0))
            middle = table.middle(cue.place) if cue.place.zone == "draw" else None
            if middle is not None:
                return (middle,) if wanted and table.is_free(middle) else ()
            return table.gaps(cue.place, wanted)
        case Role.TAKE | Role.FAULT if cue.place is not None:
            away = _away(cue, table)
            slot = table.free_slot(cue.place, (away[0].x_mm, away[0].y_mm)) if away else None
            return () if slot is None else (slot,)
        case _:
            return ()


def _away(cue: Cue, table: Table) -> list[Pose]:
    """The cards of a cue that do not lie where they belong."""
    poses = [table.poses[card] for card in cue.cards if card in table.poses]
    return [pose for pose in poses if table.layout.place_at(pose.x_mm, pose.y_mm) != cue.place]


def _arrows(cue: Cue, look: Look, gaps: tuple[Pose, ...], table: Table) -> Iterator[Path]:
    """Arrows from cards to where they belong, from a card to the candidates it may take, from the pile to the field."""
    thin = replace(look.stroke, width_mm=min(look.stroke.width_mm, 2.4))
    poses = [table.poses[card] for card in cue.cards if card in table.poses and card != cue.origin]
    match cue.role:
        case Role.CHOICE if cue.origin in table.poses:
            assert cue.origin is not None
            origin = table.poses[cue.origin]
            for pose in poses:
                if table.sees(origin, pose):
                    yield from _arrow(origin, pose, thin)
        case Role.TAKE | Role.FAULT if cue.place is not None:
            goal = gaps[0] if gaps else table.middle(cue.place)
            if goal is not None:
                for pose in _away(cue, table):
                    yield from _arrow(pose, goal, thin, to_card=bool(gaps))
        case Role.STRAY if len(poses) <= _FEW:
            for pose in poses:
                yield from _off_the_mat(pose, thin, table)
        case Role.DRAW:
            pile, field = _pile(cue, table), table.layout.zone(Place("field"))
            if pile is not None and field is not None:
                x, y = field.centre_mm
                length = math.dist((pile.x_mm, pile.y_mm), (x, y))
                share = min(1.0, 80.0 / length) if length > 0 else 0.0
                goal = Pose(pile.x_mm + (x - pile.x_mm) * share, pile.y_mm + (y - pile.y_mm) * share, 0.0)
                yield from _arrow(pile, goal, replace(look.stroke, width_mm=4.0), to_card=False)
        case _:
            return


def ghost(pose: Pose, stroke: Stroke) -> Path:
    """The outline of a card that should lie there."""
    return Path(pose.corners_mm(*CARD_MM), stroke, closed=True)


def _arrow(start: Pose, end: Pose, stroke: Stroke, to_card: bool = True) -> Iterator[Path]:
    a, b = (start.x_mm, start.y_mm), (end.x_mm, end.y_mm)
    length = math.dist(a, b)
    if length < 1:
        return
    leave = _reach(start, a, b) + GUARD_MM + 4.0
    arrive = _reach(end, b, a) + GUARD_MM + 9.0 if to_card else 0.0
    if leave + arrive + 12.0 > length:
        return
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    tail = (a[0] + ux * leave, a[1] + uy * leave)
    tip = (b[0] - ux * arrive, b[1] - uy * arrive)
    yield Path((tail, tip), stroke, head_mm=9.0 + stroke.width_mm)


def _reach(pose: Pose, start: Point, towards: Point) -> float:
    """How far the card's edge is from its centre in the direction of a point."""
    a = math.atan2(towards[1] - start[1], towards[0] - start[0]) - pose.angle_rad
    c, s = abs(math.cos(a)), abs(math.sin(a))
    return min(CARD_MM[0] / 2 / c if c > 1e-9 else math.inf, CARD_MM[1] / 2 / s if s > 1e-9 else math.inf)


def _off_the_mat(pose: Pose, stroke: Stroke, table: Table) -> Iterator[Path]:
    box = table.middle(Place("box"))
    if box is not None:
        yield from _arrow(pose, box, stroke, to_card=False)
        return
    w, h = table.layout.mat_mm[0] / 2 - 3, table.layout.mat_mm[1] / 2 - 3
    x, y = pose.x_mm, pose.y_mm
    edges = ((w - x, (w, y)), (w + x, (-w, y)), (h - y, (x, h)), (h + y, (x, -h)))
    _, (edge_x, edge_y) = min(edges)
    yield from _arrow(pose, Pose(edge_x, edge_y, 0.0), stroke, to_card=False)


def _count(cue: Cue) -> Iterator[Count]:
    if cue.place is not None and cue.count is not None:
        yield Count(cue.place, cue.have or 0, cue.count)
