"""How fast the pipeline is on this machine, as ratios to a floor measured in the same run (TARGETS, Speed)."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.crop import Crop, crop_of, cropped
from app.floor import best, decode, encode, floor_s
from app.folder import make_folder
from app.follow import Follower, Moment, new_follower
from app.lights import Lights
from app.playouts import measure_all
from app.recorder import Recorder
from app.session import SessionInfo
from app.setup import Setup, load_game
from app.simulator.table import SimulatedTable
from app.verify import percentile
from app.watching_look import Expected, look
from app.watching_marks import mark_places, mark_shapes
from calibration.layout import builtin_layout
from calibration.mat_pose import marker_corners_mm
from projection import raster
from projection.raster import rasterise
from projection.scene import Scene
from vision.deck import find_deck, load_deck
from vision.doubts import WHOLE_SHOWN
from vision.values import Frame

SIZE_PX: Final = (1920, 1080)
FPS: Final = 15.0
MOST_CHANGED: Final = 10
LANGUAGE: Final = "both"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, the figure with its unit, and the target it is held against.

    `floor` was measured beside it, in the same unit, or is None; `good`: whether the target is met, None without one.
    """

    what: str
    value: float
    unit: str
    floor: float | None = None
    target: str = ""
    good: bool | None = None

    @property
    def ratio(self) -> float | None:
        """Value / floor."""
        return None if self.floor is None or self.floor == 0 else self.value / self.floor


@dataclass(frozen=True, slots=True)
class Material:
    """A simulated game as a camera would send it: JPEG frames of the mat, and what is needed to follow it."""

    setup: Setup
    jpegs: tuple[bytes, ...]


def measure_speed(seconds: float = 40.0, seed: int = 5) -> Iterator[Row]:
    """The rows, each as soon as it is measured. `seconds` of a game are played to measure frames on."""
    material = make_material(seconds, seed)
    floor = floor_s(material.jpegs[: round(2 * FPS)])
    yield Row("floor: MJPEG decode + grey + half-size difference", floor * 1e3, "ms")
    game = _Measured(material)
    times = game.run()
    if times.still:
        calm = percentile(times.still, 50) or 0.0
        yield Row(
            "frame in which nothing moves (p50)", calm * 1e3, "ms", floor * 1e3, "<= 3 x floor", calm <= 3 * floor
        )
    if times.changed:
        slow = (percentile(times.changed, 95) or 0.0) * 1e3
        what = f"frame with up to {MOST_CHANGED} changed whole cards (p95)"
        yield Row(what, slow, "ms", floor * 1e3, "<= 50", slow <= 50)
    if times.under:
        slow = max(times.under) * 1e3
        yield Row("frame with a card found under another (max)", slow, "ms", floor * 1e3, "<= 500", slow <= 500)
    if times.lit:
        usual, slow = ((percentile(times.lit, percent) or 0.0) * 1e3 for percent in (50, 95))
        yield Row("frame taken in to changed light drawn (p50)", usual, "ms", floor * 1e3, "<= 60", usual <= 60)
        yield Row("frame taken in to changed light drawn (p95)", slow, "ms", floor * 1e3, "<= 100", slow <= 100)
    anew = game.look_again() * 1e3
    yield Row("whole table anew", anew, "ms", floor * 1e3, "<= 100", anew <= 100)
    watch = measure_watch() * 1e3
    yield Row("look at the table's markers, once a second", watch, "ms", floor * 1e3, "<= 33", watch <= 33)
    first = measure_start()
    yield Row("start to first projected picture", first, "s", None, "<= 2", first <= 2)
    rate, memory = measure_replay(material)
    yield Row("replay at 1080p15, times real time", rate, "x", None, ">= 2", rate >= 2)
    yield Row("memory of that replay at its peak", memory, "MB", None, "<= 400", memory <= 400)
    size = raster.bench(game.lights.scene, game.lights.projector_from_table, game.lights.size_px)
    draw = size["draw_s"] * 1e3
    yield Row(f"draw a scene of {size['shapes']:.0f} shapes", draw, "ms", size["floor_s"] * 1e3, "<= 8", draw <= 8)
    for played in measure_all(0.5, peer=False):
        asked = played.what == material.setup.game.name
        target, good = (">= 500", played.rounds >= 500) if asked else ("", None)
        yield Row(f"random rounds of {played.what}", played.rounds, "/s", None, target, good)


def make_material(seconds: float, seed: int) -> Material:
    """The first `seconds` of a simulated game for two at 1080p under our own light, cut to the mat."""
    table, setup, crop = _table(seed)
    followed = _Followed(setup)
    jpegs = []
    for index in range(round(seconds * FPS)):
        frame = table.read()
        if frame is None:
            break
        jpegs.append(encode(crop.of(frame).image))
        _, picture, fresh = followed.step(Frame(decode(jpegs[-1]), index / FPS, index))
        if fresh:
            table.show(picture)
    return Material(setup, tuple(jpegs))


def _table(seed: int) -> tuple[SimulatedTable, Setup, Crop]:
    """A simulated table for two at 1080p, with what is needed to follow its frames once they are cut to the mat."""
    game = load_game("chotto-hana-awase", {}, 2, "bench")
    deck, layout = load_deck(find_deck("tsuki")), builtin_layout(2)
    table = SimulatedTable(game, 2, seed, deck, layout, size_px=SIZE_PX, fps=FPS)
    crop = crop_of(table.profile)
    info = SessionInfo(game.name, 2, 0, "layout.yaml", "tsuki", projected=LANGUAGE)
    return table, Setup(info, game, layout, cropped(table.profile, crop), deck), crop


class _Followed:
    """A game that is followed and lit, as the loop does it."""

    def __init__(self, setup: Setup) -> None:
        self.follower: Follower = new_follower(setup, lambda _: None, setup.profile.size_px)
        self.lights = Lights(setup.profile, setup.layout, setup.game, LANGUAGE)
        self._shown: object = None

    def step(self, frame: Frame) -> tuple[Moment, NDArray[np.uint8], bool]:
        """What the next frame leads to, what is projected then, and whether that has changed."""
        moment = self.follower.step(frame)
        picture = self.lights.picture(moment)
        fresh = picture is not self._shown
        if fresh:
            self.follower.lit(picture, frame.t_s)
            self._shown = picture
        return moment, picture, fresh


def first_picture(seed: int = 5) -> None:
    """Starts a simulated table and ends with the first picture that is not dark."""
    table, setup, crop = _table(seed)
    followed = _Followed(setup)
    while (frame := table.read()) is not None:
        _, picture, _ = followed.step(crop.of(frame))
        if picture.any():
            return


def measure_start() -> float:
    """Seconds from the start of a new process to its first projected picture, the better of two."""
    command = [sys.executable, "-c", "from app.speed import first_picture; first_picture()"]
    return best(lambda: _seconds(lambda: subprocess.run(command, check=True)), 2)


def measure_watch(seed: int = 5) -> float:
    """Seconds of one look at four printed markers and four marks of light at 1080p, the least of ten."""
    game = load_game("chotto-hana-awase", {}, 2, "bench")
    layout = builtin_layout(2)
    table = SimulatedTable(game, 2, seed, load_deck(find_deck("tsuki")), layout, size_px=SIZE_PX, fps=FPS, markers=True)
    markers = table.markers
    assert markers is not None
    places = mark_places(layout, markers)
    rig = table.rig
    table.show(rasterise(Scene(mark_shapes(places)), rig.projector_from_table, rig.projector_px))
    image = next(frame.image for frame in iter(table.read, None) if frame.index == 4)
    printed = {n: marker_corners_mm(markers, n) for n in markers.centres_mm}
    expected = Expected(
        {n: rig.view.camera_px(mm) for n, mm in printed.items()},
        {n: rig.view.camera_px(mm) for n, mm in places.items()},
    )
    found = look(image, 0.0, markers, expected, False)
    assert len(found.printed) == len(printed) and len(found.lights) == len(places)
    return best(lambda: _seconds(lambda: look(image, 0.0, markers, expected, False)), 10)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@dataclass(frozen=True, slots=True)
class _Times:
    """Seconds of frames, decoding included: nothing moved, whole cards changed, cards were found partly under others,
    the light changed because of them.
    """

    still: list[float]
    changed: list[float]
    under: list[float]
    lit: list[float]


class _Measured:
    """Follows the material frame by frame and sorts the times by what the frame held."""

    def __init__(self, material: Material) -> None:
        self._jpegs = material.jpegs
        self._followed = _Followed(material.setup)
        self.lights = self._followed.lights

    def run(self) -> _Times:
        """The times of all frames but those of the first second, in which the whole table is looked at."""
        times = _Times([], [], [], [])
        before: frozenset[Any] = frozenset()
        for index in range(len(self._jpegs)):
            took, moment, fresh = self._step(index, index)
            now = _lying(moment)
            seen_before, count, before = before, len(now ^ before), now
            if index < FPS:
                continue
            if count == 0 and not moment.observation.hands and not moment.events:
                times.still.append(took)
            if 0 < count <= 2 * MOST_CHANGED:
                (times.under if _some_under(moment, now - seen_before) else times.changed).append(took)
            if fresh and moment.events:
                times.lit.append(took)
        return times

    def look_again(self) -> float:
        """Seconds of the frame in which the whole table is read anew: the least of three."""
        last = len(self._jpegs) - 1

        def once() -> float:
            self._followed.follower.reader.look_again()
            return max(self._step(last, last + i)[0] for i in range(1, 8))  # it waits for a clear look

        return best(once, 3)

    def _step(self, jpeg: int, index: int) -> tuple[float, Moment, bool]:
        start = time.perf_counter()
        moment, _, fresh = self._followed.step(Frame(decode(self._jpegs[jpeg]), index / FPS, index))
        return time.perf_counter() - start, moment, fresh


def _some_under(moment: Moment, new: frozenset[Any]) -> bool:
    """Whether a card that has just been found lies partly under another."""
    found = {card for card, *_ in new}
    return any(seen.card in found and seen.visible < WHOLE_SHOWN for seen in moment.observation.cards)


def _lying(moment: Moment) -> frozenset[Any]:
    """Cards with their places to the millimetre, to tell which have changed."""
    return frozenset(
        (seen.card, round(seen.pose.x_mm / 3), round(seen.pose.y_mm / 3)) for seen in moment.observation.cards
    )


def measure_replay(material: Material) -> tuple[float, float]:
    """Times real time of `hanafuda replay` on the material as a recorded session, and the most memory it holds, MB."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "session"
        make_folder(folder, material.setup.info, material.setup.layout, material.setup.profile)
        with Recorder(folder, FPS) as recorder:
            for index, jpeg in enumerate(material.jpegs):
                recorder.add(Frame(decode(jpeg), index / FPS, index))
        command = [sys.executable, "-m", "app", "replay", str(folder), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    return answer["lasts_s"] / answer["took_s"], answer["peak_mb"]
