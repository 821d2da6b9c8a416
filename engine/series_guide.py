"""What a series shows beside its rounds: who draws for the deal, which round it is, what a round has brought."""

from dataclasses import replace

from engine.dealer import DealerDraw
from engine.events import Place, Tally, Words
from engine.guidance import Cue, Guidance, Role
from engine.result import result
from engine.rulebook import Rulebook
from engine.words import card_name, seat_name, seat_names


def guide_draw(book: Rulebook, draw: DealerDraw, seats: int) -> Guidance:
    """Who still turns up a card to find the first dealer, and what the others turned up."""
    say, drawn = book.say, dict(draw.drawn)
    words = say("draw_for_deal") if len(draw.rivals) == seats else say("draw_again", seats=seat_names(draw.rivals))

    def line(seat: int) -> Words | None:
        if seat in drawn:
            return say("you_drew", card=card_name(drawn[seat]))
        return words if seat in draw.rivals else None

    cues = (Cue(Role.DRAW, place=Place("draw"), words=words),)
    return Guidance(cues=cues, headline=words, seat_lines=tuple(line(seat) for seat in range(seats)))


def guide_round(
    book: Rulebook, shown: Guidance, scores: tuple[Tally, ...], number: int, rounds: int | None, dealer: int
) -> Guidance:
    """The round's own guidance with the totals of the series; before its deal, which round it is and who deals."""
    if shown.scores:
        return replace(shown, scores=scores)
    which = _round(book, number, rounds)
    deals = book.say("dealer_deals", seat=seat_name(dealer), deal=shown.headline or "", round=which)
    line = book.say("you_deal")
    lines = tuple(line if seat == dealer else other for seat, other in enumerate(shown.seat_lines))
    return replace(shown, headline=deals, seat_lines=lines, scores=scores)


def guide_result(
    book: Rulebook,
    shown: Guidance,
    scores: tuple[Tally, ...],
    gained: tuple[int, ...],
    number: int,
    rounds: int | None,
    next_dealer: int | None,
) -> Guidance:
    """What a round brought. After the last one (no `next_dealer`) who has won the series."""
    say = book.say
    lines = tuple(
        say("gained", gained=f"{gain:+d}", total=score.total) for gain, score in zip(gained, scores, strict=True)
    )
    cues = tuple(cue for cue in shown.cues if cue.role is not Role.WINNER)
    if next_dealer is None:
        best, words = result(book, scores)
        place = shown.cues[0].place if shown.cues else None
        zone = "hand" if place is None or place.seat is None else place.zone
        cues = (*(Cue(Role.WINNER, seat=seat, place=Place(zone, seat), words=words) for seat in best), *cues)
    else:
        words = say("round_over", round=_round(book, number, rounds), seat=seat_name(next_dealer))
    return replace(shown, cues=cues, headline=words, seat_lines=lines, scores=scores)


def _round(book: Rulebook, number: int, rounds: int | None) -> Words:
    if rounds is None:
        return book.say("round_number", number=number)
    return book.say("round_of", number=number, rounds=rounds)
