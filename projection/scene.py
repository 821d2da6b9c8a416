"""What to project, as shapes on the mat: a frozen picture in table mm that compares with `==`.

Shapes are painted in order, later over earlier. Black means that no light falls there.
"""

from dataclasses import dataclass
from enum import StrEnum

from calibration.frames import Pose

Point = tuple[float, float]
RGB = tuple[int, int, int]

BLACK: RGB = (0, 0, 0)
CARD_MM = (33.0, 54.0)


class Line(StrEnum):
    """How a stroke runs, so that two marks are told apart without their colour."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    DOUBLE = "double"


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line's look: colour, whole width in mm (of both lines where it is double) and how it runs."""

    colour: RGB
    width_mm: float
    line: Line = Line.SOLID


@dataclass(frozen=True, slots=True)
class Fill:
    """A convex polygon filled with one colour, points in table mm."""

    points_mm: tuple[Point, ...]
    colour: RGB


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points in table mm. `closed` joins last to first; `head_mm` > 0 ends it in an arrowhead."""

    points_mm: tuple[Point, ...]
    stroke: Stroke
    closed: bool = False
    head_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Ring:
    """A frame around a card. The card's face and a band of `guard_mm` around it are dark, then comes the stroke."""

    pose: Pose
    stroke: Stroke
    guard_mm: float = 3.0
    card_mm: tuple[float, float] = CARD_MM


@dataclass(frozen=True, slots=True)
class Brackets:
    """Four corner pieces around a card, each arm `arm_mm` long; face and guard band are dark as in `Ring`."""

    pose: Pose
    stroke: Stroke
    guard_mm: float = 3.0
    arm_mm: float = 13.0
    card_mm: tuple[float, float] = CARD_MM


@dataclass(frozen=True, slots=True)
class Dark:
    """No light on this card's face and on a margin around it."""

    pose: Pose
    margin_mm: float = 1.0
    card_mm: tuple[float, float] = CARD_MM


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle, centre and radius in table mm."""

    x_mm: float
    y_mm: float
    radius_mm: float
    colour: RGB


@dataclass(frozen=True, slots=True)
class Progress:
    """A ring that fills: `fraction` (0–1) of the circle, clockwise from the reader's twelve o'clock."""

    x_mm: float
    y_mm: float
    radius_mm: float
    fraction: float
    stroke: Stroke
    facing_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text. `x_mm, y_mm` is the centre of its box, `size_mm` the height of a full-width character.

    `facing_deg` is the anticlockwise turn of a text that is upright for its reader; `seat` is that reader.
    `width_mm` is the line's own width (from `projection.text.width_mm`); the box is `LINE_HEIGHT` sizes high.
    """

    text: str
    x_mm: float
    y_mm: float
    size_mm: float
    width_mm: float
    facing_deg: float
    colour: RGB
    seat: int | None = None
    strong: bool = False


Shape = Fill | Path | Ring | Brackets | Dark | Disc | Progress | Text

LINE_HEIGHT = 1.2


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is projected at one moment, in painter's order."""

    shapes: tuple[Shape, ...] = ()

    @property
    def texts(self) -> tuple[Text, ...]:
        """The lines of text among the shapes."""
        return tuple(shape for shape in self.shapes if isinstance(shape, Text))
