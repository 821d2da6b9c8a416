"""What Hiyoko and Isuri show: whose turn, which months may follow, when to turn a card up, what has been paid."""

from collections.abc import Iterable

from engine.events import Tally, Words
from engine.guidance import Cue, Guidance, Role
from engine.nagoya import FEBRUARY, JANUARY, ORDER, Laws
from engine.places import PILE, hand
from engine.rulebook import Rulebook
from engine.runs_state import Phase, RunsState
from engine.words import month_name, seat_name


def guide(book: Rulebook, laws: Laws, state: RunsState, scores: tuple[Tally, ...], money: bool) -> Guidance:
    """The guidance for `state`: it knows the discard pile and how many cards there are, nothing else."""
    todo: tuple[Cue, ...] = ()
    match state.phase:
        case Phase.DEAL:
            return Guidance(headline=book.say("deal_hint"), seat_lines=(None, None))
        case Phase.OVER:
            words = book.say("hand_empty", seat=seat_name(state.turn))
            cue = Cue(Role.WINNER, seat=state.turn, place=hand(state.turn), words=words)
            lines = tuple(book.say("your_total", total=score.total) for score in scores)
            return Guidance(cues=(cue,), headline=words, seat_lines=lines, scores=scores)
        case Phase.TURN_UP:
            words = book.say("turn_up" if state.draw > 0 else "reshuffle")
            todo = (Cue(Role.DRAW, place=PILE, seat=state.turn, words=words),)
        case Phase.PLAY:
            words = _what_follows(book, laws, state)
    turn = book.say("turn", seat=seat_name(state.turn))
    headline = book.say("turn_pot", seat=seat_name(state.turn), pot=state.pot) if money else turn
    return Guidance(
        cues=(Cue(Role.TURN, seat=state.turn, place=hand(state.turn), words=turn), *todo),
        headline=headline,
        seat_lines=tuple(words if seat == state.turn else None for seat in range(2)),
        scores=scores,
    )


def _what_follows(book: Rulebook, laws: Laws, state: RunsState) -> Words:
    """The months that may be laid now, and that the run may end."""
    if any(step.open_one for step in state.steps) and not state.may_end:
        return book.say("now_february", month=month_name(ORDER[FEBRUARY - 1]))
    if state.steps and not state.may_end:
        months = (step.month for step in state.steps if step.count == 2)
        return book.say("now_third", months=months_words(book, months))
    months_that = months_words(book, laws.followers(state.counted))
    if not state.steps:
        one_two = JANUARY in state.tops and len(laws.followers(state.tops)) < 12
        return book.say("follow_or_one_two" if one_two else "follow_or_pass", months=months_that)
    return book.say("follow_or_stop", months=months_that)


def months_words(book: Rulebook, months: Iterable[int]) -> Words:
    """The plants of months given in the Nagoya order: neighbours as a span, all of them as any."""
    found = sorted(set(months))
    if len(found) == 12:
        return book.say("any_month")
    spans: list[tuple[int, int]] = []
    for month in found:
        if spans and spans[-1][1] == month - 1:
            spans[-1] = (spans[-1][0], month)
        else:
            spans.append((month, month))
    parts = [_span(book, first, last) for first, last in spans]
    return Words(", ".join(part.en for part in parts), "・".join(part.ja for part in parts))


def _span(book: Rulebook, first: int, last: int) -> Words:
    names = [book.say("month", number=month, plant=month_name(ORDER[month - 1])) for month in (first, last)]
    if first == last:
        return names[0]
    return book.say("month_span", first=names[0], last=names[1])
