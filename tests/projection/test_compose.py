"""Pictures of real moments of games: nothing lies over cards, everything faces its reader, nothing is forgotten."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from calibration.frames import Pose
from calibration.layout import Layout, builtin_layout
from engine.cards import DECK, Card
from engine.events import Place, Tally, Words, YakuValue
from engine.guidance import Cue, Guidance, Role, YakuProgress
from engine.words import card_name, month_name, place_name
from projection.checks import alike_roles, darkness, problems
from projection.compose import compose
from projection.outline import text_box
from projection.panels import interesting
from projection.scene import Brackets, Path, Progress, Ring, Scene
from projection.space import meet
from projection.text import missing
from projection.theme import LABELS, LOOKS
from tests.projection.moments import KINDS, Moment, moment

cached_moment: Callable[[str, int], Moment] = cache(moment)


def picture(m: Moment, language: str) -> Scene:
    return compose(m.guidance, m.poses, m.layout, language, m.draw_pile, m.occupied)


def cards_of(m: Moment) -> list[Pose]:
    return [*m.poses.values(), *m.occupied, *([] if m.draw_pile is None else [m.draw_pile])]


def words_for(scene: Scene, seat: int) -> str:
    return " ".join(text.text for text in scene.texts if text.seat == seat)


@pytest.mark.parametrize("language", ["en", "ja", "both"])
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_keeps_the_rules_of_the_mat(kind: str, seats: int, language: str) -> None:
    m = cached_moment(kind, seats)
    assert problems(picture(m, language), m.layout, cards_of(m)) == ()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_reads_something_in_every_picture(seats: int) -> None:
    for kind in KINDS:
        scene = picture(cached_moment(kind, seats), "ja")
        assert {text.seat for text in scene.texts} == set(range(seats)), kind


@pytest.mark.parametrize("seats", [2, 4])
def test_roles_are_told_apart_without_colour(seats: int) -> None:
    assert alike_roles(builtin_layout(seats)) == ()


def test_the_same_guidance_gives_an_equal_scene() -> None:
    m = cached_moment("middle", 2)
    assert picture(m, "both") == picture(m, "both")
    assert picture(m, "ja") != picture(m, "en")


def test_a_pair_that_matches_has_the_same_letter_and_line_at_both_cards() -> None:
    m = cached_moment("fault", 2)
    pairs = [cue for cue in m.guidance.cues if cue.role is Role.MATCH]
    scene = picture(m, "en")
    letters = [text for text in scene.texts if text.text in ("A", "B")]
    assert pairs
    for cue in pairs:
        rings = [s for s in scene.shapes if isinstance(s, Ring) and s.pose in {m.poses[card] for card in cue.cards}]
        assert len({ring.stroke for ring in rings}) == 1
        near = {
            min(letters, key=lambda t: abs(t.x_mm - m.poses[c].x_mm) + abs(t.y_mm - m.poses[c].y_mm)).text
            for c in cue.cards
        }
        assert len(near) == 1


def test_the_choice_marks_both_candidates_and_not_the_card_they_are_chosen_for() -> None:
    m = cached_moment("choice", 2)
    cue = next(cue for cue in m.guidance.cues if cue.role is Role.CHOICE)
    marked = {shape.pose for shape in picture(m, "en").shapes if isinstance(shape, Brackets)}
    assert marked == {m.poses[card] for card in cue.cards if card != cue.origin}


def test_a_fault_has_an_arrow_from_its_card_to_the_zone_where_it_belongs() -> None:
    m = cached_moment("fault", 2)
    cue = next(cue for cue in m.guidance.cues if cue.role is Role.FAULT)
    assert cue.place is not None
    (arrow,) = [
        shape
        for shape in picture(m, "en").shapes
        if isinstance(shape, Path) and shape.head_mm > 0 and shape.stroke.colour == LOOKS[Role.FAULT].stroke.colour
    ]
    pose, zone = m.poses[cue.cards[0]], m.layout.zone(cue.place)
    assert zone is not None
    start, end = arrow.points_mm[0], arrow.points_mm[-1]
    assert abs(start[0] - pose.x_mm) + abs(start[1] - pose.y_mm) < 60
    assert abs(end[1] - zone.centre_mm[1]) < 80


def test_the_deal_guide_says_how_many_lie_where() -> None:
    m = cached_moment("deal", 2)
    scene = picture(m, "en")
    assert "5/8" in words_for(scene, 0)
    assert "5/8" in words_for(scene, 1)
    assert "4/6" in words_for(scene, 0)
    assert "3/6" in words_for(scene, 1)
    assert sum(isinstance(shape, Progress) for shape in scene.shapes) == 6
    ghosts = [s for s in scene.shapes if isinstance(s, Path) and s.stroke == LOOKS[Role.DEAL].stroke]
    assert len(ghosts) == 3 + 2 + 3 + 1  # field, both hands, the pile as one


def test_strays_and_missing_cards_are_named() -> None:
    words = words_for(picture(cached_moment("deal", 3), "ja"), 1)
    assert "藤に不如帰" in words
    lost = (Card.parse("03-bright"), Card.parse("08-animal"))
    names = Words("Not found: Curtain, Geese", "桜に幕、芒に雁")
    scene = compose(Guidance((Cue(Role.MISSING, lost, words=names, count=2),)), {}, builtin_layout(3), "ja")
    assert all(card_name(card).ja in words_for(scene, 2) for card in lost)


def test_missing_cards_without_a_sentence_are_named_all_the_same() -> None:
    guidance = Guidance((Cue(Role.MISSING, (Card.parse("08-bright"),)),))
    assert "Full Moon" in words_for(compose(guidance, {}, builtin_layout(2), "en"), 0)


def test_the_result_is_itemised_and_names_the_winner() -> None:
    scores = (Tally(57, (YakuValue("spring", 30),), 87), Tally(60, (), 60))
    guidance = Guidance((Cue(Role.WINNER, seat=0),), Words("Player 1 wins", "1の勝ち"), scores=scores)
    scene = compose(guidance, {}, builtin_layout(2), "en", titles={"spring": Words("Spring", "表菅原")})
    first, second = words_for(scene, 0), words_for(scene, 1)
    assert all(part in first for part in ("87", "57", "Spring", "+30", "Winner"))
    assert "60" in second
    assert "Winner" not in second


def test_text_gives_way_to_cards_laid_where_it_would_stand() -> None:
    m = cached_moment("middle", 2)
    before = picture(m, "en")
    covered = tuple(Pose(t.x_mm, t.y_mm, 0.3) for t in before.texts if len(t.text) > 6)
    moved = replace(m, occupied=covered)
    assert covered
    assert problems(picture(moved, "en"), m.layout, cards_of(moved)) == ()


def test_on_a_mat_full_of_cards_text_is_left_out_rather_than_put_over_them() -> None:
    m = cached_moment("middle", 2)
    w, h = m.layout.mat_mm
    carpet = tuple(
        Pose(x, y, 0.0) for x in range(-int(w / 2), int(w / 2), 36) for y in range(-int(h / 2), int(h / 2), 57)
    )
    full = replace(m, occupied=carpet)
    scene = picture(full, "both")
    boxes = [text_box(text) for text in scene.texts]
    assert not any(meet(box, pose.corners_mm()) for box in boxes for pose in carpet)
    assert max(darkness(scene, m.layout, carpet).values()) == 0


def test_a_very_long_sentence_stays_on_the_mat() -> None:
    long = Words("Please put every single card back " * 12, "札をすべて元の場所に戻してください。" * 12)
    for language in ("en", "ja", "both"):
        m = cached_moment("middle", 4)
        m = replace(m, guidance=replace(m.guidance, headline=long))
        assert problems(picture(m, language), m.layout, cards_of(m)) == ()


def test_nothing_to_say_shows_only_the_zones() -> None:
    layout = builtin_layout(2)
    scene = compose(Guidance(), {}, layout)
    assert scene.texts == ()
    assert len(scene.shapes) == len(layout.zones)


def test_cues_about_cards_that_are_not_seen_do_no_harm() -> None:
    card = Card.parse("01-bright")
    cues = tuple(
        Cue(role, (card,), Place("captured", 7), 0, origin=card, words=Words("a", "あ"), count=3, have=9)
        for role in Role
    )
    guidance = Guidance(cues, seat_lines=(None,), scores=(Tally(0, (), 0),), progress=((),))
    for language in ("en", "both"):
        compose(guidance, {}, builtin_layout(3), language)


def test_a_layout_without_zones_still_gets_its_words() -> None:
    layout = Layout("bare", (600.0, 400.0), builtin_layout(2).seats, ())
    scene = compose(Guidance(headline=Words("Hello", "こんにちは")), {}, layout, "ja")
    assert [text.text for text in scene.texts] == ["こんにちは", "こんにちは"]
    assert problems(scene, layout, ()) == ()


def test_made_yaku_come_first_and_hopeless_ones_not_at_all() -> None:
    def way(name: str, value: int, held: int, needed: int, made: bool = False, possible: bool = True) -> YakuProgress:
        cards = DECK[:needed]
        return YakuProgress(name, Words(name, name), value, cards, cards[:held], needed, made, possible)

    ways = (way("a", 40, 0, 3), way("b", 20, 1, 2), way("c", 20, 2, 2, True), way("d", 90, 0, 3, possible=False))
    assert [found.id for found in interesting((*ways, way("e", 30, 2, 3), way("f", 10, 0, 3)))] == ["c", "e", "b", "a"]


def test_the_font_has_every_character_of_names_and_labels() -> None:
    words = [card_name(card) for card in DECK] + [month_name(month) for month in range(1, 13)] + list(LABELS.values())
    words += [place_name(zone.place) for zone in builtin_layout(4).zones]
    text = "".join(w.en + w.ja for w in words) + "ABCDEFGHJKLMNPRSTUVWXYZ0123456789+/…"
    assert missing(text) == ""


def test_what_is_headline_and_fault_and_seat_line_is_said_once() -> None:
    words = Words("Put the Crane back", "松に鶴を戻してください")
    guidance = Guidance((Cue(Role.FAULT, words=words),), words, (words, words))
    for language, lines in (("en", 1), ("ja", 1), ("both", 2)):
        scene = compose(guidance, {}, builtin_layout(2), language)
        assert len([text for text in scene.texts if text.seat == 0]) == lines
