"""Face-down cards are seen where the game has them, and arms and light are not taken for one."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.layout import Layout, Zone
from engine.events import Place
from tests.vision.table_scenes import Film, Table, deck, layout, px, raster, view
from tests.vision.test_ground import at, ground_of
from vision.eyes import Eyes
from vision.facedown import FaceDown
from vision.ground import Mask
from vision.values import Frame

MINE, PILE = Place("select", 0), Place("draw")
CENTRE = (-220.0, -150.0)
ZONE = Zone(MINE, ((-255.0, -195.0), (-185.0, -195.0), (-185.0, -105.0), (-255.0, -105.0)))
LAYOUT: Layout = replace(layout(), zones=(*layout().zones, ZONE))
BARE = Table()
CHOSEN = BARE.lay(None, *CENTRE)


def watcher() -> FaceDown:
    return FaceDown(ground_of(BARE), LAYOUT)


def look(down: FaceDown, table: Table, t_s: float = 1.0, arms: Mask | None = None) -> set[Place]:
    known = [at(pose.x_mm, pose.y_mm) for card, pose in table.cards if card is not None]
    down.look(raster().cut(table.picture(2), raster().whole), raster().whole, arms, known, t_s)
    return {one.place for one in down.seen}


@pytest.mark.parametrize("turn", [0, 20, 90, 200])
def test_a_chosen_card_is_seen_face_down_and_stays_since_when_it_came(turn: int) -> None:
    down = watcher()
    assert look(down, BARE) == set()
    assert look(down, BARE.lay(None, *CENTRE, turn), 2.0) == {MINE}
    assert look(down, BARE.lay(None, *CENTRE, turn), 3.0) == {MINE}
    assert down.seen[0].since_s == 2.0
    assert look(down, BARE, 4.0) == set()


def test_a_card_that_is_known_by_its_face_does_not_lie_face_down() -> None:
    down = watcher()
    assert look(down, CHOSEN) == {MINE}
    assert look(down, BARE.lay("03-bright", *CENTRE)) == set()


def test_where_an_arm_reaches_in_all_stays_as_it_was() -> None:
    down = watcher()
    arms = np.ones((400, 600), np.uint8)
    assert look(down, CHOSEN, arms=arms) == set()
    assert look(down, CHOSEN) == {MINE}
    assert look(down, BARE, arms=arms) == {MINE}


def test_elsewhere_nothing_is_looked_at() -> None:
    down = watcher()
    box = raster().box_around(np.array([[100.0, 50.0], [150.0, 100.0]]), 0.0)
    down.look(CHOSEN.picture(2), box, None, (), 1.0)
    assert not down.seen


def test_a_frame_of_light_the_size_of_a_card_is_none() -> None:
    down, image = watcher(), raster().cut(BARE.picture(2), raster().whole)
    (x0, y0), (x1, y1) = px(CENTRE[0] - 24, CENTRE[1] + 38), px(CENTRE[0] + 24, CENTRE[1] - 38)
    cv2.rectangle(image, (round(x0), round(y0)), (round(x1), round(y1)), (150, 220, 150), 5)
    cv2.putText(image, "choose", (round(x0) + 4, round(y0) + 40), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (255, 255, 255), 1)
    down.look(image, raster().whole, None, (), 1.0)
    assert not down.seen


def test_the_eyes_report_a_chosen_card_and_the_pile_and_that_it_is_taken_back() -> None:
    eyes = Eyes(view(), LAYOUT, deck(), tuple(deck().faces))
    film = Film(eyes)
    table = Table().lay(None, 255.0, 0.0)
    film.show(table, 1.0)
    assert _down(eyes, film) == {PILE}
    film.show(table.lay(None, *CENTRE), 1.0)
    assert _down(eyes, film) == {PILE, MINE}
    film.show(table, 2.0)
    assert _down(eyes, film) == {PILE}


def test_a_pile_that_is_put_down_or_taken_away_later_is_noticed() -> None:
    eyes = Eyes(view(), LAYOUT, deck(), tuple(deck().faces))
    film = Film(eyes)
    film.show(BARE, 1.0)
    assert _down(eyes, film) == set()
    film.show(BARE.lay(None, 255.0, 0.0), 1.0)
    assert _down(eyes, film) == {PILE}
    film.show(BARE, 1.0)
    assert _down(eyes, film) == set()


def _down(eyes: Eyes, film: Film) -> set[Place | None]:
    frame: Frame = film.frame(BARE)
    return {seen.place for seen in eyes.observation(frame.t_s).cards if not seen.face_up}
