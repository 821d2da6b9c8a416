"""Cards chosen in secret: that one lies face down before a seat is public, which it is nobody sees."""

from typing import Any, Final

from engine.events import Place, Signalled
from engine.referee import Session, expected_signals
from vision.values import Observation

LAID_S: Final = 0.3
"""A card must have lain face down for this long to count as chosen."""
EMPTY_S: Final = 0.6
"""A chosen card must have been gone for this long to count as taken back."""


class Choosing:
    """Tells `selected` and `unselected` from the zones of one table, where the game expects them (RULES section 6)."""

    def __init__(self) -> None:
        self._lain_s: dict[int, float] = {}

    def signals(self, observation: Observation, session: Session[Any]) -> tuple[Signalled, ...]:
        """What the table says now. `observation` still has cards that lie face up but count as hidden."""
        t_s, said = observation.t_s, []
        lying = {s.place: s for s in observation.cards if s.card not in observation.gone | observation.hidden}
        for signal in expected_signals(session) if session.state is not None else ():
            seen = lying.get(Place("select", signal.seat))
            if seen is not None or observation.hands:
                self._lain_s[signal.seat] = t_s
            if signal.name == "selected" and seen is not None and not seen.face_up and t_s - seen.since_s >= LAID_S:
                said.append(Signalled(t_s, signal.name, signal.seat))
            if signal.name == "unselected" and t_s - self._lain_s.setdefault(signal.seat, t_s) >= EMPTY_S:
                said.append(Signalled(t_s, signal.name, signal.seat))
        return tuple(said)
