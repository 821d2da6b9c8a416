"""Layouts for games that need other zones than the hana-awase family: made from its arrangement, zone by zone."""

from collections.abc import Callable, Mapping
from typing import Final

from calibration.arrange import CARD_MM, Rectangle, arrange, facing_of, turned
from engine.errors import ConfigError
from engine.events import Place

HANA_AWASE: Final = "hana-awase"
JUNIOR: Final = "junior-chotto"
RUNS: Final = "runs"
"""Hiyoko and Isuri."""
_GAP_MM: Final = 8.0
_CHOICE_MM: Final = CARD_MM[0] + 30
_PILE_MM: Final = (110.0, 130.0)
_BETWEEN_PILES_MM: Final = 30.0


def arrange_family(
    family: str, mat_mm: tuple[float, float], seats: int, hand: int | None = None
) -> dict[Place, Rectangle]:
    """Zones for a family of games: `hana-awase`, `junior-chotto` (2 to 4 seats) or `runs` (2 seats).

    Raises ConfigError for another family, for seats its games do not have, and for a mat that is too small.
    """
    if family not in _FAMILIES:
        raise ConfigError(f"there is no family of layouts {family!r}; there are {', '.join(_FAMILIES)}")
    most, change = _FAMILIES[family]
    zones = arrange(mat_mm, seats, hand)
    if seats > most:
        raise ConfigError(f"a layout of the family {family} is for at most {most} seats, not {seats}")
    return change(zones, seats)


def _as_it_is(zones: Mapping[Place, Rectangle], seats: int) -> dict[Place, Rectangle]:  # noqa: ARG001  (as others)
    return dict(zones)


def _with_choices(zones: Mapping[Place, Rectangle], seats: int) -> dict[Place, Rectangle]:
    """Each hand gives its right end to a place for the card chosen; what is out of play lies where the box was."""
    changed = {place: zone for place, zone in zones.items() if place.zone not in ("hand", "box")}
    changed[Place("removed")] = zones[Place("box")]
    for seat in range(seats):
        facing = facing_of(seats, seat)
        left, low, right, high = turned(zones[Place("hand", seat)], -facing % 360)
        end = right - _CHOICE_MM
        changed[Place("hand", seat)] = turned((left, low, end - _GAP_MM, high), facing)
        changed[Place("select", seat)] = turned((end, low, right, high), facing)
    return changed


def _two_piles(zones: Mapping[Place, Rectangle], seats: int) -> dict[Place, Rectangle]:
    """Discard and draw pile side by side in the middle, the box where it was; nothing is captured."""
    changed = {Place("hand", seat): zones[Place("hand", seat)] for seat in range(seats)}
    width, height = _PILE_MM
    near = _BETWEEN_PILES_MM / 2
    return changed | {
        Place("discard"): (-near - width, -height / 2, -near, height / 2),
        Place("draw"): (near, -height / 2, near + width, height / 2),
        Place("box"): zones[Place("box")],
    }


_Change = Callable[[Mapping[Place, Rectangle], int], dict[Place, Rectangle]]
_FAMILIES: Final[Mapping[str, tuple[int, _Change]]] = {
    HANA_AWASE: (5, _as_it_is),
    JUNIOR: (4, _with_choices),
    RUNS: (2, _two_piles),
}
FAMILIES: Final = tuple(_FAMILIES)
