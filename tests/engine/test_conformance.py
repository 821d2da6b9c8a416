"""Every game, every number of seats, at random: the promises that all games keep."""

from copy import deepcopy
from dataclasses import replace
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from engine import journal
from engine.cards import DECK, Card
from engine.catalogue import load, names
from engine.chance import random_deal, random_step
from engine.errors import RuleError
from engine.events import Dealt, Ended, Event, Fault, Moved, Place, Scored, Signalled
from engine.game import Game
from engine.referee import NEXT_ROUND, Session, advance, begin, finish, replay
from engine.yaku import card_points, tally, winners

SHORT: dict[str, dict[str, Any]] = {
    "hana-awase": {"rounds": 3},
    "junior-chotto": {"rounds": 3},
    "hiyoko": {"target": 2},
    "isuri": {"deals": 3},
}
"""Options that make a series short."""
OPEN = ("chotto-hana-awase", "oyohen")
TABLES = [(name, seats) for name in names() for seats in sorted(load(name).book.deals)]
every_table = pytest.mark.parametrize(("name", "seats"), TABLES)


def short(name: str) -> Game[Any]:
    return load(name, SHORT.get(name, {}))


def played(game: Game[Any], seats: int, random: Random) -> tuple[list[Any], list[Event]]:
    """The states of a random game, all its rounds, and its facts. The first state is that after the first deal."""
    facts: list[Event] = [random_deal(game, seats, random)]
    states: list[Any] = [game.apply(game.start(seats, random.randrange(seats)), facts[0])]
    while not game.over(states[-1]):
        state = states[-1]
        if game.to_act(state):
            fact = random_step(game, state, random)
        elif isinstance(facts[-1], Moved) and random.random() < 0.5:
            (fact,) = game.expected_signals(state)  # that the next round begins; it may go without saying
        else:
            fact = random_deal(game, seats, random)
        states.append(game.apply(state, fact))
        facts.append(fact)
    return states, facts


def dealer_of(game: Game[Any], states: list[Any]) -> int:
    dealer: int = states[0].dealer
    return dealer


def told(game: Game[Any], seats: int, dealer: int, facts: list[Event]) -> tuple[Session[Any], list[Event]]:
    """The session after the facts, one a second, and what followed from them."""
    session, log = begin(game, seats, dealer), list[Event]()
    for number, fact in enumerate(facts):
        session, follow = advance(session, replace(fact, t_s=float(number)))
        log += follow
    return session, log


def check_conserved(game: Game[Any], state: Any) -> None:
    lies = game.places(state)
    assert len(lies) + sum(game.unseen(state).values()) == len(game.deck)
    assert min(game.unseen(state).values()) >= 0
    if game.to_act(state):
        assert game.expected(state) or game.expected_signals(state)  # where nothing can follow, a pass is left
    else:
        assert not game.expected(state)


def check_sum(game: Game[Any], state: Any, before: Any) -> None:
    """At the end of a round: what the scores of all seats must add up to."""
    total = sum(tally.total for tally in game.score(state))
    match game.name:
        case "hana-awase" if game.book.settings["capture_three"] == "all":
            assert total == 0
        case "junior-chotto":
            lost = card_points(state.round.removed | state.round.field, game.book.points)
            assert total == sum(state.carried) - lost
        case "isuri" if game.book.settings["payer"] == "opponent":
            assert total == 0
        case "hiyoko":
            assert total == state.number


def check_game(game: Game[Any], states: list[Any]) -> None:
    for before, state in pairwise(states):
        check_conserved(game, state)
        if not game.to_act(state) and game.to_act(before):
            check_sum(game, state, before)
    end = states[-1]
    assert not game.to_act(end) and not game.expected_signals(end)
    if game.name not in ("hiyoko", "isuri"):
        assert not any(game.unseen(end).values())


@every_table
def test_cards_are_conserved_and_somebody_acts_until_the_end(name: str, seats: int) -> None:
    game, random = short(name), Random(seats)
    for _ in range(3):
        check_game(game, played(game, seats, random)[0])


@every_table
def test_the_log_leads_to_the_same_session_through_json(name: str, seats: int) -> None:
    game, random = short(name), Random(100 + seats)
    for _ in range(2):
        _, facts = played(game, seats, random)
        session, log = begin(game, seats), [*begin(game, seats).facts]
        first = session
        for number, fact in enumerate(facts):
            fact = replace(fact, t_s=float(number))
            session, follow = advance(session, fact)
            log += [fact, *follow]
        text = "\n".join(journal.dump(event) for event in log) + "\n"
        loaded = journal.load_log(text, "events.jsonl")
        again = replay(game, loaded.events)
        assert loaded.events == tuple(log)
        assert loaded.torn is None
        assert again == session
        assert first == begin(game, seats)


@every_table
def test_a_legal_game_has_no_faults_and_ends_with_its_last_score(name: str, seats: int) -> None:
    game, random = short(name), Random(200 + seats)
    for _ in range(3):
        states, facts = played(game, seats, random)
        session, log = told(game, seats, dealer_of(game, states), facts)
        assert not [event for event in log if isinstance(event, Fault)]
        ended = [event for event in log if isinstance(event, Ended)]
        assert len(ended) == 1 and session.ended
        assert ended[0].seats == game.score(states[-1]) == [e for e in log if isinstance(e, Scored)][-1].seats
        assert ended[0].winner == winners(ended[0].seats)
        assert session.state == states[-1]


def sources(game: Game[Any], session: Session[Any], card: Card, random: Random) -> Place:
    """Where a card lies; one that nobody can see may come from any place that holds such cards."""
    hidden = [place for place, count in session.unseen.items() if count > 0] or [Place("draw")]
    return session.lies.get(card) or random.choice(hidden)


def in_sight(game: Game[Any], *places: Place) -> bool:
    """Whether a move between the places can be seen at all: one of them shows its cards."""
    return any(place.zone != "draw" and not (place.zone == "hand" and game.hidden_hands) for place in places)


def check_moves(game: Game[Any], seats: int, state: Any, random: Random) -> None:
    """All that is expected is accepted, all else refused in words, and the state stays as it was."""
    zones = [*sorted(game.zones(seats), key=str), Place("box")]
    before = deepcopy(state)
    expected = set(game.expected(state))
    for move in expected:
        assert game.apply(state, move) != state
    for signal in game.expected_signals(state):
        assert game.apply(state, signal) != state
    lies = game.places(state)
    hidden = [place for place, count in game.unseen(state).items() if count]
    for card, target in product(DECK, random.sample(zones, min(len(zones), 6))):
        for source in [lies[card]] if card in lies else [*hidden, Place("box")]:
            move = Moved(0.0, card, source, target)
            if move in expected or source == target:
                continue
            with pytest.raises(RuleError) as caught:
                game.apply(state, move)
            assert caught.value.en and caught.value.ja
            assert "{" not in caught.value.en + caught.value.ja
    said = {(signal.name, signal.seat) for signal in game.expected_signals(state)}
    words = ["pass", "stop", "selected", "unselected", "reshuffled", NEXT_ROUND, "x"]
    for word, seat in product(words, range(seats)):
        if (word, seat) not in said and not (word == NEXT_ROUND and NEXT_ROUND in {name for name, _ in said}):
            with pytest.raises(RuleError):
                game.apply(state, Signalled(0.0, word, seat))
    assert state == before


@every_table
def test_expected_moves_are_accepted_and_all_others_refused_in_words(name: str, seats: int) -> None:
    game, random = short(name), Random(300 + seats)
    states, _ = played(game, seats, random)
    for state in [*random.sample(states, 4), states[-1]]:
        check_moves(game, seats, state, random)


@every_table
def test_any_move_at_all_can_be_a_fact_and_cards_stay_conserved(name: str, seats: int) -> None:
    game, random = short(name), Random(400 + seats)
    zones = sorted(game.zones(seats), key=str)
    for _ in range(4):
        log: list[Event] = [random_deal(game, seats, random)]
        session, _ = advance(begin(game, seats), log[0])
        for number in range(50):
            card = random.choice(game.deck)
            source, target = sources(game, session, card, random), random.choice(zones)
            moves: tuple[Event, ...] = (Moved(0.0, card, source, target),)
            if session.state is not None and random.random() < 0.6:
                moves = (*game.expected(session.state), *game.expected_signals(session.state)) or moves
            if session.closed or session.state is None:
                break
            log.append(replace(random.choice(moves), t_s=float(number)))
            session, _ = advance(session, log[-1])
            if session.state is None:  # the next round was announced
                continue
            lies = game.places(session.state)
            assert len(lies) + sum(game.unseen(session.state).values()) == len(game.deck)
            if session.readings[-1].off == frozenset():
                assert lies == session.lies
            assert (session.fault is None) or session.fault.message.en
        assert replay(game, [*begin(game, seats).facts, *log]) == session


@every_table
def test_every_card_put_back_at_once_leaves_no_trace(name: str, seats: int) -> None:
    """A random illegal move in the middle of a game, undone by hand: no fault, and the same state as before."""
    game, random = short(name), Random(500 + seats)
    zones = sorted(game.zones(seats), key=str)
    tried = 0
    for _ in range(1 if seats > 2 else 4):
        states, facts = played(game, seats, random)
        session = begin(game, seats, dealer_of(game, states))
        for number, fact in enumerate(facts):
            session, _ = advance(session, replace(fact, t_s=float(number)))
            if session.state is None or session.closed or random.random() > 0.2:
                continue
            card = random.choice(game.deck)
            source = sources(game, session, card, random)
            wrong = Moved(5.0, card, source, random.choice([zone for zone in zones if zone != source]))
            legal = {(m.card, m.target) for m in game.expected(session.state)}
            if (card, wrong.target) in legal or not in_sight(game, source, wrong.target):
                continue
            faulty, events = advance(session, wrong)
            mended, _ = advance(faulty, Moved(6.0, card, wrong.target, source))
            assert mended.fault is None
            assert mended.lies == session.lies
            if any(isinstance(event, Fault) for event in events):
                assert mended.state == session.state
                tried += 1
    assert tried > 0


def with_slips(game: Game[Any], seats: int, facts: list[Event], later: int, random: Random, dealer: int) -> list[Event]:
    """The facts with illegal moves in between, each put right by hand `later` moves after it."""
    zones = sorted(game.zones(seats), key=str)
    clean, told, repairs = begin(game, seats, dealer), list[Event](), list[tuple[int, Moved]]()
    for number, fact in enumerate(facts):
        clean, _ = advance(clean, fact)
        told += [fact, *(repair for due, repair in repairs if due == number)]
        card = random.choice(game.deck)
        source = sources(game, clean, card, random)
        target = random.choice([zone for zone in zones if zone != source])
        after = facts[number + 1 : number + 2 + later]
        soon = {f.card for f in after if isinstance(f, Moved)}
        waiting = any(due > number for due, _ in repairs)
        if (
            waiting
            or clean.state is None
            or not game.to_act(clean.state)
            or not all(isinstance(f, Moved) for f in after[: later + 1])
            or len(after) <= later
            or card in soon
            or not in_sight(game, source, target)
            or (card, target) in {(m.card, m.target) for m in game.expected(clean.state)}
            or random.random() > 0.2
        ):
            continue
        told.append(Moved(0.0, card, source, target))
        if later == 0:
            told.append(Moved(0.0, card, target, source))
        repairs.append((number + later, Moved(0.0, card, target, source)))
    return told


@pytest.mark.parametrize("later", [0, 1])
@every_table
def test_slips_put_right_leave_the_result_as_it_would_have_been(name: str, seats: int, later: int) -> None:
    game, random = short(name), Random(600 + seats)
    faults = 0
    for _ in range(3):
        states, facts = played(game, seats, random)
        slips = with_slips(game, seats, facts, later, random, dealer_of(game, states))
        session, log = told(game, seats, dealer_of(game, states), slips)
        faults += sum(isinstance(event, Fault) for event in log)
        session, _ = finish(session, 999.0)
        assert session.ended and session.fault is None
        assert session.state is not None
        assert game.score(session.state) == game.score(states[-1])
    assert faults > 0


@pytest.mark.parametrize(("name", "seats"), [table for table in TABLES if table[0] in OPEN])
def test_a_game_that_nobody_puts_right_scores_what_lies_in_the_piles(name: str, seats: int) -> None:
    game, random = load(name), Random(700 + seats)
    ended = 0
    for _ in range(4):
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


def options_of(name: str) -> list[dict[str, Any]]:
    """Every value of every option alone, short series apart."""
    return [
        {**SHORT.get(name, {}), option.name: value}
        for option in load(name).book.options
        for value in option.allowed
        if value != option.default and option.name not in ("rounds", "target", "deals")
    ]


def mixed(name: str, random: Random) -> dict[str, Any]:
    """A random value for every option, the series short."""
    chosen = {option.name: random.choice(option.allowed) for option in load(name).book.options}
    return {**chosen, **SHORT.get(name, {})}


@pytest.mark.parametrize("name", names())
def test_each_option_alone_and_some_together(name: str) -> None:
    random = Random(name)
    for options in [*options_of(name), *(mixed(name, random) for _ in range(4))]:
        game = load(name, options)
        check_game(game, played(game, random.choice(sorted(game.book.deals)), random)[0])


ROUNDS = 200
"""Rounds played for the defaults, each option alone and each random combination."""


def checked_games(name: str, seats: int, options: dict[str, Any], random: Random) -> None:
    """Whole random games, of at least ROUNDS rounds together, in which all promises are kept.

    Every log is written as JSON and read back. Some games are told to the referee move by move, and some states are
    tried with all moves there are.
    """
    game, rounds, number = load(name, options), 0, 0
    while rounds < ROUNDS:
        states, facts = played(game, seats, random)
        rounds += sum(isinstance(fact, Dealt) for fact in facts)
        check_game(game, states)
        log = [*begin(game, seats, dealer_of(game, states)).facts, *facts]
        text = "\n".join(journal.dump(event) for event in log) + "\n"
        again = replay(game, journal.load_log(text, "events.jsonl").events)
        assert again.ended and not again.faults and again.state == states[-1]
        assert game.score(again.state) == game.score(states[-1])
        if number % 5 == 0:
            session, follow = told(game, seats, dealer_of(game, states), facts)
            assert session.ended and not [event for event in follow if isinstance(event, Fault)]
            check_moves(game, seats, random.choice(states), random)
        number += 1


@pytest.mark.slow
@every_table
def test_many_rounds_with_every_option(name: str, seats: int) -> None:
    random = Random(800 + seats)
    for options in [SHORT.get(name, {}), *options_of(name), *(mixed(name, random) for _ in range(20))]:
        checked_games(name, seats, options, random)


def test_a_deal_is_a_fact_of_its_own() -> None:
    """Hidden hands are dealt as counts, open ones as cards."""
    for name, seats in TABLES:
        deal = random_deal(load(name), seats, Random(1))
        assert isinstance(deal, Dealt)
        assert bool(deal.hands) is (name in OPEN) and bool(deal.hand_counts) is (name not in OPEN)
