"""Pictures for the README, of the simulated table through the real pipeline: `python -m app.pictures FOLDER`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from app.follow import Moment, new_follower
from app.lights import Lights
from app.overlay import draw_overlay
from app.session import SessionInfo
from app.setup import Setup, load_game
from app.simulator.table import SimulatedTable
from app.tables import Simulated
from calibration.layout import builtin_layout
from engine.guidance import Role
from vision.deck import find_deck, load_deck

SIZE_PX: Final = (1920, 1080)
WIDTH_PX: Final = 1280
_SEED, _FROM_S, _UNTIL_S = 6, 45.0, 120.0


def main(arguments: Sequence[str]) -> int:
    """Writes `table.jpg`: a game in its middle, lit, and `believed.jpg`: what the eyes make of the same moment."""
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    game = load_game("chotto-hana-awase", {}, 2, "pictures")
    deck, layout = load_deck(find_deck("tsuki")), builtin_layout(2)
    table = Simulated(SimulatedTable(game, 2, _SEED, deck, layout, "wood", SIZE_PX))
    setup = Setup(SessionInfo(game.name, 2, 0, "", "tsuki"), game, layout, table.profile, deck)
    follower = new_follower(setup, lambda _: None, table.profile.size_px)
    lights = Lights(table.profile, layout, game, "both")
    quiet_since: float | None = None
    while (frame := table.read()) is not None and frame.t_s < _UNTIL_S:
        moment = follower.step(frame)
        table.show(lights.picture(moment))
        quiet_since = None if moment.observation.hands or moment.events else quiet_since or frame.t_s
        if frame.t_s > _FROM_S and quiet_since is not None and frame.t_s - quiet_since > 0.5 and _tells(moment):
            break
    if frame is None:
        return 1
    _write(folder / "table.jpg", frame.image)
    believed = draw_overlay(frame.image, moment.observation, table.profile.view(), layout, deck.card_mm)
    _write(folder / "believed.jpg", believed[..., ::-1])
    return 0


def _tells(moment: Moment) -> bool:
    """Whether the moment shows what the table is for: a match to take or a choice to make."""
    roles = {cue.role for cue in moment.guidance.cues}
    return Role.FAULT not in roles and bool(roles & {Role.MATCH, Role.CHOICE, Role.TAKE})


def _write(path: Path, image: NDArray[np.uint8]) -> None:
    height = round(image.shape[0] * WIDTH_PX / image.shape[1])
    small = cv2.resize(np.ascontiguousarray(image), (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, 88])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
