"""The birds, each around its own origin, its head to the left."""

from shapes import (
    BLACK,
    BROWN,
    GREEN,
    OCHRE,
    PAPER,
    RED,
    VIOLET,
    WHITE,
    Art,
    Colour,
    Course,
    along,
    area,
    brush,
    disc,
    joined,
    lens,
    line,
    moved,
    points,
    polygon,
    smooth,
)


def _eye(x: float, y: float, size: float = 1.0) -> Art:
    return disc(x, y, 0.55 * size, WHITE, line=0.2), disc(x - 0.1, y, 0.26 * size, BLACK, line=0)


def _wing(length: float, spread: float, fill: Colour, cover: Colour, *, count: int = 6) -> Art:
    """A spread wing: its leading edge goes straight up from the origin, its feathers fan clockwise over `spread`."""
    pieces: list[Art] = []
    for number, reach, colour, width in ((count, 1.0, fill, 0.2), (count - 1, 0.52, cover, 0.17)):
        for i in reversed(range(number)):
            part = i / (number - 1)
            feather = lens(length * reach * (1 - 0.42 * part), length * width, colour, line=0.26, belly=0.62)
            pieces.append(moved((feather,), 0, 0, angle=spread * part))
    arm = lens(length * 0.6, length * 0.17, cover, line=0.26, belly=0.35)
    return (*joined(pieces), *moved((arm,), -0.2, 0.4, angle=-4))


def crane() -> Art:
    """A white crane that stands and looks up to the left, about 22 mm wide and 34 mm tall; feet near y = 17."""
    legs = tuple(
        brush(path, widths)
        for path, widths in (
            ("1.5,4 1,10 1.2,17", [0.9, 0.6, 0.6]),
            ("3.5,4 4.6,10 4,16.4", [0.9, 0.6, 0.6]),
            ("1.2,17 -1.6,17.6", [0.6, 0.3]),
            ("1.2,17 2.2,18", [0.6, 0.3]),
            ("4,16.4 1.8,17.2", [0.6, 0.3]),
            ("4,16.4 5.4,17.2", [0.6, 0.3]),
        )
    )
    tail = joined(
        [
            moved(
                (lens(10.4 - i * 0.7, 3.0, BLACK, line=0.2), line("0,-1 0,-7", 0.16, PAPER)), 7, 0.2, angle=104 + i * 15
            )
            for i in range(5)
        ]
    )
    outline = "-5.4,-2.6 -3.4,-5.6 1.2,-6.2 6.6,-4.4 10.4,-0.6 8.6,1.6 5,3.6 1,4.6 -3,3.2 -5.4,0.4"
    feathers = tuple(
        line([(x, y), (x + 1.7, y + 1.5), (x + 3.6, y + 0.9)], 0.25)
        for x, y in points("0.2,-4.2 3.4,-3.6 -1,-1.6 2,-1.6 5,-1.2 -1.6,0.8 1.4,0.9 4.4,1.1")
    )
    neck, girth = "-2.6,-1.2 -5.4,-5.6 -4.6,-10.6 -4,-13.6 -5.6,-16.2", [5.2, 2.8, 1.9, 2.0, 2.2]
    throat = brush("-6.1,-6.6 -5.3,-10.6 -4.8,-13.4 -6.4,-15.4", [0.3, 1.3, 1.3, 1.0])
    head = area("-7.8,-16.2 -6.8,-17.8 -5,-18 -4.2,-16.4 -5.2,-15 -7,-15.2", WHITE, line=0.35)
    crown = area("-7.2,-17.2 -6.4,-18.5 -4.8,-18.5 -4.4,-17.2 -5.8,-17", RED, line=0.25)
    beak = polygon("-7.2,-17 -12.2,-18.8 -7,-15.5", OCHRE)
    back = (brush(neck, [w + 0.7 for w in girth]), area(outline, WHITE, line=0.4), brush(neck, girth, WHITE))
    return (*legs, *tail, *back, *feathers, throat, beak, head, crown, disc(-6.3, -16.3, 0.3, BLACK, line=0))


def warbler() -> Art:
    """A plump green bird with an ochre breast, about 16 mm long; its feet near (0, 6)."""
    tail = joined([moved((lens(9, 1.9, GREEN),), 4.2, 1.6, angle=a) for a in (112, 122, 132)])
    body = area(
        "-6.4,-4.4 -4.6,-6.6 -1.8,-6.6 0.4,-4.6 4.4,-1 6.4,2.2 3.6,3.6 -0.6,4 -4,2.4 -5.6,-0.6", OCHRE, line=0.4
    )
    mantle = area("-6.2,-4.6 -4.6,-6.6 -1.8,-6.6 0.4,-4.6 4.4,-1 6.4,2.2 3,1.6 -0.8,-1 -3.4,-3.6", GREEN)
    wing = area("-2.2,-2 0.8,-2.8 4.6,0.2 8,4.2 4,3.2 0.4,2.2 -2.2,0.4", GREEN, line=0.35)
    quills = tuple(
        line([(-0.8, -0.8 + i * 0.8), (2.0 + i * 0.6, 0.2 + i * 0.8), (5.0 - i * 0.3, 2.2 + i * 0.35)], 0.22)
        for i in range(3)
    )
    beak = polygon("-6,-5.4 -8.8,-4.8 -6.2,-4", BLACK, line=0.2)
    legs = (brush("-1.6,3.6 -1.8,6.2", [0.6, 0.5]), brush("0.8,3.7 0.8,6.2", [0.6, 0.5]))
    return (*legs, *tail, beak, body, mantle, wing, *quills, *_eye(-4.6, -4.9))


def cuckoo() -> Art:
    """A barred bird that swoops down to the left, both wings raised, about 24 mm wide."""
    tail = joined([moved((lens(10, 2.2, BROWN, line=0.26, belly=0.72),), 4, -1.6, angle=a) for a in (50, 62, 74, 86)])
    far = moved(_wing(13, 62, BROWN, OCHRE), -2.4, -0.8, angle=-52)
    near = moved(_wing(15, 66, BROWN, OCHRE), 0.8, -0.6, angle=2)
    body = area("-8.2,4 -6.8,1 -3.6,-1 1,-2.6 5.4,-2.8 4.2,0.6 0.4,3.2 -3.6,4.8 -6.6,5.2", WHITE, line=0.4)
    bars = tuple(
        brush([(x, y), (x - 0.2, y - 1.7)], [0.5, 0.2]) for x, y in points("-3.2,4.4 -1.6,3.8 0,3 1.6,2 3,0.8")
    )
    head = area("-9.2,4.2 -8,1.6 -5.6,0.4 -4.2,1.8 -5.2,3.8 -7.4,5.2", BROWN)
    beak = polygon("-8.6,2.8 -11.8,5 -8.2,5", BLACK, line=0.2)
    return (*tail, *far, body, *bars, beak, head, *near, *_eye(-7.2, 2.6))


def goose() -> Art:
    """A wild goose flying to the left with its neck stretched, about 15 mm wide."""
    far = moved(_wing(7.5, 50, BLACK, BROWN, count=5), -0.4, -0.2, angle=-36)
    near = moved(_wing(8.6, 64, BLACK, OCHRE, count=5), 1.2, 0, angle=12)
    tail = joined([moved((lens(3.8, 1.3, BLACK, line=0.15),), 4.4, 0.4, angle=a) for a in (72, 88, 104)])
    body = area(
        "-7.4,1.5 -6.4,0.5 -4.4,0.6 -1.6,-0.7 3.6,-0.6 5.2,0.6 2,2.2 -1.8,2.5 -4.2,1.8 -6.2,2.1", OCHRE, line=0.35
    )
    beak = polygon("-7,0.7 -9.2,1.7 -6.8,2.1", RED, line=0.2)
    return (*far, *tail, beak, body, *near, disc(-6.3, 1.15, 0.3, BLACK, line=0))


def swallow() -> Art:
    """A swallow that climbs to the left, wings spread, with a long forked tail, about 26 mm long."""
    tail = (
        brush("4,2.6 9.4,5 15,11.4", [2.4, 1.5, 0.3], BLACK),
        brush("3.4,3.4 6.4,8.6 8,16.4", [2.4, 1.5, 0.3], BLACK),
        brush("4,2.8 9,5 13.4,9.8", [1.5, 0.7, 0.2], RED),
        brush("3.4,3.6 6,8.4 7.3,14", [1.5, 0.7, 0.2], RED),
    )
    far = moved(_wing(14.5, 48, BLACK, VIOLET), -1.2, -1.6, angle=36)
    near = moved(_wing(15.5, 52, BLACK, VIOLET), -1.6, 0.6, angle=-146, flip=True)
    body = area("-7.2,-4 -5,-5 -1.6,-3.4 2.8,-0.2 5.8,3.4 2.8,3.8 -1.6,2.4 -5.2,-0.2", WHITE, line=0.4)
    back = area("-7,-4.5 -5,-5 -1.6,-3.4 2.8,-0.2 5.8,3.4 1.4,1.4 -3.2,-1.8", VIOLET)
    throat = area("-7,-3.6 -5.4,-3.4 -4.6,-1.6 -5.6,-1.2", RED, line=0.22)
    beak = polygon("-6.8,-4.7 -9.4,-4.6 -6.8,-3.4", BLACK, line=0.2)
    return (*tail, *far, body, back, throat, beak, *near, *_eye(-5.4, -4.0, 0.85))


def _plume(path: Course, fill: Colour, tip: Colour) -> Art:
    """A long tail feather along `path`, fringed, with an eye on its end."""
    curve = smooth(path)
    barb = (lens(3.0, 1.3, fill, line=0.18, belly=0.6),)
    barbs: list[Art] = []
    for i in range(12):
        x, y, heading = along(curve, 0.16 + 0.76 * i / 11)
        barbs += [moved(barb, x, y, angle=heading + side * 38, scale=0.75 + 0.03 * i) for side in (-1, 1)]
    x, y, heading = along(curve, 1)
    eye = (
        lens(5.4, 3.8, tip, line=0.3, belly=0.55),
        disc(0, -2.7, 1.0, fill, line=0.2),
        disc(0, -2.7, 0.45, BLACK, line=0),
    )
    return (*joined(barbs), brush(curve, [0.9, 0.5], BLACK), *moved(eye, x, y, angle=heading, scale=0.95))


def phoenix() -> Art:
    """A phoenix that swoops down to the left under its raised wings, tail to the right, 31 mm wide and 35 mm tall.

    Its origin is the card's: it fills the upper two thirds of the picture.
    """
    tails = joined(
        [
            _plume("20,19 24,9 28.6,7", RED, OCHRE),
            _plume("20,20 28,13 30,18 29.6,24", OCHRE, VIOLET),
            _plume("19,21 25,18.5 26.4,24 26,31", RED, OCHRE),
            _plume("18,22 21.5,22 22.4,27 21.4,32.4", OCHRE, VIOLET),
        ]
    )
    far = moved(_wing(14.5, 56, OCHRE, RED), 11, 20, angle=-44)
    near = moved(_wing(17.5, 66, RED, OCHRE, count=7), 14.4, 19.6, angle=-14)
    body = area("7.6,23 9.4,19 14,17.4 19.4,17.2 22,19 19.6,22.6 14.8,25.4 10.4,26", VIOLET, line=0.4)
    scales = tuple(
        line([(x - 1.0, y), (x, y + 1.1), (x + 1.0, y)], 0.26, PAPER)
        for x, y in points(
            "11,20.6 13.4,20 15.8,19.4 18.2,19 10.2,22.6 12.6,22.2 15,21.6 17.4,21 11.6,24.2 14,23.6 16.2,23"
        )
    )
    neck, girth = "10.4,22.4 7.4,23.6 6.2,27 5.4,29.6", [5.4, 3.2, 2.4, 2.6]
    nape = (brush(neck, [w + 0.7 for w in girth]), brush(neck, girth, OCHRE))
    collar = tuple(
        line(path, 0.26)
        for path in ("8.6,20.6 9.6,22.8 9.8,25.2", "5.4,24.6 7,24.6 8.4,26.2", "4.8,26.8 6.2,27 7.6,28")
    )
    head = area("2.8,30.6 3.6,28.2 6,27.6 7.4,29.4 6.6,31.6 4.4,32.2", RED, line=0.35)
    crest = joined([moved((lens(4.6, 1.3, RED, line=0.24, belly=0.7),), 6, 28.4, angle=a) for a in (22, 48, 74)])
    beak = area("3.2,29.6 1.9,31.4 2.4,33.6 3.6,32.4 4.8,32", OCHRE)
    wattle = area("5,31.8 5.2,34.4 6.4,33.4 6.2,31.8", RED, line=0.25)
    claw = brush("14,25.4 13,28 10.8,29", [1.0, 0.8, 0.3])
    return (*tails, claw, *far, *near, body, *scales, *nape, *collar, wattle, *crest, beak, head, *_eye(4.8, 29.8))
