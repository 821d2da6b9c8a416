"""Names what is wrong with a move in Junior's Chotto: a code, a sentence, where the card belongs."""

from engine.cards import Card
from engine.events import Moved, Place, Words
from engine.game import FaultError
from engine.junior_state import JuniorState, Phase
from engine.places import FIELD, PILE, hand, select
from engine.reveal import Group
from engine.rulebook import Rulebook
from engine.words import card_name, card_names, place_name, seat_name


def refusal(book: Rulebook, state: JuniorState, move: Moved) -> FaultError:
    """The error for a `move` that is illegal in `state`."""
    card, source = move.card, move.source
    if card not in book.deck:
        return _fault(book, "not_in_deck", move, None)
    if state.phase in (Phase.OVER, Phase.DEAL):
        return _fault(book, "over_move", move, source)
    if source.zone == "hand" and source.seat is not None:
        return _from_hand(book, state, move, source.seat)
    if source == PILE:
        return _fault(book, "pile_turned", move, PILE)
    here = state.places().get(card)
    if here is None:
        return _fault(book, "not_there", move, None)
    group = next((g for g in state.groups(book.settings) if card in g.cards), None)
    if group is None or state.phase is Phase.SELECT:
        return _fault(book, _LEFT_ALONE.get(here.zone, "misplaced"), move, here)
    return _settled_wrong(book, state, move, group, here)


_LEFT_ALONE = {"captured": "captured_taken", "field": "field_card_taken", "select": "reveal_waits"}


def _from_hand(book: Rulebook, state: JuniorState, move: Moved, seat: int) -> FaultError:
    if state.phase is Phase.RESOLVE:
        return _left(book, state)
    if seat not in state.waiting:
        return _fault(book, "two_cards_played", move, hand(seat))
    return _fault(book, "choose_first", move, select(seat))


def _left(book: Rulebook, state: JuniorState) -> FaultError:
    """Play goes on though revealed cards do not lie where they belong."""
    moved = dict(state.moved)
    group = state.unsettled(book.settings)[0]
    cards = [card for card in group.cards if _belongs(group, moved, card) != moved.get(card, group.origins[card])]
    belongs = _belongs(group, moved, cards[0]) if cards else None
    words = book.say("match_left", cards=card_names(cards or group.cards))
    return FaultError("match_left", words, tuple(cards) or group.cards, belongs, group.revealed[0][0])


def _belongs(group: Group, moved: dict[Card, Place], card: Card) -> Place | None:
    """Where the card must lie in the end, if there is only one such place."""
    ends = {outcome[card] for outcome in group.left(moved)}
    return ends.pop() if len(ends) == 1 else None


def _settled_wrong(book: Rulebook, state: JuniorState, move: Moved, group: Group, here: Place) -> FaultError:
    """A card of a month just revealed was moved where it does not belong."""
    belongs = _belongs(group, dict(state.moved), move.card) or here
    if move.target.zone == "captured" and belongs.zone == "captured":
        code = "wrong_pile"
    elif move.target.zone == "captured":
        code = "nobody_takes" if len(group.revealed) > 1 else "not_matching"
    else:
        code = "misplaced"
    if belongs == FIELD and code == "not_matching" and move.card in group.field:
        code = "wrong_match"
    return _fault(book, code, move, belongs)


def _fault(book: Rulebook, code: str, move: Moved, belongs: Place | None) -> FaultError:
    place: Words | str = place_name(belongs) if belongs is not None else ""
    seat = move.source.seat if move.source.seat is not None else move.target.seat
    gaps: dict[str, Words | str | int] = {"card": card_name(move.card), "place": place, "seat": seat_name(seat or 0)}
    return FaultError(code, book.say(code, **gaps), (move.card,), belongs, seat)
