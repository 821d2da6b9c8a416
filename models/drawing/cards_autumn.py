"""The cards of the months 7-12, each a picture in mm of the whole card."""

from collections.abc import Callable
from typing import Final

from fauna import boar, deer, frog, goose, phoenix, rain_man, swallow
from flowers import (
    chrysanthemum,
    chrysanthemum_leaf,
    chrysanthemum_side,
    clover_spray,
    stem,
    susuki_hill,
    susuki_plume,
)
from shapes import BLACK, LEAF, OCHRE, PAPER, RED, VIOLET, WHITE, Art, Colour, Shape, area, brush, disc, joined, line, moved, points, scattered
from things import cloud, ribbon, sake_cup, stream, umbrella
from trees import branch, maple_leaf, paulownia_leaf, paulownia_spike, willow_frond


def _sky(fill: Colour) -> Shape:
    return Shape(points((0, 0), (33, 0), (33, 54), (0, 54)), fill, 0)


def clover_animal() -> Art:
    twigs = (*clover_spray([(33, 34), (28, 20), (16, 13), (4, 17)], size=1.1), *clover_spray([(33, 24), (27, 12), (17, 7)], size=1.0),
             *clover_spray([(0, 53), (10, 48), (22, 50), (33, 46)], size=1.0, flowers=0.5))  # fmt: skip
    return (*cloud(9, 4, 1.0), *twigs, *moved(boar(), 16.5, 37, scale=1.08))


def clover_ribbon() -> Art:
    twigs = (*clover_spray([(2, 54), (5, 38), (6, 22), (11, 8)], size=1.15), *clover_spray([(6, 54), (18, 46), (29, 46)], size=1.1),
             *clover_spray([(32, 34), (29, 22), (30, 8)], size=1.0))  # fmt: skip
    return (*twigs, *moved(ribbon(RED, bend=-1.6), 19, 21, angle=-14))


def clover_chaff_1() -> Art:
    return (
        *clover_spray([(16, 54), (17, 36), (14, 20), (6, 6)], size=1.25),
        *clover_spray([(17, 42), (23, 28), (28, 10)], size=1.25, flowers=0.3),
        *clover_spray([(16, 48), (9, 40), (4, 30)], size=1.15, flowers=0.3),
    )


def clover_chaff_2() -> Art:
    return (
        *clover_spray([(33, 50), (24, 38), (14, 34), (4, 40)], size=1.25),
        *clover_spray([(33, 36), (26, 22), (14, 16), (4, 20)], size=1.25),
        *clover_spray([(32, 22), (26, 10), (17, 5)], size=1.15, flowers=0.3),
        *clover_spray([(28, 44), (20, 47), (12, 50)], size=1.0, flowers=0.2),
    )


def susuki_bright() -> Art:
    moon = disc(17, 17.5, 12.2, WHITE, line=0.4)
    return (_sky(RED), moon, *susuki_hill([(-2, 41), (8, 36), (20, 35.5), (35, 40)]))


def susuki_animal() -> Art:
    geese = (*moved(goose(), 11, 11, scale=1.15), *moved(goose(), 22.5, 20, scale=1.15), *moved(goose(), 10.5, 28.5, scale=1.15))
    return (*geese, *susuki_hill([(-2, 47), (8, 44), (20, 38), (35, 37)]))


def susuki_chaff_1() -> Art:
    plumes = (*susuki_plume([(14, 34), (12, 22), (13, 14)]), *susuki_plume([(18, 34), (20, 26), (23, 19)]))
    return (*plumes, *susuki_hill([(-2, 30), (8, 26), (18, 27), (35, 36)]))


def susuki_chaff_2() -> Art:
    plumes = (*susuki_plume([(22, 26), (24, 18), (21, 11)]), *susuki_plume([(14, 30), (12, 24), (8, 20)]))
    return (*plumes, *susuki_hill([(-2, 36), (10, 29), (22, 23), (35, 22)]))


def chrysanthemum_animal() -> Art:
    leaves = scattered(chrysanthemum_leaf, [(6, 20, -60, 0.9), (20, 16, 50, 0.9), (27, 24, 100, 0.9), (4, 32, -100, 0.7)])
    hill = area([(-3, 58), (2, 49), (12, 46), (24, 48), (36, 46), (36, 58)], LEAF)
    return (*stem([(15, 50), (13, 36), (12, 20)]), *leaves, *moved(chrysanthemum(), 12, 15, scale=1.15), *moved(chrysanthemum_side(), 25, 12, scale=1.0), hill, *moved(sake_cup(), 18, 36.5, angle=-8, scale=1.35))


def chrysanthemum_ribbon() -> Art:
    leaves = scattered(chrysanthemum_leaf, [(22, 40, 50, 1.0), (8, 38, -60, 1.0), (6, 28, -80, 0.8), (10, 47, -150, 0.9), (26, 46, 110, 0.8), (26, 12, 120, 0.8)])
    return (*stem([(17, 54), (20, 30), (25, 9)]), *leaves, *moved(chrysanthemum_side(), 25.5, 10, scale=1.05), *moved(chrysanthemum(), 16.5, 42, scale=1.2), *moved(ribbon(VIOLET, bend=-1.2), 11.5, 20, angle=-6))


def chrysanthemum_chaff_1() -> Art:
    leaves = scattered(chrysanthemum_leaf, [(20, 34, 50, 1.0), (13, 38, -60, 1.1), (19, 42, 80, 1.1), (14, 46, -100, 1.0), (17, 18, 60, 0.8), (15, 20, -70, 0.8)])
    return (*stem([(17, 54), (16, 36), (17, 14)], 1.2), *leaves, *moved(chrysanthemum_side(), 17, 13, scale=1.15), *moved(chrysanthemum(), 16.5, 29, scale=1.2))


def chrysanthemum_chaff_2() -> Art:
    leaves = scattered(chrysanthemum_leaf, [(12, 27, -40, 1.2), (24, 26, 60, 1.0), (14, 36, -90, 1.1), (24, 35, 90, 0.9), (8, 47, -60, 0.8)])
    return (*stem([(22, 54), (16, 34), (12, 16)], 1.2), *stem([(20, 48), (24, 44)]), *leaves, *moved(chrysanthemum(RED, OCHRE), 11.5, 14, scale=1.25), *moved(chrysanthemum_side(RED, OCHRE), 23.5, 45, angle=14, scale=1.25))


def _maples(*leaves: tuple[float, float, float, float, Colour]) -> Art:
    return joined([moved(maple_leaf(fill), x, y, angle=angle, scale=scale) for x, y, angle, scale, fill in leaves])


def maple_animal() -> Art:
    trunk = branch(([(31.5, 55), (30, 36), (32, 20), (29, -1)], [5, 4, 3.6, 3]), ([(31, 18), (20, 9), (8, 6)], [2, 1.6, 1]))
    leaves = _maples((26, 20, 160, 0.95, RED), (6, 7, 190, 1.0, LEAF), (16, 6, 160, 1.0, RED), (26, 8, 200, 1.0, OCHRE), (28, 33, 150, 0.85, LEAF), (7, 15.5, 170, 0.75, OCHRE))
    ground = area([(-3, 58), (4, 50), (16, 48.5), (36, 51), (36, 58)], LEAF)
    return (*trunk, *leaves, ground, *moved(deer(), 13.5, 35.5))


def maple_ribbon() -> Art:
    leaves = _maples((7, 9, 150, 1.25, OCHRE), (8, 25, 200, 1.2, LEAF), (7, 42, 160, 1.35, RED), (27, 46, 190, 1.2, OCHRE), (27.5, 9, 170, 1.1, RED), (28, 28, 140, 1.0, LEAF))
    return (*leaves, *moved(ribbon(VIOLET), 18, 27, angle=-20))


def maple_chaff_1() -> Art:
    twig = branch(([(34, 10), (24, 14), (14, 12), (4, 18)], [2, 1.6, 1.2, 0.6]))
    leaves = _maples((10, 20, 170, 1.5, RED), (25, 13, 200, 1.35, LEAF), (22, 30, 150, 1.5, OCHRE), (8, 38, 200, 1.2, LEAF), (24, 45, 170, 1.2, RED), (8, 7, 140, 0.9, OCHRE))
    return (*twig, *leaves)


def maple_chaff_2() -> Art:
    twig = branch(([(-1, 6), (8, 12), (18, 12), (28, 8)], [2, 1.6, 1.2, 0.6]))
    leaves = _maples((8, 12, 160, 1.3, LEAF), (22, 9, 200, 1.3, OCHRE), (26, 25, 160, 1.4, RED), (11, 29, 190, 1.5, OCHRE), (26, 42, 200, 1.3, LEAF), (10, 46, 150, 1.25, RED))
    return (*twig, *leaves)


def willow_bright() -> Art:
    fronds = joined([willow_frond(path) for path in ([(24, -1), (28, 8), (29, 24)], [(30, -2), (31, 10), (31.5, 34)], [(17, -1), (20, 5), (21, 12)], [(6, -2), (5, 6), (4, 16)])])
    trunk = branch(([(34, -1), (22, 3), (8, 2), (-1, 5)], [4, 3, 2.2, 1.4]))
    water = stream([(-2, 44), (8, 40), (18, 46), (26, 42), (35, 44)], 4.0)
    ground = area([(-3, 57), (8, 50), (18, 51), (36, 49.5), (36, 57)], OCHRE)
    person = (*moved(umbrella(), 8.6, 30.5, angle=-8, scale=1.05), *moved(rain_man(), 15, 34, scale=1.2))
    return (*water, ground, *trunk, *fronds, *person, *moved(frog(), 26.5, 47.5, scale=1.15))


def willow_animal() -> Art:
    fronds = joined([willow_frond(path) for path in ([(4, -2), (6, 14), (5, 40)], [(10, -2), (11, 8), (10.5, 18)], [(20, -2), (22, 6), (21, 12)], [(28, -2), (29.5, 8), (29, 22)])])
    return (*fronds, *moved(swallow(), 18, 31, scale=1.25))


def willow_ribbon() -> Art:
    fronds = joined([willow_frond(path) for path in ([(29, -2), (27, 18), (28.5, 47)], [(21, -2), (22, 14), (20.5, 34)], [(12, -2), (12, 6), (11, 12)], [(4, -2), (5, 10), (4, 18)])])
    return (*fronds, *moved(ribbon(RED, bend=1.8), 12.5, 33.5, angle=10))


def willow_chaff_1() -> Art:
    bolt = Shape(points((20, -1), (27, -1), (21, 11), (26.5, 10), (14, 31), (16.5, 19), (11.5, 20.5)), OCHRE, 0.5)
    storm = (
        area([(-4, -3), (14, -3), (11, 6), (13, 13), (5, 15), (7, 22), (-4, 25)], BLACK),
        area([(28, -3), (37, -3), (37, 30), (28, 25), (31, 17), (25, 12)], BLACK),
    )
    curls = tuple(
        line([(x - 2, y + 1), (x - 1.4, y - 1.6), (x + 1.2, y - 1.4), (x + 1.2, y + 0.8), (x - 0.4, y + 0.6)], 0.5, RED)
        for x, y in ((5, 6), (8.6, 11), (3.6, 16), (31, 8), (30.4, 19), (10, 3.4))
    )
    drum = (disc(21.5, 40, 9.0, BLACK), disc(21.5, 40, 7.4, RED), *(moved(_comma(), 21.5, 40, angle=120.0 * i)[0] for i in range(3)))
    nails = tuple(disc(p[0], p[1], 0.5, OCHRE, line=0) for p in _around(21.5, 40, 8.2, 14))
    fronds = joined([willow_frond(path) for path in ([(2, 26), (5, 38), (4, 50)], [(9, 30), (10, 42), (9, 54)], [(30.5, 27), (31.5, 38), (31, 54)])])
    rain = tuple(brush([(x, y), (x - 2.4, y + 7)], [0.35, 0.35], BLACK) for x, y in ((13, 33), (26, 26), (12, 44), (29, 44)))
    return (_sky(RED), *storm, *curls, *rain, *drum, *nails, *fronds, bolt)


def _comma() -> Art:
    """One of the three commas of the thunder drum, around its centre."""
    return (area([(0.4, -0.6), (2.6, -0.8), (3.8, -2.8), (2.8, -5.0), (0.4, -5.8), (-2.6, -5.0), (-5.0, -2.4), (-2.2, -3.6), (0.0, -3.2)], BLACK, line=0),)


def _around(x: float, y: float, r: float, count: int) -> list[tuple[float, float]]:
    circle = disc(x, y, r, None).points
    return [(float(circle[k * 48 // count][0]), float(circle[k * 48 // count][1])) for k in range(count)]


def _paulownia(y: float, *spikes: tuple[float, float, float]) -> Art:
    """Three leaves that meet at (16.5, y) under flower spikes (x, height, angle)."""
    flowers = joined([moved(paulownia_spike(height), x, y, angle=angle) for x, height, angle in spikes])
    leaves = (*moved(paulownia_leaf(), 15, y, angle=62, scale=1.05), *moved(paulownia_leaf(), 18, y, angle=-62, scale=1.05), *moved(paulownia_leaf(), 16.5, y + 0.5, scale=1.15))
    return (*flowers, *leaves)


def paulownia_bright() -> Art:
    return (*_paulownia(38, (16.5, 9, 0), (11, 7, -24), (22, 7, 24)), *moved(phoenix(), 16, 19.5, scale=0.98))


def paulownia_chaff_1() -> Art:
    ground = Shape(points((0, 39), (33, 39), (33, 54), (0, 54)), OCHRE, 0.4)
    return (ground, *_paulownia(29, (16.5, 22, 0), (10.5, 15, -8), (22.5, 15, 8)))


def paulownia_chaff_2() -> Art:
    return _paulownia(37, (16.5, 30, 0), (9.5, 19, -10), (23.5, 19, 10))


def paulownia_chaff_3() -> Art:
    return _paulownia(36, (11.5, 27, -6), (21, 21, 14))


CARDS: Final[dict[str, Callable[[], Art]]] = {
    "07-animal": clover_animal,
    "07-ribbon": clover_ribbon,
    "07-chaff-1": clover_chaff_1,
    "07-chaff-2": clover_chaff_2,
    "08-bright": susuki_bright,
    "08-animal": susuki_animal,
    "08-chaff-1": susuki_chaff_1,
    "08-chaff-2": susuki_chaff_2,
    "09-animal": chrysanthemum_animal,
    "09-ribbon": chrysanthemum_ribbon,
    "09-chaff-1": chrysanthemum_chaff_1,
    "09-chaff-2": chrysanthemum_chaff_2,
    "10-animal": maple_animal,
    "10-ribbon": maple_ribbon,
    "10-chaff-1": maple_chaff_1,
    "10-chaff-2": maple_chaff_2,
    "11-bright": willow_bright,
    "11-animal": willow_animal,
    "11-ribbon": willow_ribbon,
    "11-chaff-1": willow_chaff_1,
    "12-bright": paulownia_bright,
    "12-chaff-1": paulownia_chaff_1,
    "12-chaff-2": paulownia_chaff_2,
    "12-chaff-3": paulownia_chaff_3,
}
