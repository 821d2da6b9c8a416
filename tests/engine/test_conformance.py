"""Every game, every number of seats, at random: the promises that all games keep."""

from copy import deepcopy
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from engine import journal
from engine.cards import DECK
from engine.catalogue import load, names
from engine.errors import RuleError
from engine.events import Dealt, Ended, Event, Fault, Moved, Place, Scored
from engine.game import Game
from engine.referee import advance, begin, finish, replay
from engine.yaku import tally
from tests.engine.table import random_deal

ROUNDS = 12
TABLES = [(name, seats) for name in names() for seats in sorted(load(name).book.deals)]


def played(game: Game[Any], seats: int, random: Random) -> tuple[list[Any], list[Event]]:
    """The states of a random round, and its facts."""
    deal = random_deal(game, seats, random)
    state = game.apply(game.start(seats, random.randrange(seats)), deal)
    states: list[Any] = [state]
    facts: list[Event] = [deal]
    while game.to_act(state):
        move = random.choice(game.expected(state))
        state = game.apply(state, move)
        states.append(state)
        facts.append(move)
    return states, facts


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_cards_are_conserved_and_somebody_acts_until_the_end(name: str, seats: int) -> None:
    game, random = load(name), Random(seats)
    for _ in range(ROUNDS):
        states, _ = played(game, seats, random)
        for state in states:
            lies = game.places(state)
            hidden = sum(state.hand_counts)
            assert len(lies) + state.draw + hidden == len(game.deck)
            assert bool(game.to_act(state)) is bool(game.expected(state))
        assert not any(place.zone in ("hand", "draw") for place in game.places(states[-1]).values())


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_log_leads_to_the_same_session_through_json(name: str, seats: int) -> None:
    game, random = load(name), Random(100 + seats)
    for _ in range(ROUNDS):
        _, facts = played(game, seats, random)
        session, log = begin(game, seats), [*begin(game, seats).facts]
        first = session
        for number, fact in enumerate(facts):
            if isinstance(fact, Moved):
                fact = Moved(float(number), fact.card, fact.source, fact.target)
            session, follow = advance(session, fact)
            log += [fact, *follow]
        text = "\n".join(journal.dump(event) for event in log) + "\n"
        loaded = journal.load_log(text, "events.jsonl")
        again = replay(game, loaded.events)
        assert loaded.events == tuple(log)
        assert loaded.torn is None
        assert again == session
        assert first == begin(game, seats)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_legal_game_has_no_faults_and_ends_with_its_last_score(name: str, seats: int) -> None:
    game, random = load(name), Random(200 + seats)
    for _ in range(ROUNDS):
        states, facts = played(game, seats, random)
        session = begin(game, seats, states[0].dealer)
        log: list[Event] = []
        for fact in facts:
            session, follow = advance(session, fact)
            log += follow
        assert not [event for event in log if isinstance(event, Fault)]
        ended = [event for event in log if isinstance(event, Ended)]
        assert len(ended) == 1
        assert ended[0].seats == game.score(states[-1]) == [e for e in log if isinstance(e, Scored)][-1].seats
        assert ended[0].winner == tuple(
            seat for seat, t in enumerate(ended[0].seats) if t.total == max(o.total for o in ended[0].seats)
        )


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_expected_moves_are_accepted_and_all_others_refused_in_words(name: str, seats: int) -> None:
    game, random = load(name), Random(300 + seats)
    zones = [*sorted(game.zones(seats), key=str), Place("box")]
    for _ in range(2):
        states, _ = played(game, seats, random)
        for state in random.sample(states, 4):
            before = deepcopy(state)
            expected = set(game.expected(state))
            for move in expected:
                assert game.apply(state, move) != state
            lies = game.places(state)
            for card, target in product(DECK, zones):
                sources = [lies[card]] if card in lies else [Place("draw"), Place("box")]
                for source in sources:
                    move = Moved(0.0, card, source, target)
                    if move in expected or source == target:
                        continue
                    with pytest.raises(RuleError) as caught:
                        game.apply(state, move)
                    assert caught.value.en and caught.value.ja
                    assert "{" not in caught.value.en + caught.value.ja
            assert state == before


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_any_move_at_all_can_be_a_fact_and_cards_stay_conserved(name: str, seats: int) -> None:
    game, random = load(name), Random(400 + seats)
    zones = sorted(game.zones(seats), key=str)
    for _ in range(6):
        log: list[Event] = [random_deal(game, seats, random)]
        session, _ = advance(begin(game, seats), log[0])
        for number in range(60):
            card = random.choice(game.deck)
            source = session.lies.get(card, Place("draw"))
            moves = game.expected(session.state) if random.random() < 0.6 else ()
            moves = moves or (Moved(0.0, card, source, random.choice(zones)),)
            chosen = random.choice(moves)
            log.append(Moved(float(number), chosen.card, chosen.source, chosen.target))
            session, _ = advance(session, log[-1])
            assert session.state is not None
            lies = game.places(session.state)
            assert len(lies) + session.state.draw == len(game.deck)
            if session.readings[-1].off == frozenset():
                assert lies == session.lies
            assert (session.fault is None) or session.fault.message.en
        assert replay(game, [*begin(game, seats).facts, *log]) == session


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_card_put_back_at_once_leaves_no_trace(name: str, seats: int) -> None:
    """A random illegal move in the middle of a game, undone by hand: no fault, and the same state as before."""
    game, random = load(name), Random(500 + seats)
    zones = sorted(game.zones(seats), key=str)
    for _ in range(20):
        states, facts = played(game, seats, random)
        session = begin(game, seats, states[0].dealer)
        for fact in facts[: random.randrange(2, len(facts))]:
            session, _ = advance(session, fact)
        card = random.choice(game.deck)
        source = session.lies.get(card, Place("draw"))
        wrong = Moved(5.0, card, source, random.choice([zone for zone in zones if zone != source]))
        legal = {(m.card, m.target) for m in game.expected(session.state)}
        if (card, wrong.target) in legal:
            continue
        faulty, events = advance(session, wrong)
        mended, _ = advance(faulty, Moved(6.0, card, wrong.target, source))
        assert mended.fault is None
        assert mended.lies == session.lies
        if any(isinstance(event, Fault) for event in events):
            assert mended.state == session.state


def with_slips(game: Game[Any], facts: list[Event], later: int, random: Random, dealer: int) -> list[Event]:
    """The facts with illegal moves in between, each put right by hand `later` moves after it."""
    deal = facts[0]
    assert isinstance(deal, Dealt)
    seats = len(deal.hands)
    zones = sorted(game.zones(seats), key=str)
    clean, told, repairs = begin(game, seats, dealer), list[Event](), list[tuple[int, Moved]]()
    for number, fact in enumerate(facts):
        clean, _ = advance(clean, fact)
        told += [fact, *(repair for due, repair in repairs if due == number)]
        card = random.choice(game.deck)
        source = clean.lies.get(card, Place("draw"))
        target = random.choice([zone for zone in zones if zone != source])
        soon = {f.card for f in facts[number + 1 : number + 1 + later] if isinstance(f, Moved)}
        legal = {(m.card, m.target) for m in game.expected(clean.state)}
        waiting = any(due > number for due, _ in repairs)
        if (
            waiting
            or number + later >= len(facts) - 1
            or card in soon
            or (card, target) in legal
            or random.random() > 0.2
        ):
            continue
        told.append(Moved(0.0, card, source, target))
        if later == 0:
            told.append(Moved(0.0, card, target, source))
        repairs.append((number + later, Moved(0.0, card, target, source)))
    return told


@pytest.mark.parametrize("later", [0, 1])
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_slips_put_right_leave_the_result_as_it_would_have_been(name: str, seats: int, later: int) -> None:
    game, random = load(name), Random(600 + seats)
    for _ in range(12):
        states, facts = played(game, seats, random)
        session = begin(game, seats, states[0].dealer)
        faults = 0
        for number, fact in enumerate(with_slips(game, facts, later, random, states[0].dealer)):
            session, follow = advance(session, replace(fact, t_s=float(number)))
            faults += sum(isinstance(event, Fault) for event in follow)
        session, _ = finish(session, 999.0)
        assert faults > 0
        assert session.ended and session.fault is None
        assert session.state is not None
        assert game.score(session.state) == game.score(states[-1])


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_game_that_nobody_puts_right_scores_what_lies_in_the_piles(name: str, seats: int) -> None:
    game, random = load(name), Random(700 + seats)
    ended = 0
    for _ in range(8):
        session, _ = advance(begin(game, seats), random_deal(game, seats, random))
        for number in range(40):  # wild moves, then everything left is thrown onto the field
            card = random.choice(game.deck)
            target = random.choice([Place("field"), Place("captured", random.randrange(seats))])
            source = session.lies.get(card, Place("draw"))
            session, _ = advance(session, Moved(float(number), card, source, target))
        for card in game.deck:
            source = session.lies.get(card, Place("draw"))
            if source.zone in ("hand", "draw"):
                session, _ = advance(session, Moved(50.0, card, source, Place("field")))
        lies = session.lies
        session, _ = finish(session, 99.0)
        assert session.state is not None
        if not session.ended:
            assert game.to_act(session.state) and session.fault is None
            continue
        ended += 1
        piles = [frozenset(c for c, at in lies.items() if at == Place("captured", seat)) for seat in range(seats)]
        assert game.score(session.state) == tuple(tally(pile, game.book.points, game.book.yaku) for pile in piles)
    assert ended > 0
