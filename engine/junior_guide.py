"""What Junior's Chotto shows: who still chooses, that all may reveal, where the revealed cards go, the scores."""

from engine.cards import Card
from engine.events import Place, Tally, Words
from engine.guidance import Cue, Guidance, Role
from engine.junior_state import JuniorState, Phase
from engine.places import FIELD, REMOVED, captured, select
from engine.result import result
from engine.reveal import Group
from engine.rulebook import Rulebook
from engine.words import card_name, card_names, month_name, seat_name, seat_names


def guide(book: Rulebook, state: JuniorState, scores: tuple[Tally, ...], choices: tuple[Card, ...]) -> Guidance:
    """The guidance for `state`; it knows what has been revealed and how many cards there are, nothing else."""
    match state.phase:
        case Phase.DEAL:
            return Guidance(headline=book.say("deal_hint"), seat_lines=(None,) * state.seats)
        case Phase.SELECT:
            return _selecting(book, state, scores)
        case Phase.RESOLVE:
            return _resolving(book, state, scores, choices)
        case Phase.OVER:
            return _end(book, scores)


def _selecting(book: Rulebook, state: JuniorState, scores: tuple[Tally, ...]) -> Guidance:
    thinking = [seat for seat in state.waiting if seat not in state.selected]
    if not thinking:
        key = "reveal"
    elif state.opening:
        key = "select_opening"
    else:
        key = "draw_select" if any(state.hand_counts[s] == book.deal(state.seats).hand for s in thinking) else "select"
    words = book.say(key)
    who = thinking or state.waiting
    cues = tuple(Cue(Role.TURN, seat=seat, place=select(seat), words=words) for seat in who)
    lines = tuple(words if seat in who else None for seat in range(state.seats))
    return Guidance(cues=cues, headline=words, seat_lines=lines, scores=scores)


def _resolving(book: Rulebook, state: JuniorState, scores: tuple[Tally, ...], choices: tuple[Card, ...]) -> Guidance:
    moved = dict(state.moved)
    cues: list[Cue] = []
    lines: dict[int, Words] = {}
    for group in state.unsettled(book.settings):
        words, marks = _group(book, group, moved, choices)
        cues += marks
        lines.update((seat, words) for seat, _ in group.revealed)
    acting = sorted(lines)
    turns = tuple(Cue(Role.TURN, seat=seat, place=select(seat), words=lines[seat]) for seat in acting)
    return Guidance(
        cues=(*turns, *cues),
        headline=book.say("move_cards", seats=seat_names(acting)),
        seat_lines=tuple(lines.get(seat) for seat in range(state.seats)),
        scores=scores,
    )


def _group(
    book: Rulebook, group: Group, moved: dict[Card, Place], choices: tuple[Card, ...]
) -> tuple[Words, list[Cue]]:
    """The sentence and the marks for one month revealed."""
    seat, card = group.revealed[0]
    if group.field == choices and choices:
        words = book.say("choose", card=card_name(card))
        return words, [Cue(Role.CHOICE, (card, *choices), captured(seat), seat, card, words)]
    outcome = group.left(moved)[0]
    wrong = [c for c in group.cards if moved.get(c, group.origins[c]) != outcome[c]]
    places = dict.fromkeys(outcome[c] for c in wrong)
    key = {FIELD: "lay_down", REMOVED: "put_aside"}
    marks = []
    words = book.say("move_cards", seats=seat_name(seat))
    for place in places:
        cards = tuple(c for c in wrong if outcome[c] == place)
        names = card_names(cards) if len(cards) < 3 else month_name(card.month)
        words = book.say(key.get(place, "take_these"), cards=names)
        if place.zone == "captured" and len(cards) > 2:
            words = book.say("take_all", count=len(cards))
        if place == FIELD and len(group.cards) == 3:
            words = book.say("stack")
        marks.append(Cue(Role.TAKE, cards, place, place.seat if place.seat is not None else seat, cards[0], words))
    return words, marks


def _end(book: Rulebook, scores: tuple[Tally, ...]) -> Guidance:
    best, words = result(book, scores)
    return Guidance(
        cues=tuple(Cue(Role.WINNER, seat=seat, place=captured(seat), words=words) for seat in best),
        headline=words,
        seat_lines=tuple(book.say("your_total", total=score.total) for score in scores),
        scores=scores,
    )
