"""The cards of the months 1-6, each a picture in mm of the whole card."""

from collections.abc import Callable
from typing import Final

from fauna import butterfly, crane, cuckoo, warbler
from flowers import (
    iris_blades,
    iris_flower,
    peony,
    peony_bud,
    peony_leaf,
    stem,
    wisteria_leaves,
    wisteria_raceme,
)
from shapes import OCHRE, PAPER, PINK, RED, VIOLET, Art, brush, disc, joined, moved, scattered
from things import bridge, cloud, curtain, ribbon
from trees import branch, cherry_blossom, pine_bough, plum_blossom, plum_bud


def _pines(*boughs: tuple[float, float, float, float]) -> Art:
    """Boughs at (x, foot y) of (height, width)."""
    return joined([moved(pine_bough(height, width), x, y) for x, y, height, width in boughs])


def pine_bright() -> Art:
    sun = disc(24, 9, 10.5, RED)
    return (sun, *_pines((27.5, 54, 21, 11), (19, 55, 8, 9), (3, 55, 12, 8)), *moved(crane(), 13.6, 33))


def pine_ribbon() -> Art:
    return (*_pines((6, 54, 24, 11), (28, 54, 32, 11), (17, 55, 9, 12)), *moved(ribbon(RED, text="あかよろし"), 15.5, 23, angle=-8))


def pine_chaff_1() -> Art:
    return _pines((25, 55, 42, 15), (4, 54, 22, 10), (13.5, 55, 10, 10))


def pine_chaff_2() -> Art:
    return _pines((8, 55, 34, 15), (29, 54, 26, 10), (19.5, 55, 13, 10))


def _plum(blossoms: list[tuple[float, float, float, float]], buds: list[tuple[float, float, float, float]]) -> Art:
    return (*scattered(plum_bud, buds), *scattered(plum_blossom, blossoms))


def plum_animal() -> Art:
    wood = branch(
        ([(34, 50), (26, 45), (22, 38), (14, 35), (6, 38), (-1, 34)], [5, 4.2, 3.4, 2.8, 2.2, 1.5]),
        ([(24, 41), (27, 30), (29, 16)], [2.2, 1.5, 1.0]),
        ([(8, 37), (6, 46), (9, 52)], [1.8, 1.2, 0.8]),
    )
    flowers = _plum(
        [(27, 37, 10, 1.1), (8, 44, 0, 1.15), (19, 48, 20, 1.1), (29, 22, 5, 0.9)],
        [(28.5, 13.5, 0, 1), (9.4, 51.5, 160, 1), (25.6, 29, -40, 1), (3, 33, -20, 1)],
    )
    return (*cloud(9, 4.5, 1.1), *wood, *flowers, *moved(warbler(), 14, 27, scale=1.25))


def plum_ribbon() -> Art:
    wood = branch(
        ([(-1, 52), (8, 46), (13, 38), (20, 34), (26, 24), (29, 8)], [5, 4.4, 3.2, 2.6, 2.0, 1.0]),
        ([(12, 40), (24, 44), (30, 40)], [2.2, 1.5, 1.0]),
    )
    flowers = _plum(
        [(8, 41, 0, 1.1), (27, 43, 20, 1.2), (28, 24, 10, 1.05), (6, 50, 30, 0.9), (19, 50, 5, 0.9)],
        [(29, 7, 0, 1.1), (30.5, 36, 30, 1), (26, 14, -40, 1)],
    )
    return (*wood, *flowers, *moved(ribbon(RED, text="あかよろし"), 12, 19.5, angle=10))


def plum_chaff_1() -> Art:
    wood = branch(
        ([(34, 53), (24, 48), (14, 45), (6, 47), (-1, 44)], [4.5, 3.8, 3, 2.2, 1.4]),
        ([(22, 47), (23, 34), (24, 12)], [2.6, 1.8, 1.0]),
        ([(13, 45), (10, 34), (9, 18)], [2.2, 1.6, 0.9]),
    )
    flowers = _plum(
        [(16, 42, 0, 1.25), (24, 38, 20, 1.25), (9, 37, 10, 1.1), (6, 47, 0, 0.9), (24, 23, 15, 0.9)],
        [(24, 11, 0, 1.1), (9, 17, 0, 1.1), (8.2, 26, -40, 1), (25.5, 30, 50, 1), (28, 48, 60, 1)],
    )
    return (*wood, *flowers)


def plum_chaff_2() -> Art:
    wood = branch(
        ([(12, 55), (11, 46), (17, 40), (15, 31), (20, 24), (19, 6)], [5, 4.4, 3.6, 3, 2, 1]),
        ([(16, 39), (25, 36), (27, 26), (28, 14)], [2.4, 1.8, 1.4, 0.8]),
        ([(11, 46), (5, 40), (5, 26)], [2.2, 1.6, 0.8]),
    )
    flowers = _plum(
        [(11, 46, 0, 1.25), (22, 35, 20, 1.15), (12.5, 30, 10, 1.1), (21, 47, 30, 1), (5, 33, 0, 0.85)],
        [(19, 5, 0, 1.1), (28, 13, 0, 1.1), (5, 25, 0, 1.1), (17.6, 16, -50, 1), (29, 24, 60, 1)],
    )
    return (*wood, *flowers)


def _cherries(*spots: tuple[float, float, float, float, int]) -> Art:
    """Blossoms at (x, y, angle, scale), red where the last number is 1, else pink."""
    return joined(
        [
            moved(cherry_blossom(*((RED, OCHRE) if red else (PINK, RED))), x, y, angle=angle, scale=scale)
            for x, y, angle, scale, red in spots
        ]
    )


def cherry_bright() -> Art:
    blossoms = _cherries(
        (5, 5, 0, 1.15, 1), (13, 8, 30, 1.15, 0), (21.5, 5, 12, 1.15, 1), (29, 9, 0, 1.15, 0), (6, 14, 50, 1.15, 0),
        (14.5, 17, 5, 1.15, 1), (23, 14.5, 20, 1.15, 0), (30, 18, 40, 1.1, 1), (5, 23, 10, 1.15, 1), (13, 26, 44, 1.1, 0),
        (22, 24, 0, 1.15, 1), (30, 26, 15, 1.0, 0),
    )  # fmt: skip
    return (*blossoms, *curtain())


def cherry_ribbon() -> Art:
    wood = branch(([(-1, 14), (8, 10), (18, 11), (27, 6), (34, 7)], [3.2, 2.8, 2.2, 1.8, 1.2]), ([(8, 10), (5, 20), (6, 28)], [1.8, 1.2, 0.8]))
    blossoms = _cherries(
        (6, 6, 0, 1.1, 0), (27, 6, 30, 1.1, 1), (30, 14, 10, 1.0, 0), (5, 22, 20, 1.2, 1), (6, 31, 0, 1.0, 0), (28.5, 23, 40, 1.1, 1),
        (7.5, 46, 20, 1.1, 0), (27.5, 45, 0, 1.1, 0),
    )  # fmt: skip
    return (*wood, *blossoms, *moved(ribbon(RED, text="みよしの", bend=-1.2), 17, 30, angle=4))


def cherry_chaff_1() -> Art:
    wood = branch(
        ([(30, 55), (29, 40), (31, 28), (27, 16), (29, -1)], [6.5, 5, 4.2, 3.6, 3]),
        ([(29, 38), (20, 34), (10, 36)], [2.6, 1.8, 1]),
        ([(28, 20), (18, 16), (8, 9)], [2.4, 1.8, 1]),
    )
    blossoms = _cherries(
        (6, 7, 0, 1.15, 0), (14, 12, 30, 1.25, 1), (20.5, 19, 12, 1.15, 0), (7, 17, 50, 1.1, 1),
        (19, 33, 5, 1.25, 1), (9.5, 37, 20, 1.2, 0), (17, 43, 40, 1.15, 0), (8, 46, 10, 1.0, 1),
    )  # fmt: skip
    return (*wood, *blossoms)


def cherry_chaff_2() -> Art:
    wood = branch(
        ([(2, 55), (6, 44), (3, 34), (7, 24), (16, 18), (22, 6)], [7, 5.6, 4.6, 3.6, 2.6, 1.2]),
        ([(5, 44), (14, 40), (24, 42)], [2.8, 2, 1]),
        ([(12, 20), (22, 22), (28, 26)], [2.2, 1.6, 0.8]),
    )
    blossoms = _cherries(
        (21, 8, 0, 1.25, 1), (12.5, 12, 30, 1.1, 0), (28, 14, 12, 1.1, 0), (24, 23, 50, 1.25, 1), (14.5, 24, 20, 1.1, 0),
        (24, 34, 0, 1.0, 0), (17, 40, 5, 1.25, 1), (26, 43, 20, 1.2, 0), (17, 49, 40, 1.0, 1),
    )  # fmt: skip
    return (*wood, *blossoms)


def _racemes(*clusters: tuple[float, float, float, float]) -> Art:
    return joined([moved(wisteria_raceme(length, sway), x, y) for x, y, length, sway in clusters])


def wisteria_animal() -> Art:
    moon = (disc(14, 21, 11, RED), disc(17.5, 16.8, 9.6, PAPER, line=0))
    vine = brush([(34, 3), (24, 5), (12, 3), (-1, 6)], [2.2, 1.6, 1.2])
    leaves = joined([wisteria_leaves(path) for path in ([(28, 4), (30, 12), (28, 18)], [(6, 4), (4, 9), (5, 13)])])
    return (*moon, vine, *leaves, *_racemes((28.6, 19, 30, -2), (21.5, 33, 17, -1), (5, 36, 15, 1)), *moved(cuckoo(), 15.5, 25, scale=1.15))


def wisteria_ribbon() -> Art:
    vine = brush([(-1, 5), (9, 3), (22, 6), (34, 3)], [2.2, 1.6, 1.2])
    leaves = joined([wisteria_leaves(path) for path in ([(5, 4), (4, 12), (6, 18)], [(28, 4), (29, 11), (27, 16)])])
    return (vine, *_racemes((6, 15, 32, 2), (13, 5, 14, 0), (28, 15, 16, -1)), *leaves, *moved(ribbon(RED), 20.5, 32, angle=-10))


def wisteria_chaff_1() -> Art:
    vine = brush([(-1, 4), (10, 3), (20, 5), (34, 3)], [2.2, 1.8, 1.2])
    leaves = joined([wisteria_leaves(path) for path in ([(4, 4), (5, 10), (4, 15)], [(24, 4), (23, 9), (24, 13)], [(31, 4), (30, 9), (30, 13)])])
    return (vine, *_racemes((14, 4, 44, 0), (6, 13, 26, 1), (25, 11, 31, -1)), *leaves)


def wisteria_chaff_2() -> Art:
    vine = brush([(34, 4), (24, 3), (14, 5), (-1, 3)], [2.2, 1.8, 1.2])
    leaves = joined([wisteria_leaves(path) for path in ([(13, 4), (13, 11), (11, 17)], [(21, 4), (21, 10), (22, 15)], [(3, 4), (4, 8), (3, 12)])])
    return (vine, *_racemes((28, 5, 42, 1), (19, 13, 22, 0), (6, 9, 36, 0)), *leaves)


def _irises(*flowers: tuple[float, float, float, float]) -> Art:
    """Flowers at (x, y) of a scale, their stems down to the foot x."""
    stems = joined([stem([(foot, 54), ((foot + x) / 2, (54 + y) / 2), (x, y - 0.5)]) for x, y, _, foot in flowers])
    return (*stems, *joined([moved(iris_flower(), x, y, scale=scale) for x, y, scale, _ in flowers]))


def iris_animal() -> Art:
    blades = iris_blades([(6, 40, 3, 15), (10, 42, 11, 8), (14, 42, 20, 12), (26, 44, 29, 9), (22, 44, 24, 16), (30, 45, 31.5, 22)])
    return (*cloud(24, 3.5, 0.9), *blades, *_irises((8.5, 20, 1.0, 9), (22.5, 22, 1.0, 22)), *bridge())


def iris_ribbon() -> Art:
    blades = iris_blades([(18, 55, 15, 22), (22, 55, 20, 10), (26, 55, 30, 14), (30, 55, 31.5, 24), (14, 55, 8, 32), (8, 55, 3, 36)])
    return (*blades, *_irises((23.5, 17, 1.1, 24), (25, 36, 1.0, 27)), *moved(ribbon(RED, bend=-1.4), 9.5, 22, angle=14))


def iris_chaff_1() -> Art:
    blades = iris_blades([(8, 55, 3, 20), (12, 55, 9, 12), (16, 55, 16, 8), (20, 55, 24, 14), (24, 55, 30, 22), (5, 55, 2.5, 34), (28, 55, 31.5, 36)])
    return (*blades, *_irises((10, 24, 1.15, 12), (22.5, 20, 1.15, 20)))


def iris_chaff_2() -> Art:
    blades = iris_blades([(6, 55, 5, 28), (10, 55, 14, 24), (15, 55, 20, 28), (20, 55, 27, 24), (25, 55, 30.5, 30), (3, 55, 2, 40)])
    bud = (*stem([(24, 54), (25, 34), (25.5, 15)]), *moved(iris_flower()[:5], 25.5, 15, scale=1.1))
    return (*blades, *bud, *_irises((9.5, 13, 1.3, 14), (19.5, 34, 1.2, 19)))


def _leaves(leaf: Callable[[], Art], *spots: tuple[float, float, float, float]) -> Art:
    return scattered(leaf, spots)


def peony_animal() -> Art:
    leaves = _leaves(peony_leaf, (6, 44, -60, 0.9), (27, 44, 70, 0.9), (9, 48, -120, 0.8), (24, 48, 130, 0.8), (8, 34, -30, 0.9), (26, 33, 36, 0.9), (16, 49, 180, 0.6))
    insects = (*moved(butterfly(), 10, 12, angle=-24, scale=1.15), *moved(butterfly(), 24, 18.5, angle=32, scale=1.05))
    return (*cloud(24, 3, 1.0), *leaves, *moved(peony(), 16.5, 40, scale=1.05), *insects)


def peony_ribbon() -> Art:
    leaves = _leaves(peony_leaf, (26, 30, 20, 0.9), (29, 38, 90, 0.8), (20, 46, 190, 0.8), (12, 44, -90, 1.0), (28, 45, 150, 0.8), (7, 12, -120, 0.8), (9, 10, 60, 0.9))
    twig = stem([(22, 38), (14, 26), (8, 10)])
    return (*twig, *leaves, *moved(peony_bud(), 8, 9.5, angle=-10, scale=1.1), *moved(peony(), 22, 39, scale=0.98), *moved(ribbon(VIOLET), 19.5, 22, angle=12))


def peony_chaff_1() -> Art:
    leaves = _leaves(peony_leaf, (24, 34, 60, 1.0), (8, 36, -80, 0.9), (22, 46, 150, 0.9), (10, 46, -150, 0.9), (22, 20, 70, 0.9), (15, 24, -70, 0.9))
    twig = stem([(15, 38), (19, 26), (20, 14)], 1.2)
    return (*twig, *leaves, *moved(peony_bud(), 20, 14.5, scale=1.5), *moved(peony(), 15.5, 39, scale=1.15))


def peony_chaff_2() -> Art:
    leaves = _leaves(peony_leaf, (8, 30, -50, 1.0), (25, 28, 40, 1.0), (11, 44, -110, 0.9), (22, 46, 110, 1.0), (15, 40, 170, 0.9), (9, 20, -120, 0.7), (29, 16, 120, 0.7))
    twig = stem([(18, 54), (16, 40), (17, 26)], 1.3)
    bud = (*stem([(16, 44), (24, 44), (25.5, 42)]), *moved(peony_bud(), 25.5, 42.5, angle=12, scale=1.0))
    return (*twig, *leaves, *bud, *moved(peony(), 17, 18, scale=1.2))


CARDS: Final[dict[str, Callable[[], Art]]] = {
    "01-bright": pine_bright,
    "01-ribbon": pine_ribbon,
    "01-chaff-1": pine_chaff_1,
    "01-chaff-2": pine_chaff_2,
    "02-animal": plum_animal,
    "02-ribbon": plum_ribbon,
    "02-chaff-1": plum_chaff_1,
    "02-chaff-2": plum_chaff_2,
    "03-bright": cherry_bright,
    "03-ribbon": cherry_ribbon,
    "03-chaff-1": cherry_chaff_1,
    "03-chaff-2": cherry_chaff_2,
    "04-animal": wisteria_animal,
    "04-ribbon": wisteria_ribbon,
    "04-chaff-1": wisteria_chaff_1,
    "04-chaff-2": wisteria_chaff_2,
    "05-animal": iris_animal,
    "05-ribbon": iris_ribbon,
    "05-chaff-1": iris_chaff_1,
    "05-chaff-2": iris_chaff_2,
    "06-animal": peony_animal,
    "06-ribbon": peony_ribbon,
    "06-chaff-1": peony_chaff_1,
    "06-chaff-2": peony_chaff_2,
}
