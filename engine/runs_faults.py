"""Names what is wrong with a move in Hiyoko or Isuri: a code, a sentence, where the card belongs."""

from engine.events import Moved, Place, Words
from engine.game import FaultError
from engine.nagoya import Laws
from engine.places import DISCARD, PILE, hand
from engine.rulebook import Rulebook
from engine.runs_guide import months_words
from engine.runs_state import Phase, RunsState
from engine.words import card_name, place_name, seat_name


def refusal(book: Rulebook, laws: Laws, state: RunsState, move: Moved) -> FaultError:
    """The error for a `move` that is illegal in `state`."""
    card, source, target = move.card, move.source, move.target
    if card not in book.deck:
        return _fault(book, state, "not_in_deck", move, None)
    if state.phase in (Phase.OVER, Phase.DEAL):
        return _fault(book, state, "over_move", move, source)
    match source:
        case Place("hand", int(seat)):
            return _from_hand(book, laws, state, move, seat)
        case Place("draw"):
            return _from_pile(book, state, move)
        case Place("discard") if card in state.pile:
            mine = state.steps and card == state.pile[-1] and target == hand(state.turn)
            return _fault(book, state, "card_returned" if mine else "discard_taken", move, DISCARD)
        case _:
            return _fault(book, state, "not_there", move, None)


def _from_hand(book: Rulebook, laws: Laws, state: RunsState, move: Moved, seat: int) -> FaultError:
    home = hand(seat)
    if move.card not in state.unseen:
        return _fault(book, state, "not_there", move, None)
    if move.target != DISCARD:
        return _fault(book, state, "card_given", move, home)
    if state.phase is Phase.TURN_UP:
        return _fault(book, state, "turn_up_first", move, home)
    if seat != state.turn and not state.steps:
        return _fault(book, state, "out_of_turn", move, home)
    if any(step.open_one for step in state.steps) and not state.may_end:
        return _fault(book, state, "february_first", move, home)
    if any(step.count == 2 for step in state.steps) and not state.may_end:
        return _fault(book, state, "third_first", move, home)
    follow = months_words(book, laws.followers(state.counted))
    return _fault(book, state, "not_following", move, home, months=follow)


def _from_pile(book: Rulebook, state: RunsState, move: Moved) -> FaultError:
    if move.card not in state.unseen:
        return _fault(book, state, "not_there", move, None)
    if state.phase is Phase.TURN_UP:
        return _fault(book, state, "drawn_card_kept", move, DISCARD)
    return _fault(book, state, "turned_too_early", move, PILE)


def _fault(
    book: Rulebook, state: RunsState, code: str, move: Moved, belongs: Place | None, **more: Words
) -> FaultError:
    seat = next((place.seat for place in (move.source, move.target) if place.seat is not None), state.turn)
    gaps: dict[str, Words | str | int] = {
        "card": card_name(move.card),
        "place": "" if belongs is None else place_name(belongs),
        "seat": seat_name(state.turn),
        **more,
    }
    return FaultError(code, book.say(code, **gaps), (move.card,), belongs, seat)
