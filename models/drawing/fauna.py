"""Animals and people, each around its own origin, facing left unless said."""

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
    Shape,
    area,
    brush,
    disc,
    joined,
    lens,
    line,
    moved,
    points,
    smooth,
    tube,
)


def crane() -> Art:
    """A white crane that stands and looks up to the left, about 22 mm wide and 34 mm tall; feet near y = 17."""
    legs = (
        brush([(1.5, 4), (1.0, 10), (1.2, 17)], [0.9, 0.6, 0.6]),
        brush([(3.5, 4), (4.6, 10), (4.0, 16.4)], [0.9, 0.6, 0.6]),
        brush([(1.2, 17), (-1.6, 17.6)], [0.6, 0.3]), brush([(1.2, 17), (2.2, 18.0)], [0.6, 0.3]),
        brush([(4.0, 16.4), (1.8, 17.2)], [0.6, 0.3]), brush([(4.0, 16.4), (5.4, 17.2)], [0.6, 0.3]),
    )  # fmt: skip
    tail = joined([moved((lens(10 - i * 0.7, 3.0, BLACK, line=0.2), line([(0, -1), (0, -7)], 0.16, PAPER)), 7.0, 0.2, angle=104 + i * 15) for i in range(5)])
    body = area([(-5.4, -2.6), (-3.4, -5.6), (1.2, -6.2), (6.6, -4.4), (10.4, -0.6), (8.6, 1.6), (5.0, 3.6), (1.0, 4.6), (-3.0, 3.2), (-5.4, 0.4)], WHITE, line=0.4)
    feathers = tuple(
        line([(x, y), (x + 1.7, y + 1.5), (x + 3.6, y + 0.9)], 0.25)
        for x, y in ((-2.4, -3.4), (0.6, -4.0), (3.6, -3.4), (-1.8, -1.0), (1.2, -1.4), (4.2, -1.2), (-0.6, 1.2), (2.4, 0.9))
    )
    neck_path = [(-3.6, -2.0), (-5.8, -6.4), (-4.4, -10.6), (-4.0, -13.6), (-5.6, -16.2)]
    neck = tube(neck_path, [4.6, 2.6, 1.9, 2.0, 2.2], WHITE, line=0.35)
    throat = brush([(-6.4, -7.0), (-5.2, -10.6), (-4.8, -13.4), (-6.4, -15.4)], [0.3, 1.3, 1.3, 1.0])
    head = area([(-7.8, -16.2), (-6.8, -17.8), (-5.0, -18.0), (-4.2, -16.4), (-5.2, -15.0), (-7.0, -15.2)], WHITE, line=0.35)
    crown = area([(-7.2, -17.2), (-6.4, -18.5), (-4.8, -18.5), (-4.4, -17.2), (-5.8, -17.0)], RED, line=0.25)
    beak = Shape(points((-7.2, -17.0), (-12.6, -19.0), (-7.0, -15.5)), OCHRE, 0.3)
    return (*legs, *tail, body, *feathers, *neck, throat, beak, head, crown, disc(-6.3, -16.3, 0.3, BLACK, line=0))


def warbler() -> Art:
    """A plump green bird with an ochre breast, about 16 mm long; its feet near (0, 6)."""
    tail = joined([moved((lens(9, 1.9, GREEN),), 4.2, 1.6, angle=a) for a in (112, 122, 132)])
    body = area([(-6.4, -4.4), (-4.6, -6.6), (-1.8, -6.6), (0.4, -4.6), (4.4, -1.0), (6.4, 2.2), (3.6, 3.6), (-0.6, 4.0), (-4.0, 2.4), (-5.6, -0.6)], OCHRE, line=0.4)
    mantle = area([(-6.2, -4.6), (-4.6, -6.6), (-1.8, -6.6), (0.4, -4.6), (4.4, -1.0), (6.4, 2.2), (3.0, 1.6), (-0.8, -1.0), (-3.4, -3.6)], GREEN, line=0.3)
    wing = area([(-2.2, -2.0), (0.8, -2.8), (4.6, 0.2), (8.0, 4.2), (4.0, 3.2), (0.4, 2.2), (-2.2, 0.4)], GREEN, line=0.35)
    quills = tuple(line([(-0.8, -0.8 + i * 0.8), (2.0 + i * 0.6, 0.2 + i * 0.8), (5.0 - i * 0.3, 2.2 + i * 0.35)], 0.22) for i in range(3))
    beak = Shape(points((-6.0, -5.4), (-8.8, -4.8), (-6.2, -4.0)), BLACK, 0.2)
    legs = (brush([(-1.6, 3.6), (-1.8, 6.2)], [0.6, 0.5]), brush([(0.8, 3.7), (0.8, 6.2)], [0.6, 0.5]))
    return (*legs, *tail, beak, body, mantle, wing, *quills, disc(-4.6, -4.9, 0.6, WHITE, line=0.2), disc(-4.7, -4.9, 0.28, BLACK, line=0))


def _wing(length: float, quills: int, fill: tuple[int, int, int], spread: float = 12) -> Art:
    """A spread wing growing up from the origin, its long feathers to the right."""
    long = joined([moved((lens(length - i * length * 0.07, length * 0.2, fill, line=0.25, belly=0.6),), i * 0.5, 0, angle=spread * i - 8) for i in range(quills)])
    shoulder = area([(-1.4, 0.8), (-1.7, -length * 0.3), (0.2, -length * 0.48), (2.4, -length * 0.34), (length * 0.34, -length * 0.08), (2.4, 1.2)], fill, line=0.3)
    return (*long, shoulder)


def cuckoo() -> Art:
    """A bird that flies down to the left with both wings raised, about 20 mm wide."""
    tail = joined([moved((lens(9.5, 2.0, BROWN, line=0.25, belly=0.7),), 3.6, -1.4, angle=a) for a in (52, 64, 76)])
    far = moved(_wing(11.5, 6, BROWN), -1.6, -1.6, angle=-34, flip=True)
    near = moved(_wing(12.5, 6, OCHRE), 0.4, -1.0, angle=14)
    body = area([(-7.4, 3.4), (-6.6, 1.2), (-3.8, -0.4), (0.4, -2.4), (4.8, -2.6), (3.6, 0.4), (0.0, 2.8), (-3.6, 4.2), (-6.2, 4.6)], WHITE, line=0.4)
    bars = tuple(line([(-3.4 + i * 1.6, 3.8 - i * 0.75), (-3.2 + i * 1.6, 2.2 - i * 0.7)], 0.35) for i in range(4))
    head = area([(-8.6, 3.6), (-7.6, 1.4), (-5.4, 0.4), (-4.2, 1.6), (-5.0, 3.4), (-7.0, 4.6)], BROWN, line=0.3)
    beak = Shape(points((-8.2, 2.4), (-11.2, 4.4), (-7.6, 4.4)), BLACK, 0.2)
    return (*far, *tail, body, *bars, beak, head, *near, disc(-6.8, 2.2, 0.5, WHITE, line=0.2), disc(-6.9, 2.2, 0.22, BLACK, line=0))


def butterfly() -> Art:
    """A butterfly seen from above, head up, 13 mm wide."""
    fore = area([(0, -0.6), (1.6, -4.4), (5.0, -5.8), (6.6, -4.6), (5.6, -1.6), (2.6, 0.2)], OCHRE, line=0.35)
    hind = area([(0, 0), (2.8, 0.2), (4.8, 1.6), (4.4, 4.2), (2.6, 4.8), (1.2, 2.6)], OCHRE, line=0.35)
    spots = (disc(4.6, -3.9, 0.95, RED, line=0.25), disc(3.3, 2.6, 0.85, RED, line=0.25), line([(0.6, -1.2), (2.4, -3.8)], 0.25), line([(1.0, -0.6), (4.0, -1.8)], 0.25))
    half = (hind, fore, *spots)
    body = brush([(0, -1.8), (0, 0), (0, 3.4)], [1.0, 1.3, 0.5])
    feelers = (line([(0, -1.8), (-0.6, -4.0), (-1.8, -5.4)], 0.28), line([(0, -1.8), (0.6, -4.0), (1.8, -5.4)], 0.28))
    return (*half, *moved(half, 0, 0, flip=True), *feelers, body, disc(0, -2.0, 0.7, BLACK, line=0))


def boar() -> Art:
    """A bristled boar running to the left, about 24 mm long and 15 mm tall."""
    def leg(x: float, y: float, tx: float, ty: float) -> Art:
        return (*tube([(x, y), ((x + tx) / 2 - 0.6, (y + ty) / 2), (tx, ty)], [3.4, 2.0, 1.3], BROWN), disc(tx - 0.3, ty + 0.4, 0.9, BLACK, line=0))

    far = (*leg(-5, 4, -8.2, 9.2), *leg(7.4, 3.6, 9.8, 9.4))
    near = (*leg(-2.4, 4.4, -4.2, 9.8), *leg(5.2, 4.4, 6.4, 9.8))
    body = area([(-10.6, 1.6), (-11.6, 3.6), (-9.6, 4.6), (-6.4, 4.6), (-2.6, 6.0), (3.0, 6.2), (8.0, 5.0), (11.2, 1.6), (11.0, -2.4), (7.6, -5.6), (2.0, -7.0), (-3.2, -6.0), (-7.0, -3.2)], BROWN, line=0.45)
    bristles = tuple(line([(x, y), (x + 1.9, y - 0.7)], 0.35) for x, y in (
        (-4, -3.6), (-1, -4.8), (2, -5.0), (5, -4.4), (7.6, -3.0), (-4.6, -1.4), (-1.8, -2.4), (1.2, -2.8), (4.2, -2.4), (7.0, -0.8),
        (-2.8, 0.2), (0.2, -0.4), (3.2, -0.2), (6.0, 1.0), (8.6, 0.8), (-1.6, 2.6), (1.4, 2.2), (4.4, 2.6), (7.4, 3.2), (-0.2, 4.6), (3.0, 4.6),
    ))  # fmt: skip
    mane = tuple(brush([(x, y), (x + 1.6, y - 2.0)], [0.7, 0.2]) for x, y in ((-6.4, -3.8), (-4.6, -5.0), (-2.6, -6.0), (-0.4, -6.6), (1.8, -6.8), (4.0, -6.4), (6.2, -5.8)))
    ear = area([(-6.8, -2.8), (-7.0, -5.8), (-4.4, -3.6)], OCHRE, line=0.35)
    snout = Shape(points((-11.9, 1.8), (-10.7, 1.2), (-10.9, 4.4), (-12.1, 3.8)), OCHRE, 0.3)
    tusk = brush([(-9.6, 3.6), (-10.0, 2.0), (-9.6, 0.8)], [0.8, 0.3], WHITE)
    tail = brush([(10.8, -1.6), (12.6, -3.0), (12.2, -5.0)], [0.8, 0.5])
    return (tail, *far, *near, *mane, body, *bristles, ear, snout, tusk, disc(-7.6, -0.4, 0.65, WHITE, line=0.2), disc(-7.7, -0.4, 0.3, BLACK, line=0), line([(-8.6, -1.4), (-6.8, -1.5)], 0.35))


def goose() -> Art:
    """A wild goose flying to the left, wings up, about 13 mm wide."""
    far = moved(_wing(7.0, 5, BLACK), -0.6, -0.6, angle=-30, flip=True)
    near = moved(_wing(7.6, 5, OCHRE), 0.6, -0.4, angle=22)
    tail = joined([moved((lens(3.6, 1.2, BLACK, line=0.15),), 3.2, 0.2, angle=a) for a in (80, 96)])
    body = area([(-6.2, 1.2), (-4.2, 0.0), (-1.0, -1.2), (3.4, -0.6), (4.4, 0.4), (1.4, 1.8), (-2.4, 1.9), (-4.6, 1.9)], OCHRE, line=0.35)
    beak = Shape(points((-6.0, 0.8), (-8.0, 1.8), (-5.6, 2.0)), RED, 0.2)
    return (*far, *tail, beak, body, *near, disc(-5.2, 1.0, 0.3, BLACK, line=0))


def deer() -> Art:
    """A stag that turns its head back to the right, about 18 mm wide and 30 mm tall; hooves near y = 15."""
    def leg(path: list[tuple[float, float]], fill: tuple[int, int, int]) -> Art:
        x, y = path[-1]
        return (*tube(path, [3.6, 1.8, 1.5, 1.2], fill, line=0.35), Shape(points((x - 0.9, y - 0.4), (x + 0.8, y - 0.4), (x + 0.9, y + 1.4), (x - 1.5, y + 1.4)), BLACK, 0.1))

    far = (*leg([(-4.0, 3), (-4.6, 8), (-3.6, 11), (-4.2, 14)], BROWN), *leg([(5.4, 3), (6.6, 8), (5.4, 11), (6.0, 14)], BROWN))
    near = (*leg([(-5.8, 3), (-7.0, 8), (-6.4, 11), (-7.0, 14.6)], OCHRE), *leg([(7.4, 2), (8.8, 7.4), (7.6, 11), (8.4, 14.6)], OCHRE))
    body = area([(-8.0, -2.4), (-6.4, -5.2), (-3.4, -5.4), (1.6, -4.2), (6.6, -4.6), (9.6, -2.6), (9.8, 1.8), (8.0, 4.6), (3.0, 4.2), (-2.4, 5.2), (-6.6, 4.6), (-8.4, 1.4)], OCHRE, line=0.4)
    neck = area([(-8.2, -0.6), (-8.0, -6.4), (-5.8, -11.2), (-3.0, -13.0), (-0.8, -11.4), (-2.6, -9.0), (-2.8, -4.6), (-3.6, -1.0)], OCHRE, line=0.4)
    cover = area([(-7.4, 1.6), (-7.6, -2.6), (-5.4, -4.2), (-3.4, -3.4), (-3.0, 0.6)], OCHRE, line=0)
    head = area([(-5.0, -12.4), (-3.2, -14.4), (-0.6, -14.2), (2.0, -12.2), (3.8, -10.8), (3.4, -9.4), (1.0, -9.4), (-1.8, -9.8), (-4.2, -10.4)], OCHRE, line=0.4)
    ear = area([(-4.0, -13.0), (-6.8, -15.4), (-7.2, -13.6), (-5.4, -12.0)], OCHRE, line=0.35)
    antlers = (
        brush([(-2.6, -14.0), (-3.6, -17.4), (-2.8, -21.0)], [0.9, 0.8, 0.4]), brush([(-3.4, -17.0), (-5.6, -19.4)], [0.7, 0.3]),
        brush([(-3.4, -18.6), (-1.6, -20.2)], [0.6, 0.3]), brush([(-1.4, -14.0), (-0.4, -17.0), (1.6, -20.0)], [0.9, 0.8, 0.4]),
        brush([(-0.6, -16.6), (-1.0, -18.8)], [0.6, 0.3]), brush([(0.0, -17.6), (2.4, -18.0)], [0.6, 0.3]),
    )  # fmt: skip
    spots = tuple(disc(x, y, 0.55, WHITE, line=0) for x, y in ((-4.6, -3.2), (-1.6, -2.8), (1.4, -2.4), (4.4, -2.8), (7.2, -2.0), (-3.0, -0.6), (0.2, -0.2), (3.2, -0.4), (6.2, 0.2), (-5.2, 0.4), (-1.2, 2.0), (2.0, 1.8), (5.0, 2.2)))
    tail = area([(9.0, -3.6), (11.6, -4.6), (11.4, -1.4), (9.6, -0.6)], WHITE, line=0.35)
    return (tail, *far, *near, body, neck, cover, *antlers, ear, head, *spots, disc(-0.9, -12.2, 0.45, BLACK, line=0), disc(3.5, -10.4, 0.5, BLACK, line=0))


def swallow() -> Art:
    """A swallow that flies up to the left with a long forked tail, about 22 mm long."""
    tail = (brush([(3.4, 2.0), (8.0, 5.4), (12.4, 12.4)], [2.0, 1.3, 0.3], BLACK), brush([(3.2, 2.8), (5.6, 7.6), (6.8, 14.6)], [2.0, 1.3, 0.3], RED))
    far = moved(_wing(11.0, 5, VIOLET, spread=9), -1.2, -0.8, angle=-14)
    near = moved(_wing(12.0, 5, VIOLET, spread=9), 0.2, 1.2, angle=124, flip=True)
    body = area([(-6.8, -3.8), (-4.6, -4.6), (-1.4, -3.0), (2.6, 0.2), (5.2, 3.2), (2.6, 3.4), (-1.4, 2.2), (-4.8, -0.2)], OCHRE, line=0.4)
    back = area([(-6.6, -4.2), (-4.6, -4.6), (-1.4, -3.0), (2.6, 0.2), (5.2, 3.2), (1.4, 1.2), (-3.0, -1.8)], VIOLET, line=0.3)
    throat = area([(-6.6, -3.4), (-5.2, -3.4), (-4.6, -1.8), (-5.4, -1.4)], RED, line=0.2)
    beak = Shape(points((-6.6, -4.4), (-9.0, -4.4), (-6.6, -3.2)), BLACK, 0.2)
    return (*tail, *far, body, back, throat, beak, *near, disc(-5.2, -3.9, 0.4, WHITE, line=0.15))


def rain_man() -> Art:
    """A court poet in red and violet walking to the left, about 11 mm wide and 20 mm tall; soles near y = 11."""
    skirt = area([(-3.6, 1.0), (3.8, 1.0), (5.4, 8.4), (4.4, 10.2), (0.4, 9.6), (-3.6, 10.2), (-5.0, 8.2)], VIOLET, line=0.4)
    folds = tuple(line([(x, 2), (x * 1.4, 9)], 0.22, WHITE) for x in (-1.9, 0.0, 1.9))
    shoes = (area([(-5.4, 10.6), (-3.4, 9.2), (-1.8, 9.8), (-2.0, 11.0)], BLACK), area([(0.4, 10.8), (1.8, 9.2), (3.8, 9.6), (3.8, 10.8)], BLACK))
    robe = area([(-2.6, -5.8), (0, -6.6), (2.8, -5.8), (4.8, -1.0), (4.8, 2.6), (0, 3.4), (-4.6, 2.6), (-4.4, -1.6)], RED, line=0.4)
    sleeve = area([(-2.0, -4.6), (1.4, -4.4), (3.6, -0.4), (4.6, 4.6), (1.2, 5.2), (-0.8, 1.6)], RED, line=0.4)
    arm = area([(-2.4, -4.8), (-0.6, -3.6), (-3.2, -1.2), (-5.4, 0.4), (-6.4, -1.4), (-4.6, -2.8)], RED, line=0.4)
    collar = (line([(-1.4, -6.2), (0.2, -4.4), (1.4, -6.2)], 0.5, WHITE), disc(0.6, -1.0, 0.9, OCHRE, line=0.2), disc(2.2, 2.4, 0.9, OCHRE, line=0.2))
    face = area([(-2.0, -7.0), (-2.4, -9.2), (-0.6, -10.6), (1.6, -9.8), (1.8, -7.4), (0.4, -5.9), (-1.2, -6.0)], WHITE, line=0.35)
    cap = area([(-2.2, -9.8), (-1.6, -11.6), (0.0, -12.0), (0.6, -14.6), (2.0, -14.4), (1.9, -11.2), (2.2, -9.0), (0, -10.0)], BLACK, line=0.2)
    looks = (line([(-1.7, -8.6), (-0.8, -8.7)], 0.3), line([(0.1, -8.7), (0.9, -8.6)], 0.3), line([(-1.0, -7.0), (-0.3, -6.9)], 0.35, RED), brush([(-0.6, -6.2), (-0.7, -5.0)], [0.5, 0.2]))
    return (*shoes, skirt, *folds, robe, *collar, arm, sleeve, face, *looks, cap)


def frog() -> Art:
    """A frog that leaps to the left, about 7 mm long."""
    hind = (*tube([(1.8, 0.6), (4.2, -0.6), (3.4, 2.0), (5.0, 3.4)], [1.6, 1.0, 0.7, 0.8], GREEN, line=0.25),)
    fore = (*tube([(-1.2, 0.8), (-1.8, 2.4), (-3.2, 3.0)], [0.9, 0.7, 0.8], GREEN, line=0.25),)
    body = area([(-3.6, -1.0), (-2.4, -2.4), (-0.4, -2.0), (2.4, -0.4), (2.8, 1.2), (0.6, 1.6), (-2.4, 1.0)], GREEN, line=0.3)
    return (*hind, *fore, body, disc(-2.4, -2.0, 0.6, WHITE, line=0.2), disc(-2.5, -2.0, 0.28, BLACK, line=0))


def phoenix() -> Art:
    """A phoenix that descends from the upper right, its head to the left, about 34 mm wide."""
    plume = lens(20, 3.0, VIOLET, line=0.3, belly=0.75)
    eye = (disc(0, -15.6, 1.15, OCHRE, line=0.25), disc(0, -15.6, 0.5, RED, line=0))
    tails = joined([moved((feather, line([(0, -2), (0, -14)], 0.2, PAPER), *eye), 8.0, -5.0, angle=a, scale=s) for feather, a, s in (
        (plume, 150, 0.9), (lens(20, 3.0, RED, line=0.3, belly=0.75), 132, 1.0), (plume, 114, 1.0), (lens(20, 3.0, RED, line=0.3, belly=0.75), 96, 0.9),
    )])  # fmt: skip
    wing = joined([moved((lens(15.5 - i * 0.9, 3.2, (RED, OCHRE)[i % 2], line=0.3, belly=0.62),), 2.4 + i * 0.5, -4.0, angle=18 + 13 * i) for i in range(6)])
    shoulder = area([(0.4, -2.6), (1.2, -8.6), (4.6, -11.4), (8.6, -9.6), (10.6, -5.2), (7.0, -2.4)], VIOLET, line=0.35)
    scales = joined([(Shape(smooth([(x - 1.1, y), (x, y + 1.2), (x + 1.1, y)]), None, 0.24, PAPER, closed=False),) for x, y in ((3.4, -8.6), (5.8, -8.8), (2.6, -6.6), (5.0, -6.6), (7.4, -6.8), (3.8, -4.6), (6.4, -4.6))])
    far = joined([moved((lens(12.5 - i * 0.8, 2.8, (OCHRE, RED)[i % 2], line=0.3, belly=0.62),), -2.0, -3.6, angle=-4 - 13 * i) for i in range(5)])
    body = area([(-4.6, 0.8), (-3.4, -3.6), (1.4, -5.6), (7.2, -6.4), (9.6, -4.0), (6.8, -0.4), (1.6, 2.4), (-2.6, 2.8)], OCHRE, line=0.4)
    breast = joined([(Shape(smooth([(x - 1.0, y), (x, y + 1.1), (x + 1.0, y)]), None, 0.24, BLACK, closed=False),) for x, y in ((-1.6, -1.2), (0.8, -2.2), (-0.6, 0.8), (1.8, -0.2), (3.6, -2.0))])
    neck = tube([(-2.4, 0.2), (-6.4, 0.2), (-8.4, -3.2), (-10.4, -5.0)], [5.0, 3.0, 2.4, 2.6], OCHRE, line=0.35)
    head = area([(-12.4, -4.2), (-12.0, -6.6), (-9.6, -7.4), (-8.0, -5.6), (-9.0, -3.6), (-11.2, -3.0)], RED, line=0.35)
    crest = joined([moved((lens(4.6, 1.2, RED, line=0.22, belly=0.7),), -9.6, -6.8, angle=a) for a in (-4, 22, 48)])
    beak = area([(-12.0, -5.8), (-14.4, -4.6), (-14.6, -2.6), (-12.6, -3.4), (-11.4, -3.4)], OCHRE, line=0.3)
    wattle = area([(-11.0, -3.2), (-11.4, -0.6), (-10.0, -1.4), (-9.8, -3.0)], RED, line=0.25)
    return (*tails, *far, body, *breast, *wing, shoulder, *scales, *neck, wattle, *crest, beak, head, disc(-10.4, -5.2, 0.6, WHITE, line=0.2), disc(-10.5, -5.2, 0.28, BLACK, line=0))
