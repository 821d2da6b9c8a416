"""Wisteria, iris and peony: the cards of the months 4-6."""

from birds import cuckoo
from creatures import butterfly
from flowers import (
    iris_blades,
    iris_bud,
    iris_flower,
    peony,
    peony_bud,
    peony_leaf,
    stem,
    wisteria_leaves,
    wisteria_raceme,
)
from shapes import LEAF, RED, VIOLET, Art, around, brush, joined, leafy, moved, points
from things import bridge, cloud, crescent, ribbon


def _racemes(clusters: str) -> Art:
    """Clusters at each "x,y,length,sway"."""
    return joined([moved(wisteria_raceme(length, sway), x, y) for x, y, length, sway in points(clusters)])


def _foliage(*paths: str) -> Art:
    return joined([wisteria_leaves(path) for path in paths])


def wisteria_animal() -> Art:
    """A cuckoo before the crescent."""
    vine = brush("34,3 24,5 12,3 -1,6", [2.2, 1.6, 1.2])
    leaves = _foliage("26,4 24,9 25,14", "9,4 11,9 9,14", "31,4 31,9 30,12")
    tendril = brush("-1,51 5,47 10,50 8,53 5.6,51.4 8,49.6", [0.7, 0.5, 0.4], LEAF)
    low = _foliage("34,52 27,49 20,51")
    return (
        vine, *_racemes("4.4,6,19,0 18,4,14,0 29,12,34,-1"), *leaves, *low, tendril,
        *crescent(13.4, 33.4, 11.5), *moved(cuckoo(), 15.4, 35.4, scale=1.06),
    )  # fmt: skip


def wisteria_ribbon() -> Art:
    """Long clusters and a red ribbon."""
    vine = brush("-1,5 9,3 22,6 34,3", [2.2, 1.6, 1.2])
    leaves = _foliage("28,4 29,12 27,18", "5,4 4,11 6,16", "17,5 18,9 16,13")
    return (
        vine,
        *_racemes("27.4,15,34,-1 21,5,17,0 5,13,10,0"),
        *leaves,
        *moved(ribbon(RED, bend=-1.6), 12.6, 33.4, angle=8),
    )


def wisteria_chaff_1() -> Art:
    """The longest cluster in the middle."""
    vine = brush("-1,4 10,3 20,5 34,3", [2.2, 1.8, 1.2])
    leaves = _foliage("4,4 5,10 4,15", "24,4 23,9 24,13", "31,4 30,9 30,13")
    return (vine, *_racemes("14.4,5,44,0 6,13,26,1 24.6,11,32,-1"), *leaves)


def wisteria_chaff_2() -> Art:
    """The longest cluster on the right."""
    vine = brush("34,4 24,3 14,5 -1,3", [2.2, 1.8, 1.2])
    leaves = _foliage("13,4 13,11 11,17", "21,4 21,10 22,15", "3,4 4,8 3,12")
    return (vine, *_racemes("28,5,43,1 19,13,22,0 6.6,9,36,0"), *leaves)


def _irises(flowers: str) -> Art:
    """Flowers at each "x,y,scale,foot x", with their stems."""
    places = points(flowers)
    stems = joined([stem([(foot, 54), ((foot + x) / 2, (54 + y) / 2), (x, y - 0.5)]) for x, y, _, foot in places])
    return (*stems, *joined([moved(iris_flower(), x, y, scale=scale) for x, y, scale, _ in places]))


def iris_animal() -> Art:
    """The bridge of eight planks."""
    blades = iris_blades("6,46,3,15 10,46,11.5,8 14,46,20,12 26,46,29,9 22,46,24.5,15 30,46,31.5,22 18,46,15.5,18")
    return (*cloud(23.4, 4, 0.95), *blades, *_irises("8.4,20.6,1.1,9 22.6,23,1.1,22"), *bridge())


def iris_ribbon() -> Art:
    """Two flowers beside a red ribbon."""
    blades = iris_blades("18,55,15.5,22 22,55,20,9 26,55,30,14 30,55,31.5,24 14,55,8,33 8,55,3,37 4,55,2,46")
    return (*blades, *_irises("23.6,17.4,1.2,24 25,37,1.1,27"), *moved(ribbon(RED, bend=-1.4), 9.6, 21.4, angle=14))


def iris_chaff_1() -> Art:
    """Two flowers side by side."""
    blades = iris_blades("8,55,3,22 12,55,9,12 16,55,16.4,8 20,55,24.5,13 24,55,30,22 5,55,2.5,36 28,55,31.5,36")
    return (*blades, *_irises("10,25,1.25,12 22.6,20,1.25,20"))


def iris_chaff_2() -> Art:
    """One flower above, one below, and a bud."""
    blades = iris_blades("6,55,5,28 10,55,14,24 15,55,20.5,28 20,55,27,24 25,55,30.5,30 3,55,2,40")
    bud = (*stem("24,54 25.4,36 26,16"), *moved(iris_bud(), 26, 17, scale=1.25))
    return (*blades, *bud, *_irises("9.8,13,1.4,14 19.5,35,1.35,19"))


def peony_animal() -> Art:
    """Two butterflies over a flower."""
    leaves = around(peony_leaf(), 16.5, 40.5, 6.6, "-62,1 62,1 -105,0.95 105,0.95 -150,0.9 150,0.9 -22,0.85 24,0.85")
    insects = (
        *moved(butterfly(), 9.6, 13.4, angle=-24, scale=1.08),
        *moved(butterfly(), 23.6, 20, angle=32, scale=1.02),
    )
    return (*cloud(24, 4.4, 0.95), *leaves, *moved(peony(), 16.5, 40.5, scale=1.12), *insects)


def peony_ribbon() -> Art:
    """A flower, a bud and a blue ribbon."""
    leaves = around(peony_leaf(), 21, 39.5, 6.2, "20,0.9 75,0.9 128,0.9 178,0.9 232,1 285,0.95")
    twig = leafy("18,36 12,24 8,11", 1.1, peony_leaf(), "0.35,-70,0.8 0.7,-58,0.75")
    return (*twig, *moved(peony_bud(), 8, 11, angle=-10, scale=1.25), *leaves, *moved(peony(), 21, 39.5, scale=1.08),
            *moved(ribbon(VIOLET), 20.5, 20.5, angle=14))  # fmt: skip


def peony_chaff_1() -> Art:
    """The open flower below, the bud above."""
    leaves = around(peony_leaf(), 15.5, 40, 6.8, "-70,0.95 -112,0.9 -155,0.9 62,1 106,0.95 150,0.9")
    twig = leafy("15,38 19,26 20,14", 1.3, peony_leaf(), "0.5,70,0.85 0.42,-62,0.95 0.85,100,0.75")
    return (*twig, *moved(peony_bud(), 20, 14.5, scale=1.6), *leaves, *moved(peony(), 15.5, 40, scale=1.18))


def peony_chaff_2() -> Art:
    """The open flower above, the bud below."""
    leaves = around(peony_leaf(), 16.5, 17, 7.0, "-80,0.95 84,0.95 -126,1 126,1 -38,0.8 40,0.8")
    twig = leafy("18,55 16,42 17,26", 1.4, peony_leaf(), "0.25,-64,1.05 0.5,-78,0.9 0.12,70,0.8")
    bud = (*stem("16.4,44 21,44.6 25,40"), *moved(peony_bud(), 25, 40.6, angle=14, scale=1.2))
    return (*twig, *bud, *leaves, *moved(peony(), 16.5, 17, scale=1.22))


CARDS = {
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
