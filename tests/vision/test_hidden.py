"""What the camera sees in hidden hands is dropped; what comes out of them is told by rules and arms."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration.frames import Pose
from calibration.homography import Homography
from calibration.layout import builtin_layout
from calibration.lens import Lens
from calibration.view import TableView
from engine import catalogue, referee
from engine.cards import Card
from engine.events import Dealt, Event, Moved, Place, Signalled
from engine.referee import Session
from vision import track
from vision.arms import ArmWatcher
from vision.hidden import Curtain
from vision.values import Frame, Laid, Observation, SeenCard

FIELD, DISCARD, PILE = Place("field"), Place("discard"), Place("draw")
POSE = Pose(0.0, 0.0, 0.0)


def seen(card: str, place: Place, since_s: float = 0.0) -> SeenCard:
    return SeenCard(Card.parse(card), True, POSE, place, 0.95, since_s=since_s)


def look(t_s: float, *cards: SeenCard) -> Observation:
    return Observation(t_s, cards)


def begun(name: str, seats: int, *field: str) -> Session[Any]:
    game = catalogue.load(name)
    counts = game.deal(seats)
    hands = tuple(counts[Place("hand", seat)] for seat in range(seats))
    session: Session[Any] = referee.begin(game, seats)
    return referee.advance(session, Dealt(0.0, tuple(map(Card.parse, field)), (), counts[PILE], hands))[0]


def cards(observation: Observation) -> set[str]:
    return {str(one.card) for one in observation.cards}


def test_cards_in_hidden_hands_are_dropped() -> None:
    session = begun("hiyoko", 2, "05-animal")
    all_seen = look(2.0, seen("05-animal", DISCARD), seen("01-bright", Place("hand", 0)))
    all_seen = replace(all_seen, gone=frozenset({Card.parse("01-bright")}))
    public = Curtain(session.game).public(all_seen, session)
    assert cards(public) == {"05-animal"}
    assert not public.gone


def test_cards_in_open_hands_are_not() -> None:
    game = catalogue.load("chotto-hana-awase")
    session: Session[Any] = referee.begin(game, 2)
    observation = look(2.0, seen("01-bright", Place("hand", 0)))
    assert Curtain(game).public(observation, session) is observation


def test_chosen_cards_are_read_once_all_lie_open() -> None:
    session = begun("junior-chotto", 2)
    curtain = Curtain(session.game)
    one, two = seen("01-bright", Place("select", 0), 1.0), seen("02-animal", Place("select", 1), 3.0)
    assert cards(curtain.public(look(2.0, one), session)) == set()
    assert cards(curtain.public(look(3.1, one, two), session)) == set()
    assert cards(curtain.public(look(3.5, one, two), session)) == {"01-bright", "02-animal"}


def test_chosen_cards_are_read_once_all_have_said_that_they_chose() -> None:
    session = begun("junior-chotto", 2)
    for seat in range(2):
        session, _ = referee.advance(session, Signalled(1.0, "selected", seat))
    observation = look(2.0, seen("01-bright", Place("select", 0), 1.0))
    assert cards(Curtain(session.game).public(observation, session)) == {"01-bright"}


def test_a_deal_with_hidden_hands_is_taken_by_counts() -> None:
    game = catalogue.load("hana-awase")
    session: Session[Any] = referee.begin(game, 3)
    field = ("01-bright", "02-animal", "03-bright", "04-animal", "05-animal", "06-animal")
    five = look(2.0, *(seen(card, FIELD) for card in field[:5]))
    assert track.dealt(five, session) is None
    deal = track.dealt(look(2.0, *(seen(card, FIELD) for card in field)), session)
    assert deal == Dealt(2.0, tuple(map(Card.parse, field)), (), 21, (7, 7, 7))


def test_a_new_card_on_the_discards_came_from_the_hand_in_turn() -> None:
    session = begun("hiyoko", 2, "05-animal")
    card = next(m.card for m in session.game.expected(session.state) if m.source == Place("hand", 0))
    (move,) = track.moved(look(2.0, seen("05-animal", DISCARD), seen(str(card), DISCARD, 1.5)), session)
    assert (move.source, move.target) == (Place("hand", 0), DISCARD)


def test_the_arm_tells_whose_card_it_was() -> None:
    session = begun("hiyoko", 2, "05-animal")
    card = Card.parse("08-bright")
    observation = look(2.0, seen("05-animal", DISCARD), seen(str(card), DISCARD, 1.5))
    (move,) = track.moved(observation, session, {card: Laid(1)})
    assert move.source == Place("hand", 1)


@pytest.mark.parametrize(
    ("arms", "since_s", "back"),
    [(frozenset(), 4.0, True), (frozenset({0}), 4.0, False), (frozenset({0}), 3.0, True)],
    ids=["clear", "an arm", "an arm for long"],
)
def test_a_card_that_left_the_field_again_went_back_to_its_hand(
    arms: frozenset[int], since_s: float, back: bool
) -> None:
    field = ("01-bright", "02-animal", "03-bright", "04-animal", "05-animal", "06-animal")
    session = begun("hana-awase", 3, *field)
    card = Card.parse("07-animal")
    session, _ = referee.advance(session, Moved(2.0, card, Place("hand", 0), FIELD))
    gone = Observation(
        6.0, (*(seen(c, FIELD) for c in field), seen("07-animal", FIELD)),
        gone=frozenset({card}), gone_since=((card, since_s),), arms=arms, clear_s=0.0 if arms else 9.0,
    )  # fmt: skip
    moves = track.moved(gone, session)
    assert moves == ((Moved(6.0, card, FIELD, Place("hand", 0)),) if back else ())


def test_old_discards_are_dropped_when_the_pile_was_made_anew() -> None:
    session = begun("hiyoko", 2, "05-animal")
    session = replace(session, facts=(*session.facts, Signalled(5.0, "reshuffled", 0)))
    observation = look(
        6.0, seen("05-animal", DISCARD, 0.0), seen("01-bright", DISCARD, 2.0), seen("02-animal", DISCARD, 5.5)
    )
    assert cards(Curtain(session.game).public(observation, session)) == {"05-animal", "02-animal"}


def shuffled_unsaid() -> tuple[Session[Any], list[Card]]:
    """A game of Hiyoko whose draw pile has been used up, and the cards turned up in order."""
    session = begun("hiyoko", 2, "07-animal")
    said = [Signalled(1.0, "pass", 0), Signalled(1.0, "pass", 1)]
    turned = [card for card in session.game.deck if str(card) != "07-animal"][:32]
    for number, card in enumerate(turned):
        events: tuple[Event, ...] = (*said, Moved(2.0 + number, card, PILE, DISCARD))
        for event in events:
            session, _ = referee.advance(session, event)
    for signal in said:
        session, _ = referee.advance(session, signal)
    return session, turned


def test_a_discard_laid_anew_when_the_pile_is_used_up_was_turned_up_from_a_new_pile() -> None:
    session, turned = shuffled_unsaid()
    old, again = str(turned[5]), str(turned[3])
    pile = (seen(old, DISCARD, 7.0), seen(str(turned[-1]), DISCARD, 33.2))
    assert track.moved(look(60.0, *pile, seen(again, DISCARD, 5.0)), session) == ()
    assert track.moved(look(60.0, *pile, seen(again, DISCARD, 59.9)), session) == ()
    (move,) = track.moved(look(61.0, *pile, seen(again, DISCARD, 59.9)), session)
    assert (move.card, move.source, move.target) == (turned[3], PILE, DISCARD)
    after, follow = referee.advance(session, move)
    assert after.unseen[PILE] == 31 and not [f for f in follow if type(f).__name__ == "Fault"]
    public = Curtain(after.game).public(look(62.0, *pile, seen(again, DISCARD, 59.9)), after)
    assert cards(public) == {str(turned[-1]), again}
    assert track.moved(public, after) == ()


def arm_view() -> tuple[TableView, tuple[int, int]]:
    """A camera straight above a mat of 1000 x 640 mm, 2 mm for a px."""
    camera = np.array([[1000.0, 0, 260], [0, 1000.0, 170], [0, 0, 1]])
    rows = [2, 0, -520, 0, -2, 340, 0, 0, 1]
    return TableView(Lens(camera, np.zeros(5)), Homography.from_rows("table", "camera", rows)), (520, 340)


@pytest.mark.parametrize(("rows", "seat"), [(slice(200, 340), 0), (slice(0, 140), 1)], ids=["near", "far"])
def test_an_arm_over_the_edge_is_its_seats(rows: slice, seat: int) -> None:
    view, size = arm_view()
    watcher = ArmWatcher(view, builtin_layout(2), size)
    bare = np.full((340, 520, 3), 90, dtype=np.uint8)
    for i in range(30):
        assert watcher.watch(Frame(bare, i / 10, i)) == frozenset()
    reaching = bare.copy()
    reaching[rows, 240:275] = (90, 120, 180)
    for i in range(30, 36):
        assert watcher.watch(Frame(reaching, i / 10, i)) == {seat}
    assert watcher.laid_by(3.6) == seat
    assert watcher.laid_by(2.5) is None


def test_two_arms_at_once_tell_nothing() -> None:
    view, size = arm_view()
    watcher = ArmWatcher(view, builtin_layout(2), size)
    bare = np.full((340, 520, 3), 90, dtype=np.uint8)
    watcher.watch(Frame(bare, 0.0, 0))
    reaching = bare.copy()
    reaching[:, 240:275] = (90, 120, 180)
    for i in range(1, 8):
        assert watcher.watch(Frame(reaching, i / 10, i)) == {0, 1}
    assert watcher.laid_by(0.7) is None
    assert watcher.laid_by(0.7, (0.0, 0.0)) is None


def test_of_two_arms_the_one_over_the_card_has_laid_it() -> None:
    view, size = arm_view()
    watcher = ArmWatcher(view, builtin_layout(2), size)
    bare = np.full((340, 520, 3), 90, dtype=np.uint8)
    watcher.watch(Frame(bare, 0.0, 0))
    reaching = bare.copy()
    reaching[:, 240:275] = (90, 120, 180)

    def reaches(x_mm: float, _: float) -> tuple[tuple[float, float], ...]:
        near, far = (0.0, -320.0), (0.0, 320.0)
        return (far,) if x_mm > 50 else (near, far) if x_mm > -50 else (near,)

    for i in range(1, 8):
        watcher.watch(Frame(reaching, i / 10, i))
        watcher.reach(i / 10, reaches)
    assert watcher.laid_by(0.7, (100.0, 0.0)) == 1
    assert watcher.laid_by(0.7, (-100.0, 0.0)) == 0
    assert watcher.laid_by(0.7, (0.0, 0.0)) is None
    assert watcher.laid_by(9.0, (100.0, 0.0)) is None


def test_whose_turn_it_is_counts_if_that_arm_came_in_time_and_left_last() -> None:
    view, size = arm_view()

    def laid(near: slice, far: slice, likely: int | None) -> int | None:
        watcher = ArmWatcher(view, builtin_layout(2), size)
        bare = np.full((340, 520, 3), 90, dtype=np.uint8)
        watcher.watch(Frame(bare, 0.0, 0))
        for i in range(1, 16):
            image = bare.copy()
            for rows, when in ((slice(200, 340), near), (slice(0, 140), far)):
                if when.start <= i < when.stop:
                    image[rows, 240:275] = (90, 120, 180)
            watcher.watch(Frame(image, i / 10, i))
            watcher.reach(i / 10, lambda *_: ((0.0, -320.0),))
        return watcher.laid_by(1.5, (0.0, 0.0), likely)

    assert laid(slice(1, 12), slice(6, 15), 1) == 1  # it stayed longer than the other, which rested there
    assert laid(slice(1, 12), slice(13, 15), 1) == 0  # it came only afterwards
    assert laid(slice(6, 15), slice(1, 12), 1) == 0  # it left before
    assert laid(slice(1, 12), slice(6, 15), None) == 0


def test_a_card_played_before_another_went_back_may_go_back_too() -> None:
    game = catalogue.load("isuri")
    first, second = Card.parse("05-ribbon"), Card.parse("01-ribbon")
    session = referee.begin(game, 2)
    for fact in (
        Dealt(0.0, (Card.parse("09-chaff-1"),), (), 33, (6, 6)),
        Moved(1.0, first, Place("hand", 0), DISCARD),
        Moved(3.0, second, Place("hand", 0), DISCARD),
        Moved(4.0, first, DISCARD, Place("hand", 0)),
    ):
        session, _ = referee.advance(session, fact)
    gone = Observation(
        6.0, (seen("09-chaff-1", DISCARD), seen("01-ribbon", DISCARD)),
        gone=frozenset({second}), gone_since=((second, 4.5),), clear_s=1.0,
    )  # fmt: skip
    assert track.moved(gone, session) == (Moved(6.0, second, DISCARD, Place("hand", 0)),)


@pytest.mark.parametrize(("gone_s", "back"), [(2.0, False), (3.0, True)])
def test_a_card_that_is_to_be_captured_more_likely_lies_under_its_partner(gone_s: float, back: bool) -> None:
    field = ("01-bright", "02-animal", "03-bright", "04-animal", "05-animal", "06-animal")
    session = begun("hana-awase", 3, *field)
    card = Card.parse("06-ribbon")
    session, _ = referee.advance(session, Moved(2.0, card, Place("hand", 0), FIELD))
    gone = Observation(
        6.0, (*(seen(c, FIELD) for c in field), seen("06-ribbon", FIELD)),
        gone=frozenset({card}), gone_since=((card, 6.0 - gone_s),), clear_s=9.0,
    )  # fmt: skip
    assert track.moved(gone, session) == ((Moved(6.0, card, FIELD, Place("hand", 0)),) if back else ())
