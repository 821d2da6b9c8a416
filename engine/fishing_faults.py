"""Names what is wrong with a move in a fishing game, for the players: a code, a sentence, where the card belongs."""

from engine.cards import Card
from engine.events import Moved, Place
from engine.fishing_state import FishingState, Phase
from engine.game import FaultError
from engine.places import FIELD, PILE, captured, hand
from engine.rulebook import Rulebook
from engine.words import card_name, card_names, place_name, seat_name


def refusal(book: Rulebook, state: FishingState, move: Moved, capture_all: bool) -> FaultError:
    """The error for a `move` that is illegal in `state`."""
    return _Diagnosis(book, state, move, capture_all).refusal()


class _Diagnosis:
    """One illegal move looked at by where the card came from."""

    def __init__(self, book: Rulebook, state: FishingState, move: Moved, capture_all: bool) -> None:
        self.say = book.say
        self.deck = book.deck
        self.state = state
        self.move = move
        self.card = move.card
        self.capture_all = capture_all

    def refusal(self) -> FaultError:
        """The error, found by the zone the card came from."""
        if self.card not in self.deck:
            return self._fault("not_in_deck", None)
        if self.state.phase in (Phase.OVER, Phase.DEAL):
            return self._fault("over_move", self.move.source, place=place_name(self.move.source))
        match self.move.source:
            case Place("hand", int(seat)):
                return self._from_hand(seat)
            case Place("draw"):
                return self._from_pile()
            case Place("field"):
                return self._from_field()
            case Place("captured", int(seat)):
                return self._fault("captured_taken", captured(seat), place=place_name(captured(seat)))
            case _:
                return self._fault("not_there", None)

    def _from_hand(self, seat: int) -> FaultError:
        state, home = self.state, hand(seat)
        if not self.state.hand_counts and self.card not in state.hands[seat]:
            return self._fault("not_there", None)
        if self.move.target not in (FIELD, *(captured(s) for s in range(state.seats))):
            return self._fault("card_given", home, seat=seat, place=place_name(home))
        if seat != state.turn:
            return self._left() if state.under_way else self._fault("out_of_turn", home, place=place_name(home))
        if state.active is not None and state.phase is Phase.DRAW:
            return self._left()
        if state.active is not None or state.phase is Phase.DRAW:
            return self._fault("two_cards_played", home, seat=seat)
        if state.taken and state.taken[0].month != self.card.month:
            return self._mismatched()
        return self._laid_wrong()

    def _from_pile(self) -> FaultError:
        state = self.state
        if self.card not in state.unseen:
            return self._fault("not_there", None)
        if state.active is not None or (state.taken and state.phase is Phase.PLAY):
            return self._left()
        if state.phase is Phase.PLAY:
            return self._fault("turned_too_early", PILE)
        if self.move.target.zone == "hand":
            return self._fault("drawn_card_kept", FIELD)
        if state.taken:
            return self._mismatched()
        return self._laid_wrong()

    def _from_field(self) -> FaultError:
        state, card, target = self.state, self.card, self.move.target
        if card not in state.field:
            return self._fault("not_there", None)
        if target.zone != "captured":
            return self._fault("card_returned" if card in (state.played, state.active) else "field_card_taken", FIELD)
        own = target == captured(state.turn)
        if state.under_way:
            first = state.active or state.taken[0]
            if card.month != first.month:
                return self._fault("wrong_match", FIELD, seat=target.seat, place=place_name(FIELD))
            if not own:
                right = captured(state.turn)
                return self._fault("wrong_pile", right, place=place_name(right))
            words = self.say("wrong_match_extra", card=card_name(card), place=place_name(FIELD))
            return FaultError("wrong_match", words, (card,), FIELD, target.seat)
        if card in state.dead():
            return self._fault("dead_card_taken", FIELD, seat=target.seat)
        if not own:
            words = self.say("out_of_turn", seat=seat_name(state.turn), card=card_name(card), place=place_name(FIELD))
            return FaultError("out_of_turn", words, (card,), FIELD, target.seat)
        words = self.say("not_matching_field", card=card_name(card))
        if card == state.played:
            words = self.say("not_matching", card=card_name(card))
        return FaultError("not_matching", words, (card,), FIELD, target.seat)

    def _laid_wrong(self) -> FaultError:
        """The right card at the right time, but to the wrong place."""
        right = captured(self.state.turn)
        if self.move.target.zone == "captured" and self.move.target != right:
            matches = self.state.taken or self.state.of_month(self.card.month)
            belongs = right if matches else FIELD
            return self._fault("wrong_pile", belongs, place=place_name(belongs))
        return self._fault("not_matching", FIELD)

    def _left(self) -> FaultError:
        """A capture is under way, and play went on."""
        state = self.state
        pile = captured(state.turn)
        if state.active is None:
            return self._refuse("match_left", "match_unplayed", state.taken, pile, card=card_names(state.taken))
        left = [card for card in (state.active,) if card not in state.taken]
        partners = state.candidates() if len(state.taken) - (state.active in state.taken) < 1 else ()
        if len(partners) > 1 and state.needed(self.capture_all) == 2:
            return self._refuse("match_left", "match_left_one", (state.active, *partners), pile)
        cards = (*left, *partners) or (state.active,)  # its partner was carried off: the rest of the capture waits
        return self._refuse("match_left", "match_left", cards, pile, cards=card_names(cards))

    def _mismatched(self) -> FaultError:
        """A field card was taken first, and the card played then is of another month."""
        wrong = self.state.taken
        return self._refuse("wrong_match", "wrong_match", wrong, FIELD, card=card_names(wrong), place=place_name(FIELD))

    def _refuse(self, code: str, key: str, wrong: tuple[Card, ...], belongs: Place, **gaps: object) -> FaultError:
        filled = {"card": card_name(wrong[0]), **gaps}
        words = self.say(key, **filled)  # type: ignore[arg-type]  # gaps are words
        return FaultError(code, words, wrong, belongs, self.state.turn)

    def _fault(self, code: str, belongs: Place | None, seat: int | None = None, **gaps: object) -> FaultError:
        """The plain case: the moved card is wrong, by the seat it came from or went to."""
        filled = {"card": card_name(self.card), "seat": seat_name(self.state.turn), **gaps}
        words = self.say(code, **filled)  # type: ignore[arg-type]  # gaps are words
        move = self.move
        actor = seat if seat is not None else move.source.seat if move.source.seat is not None else move.target.seat
        return FaultError(code, words, (self.card,), belongs, self.state.turn if actor is None else actor)
