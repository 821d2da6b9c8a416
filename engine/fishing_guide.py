"""What a fishing game shows: whose turn, what matches, what to take or to choose, scores and the way to each yaku."""

from engine.cards import Card
from engine.events import Tally, Words
from engine.fishing_state import FishingState, Phase, in_order
from engine.guidance import Cue, Guidance, Role, YakuProgress
from engine.places import FIELD, PILE, captured, hand
from engine.result import result
from engine.rulebook import Rulebook
from engine.words import card_name, card_names, month_name, seat_name
from engine.yaku import progress


def guide(book: Rulebook, state: FishingState, scores: tuple[Tally, ...]) -> Guidance:
    """The guidance for `state`. With hidden hands it depends on public cards only (RULES section 9)."""
    if state.phase is Phase.DEAL:
        return Guidance(headline=book.say("deal_hint"), seat_lines=(None,) * state.seats)
    ways = _progress(book, state)
    dead = state.dead()
    marks = (Cue(Role.DEAD, dead, FIELD, words=book.say("dead")),) if dead else ()
    if state.phase is Phase.OVER:
        return _end(book, scores, ways, marks)
    cues, words = _to_do(book, state)
    turn = Cue(Role.TURN, seat=state.turn, place=hand(state.turn), words=book.say("turn", seat=seat_name(state.turn)))
    return Guidance(
        cues=(turn, *cues, *marks),
        headline=book.say("turn", seat=seat_name(state.turn)),
        seat_lines=tuple(words if seat == state.turn else None for seat in range(state.seats)),
        scores=scores,
        progress=ways,
    )


def _to_do(book: Rulebook, state: FishingState) -> tuple[tuple[Cue, ...], Words]:
    """Cues and the sentence for the seat in turn."""
    if state.active is not None:
        return _capture(book, state, state.active)
    if state.taken:
        words = book.say("take_with", month=month_name(state.taken[0].month))
        return _matches(state, state.taken) or (Cue(Role.DRAW, place=PILE, words=words),), words
    if state.phase is Phase.DRAW:
        words = book.say("draw")
        return (Cue(Role.DRAW, place=PILE, seat=state.turn, words=words),), words
    matches = _matches(state, in_order(state.field))
    return matches, book.say("play_match" if matches else "play")


def _matches(state: FishingState, cards: tuple[Card, ...]) -> tuple[Cue, ...]:
    """For each open hand card of the seat in turn, the `cards` it matches."""
    if state.phase is not Phase.PLAY:
        return ()
    found = ((card, [c for c in cards if c.month == card.month]) for card in in_order(state.hands[state.turn]))
    return tuple(Cue(Role.MATCH, (card, *same), seat=state.turn) for card, same in found if same)


def _capture(book: Rulebook, state: FishingState, active: Card) -> tuple[tuple[Cue, ...], Words]:
    """What to take for the card just played or turned: a prompt to take, or to choose."""
    pile, seat = captured(state.turn), state.turn
    needed = state.needed(book.settings.get("capture_three") == "all")
    partners = state.candidates() if len(state.taken) - (active in state.taken) < needed - 1 else ()
    if needed == 2 and len({card.face for card in partners}) > 1:
        words = book.say("choose", card=card_name(active))
        return (Cue(Role.CHOICE, (active, *partners), pile, seat, active, words),), words
    if needed == 2:
        partners = partners[:1]  # chaff of a month: any of them
    cards = (*(() if active in state.taken else (active,)), *partners)
    if state.taken:
        words = book.say("take_rest", cards=card_names(cards))
    elif needed > 2:
        words = book.say("take_all", count=needed)
    else:
        words = book.say("take")
    return (Cue(Role.TAKE, cards, pile, seat, active, words),), words


def _end(
    book: Rulebook,
    scores: tuple[Tally, ...],
    ways: tuple[tuple[YakuProgress, ...], ...],
    marks: tuple[Cue, ...],
) -> Guidance:
    """The result: every winning seat, and each seat's total."""
    best, words = result(book, scores)
    return Guidance(
        cues=(*(Cue(Role.WINNER, seat=seat, place=captured(seat), words=words) for seat in best), *marks),
        headline=words,
        seat_lines=tuple(book.say("your_total", total=score.total) for score in scores),
        scores=scores,
        progress=ways,
    )


def _progress(book: Rulebook, state: FishingState) -> tuple[tuple[YakuProgress, ...], ...]:
    """Each seat's way to every yaku; cards captured by others and dead cards are lost to it."""
    deck, dead = frozenset(book.deck), frozenset(state.dead())
    seats = range(state.seats)
    lost = (dead.union(*(state.captured[s] for s in seats if s != seat)) for seat in seats)
    return tuple(progress(book.yaku, state.captured[seat], gone, deck) for seat, gone in zip(seats, lost, strict=True))
