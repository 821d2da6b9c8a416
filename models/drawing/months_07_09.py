"""Bush clover, susuki grass and chrysanthemum: the cards of the months 7-9."""

from birds import goose
from creatures import boar
from flowers import (
    chrysanthemum,
    chrysanthemum_leaf,
    chrysanthemum_side,
    clover_spray,
    susuki_hill,
    susuki_plume,
)
from shapes import LEAF, OCHRE, RED, VIOLET, WHITE, Art, area, disc, leafy, moved, polygon
from things import cloud, ribbon, sake_cup


def clover_animal() -> Art:
    """A boar under bush clover."""
    twigs = (
        *clover_spray("34,33 29,21 18,13.5 4,16", size=1.2, flowers=0.35),
        *clover_spray("34,22 29,12 20,6.5", size=1.1, flowers=0.3),
        *clover_spray("28,18 18,19.5 9,24", size=1.1, flowers=0.2),
        *clover_spray("-1,53 10,48.6 22,50 34,46", size=1.1, flowers=0.6),
    )
    return (*cloud(9, 4.6, 1.0), *twigs, *moved(boar(), 16.5, 36.6, scale=1.14))


def clover_ribbon() -> Art:
    """Arching twigs and a red ribbon."""
    twigs = (
        *clover_spray("2,55 5,38 5.4,22 10,6", size=1.25),
        *clover_spray("5,48 16,43 28,46", size=1.25, flowers=0.35),
        *clover_spray("33,38 29.4,24 30,7", size=1.2, flowers=0.35),
        *clover_spray("4,42 9,32 11,22", size=1.1, flowers=0.2),
    )
    return (*twigs, *moved(ribbon(RED, bend=-1.6), 19, 21, angle=-14))


def clover_chaff_1() -> Art:
    """Twigs that fan up from the ground."""
    return (
        *clover_spray("16,55 17,36 14,20 7,6", size=1.4),
        *clover_spray("17,42 23,28 26,10", size=1.4, flowers=0.3),
        *clover_spray("16,46 9,38 4,24", size=1.3, flowers=0.3),
        *clover_spray("17,50 24,43 30,34", size=1.3, flowers=0.35),
    )


def clover_chaff_2() -> Art:
    """Twigs that hang in from the right."""
    return (
        *clover_spray("34,51 25,39 15,35 3,41", size=1.4),
        *clover_spray("34,36 26,22 15,16 3,22", size=1.4),
        *clover_spray("33,22 26,10 15,5", size=1.3, flowers=0.3),
        *clover_spray("30,45 21,46.6 11,50", size=1.3, flowers=0.25),
    )


def susuki_bright() -> Art:
    """The full moon in a red sky."""
    sky = polygon("0,0 33,0 33,54 0,54", RED, line=0)
    return (sky, disc(17, 17.5, 12.2, WHITE, line=0.4), *susuki_hill("-2,41 8,36 20,35.5 35,40"))


def susuki_animal() -> Art:
    """Three geese over a low hill."""
    geese = (
        *moved(goose(), 12.4, 11, scale=1.12),
        *moved(goose(), 21.4, 21.4, scale=1.12),
        *moved(goose(), 12.4, 31.6, scale=1.12),
    )
    return (*geese, *susuki_hill("-2,51 8,47 20,42 35,41"))


def susuki_chaff_1() -> Art:
    """A rounded hill, plumes nodding to the right."""
    plumes = (
        *susuki_plume("10,36 9,22 12,11 18,9"),
        *susuki_plume("17,38 19,26 24,19 29,21"),
        *susuki_plume("6,36 4.6,26 5,20 8,17"),
    )
    return (*plumes, *susuki_hill("-2,41 8,35.5 17,34 26,38 35,45"))


def susuki_chaff_2() -> Art:
    """A hill that rises to the right, plumes nodding to the left."""
    plumes = (
        *susuki_plume("24,36 25,20 21,9 14,7"),
        *susuki_plume("16,43 14,29 9,22 4,25"),
        *susuki_plume("28,36 30,24 28,17 25,15"),
    )
    return (*plumes, *susuki_hill("-2,48 9,46 21,36 35,32"))


def chrysanthemum_animal() -> Art:
    """The sake cup."""
    hill = area("-3,58 2,49 12,46 24,48 36,46 36,58", LEAF)
    stems = (
        *leafy("15,50 13,36 12,16", 1.0, chrysanthemum_leaf(), "0.62,-62,0.95 0.66,66,0.95 0.45,-70,0.85"),
        *leafy("15,40 22,26 25.4,13", 0.9, chrysanthemum_leaf(), "0.5,62,0.9"),
    )
    flowers = (*moved(chrysanthemum(), 11.6, 13.6, scale=1.25), *moved(chrysanthemum_side(), 25.4, 13, scale=1.02))
    return (*stems, *flowers, hill, *moved(sake_cup(), 18, 37.6, angle=-8, scale=1.38))


def chrysanthemum_ribbon() -> Art:
    """Two flowers and a blue ribbon."""
    stems = (
        *leafy("18,55 20,34 25.4,10", 1.1, chrysanthemum_leaf(), "0.6,62,1.0 0.8,70,0.8 0.52,-60,0.8"),
        *leafy("18,55 14,50 8,51", 0.9, chrysanthemum_leaf(), "0.95,20,0.9"),
        *leafy("18,52 24,48 29,47", 0.9, chrysanthemum_leaf(), "0.9,10,0.8"),
        *leafy("16,46 10,41 6,36", 0.9, chrysanthemum_leaf(), "0.6,-30,1.0"),
    )
    flowers = (*moved(chrysanthemum_side(), 25.4, 10.6, scale=1.1), *moved(chrysanthemum(), 17.4, 43, scale=1.25))
    return (*stems, *flowers, *moved(ribbon(VIOLET, bend=-1.2), 11, 20.4, angle=-6))


def chrysanthemum_chaff_1() -> Art:
    """One stem, the open flower in the middle."""
    leaves = "0.12,62,1.15 0.16,-62,1.15 0.3,-66,1.0 0.28,66,1.05 0.66,64,0.95 0.7,-64,0.95"
    stems = leafy("17,56 16,34 17,13", 1.3, chrysanthemum_leaf(), leaves)
    return (*stems, *moved(chrysanthemum_side(), 17, 12.6, scale=1.25), *moved(chrysanthemum(), 16.5, 29, scale=1.3))


def chrysanthemum_chaff_2() -> Art:
    """A slanting stem, the open flower on top."""
    leaves = "0.22,-66,1.15 0.38,-62,1.1 0.5,64,1.1 0.36,60,0.8 0.68,66,0.95"
    stems = (
        *leafy("23,56 17,34 12,14", 1.3, chrysanthemum_leaf(), leaves),
        *leafy("21,49 24,46.6 25.4,44", 0.9, (), "0,0,1"),
    )
    flowers = (
        *moved(chrysanthemum(RED, OCHRE), 11.4, 13.6, scale=1.35),
        *moved(chrysanthemum_side(RED, OCHRE), 25, 44.4, angle=10, scale=1.15),
    )
    return (*stems, *flowers)


CARDS = {
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
}
