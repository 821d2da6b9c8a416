"""A simulated rig as the calibration meets it: pictures are shown, and the camera sees them some frames later."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from app.rigs.mat import Surface, paint_mat
from app.rigs.optics import knots, spread
from app.rigs.spec import RigSpec
from engine.errors import DeviceError

_GAMMA = 2.2  # of the projector: value to light
_BLACK = 0.0015  # light that a projector gives for black
_FOCUS_PX = 0.55  # blur of the projector
_NOISE_SHIFT = 64
_COAT = (0.055, 0.05, 0.06)  # reflectance of what covers the mat
_KEPT = 24  # rendered pictures that are kept


class LateFrame:
    """A frame at `t_s` whose `image`, uint8 (H, W, 3) BGR, is made when it is looked at, and kept."""

    def __init__(self, t_s: float, develop: Callable[[], NDArray[np.uint8]]) -> None:
        self._t_s = t_s
        self._develop: Callable[[], NDArray[np.uint8]] | None = develop
        self._image: NDArray[np.uint8] | None = None

    @property
    def t_s(self) -> float:
        """Seconds since the rig began."""
        return self._t_s

    @property
    def image(self) -> NDArray[np.uint8]:
        """The picture."""
        if self._image is None:
            assert self._develop is not None
            self._image, self._develop = self._develop(), None
        return self._image


class SimulatedRig:
    """Camera and projector over a mat. `show` a picture, `read` frames; each read is one frame later.

    A picture becomes visible `delay_frames` after it was shown; the frame between two pictures holds half of each,
    as the exposure of a real camera does. Deterministic by the spec's seed.
    """

    def __init__(self, spec: RigSpec) -> None:
        self.spec = spec
        self._rng = np.random.default_rng([spec.seed, 613])
        self._surface: Surface | None = None
        self._painted: RigSpec | None = None
        self._mat_light: NDArray[np.float32] | None = None
        self._maps: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
        self._falloff: NDArray[np.float32] | None = None
        self._noise = self._rng.standard_normal(
            (spec.camera.size_px[1] + _NOISE_SHIFT, spec.camera.size_px[0] + _NOISE_SHIFT), dtype=np.float32
        )
        self._scaled: tuple[float, NDArray[np.float32]] | None = None
        self._kept: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()
        width, height = spec.projector.size_px
        self._black = np.zeros((height, width), dtype=np.uint8)
        self._coming: list[tuple[int, NDArray[np.uint8]]] = []
        self._lit = self._black
        self._gain = 1.0
        self.frame = 0

    @property
    def size_px(self) -> tuple[int, int]:
        """The projector's picture, width and height."""
        return self.spec.projector.size_px

    @property
    def camera_id(self) -> str:
        """What the camera is called."""
        return self.spec.camera_id

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Projects `picture`, uint8 (H, W) or (H, W, 3)."""
        grey = picture if picture.ndim == 2 else np.asarray(picture.max(axis=2), dtype=np.uint8)
        if grey.shape != self._black.shape:
            raise DeviceError(f"the simulated projector takes pictures of {self.size_px[0]}x{self.size_px[1]}")
        self._coming.append((self.frame + self.spec.delay_frames, grey))

    def read(self) -> "LateFrame":
        """The next frame; its picture is developed only where somebody looks at it."""
        self.frame += 1
        due = [picture for at, picture in self._coming if at <= self.frame]
        self._coming = [(at, picture) for at, picture in self._coming if at > self.frame]
        before, self._lit = self._lit, due[-1] if due else self._lit
        light = (before, self._lit)
        if self.spec.faults.brightening:
            self._exposed(self._mixed(light))
        return LateFrame(self.frame / self.spec.fps, lambda: self._sensor(self._mixed(light)))

    def clean(self) -> NDArray[np.float32]:
        """What the camera sees now, without noise and unclipped, float32 (H, W, 3) BGR, 255 for white."""
        return self._seen(self._lit)

    def _mixed(self, light: tuple[NDArray[np.uint8], NDArray[np.uint8]]) -> NDArray[np.float32]:
        """Half of the picture before, half of the one now."""
        if light[0] is light[1]:
            return self._seen(light[1])
        before, now = self._seen(light[0]), self._seen(light[1])
        return np.asarray(np.sqrt((before * before + now * now) / 2), dtype=np.float32)

    def change(self, spec: RigSpec) -> None:
        """Something was knocked, or the light has changed: from now on the rig is `spec`."""
        repaint = self._surface is not None and (
            replace(spec, camera=self.spec.camera, projector=self.spec.projector, mat=self.spec.mat).faults
            != self.spec.faults
        )
        self.spec = spec
        self._kept.clear()
        self._mat_light = self._maps = None
        if repaint:
            self._surface = None

    def overlay_error_mm(
        self, projector_px_of: NDArray[np.float64], points_mm: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """How far from points of the mat, shape (N, 2), light sent to px `projector_px_of` falls, mm, shape (N,)."""
        landed = self._mat_from_table(self.spec.projector.mm(projector_px_of))
        return np.asarray(np.linalg.norm(landed - points_mm, axis=-1))

    def _mat_from_table(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        x, y, turn = self.spec.mat
        moved = points_mm - [x, y]
        c, s = np.cos(turn), np.sin(turn)
        return np.stack([moved[..., 0] * c + moved[..., 1] * s, moved[..., 1] * c - moved[..., 0] * s], axis=-1)

    def _seen(self, picture: NDArray[np.uint8]) -> NDArray[np.float32]:
        """What the lens sees while `picture` falls on the table, before noise: float32 (H, W, 3), 0–255 and above."""
        key = picture.tobytes()[:: max(1, picture.size // 65536)] + str(int(picture.sum(dtype=np.int64))).encode()
        if key not in self._kept:
            self._kept[key] = self._render(picture)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def _render(self, picture: NDArray[np.uint8]) -> NDArray[np.float32]:
        spec = self.spec
        self._prepare()
        assert self._mat_light is not None and self._maps is not None and self._falloff is not None
        light = np.asarray((self._emitted(picture).astype(np.float32) / 255) ** _GAMMA, dtype=np.float32)
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), _FOCUS_PX) + _BLACK, dtype=np.float32)
        fallen = cv2.remap(light, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
        level = spec.ambient + fallen * self._falloff
        linear = self._mat_light * (level * np.float32(spec.exposure / spec.ambient))[..., None]
        soft = cv2.GaussianBlur(linear, (0, 0), spec.blur_px)
        return np.asarray(255 * np.sqrt(np.clip(soft, 0, 4)), dtype=np.float32)

    def _emitted(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture as it leaves the projector: squeezed by its keystone setting, mirrored for a screen's back."""
        faults = self.spec.faults
        if faults.mirrored_light:
            picture = np.ascontiguousarray(picture[:, ::-1])
        if faults.keystone > 0:
            h, w = picture.shape
            inset = faults.keystone * w / 2
            source = np.array([[0, 0], [w - 1, 0], [w - 1, h - 1], [0, h - 1]], dtype=np.float32)
            target = source + np.array([[inset, inset / 2], [-inset, inset / 2], [0, 0], [0, 0]], dtype=np.float32)
            picture = np.asarray(
                cv2.warpPerspective(picture, cv2.getPerspectiveTransform(source, target), (w, h)), np.uint8
            )
        return picture

    def _prepare(self) -> None:
        """The maps from camera px to mat and projector, worked out anew after a knock."""
        if self._maps is not None:
            return
        spec = self.spec
        if self._surface is None:
            self._surface = paint_mat(spec)
        columns, rows = knots(spec.camera.size_px)
        table = spec.camera.mm(np.stack(np.meshgrid(columns, rows), axis=-1))
        table = np.nan_to_num(np.clip(table, -9000, 9000), nan=9000)
        surface = self._surface.px(self._mat_from_table(table))
        x, y = (spread(np.clip(surface[..., i], -5e4, 5e4), spec.camera.size_px) for i in (0, 1))
        soft = cv2.GaussianBlur(self._surface.reflectance, (0, 0), 0.7)
        mat = cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        self._mat_light = np.asarray(mat, dtype=np.float32)
        lamp = spec.projector.px(table)
        if spec.faults.cover_mm:
            lamp = self._cover(table, lamp)
        self._maps = (
            spread(np.clip(lamp[..., 0], -5e4, 5e4), spec.camera.size_px),
            spread(np.clip(lamp[..., 1], -5e4, 5e4), spec.camera.size_px),
        )
        eye = np.array(spec.projector.eye_mm)
        square = ((table - eye[:2]) ** 2).sum(axis=-1) + eye[2] ** 2
        self._falloff = spread(np.clip((eye @ eye) / square, 0, 3), spec.camera.size_px)

    def _cover(self, table: NDArray[np.float64], lamp: NDArray[np.float64]) -> NDArray[np.float64]:
        """Lays the thing onto the mat; light that falls onto its top falls elsewhere than on the mat below."""
        spec, height = self.spec, self.spec.faults.cover_height_mm
        camera, eye = np.array(spec.camera.eye_mm), np.array(spec.projector.eye_mm)
        top = table + (camera[:2] - table) * (height / camera[2])
        polygon = np.array(spec.faults.cover_mm, dtype=np.float32)
        size = spec.camera.size_px
        x, y = (spread(top[..., i], size) for i in (0, 1))
        low, high = polygon.min(axis=0), polygon.max(axis=0)
        covered = (x > low[0]) & (x < high[0]) & (y > low[1]) & (y < high[1])
        assert self._mat_light is not None
        self._mat_light[covered] = _COAT
        columns, rows = knots(size)
        at = np.round(np.stack(np.meshgrid(columns, rows), axis=-1)).astype(int)
        below = top + (top - eye[:2]) * (height / (eye[2] - height))
        return np.where(covered[at[..., 1], at[..., 0]][..., None], spec.projector.px(below), lamp)

    def _sensor(self, clean: NDArray[np.float32]) -> NDArray[np.uint8]:
        """The picture with this frame's noise, mirrored where the driver mirrors it."""
        height, width = clean.shape[:2]
        dy, dx = self._rng.integers(0, _NOISE_SHIFT, 2).tolist()
        if self._scaled is None or self._scaled[0] != self.spec.noise:
            grain = self._noise * np.float32(self.spec.noise)
            self._scaled = (self.spec.noise, np.asarray(cv2.merge([grain, grain, grain]), dtype=np.float32))
        noise = self._scaled[1][dy : dy + height, dx : dx + width]
        level = clean if self._gain == 1 else clean * np.float32(self._gain)
        picture = np.asarray(cv2.add(level, noise, dtype=cv2.CV_8U), dtype=np.uint8)
        return np.ascontiguousarray(picture[:, ::-1]) if self.spec.faults.mirrored else picture

    def _exposed(self, clean: NDArray[np.float32]) -> None:
        """A camera that sets its exposure itself follows the picture's mean within some frames."""
        wanted = 105.0 / max(1.0, float(np.clip(clean[::8, ::8], 0, 255).mean()))
        self._gain += 0.3 * (float(np.clip(wanted, 0.3, 3.0)) - self._gain)
