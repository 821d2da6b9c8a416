"""Answers to cases about Hiyoko and Isuri. Hands are known in them, so the rules no table can check are tried too."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from engine.cards import Card
from engine.cases.case import Answer, Case, card_at, cards_of
from engine.chance import random_deal
from engine.events import Place, Signalled
from engine.nagoya import ALL, Laws, Step, in_hand, when_turned
from engine.places import PILE
from engine.runs import SOU_DASHI, STOP
from engine.yamlfile import Section

_SEATS: Final = {"D": 0, "O": 1}


def _playable(case: Case) -> Any:
    """The plain follow-ups in the hand: neither the January of a one-two nor a card outside the sequence."""
    follow = _laws(case).followers(_tops(case))
    return [card for card in case.cards("hand") if in_hand(card) & follow]


def _run(case: Case) -> Any:
    """Whether the seat in turn may lay the run and stop then; an empty one is a pass."""
    laws, tops, run, hand = _laws(case), _tops(case), _steps(case), list(case.cards("hand"))
    settings = case.load().book.settings
    for card in (card for step in run for card in step):
        if card not in hand:
            return {"legal": False}
        hand.remove(card)
    read = _readings(laws, tops, run)
    if run and not any(step.complete for step in read):
        return {"legal": False}
    ends = frozenset(step for step in read if step.complete)
    goes_on = any(step.complete for card in hand for step in laws.lay(tops, ends, card))
    compulsory = settings["must_continue"] if run else settings["must_play"]
    return {"legal": not (compulsory and goes_on)}


def _pay(case: Case) -> Any:
    """What the run brings, read as steps as it is written; without a top card it may have been laid on any."""
    game, run = case.load(), _steps(case)
    tops = _tops(case) if case.given.has("top") else ALL
    read = [step for step in _readings(_laws(case), tops, run) if step.complete]
    if not read:
        return {"legal": False}
    pay = max(step.paid for step in read)
    size, laid = game.book.deal(2).hand, sum(len(step) for step in run)
    bonus = SOU_DASHI if laid == size == len(case.cards("hand_before")) else 0
    return {"legal": True, "pay": pay, "bonus": bonus, "total": pay + bonus}


def _readings(laws: Laws, tops: frozenset[int], run: Sequence[Sequence[Card]]) -> frozenset[Step]:
    """The ways to read a run whose steps are known; empty where there is none."""
    read: frozenset[Step] = frozenset()
    for step in run:
        for card in step:
            read = laws.lay(tops, read, card)
            if not read:
                return read
        read = frozenset(one for one in read if one.count == len(step))
        if not read:
            return read
    return read


def _flips(case: Case) -> Any:
    """Before which turns (counted from 1) a card is turned up, and by whom."""
    game: Any = case.load()
    chance, flips = Random(0), {}
    state = game.apply(game.start(2), random_deal(game, 2, chance))
    for number, turn in enumerate(case.given.items("turns"), start=1):
        who, _, what = str(turn).partition(":")
        if who not in _SEATS or what not in ("play", "pass"):
            raise case.given.error("turns", f"must hold D:play, D:pass, O:play or O:pass, got {turn!r}")
        if game.to_act(state) != {_SEATS[who]}:
            raise case.given.error("turns", f"names {who} where it is the other's turn")
        moves = game.expected(state)
        if moves and all(move.source == PILE for move in moves):
            flips[number] = who
            turned = (game.apply(state, move) for move in moves)
            state = next(after for after in turned if _plays(game, after))
        if what == "pass":
            state = game.apply(state, Signalled(0.0, "pass", _SEATS[who]))
        else:
            state = game.apply(_plays(game, state)[0], Signalled(0.0, STOP, _SEATS[who]))
    return {"flips_before_turn": flips}


def _plays(game: Any, state: Any) -> list[Any]:
    """The states after one card laid by the seat in turn that may leave it at that."""
    mine = [m for m in game.expected(state) if m.source == Place("hand", *game.to_act(state))]
    after = (game.apply(state, move) for move in mine)
    return [one for one in after if any(signal.name == STOP for signal in game.expected_signals(one))]


def _steps(case: Case) -> list[tuple[Card, ...]]:
    """The run step by step: a list inside it is a group laid together."""
    run = case.given.items("run")
    steps = Section(case.given.file, case.given.place("run"), dict(enumerate(run)))
    return [
        cards_of(steps, number) if isinstance(step, list) else (card_at(steps, number),)  # type: ignore[arg-type]
        for number, step in enumerate(run)
    ]


def _tops(case: Case) -> frozenset[int]:
    top = case.card("top")
    return in_hand(top) if case.given.text("top_source", "hand") == "hand" else when_turned(top)


def _laws(case: Case) -> Laws:
    series: Any = case.load()
    laws: Laws = series.game.laws
    return laws


ANSWERS: Final[dict[str, Answer]] = {
    "hiyoko_playable": _playable,
    "hiyoko_run": _run,
    "hiyoko_flips": _flips,
    "isuri_pay": _pay,
}
