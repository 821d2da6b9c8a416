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
from engine.events import Dealt, Moved, Place, Words
from engine.guidance import Cue, Guidance, Role
from engine.words import card_name, card_names, place_name
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
            return _with_echo(_play(layout, seats, seed, lambda g, left: _has(g, Role.MATCH) and left <= 6))
        case "choice":
            return _play(layout, seats, seed, lambda g, left: _has(g, Role.CHOICE))
        case "fault":
            return _with_fault(_play(layout, seats, seed, lambda g, left: _has(g, Role.MATCH) and left <= 8))
        case _:
            return _play(layout, seats, seed, lambda g, left: _has(g, Role.WINNER))


def _has(guidance: Guidance, role: Role) -> bool:
    return any(cue.role is role for cue in guidance.cues)


def _play(layout: Layout, seats: int, seed: int, wanted: Callable[[Guidance, int], bool]) -> Moment:
    """Random legal games from `seed` on, until a moment is as wanted."""
    game: Any = load("chotto-hana-awase")
    for attempt in range(200):
        rng = random.Random(f"{seed}-{seats}-{attempt}")
        cards = list(game.deck)
        rng.shuffle(cards)
        places: dict[Card, Place] = {}
        counts = game.deal(seats)
        at = 0
        for place, count in counts.items():
            for card in cards[at : at + count]:
                places[card] = place
            at += count
        pile = [card for card in cards if places[card].zone == "draw"]
        dealt = Dealt(
            0.0,
            tuple(c for c in cards if places[c].zone == "field"),
            tuple(tuple(c for c in cards if places[c] == Place("hand", s)) for s in range(seats)),
            len(pile),
        )
        try:
            state = game.apply(game.start(seats), dealt)
        except Exception:  # a misdeal: shuffle again
            continue
        while True:
            guidance = game.guide(state)
            if wanted(guidance, len(pile)):
                lying = {card: place for card, place in places.items() if place.zone != "draw"}
                return Moment(guidance, lay(lying, layout, rng), layout, _pile(layout, len(pile)))
            moves = [m for m in game.expected(state) if m.source.zone != "draw" or (pile and m.card == pile[-1])]
            laid = [m for m in moves if m.source.zone in ("hand", "draw") and m.target.zone == "field"]
            taken = [m for m in moves if m.source.zone == "field" and m.target.zone == "captured"]
            usual = taken if state.under_way else laid
            if not usual:
                break
            move: Moved = rng.choice(usual)
            state = game.apply(state, replace(move, t_s=1.0))
            places[move.card] = move.target
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


def _with_echo(moment: Moment) -> Moment:
    """A card of seat 0's pile has just come there."""
    card = next(c for c, p in moment.poses.items() if moment.layout.place_at(p.x_mm, p.y_mm) == Place("captured", 0))
    place = Place("captured", 0)
    name, where = card_name(card), place_name(place)
    words = Words(f"{name.en} → {where.en}", f"{name.ja} → {where.ja}")
    cue = Cue(Role.ECHO, (card,), place, 0, words=words)
    return replace(moment, guidance=replace(moment.guidance, cues=(*moment.guidance.cues, cue)))


def _with_fault(moment: Moment) -> Moment:
    """A card of seat 1's hand lies on the field out of turn."""
    hand = Place("hand", 1)
    card = next(c for c, p in moment.poses.items() if moment.layout.place_at(p.x_mm, p.y_mm) == hand)
    field = moment.layout.zone(Place("field"))
    assert field is not None
    left, low, _, _ = field.bounds_mm
    poses = dict(moment.poses) | {card: Pose(left + 40, low + 45, 0.4)}
    poses = {c: p for c, p in poses.items() if c == card or math.dist((p.x_mm, p.y_mm), (left + 40, low + 45)) > 70}
    name, place = card_name(card), place_name(hand)
    words = Words(
        f"It is Player 1's turn. {name.en}: back to {place.en}",
        f"プレイヤー1の番です。{name.ja}は{place.ja}に戻してください",
    )
    cues = (*moment.guidance.cues, Cue(Role.FAULT, (card,), hand, 1, words=words))
    return replace(moment, poses=poses, guidance=replace(moment.guidance, cues=cues))


def _deal(layout: Layout, seats: int, seed: int) -> Moment:
    """Half dealt, one wisteria still among the cards, two cards not found."""
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
    lost = tuple(cards[:2])
    names, gone = card_name(stray), card_names(lost)
    cues = (
        *(Cue(Role.DEAL, place=place, count=n, have=have[place]) for place, n in counts.items()),
        Cue(Role.STRAY, (stray,), words=Words(f"Take out: {names.en}", f"使わない札です：{names.ja}")),
        Cue(Role.MISSING, lost, words=Words(f"Not found: {gone.en}", f"見つからない札：{gone.ja}")),
    )
    headline = Words("Shuffle and deal", "よく混ぜて配ってください")
    return Moment(Guidance(cues, headline, (None,) * seats), poses, layout, None)
