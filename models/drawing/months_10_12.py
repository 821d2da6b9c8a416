"""Maple, willow and paulownia: the cards of the months 10-12."""

from birds import phoenix, swallow
from creatures import deer, frog, rain_man
from shapes import BLACK, LEAF, OCHRE, RED, VIOLET, Art, area, brush, joined, moved, points, polygon, scattered
from things import cloud, lightning, ribbon, stream, thunder_drum, umbrella
from trees import branch, maple_leaf, paulownia_leaf, paulownia_spike, willow_frond


def _maples(red: str = "", ochre: str = "", dark: str = "") -> Art:
    """Leaves of three colours, each at "x,y,angle,scale"."""
    return joined([scattered(maple_leaf(fill), spots) for fill, spots in ((RED, red), (OCHRE, ochre), (LEAF, dark))])


def maple_animal() -> Art:
    """A stag that looks back."""
    trunk = branch(("31.5,55 30,36 32,20 29,-1", [5, 4, 3.6, 3]), ("31,18 20,9 6,6", [2, 1.6, 1]))
    leaves = _maples(
        red="26,21,160,1.05 16,6.6,160,1.1",
        ochre="26.4,8.4,200,1.1 6.6,16,170,0.85",
        dark="6,7,190,1.1 27.6,33.6,150,0.95",
    )
    ground = area("-3,58 4,50 16,48.5 36,51 36,58", LEAF)
    return (*trunk, *leaves, ground, *moved(deer(), 13.5, 35.5))


def maple_ribbon() -> Art:
    """Leaves and a blue ribbon."""
    leaves = _maples(
        red="7.4,43,160,1.5 27,9.6,170,1.25",
        ochre="7.4,9.6,150,1.35 26.4,46,190,1.3",
        dark="7.6,26,200,1.3 28,27.4,140,1.2",
    )
    return (*leaves, *moved(ribbon(VIOLET), 18, 27, angle=-20))


def maple_chaff_1() -> Art:
    """A twig from the right."""
    twig = branch(("34,10 24,14 14,12 4,18", [2, 1.6, 1.2, 0.6]), ("20,13.4 20,22 22,27", [1.2, 0.9, 0.6]))
    leaves = _maples(
        red="10,20,170,1.6 24,45.6,170,1.35", ochre="22,31,150,1.6 7.6,7,140,1", dark="25,13,200,1.45 8,39,200,1.4"
    )
    return (*twig, *leaves)


def maple_chaff_2() -> Art:
    """A twig from the left."""
    twig = branch(("-1,6 8,12 18,12 28,8", [2, 1.6, 1.2, 0.6]), ("17,12 13,20 11,26", [1.2, 0.9, 0.6]))
    leaves = _maples(
        red="25.4,26,160,1.55 9.6,46,150,1.4",
        ochre="22.4,9.4,200,1.4 11,29.4,190,1.6",
        dark="7.6,12,160,1.4 25.4,43,200,1.5",
    )
    return (*twig, *leaves)


def _willow(*paths: str) -> Art:
    return joined([willow_frond(path) for path in paths])


def willow_bright() -> Art:
    """The poet with his umbrella, and the frog."""
    fronds = _willow("24,-1 28,8 28.6,22", "30,-2 31,10 31.5,34", "17,-1 20,5 20.6,11", "5,-2 4.4,5 3.4,13")
    trunk = branch(("34,0 22,3.6 8,2.4 -1,5", [4, 3, 2.2, 1.4]))
    water = stream("-2,43 8,40 18,46 26,42 35,44", 4.4)
    ground = area("-3,57 8,50 18,51 36,49.5 36,57", OCHRE)
    person = (*moved(umbrella(), 10.2, 31.6, angle=-8, scale=1.12), *moved(rain_man(), 16, 35, scale=1.2))
    return (*water, ground, *trunk, *fronds, *person, *moved(frog(), 26.2, 47.6, scale=1.25))


def willow_animal() -> Art:
    """A swallow between hanging fronds."""
    fronds = _willow("4,-2 6,12 4.6,30", "11,-2 12,7 11,15", "20,-2 22,5 21,10", "28,-2 29.5,9 29,24")
    return (*fronds, *moved(swallow(), 16, 30, scale=1.1))


def willow_ribbon() -> Art:
    """Long fronds and a red ribbon."""
    fronds = _willow("29,-2 27,18 28.5,47", "21,-2 22,14 20.5,34", "12,-2 12,6 11,12", "4,-2 5,10 4,18")
    return (*fronds, *moved(ribbon(RED, bend=1.8), 12.5, 33.5, angle=10))


def willow_chaff_1() -> Art:
    """The thunderstorm: bolt and drum in a red sky."""
    sky = polygon("0,0 33,0 33,54 0,54", RED, line=0)
    storm = (
        area("-4,-4 12,-4 13,4 10,8 12,13 8,17 9,22 4,24 5,29 -4,31", BLACK),
        area("37,-4 27,-4 25.4,4 28,9 25,14 28,19 26.6,24 31,27 30,32 37,34", BLACK),
    )
    banks = points("5.5,6.4,0.62 3.6,14.6,0.6 2.6,22.6,0.5 30.6,7,0.55 30.4,17,0.5")
    clouds = joined([cloud(x, y, size, BLACK, ink=RED) for x, y, size in banks])
    rain = tuple(
        brush([(x, y), (x - 2.0, y + 7)], [0.4, 0.4])
        for x, y in points("15,31 28.4,33 12.6,41 14,47.4 30.6,44 25,48.6")
    )
    fronds = _willow("2.4,29 5,40 4,52", "9,32 10,43 9,54")
    return (sky, *storm, *clouds, *rain, *moved(thunder_drum(), 22, 41.4), *fronds, *moved(lightning(), 15.4, 31))


def _paulownia(y: float, spikes: str, *, scale: float = 1.1) -> Art:
    """Three leaves that meet at (16.5, y) under flower spikes at each "x,height,angle"."""
    flowers = joined([moved(paulownia_spike(height), x, y, angle=angle) for x, height, angle in points(spikes)])
    side = moved(paulownia_leaf(), 1.6, 0, angle=-62, scale=0.94)
    leaves = (*moved(side, 0, 0, flip=True), *side, *moved(paulownia_leaf(), 0, 0.5))
    return (*flowers, *moved(leaves, 16.5, y, scale=scale))


def paulownia_bright() -> Art:
    """The phoenix."""
    return (*_paulownia(42, "16.5,9,0 11,7,-26 22,7,26", scale=1.0), *phoenix())


def paulownia_chaff_1() -> Art:
    """Over yellow ground."""
    ground = polygon("0,39 33,39 33,54 0,54", OCHRE, line=0.4)
    return (ground, *_paulownia(29, "16.5,22,0 9.8,16,-10 23.2,16,10"))


def paulownia_chaff_2() -> Art:
    """Three flower spikes."""
    return _paulownia(37, "16.5,30,0 9,20,-11 24,20,11")


def paulownia_chaff_3() -> Art:
    """Two flower spikes."""
    return _paulownia(37, "11,29,-5 21.4,23,14")


CARDS = {
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
