"""Before the first move: cards laid out at once, or dealt by hand from a pile, strays taken out first."""

import random
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from app.simulator.people import Hand, People, Steps
from app.simulator.places import Places, Spot
from app.simulator.world import World
from engine.cards import Card
from engine.events import Place

_FAN: Final = 6  # cards spread at a time
_PACK: Final = 8  # cards gathered at a time


class Setup(StrEnum):
    """How the table starts: `dealt`, `deal` from a pile of the game's cards, `full` from a pile of all 48 cards."""

    DEALT = "dealt"
    DEAL = "deal"
    FULL = "full"


class Dealer:
    """Brings a deal onto the table: `hands` by seat, `field`, and `pile` with its top card last."""

    def __init__(
        self,
        world: World,
        places: Places,
        people: People,
        rng: random.Random,
        seat: int,
        field: Sequence[Card],
        hands: Sequence[Sequence[Card]],
        pile: Sequence[Card],
    ) -> None:
        self._world = world
        self._places = places
        self._people = people
        self._rng = rng
        self._seat = seat
        self._field = field
        self._hands = hands
        self._pile = pile

    def lay_out(self) -> None:
        """Everything at once."""
        self._stack(self._pile)
        for card, spot in self._spots():
            self._world.lay(card, spot.x_mm, spot.y_mm, spot.angle_rad, True)

    def start_from(self, setup: Setup, strays: Sequence[Card]) -> None:
        """The pile before the deal, with the strays shuffled in where `setup` says so."""
        cards = self._stacked()
        if setup is Setup.FULL:
            cards = [*cards, *strays]
            self._rng.shuffle(cards)
        self._stack(cards)

    def deal(self, setup: Setup, strays: Sequence[Card]) -> Steps:
        """Take out the strays if there are any, then deal card by card."""
        hand = self._people.hand(self._seat)
        hand.busy = True
        yield from self._people.wait(1.0)
        if setup is Setup.FULL:
            yield from self._spread(hand)
            yield from self._take_out(hand, strays)
            yield from self._gather(hand)
        for card, spot in self._spots():
            yield from self._people.pick_up(hand, [card], 1.5)
            yield from self._people.bring(hand, [spot], [card], hurry=1.6)
            self._people.put_down(hand, [spot])

    def leave(self) -> Steps:
        """Take the dealing hand off the table."""
        hand = self._people.hand(self._seat)
        yield from self._people.go_home(hand)
        hand.busy = False

    def _spots(self) -> list[tuple[Card, Spot]]:
        """Each dealt card with its spot, in the order of dealing."""
        spots: list[tuple[Card, Spot]] = []
        for seat, cards in enumerate(self._hands):
            spots += list(zip(cards, self._places.hand_spots(seat, len(cards)), strict=True))
        return spots + list(zip(self._field, self._places.field_spots(len(self._field)), strict=True))

    def _stacked(self) -> list[Card]:
        """All cards of the game in the order of a pile from which the deal comes off the top."""
        dealt = [card for cards in self._hands for card in cards] + list(self._field)
        return [*self._pile, *reversed(dealt)]

    def _stack(self, cards: Sequence[Card]) -> None:
        for card in cards:
            spot = self._places.draw_pile()
            self._world.lay(card, spot.x_mm, spot.y_mm, spot.angle_rad, False)

    def _spread(self, hand: Hand) -> Steps:
        """Spread the whole pile face up in fans over the field."""
        side = self._places.side(Place("field"))
        width = 33 + 22 * (_FAN - 1)
        columns = max(1, int((side.high[0] - side.low[0]) // (width + 8)))
        cards = [card for card, _ in sorted(self._world.lying.items(), key=lambda pair: -pair[1].order)]
        fans = [cards[i : i + _FAN] for i in range(0, len(cards), _FAN)]
        rows = -(-len(fans) // columns)
        for i, fan in enumerate(fans):
            row, column = divmod(i, columns)
            u0 = side.low[0] + (side.high[0] - side.low[0]) * (column + 0.5) / columns - 11 * (_FAN - 1)
            v = (side.low[1] + side.high[1]) / 2 + ((rows - 1) / 2 - row) * 60
            spots = [side.spot(u0 + 22 * k, v, self._places.jitter(4, 0.5)) for k in range(len(fan))]
            yield from self._people.pick_up(hand, fan[:1], 1.4)
            self._people.take_along(hand, fan[1:])
            yield from self._people.bring(hand, spots, fan, hurry=1.2)
            self._people.put_down(hand, spots)
            yield
        yield from self._people.retreat(hand, 260)
        yield from self._people.wait(1.0)

    def _take_out(self, hand: Hand, strays: Sequence[Card]) -> Steps:
        """Carry the strays to the box, two at a time, or off the table where the layout has no box."""
        box = self._places.layout.zone(Place("box"))
        for i in range(0, len(strays), 2):
            pair = strays[i : i + 2]
            yield from self._people.pick_up(hand, pair, 1.3)
            if box is None:
                yield from self._people.go_home(hand)
                self._people.put_away(hand)
                continue
            x, y = box.centre_mm
            spots = [
                Spot(x + self._rng.gauss(0, 6), y + self._rng.gauss(0, 6), self._places.jitter(12, 0.5)) for _ in pair
            ]
            yield from self._people.bring(hand, spots, hurry=1.2)
            self._people.put_down(hand, spots)
            yield

    def _gather(self, hand: Hand) -> Steps:
        """Collect the game's cards, shuffle them and make them the draw pile."""
        cards = sorted(self._stacked(), key=lambda c: (self._world.lying[c].pose.x_mm, c))
        for i in range(0, len(cards), _PACK):
            pack = cards[i : i + _PACK]
            yield from self._people.pick_up(hand, pack, 2.2)
            spots = [self._places.draw_pile() for _ in pack]
            yield from self._people.bring(hand, spots, pack, hurry=1.2)
            self._people.put_down(hand, spots)
            yield
        yield from self._people.wait(1.0)
        self._stack(self._stacked())
        yield
        yield from self._people.retreat(hand, 200)
