"""What the table shows and logs never depends on a card that nobody has seen (RULES section 9)."""

from random import Random
from typing import Any

import pytest

from engine.cards import Card
from engine.catalogue import load, names
from engine.events import Event, Moved, Place
from engine.guidance import Guidance
from engine.referee import Session, advance, begin, expected_signals, guide, likely_source
from tests.engine.world import World

HIDDEN = [(n, seats) for n in names() if load(n).hidden_hands for seats in sorted(load(n).book.deals)]


def told(game: Any, seats: int, log: list[Event]) -> list[tuple[Guidance, tuple[Event, ...], Any]]:
    """For each public event: what is shown after it, what follows from it, and what players may say."""
    session: Session[Any] = begin(game, seats)
    out = []
    for event in log:
        session, follow = advance(session, event)
        out.append((guide(session), follow, expected_signals(session)))
    return out


def common(one: list[Event], other: list[Event]) -> int:
    """How many events two logs share from the beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@pytest.mark.parametrize(("name", "seats"), HIDDEN)
def test_other_hidden_cards_show_the_same_until_one_is_seen(name: str, seats: int) -> None:
    game, random = load(name), Random(seats)
    for _ in range(4):
        world = World(game, seats, random)
        for _ in range(random.randrange(40)):
            world.step()
        other = world.copy()
        other.exchange_hidden()
        played = len(world.log)
        for one in (world, other):
            one.random = Random(9)  # the same thoughts about other cards
            for _ in range(12):
                one.step()
        same = common(world.log, other.log)
        assert same >= played
        assert told(game, seats, world.log)[:same] == told(game, seats, other.log)[:same]


def named(guidance: Guidance) -> set[Card]:
    """The cards that the guidance marks or counts for somebody."""
    marked = {card for cue in guidance.cues for card in (*cue.cards, *((cue.origin,) if cue.origin else ()))}
    return marked | {card for ways in guidance.progress for way in ways for card in way.held}


@pytest.mark.parametrize(("name", "seats"), HIDDEN)
def test_no_card_is_marked_before_everybody_has_seen_it(name: str, seats: int) -> None:
    game, random = load(name), Random(50 + seats)
    for _ in range(3):
        world = World(game, seats, random)
        while world.step():
            hidden = set(world.pile).union(*world.hands)
            assert not named(game.guide(world.state)) & hidden


@pytest.mark.parametrize(("name", "seats"), HIDDEN)
def test_every_unseen_card_is_expected_alike(name: str, seats: int) -> None:
    """What is expected is a matter of what has been seen: exchanging hidden cards changes nothing."""
    game, random = load(name), Random(90 + seats)
    world = World(game, seats, random)
    for _ in range(15):
        world.step()
        before = game.expected(world.state)
        world.exchange_hidden()
        assert game.expected(world.state) == before
        assert {m.card for m in before if m.source.zone in ("hand", "draw")} <= set(world.pile).union(*world.hands)


@pytest.mark.parametrize(("name", "seats"), HIDDEN)
def test_where_a_card_came_from_is_told_by_the_rules(name: str, seats: int) -> None:
    """The eyes see a card come to rest, not the hand it left: of a legal move the rules know, but for a run's end."""
    game, random = load(name), Random(30 + seats)
    world = World(game, seats, random)
    session, _ = advance(begin(game, seats), world.log[0])
    told, right = 0, 0
    while world.step():
        fact = world.log[-1]
        if isinstance(fact, Moved):
            told += 1
            right += likely_source(session, fact.card, fact.target) == fact.source
        session, _ = advance(session, fact)
    assert right == told if name in ("hana-awase", "junior-chotto") else right >= 0.7 * told


def test_where_a_card_against_the_rules_came_from() -> None:
    world = World(load("hiyoko"), 2, Random(1))
    session, _ = advance(begin(world.game, 2), world.log[0])
    top = world.log[0].field[0]  # type: ignore[union-attr]
    assert likely_source(session, top, Place("hand", 0)) == Place("discard")
    legal = {move.card for move in world.game.expected(world.state)}
    far = next(card for card in world.game.deck if card != top and card not in legal)
    assert likely_source(session, far, Place("discard")) == Place("hand", 0)
