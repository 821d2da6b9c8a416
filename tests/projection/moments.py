"""Moments of real games, laid out on a table as people lay cards: what the pictures of the tests are made of."""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from calibration.frames import Pose
from calibration.layout import Layout, builtin_layout
from engine.cards import Card
from engine.catalogue import load
from engine.events import Dealt, Moved, Place
from engine.guidance import Guidance, Role
from engine.referee import Session, advance, begin, guide
from engine.setup import guide_deal
from projection.space import Turned

KINDS = ("deal", "middle", "choice", "fault", "end")


@dataclass(frozen=True)
class Moment:
    """One moment: what the game says, and where everything lies."""

    guidance: Guidance
    poses: Mapping[Card, Pose]
    layout: Layout
    draw_pile: Pose | None
    occupied: tuple[Pose, ...] = ()


def moment(kind: str, seats: int, seed: int = 1) -> Moment:
    """A deal, the middle of a game, a choice of two, a fault or the end, for 2, 3 or 4 seats."""
    layout = builtin_layout(seats)
    match kind:
        case "deal":
            return _deal(layout, seats, seed)
        case "middle":
            return _play(layout, seats, seed, lambda g, left: _has(g, Role.MATCH) and left <= 6)
        case "choice":
            return _play(layout, seats, seed, lambda g, left: _has(g, Role.CHOICE))
        case "fault":
            return _fault(layout, seats, seed)
        case _:
            return _play(layout, seats, seed, lambda g, left: _has(g, Role.WINNER))


def _has(guidance: Guidance, role: Role) -> bool:
    return any(cue.role is role for cue in guidance.cues)


def _play(layout: Layout, seats: int, seed: int, wanted: Callable[[Guidance, int], bool]) -> Moment:
    """Random legal games from `seed` on, until a moment is as wanted."""
    session, pile, rng = _played(seats, seed, wanted)
    lying = {card: place for card, place in session.lies.items() if place.zone != "draw"}
    return Moment(guide(session), lay(lying, layout, rng), layout, _pile(layout, pile))


def _played(seats: int, seed: int, wanted: Callable[[Guidance, int], bool]) -> tuple[Session[Any], int, random.Random]:
    """The session at that moment, the cards left in its pile, and the dice as they are then."""
    game: Any = load("chotto-hana-awase")
    for attempt in range(200):
        rng = random.Random(f"{seed}-{seats}-{attempt}")
        pile = list(game.deck)
        rng.shuffle(pile)
        counts = game.deal(seats)
        packs = {place: tuple(pile.pop() for _ in range(n)) for place, n in counts.items() if place.zone != "draw"}
        hands = tuple(packs[Place("hand", seat)] for seat in range(seats))
        session: Session[Any] = begin(game, seats)
        session, _ = advance(session, Dealt(0.0, packs[Place("field")], hands, len(pile)))
        t_s = 0.0
        while session.state is not None and session.fault is None:
            if wanted(guide(session), len(pile)):
                return session, len(pile), rng
            state = session.state
            moves = [m for m in game.expected(state) if m.source.zone != "draw" or (pile and m.card == pile[-1])]
            laid = [m for m in moves if m.source.zone in ("hand", "draw") and m.target.zone == "field"]
            taken = [m for m in moves if m.source.zone == "field" and m.target.zone == "captured"]
            usual = taken if state.under_way else laid
            if not usual:
                break
            t_s += 2.0
            move: Moved = replace(rng.choice(usual), t_s=t_s)
            session, _ = advance(session, move)
            if move.source.zone == "draw":
                pile.pop()
    raise AssertionError(f"no such moment for {seats} seats")


def lay(places: Mapping[Card, Place], layout: Layout, rng: random.Random) -> dict[Card, Pose]:
    """Cards in rows on the field and in hands, fanned in the captured piles, none of them quite straight."""
    poses: dict[Card, Pose] = {}
    by_place: dict[Place, list[Card]] = {}
    for card, place in places.items():
        by_place.setdefault(place, []).append(card)
    for place, cards in by_place.items():
        zone = layout.zone(place)
        assert zone is not None
        turned = Turned(layout.seats[place.seat or 0].facing_deg)
        local = [turned.local(*p) for p in zone.polygon_mm]
        u0, u1 = min(u for u, _ in local), max(u for u, _ in local)
        v0, v1 = min(v for _, v in local), max(v for _, v in local)
        for i, card in enumerate(cards):
            if place.zone == "captured":
                u, v = u0 + 24 + (i % 8) * min(21.0, (u1 - u0 - 48) / 7), v1 - 32 - (i // 8) * 30
            else:
                columns = min(len(cards), 5) if place.zone == "field" else len(cards)
                rows = -(-len(cards) // columns)
                pitch = min(52.0, (u1 - u0 - 40) / max(1, columns - 1))
                u = (u0 + u1) / 2 + (i % columns - (columns - 1) / 2) * pitch + rng.uniform(-2, 2)
                v = (v0 + v1) / 2 + ((rows - 1) / 2 - i // columns) * 68 + rng.uniform(-2, 2)
            angle = math.radians(turned.facing_deg + rng.uniform(-4, 4))
            poses[card] = Pose(*turned.table(u, v), angle)
    return poses


def _pile(layout: Layout, left: int) -> Pose | None:
    zone = layout.zone(Place("draw"))
    assert zone is not None
    return Pose(*zone.centre_mm, 0.03, 1.1 * left) if left else None


def _fault(layout: Layout, seats: int, seed: int) -> Moment:
    """A card of a seat that waits lies on the field, with its ring, its arrow and the sentence of the referee."""
    session, left, rng = _played(seats, seed, lambda g, n: _has(g, Role.MATCH) and n <= 8)
    state: Any = session.state
    seat = (state.turn + 1) % seats
    card = min(state.hands[seat])
    session, _ = advance(session, Moved(99.0, card, Place("hand", seat), Place("field")))
    assert session.fault is not None
    field = layout.zone(Place("field"))
    assert field is not None
    poses = lay({c: place for c, place in session.lies.items() if c != card}, layout, rng)
    poses[card] = Pose(field.bounds_mm[0] + 40, field.bounds_mm[1] + 45, 0.4)
    return Moment(guide(session), poses, layout, _pile(layout, left))


def _deal(layout: Layout, seats: int, seed: int) -> Moment:
    """Half dealt, one wisteria still among the cards."""
    game: Any = load("chotto-hana-awase")
    rng = random.Random(seed)
    cards = list(game.deck)
    rng.shuffle(cards)
    counts = game.deal(seats)
    have = {
        place: (0 if place.zone == "draw" else max(1, n * 2 // 3 - (place.seat or 0))) for place, n in counts.items()
    }
    places: dict[Card, Place] = {}
    for place, n in have.items():
        for _ in range(n):
            places[cards.pop()] = place
    stray = Card.parse("04-animal")
    poses = lay(places, layout, rng)
    field = layout.zone(Place("field"))
    assert field is not None
    poses[stray] = Pose(field.bounds_mm[0] + 60, field.bounds_mm[1] + 55, 0.5)
    lies = places | {stray: Place("field")}
    return Moment(guide_deal(game, seats, lies, 0), poses, layout, None)
