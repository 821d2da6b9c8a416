"""Before the first move, and between rounds: cards laid out at once, or gathered, sorted and dealt by hand."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from app.simulator.ledger import DRAW, FIELD
from app.simulator.people import Hand, Steps
from app.simulator.places import Spot
from app.simulator.stage import Stage, together
from engine.cards import Card
from engine.events import Place

_FAN: Final = 6  # cards spread at a time
_PACK: Final = 8  # cards gathered at a time
_PACKET: Final = 4  # cards of a hand dealt at a time between rounds
_SWEPT: Final = 12  # cards swept together at a time between rounds

Packet = tuple[Place, tuple[Card, ...]]
"""Cards dealt in one go, and where to."""


class Setup(StrEnum):
    """How the table starts: `dealt`, `deal` from a pile of the game's cards, `full` from a pile of all 48 cards.

    `draw`: from a pile from which first everybody turns up a card to find the dealer, in games that have that.
    """

    DEALT = "dealt"
    DEAL = "deal"
    FULL = "full"
    DRAW = "draw"


class Dealer:
    """Brings the ledger's deal onto the table, by the hands of `seat`."""

    def __init__(self, stage: Stage, seat: int, packets: bool = False, human: frozenset[int] = frozenset()) -> None:
        self._stage = stage
        self._seat = seat
        self._human = human
        self._packets = packets

    def lay_out(self) -> None:
        """Everything at once."""
        stage = self._stage
        self._stack(stage.ledger.pile)
        for (place, cards), spots in zip(self._order(), self._spots(), strict=True):
            for card, spot in zip(cards, spots, strict=True):
                up = not stage.ledger.is_face_down(place)
                stage.world.lay(card, spot.x_mm, spot.y_mm, spot.angle_rad, up)

    def start_from(self, setup: Setup, strays: Sequence[Card]) -> None:
        """The pile before the deal, with the strays shuffled in where `setup` says so."""
        cards = self._stacked()
        if setup is Setup.FULL:
            cards = [*cards, *strays]
            self._stage.rng.shuffle(cards)
        self._stack(cards)

    def deal(self, setup: Setup, strays: Sequence[Card]) -> Steps:
        """Take out the strays if there are any, then deal card by card."""
        hand = self._stage.people.hand(self._seat)
        hand.busy = True
        yield from self._stage.people.wait(1.0)
        if setup is Setup.FULL:
            yield from self._spread(hand)
            yield from self._take_out(hand, strays)
            yield from self._gather(hand)
        yield from self._deal_out(hand)

    def leave(self) -> Steps:
        """Take the dealing hand off the table."""
        hand = self._stage.people.hand(self._seat)
        yield from self._stage.people.go_home(hand)
        hand.busy = False

    def again(self) -> Steps:
        """Between rounds: all simulated players sweep the cards to the pile; then they are shuffled and dealt."""
        stage = self._stage
        others = set(range(stage.ledger.seats)) - self._human - {self._seat}
        yield from together([self._sweep(seat) for seat in (self._seat, *sorted(others))])
        stage.places.clear()
        hand = stage.people.hand(self._seat)
        hand.busy = True
        yield from self._shuffle(hand)
        yield from self._deal_out(hand)

    def _deal_out(self, hand: Hand) -> Steps:
        people = self._stage.people
        for (place, cards), spots in zip(self._order(), self._spots(), strict=True):
            yield from people.pick_up(hand, cards[:1], 1.5)
            people.take_along(hand, cards[1:])
            yield from people.bring(hand, spots, self._stage.wrong_way(hand, place), hurry=1.6)
            people.put_down(hand, spots)

    def _order(self) -> list[Packet]:
        """The deal in the order of dealing: card by card, or in the packets that the rules or the fingers prefer."""
        return list(self._in_packets()) if self._packets else list(self._one_by_one())

    def _one_by_one(self) -> Iterator[Packet]:
        ledger = self._stage.ledger
        for seat, hand in enumerate(ledger.hands):
            yield from ((Place("hand", seat), (card,)) for card in hand)
        yield from ((ledger.open_place, (card,)) for card in ledger.field)

    def _in_packets(self) -> Iterator[Packet]:
        """From the dealer's right round the table; cards for the field one at a time, for each has its own spot."""
        ledger = self._stage.ledger
        ruled = ledger.game.book.deal(ledger.seats).packets
        first = len(ledger.hands[0])
        plain = [(min(_PACKET, first - i), 0) for i in range(0, first, _PACKET)] + [(0, len(ledger.field))]
        hands, field = [list(hand) for hand in ledger.hands], list(ledger.field)
        for to_hand, to_field in ruled or plain:
            for seat in (*range(ledger.dealer + 1, ledger.seats), *range(ledger.dealer + 1)):
                if packet := tuple(hands[seat][:to_hand]):
                    del hands[seat][:to_hand]
                    yield Place("hand", seat), packet
            yield from ((ledger.open_place, (card,)) for card in field[:to_field])
            del field[:to_field]

    def _spots(self) -> list[tuple[Spot, ...]]:
        """The spots of each packet, in the order of dealing."""
        ledger, places = self._stage.ledger, self._stage.places
        spots: dict[Card, Spot] = {}
        for seat, cards in enumerate(ledger.hands):
            spots.update(zip(cards, places.hand_spots(seat, len(cards)), strict=True))
        if ledger.open_place == FIELD:
            spots.update(zip(ledger.field, places.field_spots(len(ledger.field)), strict=True))
        else:
            spots.update((card, places.discard_pile()) for card in ledger.field)
        return [tuple(spots[card] for card in cards) for _, cards in self._order()]

    def _stacked(self) -> list[Card]:
        """All cards of the game in the order of a pile from which the deal comes off the top."""
        dealt = [card for _, cards in self._order() for card in cards]
        return [*self._stage.ledger.pile, *reversed(dealt)]

    def _stack(self, cards: Sequence[Card]) -> None:
        for card in cards:
            spot = self._stage.places.draw_pile()
            self._stage.world.lay(card, spot.x_mm, spot.y_mm, spot.angle_rad, False)

    def _spread(self, hand: Hand) -> Steps:
        """Spread the whole pile face up in fans over the middle of the table."""
        people, places = self._stage.people, self._stage.places
        side = places.side(self._stage.ledger.open_place)
        width = 33 + 22 * (_FAN - 1)
        columns = max(1, int((side.high[0] - side.low[0]) // (width + 8)))
        cards = [card for card, _ in sorted(self._stage.world.lying.items(), key=lambda pair: -pair[1].order)]
        fans = [cards[i : i + _FAN] for i in range(0, len(cards), _FAN)]
        rows = -(-len(fans) // columns)
        for i, fan in enumerate(fans):
            row, column = divmod(i, columns)
            u0 = side.low[0] + (side.high[0] - side.low[0]) * (column + 0.5) / columns - 11 * (_FAN - 1)
            v = (side.low[1] + side.high[1]) / 2 + ((rows - 1) / 2 - row) * 60
            spots = [side.spot(u0 + 22 * k, v, places.jitter(4, 0.5)) for k in range(len(fan))]
            yield from people.pick_up(hand, fan[:1], 1.4)
            people.take_along(hand, fan[1:])
            yield from people.bring(hand, spots, fan, hurry=1.2)
            people.put_down(hand, spots)
            yield
        yield from people.retreat(hand, 260)
        yield from people.wait(1.0)

    def _take_out(self, hand: Hand, strays: Sequence[Card]) -> Steps:
        """Carry the strays to the box, two at a time, or off the table where the layout has no box."""
        people, places, rng = self._stage.people, self._stage.places, self._stage.rng
        box = places.layout.zone(Place("box"))
        for i in range(0, len(strays), 2):
            pair = strays[i : i + 2]
            yield from people.pick_up(hand, pair, 1.3)
            if box is None:
                yield from people.go_home(hand)
                people.put_away(hand)
                continue
            x, y = box.centre_mm
            spots = [Spot(x + rng.gauss(0, 6), y + rng.gauss(0, 6), places.jitter(12, 0.5)) for _ in pair]
            yield from people.bring(hand, spots, hurry=1.2)
            people.put_down(hand, spots)
            yield

    def _gather(self, hand: Hand) -> Steps:
        """Collect the game's cards, shuffle them and make them the draw pile."""
        people, lying = self._stage.people, self._stage.world.lying
        cards = sorted(self._stacked(), key=lambda c: (lying[c].pose.x_mm, c))
        for i in range(0, len(cards), _PACK):
            pack = cards[i : i + _PACK]
            yield from people.pick_up(hand, pack, 2.2)
            spots = [self._stage.places.draw_pile() for _ in pack]
            yield from people.bring(hand, spots, pack, hurry=1.2)
            people.put_down(hand, spots)
            yield
        yield from people.wait(1.0)
        self._stack(self._stacked())
        yield
        yield from people.retreat(hand, 200)

    def _sweep(self, seat: int) -> Steps:
        """Sweep the cards in the seat's zones to the pile; who deals also those of the others and in the middle."""
        stage = self._stage
        hand = stage.people.hand(seat)
        hand.busy = True
        yield from stage.wait(0.0, 1.2)
        mine = {seat} | (self._human | {None} if seat == self._seat else set())
        for place in (z.place for z in stage.places.layout.zones if z.place.seat in mine and z.place.zone != "box"):
            yield from self._sweep_zone(hand, place)
        yield from stage.people.go_home(hand)
        hand.busy = False

    def _sweep_zone(self, hand: Hand, place: Place) -> Steps:
        people, world, zone = self._stage.people, self._stage.world, self._stage.places.layout.zone(place)
        cards = [c for c, at in world.lying.items() if zone and zone.contains(at.pose.x_mm, at.pose.y_mm)]
        cards.sort(key=lambda c: -world.lying[c].order)
        while cards and place != DRAW:
            near = world.lying[cards[0]].pose
            pack = [c for c in cards if abs(world.lying[c].pose.x_mm - near.x_mm) < 150][:_SWEPT]
            cards = [c for c in cards if c not in pack]
            yield from people.pick_up(hand, pack[:1], 1.8)
            people.take_along(hand, pack[1:])
            spots = [self._stage.places.draw_pile() for _ in pack]
            yield from people.bring(hand, spots, self._stage.wrong_way(hand, DRAW), hurry=1.4)
            people.put_down(hand, spots)
            yield

    def _shuffle(self, hand: Hand) -> Steps:
        """Take the pile into the hand, shake it and lay it down in the order of the deal to come."""
        stage = self._stage
        cards = sorted(self._stacked(), key=lambda c: -stage.world.lying[c].order)
        yield from stage.people.pick_up(hand, cards[:1], 1.2)
        stage.people.take_along(hand, cards[1:])
        x, y = hand.x, hand.y
        for _ in range(3):
            yield from stage.people.reach(
                hand, x + stage.rng.uniform(-12, 12), y + stage.rng.uniform(-12, 12), 60.0, 1.5
            )
        order = {card: i for i, card in enumerate(self._stacked())}
        hand.held.sort(key=lambda held: order[held.card])
        spots = [stage.places.draw_pile() for _ in cards]
        yield from stage.people.bring(hand, spots)
        stage.people.put_down(hand, spots)
        yield
