"""Butterfly, boar, deer, frog and the poet in the rain, each around its own origin."""

from shapes import (
    BLACK,
    BROWN,
    GREEN,
    OCHRE,
    RED,
    VIOLET,
    WHITE,
    Art,
    Colour,
    area,
    brush,
    disc,
    line,
    moved,
    points,
    polygon,
    tube,
)


def butterfly() -> Art:
    """A butterfly seen from above, head up, 13 mm wide."""
    fore = area("0,-0.6 1.6,-4.4 5,-5.8 6.6,-4.6 5.6,-1.6 2.6,0.2", OCHRE, line=0.35)
    hind = area("0,0 2.8,0.2 4.8,1.6 4.4,4.2 2.6,4.8 1.2,2.6", OCHRE, line=0.35)
    spots = (
        disc(4.6, -3.9, 0.95, RED, line=0.25),
        disc(3.3, 2.6, 0.85, RED, line=0.25),
        *(line(path, 0.25) for path in ("0.6,-1.2 2.4,-3.8", "1,-0.6 4,-1.8")),
    )
    half = (hind, fore, *spots)
    body = brush("0,-1.8 0,0 0,3.4", [1.0, 1.3, 0.5])
    feelers = (line("0,-1.8 -0.6,-4 -1.8,-5.4", 0.28), line("0,-1.8 0.6,-4 1.8,-5.4", 0.28))
    return (*half, *moved(half, 0, 0, flip=True), *feelers, body, disc(0, -2.0, 0.7, BLACK, line=0))


def boar() -> Art:
    """A bristled boar running to the left, about 24 mm long and 15 mm tall."""

    def leg(x: float, y: float, tx: float, ty: float) -> Art:
        return (
            *tube([(x, y), ((x + tx) / 2 - 0.6, (y + ty) / 2), (tx, ty)], [3.4, 2.0, 1.3], BROWN),
            disc(tx - 0.3, ty + 0.4, 0.9, BLACK, line=0),
        )

    far = (*leg(-5, 4, -8.2, 9.2), *leg(7.4, 3.6, 9.8, 9.4))
    near = (*leg(-2.4, 4.4, -4.2, 9.8), *leg(5.2, 4.4, 6.4, 9.8))
    body = area(
        ("-10.6,1.6 -11.6,3.6 -9.6,4.6 -6.4,4.6 -2.6,6 3,6.2 8,5 11.2,1.6 11,-2.4 7.6,-5.6 2,-7 -3.2,-6 -7,-3.2"),
        BROWN,
        line=0.45,
    )
    bristles = tuple(
        line([(x, y), (x + 1.9, y - 0.7)], 0.35)
        for x, y in points(
            "-4,-3.6 -1,-4.8 2,-5 5,-4.4 7.6,-3 -4.6,-1.4 -1.8,-2.4 1.2,-2.8 4.2,-2.4 7,-0.8 -2.8,0.2 0.2,-0.4"
            " 3.2,-0.2 6,1 8.6,0.8 -1.6,2.6 1.4,2.2 4.4,2.6 7.4,3.2 -0.2,4.6 3,4.6"
        )
    )
    mane = tuple(
        brush([(x, y), (x + 1.6, y - 2.0)], [0.7, 0.2])
        for x, y in points("-6.4,-3.8 -4.6,-5 -2.6,-6 -0.4,-6.6 1.8,-6.8 4,-6.4 6.2,-5.8")
    )
    ear = area("-6.8,-2.8 -7,-5.8 -4.4,-3.6", OCHRE, line=0.35)
    snout = polygon("-11.9,1.8 -10.7,1.2 -10.9,4.4 -12.1,3.8", OCHRE)
    tusk = brush("-9.6,3.6 -10,2 -9.6,0.8", [0.8, 0.3], WHITE)
    tail = brush("10.8,-1.6 12.6,-3 12.2,-5", [0.8, 0.5])
    return (
        tail,
        *far,
        *near,
        *mane,
        body,
        *bristles,
        ear,
        snout,
        tusk,
        disc(-7.6, -0.4, 0.65, WHITE, line=0.2),
        disc(-7.7, -0.4, 0.3, BLACK, line=0),
        line("-8.6,-1.4 -6.8,-1.5", 0.35),
    )


def deer() -> Art:
    """A stag that turns its head back to the right, about 18 mm wide and 30 mm tall; hooves near y = 15."""

    def leg(path: str, fill: Colour) -> Art:
        x, y = points(path)[-1]
        return (
            *tube(path, [3.6, 1.8, 1.5, 1.2], fill, line=0.35),
            polygon([(x - 0.9, y - 0.4), (x + 0.8, y - 0.4), (x + 0.9, y + 1.4), (x - 1.5, y + 1.4)], BLACK, line=0.1),
        )

    far = (
        *leg("-4,3 -4.6,8 -3.6,11 -4.2,14", BROWN),
        *leg("5.4,3 6.6,8 5.4,11 6,14", BROWN),
    )
    near = (
        *leg("-5.8,3 -7,8 -6.4,11 -7,14.6", OCHRE),
        *leg("7.4,2 8.8,7.4 7.6,11 8.4,14.6", OCHRE),
    )
    body = area(
        ("-8,-2.4 -6.4,-5.2 -3.4,-5.4 1.6,-4.2 6.6,-4.6 9.6,-2.6 9.8,1.8 8,4.6 3,4.2 -2.4,5.2 -6.6,4.6 -8.4,1.4"),
        OCHRE,
        line=0.4,
    )
    neck = area(
        "-8.2,-0.6 -8,-6.4 -5.8,-11.2 -3,-13 -0.8,-11.4 -2.6,-9 -2.8,-4.6 -3.6,-1",
        OCHRE,
        line=0.4,
    )
    cover = area("-7.4,1.6 -7.6,-2.6 -5.4,-4.2 -3.4,-3.4 -3,0.6", OCHRE, line=0)
    head = area(
        "-5,-12.4 -3.2,-14.4 -0.6,-14.2 2,-12.2 3.8,-10.8 3.4,-9.4 1,-9.4 -1.8,-9.8 -4.2,-10.4",
        OCHRE,
        line=0.4,
    )
    ear = area("-4,-13 -6.8,-15.4 -7.2,-13.6 -5.4,-12", OCHRE, line=0.35)
    antlers = (
        brush("-2.6,-14 -3.6,-17.4 -2.8,-21", [0.9, 0.8, 0.4]),
        brush("-3.4,-17 -5.6,-19.4", [0.7, 0.3]),
        brush("-3.4,-18.6 -1.6,-20.2", [0.6, 0.3]),
        brush("-1.4,-14 -0.4,-17 1.6,-20", [0.9, 0.8, 0.4]),
        brush("-0.6,-16.6 -1,-18.8", [0.6, 0.3]),
        brush("0,-17.6 2.4,-18", [0.6, 0.3]),
    )
    spots = tuple(
        disc(x, y, 0.55, WHITE, line=0)
        for x, y in points(
            "-4.6,-3.2 -1.6,-2.8 1.4,-2.4 4.4,-2.8 7.2,-2 -3,-0.6 0.2,-0.2 3.2,-0.4 6.2,0.2 -5.2,0.4 -1.2,2 2,1.8 5,2.2"
        )
    )
    tail = area("9,-3.6 11.6,-4.6 11.4,-1.4 9.6,-0.6", WHITE, line=0.35)
    return (
        tail,
        *far,
        *near,
        body,
        neck,
        cover,
        *antlers,
        ear,
        head,
        *spots,
        disc(-0.9, -12.2, 0.45, BLACK, line=0),
        disc(3.5, -10.4, 0.5, BLACK, line=0),
    )


def rain_man() -> Art:
    """A court poet in red and violet walking to the left, about 11 mm wide and 20 mm tall; soles near y = 11."""
    skirt = area("-3.6,1 3.8,1 5.4,8.4 4.4,10.2 0.4,9.6 -3.6,10.2 -5,8.2", VIOLET, line=0.4)
    folds = tuple(line([(x, 2), (x * 1.4, 9)], 0.22, WHITE) for x in (-1.9, 0.0, 1.9))
    shoes = (
        area("-5.4,10.6 -3.4,9.2 -1.8,9.8 -2,11", BLACK),
        area("0.4,10.8 1.8,9.2 3.8,9.6 3.8,10.8", BLACK),
    )
    robe = area(
        "-2.6,-5.8 0,-6.6 2.8,-5.8 4.8,-1 4.8,2.6 0,3.4 -4.6,2.6 -4.4,-1.6",
        RED,
        line=0.4,
    )
    sleeve = area("-2,-4.6 1.4,-4.4 3.6,-0.4 4.6,4.6 1.2,5.2 -0.8,1.6", RED, line=0.4)
    arm = area("-2.4,-4.8 -0.6,-3.6 -3.2,-1.2 -5.4,0.4 -6.4,-1.4 -4.6,-2.8", RED, line=0.4)
    collar = (
        line("-1.4,-6.2 0.2,-4.4 1.4,-6.2", 0.5, WHITE),
        disc(0.6, -1.0, 0.9, OCHRE, line=0.2),
        disc(2.2, 2.4, 0.9, OCHRE, line=0.2),
    )
    face = area(
        "-2,-7 -2.4,-9.2 -0.6,-10.6 1.6,-9.8 1.8,-7.4 0.4,-5.9 -1.2,-6",
        WHITE,
        line=0.35,
    )
    cap = area(
        "-2.2,-9.8 -1.6,-11.6 0,-12 0.6,-14.6 2,-14.4 1.9,-11.2 2.2,-9 0,-10",
        BLACK,
        line=0.2,
    )
    looks = (
        line("-1.7,-8.6 -0.8,-8.7", 0.3),
        line("0.1,-8.7 0.9,-8.6", 0.3),
        line("-1,-7 -0.3,-6.9", 0.35, RED),
        brush("-0.6,-6.2 -0.7,-5", [0.5, 0.2]),
    )
    return (*shoes, skirt, *folds, robe, *collar, arm, sleeve, face, *looks, cap)


def frog() -> Art:
    """A frog that leaps to the left, about 7 mm long."""
    hind = (*tube("1.8,0.6 4.2,-0.6 3.4,2 5,3.4", [1.6, 1.0, 0.7, 0.8], GREEN, line=0.25),)
    fore = (*tube("-1.2,0.8 -1.8,2.4 -3.2,3", [0.9, 0.7, 0.8], GREEN, line=0.25),)
    body = area("-3.6,-1 -2.4,-2.4 -0.4,-2 2.4,-0.4 2.8,1.2 0.6,1.6 -2.4,1", GREEN, line=0.3)
    return (*hind, *fore, body, disc(-2.4, -2.0, 0.6, WHITE, line=0.2), disc(-2.5, -2.0, 0.28, BLACK, line=0))
