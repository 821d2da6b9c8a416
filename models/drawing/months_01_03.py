"""Pine, plum and cherry: the cards of the months 1-3."""

from birds import crane, warbler
from shapes import OCHRE, PINK, RED, Art, disc, joined, moved, points, scattered
from things import cloud, curtain, ribbon
from trees import branch, cherry_blossom, pine_bough, plum_blossom, plum_bud


def _pines(boughs: str) -> Art:
    """Boughs at each "x,foot y,height,width"."""
    return joined([moved(pine_bough(height, width), x, y) for x, y, height, width in points(boughs)])


def pine_bright() -> Art:
    """A crane before the sun."""
    sun = disc(24, 9.5, 10.8, RED)
    return (sun, *_pines("27.5,54,21,11 19,55,8,9 3,55,12,8"), *moved(crane(), 14, 33.4))


def pine_ribbon() -> Art:
    """Two tall boughs under a poem."""
    return (*_pines("6,54,21,11 28,54,31,12 17,55,9,12"), *moved(ribbon(RED, text="あかよろし"), 14.5, 22, angle=-8))


def pine_chaff_1() -> Art:
    """A tall bough on the right."""
    return _pines("24,55,44,14 4.5,54,25,10 14,55,12,10")


def pine_chaff_2() -> Art:
    """A tall bough on the left."""
    return _pines("7.5,55,36,13 28.5,54,26,11 18.5,55,11,11")


def _plum(blossoms: str, buds: str) -> Art:
    return (*scattered(plum_bud(), buds), *scattered(plum_blossom(), blossoms))


def plum_animal() -> Art:
    """A warbler on a branch."""
    wood = branch(
        ("34,50 26,46 22,39 14,35 6,38 -1,34", [5, 4.2, 3.4, 2.8, 2.2, 1.5]),
        ("24,42 27.4,31 28.6,16", [2.2, 1.5, 1.0]),
        ("10,36.6 6.6,43 9,51", [1.8, 1.2, 0.8]),
        ("22,40 17.5,43.5 18.5,48.5", [1.6, 1.1, 0.7]),
    )
    flowers = _plum(
        "26.6,37,10,1.15 7.4,43,0,1.2 18.4,48.6,20,1.15 28.6,22.4,5,1",
        "28.8,13.6,0,1.1 9.6,51.4,160,1 29.4,30,50,1 3,33.4,-20,1",
    )
    return (*cloud(9.5, 4.4, 1.05), *wood, *flowers, *moved(warbler(), 14, 26.6, scale=1.3))


def plum_ribbon() -> Art:
    """A slanting branch and a poem."""
    wood = branch(
        ("-1,53 8,47 13,40 20,35 26,24 29,8", [5, 4.4, 3.4, 2.8, 2.0, 1.0]),
        ("12,41 20,44.6 27,44", [2.2, 1.5, 1.0]),
        ("8,47 14,49.6 19.5,50", [1.6, 1.1, 0.8]),
    )
    flowers = _plum(
        "8,42.4,0,1.15 26,43.6,20,1.3 27.6,24,10,1.15 5,51,30,0.9 19.6,50,5,0.95 20.4,35,12,0.9",
        "29,7,0,1.1 31,38,30,1 26.6,14.6,-50,1",
    )
    return (*wood, *flowers, *moved(ribbon(RED, text="あかよろし"), 11.5, 19.6, angle=9))


def plum_chaff_1() -> Art:
    """Two straight shoots from a low branch."""
    wood = branch(
        ("34,53 24,48 14,45 6,47 -1,44", [4.5, 3.8, 3, 2.2, 1.4]),
        ("22,47 23,34 24,12", [2.6, 1.8, 1.0]),
        ("13,45 10,34 9,18", [2.2, 1.6, 0.9]),
    )
    flowers = _plum(
        "16,42,0,1.35 24.4,37.4,20,1.35 9,36.4,10,1.2 6,47.4,0,1 24,23,15,1",
        "24,11,0,1.15 9,17,0,1.15 7.6,26,-50,1 26,30,50,1 28.4,48.6,60,1",
    )
    return (*wood, *flowers)


def plum_chaff_2() -> Art:
    """A forked young tree."""
    wood = branch(
        ("12,55 11,46 17,40 15,31 20,24 19,6", [5, 4.4, 3.6, 3, 2, 1]),
        ("16,39 25,36 27,26 28,14", [2.4, 1.8, 1.4, 0.8]),
        ("11,46 5,40 5,26", [2.2, 1.6, 0.8]),
        ("11.4,48 18,49.4 24,47.6", [1.8, 1.3, 0.9]),
    )
    flowers = _plum(
        "11,45.4,0,1.35 23,35.6,20,1.25 13.6,30,10,1.15 24,47.4,30,1.2 5,33,0,0.9",
        "19,5,0,1.15 28,13,0,1.15 5,25,0,1.15 17.6,16,-50,1 29.2,24,60,1",
    )
    return (*wood, *flowers)


def _cherries(pink: str, red: str) -> Art:
    """Pink and red blossoms, each at "x,y,angle,scale"."""
    return (*scattered(cherry_blossom(PINK, RED), pink), *scattered(cherry_blossom(RED, OCHRE), red))


def cherry_bright() -> Art:
    """Full bloom behind the viewers' curtain."""
    blossoms = _cherries(
        "13,8,30,1.2 29,10,0,1.2 5.6,14,50,1.2 22.6,14.4,20,1.2 13,25.4,44,1.2 29.6,26.4,15,1.1",
        "5,5.4,0,1.2 21.4,5,12,1.2 14.4,17,5,1.2 30,18.6,40,1.15 5,22.6,10,1.2 21.6,23.4,0,1.2",
    )
    return (*blossoms, *curtain())


def cherry_ribbon() -> Art:
    """A branch over a poem that names Yoshino."""
    wood = branch(
        ("-1,14 8,10 18,11 27,6 34,7", [3.2, 2.8, 2.2, 1.8, 1.2]),
        ("8,10 5,20 6,32", [1.8, 1.2, 0.8]),
        ("26,7 30,14 28.6,24", [1.6, 1.1, 0.7]),
        ("34,52 30,46 24,46", [2.2, 1.4, 0.8]),
    )
    blossoms = _cherries(
        "6.4,6.4,0,1.15 30,14.4,10,1.05 6,31,0,1.1 7,47,20,1.15",
        "26.6,6,30,1.15 5,21,20,1.25 28.6,24,40,1.2 27.4,45.6,0,1.2",
    )
    return (*wood, *blossoms, *moved(ribbon(RED, text="みよしの", bend=-1.2), 17.4, 30.5, angle=4))


def cherry_chaff_1() -> Art:
    """A trunk on the right."""
    wood = branch(
        ("30,55 29,40 31,28 27,16 29,-1", [6.5, 5, 4.2, 3.6, 3]),
        ("29,39 20,34 8,36", [2.6, 1.8, 1]),
        ("28,20 18,16 5,6", [2.4, 1.8, 1]),
        ("22,35 17,41 9,46", [1.4, 1.1, 0.8]),
        ("19,17 12,19 6,18", [1.4, 1.0, 0.7]),
    )
    blossoms = _cherries(
        "6.4,7,0,1.25 20.6,18.4,12,1.25 9,36.4,20,1.3 17.4,42,40,1.25",
        "13.6,12,30,1.3 7,18.4,50,1.2 19.6,32.6,5,1.35 8,46.4,10,1.2",
    )
    return (*wood, *blossoms)


def cherry_chaff_2() -> Art:
    """A winding trunk from the lower left."""
    wood = branch(
        ("2,55 6,44 3,34 7,24 16,18 22,6", [7, 5.6, 4.6, 3.6, 2.6, 1.2]),
        ("5,44 14,40 26,43", [2.8, 2, 1]),
        ("12,20 22,22 28,28", [2.2, 1.6, 0.8]),
        ("14,40 20,36 26,34", [1.3, 1.0, 0.7]),
        ("8,42 13,48 20,50", [1.5, 1.1, 0.8]),
        ("18,15 24,14 29,14", [1.3, 1.0, 0.7]),
    )
    blossoms = _cherries(
        "12.4,10.4,30,1.15 28.4,14,12,1.2 14.6,24.6,20,1.15 25.4,33.6,0,1.15 26.6,43.6,20,1.3",
        "21.4,7.4,0,1.3 24,23.4,50,1.3 17,39.4,5,1.3 18,49,40,1.15",
    )
    return (*wood, *blossoms)


CARDS = {
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
}
